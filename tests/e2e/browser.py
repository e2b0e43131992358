"""A headless Chromium that is driven through its DevTools pipe."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
VARIABLE = "GROUNDKIT_TEST_CHROMIUM"
WIDTH, HEIGHT = 800, 300
_PATIENCE = 20.0


def installed() -> str | None:
    """Return the path of a Chromium: from the environment, else from the search path."""
    named = os.environ.get(VARIABLE)
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One window of `WIDTH` by `HEIGHT` pixels with one page.

    Args:
        path: the program.
        profile: an empty folder.
    """

    def __init__(self, path: str, profile: Path) -> None:
        theirs_in, self._out = os.pipe()
        ours_in, theirs_out = os.pipe()
        flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe")
        size = f"--window-size={WIDTH},{HEIGHT}"
        command = [path, *flags, size, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}', *command],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._in = os.fdopen(ours_in, "rb")
        self._number = 0
        self._rest = b""
        self._session = ""
        pages = self._call("Target.getTargets")["targetInfos"]
        page = next(page["targetId"] for page in pages if page["type"] == "page")
        attached = self._call("Target.attachToTarget", targetId=page, flatten=True)
        self._session = attached["sessionId"]

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.wait(_PATIENCE)
        os.close(self._out)
        self._in.close()

    def visit(self, url: str) -> None:
        """Go to a page as if its address had been typed, and wait until it is loaded."""
        self._call("Page.navigate", url="about:blank")
        self._call("Page.navigate", url=url)
        deadline = time.monotonic() + _PATIENCE
        while self.run("document.readyState + location.protocol") != "completehttp:":
            assert time.monotonic() < deadline, "the page does not load"
            time.sleep(0.02)

    def run(self, script: str) -> Any:
        """Return what a script, or the promise it makes, evaluates to in the page."""
        found = self._call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        return found["result"].get("value")

    def _call(self, method: str, **params: object) -> Any:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            read = os.read(self._in.fileno(), 2**16)
            assert read, "the browser is gone"
            self._rest += read
        first, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(first)
        return found
