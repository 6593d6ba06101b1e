#!/usr/bin/env python3
"""Renderer of the page `/docs` of a server, which has all codes, from `docs/protocol.md`.

Problem documents link to it: `python tools/notice_page.py` after a change of the table of notices.
"""

import re
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "docs" / "protocol.md"
PAGE = ROOT / "server" / "rookery_server" / "http" / "notices.html"

_ROW = re.compile(r"^\| `([a-z-]+)` \| [a-z ]+ \| (.*) \| .* \| (.*) \|$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_HEAD = """\
<!doctype html>
<html lang="en">
<!-- Made by tools/notice_page.py of docs/protocol.md. -->
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Rookery: codes of refusals</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44em; margin: 3em auto; padding: 0 1em }
  :target { background: #ffe9a8; color: #222 }
</style>
<h1>Codes of refusals</h1>
<p>What each <code>code</code> means, and what to do. Operators set what is named with
<code>[section]</code> in the configuration.</p>
<dl>
"""


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


def page() -> str:
    """Return the page."""
    rows = _ROW.findall(SOURCE.read_text(encoding="utf-8"))
    return _HEAD + "".join(_entry(*row) for row in sorted(rows)) + "</dl>\n"


def _entry(code: str, meaning: str, remedy: str) -> str:
    return f'<dt id="{code}"><code>{code}</code>\n<dd>{_html(meaning)}. <em>{_html(remedy)}.</em>\n'


def _html(text: str) -> str:
    """Return a cell of a table: links become their words."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", escape(_LINK.sub(r"\1", text), quote=False))


if __name__ == "__main__":
    sys.exit(main())
