"""Search of the root moves by one thread, without the GIL.

`iterative_deepening` controls the iterations of the first thread, and reports between them;
helpers iterate alone until they are stopped.
"""

import cython
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.rookery_engine.core.types import (
    INFINITE,
    MATE_BOUND,
    MAX_PLY,
    NO_MOVE,
    NO_SCORE,
    u16,
    u64,
)
from cython.cimports.rookery_engine.search.history import NO_CONTINUATION
from cython.cimports.rookery_engine.search.reductions import PARTS, reduction
from cython.cimports.rookery_engine.search.search import search
from cython.cimports.rookery_engine.search.tablebase_search import UNRANKED
from cython.cimports.rookery_engine.search.thread import (
    BEFORE,
    CHECK_EVERY,
    RootMove,
    report_current_move,
    set_root_position,
    update_pv,
    visit,
)
from cython.cimports.rookery_engine.search.transposition import EXACT, LOWER, UPPER, store
from cython.cimports.rookery_engine.search.weakness import add_preference

WINDOW = cython.declare(cython.int, 18)  # units of wdl.py
WINDOW_SQUARE = cython.declare(cython.int, 4999)  # of the score: makes the window one wider
WINDOW_GROWTH = cython.declare(cython.int, 55)  # per cent, when the score is outside
ROOT_PARTS = cython.declare(cython.int, 1290)  # by which root moves are reduced less than others
WINDOW_DEPTH = cython.declare(cython.int, 5)  # before, scores change too much for one to pay


def prepare_root(thread, static):
    """Reset a thread for a search from `positions[0]`, with its static evaluation."""
    thread.settled = False
    thread.stopped = False
    thread.null_from = 0
    thread.seldepth = 0
    thread.recorded_length = 0
    thread.root_count = 0
    thread.partial = False
    thread.ranked = UNRANKED
    thread.root_first = 0
    thread.countdown = CHECK_EVERY
    if thread.signals.max_nodes < CHECK_EVERY:
        thread.countdown = thread.signals.max_nodes
    memset(cython.address(thread.frames), 0, cython.sizeof(thread.frames))
    for index in range(BEFORE):
        thread.frames[index].row = NO_CONTINUATION
        thread.frames[index].continuation = thread.history.continuation[NO_CONTINUATION]
        thread.frames[index].evaluation = NO_SCORE
    thread.frames[BEFORE].evaluation = static


def add_root(thread, move, static):
    """Add a move to those that are searched."""
    root = cython.address(thread.roots[thread.root_count])
    memset(root, 0, cython.sizeof(RootMove))
    root.move = root.pv[0] = move
    root.length = 1
    root.score = -INFINITE
    root.bound = root.previous_bound = EXACT
    root.previous = 0 if static == NO_SCORE else static
    root.ceiling = INFINITE
    thread.root_count += 1


def copy_root(source, target):
    """Copy the root to another thread."""
    set_root_position(target, cython.address(source.positions[0]))
    target.root_key = source.root_key
    target.lines = source.lines
    memcpy(
        cython.address(target.keys),
        cython.address(source.keys),
        cython.cast(u64, source.root_key + 1) * cython.sizeof(u64),
    )
    prepare_root(target, source.frames[BEFORE].evaluation)
    target.settled = True
    target.root_count = source.root_count
    target.partial = source.partial
    memcpy(
        cython.address(target.roots),
        cython.address(source.roots),
        cython.cast(u64, source.root_count) * cython.sizeof(RootMove),
    )


def open_roots(thread):
    """Reset all root moves for an iteration."""
    renew_roots(thread, 0)
    for index in range(thread.root_count):
        thread.roots[index].ceiling = INFINITE


def renew_roots(thread, first):
    """Reset the root moves from `first` on for another search in the same iteration."""
    for index in range(first, thread.root_count):
        root = cython.address(thread.roots[index])
        if root.score != -INFINITE:
            root.previous = root.score
            root.previous_bound = root.bound
        root.score = -INFINITE


def sort_roots(thread, first, end):
    """Sort root moves by rank and score; those without one stay in their order."""
    roots = cython.address(thread.roots[0])
    for index in range(first + 1, end):
        moved: RootMove = roots[index]
        place: cython.int = index
        while place > first and (
            roots[place - 1].rank < moved.rank
            or (roots[place - 1].rank == moved.rank and roots[place - 1].score < moved.score)
        ):
            roots[place] = roots[place - 1]
            place -= 1
        roots[place] = moved


def open_window(thread, depth, line, window):
    """Set an aspiration window around the score of the last iteration."""
    expected = thread.roots[line].previous
    window.margin = WINDOW
    if -MATE_BOUND < expected < MATE_BOUND:
        window.margin += expected * expected // WINDOW_SQUARE
    window.failed_high = 0
    window.alpha = -INFINITE
    window.beta = INFINITE
    if depth >= WINDOW_DEPTH:
        margin = window.margin
        window.alpha = expected - margin if expected - margin > -INFINITE else -INFINITE
        window.beta = expected + margin if expected + margin < INFINITE else INFINITE


def try_window(thread, depth, line, window):
    """Search once; return 0 if the score is inside the window (or stopped), -1 below, 1 above.

    If it is outside, the window is made wider for another search.
    """
    less = window.failed_high if window.failed_high < depth else depth - 1
    best = search_root(thread, depth - less, window.alpha, window.beta)
    sort_roots(thread, line, thread.root_count)
    if thread.stopped or (window.alpha < best and best < window.beta):
        return 0
    window.margin += window.margin * WINDOW_GROWTH // 100
    if best <= window.alpha:
        window.failed_high = 0
        window.beta = (window.alpha + window.beta) // 2
        window.alpha = best - window.margin if best - window.margin > -INFINITE else -INFINITE
        return -1
    window.alpha = max(window.alpha, window.beta - window.margin)
    window.beta = best + window.margin if best + window.margin < INFINITE else INFINITE
    window.failed_high += 1
    return 1


def search_root(thread, depth, alpha, beta):
    """Search the root's moves from `root_first` on; return the best score.

    Moves that raise alpha get a score and a variation, the others a ceiling.  These remain
    if the search is stopped.
    """
    best = -INFINITE
    best_move: u16 = NO_MOVE
    thread.window = beta - alpha
    old_alpha = alpha
    for index in range(thread.root_first, thread.root_count):
        root = cython.address(thread.roots[index])
        if root.rank != thread.roots[thread.root_first].rank:
            break  # these are worse by the tablebases
        before = thread.nodes
        number = index - thread.root_first
        thread.seldepth = 0
        if thread.watch != cython.NULL and thread.watch.telling:
            report_current_move(thread, depth, index)
        # A preferred move (see weakness.py) needs so much less to be the best.
        low: cython.int = add_preference(alpha, -root.preference)
        high: cython.int = add_preference(beta, -root.preference)
        visit(thread, 0, root.move)
        score: cython.int = 0
        if number:
            less = (reduction(depth, number + 1) - ROOT_PARTS) // PARTS
            reduced = less if less > 0 and depth > 3 else 0
            score = -search(thread, depth - 1 - reduced, -low - 1, -low, 1, True)
            if reduced and score > low:
                score = -search(thread, depth - 1, -low - 1, -low, 1, True)
        if number == 0 or score > low:
            score = -search(thread, depth - 1, -high, -low, 1, False)
        score = add_preference(score, root.preference)
        root.nodes += thread.nodes - before
        if thread.stopped:
            return best
        if score > best:
            best = score
            best_move = root.move
        if number == 0 or score > alpha:
            root.score = score
            root.bound = LOWER if score >= beta else EXACT if score > alpha else UPPER
            root.seldepth = thread.seldepth
            update_pv(thread, 0, root.move)
            root.length = thread.pv_length[0]
            for place in range(root.length):
                root.pv[place] = thread.pv[0][place]
        if score > alpha:
            alpha = score
            root.ceiling = INFINITE
        elif score < root.ceiling:
            root.ceiling = score
        if alpha >= beta:
            break
    if thread.root_first == 0 and not thread.partial:
        bound = LOWER if best >= beta else EXACT if best > old_alpha else UPPER
        pos = cython.address(thread.positions[0])
        static = thread.frames[BEFORE].evaluation
        store(thread.table, pos.key, 0, best_move, best, static, depth, bound, True)
    return best


def close_lines(thread):
    """End an iteration; lines that it did not reach keep their scores of the last.

    Those scores are cut to the ceiling of this iteration: while a second variation is searched,
    its move has been refuted by the first, and must not come before it.
    """
    thread.root_first = 0
    if thread.stopped:
        for line in range(thread.lines):
            root = cython.address(thread.roots[line])
            if root.score == -INFINITE:
                root.score = root.previous
                root.bound = root.previous_bound
            if root.score > root.ceiling:
                root.score = root.ceiling
        sort_roots(thread, 0, thread.lines)


def search_as_helper(thread):
    """Search deeper and deeper until stopped; the results are in the table."""
    window: Window
    depth: cython.int = 1
    while depth < MAX_PLY and not thread.stopped:
        open_roots(thread)
        for line in range(thread.lines):
            thread.root_first = line
            open_window(thread, depth, line, cython.address(window))
            while try_window(thread, depth, line, cython.address(window)):
                renew_roots(thread, line)
            if thread.stopped:
                break
            sort_roots(thread, 0, line + 1)
        thread.root_first = 0
        depth += 1
