"""The verdicts on commands that need neither options nor the rules of chess."""

import pytest
from helpers.support import offer_of

from rookery_protocol.notices import Code
from rookery_server.config.engines import EXTRAS, Policy
from rookery_server.config.resources import ANY_SIZE, Size
from rookery_uci import parse_command

OPEN = Policy(files=True, commands=EXTRAS)


def objection(line: str, policy: Policy, ceiling: Size = ANY_SIZE) -> Code | None:
    command = parse_command(line)
    assert command is not None
    verdict = offer_of(policy, ceiling).review_command(command)
    assert (verdict.command == command) is (verdict.notice is None)
    return verdict.notice.code if verdict.notice else None


@pytest.mark.parametrize("line", [
    "go infinite", "go depth 3 searchmoves e2e4", "isready", "quit", "uci", "debug on",
    "register later", "register name A code B",
])  # fmt: skip
def test_uci_passes(line: str) -> None:
    assert objection(line, Policy()) is None


@pytest.mark.parametrize("line", ["bench 16 1 1 /etc/passwd", "export_net x", "export_net"])
def test_files_are_the_operators_choice(line: str) -> None:
    assert objection(line, Policy(commands=EXTRAS)) is Code.FILE_REFUSED
    assert objection(line, OPEN) is None


@pytest.mark.parametrize("line", [
    "d", "eval", "flip", "compiler", "help", "bench 1 1 2 current", "go perft 3",
    "go depth 3 perft 4 infinite",
])  # fmt: skip
def test_extra_commands_are_the_operators_choice(line: str) -> None:
    assert objection(line, Policy()) is Code.COMMAND_REFUSED
    assert objection(line, Policy(commands=EXTRAS)) is None


@pytest.mark.parametrize(("line", "code"), [
    ("bench", None), ("bench 256 2", None), ("bench 257", Code.COMMAND_REFUSED),
    ("bench 16 3 1", Code.COMMAND_REFUSED), ("bench x", Code.COMMAND_REFUSED),
    ("bench 16 99999999999999999999999", Code.COMMAND_REFUSED),
])  # fmt: skip
def test_bench_has_the_ceiling_of_the_options(line: str, code: Code | None) -> None:
    """It would set `Hash` and `Threads` by itself."""
    assert objection(line, OPEN, Size(2, 256)) is code
