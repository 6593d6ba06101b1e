"""The examples of python-chess's documentation of engines, but for the line that connects.

https://python-chess.readthedocs.io/en/latest/engine.html
"""

import asyncio
import re
from pathlib import Path

import chess
import chess.engine
import pytest
from helpers.client_server import REAL, TRANSPORTS, address
from helpers.support import Running

import rookery_bridge.client

PAGE = Path(__file__).parents[2] / "docs" / "client.md"
EVERYWHERE = [(transport, engine) for transport in TRANSPORTS for engine in REAL]
both = pytest.mark.parametrize(("transport", "name"), EVERYWHERE)


@both
async def test_playing(app: Running, transport: str, name: str) -> None:
    def example() -> chess.Board:
        engine = rookery_bridge.client.connect_uci(address(app, transport, name))

        board = chess.Board()
        while not board.is_game_over() and board.fullmove_number < 6:
            result = engine.play(board, chess.engine.Limit(time=0.02))
            assert result.move
            board.push(result.move)

        engine.quit()
        return board

    board = await asyncio.to_thread(example)
    assert len(board.move_stack) == 10


@both
async def test_analysing_and_evaluating(app: Running, transport: str, name: str) -> None:
    def example() -> list[chess.engine.PovScore]:
        engine = rookery_bridge.client.connect_uci(address(app, transport, name))

        board = chess.Board()
        first = engine.analyse(board, chess.engine.Limit(time=0.1))

        board = chess.Board("r1bqkbnr/p1pp1ppp/1pn5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 4")
        second = engine.analyse(board, chess.engine.Limit(depth=12))

        engine.quit()
        return [first["score"], second["score"]]

    first, second = await asyncio.to_thread(example)
    assert abs(first.white().score(mate_score=1000) or 0) < 200
    assert second == chess.engine.PovScore(chess.engine.Mate(1), chess.WHITE)


@both
async def test_indefinite_analysis(app: Running, transport: str, name: str) -> None:
    def example() -> list[chess.engine.InfoDict]:
        heard = []
        engine = rookery_bridge.client.connect_uci(address(app, transport, name))

        with engine.analysis(chess.Board()) as analysis:
            for info in analysis:
                heard.append(info)

                # Arbitrary stop condition.
                if info.get("seldepth", 0) > 8:
                    break

        engine.ping()
        engine.quit()
        return heard

    heard = await asyncio.to_thread(example)
    assert heard[-1]["seldepth"] > 8
    assert any(info.get("pv") for info in heard)


@both
async def test_async_analysis_and_options(app: Running, transport: str, name: str) -> None:
    server = address(app, transport, name)
    _, engine = await rookery_bridge.client.popen_uci(server)

    assert engine.options["Hash"].type == "spin"
    await engine.configure({"Hash": 32})
    lines = await engine.analyse(chess.Board(), chess.engine.Limit(depth=8), multipv=3)
    assert len({line["pv"][0] for line in lines}) == 3
    limit = chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.1, black_inc=0.1)
    result = await engine.play(chess.Board(), limit, ponder=True, info=chess.engine.INFO_ALL)
    assert result.move in chess.Board().legal_moves
    assert result.info["depth"] > 0
    await engine.ping()

    with pytest.raises(chess.engine.EngineError, match="does not support option Cores"):
        await engine.configure({"Cores": 4})
    await engine.quit()
    assert engine.returncode.result() == 0


@both
async def test_using_root_moves(app: Running, transport: str, name: str) -> None:
    _, engine = await rookery_bridge.client.popen_uci(address(app, transport, name))
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    result = await engine.play(chess.Board(), chess.engine.Limit(depth=6), root_moves=only)
    assert result.move in only
    await engine.quit()


async def test_chess960_castles_as_the_board_does(app: Running) -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1", chess960=True)
    _, engine = await rookery_bridge.client.popen_uci(address(app, "ws", "stockfish"))
    castle = [chess.Move.from_uci("e1h1")]
    result = await engine.play(board, chess.engine.Limit(depth=4), root_moves=castle)
    assert result.move == castle[0]
    await engine.quit()


# What an example of the page prints, in its order there.
PRINTED = (
    r"^[a-h][1-8][a-h][1-8]$",
    r"^\d+ PovScore\(.*Move\.from",
    "there are: rookery",
    r"^stockfish Stockfish.*\nbest: [a-h][1-8]\S*\nPovScore\(.*, WHITE\) [a-h]",
    r"^\d+ PovScore\(Mate\(\+1\), WHITE\) True$",
    r"^Nh3 PovScore\(",
    r"^422 illegal-position illegal-position: ",
)


@pytest.mark.parametrize("number", range(len(PRINTED)))
async def test_examples_of_the_page(
    app: Running, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    example = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[number]
    here = example.replace("wss://chess.example", f"ws://127.0.0.1:{app.port}")
    here = here.replace("https://chess.example", f"http://127.0.0.1:{app.port}")
    assert here != example
    await asyncio.to_thread(exec, compile(here, f"example {number}", "exec"), {})
    said = capsys.readouterr().out
    assert re.search(PRINTED[number], said, re.MULTILINE | re.DOTALL), said


def test_the_page_has_no_other_examples() -> None:
    assert PAGE.read_text().count("```python") == len(PRINTED)
