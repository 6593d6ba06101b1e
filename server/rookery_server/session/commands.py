"""What a line of a client says, before anybody judges it.  No I/O."""

import rookery_uci as uci
from rookery_protocol.notices import CONTROL, Code, Notice
from rookery_server.session.current_search import Command, Void

_FOR_SERVER = "what is for the server begins with 'rookery ': one space, and nothing before it"
_SHOWN = 60  # characters of a refused line that its notice repeats

# Most lines are just a word, and need no reading.
_WORDS: dict[bytes, uci.Command] = {word.encode(): word for word in uci.Word}


class LineError(uci.UciError):
    """A line that cannot be understood; the notice tells its client, and the session goes on."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(text)
        self.notice = Notice(code, text)


def read(line: bytes) -> uci.Command | None:
    """Return the command of a line; None if it has none, which UCI asks to pass over.

    Raises:
        LineError: it is no line, or its command is not spelled as UCI has it.

    """
    if word := _WORDS.get(line):
        return word
    try:
        text = line.decode()
        command = uci.parse_command(text)
    except UnicodeDecodeError as error:
        raise LineError(Code.NOT_A_LINE, "a line is UTF-8 text") from error
    except uci.UciError as error:
        raise LineError(Code.BAD_COMMAND, shortened(str(error))) from error
    if CONTROL.search(text):
        raise LineError(Code.NOT_A_LINE, "a line has no control characters inside")
    if command is None and text.split(maxsplit=1)[:1] == ["rookery"]:
        raise LineError(Code.BAD_COMMAND, _FOR_SERVER)
    return command


def keyword(command: Command) -> str:
    """Return the word that the tables know a command by."""
    if isinstance(command, uci.Word):
        return command
    if isinstance(command, uci.Go) and command.limits.perft is not None:
        return "perft"  # a count of moves: it owes no bestmove
    if isinstance(command, Void):
        return "go"
    return type(command).__name__.lower()


def shortened(text: str) -> str:
    """Return a text as a notice may repeat it."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
