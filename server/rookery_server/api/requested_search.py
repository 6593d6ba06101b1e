"""A search that was asked for, and its answers as documents.  No I/O."""

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from rookery_analysis.evaluation import PositionEvaluation
from rookery_server.analysis.position_reading import RequestedPosition
from rookery_server.analysis.variation_record import variation_record
from rookery_server.api.pending_search import NO_MOVES, PendingSearch
from rookery_server.api.schema import AnalyseRequest, Analysis, Variation
from rookery_server.api.search_sessions import SearchTask
from rookery_server.engines.offered_options import OfferedOptions
from rookery_uci import Info


@dataclass(frozen=True)
class RequestedSearch:
    """A request, the search that it means, and what its answers need."""

    asked: AnalyseRequest
    task: SearchTask
    position: RequestedPosition
    offer: OfferedOptions

    def outcome(self) -> Analysis | None:
        """Return the answer by the rules: None unless the game is over."""
        if (how := self.position.outcome) is None:
            return None
        return self._analysis(outcome=how, notices=self.position.notices)

    def current_answer(self, pending: PendingSearch) -> Analysis:
        """Return what is known of the position so far, or in the end."""
        infos = pending.lines()
        best, (depth, nodes, time) = pending.best, pending.progress()
        found = self._analysis(
            final=pending.is_over,
            depth=depth,
            nodes=nodes,
            time=time,
            lines=self._variations(infos),
            notices=[*self.position.notices, *pending.notices],
        )
        if best and best.move not in NO_MOVES:
            found.best, found.ponder = best.move, best.ponder
        return found

    def cached_answer(self, known: PositionEvaluation) -> Analysis:
        """Return what the cache knows of the position."""
        first = known.lines[0].pv
        return self._analysis(
            best=first[0] if first else None,
            ponder=first[1] if len(first) > 1 else None,
            depth=known.depth,
            nodes=known.nodes,
            time=known.time,
            lines=self._variations(known.lines),
            cached=known.date,
            notices=self.position.notices,
        )

    def _variations(self, infos: Iterable[Info]) -> list[Variation]:
        board, with_san = self.position.board, self.asked.san
        return [
            msgspec.convert(variation_record(info, board, with_san=with_san), Variation)
            for info in infos
        ]

    def _analysis(self, *, final: bool = True, **members: object) -> Analysis:
        return Analysis(
            id=self.asked.id,
            fen=self.position.fen,
            engine=self.task.pool.name,
            final=final,
            **members,  # type: ignore[arg-type]  # Each caller names members of the document.
        )
