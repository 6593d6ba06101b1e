"""What of UCI may reach an engine, as its operator has decided.

A client's command is a value by now, so what is asked here is only what it would do:
use files of this machine, or have the engine do what no edition of UCI has.  What
options there are is the engine's word, and stands in offer.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import rookery_uci as uci
from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import Code, Notice, is_plain_name
from rookery_server.config.schema import setting
from rookery_server.config.validators import flag, table, text, texts

T = TypeVar("T")

# Commands that are no part of UCI; "perft" is a `go perft`.
EXTRAS = (*uci.EXTRAS, "perft")

_BENCH_HASH, _BENCH_THREADS, _BENCH_POSITIONS = 0, 1, 3  # the words of `bench`
_NO_FILES = ("default", "current", "_")  # of its third that name no file


class PolicyVerdict(NamedTuple):
    """What becomes of a command: the engine hears one, or the client is told why not.

    Both are there if the engine hears something else than the client has said.
    """

    command: uci.Command | None
    notice: Notice | None = None


def refusal(code: Code, sentence: str) -> PolicyVerdict:
    """Return the verdict that an engine must not hear a command."""
    return PolicyVerdict(None, Notice(code, sentence))


class Forced(NamedTuple):
    """An option that the operator sets."""

    option: str
    value: str


class Alias(NamedTuple):
    """A name that clients may say for a path that they are not told."""

    option: str
    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most that an account may have of a machine; None is as much as the engine takes."""

    threads: int | None = None
    hash_mb: int | None = None  # MiB
    multipv: int | None = None


NO_CEILING = Ceiling()


def _extras(name: str, value: object) -> tuple[str, ...]:
    """Check a list, perhaps empty, of commands beside UCI's own."""
    words = _names(name, value)
    for word in words:
        if word not in EXTRAS:
            raise ConfigError(f"{name} can have {', '.join(EXTRAS)}, not {word!r}")
    return words


def _names(name: str, value: object) -> tuple[str, ...]:
    """Check a list, perhaps empty, of texts."""
    return texts(name, value) if value != [] else ()


def _each(
    check: Callable[[str, str, object], tuple[T, ...]],
) -> Callable[[str, object], tuple[T, ...]]:
    """Return the check of a table whose keys are names of options."""

    def check_table(name: str, value: object) -> tuple[T, ...]:
        entries = table(name, value).items()
        return tuple(item for key, entry in entries for item in check(name, key, entry))

    return check_table


def _forced(name: str, option: str, value: object) -> tuple[Forced, ...]:
    if isinstance(value, bool):
        return (Forced(option, str(value).lower()),)
    if isinstance(value, str | int) and str(value).isprintable():
        return (Forced(option, str(value)),)
    raise ConfigError(f"{name}.{option} needs a text, a number, true or false, not {value!r}")


def _options(name: str, value: object) -> tuple[Forced, ...]:
    """Check a table of options; UCI tells their names apart by letters only, not by case."""
    known: dict[str, str] = {}
    for option in table(name, value):
        other = known.setdefault(" ".join(option.split()).casefold(), option)
        if other != option:
            raise ConfigError(f"{name} has {other!r} and {option!r}, which is one option")
    return _each(_forced)(name, value)


def _aliases(name: str, option: str, value: object) -> tuple[Alias, ...]:
    where = f"{name}.{option}"
    return tuple(_alias(where, option, key, path) for key, path in table(where, value).items())


def _alias(where: str, option: str, key: str, path: object) -> Alias:
    if not is_plain_name(key):
        raise ConfigError(f"{where}: a name has letters, digits, '.', '_' and '-', not {key!r}")
    if not text(f"{where}.{key}", path).isprintable():
        raise ConfigError(f"{where}.{key} needs one line of text, not {path!r}")
    return Alias(option, key, str(path))


@dataclass(frozen=True, slots=True)
class Policy:
    """What clients may do with an engine.

    `files`: use files of this machine, and set every text.  `commands`: those beside
    UCI's own.  `strings`: options of text that name no file.  `hidden`: options that
    clients do not have.  `options`: what the operator sets.  `aliases`: what clients
    may choose from instead of paths.
    """

    files: bool = setting(flag, False)
    commands: tuple[str, ...] = setting(_extras, ())
    strings: tuple[str, ...] = setting(_names, ())
    hidden: tuple[str, ...] = setting(_names, ())
    options: tuple[Forced, ...] = setting(_options, ())
    aliases: tuple[Alias, ...] = setting(_each(_aliases), ())

    def review(self, command: uci.Command, ceiling: Ceiling) -> PolicyVerdict:
        """Judge a command that is neither `setoption` nor `position`."""
        word = _extra(command)
        if word is not None and word not in self.commands:
            return refusal(Code.COMMAND_REFUSED, f"{word!r} is not offered for this engine")
        if isinstance(command, uci.Extra):
            return self._review_extra(command, ceiling)
        return PolicyVerdict(command)

    def _review_extra(self, command: uci.Extra, ceiling: Ceiling) -> PolicyVerdict:
        words = command.text.split()
        if not self.files and _uses_files(command.word, words):
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
    """Say whether there is no word, or one that is a number within the bound."""
    numbers = [uci.to_number(word) for word in words]
    return all(number is not None and number <= most for number in numbers)
