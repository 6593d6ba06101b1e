"""The verdicts on clients' commands, as the operator of an engine has decided.

A client's command is a value by now, so the only question is what it would do:
use files of this machine, or have the engine do what no edition of UCI has.  Options are
reviewed in offered_options.py.
"""

from dataclasses import dataclass
from typing import NamedTuple

import rookery_uci as uci
from rookery_protocol.notices import Code, Notice
from rookery_server.config.engines import Policy

_BENCH_HASH, _BENCH_THREADS, _BENCH_POSITIONS = 0, 1, 3  # the words of `bench`
_NO_FILES = ("default", "current", "_")  # of its third that name no file


class PolicyVerdict(NamedTuple):
    """The result of a review: the command that the engine gets, or why it gets none.

    Both are there if the engine gets another command than the client has sent.
    """

    command: uci.Command | None
    notice: Notice | None = None


def refusal(code: Code, sentence: str) -> PolicyVerdict:
    """Return the verdict that an engine must not get a command."""
    return PolicyVerdict(None, Notice(code, sentence))


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most that an account may have of a machine; None is as much as the engine takes."""

    threads: int | None = None
    hash_mb: int | None = None  # MiB
    multipv: int | None = None


NO_CEILING = Ceiling()


def review_command(policy: Policy, command: uci.Command, ceiling: Ceiling) -> PolicyVerdict:
    """Return the verdict on a command that is neither `setoption` nor `position`."""
    word = _extra(command)
    if word is not None and word not in policy.commands:
        return refusal(Code.COMMAND_REFUSED, f"{word!r} is not offered for this engine")
    if not isinstance(command, uci.Extra):
        return PolicyVerdict(command)
    words = command.text.split()
    if not policy.files and _uses_files(command.word, words):
        return refusal(Code.FILE_REFUSED, "files of the server are not for clients")
    if command.word == "bench":
        for place, most in (
            (_BENCH_HASH, ceiling.hash_mb),
            (_BENCH_THREADS, ceiling.threads),
        ):
            if most is not None and not _at_most(most, words[place:][:1]):
                return refusal(
                    Code.COMMAND_REFUSED,
                    f"bench has {most} here at most, not {words[place][:20]!r}",
                )
    return PolicyVerdict(command)


def _extra(command: uci.Command) -> str | None:
    """Return the name of what is no part of UCI; None for all else."""
    if isinstance(command, uci.Extra):
        return command.word
    if isinstance(command, uci.Go) and command.limits.perft is not None:
        return "perft"
    return None


def _uses_files(word: str, words: list[str]) -> bool:
    if word == "bench":
        return any(each not in _NO_FILES for each in words[_BENCH_POSITIONS:][:1])
    return word == "export_net"


def _at_most(most: int, words: list[str]) -> bool:
    """Return whether there is no word, or one that is a number within the bound."""
    numbers = [uci.to_number(word) for word in words]
    return all(number is not None and number <= most for number in numbers)
