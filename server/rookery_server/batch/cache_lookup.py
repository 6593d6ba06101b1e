"""What the cache of analyses knows of a game's positions, if it is to be asked.

It is the server's own cache: what people have looked at there need not be searched again,
and what is found here is told to them.  A database that fails is done without, once that
has been said.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from rookery_analysis.engine_source import Seat
from rookery_analysis.evaluation import Evaluation
from rookery_protocol.errors import ServerError
from rookery_server.cache.digest import Digests
from rookery_server.cache.key import key_of
from rookery_server.cache.normal_position import board_of, normal_form
from rookery_server.cache.query import Question, question_of
from rookery_server.config.cache import CacheConfig
from rookery_server.config.engines import Policy
from rookery_server.engines.offered_options import OfferedOptions
from rookery_uci import CHESS960, Limits, Position
from rookery_uci import key_of as name_of

if TYPE_CHECKING:
    from rookery_server.cache.evaluation_store import Row, Store

LOCAL = "local"  # the account of who uses his own machine


class Memory(Protocol):
    """What is known already."""

    async def look_up(
        self, seat: Seat, positions: Sequence[Position], *, chess960: bool
    ) -> dict[int, Evaluation]:
        """Return what is known of positions, by their index."""

    async def keep(
        self, seat: Seat, searched: Sequence[tuple[Position, bytes]], *, chess960: bool
    ) -> None:
        """Keep what an engine has said of positions."""


class NoMemory:
    """Knows nothing: each result is the engine's own, and the same another time."""

    async def look_up(
        self, seat: Seat, positions: Sequence[Position], *, chess960: bool
    ) -> dict[int, Evaluation]:
        """Return nothing."""
        return {}

    async def keep(
        self, seat: Seat, searched: Sequence[tuple[Position, bytes]], *, chess960: bool
    ) -> None:
        """Forget it."""


class CacheMemory:
    """The database of analyses, in a thread of its own."""

    def __init__(
        self,
        url: str,
        config: CacheConfig,
        limits: Limits,
        options: dict[str, str],
        note: Callable[[str], None],
    ) -> None:
        """Open the database.

        Raises:
            ServerError: it cannot be used.

        """
        self.hits = 0
        self._config = config
        self._limits = limits
        self._options = {name_of(name): value for name, value in options.items()}
        self._note = note
        self._digests = Digests()
        self._works = True
        self._thread = ThreadPoolExecutor(1, "cache")
        self._store = self._thread.submit(_open, url).result()

    def close(self) -> None:
        """Let go of the database."""
        self._thread.submit(self._store.close).result()
        self._thread.shutdown()

    async def look_up(
        self, seat: Seat, positions: Sequence[Position], *, chess960: bool
    ) -> dict[int, Evaluation]:
        """Ask the database; what is at least as good as the search would be counts."""
        found: dict[int, Evaluation] = {}

        def look() -> None:
            for index, position in enumerate(positions):
                key, wanted = self._key(seat, position, chess960=chess960)
                known = self._store.find(key) if key else ()
                good = [each.cut(wanted) for each in known if self._is_enough(each, wanted)]
                if good:
                    found[index] = max(good, key=lambda each: (each.depth, each.nodes))

        await self._attempt(look)
        self.hits += len(found)
        return found

    async def keep(
        self, seat: Seat, searched: Sequence[tuple[Position, bytes]], *, chess960: bool
    ) -> None:
        """Write what is worth it by the operator's rule."""
        if not self._config.is_worth_asking(self._limits) or not searched:
            return

        def write() -> None:
            rows = [self._row(seat, *each, chess960=chess960) for each in searched]
            self._store.put([row for row in rows if row], {}, self._config.rows)

        await self._attempt(write)

    # --- within

    async def _attempt(self, action: Callable[[], None]) -> None:
        if not self._works:
            return
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, action)
        except (ServerError, OSError) as error:
            self._works = False
            self._note(f"the cache is not used any more: {error}")

    def _question(self, seat: Seat, position: Position, *, chess960: bool) -> Question | None:
        chosen = self._options | {CHESS960: str(chess960).lower()}
        offer = OfferedOptions(seat.talk.answer, Policy())
        return question_of(self._limits, position, offer, chosen)

    def _key(self, seat: Seat, position: Position, *, chess960: bool) -> tuple[str | None, int]:
        question = self._question(seat, position, chess960=chess960)
        if question is None or seat.build is None:
            return None, 0
        account = "" if self._config.shared else LOCAL
        board = board_of(question)
        return key_of(question, seat.build, account, board, self._digests), question.lines

    def _row(self, seat: Seat, position: Position, said: bytes, *, chess960: bool) -> "Row | None":
        question = self._question(seat, position, chess960=chess960)
        key, _ = self._key(seat, position, chess960=chess960)
        if question is None or key is None:
            return None
        board = board_of(question)
        evaluation = Evaluation.of_search(said, board)
        if evaluation is None or evaluation.depth < self._config.least_depth:
            return None
        from rookery_server.cache.evaluation_store import Row

        return Row(
            key=key,
            account="" if self._config.shared else LOCAL,
            engine=seat.talk.answer.name,
            position=normal_form(board, question.variant) or "",
            evaluation=evaluation,
            stored=int(time.time()),
        )

    def _is_enough(self, known: Evaluation, wanted: int) -> bool:
        """Say whether what is known is as good as what would be searched."""
        limits = self._limits
        return (
            len(known.lines) >= wanted
            and known.depth >= (limits.depth or 0)
            and known.nodes >= (limits.nodes or 0)
            and known.time >= (limits.movetime or 0)
        )


def _open(url: str) -> "Store":
    # Only here, for it takes 0.3 s and 28 MB, and most jobs have no cache.
    from rookery_server.cache.evaluation_store import Store

    return Store(url)
