"""The client side of one UCI conversation, without any I/O.

`UciClient` has the requests to an engine and reads its answers; its caller carries the
bytes.  Requests (`handshake`, `prepare`, `search`) are answered one after the other: the
next one is sent when the one before is answered, so a caller may make many at once, and the
engine never waits for its caller.  Each `go` has exactly one `bestmove`.  Where something between
keeps what an engine may not hear yet, as a session of a server does, some may be sent `ahead`.

    client = UciClient()
    handshake = client.handshake()
    write(client.data_to_send())
    while not handshake.is_over:
        client.receive(read())
    hash_mb = client.setoption("Hash", "64")    # UciError if the engine cannot do that
    client.prepare([hash_mb], new_game=True)
    search = client.search(Position(None, ("e2e4",)), Limits(depth=20))
    write(client.data_to_send())                # after each `receive` and each request
    while not search.is_over:
        show(client.receive(read()))            # the lines that belong to the request
        write(client.data_to_send())
    search.best, search.infos()

Lines between two requests belong to none of them and are dropped: a late `info` of an old
search is never counted.  Only the newest line of each variation is kept of a search, and it
is read when the caller asks for it: a search of a millisecond must not cost more than that.
Time limits are the caller's: `current` is the request that the engine works on.
"""

import re
from collections import deque
from collections.abc import Iterable
from enum import Enum, auto
from itertools import islice

from rookery_uci.command import Limits, Position, SetOption
from rookery_uci.lines import MAX_LINE, LineBuffer
from rookery_uci.reply import BestMove, EngineIdentity, Info, Option, parse_reply
from rookery_uci.words import UciError, key_of, quote

MAX_ANSWER = 1 << 20  # bytes of an answer to `uci` or `isready`
MAX_VARIATIONS = 500  # of which the newest lines are kept: the largest MultiPV of engines
MAX_KEPT = 1 << 16  # bytes of a search; beyond, only the newest lines are kept

_BEST_MOVE = b"bestmove"
_LAST_WORDS = {
    word: re.compile(rb"^[ \t]*" + word + rb"(?=\s)[^\n]*", re.MULTILINE)
    for word in (b"uciok", b"readyok", _BEST_MOVE)
}
_VARIATION = re.compile(rb" multipv (\d+) ")
_OTHERS = (b" multipv 2 ", b" multipv 0 ")  # There are engines that count from 0.
_BOUND = (b" lowerbound", b" upperbound")


class RequestState(Enum):
    """The progress of a request."""

    WAITING = auto()  # for the answer to the request before it
    SENT = auto()
    STOPPED = auto()  # a search that is to end at once
    ANSWERED = auto()
    WITHDRAWN = auto()  # before it was sent: it has no answer


class UciRequest:
    """Lines for an engine, and its answer up to the line that begins with `last_word`."""

    def __init__(self, lines: str, last_word: bytes, limit: int = MAX_ANSWER) -> None:
        self.lines = f"{lines}\n".encode()
        self.last_word = last_word
        self.state = RequestState.WAITING
        self._limit = limit  # bytes of the answer
        self._answer = bytearray()

    @property
    def is_over(self) -> bool:
        """True if the request was answered or withdrawn."""
        return self.state in (RequestState.ANSWERED, RequestState.WITHDRAWN)

    @property
    def answer(self) -> bytes:
        """The engine's lines so far, without the last newline."""
        return bytes(self._answer)

    def receive(self, piece: bytes) -> bytes:
        """Add whole lines to the answer; return those that belong to it.

        Raises:
            UciError: the answer is longer than any.

        """
        end = _LAST_WORDS[self.last_word].search(piece) if self.last_word in piece else None
        if end is None:
            self._answer += piece
            if len(self._answer) > self._limit:
                self._shorten()
            return piece
        self._answer += piece[: end.end()]
        self.state = RequestState.ANSWERED
        return piece[: end.end() + 1]

    def _shorten(self) -> None:
        raise UciError(f"it says more than {self._limit} bytes before {self.last_word.decode()}")


class UciSearch(UciRequest):
    """One `go`, and what the engine has said of it."""

    def __init__(
        self,
        position: Position,
        limits: Limits,
        *,
        new_game: bool = False,
        options: Iterable[SetOption] = (),
    ) -> None:
        first = [*map(str, options), *(["ucinewgame"] if new_game else [])]
        super().__init__("\n".join([*first, str(position), f"go {limits}"]), _BEST_MOVE, MAX_KEPT)

    @property
    def best(self) -> BestMove | None:
        """The engine's move; None if there is none yet, or it cannot be read."""
        if self.state is not RequestState.ANSWERED:
            return None
        try:
            reply = parse_reply(self._answer.rpartition(b"\n")[2].decode(errors="replace"))
        except UciError:
            return None
        return reply if isinstance(reply, BestMove) else None

    @property
    def newest_lines(self) -> bytes:
        """The newest line of each variation that has moves and an exact score, with newlines."""
        newest: dict[bytes, bytes] = {}
        lines = self.answer
        # Of most searches one line is all, and it is the last one.
        is_one = not any(other in lines for other in _OTHERS)
        for line in reversed(lines.splitlines()):
            if b" pv " not in line or not line.startswith(b"info "):
                continue
            found = _VARIATION.search(line)
            number = found[1] if found else b"1"
            if (
                number not in newest
                and len(newest) < MAX_VARIATIONS
                and not any(bound in line for bound in _BOUND)
            ):
                newest[number] = line
                if is_one:
                    break
        return b"".join(line + b"\n" for line in newest.values())

    def infos(self) -> list[Info]:
        """Return the same lines as values, sorted by the number of their variation."""
        infos = map(_read_info, self.newest_lines.splitlines())
        return sorted((each for each in infos if each), key=lambda each: each.multipv or 1)

    def last_info(self) -> Info | None:
        """Return the last line of the first variation that has any score, a bound included."""
        for line in reversed(self.answer.splitlines()):
            if b" score " in line and (b" multipv " not in line or b" multipv 1 " in line):
                info = _read_info(line)
                if info and info.score:
                    return info
        return None

    def _shorten(self) -> None:
        self._answer = bytearray(self.newest_lines)
        self._limit = MAX_KEPT + 2 * len(self._answer)


class UciClient:
    """The requests to one engine, and their answers; the handshake fills `identity`."""

    def __init__(self, max_line: int = MAX_LINE, *, ahead: int = 0) -> None:
        """Begin a conversation.

        Args:
            max_line: bytes of a line.
            ahead: requests that are sent before those in front of them are answered; an engine
                itself must hear none.

        """
        self.identity = EngineIdentity()
        self._ahead = ahead
        self._options: dict[str, Option] = {}
        self._values: dict[str, str | None] = {}  # that options were set to, by their keys
        self._requests: deque[UciRequest] = deque()  # the first is sent
        self._outgoing = bytearray()
        self._buffer = LineBuffer(max_line)

    @property
    def current(self) -> UciRequest | None:
        """The request that the engine works on."""
        return self._requests[0] if self._requests else None

    # --- requests

    def handshake(self) -> UciRequest:
        """Send `uci`: the answer fills `identity`."""
        return self._add(UciRequest("uci", b"uciok"))

    def prepare(self, options: Iterable[SetOption] = (), *, new_game: bool = False) -> UciRequest:
        """Send options, `ucinewgame` if a game begins, and `isready`."""
        lines = []
        for option in options:
            self._values[key_of(option.name)] = option.value
            lines.append(str(option))
        if new_game:
            lines.append("ucinewgame")
        return self._add(UciRequest("\n".join([*lines, "isready"]), b"readyok"))

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        new_game: bool = False,
        options: Iterable[SetOption] = (),
    ) -> UciSearch:
        """Send a position and `go`; before them `ucinewgame`, if the position is of another game.

        Before that come the options that were set to another value, or never.  An engine does one
        thing after the other: the answer needs no `isready` before it.
        """
        changed = self.changed(options)
        self._values |= {key_of(each.name): each.value for each in changed}
        search = UciSearch(position, limits, new_game=new_game, options=changed)
        self._add(search)
        return search

    def stop(self, search: UciSearch) -> None:
        """End a search: with a `bestmove` if it was sent, else without one.

        One that was sent ahead cannot be ended before it begins.
        """
        if search.state is RequestState.WAITING:
            self._requests.remove(search)
            search.state = RequestState.WITHDRAWN
        elif search.state is RequestState.SENT and search is self.current:
            search.state = RequestState.STOPPED
            self._outgoing += b"stop\n"

    # --- options

    def option(self, name: str) -> Option | None:
        """Return the engine's option of that name, or None."""
        return self._options.get(key_of(name))

    def setoption(self, name: str, value: str) -> SetOption:
        """Return the command that sets an option, in the engine's own spelling.

        Raises:
            UciError: the engine has no such option, or the option cannot have that value.

        """
        option = self.option(name)
        if option is None:
            raise UciError(f"{self.identity.name or 'the engine'} has no option {quote(name)}")
        return SetOption(option.name, option.read_value(value))

    def changed(self, options: Iterable[SetOption]) -> list[SetOption]:
        """Return the commands that set an option to another value than it was set to before."""
        return [
            option
            for option in options
            if option.value is None or self._values.get(key_of(option.name)) != option.value
        ]

    # --- bytes

    def data_to_send(self) -> bytes:
        """Return what the engine is to be sent now: whole lines, or nothing."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def receive(self, data: bytes) -> bytes:
        """Read what the engine has written, however it is cut into pieces.

        Returns:
            Whole lines, those that belong to requests that were sent.

        Raises:
            UciError: the engine's answer has no end; the conversation is over.

        """
        piece, answer = self._buffer.feed_piece(data), b""
        # What is behind an answer is no request's, unless another was sent ahead.
        while piece and (request := self.current) and request.state is not RequestState.WAITING:
            belongs = request.receive(piece)
            answer += belongs
            if not request.is_over:
                break
            piece = piece[len(belongs) :] if self._ahead else b""
            self._finish(request)
        return answer

    # --- private

    def _add(self, request: UciRequest) -> UciRequest:
        self._requests.append(request)
        self._send_next()
        return request

    def _send_next(self) -> None:
        for request in islice(self._requests, self._ahead + 1):
            if request.state is RequestState.WAITING:
                request.state = RequestState.SENT
                self._outgoing += request.lines

    def _finish(self, request: UciRequest) -> None:
        self._requests.popleft()
        if request.last_word == b"uciok":
            lines = request.answer.decode(errors="replace").splitlines()
            self.identity = EngineIdentity.parse(lines)
            self._options = {key_of(each.name): each for each, _ in self.identity.options}
        self._send_next()


def _read_info(line: bytes) -> Info | None:
    reply = parse_reply(line.decode(errors="replace"))
    return reply if isinstance(reply, Info) else None
