"""Links with text fragments, followed by a real Chromium.

It is looked for in the environment variable GROUNDKIT_TEST_CHROMIUM and on the search path.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.e2e import browser

from groundkit_core.structure import chunk_structured
from groundkit_core.text_fragments import text_fragment
from groundkit_index.loaders.html import LOADER
from groundkit_index.loaders.protocol import Limits

PATH = browser.installed()
pytestmark = pytest.mark.skipif(
    PATH is None, reason=f"no Chromium on the search path or in {browser.VARIABLE}"
)

SENTENCE = "Routine checks of the station are carried out by the crew on duty every morning."
FILLER = "".join(f"<p>{SENTENCE} Round {number}.</p>" for number in range(30))

PASSAGES = {
    "paragraph": "<p>The <b>pump</b> must be primed&nbsp;before the start; <i>never</i> dry.</p>",
    "long paragraph": f"<p>Seals age in sunlight and in frost. {SENTENCE * 4} Store them dark.</p>",
    "heading and paragraph": "<h2>Round</h2><p>Bearings run hot when the grease is old.</p>",
    "heading": "<h2 id=valve>Replacing the inlet valve</h2>",
    "list": "<ul><li>Close the main inlet valve first<li>Drain the housing<li>Open the lid</ul>",
    "numbered list": "<ol><li>Unplug the motor cable<li>Wait until the fan stands still</ol>",
    "table": (
        "<table><tr><th>Part<th>What it is for<tr><td>Gasket<td>keeps air | water apart"
        "<tr><td>Impeller<td>moves the water</table>"
    ),
    "code": "<pre>if   (pressure &gt; 4.5 &amp;&amp; !valve) {\n    stop_motor(now);\n}</pre>",
    "lines": "<p>Pump House Ltd<br>12 Long Mill Lane<br>Upper Riverside Town</p>",
    "chinese": "<p>首次启动之前，必须向水泵注水。切勿让其空转，否则密封件会在几分钟内烧坏。</p>",
    "japanese": "<p>最初の起動の前に、ポンプに水を入れてください。空運転は禁止です。</p>",
    "arabic": "<p dir=rtl>يجب ملء المضخة بالماء قبل التشغيل الأول في الموسم.</p>",
    "signs": "<p>Costs: 50-60 %, “A&amp;B” – see §4(c), e.g. #7; x=y? (yes/no), 100+ units!</p>",
    "accents": "<p>Größere Dichtungen müssen häufiger geprüft werden, außer über Ølund.</p>",
    "definition": "<dl><dt>Cavitation<dd>Bubbles that collapse and eat the metal away.</dl>",
}


def page(passage: str) -> str:
    head = "<!DOCTYPE html><meta charset=utf-8><title>Pumps</title>"
    return f"{head}{FILLER}<div id=it>{passage}</div>{FILLER}"


class Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        passage = PASSAGES.get(self.path.strip("/").replace("%20", " "))
        body = page(passage or "").encode()
        self.send_response(404 if passage is None else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Browser]:
    assert PATH is not None
    with browser.Browser(PATH, tmp_path_factory.mktemp("profile")) as found:
        yield found


IN_VIEW = """(() => {
    const it = document.getElementById("it").getBoundingClientRect();
    return scrollY > 0 && it.top < innerHeight && it.bottom > 0;
})()"""


def scrolls_to_passage(window: browser.Browser, patience: float = 5.0) -> bool:
    """Whether the page scrolls until the passage is in view, within so many seconds."""
    deadline = time.monotonic() + patience
    while not window.run(IN_VIEW):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def chunk_of(passage: str) -> str:
    """The passage as it stands in the text that the loader takes out of the page."""
    whole = LOADER.load(page(passage).encode(), Limits()).text
    alone = LOADER.load(passage.encode(), Limits())
    (span,) = chunk_structured(alone).spans
    content = alone.text[span.start : span.end]
    assert content in whole
    return content


@pytest.mark.parametrize("name", PASSAGES)
def test_a_browser_scrolls_to_a_chunk(name: str, site: str, window: browser.Browser) -> None:
    window.visit(f"{site}/{name.replace(' ', '%20')}#{text_fragment(chunk_of(PASSAGES[name]))}")
    assert scrolls_to_passage(window)


def test_it_does_not_without_the_passage(site: str, window: browser.Browser) -> None:
    window.visit(f"{site}/paragraph#{text_fragment('Words that are not on this page.')}")
    assert not scrolls_to_passage(window, patience=1.5)


def test_a_name_and_a_text_fragment_go_together(site: str, window: browser.Browser) -> None:
    found = LOADER.load(page(PASSAGES["heading"]).encode(), Limits())
    fragment = found.places[0].fragment
    window.visit(f"{site}/heading#{fragment}{text_fragment('Replacing the inlet valve')}")
    assert scrolls_to_passage(window)
    window.visit(f"{site}/heading#{fragment}{text_fragment('Words that are not on this page.')}")
    assert scrolls_to_passage(window)
