"""The report in a real browser: rules of accessibility, widths, and sorting."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.eval.synthetic import drawn, made_result, moved

from groundkit_eval.comparison import compare
from groundkit_eval.gates import check_gates, parse_gate
from groundkit_eval.report.html import to_html

AXE = Path(__file__).parents[1] / "conformance" / "node_modules" / "axe-core" / "axe.min.js"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHECK = """
for (const details of document.querySelectorAll("details")) details.open = true;
const root = document.documentElement;
const found = {
  fits: root.scrollWidth <= root.clientWidth,
  width: root.clientWidth,
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
};
const table = document.querySelector("#queries").parentElement.querySelector("table");
const column = [...table.tHead.rows[0].cells].length - 1;
const values = () => [...table.tBodies[0].rows].map((row) => +row.cells[column].textContent);
const button = table.tHead.rows[0].cells[column].querySelector("button");
button.click();
found.down = values();
button.click();
found.up = values();
found.sorted = table.tHead.rows[0].cells[column].getAttribute("aria-sort");
const answer = (more) => {
  const shown = document.createElement("pre");
  shown.id = "answer";
  shown.textContent = JSON.stringify({ ...found, ...more });
  top.document.body.append(shown);
};
if (window.axe) {
  axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] })
    .then((r) => answer({ passes: r.passes.map((p) => p.id),
      violations: r.violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 200))]) }));
} else answer({});
"""


@pytest.fixture(scope="module")
def chromium() -> str:
    named = os.environ.get("GROUNDKIT_TEST_CHROMIUM")
    found = named or next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium; install it, or name it in GROUNDKIT_TEST_CHROMIUM")
    return found


@pytest.fixture(scope="module")
def page() -> str:
    base = drawn(90, seed=1)
    before, after = (
        made_result(
            {
                "baseline": base,
                "lexical": moved(base, 0.4, by, seed=2),
                "hybrid": moved(base, 0.4, 0.1, seed=3),
            },
            unanswerable=30,
        )
        for by in (0.0, -0.3)
    )
    found = compare(before, after)
    gates = check_gates([parse_gate("ndcg@10>=-0.01")], found)
    return to_html(after, before, found, gates)


def look(chromium: str, page: str, folder: Path, width: int, axe: str, *, dark: bool) -> Any:
    """Return what the check found in the page at a width."""
    # The page's own policy would refuse the check.
    open_page = re.sub(r"<meta http-equiv[^>]*>\n", "", page)
    checks = f"<script>{axe}</script><script>{CHECK}</script></body>"
    checked = json.dumps(open_page.replace("</body>", checks)).replace("</", "<\\/")
    path = folder / "page.html"
    # A frame, because a window is never as narrow as a phone.
    frame = f'<iframe style="border: 0; width: {width}px; height: 900px"></iframe>'
    script = f"<script>document.querySelector('iframe').srcdoc = {checked}</script>"
    path.write_text(f"<!doctype html>{frame}{script}", encoding="utf-8")
    done = subprocess.run(
        [
            chromium,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1400,1000",
            "--hide-scrollbars",
            f"--user-data-dir={folder / 'profile'}",
            f"--blink-settings=preferredColorScheme={0 if dark else 1}",
            "--virtual-time-budget=20000",
            "--dump-dom",
            path.as_uri(),
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    (answer,) = re.findall(r'<pre id="answer">(.*?)</pre>', done.stdout, re.DOTALL)
    return json.loads(answer.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


@pytest.mark.parametrize(("width", "dark"), [(360, False), (1280, True)])
def test_the_page_keeps_the_rules_of_accessibility(
    chromium: str, page: str, tmp_path: Path, width: int, *, dark: bool
) -> None:
    if not AXE.is_file():
        pytest.skip("no axe-core; `make clients` brings it")
    found = look(chromium, page, tmp_path, width, AXE.read_text(encoding="utf-8"), dark=dark)
    assert found["violations"] == []
    assert {"color-contrast", "svg-img-alt", "heading-order", "region"} <= set(found["passes"])
    assert found["dark"] == dark


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_fits_the_window_and_its_tables_sort(
    chromium: str, page: str, tmp_path: Path, width: int
) -> None:
    found = look(chromium, page, tmp_path, width, "", dark=False)
    assert (found["fits"], found["width"]) == (True, width)
    assert found["down"] == sorted(found["down"], reverse=True)
    assert found["up"] == sorted(found["up"])
    assert found["up"] != found["down"]
    assert found["sorted"] == "ascending"
