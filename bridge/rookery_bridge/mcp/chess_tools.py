"""The six tools for language models, over the analysis service of one server.

Each call ends in time: what a search has found until then is its answer, and a review goes on
as a job.  A call that is cancelled ends its search, or its job.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple

import chess

from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.client.service_error import ServiceError
from rookery_bridge.client.service_results import AnalysisLine, AnalysisResult, ServiceEngine
from rookery_bridge.mcp.checked_position import PositionError
from rookery_bridge.mcp.game_position import GamePosition, KnownGames, find_position
from rookery_bridge.mcp.game_text import quoted_name
from rookery_bridge.mcp.legal_move import legal_moves, read_move
from rookery_bridge.mcp.position_words import line_words, outcome_words
from rookery_bridge.mcp.review_jobs import ReviewJobs
from rookery_bridge.mcp.score_words import WhiteScore
from rookery_bridge.mcp.service_advice import answer_deadline, tool_error
from rookery_bridge.mcp.tool_answer import Report, ToolAnswer, ToolError
from rookery_bridge.mcp.tool_definitions import Value, tool_named
from rookery_protocol.notices import legible

_AT_ONCE = 4  # searches; an account seldom has more sessions
_MARGIN = 0.4  # s of a call that the way to the server and back may take
_SHORTEST = 0.1  # s of a search
_FIRST_SHARE = 0.35  # of the time: for the best move, which named ones are compared with
_INTERVAL = 1.0  # s from one report of progress to the next
_LINE = 10  # half-moves of a line that are shown
_MOST_ENGINES, _MOST_VARIANTS = 40, 20
_NAME = 40  # characters of a name of the server's
_MS = 1000
_PATIENCE = 10.0  # s for what needs no engine


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search for a call: the position, how many lines, and the only moves to consider."""

    board: chess.Board
    engine: str | None
    lines: int = 1
    moves: tuple[str, ...] = ()


class SearchTime(NamedTuple):
    """The time of the event loop between which a call searches."""

    start: float
    end: float


class ChessTools:
    """The tools over one client: `async with ChessTools(client) as tools:`."""

    def __init__(self, client: AnalysisClient) -> None:
        self._client = client
        self._games = KnownGames()
        self._reviews = ReviewJobs(client.jobs)
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._tools: dict[str, Callable[[Mapping[str, Value], Report], Awaitable[ToolAnswer]]] = {
            "engines": self._list_engines,
            "position": self._describe,
            "analyse": self._analyse,
            "compare_moves": self._compare,
            "review_game": self._review,
            "job": self._follow_job,
        }

    async def __aenter__(self) -> "ChessTools":
        """Get ready for calls."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """End what is left to be done for calls that were cancelled."""
        await self._reviews.clean_up()

    async def call(self, name: str, said: Mapping[str, object], report: Report) -> ToolAnswer:
        """Return the answer of a tool.

        Raises:
            ToolError: there is none; it says what to do.

        """
        definition = tool_named(name)
        arguments = definition.read_arguments(said)
        try:
            return await self._tools[name](arguments, report)
        except ServiceError as error:
            raise tool_error(error) from error

    # --- without a search

    async def _list_engines(self, said: Mapping[str, Value], report: Report) -> ToolAnswer:
        async with answer_deadline(_PATIENCE, "the server has not answered"):
            engines = (await self._client.engines())[:_MOST_ENGINES]
        lines = [_engine_words(each) for each in engines] or ["This account may use no engine."]
        data: list[dict[str, object]] = [
            {
                "name": legible(each.name, _NAME),
                "title": quoted_name(each.title),
                "default": each.is_default,
                "variants": [legible(name, _NAME) for name in each.variants[:_MOST_VARIANTS]],
            }
            for each in engines
        ]
        return ToolAnswer.of_lines(lines, {"engines": data})

    async def _describe(self, said: Mapping[str, Value], report: Report) -> ToolAnswer:
        position = find_position(said, self._games)
        moves = legal_moves(position.board)
        lines = [*position.lines(), f"Legal moves ({len(moves)}): {', '.join(moves) or 'none'}"]
        return ToolAnswer.of_lines(lines, {"position": position.data(), "legal_moves": moves})

    # --- with a search

    async def _analyse(self, said: Mapping[str, Value], report: Report) -> ToolAnswer:
        position = find_position(said, self._games)
        if over := outcome_words(position.board):
            return _without_search(position, over)
        search = SearchRequest(position.board, _engine_of(said), _whole(said["lines"]))
        async with self._slot(said) as time:
            found = await self._search(search, time, time.end, report)
        words = [_line_words(position.board, each) for each in found.lines]
        lines = [*position.lines(), _search_words(found), *words]
        data = {
            "position": position.data(),
            **_search_data(found),
            "lines": [_line_data(position.board, each) for each in found.lines],
        }
        return ToolAnswer.of_lines(lines, data)

    async def _compare(self, said: Mapping[str, Value], report: Report) -> ToolAnswer:
        position = find_position(said, self._games)
        if over := outcome_words(position.board):
            return _without_search(position, over)
        moves = _candidates(position.board, said["moves"])
        engine = _engine_of(said)
        async with self._slot(said) as time:
            first = time.start + _FIRST_SHARE * (time.end - time.start)
            best = await self._search(SearchRequest(position.board, engine), time, first, report)
            named = dict.fromkeys([*moves, *_first_moves(best.lines, position.board)])
            search = SearchRequest(position.board, engine, len(named), tuple(named))
            found = await self._search(search, time, time.end, report)
        rows = _Comparison(position.board, moves, found)
        lines = [*position.lines(), _search_words(found), *rows.lines()]
        data = {"position": position.data(), **_search_data(found), "moves": rows.data()}
        return ToolAnswer.of_lines(lines, data)

    @asynccontextmanager
    async def _slot(self, said: Mapping[str, Value]) -> AsyncIterator[SearchTime]:
        """Wait until a search may begin; yields the time that is left for it."""
        what = "the server has not begun the search"
        async with answer_deadline(_seconds(said), what) as deadline, self._slots:
            yield SearchTime(asyncio.get_running_loop().time(), deadline)

    async def _search(
        self, search: SearchRequest, time: SearchTime, deadline: float, report: Report
    ) -> AnalysisResult:
        """Search until a time of the event loop, and return the last result that has a line.

        Progress is told of all the time of the call.

        Raises:
            ToolError: there is none by then.

        """
        loop = asyncio.get_running_loop()
        found: AnalysisResult | None = None
        movetime = max(_SHORTEST, deadline - loop.time() - _MARGIN)
        try:
            async with asyncio.timeout_at(deadline):
                stream = self._client.analyse_stream(
                    search.board,
                    movetime=round(movetime * _MS),
                    engine=search.engine,
                    lines=search.lines,
                    search_moves=search.moves,
                    interval=_INTERVAL,
                )
                async with aclosing(stream) as results:
                    async for result in results:
                        found = result if result.lines or found is None else found
                        progress = min(loop.time(), time.end) - time.start
                        words = _progress_words(search, result)
                        await report(progress, time.end - time.start, words)
        except TimeoutError:
            if found is None:
                raise
        if not found or not found.lines:
            raise ToolError(
                "the engine has found nothing in that time",
                "call again with more 'seconds'",
                "no-result",
            )
        return found

    # --- reviews

    async def _review(self, said: Mapping[str, Value], report: Report) -> ToolAnswer:
        game = self._games.find_or_read(str(said["game"]))
        if not game.moves:
            raise ToolError("the game has no moves", "send its moves, or use 'analyse'", "bad-game")
        return await self._reviews.review(
            game, _engine_of(said), _whole(said["nodes"]), _seconds(said), report
        )

    async def _follow_job(self, said: Mapping[str, Value], report: Report) -> ToolAnswer:
        job = said.get("id")
        if not isinstance(job, str) or not job.strip():
            return await self._reviews.list_newest()
        if said.get("end"):
            return await self._reviews.end(job.strip())
        answer, game = await self._reviews.follow(job.strip(), _seconds(said), report)
        if game:
            self._games.remember(game)
        return answer


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Named moves beside the best one, all of one search."""

    board: chess.Board
    named: Sequence[str]
    found: AnalysisResult

    def data(self) -> list[dict[str, object]]:
        """Return the moves, the best first; `behind` is in pawns, for the side to move."""
        best = self._scores()[0][1] if self._scores() else 0.0
        rows = []
        for line, pawns in self._scores():
            row = _line_data(self.board, line)
            row |= {"behind": round(best - pawns, 2)} if abs(best - pawns) < 100 else {}
            row |= {"named": line.pv[0] in self.named}
            rows.append(row)
        scored = {row["uci"] for row in rows}
        rows += [
            {"move": _label(self.board, move), "uci": move, "named": True}
            for move in self.named
            if move not in scored
        ]
        return rows

    def lines(self) -> Iterator[str]:
        """Yield a line for each move."""
        for place, row in enumerate(self.data()):
            if "score" not in row:
                yield f"{row['move']}: no score; the engine has not looked at it in that time"
                continue
            behind = f"{row['behind']:.2f} pawns behind" if "behind" in row else "far behind"
            gap = behind if place else "best"
            not_named = "" if row["named"] else ", the engine's choice"
            yield f"{row['move']} ({gap}{not_named}): {row['score_in_words']}; {row['line']}"

    def _scores(self) -> list[tuple[AnalysisLine, float]]:
        """Return each line that has a score, with its pawns for the side to move; best first."""
        sign = 1 if self.board.turn else -1
        scored = [
            (line, sign * score.pawns)
            for line in self.found.lines
            if (score := _score_of(line)) and _first_moves([line], self.board)
        ]
        return sorted(scored, key=lambda each: -each[1])


def _candidates(board: chess.Board, said: Value) -> list[str]:
    """Return the named moves in UCI.

    Raises:
        ToolError: one is not legal.

    """
    assert isinstance(said, tuple)
    try:
        moves = [read_move(board, word) for word in said if not word.rstrip(".").isdecimal()]
    except PositionError as error:
        raise ToolError(str(error), "name legal moves of this position", "illegal-move") from error
    if not moves:
        raise ToolError("'moves' names no move", "name moves such as 'Nf3'")
    return list(dict.fromkeys(move.uci() for move in moves))


def _without_search(position: GamePosition, over: str) -> ToolAnswer:
    lines = [*position.lines(), "There is nothing to analyse."]
    return ToolAnswer.of_lines(lines, {"position": position.data(), "outcome": over})


def _engine_words(engine: ServiceEngine) -> str:
    default = ", the default" if engine.is_default else ""
    variants = ", ".join(legible(name, _NAME) for name in engine.variants[:_MOST_VARIANTS])
    title = quoted_name(engine.title)
    return f"{legible(engine.name, _NAME)}: {title}{default}; plays {variants}"


def _search_words(found: AnalysisResult) -> str:
    data = _search_data(found)
    parts = [f"Engine {data['engine']}"]
    parts += [f"depth {found.depth}"] if found.depth is not None else []
    parts += [f"{found.nodes} nodes"] if found.nodes is not None else []
    parts += ["not finished when the time was over"] if not found.final else []
    return f"{', '.join(parts)}. Scores are White's, in pawns:"


def _search_data(found: AnalysisResult) -> dict[str, object]:
    return {
        "engine": quoted_name(found.engine),
        "depth": found.depth,
        "nodes": found.nodes,
        "finished": found.final,
    }


def _line_words(board: chess.Board, line: AnalysisLine) -> str:
    data = _line_data(board, line)
    return f"{data['score_in_words']}: {data['line']}"


def _line_data(board: chess.Board, line: AnalysisLine) -> dict[str, object]:
    score = _score_of(line)
    found: dict[str, object] = {
        "move": _label(board, line.pv[0]) if line.pv else "?",
        "uci": line.pv[0] if line.pv else None,
        "score": str(score) if score else "?",
        "score_in_words": score.in_words if score else "no score",
        "line": line_words(board, line.pv, _LINE),
        "depth": line.depth,
    }
    found |= {"cp": line.cp} if line.cp is not None else {}
    found |= {"mate": line.mate} if line.mate is not None else {}
    return found


def _score_of(line: AnalysisLine) -> WhiteScore | None:
    return None if line.cp is None and line.mate is None else WhiteScore(line.cp, line.mate)


def _first_moves(lines: Sequence[AnalysisLine], board: chess.Board) -> list[str]:
    """Return the first move of each line, if it is legal."""
    words = (line.pv[0] for line in lines if line.pv)
    legal = {move.uci() for move in board.legal_moves}
    return [word for word in words if word in legal]


def _label(board: chess.Board, text: str) -> str:
    return line_words(board, [text], 1) or "?"


def _progress_words(search: SearchRequest, result: AnalysisResult) -> str:
    if not result.lines:
        return "searching"
    return f"depth {result.depth or 0}: {_line_words(search.board, result.lines[0])}"


def _engine_of(said: Mapping[str, Value]) -> str | None:
    name = said.get("engine")
    return name.strip()[:200] or None if isinstance(name, str) else None


def _whole(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _seconds(said: Mapping[str, Value]) -> float:
    value = said["seconds"]
    assert isinstance(value, int | float)
    return float(value)
