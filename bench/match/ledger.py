"""The results that are kept: a table in engine/README.md, one line for each match."""

from pathlib import Path

from bench.match.build import ROOT

LEDGER = ROOT / "engine" / "README.md"
HEADING = "## Matches"
HEAD = "| date | what | conditions | result |\n|---|---|---|---|"


def append(path: Path, row: tuple[str, str, str, str]) -> None:
    """Add a row to the table under the heading; both are made if they are missing."""
    text = path.read_text(encoding="utf-8")
    path.write_text(added(text, row), encoding="utf-8")


def added(text: str, row: tuple[str, str, str, str]) -> str:
    """Return the text with the row at the end of the table."""
    line = "| " + " | ".join(cell.replace("|", "/") for cell in row) + " |"
    before, heading, section = f"\n{text}".partition(f"\n{HEADING}\n")
    if not heading:
        return f"{text.rstrip()}\n\n{HEADING}\n\n{HEAD}\n{line}\n"
    lines = section.split("\n")
    end = next((i for i, one in enumerate(lines) if one.startswith("## ")), len(lines))
    rows = [i for i in range(end) if lines[i].startswith("|")]
    place = rows[-1] + 1 if rows else end
    lines[place:place] = [line] if rows else ["", *HEAD.split("\n"), line]
    return (before + heading + "\n".join(lines))[1:]
