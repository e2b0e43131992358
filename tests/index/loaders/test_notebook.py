from __future__ import annotations

import json
from typing import Any

import pytest

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, chunk_structured
from groundkit_index.loaders import Limits, load


def cell(kind: str, source: object, **more: Any) -> dict[str, Any]:
    return {"cell_type": kind, "source": source, "metadata": {}, **more}


def code(source: object, *outputs: dict[str, Any]) -> dict[str, Any]:
    return cell("code", source, outputs=list(outputs))


def stream(text: object) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def result(**data: object) -> dict[str, Any]:
    kinds = {name.replace("_", "/"): value for name, value in data.items()}
    return {"output_type": "execute_result", "data": kinds, "metadata": {}}


def read(*cells: dict[str, Any], **metadata: Any) -> Extraction:
    metadata = metadata or {"language_info": {"name": "python"}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)}
    return load("notebook", json.dumps(notebook).encode(), Limits())[0]


def test_cells_are_read_in_order_with_their_headings_and_language() -> None:
    found = read(
        cell("markdown", ["# Prices\n", "\n", "How we *load* them:\n"]),
        code(["import csv\n", "rows = list(csv.reader(f))"]),
        cell("raw", "as it is"),
    )
    assert found.text == (
        "# Prices\n\nHow we *load* them:\n\n"
        "```python\nimport csv\nrows = list(csv.reader(f))\n```\n\nas it is"
    )
    (span,) = chunk_structured(found).spans
    assert span.heading_path == ("Prices",)


def test_a_chunk_is_placed_in_the_cell_that_it_starts_in() -> None:
    found = read(
        cell("markdown", ""),
        cell("markdown", "# One\n\nText."),
        code("x = 1"),
        cell("markdown", "## Two"),
        code("y = 2"),
    )
    spans = chunk_structured(found).spans
    places = [found.place_of(span.start, span.end) for span in spans]
    assert [span.heading_path for span in spans] == [("One",), ("One", "Two")]
    assert [place.label for place in places] == ["cell 2", "cell 4"]
    assert [place.fragment for place in places] == ["cell=2", "cell=4"]


def test_the_blocks_of_markdown_stay_what_they_are() -> None:
    source = (
        "Title\n=====\n\n- one\n  - two `a  b`\n- three\n\n1. first\n\n"
        "| k | v |\n|---|---|\n| a \\| b | 2 |\n\n~~~sql\nSELECT 1\n~~~\n\n> said so\n"
    )
    assert read(cell("markdown", source)).text == (
        "# Title\n\n- one\n  - two `a b`\n- three\n1. first\n\n"
        "| k | v |\n| --- | --- |\n| a \\| b | 2 |\n\n```sql\nSELECT 1\n```\n\n> said so"
    )


def test_tags_and_comments_in_markdown_are_left_out_but_not_code() -> None:
    source = (
        "<div class='a'><h2>Set &amp; up</h2>\nUse it.</div>\n\n"
        "<!-- hidden -->\n\n<style>p {}</style>\n\n"
        "Press <b>Enter</b> in `<b>`<img src='x.png'>.\n"
    )
    assert read(cell("markdown", source)).text == "## Set & up\n\nUse it.\n\nPress Enter in `<b>`."


def test_text_outputs_follow_their_code_and_stay_with_it() -> None:
    found = read(
        code("f()", stream(["a\n", "b\n"]), stream("c\n"), result(text_plain="42")),
        code("g()", {"output_type": "error", "ename": "ValueError", "evalue": "no",
                     "traceback": ["\x1b[0;31mValueError\x1b[0m"]}),
    )  # fmt: skip
    assert found.text == (
        "```python\nf()\n```\n\n```\na\nb\nc\n42\n```\n\n"
        "```python\ng()\n```\n\n```\nValueError: no\n```"
    )


def test_images_and_what_only_stands_for_them_are_left_out_and_counted() -> None:
    found = read(
        code(
            "plot()", result(text_plain="<Figure size 640x480 with 1 Axes>", image_png="iVBO" * 9)
        ),
        code("table", result(text_plain="   a\n0  1", text_html="<table></table>")),
        cell("markdown", f"![x](data:image/png;base64,{'A' * 100})"),
    )
    assert found.text == (
        "```python\nplot()\n```\n\n```python\ntable\n```\n\n```\n   a\n0  1\n```\n\n![x](data:)"
    )
    assert found.notes == ("2 images and other media were left out",)


def test_colours_and_overwritten_progress_are_left_out() -> None:
    found = read(code("run()", stream("\x1b[32m 1%\r 50%\r100%\x1b[0m\r\ndone\n")))
    assert "```\n100%\ndone\n```" in found.text


def test_a_long_output_is_cut_between_lines() -> None:
    found = read(code("f()", stream("".join(f"line {n}\n" for n in range(1000)))))
    shown = found.text.partition("f()")[2]
    assert 1_900 < len(shown) < 2_050
    assert shown.endswith("\n…\n```")
    assert found.notes == ("1 long outputs were cut",)


def test_a_cell_magic_names_the_language() -> None:
    assert read(code("%%bash\nls")).text.startswith("```bash\n")


@pytest.mark.parametrize("name", ["a\nb", "```", 5, None, ["python"]])
def test_a_language_that_is_no_name_is_left_out(name: object) -> None:
    assert read(code("x"), language_info={"name": name}).text == "```\nx\n```"


def test_format_3_holds_its_cells_in_worksheets() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Load"]},
        {"cell_type": "markdown", "source": ["one", "two"]},
        {"cell_type": "code", "language": "python", "input": "x", "outputs": [
            {"output_type": "pyout", "text": "5", "html": "<b>5</b>"},
            {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": []},
        ]},
    ]  # fmt: skip
    notebook = {"nbformat": 3, "metadata": {"name": "Tour"}, "worksheets": [{"cells": cells}]}
    found, _ = load("notebook", json.dumps(notebook).encode(), Limits())
    assert found.title == "Tour"
    assert found.text == "## Load\n\none\ntwo\n\n```python\nx\n```\n\n```\n5\nE: v\n```"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "broken"),
        (b"{", "broken"),
        (b"[1]", "broken"),
        (b'{"name": "x"}', "broken"),
        (b'\xff\xfe{"cells": []}', "broken"),
        (b'{"cells": []}', "no_text"),
        (b'{"nbformat": 4}', "no_text"),
        (b'{"cells": ' + b"[" * 100_000, "over_limit"),
        (json.dumps({"cells": [{}] * 11}).encode(), "over_limit"),
    ],
)
def test_what_is_no_notebook_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentRefusedError) as refused:
        load("notebook", data, Limits(members=10))
    assert refused.value.reason == reason


def test_parts_of_the_wrong_type_are_passed_over() -> None:
    cells: list[Any] = [
        1,
        None,
        cell("markdown", 5),
        {"cell_type": []},
        code({"a": 1}, result(text_plain={})),
    ]
    data = json.dumps({"cells": [*cells, cell("markdown", ["a", 2, "b"])], "metadata": []}).encode()
    found, _ = load("notebook", data, Limits())
    assert found.text == "a\nb"
