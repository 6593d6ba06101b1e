"""Lines that no client should say, thousands of them: the session must go on answering.

What is known to have killed, muted or misused engines comes first, then variations of
it: other spellings, numbers, places, and bytes that stand where none should.
"""

import random
from collections.abc import Iterator

from bench.endure.client import Client
from bench.endure.frame import TEXT, frame
from bench.endure.scenario import Outcome
from bench.endure.server import Server

LINES = 4000
GROUP = 10  # lines after which the session has to answer
CLIENTS = 8  # one after the other

_FENS = (
    "4k3/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1", "", "startpos", "x" * 200,
    "4k3/PPPPPPPP/8/8/PPPPPPPP/8/PPPPPPPP/RNBQKBNR b - - 0 1", "9/8/8/8/8/8/8/8 w - - 0 1",
    "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w KQkq e3 -1 -1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 99999999999999 99999999999999",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/k6K/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K2R x K - 0 1",
)  # fmt: skip
_SEEDS = (
    *(f"position fen {fen}" for fen in _FENS),
    *(f"position fen {fen} moves e2e4 e1g1 a7a8q" for fen in _FENS),
    "position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 600, "position", "position moves",
    "position startpos moves e2e5", "position startpos moves 0000", "position startpos moves e2e4Q",
    "go infinite", "go depth 1", "go ponder", "go perft 14", "go mate 200", "go nodes 1",
    "go movetime 4294967296", "go nodes 18446744073709551616", "go depth -1", "go wtime -5 btime 0",
    "go searchmoves", "go searchmoves e2e4 xxxx 0000", "go depth", "go movetime 1e9", "go joker",
    "stop", "stop", "ponderhit", "ucinewgame", "uci", "isready", "debug on", "debug off", "debug",
    "setoption", "setoption name", "setoption name Hash", "setoption name Hash value 33554432",
    "setoption name Hash value -1", "setoption name Threads value 1024", "setoption value 3",
    "setoption name Debug Log File value /tmp/x", "setoption name EvalFile value /etc/passwd",
    "setoption name SyzygyPath value /", "setoption name MultiPV value 500",
    "setoption name Clear Hash", "setoption name UCI_Chess960 value maybe",
    "setoption name Skill Level value 99999999999999999999", "setoption name Ponder value true",
    "bench", "bench 64 1 30", "export_net /tmp/x", "d", "eval", "flip", "compiler", "speedtest",
    "register later", "register name x code y", "bestmove e2e4", "info depth 1 pv e2e4", "readyok",
    "id name x", "option name x type check", "uciok", "quitx", "exit", "\\quit", "help", "license",
    "rookery", "rookery session", "rookery session 3f9c.kTqAAAA heard 0", "rookery heard -1",
    "rookery heard 99999999999999999999", "rookery session new", "rookery token x", "rookery x y",
    "rookery engine ../../bin/sh", "ROOKERY session new", "$(reboot)", "; rm -rf /", "%s%n%x",
    "\x1b]0;title\x07", "GET / HTTP/1.1", "{\"do\": \"drain\"}", "a" * 60000, " " * 60000,
)  # fmt: skip
_ODD = (
    "\xa0",
    "\0",
    "\r",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x85",
    "\u2028",
    "\u200b",
    "\ufeff",
    "\x7f",
    "é",
)


def lines(chance: random.Random) -> Iterator[bytes]:
    """Yield hostile lines without end: as they are known, and in other forms."""
    while True:
        line = chance.choice(_SEEDS)
        data = chance.choice(_FORMS)(line, chance)
        if data.split()[:1] != [b"quit"]:
            yield data.replace(b"\n", b" ")[:65000]


def _as_it_is(line: str, _: random.Random) -> bytes:
    return line.encode()


def _otherwise_written(line: str, chance: random.Random) -> bytes:
    return "".join(chance.choice((each.upper(), each.lower())) for each in line).encode()


def _with_odd_characters(line: str, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 3)):
        place = chance.randint(0, len(line))
        line = line[:place] + chance.choice(_ODD) + line[place:]
    return line.encode()


def _with_broken_bytes(line: str, chance: random.Random) -> bytes:
    data = bytearray(line.encode())
    for _ in range(chance.randint(1, 4)):
        data.insert(chance.randint(0, len(data)), chance.randint(128, 255))
    return bytes(data)


def _in_disorder(line: str, chance: random.Random) -> bytes:
    words = line.split(" ")
    chance.shuffle(words)
    return " ".join(words).encode()


def _twice(line: str, chance: random.Random) -> bytes:
    return f"{line} {chance.choice(_SEEDS)}".encode()


def _cut(line: str, chance: random.Random) -> bytes:
    return line[: chance.randint(0, len(line))].encode()


_FORMS = (
    _as_it_is, _as_it_is, _otherwise_written, _with_odd_characters, _with_broken_bytes,
    _in_disorder, _twice, _cut,
)  # fmt: skip


async def hostile(server: Server, transport: str, scale: float, outcome: Outcome) -> None:
    """Say the lines; after each few `isready` must be answered, and a search end at last."""
    source = lines(random.Random(20261122))
    each = max(GROUP, int(LINES * scale) // CLIENTS)
    engines = ("rookery", "stockfish") if "stockfish" in server.engines else ("rookery",)
    for number in range(CLIENTS):
        engine, left = engines[number % len(engines)], each
        while left > 0:
            client = await Client.open(server.where, transport, engine=engine)
            left = await _talk(client, source, left, outcome)


async def _talk(client: Client, source: Iterator[bytes], left: int, outcome: Outcome) -> int:
    """Say so many lines, unless one of them ends the session; return how many are left."""
    said: list[bytes] = []
    try:
        while left > 0:
            said = [next(source) for _ in range(GROUP)]
            left -= len(said)
            outcome.did["lines"] += len(said)
            client.send(b"".join(_on(client.transport, line) for line in said))
            client.say("stop", "isready")
            heard = await client.until("readyok")
            outcome.did["notices"] += sum(" rookery " in line for line in heard)
            if any(" engine-died: " in line for line in heard):
                outcome.wrong.append(f"an engine died after {said!r:.1000}")
        await _plays(client)
        outcome.did["sessions that played on"] += 1
        await client.quit()
    except (OSError, TimeoutError) as error:
        client.reset()
        if "unknown-session" in client.last:  # A pass that is no good ends a session.
            outcome.did["sessions ended by a forged pass"] += 1
        else:
            outcome.wrong.append(f"{type(error).__name__} {error} after {said!r:.500}")
    return left


async def _plays(client: Client) -> None:
    """Have an honest search; what still waits from before is stopped first."""
    for _ in range(GROUP):
        client.say("stop", "isready")
        await client.until("readyok")
    client.say("setoption name MultiPV value 1", "position startpos", "go depth 1")
    await client.until("bestmove")


def _on(transport: str, line: bytes) -> bytes:
    return line + b"\n" if transport == "tcp" else frame(line, TEXT)
