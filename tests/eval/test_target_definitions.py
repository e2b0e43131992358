from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from groundkit_core.errors import SettingsError
from groundkit_eval.errors import EvaluationError
from groundkit_eval.judgments.model import JudgedQuery
from groundkit_eval.targets.definitions import McpTarget, RestTarget, read_definitions
from groundkit_eval.targets.mapping import Mapped, filled, look_up

QUERY = JudgedQuery("q", 'a "b" {limit}', "plain", "docs", (), 1)
REST: dict[str, Any] = {
    "type": "rest",
    "url": "http://127.0.0.1:1/search",
    "results": "data.hits",
    "fields": {"source": "doc.path", "start": "at.0", "end": "at.1", "text": "body"},
    "root": "/srv/docs",
}


def mapped(**changed: Any) -> Mapped:
    return Mapped("mine", RestTarget.model_validate({**REST, **changed}), {"7.md": "seven"})


def hit(path: str, **fields: Any) -> dict[str, Any]:
    return {"doc": {"path": path}, **fields}


def answer(*hits: Any) -> dict[str, Any]:
    return {"data": {"hits": list(hits)}}


def test_a_template_is_filled_once_and_a_lone_limit_is_a_number() -> None:
    template = {"q": "{query}", "n": "{limit}", "deep": [{"c": "{source_class}!"}, 3, None]}
    assert filled(template, QUERY, 8) == {
        "q": 'a "b" {limit}',
        "n": 8,
        "deep": [{"c": "docs!"}, 3, None],
    }


@pytest.mark.parametrize(
    ("path", "found"), [("a.b", 1), ("c.1", 3), ("c.9", None), ("a.x.y", None), ("", ...)]
)
def test_dotted_paths_reach_into_objects_and_lists(path: str, found: object) -> None:
    document = {"a": {"b": 1}, "c": [2, 3]}
    assert look_up(document, path) == (document if found is ... else found)


def test_results_become_chunks_with_span_text_and_source_below_the_root() -> None:
    found = mapped().answer(answer(hit("/srv/docs/guide/a.md", at=[3, 9], body="text")), 10)
    (chunk,) = found.chunks
    assert (chunk.place.source, chunk.place.start, chunk.place.end) == ("guide/a.md", 3, 9)
    assert (chunk.place.text, found.abstained) == ("text", False)


@pytest.mark.parametrize("at", [None, [3], ["3", 9], [9, 3], [-1, 4], [True, 4]])
def test_a_span_that_cannot_be_is_none(at: object) -> None:
    (chunk,) = mapped().answer(answer(hit("a.md", at=at)), 10).chunks
    assert not chunk.place.spans


def test_files_of_a_judged_set_are_named_as_the_judgments_name_them() -> None:
    (chunk,) = mapped().answer(answer(hit("/srv/docs/7.md")), 10).chunks
    assert chunk.place.source == "seven"


def test_a_score_ranks_and_results_are_cut_and_told_apart() -> None:
    hits = [hit("a.md", s=1), hit("b.md", s=3), hit("b.md", s=2), hit("c.md", s=0)]
    found = mapped(fields={"source": "doc.path", "score": "s"}).answer(answer(*hits), 3)
    assert [chunk.place.source for chunk in found.chunks] == ["b.md", "a.md"]


def test_no_results_are_an_abstention() -> None:
    assert mapped().answer(answer(), 10).abstained


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"hits": []}, "has no list of results at 'data.hits'"),
        (answer({"doc": {}}), "has no source at 'doc.path'"),
        (answer("text"), "has no source"),
        (None, "has no list of results"),
    ],
)
def test_an_answer_that_does_not_fit_the_mapping_is_an_error(
    document: object, message: str
) -> None:
    with pytest.raises(EvaluationError, match=message):
        mapped().answer(document, 10)


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "targets.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_describes_targets_and_takes_secrets_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN_OF_MINE", "s3cret")
    text = (
        '[one]\ntype = "mcp"\ncommand = ["serve", "--fast"]\nfields = { source = "path" }\n'
        '[two]\ntype = "rest"\nurl = "http://localhost/s"\nfields = { source = "path" }\n'
        'headers = { Authorization = "Bearer ${TOKEN_OF_MINE}" }\n'
    )
    one, two = read_definitions(write(tmp_path, text)).values()
    assert isinstance(one, McpTarget)
    assert one.command == ("serve", "--fast")
    assert isinstance(two, RestTarget)
    assert two.headers == {"Authorization": "Bearer s3cret"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no targets"),
        ("x = 1", "holds no targets"),
        ("[a", "is not TOML"),
        ('[a]\ntype = "magic"', "a: Input tag 'magic'"),
        ('[a]\ntype = "rest"\nurl = "u"', "a.fields: Field required"),
        ('[a]\ntype = "rest"\nurl = "u"\nfields = { source = "s", rank = "r" }', "a.fields.rank"),
        ('[a]\ntype = "mcp"\nfields = { source = "s" }', "either the command or the url"),
        ('[a]\ntype = "run"\npath = "${NOT_THERE_AT_ALL}"', "has no NOT_THERE_AT_ALL"),
        ('["a b"]\ntype = "run"\npath = "p"', "no white space"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=message):
        read_definitions(write(tmp_path, text))
