"""What may reach an engine."""

import pytest

from rookery_engine.uci import EXTRAS, parse_command
from rookery_server.policy import Policy
from rookery_server.wire import Code

OPEN = Policy(files=True, commands=EXTRAS)


def objection(line: str, policy: Policy) -> Code | None:
    command = parse_command(line)
    assert command is not None
    found = policy.objection(command)
    return found[0] if found else None


@pytest.mark.parametrize("line", [
    "go infinite", "position startpos", "isready", "quit", "setoption name Hash value 4",
    "setoption name Clear Hash", "setoption name UCI_Opponent value none none human X",
    "setoption name SyzygyPath value <empty>", "setoption name Debug Log File",
    'setoption name EvalFile value ""', "setoption name SyzygyProbeDepth value 4",
])  # fmt: skip
def test_uci_without_files_passes(line: str) -> None:
    assert objection(line, Policy()) is None


@pytest.mark.parametrize("line", [
    "setoption name Debug Log File value /tmp/x", "setoption name debug  LOG file value x",
    "setoption name SyzygyPath value /", "setoption name WeightsFile value x",
    "setoption name NalimovPath value c:\\", "bench 16 1 1 /etc/passwd", "export_net x",
    "export_net",
])  # fmt: skip
def test_files_are_the_operators_choice(line: str) -> None:
    assert objection(line, Policy(commands=EXTRAS)) is Code.FILE_REFUSED
    assert objection(line, OPEN) is None


@pytest.mark.parametrize("line", ["d", "eval", "flip", "compiler", "help", "bench 1 1 2 current"])
def test_extra_commands_are_the_operators_choice(line: str) -> None:
    assert objection(line, Policy()) is Code.COMMAND_REFUSED
    assert objection(line, Policy(commands=EXTRAS)) is None
