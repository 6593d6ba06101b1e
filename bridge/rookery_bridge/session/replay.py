"""What a server is told once more, and by how much time there is now.  No I/O."""

from collections.abc import Iterable, Mapping, Sequence

from rookery_bridge.session.game_setup import Recall
from rookery_bridge.session.pending import Debt, Kind, Search
from rookery_bridge.session.sent_lines import Entry


def said_again(entries: Iterable[Entry], now: float, delay: float) -> list[Entry]:
    """Return what a session that is come back to has not heard; searches have less time by now.

    `delay` is what the network takes of each clock, in seconds.
    """
    again = list(entries)
    for entry in again:
        if entry.asks and isinstance(entry.debt, Search) and entry.debt.clock:
            entry.line = str(entry.debt.command(now, delay)).encode()
    return again


def begun_anew(
    unpaid: Mapping[Kind, Sequence[Debt]], recall: Recall, now: float, delay: float
) -> list[Entry]:
    """Return what another session has to be told, so that it owes what the former one did."""
    entries = [Entry(b"uci", debt, asks=True) for debt in unpaid[Kind.UCIOK]]
    entries += [Entry(line) for line in recall.setup()]
    for search in unpaid[Kind.BESTMOVE]:
        assert isinstance(search, Search)
        search.is_put_off = False  # by the old one
        told = str(search.command(now, delay)).encode()
        entries += [Entry(str(search.position).encode()), Entry(told, search, asks=True)]
        entries += [Entry(b"stop", search)] * (search.stopped_at is not None)
    entries += [Entry(line) for line in recall.position_line()]
    return entries + [Entry(b"isready", debt, asks=True) for debt in unpaid[Kind.READYOK]]
