"""What of UCI may reach an engine, as its operator has decided.

A client's command is a value by now, so what is asked here is only what it would do:
use files of this machine, or have the engine do what no edition of UCI has.
"""

import re
from dataclasses import dataclass

from rookery_engine import uci
from rookery_server.check import flag, texts
from rookery_server.errors import ConfigError
from rookery_server.setting import setting
from rookery_server.wire import Code

# Options by which an engine reads or writes files; Stockfish's log can be written
# anywhere, and others' paths tell what exists.
_FILE_OPTION = re.compile(r"file|path|log|dir", re.IGNORECASE)
_EMPTY = ("", "<empty>", '""')
_BENCH_POSITIONS = 3  # the word of `bench` that may name a file
_NO_FILES = ("default", "current", "_")


def _extras(name: str, value: object) -> tuple[str, ...]:
    """Check a list, perhaps empty, of commands beside UCI's own."""
    words = texts(name, value) if value != [] else ()
    for word in words:
        if word not in uci.EXTRAS:
            raise ConfigError(f"{name} can have {', '.join(uci.EXTRAS)}, not {word!r}")
    return words


@dataclass(frozen=True, slots=True)
class Policy:
    """What clients may do with an engine.

    `files`: use files of this machine.  `commands`: those beside UCI's own.
    """

    files: bool = setting(flag, False)
    commands: tuple[str, ...] = setting(_extras, ())

    def objection(self, command: uci.Command) -> tuple[Code, str] | None:
        """Say why an engine must not hear a command; None if it may."""
        if isinstance(command, uci.Extra) and command.word not in self.commands:
            return Code.COMMAND_REFUSED, f"{command.word!r} is not offered for this engine"
        if not self.files and _uses_files(command):
            return Code.FILE_REFUSED, "files of the server are not for clients"
        return None


def _uses_files(command: uci.Command) -> bool:
    if isinstance(command, uci.SetOption):
        given = (command.value or "").strip() not in _EMPTY
        return given and _FILE_OPTION.search(command.name) is not None
    if isinstance(command, uci.Extra) and command.word == "bench":
        words = command.text.split()
        return any(word not in _NO_FILES for word in words[_BENCH_POSITIONS:][:1])
    return isinstance(command, uci.Extra) and command.word == "export_net"
