"""The position that a call is about, found by FEN, or in a game by move number or half-moves."""

import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import chess

from rookery_bridge.mcp.checked_position import PositionError, corrections, place_pieces
from rookery_bridge.mcp.game_text import GameLine, read_game
from rookery_bridge.mcp.legal_move import move_number, read_move
from rookery_bridge.mcp.position_words import describe_position, position_lines
from rookery_bridge.mcp.tool_answer import ToolError
from rookery_bridge.mcp.tool_definitions import Value
from rookery_protocol.notices import legible

_MOST_GAMES = 200  # that are remembered; a game has 50 KB at most
_HANDLE = re.compile(r"g-[0-9a-f]{8}")
_MOVE_NUMBER = re.compile(
    r"\s*(?P<number>\d{1,4})\s*(?P<black>\.\.\.?|…|b)?[.w]?\s*(?P<move>\S{2,16})?\s*"
)
_SAY_PLACE = "give 'fen', or 'game' with 'before' or 'ply'; the first position is fen 'startpos'"


class KnownGames:
    """The games of earlier calls by their handles, so that a model sends each once."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, GameLine] = OrderedDict()

    def remember(self, game: GameLine) -> GameLine:
        """Keep a game, and forget the one that was used longest ago if there are too many."""
        self._games[game.handle] = game
        self._games.move_to_end(game.handle)
        if len(self._games) > _MOST_GAMES:
            self._games.popitem(last=False)
        return game

    def find_or_read(self, text: str, fen: str | None = None) -> GameLine:
        """Return the game that a text is, or has the handle of.

        Raises:
            ToolError: there is none.

        """
        text = text.strip()
        if _HANDLE.fullmatch(text):
            if text not in self._games:
                raise ToolError(
                    f"the game {text} is not known, or not any more", "send its moves", "no-game"
                )
            return self.remember(self._games[text])
        try:
            return self.remember(read_game(text, fen))
        except PositionError as error:
            advice = "correct the game, or give the 'fen' of the position"
            raise ToolError(str(error), advice, "bad-game") from error


@dataclass(frozen=True, slots=True)
class GamePosition:
    """A position that can be analysed; its board has the moves that led there, where known."""

    board: chess.Board
    game: GameLine | None = None
    ply: int = 0
    notes: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield the position in words."""
        yield from position_lines(self.board)
        yield from (f"Note: {note}." for note in self.notes)
        if self.game:
            follows = self.game.label_of(self.ply)
            names = f" ({self.game.players})" if self.game.players else ""
            yield (
                f"Game {self.game.handle}{names}: after {self.ply} of"
                f" {len(self.game.moves)} half-moves"
                f"{f'; {follows} was played here' if follows else ', its end'}."
            )

    def data(self) -> dict[str, object]:
        """Return the position for programs."""
        found = {name: each for name, each in describe_position(self.board).items() if each}
        if self.game:
            found |= {"game": self.game.handle, "ply": self.ply, "plies": len(self.game.moves)}
            if follows := self.game.label_of(self.ply):
                found["played"] = follows
        if self.notes:
            found["notes"] = list(self.notes)
        return found


def find_position(said: Mapping[str, Value], games: KnownGames) -> GamePosition:
    """Return the position that the arguments of a call mean.

    Raises:
        ToolError: there is none, or it cannot be.

    """
    fen, text = said.get("fen"), said.get("game")
    fen = fen.strip() or None if isinstance(fen, str) else None
    if isinstance(text, str) and text.strip():
        game = games.find_or_read(text, fen)
        ply = _ply_of(said, game)
        return GamePosition(game.board_at(ply), game, ply)
    if fen is None:
        raise ToolError("there is no position in the call", _SAY_PLACE)
    if "before" in said or "ply" in said:
        why = "'before' and 'ply' count the moves of a game, and there is none"
        raise ToolError(why, _SAY_PLACE)
    try:
        board = place_pieces(fen)
    except PositionError as error:
        raise ToolError(
            str(error),
            "it is not analysed; correct the FEN, or send the game and let this tool set it up",
            "impossible-position",
        ) from error
    return GamePosition(board, notes=tuple(corrections(fen, board)))


def _ply_of(said: Mapping[str, Value], game: GameLine) -> int:
    """Return how many half-moves of a game were played in the position that is meant."""
    before, ply = said.get("before"), said.get("ply")
    last = len(game.moves)
    if before is not None and ply is not None:
        raise ToolError("'before' and 'ply' are both given", "give one of them")
    if isinstance(before, str):
        return _ply_before(before, game)
    if isinstance(ply, int) and ply > last:
        why = f"the game has {last} half-moves, not {ply}"
        raise ToolError(why, f"say a 'ply' from 0 to {last}")
    return ply if isinstance(ply, int) else last


def _ply_before(text: str, game: GameLine) -> int:
    """Return the half-moves before a move such as `12`, `12...` or `12...Nf6`."""
    form = _MOVE_NUMBER.fullmatch(text)
    if form is None:
        raise ToolError(
            f"'before' is {legible(text, 30)!r}",
            "say the number of a move: '12' of White's, '12...' of Black's",
        )
    start = game.start
    is_black = len(form["black"] or "") > 1 or form["black"] in ("…", "b")
    number = int(form["number"])
    ply = 2 * (number - start.fullmove_number) + is_black - (not start.turn)
    if not 0 <= ply <= len(game.moves):
        end = game.board_at(len(game.moves))
        raise ToolError(
            f"the game has no move {number}{'...' if is_black else '.'}",
            f"its moves go from {move_number(start).strip()} to before {move_number(end).strip()}",
        )
    if form["move"]:
        _check_move(form["move"], game, ply)
    return ply


def _check_move(text: str, game: GameLine, ply: int) -> None:
    """Check that a move is the one of the game, if it was named."""
    board = game.board_at(ply)
    try:
        move = read_move(board, text)
    except PositionError:
        move = None
    if ply >= len(game.moves) or move != game.moves[ply]:
        played = game.label_of(ply)
        what = f"{played} was played there" if played else "the game has ended there"
        raise ToolError(
            f"{move_number(board)}{legible(text, 16)!r} is not in the game: {what}",
            "say the number alone, or use 'compare_moves' for a move that was not played",
        )
