"""Links between our documents: what they name is there, heading and all."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = (".", "docs", "bench", "bridge", "docker", "engine", "server", "server/web")
DOCUMENTS = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.md"))
LINK = re.compile(r"\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)")


def text_of(document: Path) -> str:
    """Return a document without its examples."""
    return re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)


def anchors(document: Path) -> set[str]:
    """Return the names of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text_of(document), re.MULTILINE)
    shown = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", each) for each in headings)
    return {re.sub(r"[^\w\- ]", "", each.strip().lower()).replace(" ", "-") for each in shown}


def broken(document: Path) -> list[str]:
    """Return the links of a document that lead nowhere."""
    found = []
    for path, anchor in LINK.findall(text_of(document)):
        target = document.parent / path if path else document
        if not target.exists() or (
            anchor and target.suffix == ".md" and anchor not in anchors(target)
        ):
            found.append(f"{path}#{anchor}")
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    assert broken(document) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One\n[a](#one) [b](#two) [c](gone.md) [d](https://example.org/x)\n")
    assert broken(page) == ["#two", "gone.md#"]
