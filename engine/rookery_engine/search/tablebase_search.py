"""Tablebases in the search: bounds in the tree, and an order of the root moves.

In the tree only WDL is probed, and only where the fifty-move counter is zero, since
a table's result counts from there.  It is a bound and not a score: no table has the
distance to mate.

At the root the moves are ranked such that wins are won and draws are held under the
fifty-move rule.  A result is sure if the next capture, pawn move or mate comes before the
counter ends the game, counted from where it stands.  Of the moves that keep a win the one
with the shortest way to the next capture or pawn move ranks first, so that each brings the
end nearer; moves of one rank are left to the search.  The rules are those of Stockfish
(`tbprobe.cpp`), but for one: there all moves that keep a win rank the same until a position
is repeated.
"""

import cython
from cython.cimports.rookery_engine.core.position import insufficient_material, make_move, occupied
from cython.cimports.rookery_engine.core.types import DRAW, MATE_BOUND, TABLE_WIN, popcount
from cython.cimports.rookery_engine.search.thread import has_moves, is_draw, is_repeated
from cython.cimports.rookery_engine.search.transposition import EXACT, LOWER, NO_BOUND, UPPER
from cython.cimports.rookery_engine.syzygy.probing import (
    CURSED_WIN,
    LOSS,
    TABLE_DRAW,
    WIN,
    dtz_before_zeroing,
    probe_dtz,
    probe_wdl,
    sign,
)

# Ranks: a sure win in n plies is SURE - n; one that the fifty-move rule takes away is
# DOUBTFUL less the counter when it would be zeroed; 0 is a draw.  Losses are the negative,
# but for those with a quick end, which are all -SURE.
SURE = cython.declare(cython.int, 1 << 18)
DOUBTFUL = cython.declare(cython.int, 1 << 17)
SURE_PLIES = cython.declare(cython.int, 100)  # a rank no farther below SURE is a sure win
CURSED_SCORE = cython.declare(cython.int, 2)  # units of wdl.py; a draw with chances
NEAR = cython.declare(cython.int, 200)  # plies over which a doubtful win gains a pawn
PAWN_SCORE = cython.declare(cython.int, 100)


def probe_in_tree(thread, depth, ply, score):
    """Probe the position at `ply`; set `score`, and return the bound that it is, if known."""
    probing = cython.address(thread.signals.probing)
    pos = cython.address(thread.positions[ply])
    men = popcount(occupied(pos))
    if pos.rule50 or pos.castling or men > probing.men:
        return NO_BOUND
    if men == probing.men and depth < probing.depth:
        return NO_BOUND
    ok: cython.int = 0
    wdl = probe_wdl(probing.tables, pos, cython.address(ok))
    if not ok:
        return NO_BOUND
    thread.tbhits += 1
    sure = CURSED_WIN if probing.rule50 else TABLE_DRAW
    if wdl > sure:
        score[0] = TABLE_WIN - ply
        return LOWER
    if wdl < -sure:
        score[0] = ply - TABLE_WIN
        return UPPER
    score[0] = DRAW + CURSED_SCORE * wdl
    return EXACT


def rank_roots(thread, best_only):
    """Rank the root's moves and sort them; if `best_only`, leave out those not of the best rank.

    A known root needs no probes within the search, except for the way to a win that only WDL
    tables have.  So the ranking comes before other threads start.
    """
    thread.ranked = rank_by_tables(thread)
    if thread.ranked == UNRANKED:
        return
    if thread.ranked == BY_DTZ or thread.roots[0].table_score <= DRAW:
        thread.signals.probing.men = 0
    if best_only:
        while thread.roots[thread.root_count - 1].rank < thread.roots[0].rank:
            thread.root_count -= 1


def reported_score(thread, root, score):
    """Return the score to report of a line: that of the tables, except for a mate.

    A mate that contradicts the tables is ignored: it is in the transposition table from a
    position with a lower fifty-move counter.
    """
    if thread.ranked == UNRANKED:
        return score
    won: cython.bint = score >= MATE_BOUND and root.table_score == TABLE_WIN
    lost: cython.bint = score <= -MATE_BOUND and root.table_score == -TABLE_WIN
    return score if won or lost else root.table_score


def rank_by_tables(thread):
    """Rank the root moves and sort them, the best first; return the kind of table used."""
    probing = cython.address(thread.signals.probing)
    pos = cython.address(thread.positions[0])
    for index in range(thread.root_count):
        thread.roots[index].rank = 0
    if (
        not probing.men
        or not thread.root_count
        or pos.castling
        or popcount(occupied(pos)) > probing.men
    ):
        return UNRANKED
    ok: cython.int = 0
    least = probe_dtz(probing.tables, pos, cython.address(ok))
    for way in range(BY_DTZ, UNRANKED, -1):
        for index in range(thread.root_count):
            root = cython.address(thread.roots[index])
            if way == BY_DTZ:
                root.rank = rank_by_dtz(thread, root.move, least, cython.address(ok))
            else:
                root.rank = rank_by_wdl(thread, root.move, cython.address(ok))
            if not ok:
                break
            root.table_score = score_of(root.rank, probing.rule50)
        if ok:
            thread.tbhits += thread.root_count
            sort_by_rank(thread)
            return way
    for index in range(thread.root_count):
        thread.roots[index].rank = 0
    return UNRANKED


def rank_by_dtz(thread, move, least, ok):
    """Return the rank of a root move by the plies to the next zeroing move.

    `least` is the root's own DTZ.
    """
    tables = thread.signals.probing.tables
    before = cython.address(thread.positions[0])
    after = cython.address(thread.positions[1])
    make_move(before, after, move)
    thread.keys[thread.root_key + 1] = after.key
    dtz: cython.int
    ok[0] = 1
    if after.rule50 == 0:
        dtz = dtz_before_zeroing(-probe_wdl(tables, after, ok))
    elif ends_in_draw(thread):
        dtz = 0
    else:
        dtz = -probe_dtz(tables, after, ok)
        dtz += sign(dtz)
        if dtz == 2 and after.checkers and not has_moves(after):
            dtz = 1  # mate
    return rank_of_dtz(dtz, least, before.rule50)


def ends_in_draw(thread):
    """Say whether a root move ends the game in a draw, by the rules that count."""
    if thread.signals.probing.rule50:
        return is_draw(thread, 1)
    return is_repeated(thread, 1) or insufficient_material(cython.address(thread.positions[1]))


def rank_of_dtz(dtz, least, rule50):
    """Return the rank of a move after which so many plies, with itself, end in zeroing.

    The last of these plies would bring the counter to `dtz + rule50`, and 100 ends the game
    after it.  A table that counts in moves may have one ply too few: a win in time by such a
    DTZ counts as a win, as in Stockfish, unless `least` of the root disproves it.
    """
    if dtz > 0:
        plies = dtz if dtz > least else least
        return SURE - dtz if plies + rule50 <= SURE_PLIES else DOUBTFUL - dtz - rule50
    if dtz < 0:
        if rule50 - dtz > SURE_PLIES:
            return rule50 - dtz - DOUBTFUL
        # Twice, since a side that loses may still hope if half the way is not enough.
        return -SURE if rule50 - 2 * dtz < SURE_PLIES else -SURE - dtz
    return 0


def rank_by_wdl(thread, move, ok):
    """Return the rank of a root move by its result alone."""
    before = cython.address(thread.positions[0])
    after = cython.address(thread.positions[1])
    make_move(before, after, move)
    thread.keys[thread.root_key + 1] = after.key
    ok[0] = 1
    if ends_in_draw(thread):
        return 0
    wdl = -probe_wdl(thread.signals.probing.tables, after, ok)
    if wdl == WIN or wdl == LOSS:
        return SURE if wdl > 0 else -SURE
    return (DOUBTFUL - NEAR) * wdl


def score_of(rank, rule50):
    """Return the score of a root move by its rank.

    Without the fifty-move rule every win is one.  With it, a doubtful win gets
    up to half a pawn more, the nearer zeroing is.
    """
    sure = SURE - SURE_PLIES if rule50 else 1
    if rank >= sure:
        return TABLE_WIN
    if rank <= -sure:
        return -TABLE_WIN
    above = (rank if rank > 0 else -rank) - (DOUBTFUL - NEAR)
    score = (above if above > 3 else 3) * PAWN_SCORE // NEAR
    return DRAW if rank == 0 else score if rank > 0 else -score


def sort_by_rank(thread):
    """Sort the root's moves by rank; those of one rank stay in their order."""
    for index in range(1, thread.root_count):
        moved = thread.roots[index]
        place: cython.int = index
        while place > 0 and thread.roots[place - 1].rank < moved.rank:
            thread.roots[place] = thread.roots[place - 1]
            place -= 1
        thread.roots[place] = moved
