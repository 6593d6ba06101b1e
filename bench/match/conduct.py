"""One match from beginning to end, with its progress, its games and Ctrl-C."""

import contextlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.child import MissingError
from bench.match.lane import Setting, play_pairs
from bench.match.opening import openings
from bench.match.pgn import pgn
from bench.match.summary import MatchSummary

EVERY = 30.0  # s between lines of progress, where there is no terminal


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """The number of games, their openings, and the number of games at once."""

    games: int
    book: Path | None
    seed: int
    concurrency: int
    pgn: Path | None = None


def conduct(
    setting: Setting,
    plan: MatchPlan,
    *,
    over: Callable[[MatchSummary], bool] = lambda summary: False,
    note: Callable[[MatchSummary], str] = str,
) -> MatchSummary:
    """Play until all games are played, it is `over`, or Ctrl-C; show `note` meanwhile.

    What goes wrong after the first games ends the match, and does not lose them.

    Raises:
        MissingError: a player cannot be started.
        ValueError: there are no openings, or one is not a legal position.
        OSError: the games cannot be written.

    """
    summary = MatchSummary()
    progress = Progress()
    book = openings(plan.book, seed=plan.seed, chess960=setting.chess960)
    pairs = play_pairs(setting, book, pairs=max(1, plan.games // 2), concurrency=plan.concurrency)
    try:
        with contextlib.closing(pairs):
            for pair in pairs:
                summary.add(pair)
                if plan.pgn:
                    with plan.pgn.open("a", encoding="utf-8") as file:
                        file.write("".join(pgn(game, setting.limit) for game in pair.games))
                if over(summary):
                    break
                games = len(summary.games)
                progress.show(f"{games}/{plan.games} {note(summary)}", games)
    except KeyboardInterrupt:
        summary.interrupted = True
    except (MissingError, ValueError, OSError) as error:
        if not summary.games:
            raise
        summary.details.append(f"the match ended early: {error}")
    finally:
        progress.end()
    return summary


class Progress:
    """One line on a terminal, written over and over; now and then a line elsewhere."""

    def __init__(self, every: float = EVERY) -> None:
        self._every = every
        self._terminal = sys.stderr.isatty()
        self._started = self._shown = time.monotonic()

    def show(self, text: str, games: int) -> None:
        """Show how far it is."""
        now = time.monotonic()
        speed = f"{games / (now - self._started):.2f} games/s"
        if self._terminal:
            print(f"\r\x1b[K{text}, {speed}", end="", file=sys.stderr, flush=True)
        elif now - self._shown > self._every:
            self._shown = now
            print(f"{text}, {speed}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line."""
        if self._terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
