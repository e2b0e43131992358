"""One index of the repository, asked both what it finds and what it withholds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evals.dogfood.corpus import write
from evals.dogfood.denials import Outcome, outcomes
from groundkit_eval import EvaluationResult
from groundkit_eval.evaluation import evaluate_plan
from groundkit_eval.judgments.jsonl import read_judgments
from groundkit_eval.judgments.reading import JudgmentsChoice
from groundkit_eval.plan import Plan
from groundkit_index import ingest
from groundkit_retrieval import Collection

JUDGMENTS = Path(__file__).parent / "judgments.jsonl"
_COLLECTION = "repository"


@dataclass(frozen=True, slots=True)
class Measured:
    """What the golden questions gave.

    Attributes:
        result: how well each stage answers.
        access: what each profile gets.
    """

    result: EvaluationResult
    access: tuple[Outcome, ...]


def run(scratch: Path) -> Measured:
    """Copy and index the repository, and ask all questions.

    Args:
        scratch: an empty folder for the copy and its index.

    Raises:
        NoCheckoutError: the repository is not a git checkout.
        GroundkitError: the judgments do not fit the repository.
    """
    corpus, index = scratch / "repository", scratch / "index"
    write(corpus)
    ingest(corpus, index_dir=index, collection=_COLLECTION)
    result = evaluate_plan(Plan(JudgmentsChoice(JUDGMENTS), collection=(index, _COLLECTION)))
    with Collection.open(_COLLECTION, index_dir=index) as collection:
        asked = read_judgments(JUDGMENTS).judgments.values()
        return Measured(result, tuple(outcomes(collection, asked)))
