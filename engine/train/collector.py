"""Self-play of the engine, in this process, that collects positions which the search visits.

The search calls its `Watch` at the next node whenever a countdown is over.  Here each such call
keeps the position just visited, and sets the countdown to a random number of nodes; the
engine knows nothing of it.  Positions in check are left out: no network is asked about them.
"""

import cython

if not cython.compiled:
    raise ImportError("the trainer is not compiled: run `make train`", name="cython")

from cython.cimports.rookery_engine.core import fen_codec as _fen
from cython.cimports.rookery_engine.core.movegen import ALL, EVERYONE, generate
from cython.cimports.rookery_engine.core.position import Position, make_move, next_random
from cython.cimports.rookery_engine.core.types import MAX_MOVES, NO_SCORE, i64, u16, u64
from cython.cimports.rookery_engine.search.root import (
    add_root,
    close_lines,
    prepare_root,
    search_as_helper,
)
from cython.cimports.rookery_engine.search.searcher import Searcher
from cython.cimports.rookery_engine.search.thread import (
    Thread,
    is_draw,
    set_root_position,
    static_evaluation,
)
from cython.cimports.rookery_engine.search.transposition import next_age
from cython.cimports.train.piles import HELD_OUT, make_room
from cython.cimports.train.sample import make_sample

DRAWN = cython.declare(cython.int, 1)  # half points; no sample has a result of its own
HASH_MB = 1
MOST_PLIES = cython.declare(cython.int, 300)  # of a game
OPENING_RANDOM = cython.declare(cython.int, 5)  # 0 to 4 random plies after an opening
RANDOM_EVERY = cython.declare(cython.int, 100)  # one move in so many is random
REVERSIBLE = cython.declare(cython.int, 50)  # plies without progress; more end the game
WON = cython.declare(cython.int, 1000)  # units of wdl.py; more for so many plies ends the game
WON_PLIES = cython.declare(cython.int, 8)
NEVER = cython.declare(i64, 1 << 62)


class Collector(Piles):
    """Self-play of the engine that collects samples, each with a score of 0 and as drawn.

    Args:
        nodes: How many each search has.
        every: A visited position is kept after so many nodes, in the mean.
        seed: 64 bits, of all that is random.

    Attributes:
        games: How many have been played.

    Raises:
        MemoryError: there is no room for a search.

    """

    def __init__(self, nodes: int, every: int, seed: int) -> None:
        self.searcher = Searcher(HASH_MB)
        thread: cython.pointer[Thread] = self.searcher.pool.threads[0]
        sampling = cython.address(self.sampling)
        sampling.thread = thread
        sampling.nodes = nodes
        sampling.every = every
        sampling.random = seed
        sampling.watch.owner = sampling
        sampling.watch.tick = on_tick
        thread.watch = cython.address(sampling.watch)
        thread.signals.show_lines = True
        thread.signals.deadline = NEVER
        thread.signals.max_nodes = NEVER  # less would set the countdown

    @property
    def nodes(self) -> int:
        """The number of nodes of all searches."""
        return self.sampling.thread.nodes

    def play(self, fen: str) -> None:
        """Play a game from an opening.

        Raises:
            FenError: the opening cannot be played.
            MemoryError: there is no room for the samples.

        """
        pos: Position
        _fen.read_fen(cython.address(pos), fen, False)
        which: cython.int = self.games % HELD_OUT == HELD_OUT - 1
        self.sampling.pile = cython.address(self.piles[which])
        with cython.nogil:
            play_game(cython.address(self.sampling), cython.address(pos))
        if self.sampling.full:
            raise MemoryError("there is not enough memory for the samples")
        self.games += 1


def play_game(sampling, pos):
    """Play a game from a position on, which becomes the last."""
    thread = sampling.thread
    random = cython.address(sampling.random)
    before: Position
    moves: u16[MAX_MOVES]
    won: cython.int = 0
    opening: cython.int = next_random(random) % cython.cast(u64, OPENING_RANDOM)
    for ply in range(MOST_PLIES):
        set_root_position(thread, pos)
        thread.root_key = ply
        thread.keys[ply] = pos.key
        count: cython.int = generate(pos, cython.address(moves[0]), ALL, EVERYONE)
        if count == 0 or pos.rule50 > REVERSIBLE or is_draw(thread, 0):
            return
        if ply < opening or next_random(random) % cython.cast(u64, RANDOM_EVERY) == 0:
            move = moves[next_random(random) % cython.cast(u64, count)]
        else:
            score = search_position(sampling, cython.address(moves[0]), count)
            move = thread.roots[0].move
            won = won + 1 if score > WON or score < -WON else 0
            if won == WON_PLIES:
                return
        before = pos[0]
        make_move(cython.address(before), pos, move)


def search_position(sampling, moves, count):
    """Search the root position; return the score of the best move, the first of the roots."""
    thread = sampling.thread
    static: cython.int = NO_SCORE
    if not thread.positions[0].checkers:
        static = static_evaluation(thread, 0)
    prepare_root(thread, static)
    next_age(thread.table)
    for index in range(count):
        add_root(thread, moves[index], static)
    thread.lines = 1
    sampling.last_node = thread.nodes + sampling.nodes
    count_down(sampling)
    search_as_helper(thread)
    close_lines(thread)
    return thread.roots[0].score


def on_tick(owner):
    """Keep the position that the search has just visited, if its turn has come."""
    sampling = cython.cast(cython.pointer(Sampling), owner)
    thread = sampling.thread
    sampling.watch.next_tick = 0  # the next call comes when the countdown is over again
    sampling.watch.telling = False
    if thread.nodes >= sampling.next_sample:
        wait: u64 = 1 + next_random(cython.address(sampling.random)) % (2 * sampling.every - 1)
        sampling.next_sample = thread.nodes + wait
        pos = cython.address(thread.positions[thread.recorded_length])
        if not pos.checkers:
            pile = sampling.pile
            if make_room(pile, 1):
                make_sample(pos, 0, DRAWN, pile.samples + pile.count)
                pile.count += 1
            else:
                sampling.full = True
    thread.stopped = thread.nodes >= sampling.last_node
    count_down(sampling)


def count_down(sampling):
    """Set the nodes to the next call: to the next sample or to the end of the search."""
    following = sampling.last_node
    if sampling.next_sample < following:
        following = sampling.next_sample
    sampling.thread.countdown = cython.cast(cython.int, following - sampling.thread.nodes)
