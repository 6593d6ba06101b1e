"""A search for nothing but mate, for `go mate`.

The side to move tries every move, checks and those that leave few replies first; the
other side searches for one reply that escapes.  There is no evaluation and nothing is
pruned, so an answer of either kind is a proof: a mate found is the shortest, and
none is missed.  Long mates cost too much this way, and the ordinary search finds them sooner:
`iterative_deepening` therefore gives it most of the nodes.

Results are stored in the table under keys of their own.  If a position is no mate
because it repeats one of the line, that holds on other ways too: otherwise the mate
would have been found at its first occurrence, in fewer moves.
"""

import cython
from cython.cimports.rookery_engine.core.movegen import ALL, EVERYONE, generate
from cython.cimports.rookery_engine.core.position import Position, gives_check, is_noisy, make_move
from cython.cimports.rookery_engine.core.types import (
    CASTLING,
    MATE,
    MAX_MOVES,
    MAX_PLY,
    NO_MOVE,
    i32,
    kind,
    u16,
    u64,
)
from cython.cimports.rookery_engine.search.thread import BEFORE, has_moves, is_draw, visit
from cython.cimports.rookery_engine.search.transposition import LOWER, UPPER, Found, probe, store

SALT = cython.declare(u64, 0x9E3779B97F4A7C15)  # of the keys; any number will do
TABLE_RULE50 = cython.declare(cython.int, 60)  # plies; later, fifty moves may come before mate
NO_LIMIT = cython.declare(u64, 1 << 62)  # of nodes
CHECK_WORTH = cython.declare(cython.int, 40)  # replies that a move may leave more if it checks


def find_shortest_mate(thread, moves, most):
    """Search for a mate in just so many moves; there is none shorter.

    Return the index of the root move; -1 if there is no mate, -2 if the thread gave up
    after `most` nodes.
    """
    for index in range(thread.root_count):
        if moves > 1 or may_check(cython.address(thread.positions[0]), thread.roots[index].move):
            visit(thread, 0, thread.roots[index].move)
            escaped: cython.bint = escapes(thread, 1, moves - 1, most)
            if is_out_of_nodes(thread, most):
                return -2
            if not escaped:
                mating_line(thread, index, moves - 1, False)
                thread.roots[index].score = MATE - (2 * moves - 1)
                return index
    return -1


def find_longest_defence(thread, moves, most):
    """Search for the longest defence of a side that is mated in so many moves at most.

    Return the index of the root move that holds out longest; -1 if one escapes,
    -2 if the thread gave up.
    """
    best = -1
    lengths: cython.int[MAX_MOVES]
    for index in range(thread.root_count):
        visit(thread, 0, thread.roots[index].move)
        lengths[index] = mate_in(thread, 1, moves, most)
        if is_out_of_nodes(thread, most):
            return -2
        if lengths[index] == 0:
            return -1
        if best < 0 or lengths[index] > lengths[best]:
            best = index
    for index in range(thread.root_count):
        if index == best or thread.lines > 1:
            mating_line(thread, index, lengths[index], True)
            thread.roots[index].score = -(MATE - 2 * lengths[index])
    return best


def mate_in(thread, ply, moves, most):
    """Return the number of moves, at most so many, in which the side to move mates; 0 if none."""
    pos = cython.address(thread.positions[ply])
    known: Found
    known.move = NO_MOVE
    first: cython.int = 1
    if pos.rule50 < TABLE_RULE50 and probe(thread.table, pos.key ^ SALT, 0, cython.address(known)):
        if known.bound == LOWER:
            return known.depth if known.depth <= moves else 0
        first = known.depth + 1
    if first > moves or 2 * moves + ply >= MAX_PLY or is_draw(thread, ply):
        return 0
    tried: u16[MAX_MOVES]
    count = order_attack(thread, ply, tried, known.move)
    for length in range(first, moves + 1):
        found = find_mating_move(thread, ply, length, tried, count, most)
        if is_out_of_nodes(thread, most):
            return 0
        if pos.rule50 < TABLE_RULE50:
            move = tried[found] if found >= 0 else NO_MOVE
            bound = LOWER if found >= 0 else UPPER
            store(thread.table, pos.key ^ SALT, 0, move, 0, 0, length, bound, False)
        if found >= 0:
            thread.frames[ply + BEFORE].killers[0] = tried[found]
            return length
    return 0


def find_mating_move(thread, ply, moves, tried, count, most):
    """Return the index of the move that mates in so many moves; -1 if none does."""
    pos = cython.address(thread.positions[ply])
    for index in range(count):
        if moves == 1 and not may_check(pos, tried[index]):
            continue
        visit(thread, ply, tried[index])
        escaped: cython.bint = escapes(thread, ply + 1, moves - 1, most)
        if is_out_of_nodes(thread, most):
            return -1
        if not escaped:
            return index
    return -1


def escapes(thread, ply, moves, most):
    """Say whether the side to move is not mated now or in so many moves."""
    pos = cython.address(thread.positions[ply])
    if moves == 0:
        return not pos.checkers or has_moves(pos)
    if is_draw(thread, ply):
        return True
    replies: u16[MAX_MOVES]
    count = generate(pos, cython.address(replies[0]), ALL, EVERYONE)
    if count == 0:
        return not pos.checkers
    order_defence(thread, ply, replies, count)
    for index in range(count):
        visit(thread, ply, replies[index])
        if mate_in(thread, ply + 1, moves, most) == 0:
            thread.frames[ply + BEFORE].killers[0] = replies[index]
            return True
    return False


def order_attack(thread, ply, moves, first):
    """List the moves: the table's first, then by the number of replies they leave."""
    pos = cython.address(thread.positions[ply])
    after: Position
    replies: u16[MAX_MOVES]
    costs: i32[MAX_MOVES]
    count = generate(pos, moves, ALL, EVERYONE)
    for index in range(count):
        move = moves[index]
        make_move(pos, cython.address(after), move)
        cost: cython.int = generate(
            cython.address(after), cython.address(replies[0]), ALL, EVERYONE
        )
        if after.checkers:
            cost -= CHECK_WORTH
        if move == first:
            cost -= MAX_MOVES
        place: cython.int = index
        while place > 0 and costs[place - 1] > cost:
            costs[place] = costs[place - 1]
            moves[place] = moves[place - 1]
            place -= 1
        costs[place] = cost
        moves[place] = move
    return count


def order_defence(thread, ply, moves, count):
    """Put the reply that escaped lately first, then captures."""
    pos = cython.address(thread.positions[ply])
    last = thread.frames[ply + BEFORE].killers[0]
    front: cython.int = 0
    for index in range(count):
        if is_noisy(pos, moves[index]):
            moves[front], moves[index] = moves[index], moves[front]
            front += 1
    for index in range(count):
        if moves[index] == last:
            moves[0], moves[index] = moves[index], moves[0]
            break


def mating_line(thread, index, moves, attacking):
    """Set the variation of a root move up to the mate.

    The mating side (to move at ply 1 if `attacking`) takes its shortest way, mostly
    from the table; the other side the reply that holds out longest.
    """
    root = cython.address(thread.roots[index])
    choice: u16[MAX_MOVES]
    root.length = 1
    ply: cython.int = 1
    visit(thread, 0, root.move)
    while ply < MAX_PLY and not thread.stopped:
        best = -1
        if attacking:
            count = order_attack(thread, ply, choice, NO_MOVE)
            length = mate_in(thread, ply, moves, NO_LIMIT)
            moves = length - 1
            best = find_mating_move(thread, ply, length, choice, count, NO_LIMIT)
        else:
            longest = -1
            pos = cython.address(thread.positions[ply])
            count = generate(pos, cython.address(choice[0]), ALL, EVERYONE)
            for other in range(count):
                visit(thread, ply, choice[other])
                length = mate_in(thread, ply + 1, moves, NO_LIMIT)
                if length > longest:
                    longest = length
                    best = other
        if best < 0:
            return
        root.pv[root.length] = choice[best]
        root.length += 1
        root.seldepth = root.length
        visit(thread, ply, choice[best])
        attacking = not attacking
        ply += 1


def may_check(pos, move):
    """Say whether a move could check; any castling could."""
    return kind(move) == CASTLING or gives_check(pos, move)


def is_out_of_nodes(thread, most):
    """Say whether the search for mate must end."""
    return thread.stopped or thread.nodes >= most
