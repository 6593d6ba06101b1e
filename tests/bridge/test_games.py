"""Games through a slow or bad network; `tests/helpers/games.py` plays more of them.

The clocks are longer than those of the figures in bridge/README.md, because a test must
hold on a busy machine too.
"""

import asyncio
from pathlib import Path

import chess
import chess.engine
import pytest
from helpers.bridged import BIN, server
from helpers.games import Tally, play
from helpers.lag import Lag

# What a game may cost without honesty: 3 s are gone after 20 moves of which each takes 0.2 s
# more than its engine knows.
CLOCK = (3.0, 0.05)
DELAY = 0.1
ATTEMPTS = 3  # a machine that stands still for a second loses any game with such a clock


def judge(tally: Tally, games: int) -> None:
    """Say that nothing went wrong."""
    assert tally.games == games
    assert (tally.lost_on_time, tally.illegal, tally.surplus) == (0, 0, 0), tally


@pytest.mark.parametrize("options", [[], pytest.param(["--no-fallback"], marks=pytest.mark.long)])
async def test_no_game_is_lost_on_time_over_a_long_way(options: list[str]) -> None:
    """Rows 111 to 114, 146, 147: the clock that the GUI sees is the one that counts."""
    for attempt in range(ATTEMPTS):
        tally = await play(1, clock=CLOCK, delay=DELAY, options=options, longest=100)
        if not tally.lost_on_time or attempt == ATTEMPTS - 1:
            judge(tally, 1)
            break
        assert (tally.illegal, tally.surplus) == (0, 0), tally


async def test_without_honesty_a_long_way_loses_on_time_or_nearly() -> None:
    """The test above can fail: the last call alone must save what the clock has left."""
    tally = await play(
        1, clock=CLOCK, delay=DELAY, options=["--no-fallback", "--no-clock-correction"], longest=100
    )
    assert tally.lost_on_time or tally.sources["known"]


@pytest.mark.parametrize(
    ("transport", "games", "longest"),
    [
        ("websocket", 1, 24),
        pytest.param("websocket", 2, 40, marks=pytest.mark.long),
        pytest.param("tcp", 2, 40, marks=pytest.mark.long),
    ],
)
async def test_no_game_is_lost_by_cuts(transport: str, games: int, longest: int) -> None:
    """Row 146."""
    tally = await play(
        games,
        clock=(10.0, 0.2),
        jitter=0.05,
        cuts=1.0,
        transport=transport,
        longest=longest,
        seed=7,
    )
    judge(tally, games)
    assert tally.cuts


@pytest.mark.parametrize("longest", [20, pytest.param(40, marks=pytest.mark.long)])
async def test_no_game_is_lost_by_restarts_of_the_server(longest: int) -> None:
    """Row 146."""
    tally = await play(1, clock=(20.0, 0.5), cuts=3.0, kills=4.0, longest=longest, seed=3)
    judge(tally, 1)
    assert tally.kills


async def test_python_chess_plays_and_analyses_over_a_long_way(tmp_path: Path) -> None:
    async with server(tmp_path) as running, Lag(running.port, 0.05) as lag:
        address = f"ws://127.0.0.1:{lag.port}/engines/rookery"
        _, engine = await chess.engine.popen_uci([str(BIN / "rookery-bridge"), address])
        try:
            board = chess.Board()
            for _ in range(4):
                limit = chess.engine.Limit(white_clock=5, black_clock=5)
                result = await engine.play(board, limit)
                assert result.move
                assert result.move in board.legal_moves
                board.push(result.move)
            infos = await engine.analyse(board, chess.engine.Limit(depth=5), multipv=3)
            assert len(infos) == 3
            with await engine.analysis(board) as analysis:
                async for info in analysis:
                    if info.get("depth", 0) >= 5:
                        break
            await engine.ping()
        finally:
            async with asyncio.timeout(10):
                await engine.quit()
