"""Variations in reports: the end of the game, and the continuation of lines that are cut short.

The table often ends a line in the search, because it has the score.  A mate is reported with
all its moves: `find_mating_line` searches for them in the table, and where they are gone
from it, among the few moves that are left.
"""

import cython
from cython.cimports.rookery_engine.core.movegen import ALL, EVERYONE, generate, is_legal
from cython.cimports.rookery_engine.core.position import (
    gives_check,
    insufficient_material,
    make_move,
)
from cython.cimports.rookery_engine.core.types import (
    CASTLING,
    MATE,
    MAX_MOVES,
    NO_MOVE,
    kind,
    u16,
)
from cython.cimports.rookery_engine.search.thread import FIFTY_MOVES, has_moves
from cython.cimports.rookery_engine.search.transposition import LOWER, UPPER, Found, probe

QUIET_PLIES = cython.declare(cython.int, 3)  # to a mate; farther off, checks alone are tried


def start_walk(walk, thread):
    """Start a line at a thread's root."""
    walk.here = thread.positions[0]
    walk.past = cython.address(thread.keys[0])
    walk.past_count = thread.root_key
    walk.keys[0] = walk.here.key
    walk.length = 0


def step(walk, move):
    """Add a legal move; return the state of the line after it."""
    make_move(cython.address(walk.here), cython.address(walk.next), move)
    walk.here = walk.next
    here = cython.address(walk.here)
    seen = 0
    for index in range(walk.length + 1):
        if walk.keys[index] == here.key:
            seen += 1
    repeated: cython.bint = seen > 0
    for index in range(walk.past_count):
        if walk.past[index] == here.key:
            seen += 1
    walk.length += 1
    walk.keys[walk.length] = here.key
    if seen >= 2 or here.rule50 >= FIFTY_MOVES or insufficient_material(here):
        return OVER
    return REPEATED if repeated else GOES_ON


def known_move(table, pos):
    """Return the table's move for a position; NO_MOVE if it has none."""
    found: Found
    if not probe(table, pos.key, 0, cython.address(found)):
        return NO_MOVE
    if found.move == NO_MOVE or not is_legal(pos, found.move):
        return NO_MOVE
    return found.move


def is_checkmate(pos):
    """Say whether the side to move is mated."""
    return pos.checkers != 0 and not has_moves(pos)


def find_mating_line(quest, pos, plies, at):
    """Find a line of just so many plies that ends in mate; put it into `line` from `at` on.

    The mating side plays only proven moves, if the table is right; the other side
    holds out as long as it can.
    """
    quest.keys[at] = pos.key
    if plies == 0:
        return is_checkmate(pos)
    quest.left -= 1
    if quest.left < 0 or pos.rule50 >= FIFTY_MOVES or not is_new(quest, pos.key, at):
        return False
    moves: u16[MAX_MOVES]
    after: Position
    count = moves_of(quest, pos, moves)
    attacks: cython.bint = plies & 1
    if attacks:
        for index in range(count):
            make_move(pos, cython.address(after), moves[index])
            if is_mated(quest, cython.address(after), plies - 1) and try_reply(
                quest, cython.address(after), moves[index], plies, at
            ):
                return True
        return False
    for early in range(2):
        for index in range(count):
            make_move(pos, cython.address(after), moves[index])
            sooner: cython.bint = plies > 2 and is_mating(quest, cython.address(after), plies - 3)
            if sooner == early and try_reply(quest, cython.address(after), moves[index], plies, at):
                return True
    return False


def try_reply(quest, after, move, plies, at):
    """Say whether a move is followed by a line that ends in mate; record it."""
    quest.line[at] = move
    return find_mating_line(quest, after, plies - 1, at + 1)


def is_new(quest, key, at):
    """Say whether a position occurs for the first time in the line."""
    for index in range(at):
        if quest.keys[index] == key:
            return False
    return True


def is_mating(quest, pos, plies):
    """Say whether the side to move mates within so many plies, as far as the search sees."""
    quest.left -= 1
    if quest.left < 0:
        return False
    known: Found
    if (
        probe(quest.table, pos.key, 0, cython.address(known))
        and known.bound != UPPER
        and known.score >= MATE - plies
    ):
        return True
    moves: u16[MAX_MOVES]
    after: Position
    count = moves_of(quest, pos, moves)
    for index in range(count):
        move = moves[index]
        quiet: cython.bint = kind(move) != CASTLING and not gives_check(pos, move)
        if quiet and index and (plies == 1 or plies > QUIET_PLIES):
            continue
        make_move(pos, cython.address(after), move)
        if is_mated(quest, cython.address(after), plies - 1):
            return True
    return False


def is_mated(quest, pos, plies):
    """Say whether the side to move is mated within so many plies, as far as the search sees."""
    quest.left -= 1
    if quest.left < 0:
        return False
    known: Found
    if (
        probe(quest.table, pos.key, 0, cython.address(known))
        and known.bound != LOWER
        and known.score <= plies - MATE
    ):
        return True
    moves: u16[MAX_MOVES]
    after: Position
    count = moves_of(quest, pos, moves)
    if count == 0:
        return pos.checkers != 0
    if plies <= 0:
        return False
    for index in range(count):
        make_move(pos, cython.address(after), moves[index])
        if not is_mating(quest, cython.address(after), plies - 1):
            return False
    return True


def moves_of(quest, pos, moves):
    """List the legal moves, the table's first; return their number."""
    count = generate(pos, moves, ALL, EVERYONE)
    first = known_move(quest.table, pos)
    for index in range(count):
        if moves[index] == first:
            moves[index] = moves[0]
            moves[0] = first
            break
    return count
