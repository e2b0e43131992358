"""Keeps one comment of a pull request up to date: `python comment.py FILE`.

Standard library only. Reads GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_EVENT_PATH, GITHUB_TOKEN
and NAME, which tells the comments of several evaluations apart.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_PAGE = 100
_MOST_PAGES = 20
_DENIED = (401, 403, 404)
_SECONDS = 30


def main(file: Path) -> int:
    """Write or renew the comment; a token that may not, as that of a fork, is a warning."""
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    number = int(event["pull_request"]["number"])
    mark = f"<!-- groundkit-eval {re.sub('[^A-Za-z0-9._]', '-', os.environ['NAME'])} -->"
    body = {"body": f"{mark}\n{file.read_text(encoding='utf-8')}"}
    try:
        ours = next((c["id"] for c in _comments(number) if str(c["body"]).startswith(mark)), None)
        if ours is None:
            _ask("POST", f"issues/{number}/comments", body)
        else:
            _ask("PATCH", f"issues/comments/{int(ours)}", body)
    except urllib.error.HTTPError as error:
        if error.code not in _DENIED:
            raise
        sys.stdout.write(f"::warning::the token may not comment here ({error.code})\n")
    return 0


def _comments(number: int) -> Iterator[dict[str, Any]]:
    for page in range(1, _MOST_PAGES + 1):
        found = _ask("GET", f"issues/{number}/comments?per_page={_PAGE}&page={page}")
        yield from found
        if len(found) < _PAGE:
            return


def _ask(method: str, path: str, body: dict[str, str] | None = None) -> Any:
    repository = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}"
    request = urllib.request.Request(  # noqa: S310  the address is the runner's own
        f"{repository}/{path}",
        data=None if body is None else json.dumps(body).encode(),
        method=method,
        headers={
            "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
        return json.load(answer)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
