"""Games side by side: each lane is a process with two players of its own.

Processes rather than threads, because python-chess keeps one busy for a tenth of a
millisecond at each move.  A lane gets tasks through a pipe and sends pairs of games
back; when the pipe closes, it ends its engines and itself.
"""

import contextlib
import multiprocessing
import signal
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType

from bench.child import MissingError
from bench.match.game import MARGIN, MatchGame, Rules, play
from bench.match.player import Limit, Options, PlayerError, PlayerSpec, open_player

END_TIMEOUT = 10.0  # s for a lane to end its engines


@dataclass(frozen=True, slots=True)
class Setting:
    """The players of a match, and their conditions."""

    first: PlayerSpec
    second: PlayerSpec
    limit: Limit
    rules: Rules | None = None
    margin: float = MARGIN  # ms
    chess960: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games with the same opening; the first player has White in the first."""

    games: tuple[MatchGame, MatchGame]

    @property
    def scores(self) -> tuple[float, float]:
        """The first player's points in each."""
        return self.games[0].points, 1 - self.games[1].points


@dataclass(frozen=True, slots=True)
class Task:
    """An opening to be played with both colours, and what is set before, if anything."""

    opening: str
    first: Options = ()
    second: Options = ()
    number: int = 0  # by which the caller knows it


def play_pairs(
    setting: Setting, openings: Iterator[str], *, pairs: int, concurrency: int
) -> Generator[Pair, None, None]:
    """Yield pairs as they are finished; nothing is left running when this is closed.

    Raises:
        MissingError: a player cannot be started.

    """
    tasks = map(Task, islice(openings, pairs))
    lanes = min(concurrency, pairs)
    with contextlib.closing(play_tasks(setting, tasks, concurrency=lanes)) as played:
        for _, pair in played:
            yield pair


def play_tasks(
    setting: Setting, tasks: Iterator[Task], *, concurrency: int
) -> Generator[tuple[Task, Pair], None, None]:
    """Yield tasks with their pairs, as `play_pairs` does.

    A task is taken when a lane is free, after what was played before has been dealt with,
    so it may depend on that.
    """
    with contextlib.ExitStack() as stack:
        lanes: dict[Connection, Task] = {}

        def send(lane: Connection) -> None:
            task = next(tasks, None)
            if task is None:
                lanes.pop(lane, None)
            else:
                lanes[lane] = task
                lane.send(task)

        for _ in range(concurrency):
            send(stack.enter_context(_lane(setting)))
        while lanes:
            for lane in wait(list(lanes)):
                assert isinstance(lane, Connection)
                try:
                    result = lane.recv()
                except EOFError:
                    raise MissingError("a lane has ended by itself; it said why") from None
                if isinstance(result, str):
                    raise MissingError(result)
                yield lanes[lane], result
                send(lane)


@contextlib.contextmanager
def _lane(setting: Setting) -> Iterator[Connection]:
    # Not forked: a lane must not hold the ends of other lanes' pipes.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(theirs, setting), name="lane", daemon=True)
    # Ctrl-C reaches a lane too, even before it can say that it does not want it.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    process.start()
    signal.signal(signal.SIGINT, before)
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        _end(process)


def _end(process: BaseProcess) -> None:
    process.terminate()
    process.join(END_TIMEOUT)
    if process.is_alive():
        process.kill()
        process.join()


def _run(connection: Connection, setting: Setting) -> None:
    """Play what is asked for, in the process of the lane."""
    signal.signal(signal.SIGTERM, _leave)
    with contextlib.ExitStack() as stack:
        try:
            first = stack.enter_context(open_player(setting.first))
            second = stack.enter_context(open_player(setting.second))
            if first.name == second.name:
                first.name, second.name = f"{first.name} (1)", f"{second.name} (2)"
            while True:
                task = connection.recv()
                for player, options in ((first, task.first), (second, task.second)):
                    if options:
                        player.set_options(options)
                games = [
                    play(
                        white,
                        black,
                        task.opening,
                        setting.limit,
                        rules=setting.rules,
                        margin=setting.margin,
                        chess960=setting.chess960,
                    )
                    for white, black in ((first, second), (second, first))
                ]
                connection.send(Pair((games[0], games[1])))
        except PlayerError as error:
            connection.send(str(error))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            # Nobody wants more.  Interrupted in the middle of ending its players, it would leave
            # one behind: GNU Chess runs on for ever, at the end of its input.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit
