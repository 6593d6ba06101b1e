"""The operator's documents and the configuration that the server reads agree."""

import re
import tomllib
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

from rookery_protocol.errors import ConfigError
from rookery_server.config import config
from rookery_server.config.engines import read_engine
from rookery_server.config.resources import Quota
from rookery_server.config.schema import keys_of

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "docs" / f"{name}.md" for name in ("configuration", "access", "operations", "join")]
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
SECTIONS: dict[str, type[Any]] = {**config.SECTIONS, "quota": Quota}
OTHERS = ("mcp.md",)  # Its examples are for other programs.
# What stands before the table of a section: the first row that is looked at is behind it.
BEFORE = {
    "budget": "**`[budget]`**",
    "quota": "**`[quota]`**",
    "sessions": "**`[sessions]`**",
    "connections": "**`[connections]`**",
    "cache": "`[cache]`:\n",
    "jobs": "`[jobs]`:\n",
    "projects": "`[projects]`:\n",
    "games": "`[games]`:\n",
    "library": "`[library]`:\n",
    "broker": "`[broker]`:\n",
    "ray": "| `[ray]` | default",
}


def examples() -> list[str]:
    """Return the configurations that the documents have as examples."""
    folders = (".", "docs", "bridge", "docker", "server")
    texts = [
        document.read_text(encoding="utf-8")
        for folder in folders
        for document in sorted((ROOT / folder).glob("*.md"))
        if document.name not in OTHERS
    ]
    forms = (r"```toml\n(.*?)```", r"cat > \S*\.toml <<END\n(.*?)\nEND\n")
    return [each for text in texts for form in forms for each in re.findall(form, text, re.DOTALL)]


EXAMPLES = [tomllib.loads(each) for each in examples()]


def known(error: ConfigError) -> set[str]:
    """Return the keys that an error lists as known."""
    return set(str(error).partition("known are ")[2].split(", "))


def defaults(section: str) -> dict[str, str]:
    """Return the keys in the table of a section, and the default that it has for each."""
    lines = TEXT.partition(BEFORE[section])[2].lstrip("\n").splitlines()
    behind = next((number for number, line in enumerate(lines) if line.startswith("| `")), 0)
    found = {}
    for line in lines[behind:]:
        row = re.match(r"\| `(\w+)` \| (.*?) \|", line)
        if not row:
            break
        found[row[1]] = row[2]
    return found


@pytest.mark.parametrize("section", SECTIONS)
def test_each_key_is_told(section: str) -> None:
    shown = {key for each in EXAMPLES for key in each.get(section, ())}
    told = set(re.findall(rf"`(?:{section}\.)?(\w+)`", TEXT))
    assert set(keys_of(SECTIONS[section])) <= shown | told


def test_each_table_is_told() -> None:
    with pytest.raises(ConfigError) as caught:
        config.from_toml({"no-such-table-anywhere": {}})
    assert known(caught.value) - {"engines", "quotas", "devices"} == set(SECTIONS)
    for table in known(caught.value):
        assert re.search(rf"`?\[{table}[].]", TEXT), table


def test_each_key_of_an_engine_is_told() -> None:
    with pytest.raises(ConfigError) as caught:
        read_engine("x", {"command": "x", "no-such-key-anywhere": 1})
    told = {key for row in re.findall(r"^\| (`.*?`) \|", TEXT, re.M) for key in row.split("`")}
    assert known(caught.value) - told == {"command"}


@pytest.mark.parametrize("section", BEFORE)
def test_each_row_is_a_key_with_its_default(section: str) -> None:
    told = defaults(section)
    assert set(told) == set(keys_of(SECTIONS[section]))
    for each in (each for each in fields(SECTIONS[section]) if each.init):
        if each.default is MISSING:
            assert told[each.name] == "must be given"
        elif isinstance(each.default, bool):
            assert told[each.name] == f"`{str(each.default).lower()}`"
        elif isinstance(each.default, int | float):
            number = re.match(r"[\d.]+", told[each.name])
            assert number, each.name
            assert float(number[0]) == each.default, each.name


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_each_example_is_read(number: int) -> None:
    config.from_toml(EXAMPLES[number])
