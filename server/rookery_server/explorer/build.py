"""The making of the explorer's file of games in PGN: in bounded memory, by several processes."""

import signal
import tempfile
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path

from rookery_analysis.game_source import InputGame, Shard, input_games, sizes
from rookery_server.explorer.game_file import StoredGame, add_games, add_positions, new_file
from rookery_server.explorer.opening_reader import OpeningReader
from rookery_server.explorer.spill import Spill, records_of

_AT_ONCE = 500  # games that a process reads
_AHEAD = 3  # such parts for each process


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """The games that are taken, and how much of each is for the explorer.

    `plies`: so many half-moves are found by position; all of a game are kept.  `least_elo`: of
    both players; 0 takes games without ratings, too.
    """

    plies: int = 40
    least_elo: int = 0
    processes: int = 1


@dataclass(slots=True)
class Progress:
    """The work so far; `share` of the input is read, None if its size is not known."""

    read: int = 0  # games
    kept: int = 0
    positions: int = 0
    share: float | None = 0.0


@dataclass(frozen=True, slots=True)
class _Part:
    """The games of some texts, and their moves by the parts of the spill."""

    read: int
    source: int
    offset: int
    games: list[StoredGame]
    moves: dict[int, bytes]


def build(
    sources: Sequence[str],
    target: Path,
    options: BuildOptions,
    report: Callable[[Progress], None] = lambda _: None,
) -> Progress:
    """Make the file; one that is there is replaced when the new one is complete.

    Raises:
        ConfigError: an input cannot be read.
        OSError: the file cannot be written.

    """
    lengths, progress = sizes(sources), Progress()
    with (
        new_file(target) as database,
        tempfile.TemporaryDirectory(dir=target.parent, prefix=f"{target.name}.") as folder,
    ):
        spill = Spill(Path(folder))
        for part in _parts(input_games(sources, Shard()), options):
            add_games(database, part.games)
            for number, moves in part.moves.items():
                spill.add(number, moves)
            progress.read += part.read
            progress.kept += len(part.games)
            progress.share = _share(lengths, part)
            report(progress)
        progress.positions = add_positions(database, spill.entries())
    return progress


def _share(lengths: Sequence[int | None], part: _Part) -> float | None:
    """Return the share of the input that was read up to the end of a part."""
    known = [each for each in lengths if each is not None]
    if len(known) < len(lengths) or not sum(known):
        return None
    return (sum(known[: part.source]) + part.offset) / sum(known)


def _parts(games: Iterator[InputGame], options: BuildOptions) -> Iterator[_Part]:
    """Yield what was read, in the order of the input."""
    texts = iter(lambda: list(islice(games, _AT_ONCE)), [])
    read = partial(_read_part, options)
    if options.processes == 1:
        yield from map(read, texts)
        return
    waiting: deque[Future[_Part]] = deque()
    with ProcessPoolExecutor(options.processes, initializer=_leave_interrupts) as pool:
        for each in texts:
            waiting.append(pool.submit(read, each))
            if len(waiting) > _AHEAD * options.processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _leave_interrupts() -> None:
    """Leave Ctrl-C to the process that has begun this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@cache
def _reader(plies: int) -> OpeningReader:
    """Return the reader of this process."""
    return OpeningReader(plies)


def _read_part(options: BuildOptions, texts: list[InputGame]) -> _Part:
    reader = _reader(options.plies)
    games = []
    moves: defaultdict[int, bytearray] = defaultdict(bytearray)
    for each in texts:
        game = reader.read_game(each.text)
        if game is None or min(game.ratings) < options.least_elo:
            continue
        games.append(StoredGame.of(game, each.number))
        for number, record in records_of(game, each.number):
            moves[number] += record
    last = texts[-1]
    packed = {number: bytes(each) for number, each in moves.items()}
    return _Part(len(texts), last.source, last.text.end.offset, games, packed)
