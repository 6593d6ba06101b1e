"""Attacks that clients have tried against real engines: here they do no harm.

Stockfish 15 alone dies or falls silent for ever of each line in KILLERS and MUTES, and
writes any file that `Debug Log File` names.
"""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from helpers.support import Lines, Running, code_of

from rookery_protocol.notices import Code
from rookery_server.config.config import Config
from rookery_server.config.engines import Alias, EngineConfig, Forced, Policy
from rookery_server.config.sections import ServerConfig

LONE_KING = "4k3/8/8/8/8/8/8/8 w - - 0 1"
FEN = "position fen"


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Running]:
    # Debian puts games where root's PATH does not look.
    program = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    assert program, "stockfish is missing: `apt install stockfish`"
    policy = Policy(
        options=(Forced("Hash", "8"),),
        aliases=(Alias("SyzygyPath", "none", str(tmp_path / "nowhere")),),
    )
    engine = EngineConfig("stockfish", (program,), policy)
    async with Running(Config((engine,), ServerConfig(port=0, tcp_port=0))) as running:
        yield running


async def answers(client: Lines) -> list[str]:
    """Return what is heard up to the answer to an `isready` said now."""
    client.say("stop", "isready")
    return await client.hear_until("readyok")


async def plays(client: Lines) -> str:
    client.say("position startpos", "go depth 2")
    return (await client.hear_until("bestmove"))[-1].split()[1]


KILLERS = [
    (f"{FEN} {LONE_KING}", Code.ILLEGAL_POSITION),
    (f"{FEN} 8/8/8/8/8/8/8/8 w - - 0 1", Code.ILLEGAL_POSITION),
    (FEN, Code.BAD_COMMAND),
    (f"{FEN} 4k3/PPPPPPPP/8/8/PPPPPPPP/8/PPPPPPPP/RNBQKBNR b - - 0 1", Code.ILLEGAL_POSITION),
    (f"{FEN} 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", None),
    ("setoption name Debug Log File value /nonexistent/x", Code.OPTION_REFUSED),
    ("setoption name Hash value 33554432", Code.OPTION_REFUSED),
    ("setoption name EvalFile value /etc/passwd", Code.OPTION_REFUSED),
    ("setoption name EvalFile value <empty>", Code.OPTION_REFUSED),
]


@pytest.mark.parametrize(("line", "code"), KILLERS)
async def test_no_line_kills_the_engine(app: Running, line: str, code: Code | None) -> None:
    async with app.tcp() as client:
        # On a busy machine a search takes so long that it is kept, and told to the next.
        client.say("rookery cache off", line, "go infinite")
        lines = await answers(client)
        heard = [code_of(line) for line in lines if "string rookery" in line]
        # The `stop` may come before anything was searched.
        expected = [code] if code else []
        if code and line.startswith("position"):
            expected += [code]  # After a position that is refused the `go` is, too.
        assert [each for each in heard if each is not Code.NO_SEARCH] == expected
        assert await plays(client)


MUTES = [
    "go depth 1", "setoption name Threads value 2", "setoption name MultiPV value 3",
    "setoption name Clear Hash", "ucinewgame", "position startpos moves e2e4",
    "go perft 14", "bench 16 1 30", "export_net", "d", "eval", "flip",
]  # fmt: skip


async def test_no_two_lines_make_the_engine_fall_silent(app: Running) -> None:
    async with app.tcp() as client:
        for line in MUTES:
            client.say("go infinite", line)
            await answers(client)
        assert await plays(client)


ODD = "\xa0\0\n\r\x0b\x0c\x1c\x85\u2028\u2029\u200b\ufeff"


def spellings(bait: str) -> list[bytes]:
    """Return `setoption name Debug Log File value BAIT` in every way that was thought of."""
    name = ("Debug", "Log", "File")
    lines = [
        f"setoption name {written} value {bait}"
        for written in (
            "Debug Log File", "debug log file", "DEBUG LOG FILE", "dEbUg lOg fIlE",
            "Debug  Log   File", "Debug\tLog\tFile", "DebugLogFile", "LogFile", "Log File",
            "\u0130Debug Log File", "Debug Log \u212aFile", "Debug Log Fi\u017fle",
        )
    ]  # fmt: skip
    whole = ["setoption", "name", *name, "value", bait]
    for odd in (
        "\xa0",
        "\0",
        "\n",
        "\r",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x85",
        "\u2028",
        "\u2029",
        "\u200b",
        "\ufeff",
    ):
        lines.append(odd.join(whole))
        lines += [
            " ".join((*whole[:place], odd + whole[place], *whole[place + 1 :]))
            for place in range(len(whole))
        ]
        lines += [f"setoption name Debug{odd}Log File value {bait}", f"{' '.join(whole)}{odd}"]
        lines.append(f"setoption name Ponder value true{odd}{' '.join(whole)}")
        lines.append(f"position startpos{odd}{' '.join(whole)}")
        lines.append(f"go depth 1{odd}{' '.join(whole)}")
    lines += [
        f"joho {' '.join(whole)}", f"  {' '.join(whole)}  ",
        f"setoption name name Debug Log File value {bait}",
        f"setoption value {bait} name Debug Log File",
        f"setoption name Debug Log File  value value {bait}",
        f"setoption name Clear Hash value x name Debug Log File value {bait}",
        f"setoption name SyzygyPath value {bait}", f"setoption name EvalFile value {bait}",
        f"setoption name UCI_Opponent value {bait}", f"export_net {bait}", f"bench 16 1 1 {bait}",
        f"register name setoption name Debug Log File value {bait} code x",
    ]  # fmt: skip
    return [line.encode(errors="replace") for line in lines]


async def test_no_spelling_of_an_option_writes_a_file(app: Running, tmp_path: Path) -> None:
    folder = tmp_path / "bait"
    folder.mkdir()
    precious = folder / "precious"
    precious.write_text("as it was")
    before = precious.stat()
    lines = [*spellings(str(precious)), *spellings(str(folder / "new"))]
    assert len(lines) > 36
    async with app.tcp() as client:
        for line in lines:
            client.writer.write(line + b"\n")
        await answers(client)
        assert await plays(client)
    async with app.websocket("stockfish") as other:  # where line breaks can be inside
        for line in lines:
            await other.send(line.decode())
        await other.send("isready")
        while await other.recv() != "readyok":
            pass
    after = precious.stat()
    assert [each.name for each in folder.iterdir()] == ["precious"]
    assert precious.read_text() == "as it was"
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


async def test_client_is_shown_what_it_may_set(app: Running) -> None:
    async with app.tcp() as client:
        client.say("uci")
        lines = await client.hear_until("uciok")
    assert any(line.startswith("id name Stockfish") for line in lines)
    assert "option name SyzygyPath type combo default <empty> var <empty> var none" in lines
    assert not [
        line for line in lines if "Hash type spin" in line or "File" in line or "/" in line[20:]
    ]
    assert "option name MultiPV type spin default 1 min 1 max 500" in lines


async def test_castling_of_chess960_reaches_the_engine(app: Running) -> None:
    rooks = f"{FEN} r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    async with app.tcp() as client:
        client.say("setoption name UCI_Chess960 value true", rooks, "go depth 1 searchmoves e1h1")
        assert (await client.hear_until("bestmove"))[-1].split()[1] == "e1h1"
        client.say("setoption name UCI_Chess960 value false", rooks, "go depth 1 searchmoves e1g1")
        assert (await client.hear_until("bestmove"))[-1].split()[1] == "e1g1"
