"""Commands in our documents: the programs know them, with those options."""

import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_documents import DOCUMENTS, ROOT

PROGRAMS = {"rookery-server": "rookery_server", "rookery-bridge": "rookery_bridge"}
WITH_ACTIONS = {"games", "token", "sessions", "machines", "cache", "jobs"}
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
SAID = re.compile(r"(rookery-server|rookery-bridge|rookery-entrypoint)((?: [^\s`#]+)*)")
# A page on a whole program is a list of options, too.
LISTS = {
    ROOT / "docs" / "batch.md": ("rookery-server", "analyse"),
    ROOT / "docs" / "join.md": ("rookery-server", "join"),
    ROOT / "docs" / "lichess.md": ("rookery-bridge", "lichess"),
    ROOT / "docs" / "mcp.md": ("rookery-bridge", "mcp"),
    ROOT / "docs" / "remote-analysis.md": ("rookery-bridge", "analyse"),
    ROOT / "bridge" / "README.md": ("rookery-bridge",),
    ROOT / "server" / "README.md": ("rookery-server",),
}


@functools.cache
def options(program: str, *command: str) -> frozenset[str]:
    """Return the options that the help of a command has."""
    arguments = [sys.executable, "-m", PROGRAMS[program], *command, "--help"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=True)
    return frozenset(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", done.stdout))


@functools.cache
def commands(program: str) -> frozenset[str]:
    """Return the commands of a program."""
    if program == "rookery-bridge":
        service = {"mcp", "analyse", "jobs", "projects"}
        return frozenset({"pair", "list", "unpair", "doctor", "lichess", *service})
    done = subprocess.run(
        [sys.executable, "-m", "rookery_server", "--help"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return frozenset(re.findall(r"^  ([a-z]+)  ", done.stdout, re.MULTILINE))


def said(text: str) -> list[tuple[str, list[str], set[str]]]:
    """Return the commands in a text: the program, the command in words, and its options."""
    found = []
    for program, rest in SAID.findall(re.sub(r"\\\n\s*", " ", text)):
        words = re.split(r"\s[|;&<>]", rest)[0].split()
        named = "rookery-server" if program == "rookery-entrypoint" else program
        command = words[:1] if words and words[0] in commands(named) else []
        if (
            program != "rookery-bridge"
            and command
            and command[0] in WITH_ACTIONS
            and re.match(r"[a-z]", "".join(words[1:2]))
        ):
            command = [words[0], words[1].partition("|")[0]]
        given = {match for word in words for match in re.findall(r"^\[?(--[a-z][a-z-]*)", word)}
        found.append((named, command, given))
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_programs_have_the_options_that_are_said(document: Path) -> None:
    unknown = [
        f"{program} {' '.join(command)} {option}"
        for program, command, given in said(document.read_text(encoding="utf-8"))
        for option in given - options(program, *command)
    ]
    assert unknown == []


@pytest.mark.parametrize("document", LISTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_on_a_command_has_all_its_options(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    besides = {"--help", "--version", "--paired", "-h"}
    assert {each for each in options(*LISTS[document]) - besides if each not in text} == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_targets_of_make_are_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    wanted = re.findall(r"(?:^|`|&& )make ((?:[a-z][a-z-]+ ?)+)", text, re.MULTILINE)
    assert {word for words in wanted for word in words.split()} <= TARGETS


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_that_are_run_are_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for module in re.findall(r"python -m (bench(?:\.\w+)*)", text):
        place = ROOT / module.replace(".", "/")
        assert place.with_suffix(".py").exists() or (place / "__main__.py").exists(), module


def test_an_unknown_option_is_found() -> None:
    text = "`rookery-server token add anna --role admin --fail x` and `rookery-bridge --lag 3`"
    first, second = said(text)
    assert first[2] - options(first[0], *first[1]) == {"--fail"}
    assert second[2] - options(second[0], *second[1]) == {"--lag"}
