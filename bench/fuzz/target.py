"""Targets of the fuzzer: each takes meaningless bytes, and raises what it finds.

A target may see only the errors that its grammar declares; whatever else it raises is a
finding.  So the same targets serve atheris, hypothesis and anybody with a file.
"""

import contextlib
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path

import chess
from websockets.exceptions import InvalidHeader
from websockets.headers import parse_subprotocol

from bench.endure.frame import Frames
from bench.fuzz.conversation import converse
from rookery_protocol.engine_names import engine_of
from rookery_protocol.errors import ConfigError
from rookery_protocol.hello import Hello
from rookery_protocol.legality import Referee
from rookery_protocol.notices import Notice
from rookery_server.access import login
from rookery_server.access.account import AccessToken
from rookery_server.access.origin import OriginPolicy, client_of
from rookery_server.access.token_file import TokenFile
from rookery_server.config.addresses import network_list
from rookery_server.config.config import from_toml
from rookery_server.session.line_buffers import Outbox
from rookery_server.transport.framing import Bounds, frames, text_of
from rookery_uci import LineBuffer, Position, UciError, parse_command, parse_reply

LIMIT = 64  # bytes of a line, where the buffer of lines is tried
_ORIGINS = OriginPolicy(
    "127.0.0.1", local=True, hosts=("rook.example",), origins=("https://club.example",)
)
_PROXIES = network_list("proxies", ["10.0.0.0/8", "fd00::/8"])


def command(data: bytes) -> None:
    """Check that what a client says is read as it would be written."""
    with contextlib.suppress(UciError):
        value = parse_command(data.decode(errors="replace"))
        assert value is None or parse_command(str(value)) == value


def reply(data: bytes) -> None:
    """Check that what an engine says is read as it would be written."""
    with contextlib.suppress(UciError):
        value = parse_reply(data.decode(errors="replace"))
        assert value is None or parse_reply(str(value)) == value


def lines(data: bytes) -> None:
    """Lines are the same however the bytes are divided, and none is too long."""
    size, data = (data[0] % 7 + 1, data[1:]) if data else (1, data)
    whole, pieces = LineBuffer(LIMIT), LineBuffer(LIMIT)
    found = whole.feed(data)
    parts = [line for n in range(0, len(data), size) for line in pieces.feed(data[n : n + size])]
    assert parts == found
    assert all(0 < len(line) <= LIMIT for line in found)
    assert (whole.overlong, whole.rest()) == (pieces.overlong, pieces.rest())


def hello(data: bytes) -> None:
    """Check that what both say besides UCI is read as it would be written."""
    with contextlib.suppress(UciError):
        value = Hello.parse(data)
        assert value is None or Hello.parse(bytes(value)) == value


def notice(data: bytes) -> None:
    """Check that a notice is read as it would be written."""
    value = Notice.parse(data.decode(errors="replace"))
    assert value is None or Notice.parse(str(value)) == value


def framing(data: bytes) -> None:
    """Frames that are written can be read; of what is read, no byte is invented."""
    read = Frames().feed(frames(data))
    assert [text for _, text in read] == data.removesuffix(b"\n").split(b"\n") if data else not read
    text = text_of(data)
    assert text is None or len(text) < len(data)
    bounds = Bounds()
    for piece in (data[: len(data) // 2], data[len(data) // 2 :]):
        assert 0 <= bounds.scan(piece) <= len(piece)


def request(data: bytes) -> None:
    """Whatever stands in a request before its sender is known is taken or refused."""
    text = data.decode("latin-1")
    first, _, second = text.partition("\n")
    login.has_token(text)
    assert login.bearer(text) is None or isinstance(AccessToken.parse(text), AccessToken | None)
    name = engine_of(text)
    assert name is None or (name in text and "/" not in name)
    with contextlib.suppress(InvalidHeader):
        parse_subprotocol(text)
    assert isinstance(_ORIGINS.is_own_host([first]), bool)
    assert not _ORIGINS.admits([first, second], ["localhost"])
    _ORIGINS.admits([first], [second])
    client_of("10.1.1.1", [text], _PROXIES)


def position(data: bytes) -> None:
    """Check that an engine hears only positions, and legal moves."""
    words, _, moves = data.decode(errors="replace").partition(" moves ")
    said = Position(words or None, tuple(moves.split()))
    chess960 = bool(data) and data[0] & 1 == 1
    try:
        told = Referee().check(said, chess960=chess960, variant="chess")
    except UciError:
        return
    board = chess.Board(told.fen or chess.STARTING_FEN, chess960=chess960)
    for move in told.moves:
        if move != "0000":
            board.push_uci(move)
        else:
            board.push(chess.Move.null())
    assert board.king(chess.WHITE) is not None
    assert board.king(chess.BLACK) is not None


def config(data: bytes) -> None:
    """Check that a configuration is taken, or refused with a sentence."""
    try:
        document = tomllib.loads(data.decode())
    except (ValueError, RecursionError):
        return
    with contextlib.suppress(ConfigError):
        from_toml(document)


def tokens(data: bytes) -> None:
    """Check that a file of tokens is taken, or refused with a sentence."""
    with tempfile.NamedTemporaryFile(prefix="rookery-fuzz-") as file:  # its mode is 0600
        file.write(data)
        file.flush()
        with contextlib.suppress(ConfigError):
            TokenFile(Path(file.name)).read()


def outbox(data: bytes) -> None:
    """Check that a slow client misses only `info`, and that the order stays."""
    box, data = Outbox(), data.replace(b"\r", b"\n")
    whole = [line + b"\n" for line in data.split(b"\n") if line]
    for line in whole:
        box.append(line)
    kept = box.take_newest().splitlines(keepends=True)
    owed = [line for line in whole if not line.startswith(b"info")]
    assert [line for line in kept if not line.startswith(b"info")] == b"".join(owed).splitlines(
        True
    )


TARGETS: dict[str, Callable[[bytes], None]] = {
    each.__name__: each
    for each in (
        command, reply, lines, hello, notice, framing, request, position, config, tokens, outbox,
        converse,
    )
}  # fmt: skip

# What a target is begun with, so that it need not guess the words.
SEEDS: dict[str, tuple[bytes, ...]] = {
    "command": (
        b"position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2", b"go wtime 1 btime 2 winc 3",
        b"setoption name Hash value 8", b"register name x code y", b"go searchmoves e2e4 depth 3",
    ),
    "reply": (
        b"info depth 1 seldepth 2 multipv 1 score cp 3 upperbound nodes 4 pv e2e4 e7e5",
        b"option name X type combo default a var a var b", b"bestmove e2e4 ponder e7e5",
        b"id name x", b"info string x", b"copyprotection ok", b"info currline 1 e2e4",
    ),
    "lines": (b"uci\r\nisready\n\ngo depth 1\rquit",),
    "hello": (b"rookery token T engine E session new heard 3 grace 60",),
    "notice": (b"info string rookery engine-died: it was killed",),
    "framing": (
        b"\x81\x83\x01\x02\x03\x04abc", b"\x81\xfe\x00\x80abcd" + b"x" * 128,
        b"\x81\xff\x00\x00\x00\x00\x00\x01\x00\x00abcd",
    ),
    "request": (
        b"Bearer rk_001122334455_" + b"A" * 32, b"/engines/rookery?token=x",
        b"uci, rookery.token.rk_1", b"https://club.example\nrook.example:80",
        b"[::1]:8080, 10.1.1.1",
    ),
    "position": (
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5 e1e2",
        b"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1",
        b"4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q",
    ),
    "config": (
        b"[server]\nport = 1\n[engines.x]\ncommand = 'x'\noptions = { Hash = 1 }\n",
        b"[quota]\nthreads = 1\n[quotas.x]\nsessions = 2\n[tls]\ncertificate = 'a'\nkey = 'b'\n",
    ),
    "tokens": (
        b'{"id": "001122334455", "name": "a", "role": "member", "digest": "' + b"00" * 32
        + b'", "created": "2026-11-21T20:00:00+00:00", "expires": null}\n',
    ),
    "outbox": (b"info depth 1 multipv 1\nbestmove e2e4\ninfo depth 2 multipv 1\nreadyok\n",),
    "converse": (bytes(range(64)),),
}  # fmt: skip
