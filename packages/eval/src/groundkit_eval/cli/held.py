"""Options that hold a result to a baseline: `--baseline`, `--gate` and what belongs to them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groundkit_eval.cli.options import FILE

if TYPE_CHECKING:
    from groundkit_eval.comparison.results import Comparison
    from groundkit_eval.gates import Gate, GateResult
    from groundkit_eval.results import EvaluationResult

Command = Callable[..., None]

gate_option = click.option(
    "--gate",
    "gates",
    multiple=True,
    metavar="GATE",
    help="Fail unless this is kept, such as 'ndcg@10>=-0.01' or 'significant'; repeatable.",
)
allow_option = click.option(
    "--allow-different-judgments",
    "allow",
    is_flag=True,
    help="Compare the queries that both have, though the judgments differ.",
)
_baseline_option = click.option(
    "--baseline",
    type=FILE,
    metavar="FILE",
    help="An earlier result, written by `run --json`, to compare with.",
)


@dataclass(frozen=True, slots=True)
class Held:
    """What a result is held to.

    Attributes:
        baseline: the file of the earlier result.
        gates: as they were written.
        allow: whether the judgments may differ.
    """

    baseline: Path | None
    gates: tuple[str, ...]
    allow: bool

    def check_output(self, output: Path | None) -> None:
        """Check that the new result does not replace the one it is held to.

        Raises:
            UsageError: it would.
        """
        same = output and self.baseline and output.resolve() == self.baseline.resolve()
        if same:
            raise click.UsageError(
                "--json would overwrite the baseline", click.get_current_context()
            )

    def load(self, *, significant: bool = False) -> Baseline | None:
        """Read baseline and gates, before long work; None without a baseline.

        Args:
            significant: adds the gate that allows no significant loss.

        Raises:
            UsageError: there are gates without a baseline.
            RequestError: a gate is wrong, or names what the baseline does not have.
            ResultError: the baseline cannot be read.
        """
        from groundkit_eval.gates import SIGNIFICANT, check_names, parse_gate
        from groundkit_eval.report.load import load_result

        if self.baseline is None:
            if self.gates or self.allow:
                raise click.UsageError(
                    "--gate and --allow-different-judgments need --baseline FILE",
                    click.get_current_context(),
                )
            return None
        written = (SIGNIFICANT, *self.gates) if significant else self.gates
        gates = tuple(parse_gate(text) for text in dict.fromkeys(written))
        result = load_result(self.baseline)
        check_names(gates, result)
        return Baseline(result, gates, self.allow)


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline that was read, with its gates."""

    result: EvaluationResult
    gates: tuple[Gate, ...]
    allow: bool

    def compare(self, result: EvaluationResult) -> tuple[Comparison, tuple[GateResult, ...]]:
        """Return the differences of a result to the baseline, and what became of the gates."""
        from groundkit_eval.comparison import compare
        from groundkit_eval.gates import check_gates

        found = compare(self.result, result, allow_different_judgments=self.allow)
        return found, check_gates(self.gates, found)


def held_options(command: Command) -> Command:
    """Add the options, and give the command what was chosen as `held`."""

    @_baseline_option
    @gate_option
    @allow_option
    @functools.wraps(command)
    def with_held(
        baseline: Path | None, gates: tuple[str, ...], *, allow: bool, **rest: Any
    ) -> None:
        command(held=Held(baseline, gates, allow), **rest)

    return with_held
