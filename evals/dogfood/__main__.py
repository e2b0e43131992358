"""`python -m evals.dogfood`: the golden questions about this repository, and access to it.

Exits with 1 below the floor of `landing`, or when a profile gets what it may not.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from evals.dogfood.corpus import NoCheckoutError
from evals.dogfood.denials import Outcome
from evals.dogfood.landing import FIRST, FLOOR, STAGE, Landing, landing
from evals.dogfood.running import run
from groundkit_eval.report.terminal import print_result

_NO_CHECKOUT = 3
_SHOWN = 2


def main() -> int:
    """Print both parts; return the exit code."""
    with tempfile.TemporaryDirectory(prefix="groundkit-dogfood-") as scratch:
        try:
            measured = run(Path(scratch))
        except NoCheckoutError as error:
            print(f"skipped: {error}")
            return _NO_CHECKOUT
    print_result(measured.result)
    landed = landing(measured.result)
    _print_landing(landed)
    _print_access(measured.access)
    kept = all(outcome.kept for outcome in measured.access)
    return 0 if kept and landed.share >= FLOOR else 1


def _print_landing(landed: Landing) -> None:
    right = landed.answerable - len(landed.missed)
    print(
        f"\nRight file among the first {FIRST} of {STAGE}: {right} of {landed.answerable} "
        f"({landed.share:.3f}, floor {FLOOR})"
    )
    for query in landed.missed:
        print(f"  not: {query.query}")


def _print_access(access: Sequence[Outcome]) -> None:
    """Print what the profiles got for some questions of each kind, and all that is wrong."""
    shown = [*_examples(access), *(outcome for outcome in access if not outcome.kept)]
    wide = max(len(outcome.question) for outcome in shown)
    print(f"\n{'question':{wide}}  profile     asked   outcome")
    for outcome in shown:
        mark = "" if outcome.kept else "  WRONG"
        print(
            f"{outcome.question:{wide}}  {outcome.profile:10}  {outcome.asked:6}  "
            f"{outcome.got}{mark}"
        )
    kept = sum(outcome.kept for outcome in access)
    print(f"\nAccess: {kept} of {len(access)} outcomes are what the profile may have")


def _examples(access: Sequence[Outcome]) -> list[Outcome]:
    questions = [list(group) for _, group in groupby(access, lambda outcome: outcome.question)]
    kinds = [
        [group for group in questions if any(outcome.asked == asked for outcome in group)]
        for asked in ("code", "config")
    ]
    return [outcome for kind in kinds for group in kind[:_SHOWN] for outcome in group]


if __name__ == "__main__":
    sys.exit(main())
