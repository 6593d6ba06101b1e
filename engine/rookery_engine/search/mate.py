"""A search for nothing but mate, for `go mate`.

One side attacks: its aim is to mate within so many moves.  The aim of the other is to escape.
There is no evaluation and nothing is pruned, so an answer of either kind is a proof.

The tree grows where least is left to prove: a proof-number search (L. V. Allis, Searching for
Solutions in Games and Artificial Intelligence, 1994), depth first between two limits (df-pn;
A. Nagai, 2002).  The proof number of a position is the number of open positions that must at
least turn out well for the side to move, so that it reaches its aim; the disproof number is that
of its opponent.  An open position counts one for the defender, and for the attacker as many
as there are replies: checks, and moves that leave few replies, are tried first.

Results are stored in the table under keys of their own, each for one number of moves that are
left.  These only become fewer, so no result depends on the way to its position.
"""

import cython
from cython.cimports.rookery_engine.core.movegen import ALL, EVERYONE, generate
from cython.cimports.rookery_engine.core.position import (
    Position,
    gives_check,
    insufficient_material,
    make_move,
)
from cython.cimports.rookery_engine.core.types import (
    CASTLING,
    MATE,
    MAX_MOVES,
    MAX_PLY,
    NO_MOVE,
    kind,
    u16,
    u64,
)
from cython.cimports.rookery_engine.search.thread import FIFTY_MOVES, has_moves, is_repeated, visit
from cython.cimports.rookery_engine.search.transposition import EXACT, Found, probe, store

NEVER = cython.declare(cython.int, 30_000)  # infinity; a score in the table can hold it
FAR = cython.declare(cython.int, 10_000)  # as good as infinity, but not proven
SLACK = cython.declare(cython.int, 4)  # see `solve`; with 2 or 8 there are fewer mates found
SALT = cython.declare(u64, 0x9E3779B97F4A7C15)  # of the keys; any odd number will do


def find_mate(thread, moves, attacking, most):
    """Search for a mate in so many moves at most, then for shorter ones, until `most` nodes.

    The root's side is `attacking`, or is mated.  Set score and variation of its best
    move, with MultiPV those of all moves that are mated, and return the best one's index.  Return
    NO_MATE if that is proven, otherwise GAVE_UP.
    """
    node: Proof
    best = thread.roots[0].move
    proven: cython.int = 0
    while moves > 0:
        move = solve(thread, 0, moves, attacking, cython.address(node), NEVER, NEVER, most)
        mates: cython.bint = (node.won if attacking else node.lost) == 0
        if mates or (not attacking and node.won == 0):  # the latter escapes from a shorter mate
            best = move
        if not mates:
            break
        proven = moves
        moves = node.length - 1
    if not proven:
        return NO_MATE if is_decided(cython.address(node)) else GAVE_UP
    place = 0
    for index in range(thread.root_count):
        move = thread.roots[index].move
        if move == best:
            place = index
        if move == best or (thread.lines > 1 and not attacking):
            set_line(thread, index, proven - attacking, not attacking, 2 * most)
    return place


def set_line(thread, index, moves, attacking, most):
    """Set score and variation of a root move behind which a mate in so many moves is proven.

    The proof is in the table; what has been replaced there is searched again.
    """
    root = cython.address(thread.roots[index])
    node: Proof
    ply: cython.int = 0
    move = root.move
    while move != NO_MOVE and ply < MAX_PLY:
        root.pv[ply] = move
        visit(thread, ply, move)
        ply += 1
        move = solve(thread, ply, moves, attacking, cython.address(node), NEVER, NEVER, most)
        decided = is_decided(cython.address(node))
        if ply == 1:
            plies = 2 * (node.length if decided else moves)
            root.score = plies - MATE if attacking else MATE - 1 - plies
            root.bound = EXACT
        if not decided:
            break
        moves -= attacking
        attacking = not attacking
    root.length = root.seldepth = ply


def solve(thread, ply, moves, attacking, node, won_limit, lost_limit, most):
    """Search a position until one of its numbers reaches its limit; return the best move.

    That is the shortest way to mate, or the longest before it; while neither is proven, the most
    promising move.  This is searched until it needs more than the second by a quarter (`SLACK`), or
    the search would change between the two all the time.  A repetition comes last: if there is a
    mate behind it, there is a shorter one.
    """
    if ply and is_drawn(thread, ply):
        decide(node, not attacking)
        return NO_MOVE
    if ply and (won_limit if attacking else lost_limit) <= FAR and is_repeated(thread, ply):
        node.won = FAR if attacking else 1
        node.lost = 1 if attacking else FAR
        return NO_MOVE
    children: Proof[MAX_MOVES]
    count = expand(thread, ply, moves, attacking, children)
    second: cython.int = 0
    best = sum_up(children, count, attacking, node, cython.address(second))
    while node.won < won_limit and node.lost < lost_limit and not is_out_of_nodes(thread, most):
        visit(thread, ply, best.move)
        solve(
            thread, ply + 1, moves - attacking, not attacking, best,
            lost_limit - (node.lost - best.won), min(won_limit, second + second // SLACK + 1), most,
        )  # fmt: skip
        best = sum_up(children, count, attacking, node, cython.address(second))
    if ply:  # at the root, there may be `searchmoves`
        key = result_key(thread, cython.address(thread.positions[ply]), moves, attacking)
        store(thread.table, key, 0, node.length, node.won, node.lost, 2 * moves, EXACT, False)
    return best.move if count else NO_MOVE


def expand(thread, ply, moves, attacking, children):
    """List the moves, with what is known of the positions behind them."""
    pos = cython.address(thread.positions[ply])
    after: Position
    choice: u16[MAX_MOVES]
    count: cython.int = thread.root_count
    if ply:
        count = generate(pos, cython.address(choice[0]), ALL, EVERYONE)
    for index in range(count):
        child = cython.address(children[index])
        child.move = choice[index] if ply else thread.roots[index].move
        child.length = 0
        if attacking and moves == 1 and not may_check(pos, child.move):
            decide(child, True)
            continue
        make_move(pos, cython.address(after), child.move)
        estimate(thread, cython.address(after), moves - attacking, not attacking, child)
    return count


def may_check(pos, move):
    """Say whether a move could check; any castling could."""
    return kind(move) == CASTLING or gives_check(pos, move)


def estimate(thread, pos, moves, attacking, node):
    """Set the numbers of a position from the table, or of a new one from its replies.

    To generate them counts as a node, since it takes about as long.
    """
    known: Found
    if probe(thread.table, result_key(thread, pos, moves, attacking), 0, cython.address(known)):
        node.length = known.move
        node.won = known.score
        node.lost = known.evaluation
        return
    node.won = node.lost = 1
    if not attacking:
        replies: u16[MAX_MOVES]
        thread.nodes += 1
        thread.countdown -= 1
        node.lost = generate(pos, cython.address(replies[0]), ALL, EVERYONE)
        if node.lost == 0 or moves == 0:
            decide(node, node.lost > 0 or not pos.checkers)


def sum_up(children, count, attacking, node, second):
    """Set the numbers of a position from those of its children; return the next to search.

    One that is lost wins; so the least disproof number of a child is the proof number here, and the
    sum of their proof numbers is the disproof number.  `second` is the next child's disproof
    number.
    """
    best = children
    total: cython.int = 0
    second[0] = NEVER
    for index in range(count):
        child = cython.address(children[index])
        total += child.won
        longer: cython.int = child.length - best.length
        if child.lost < best.lost or (
            child.lost == best.lost and (longer < 0 if attacking else longer > 0)
        ):
            second[0] = best.lost
            best = child
        elif index and child.lost < second[0]:
            second[0] = child.lost
    node.won = best.lost if count else NEVER
    node.lost = NEVER if node.won == 0 else min(total, NEVER - 1)
    node.length = 0
    if count and (node.won if attacking else node.lost) == 0:
        node.length = best.length + attacking
    return best


def decide(node, won):
    """Set the numbers of a position in which the side to move reaches its aim, or cannot."""
    node.won = 0 if won else NEVER
    node.lost = NEVER if won else 0


def is_drawn(thread, ply):
    """Say whether the position is drawn by material, fifty moves or the third time in the game.

    Repetitions within the search are no draws: each time, fewer moves are left.
    """
    pos = cython.address(thread.positions[ply])
    if insufficient_material(pos):
        return True
    if pos.rule50 >= FIFTY_MOVES and (not pos.checkers or has_moves(pos)):
        return True
    now_at = thread.root_key + ply
    most: cython.int = min(pos.reversible, now_at)
    seen = 0
    for back in range(ply + ply % 2, most + 1, 2):
        if thread.keys[now_at - back] == pos.key:
            seen += 1
    return seen >= 2


def result_key(thread, pos, moves, attacking):
    """Return the key of all that a result depends on.

    These are the game before the root, of which the table's age must do, and the moves without a
    capture or a pawn's move, if these could become fifty before mate.
    """
    word: u64 = 2 * moves + attacking
    word |= cython.cast(u64, thread.table.age) << 8
    if pos.rule50 + 2 * moves >= FIFTY_MOVES:
        word |= cython.cast(u64, pos.rule50 + 1) << 16
    return pos.key ^ (word + 1) * SALT


def is_out_of_nodes(thread, most):
    """Say whether the search for mate must end."""
    return thread.stopped or thread.nodes >= most
