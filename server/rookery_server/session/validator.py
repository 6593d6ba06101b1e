"""The validator of one session's commands, before its engine hears them.

It knows what the offer lets a client set, and what the client has set of it as far as
that says how positions are read.  No I/O.
"""

from collections.abc import Mapping
from operator import is_not

import chess

import rookery_uci as uci
from rookery_protocol.legality import MAX_PLIES, Referee, choose_move
from rookery_protocol.notices import Code, Notice
from rookery_server.engines.offered_options import OfferedOptions, PolicyVerdict, refusal
from rookery_server.session.commands import RefusedGo
from rookery_uci import CHESS960, VARIANT, UciError, is_position, key_of, mended

MAX_LOOKS = 64  # at positions for which no engine was there, in a row
NO_MOVE = "0000"
_START = uci.Position()


class Validator:
    """The rules of an offer, applied to one client's commands in their order."""

    __slots__ = (
        "_chess960",
        "_debug",
        "_found",
        "_looked_at",
        "_referee",
        "_refusal",
        "_variant",
        "believes_positions",
        "looks",
        "offer",
    )

    def __init__(self, offer: OfferedOptions) -> None:
        self.offer = offer
        self._referee = Referee()
        self._debug = False  # whether the client hears what was mended
        self._refusal: Notice | None = None  # of the position that was said last
        self._looked_at: tuple[uci.Position, bool, str] | None = None
        self._found = ""
        self.looks = 0  # at positions in an engine's stead, since one has searched
        self.believes_positions = False  # they are the server's own, and checked already
        self._chess960, self._variant = offer.rules({})

    def adopt(self, position: uci.Position, board: chess.Board) -> None:
        """Know a position that was checked elsewhere by the same rules."""
        self._referee.adopt(position, board, chess960=self._chess960, variant=self._variant)

    def review(self, command: uci.Command) -> PolicyVerdict | RefusedGo:
        """Return the command that the engine hears, and the notice that the client hears.

        Each command must be given once, in the order in which the engine hears them.  A
        `go` is refused after a position that was refused: the engine has another one.
        """
        if isinstance(command, uci.Position):
            verdict = self._position(command)
            self._refusal = None if verdict.command else verdict.notice
            return verdict
        if isinstance(command, uci.SetOption):
            return self._option(command)
        if isinstance(command, uci.Debug):
            self._debug = command.on
        verdict = self.offer.review_command(command)
        if self._refusal and verdict.command:
            if isinstance(command, uci.Go):
                return RefusedGo(command, self._refusal)
            if isinstance(command, uci.Extra) and command.is_of_position:
                return PolicyVerdict(None, self._refusal)
        return verdict

    def skip(self, said: object, why: Notice) -> None:
        """Record a line or command that is not reviewed: it may be a position."""
        is_line = isinstance(said, bytes) and is_position(said.decode(errors="replace"))
        if is_line or isinstance(said, uci.Position):
            self._refusal = why

    def some_move(self, position: uci.Position | None, rules: Mapping[str, str | None]) -> str:
        """Return a legal move of a position that was accepted; `0000` if there is none.

        The answer is `0000`, too, after many other positions in a row: each takes up to 10 ms.

        Args:
            position: None is the start of a game.
            rules: the options by which it was read then; those that the client has set since
                hold for the next position.

        """
        chess960, variant = self.offer.rules(rules)
        asked = position or _START, chess960, variant
        # Thousands of searches of one position may end at once.
        if self._looked_at is None or any(map(is_not, asked, self._looked_at)):
            self._looked_at = asked
            self.looks += 1
            if self.looks > MAX_LOOKS:
                self._found = NO_MOVE
            else:
                self._found = choose_move(asked[0], chess960=chess960, variant=variant)
        return self._found

    @property
    def played(self) -> int:
        """The number of moves that were played to check positions."""
        return self._referee.played

    def _option(self, command: uci.SetOption) -> PolicyVerdict:
        verdict = self.offer.review(command)
        if isinstance(verdict.command, uci.SetOption):
            key, value = key_of(verdict.command.name), verdict.command.value or ""
            if key == CHESS960:
                self._chess960 = value == "true"
            elif key == VARIANT:
                self._variant = value
        return verdict

    def _position(self, command: uci.Position) -> PolicyVerdict:
        if self.believes_positions:
            return PolicyVerdict(command)
        if len(command.moves) > MAX_PLIES:
            return refusal(
                Code.POSITION_TOO_LONG,
                f"a position has {MAX_PLIES} moves at most, not {len(command.moves)}",
            )
        try:
            told = self._referee.check(command, chess960=self._chess960, variant=self._variant)
        except UciError as error:
            return refusal(Code.ILLEGAL_POSITION, str(error))
        if self._debug and (text := _difference(command, told)):
            return PolicyVerdict(told, Notice(Code.POSITION_MENDED, text))
        return PolicyVerdict(told)


def _difference(said: uci.Position, told: uci.Position) -> str:
    """Return in words how two positions differ; "" if they do not."""
    texts = [mended(said.fen, told.fen)] if said.fen and told.fen else []
    texts += [
        f"move {number} {old!r} is read as {new}"
        for number, (old, new) in enumerate(zip(said.moves, told.moves, strict=True), start=1)
        if old != new
    ]
    return "; ".join(text for text in texts if text)
