from __future__ import annotations

from collections.abc import Callable

from .conftest import Chunked

Chunker = Callable[..., Chunked]


def test_imports_and_components_do_not_disturb_headings(chunked: Chunker) -> None:
    text = (
        "import Tabs from '@theme/Tabs';\nexport const size = {\n  wide: 1,\n};\n\n# Guide\n\n"
        "<Tabs>\n  <Tab value='a'>\n\n## Install\n\nRun it.\n\n  </Tab>\n</Tabs>\n\n"
        "{/* # comment */}\n\n## Use {props.name}\n\nEnd.\n"
    )
    result = chunked("a.mdx", text, target=60)
    assert result.title == "Guide"
    assert result.holding("Run it.").path == ("Guide", "Install")
    assert result.holding("End.").path == ("Guide", "Use {props.name}")
