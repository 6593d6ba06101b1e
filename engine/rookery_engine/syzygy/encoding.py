"""The index of a position in a Syzygy table.

Positions that are mirror images of each other share a number.  Without pawns the
first man is brought into the triangle a1-d1-d4, with pawns the leading pawn to the
files a to d (of which each has a list of its own).  The first group of men is numbered
in a way of its own, and every other one as a choice of k squares out of those left,
"n over k"; the numbers of the groups are the digits of the whole.

The table's header has the order of the groups as digits.  Format: R. de Man's
Syzygy tables (2013), see the chess programming wiki, Syzygy Bases.
"""

import cython
from cython.cimports.rookery_engine.core.attacks import KING_ATTACKS
from cython.cimports.rookery_engine.core.types import KING, PAWN, bit, lowest, u64

PAWN_SQUARES = cython.declare(cython.int, 48)
TWO_KINGS = cython.declare(cython.int, 462)  # ways to place them
THREE_MEN = cython.declare(cython.int, 31332)


def arrange(encoding, lead_order, pawn_order):
    """Group the men, and compute each group's weight; False if the header is unsound.

    The orders are the places, among the digits, of the first group and of the other
    side's pawns.  The other groups follow in theirs, each on the squares left over.
    """
    together = 1 if encoding.pawns else 3 if encoding.unique else 2
    encoding.groups = 0
    for index in range(encoding.men):
        if index and (index < together or encoding.pieces[index] == encoding.pieces[index - 1]):
            encoding.length[encoding.groups - 1] += 1
        else:
            encoding.length[encoding.groups] = 1
            encoding.groups += 1
    if not is_sound(encoding, lead_order, pawn_order):
        return False

    free = 64 - encoding.length[0]
    following = 1
    if encoding.both_pawns:
        free -= encoding.length[1]
        following = 2
    encoding.count = 1
    for order in range(encoding.groups):
        if order == lead_order:
            group = 0
            size = count_leads(encoding)
        elif encoding.both_pawns and order == pawn_order:
            group = 1
            size = CHOICES[PAWN_SQUARES - encoding.length[0]][encoding.length[1]]
        else:
            group = following
            following += 1
            size = CHOICES[free][encoding.length[group]]
            free -= encoding.length[group]
        encoding.weight[group] = encoding.count
        encoding.count *= size
    return True


def is_sound(encoding, lead_order, pawn_order):
    """Say whether orders and groups are possible in the format.

    A file may contain anything; an encoding that passes this test does no harm.
    """
    if lead_order >= encoding.groups:
        return False
    if encoding.both_pawns and (
        encoding.groups < 2 or pawn_order >= encoding.groups or pawn_order == lead_order
    ):
        return False
    for index in range(2, encoding.men):  # those of a kind stand together
        for earlier in range(index - 1):
            if (
                encoding.pieces[earlier] == encoding.pieces[index]
                and encoding.pieces[index - 1] != encoding.pieces[index]
            ):
                return False
    first: cython.int = encoding.pieces[0]
    if encoding.pawns:
        if first >> 1 != PAWN:
            return False
        next: cython.int = encoding.pieces[encoding.length[0]]
        return (next >> 1 == PAWN) == encoding.both_pawns
    second: cython.int = encoding.pieces[1]
    if not encoding.unique:
        return encoding.length[0] == 2 and first >> 1 == KING and second >> 1 == KING
    third: cython.int = encoding.pieces[2]
    return encoding.length[0] == 3 and first != second and second != third


def count_leads(encoding):
    """Return the number of ways to place the first group."""
    if encoding.pawns:
        return PAWN_COUNTS[encoding.length[0]][encoding.file]
    return THREE_MEN if encoding.unique else TWO_KINGS


def leading_file(pos, piece, turned):
    """Return the file, a to d, of the leading one of pawns of the table's colour."""
    pawns = pos.types[PAWN] & pos.colours[(piece & 1) ^ turned]
    best: cython.int = -1
    found: cython.int = 0
    while pawns:
        square = lowest(pawns) ^ (56 if turned else 0)
        pawns &= pawns - 1
        if PAWN_RANKING[square] > best:
            best = PAWN_RANKING[square]
            found = square & 7
    return found if found < 4 else 7 - found


def encode(encoding, pos, turned):
    """Return the number of a position that has the table's material.

    `turned`: the colours are the other way round than in the table.
    """
    squares: cython.int[MAX_MEN]
    list_squares(encoding, pos, turned, squares)
    if encoding.pawns:
        lead_with_pawn(encoding, squares)
    if squares[0] & 4:
        for index in range(encoding.men):
            squares[index] ^= 7
    number: u64
    if encoding.pawns:
        number = number_pawns(encoding, squares)
    else:
        stand_below_diagonal(encoding, squares)
        if encoding.unique:
            number = number_three(squares)
        else:
            number = KINGS[TRIANGLE[squares[0]]][squares[1]]
    number *= encoding.weight[0]

    start = encoding.length[0]
    for group in range(1, encoding.groups):
        length = encoding.length[group]
        sort(squares + start, length)
        skipped = 8 if group == 1 and encoding.both_pawns else 0  # pawns stand on no first rank
        choice: u64 = 0
        for index in range(length):
            square = squares[start + index]
            free = square - skipped
            for earlier in range(start):
                if squares[earlier] < square:
                    free -= 1
            choice += CHOICES[free][index + 1]
        number += choice * encoding.weight[group]
        start += length
    return number


def list_squares(encoding, pos, turned, squares):
    """Write the squares of the men in the table's order."""
    index: cython.int = 0
    flip = 56 if turned else 0
    while index < encoding.men:
        piece: cython.int = encoding.pieces[index]
        men = pos.types[piece >> 1] & pos.colours[(piece & 1) ^ turned]
        while men:
            squares[index] = lowest(men) ^ flip
            men &= men - 1
            index += 1


def lead_with_pawn(encoding, squares):
    """Bring the leading pawn to the front."""
    best: cython.int = 0
    for index in range(1, encoding.length[0]):
        if PAWN_RANKING[squares[index]] > PAWN_RANKING[squares[best]]:
            best = index
    squares[0], squares[best] = squares[best], squares[0]


def stand_below_diagonal(encoding, squares):
    """Mirror the men such that the first is in the triangle a1-d1-d4.

    If it is on the diagonal, the next one of its group that is not decides.
    """
    if squares[0] & 32:
        for index in range(encoding.men):
            squares[index] ^= 56
    for lead in range(encoding.length[0]):
        above = above_diagonal(squares[lead])
        if above > 0:
            for index in range(encoding.men):
                squares[index] = ((squares[index] >> 3) | (squares[index] << 3)) & 63
        if above:
            return


def number_pawns(encoding, squares):
    """Return the number of the group of the leading pawn, which comes first."""
    count = encoding.length[0]
    for index in range(2, count):
        moved = squares[index]
        to: cython.int = index
        while to > 1 and PAWN_RANKING[squares[to - 1]] > PAWN_RANKING[moved]:
            squares[to] = squares[to - 1]
            to -= 1
        squares[to] = moved
    number = PAWN_LEADS[count][squares[0]]
    for index in range(1, count):
        number += CHOICES[PAWN_RANKING[squares[index]]][index]
    return number


def number_three(squares):
    """Return the number of three men that differ: kings and another, in some order.

    First come those whose first man is off the diagonal, then those whose second
    is, then the third, then all three on it.
    """
    first = squares[0]
    second = squares[1]
    third = squares[2]
    second_less: cython.int = 1 if second > first else 0
    third_less: cython.int = (1 if third > first else 0) + (1 if third > second else 0)
    if above_diagonal(first):
        return (TRIANGLE[first] * 63 + second - second_less) * 62 + third - third_less
    number: cython.int = 6 * 63 * 62
    if above_diagonal(second):
        return number + ((first >> 3) * 28 + BELOW[second]) * 62 + third - third_less
    number += 4 * 28 * 62
    if above_diagonal(third):
        return number + ((first >> 3) * 7 + (second >> 3) - second_less) * 28 + BELOW[third]
    number += 4 * 7 * 28
    return (
        number + ((first >> 3) * 7 + (second >> 3) - second_less) * 6 + ((third >> 3) - third_less)
    )


def sort(squares, count):
    """Sort a few squares."""
    for index in range(1, count):
        moved = squares[index]
        to: cython.int = index
        while to > 0 and squares[to - 1] > moved:
            squares[to] = squares[to - 1]
            to -= 1
        squares[to] = moved


def _fill_choices():
    for squares in range(65):
        CHOICES[squares][0] = 1
        for chosen in range(1, MAX_MEN + 1):
            CHOICES[squares][chosen] = 0
            if squares:
                CHOICES[squares][chosen] = (
                    CHOICES[squares - 1][chosen - 1] + CHOICES[squares - 1][chosen]
                )


def _fill_squares():
    inside: cython.int = 0
    below: cython.int = 0
    for square in range(64):
        if above_diagonal(square) < 0:
            BELOW[square] = below
            below += 1
            if square & 7 < 4 and square < 32:
                TRIANGLE[square] = inside
                inside += 1
    for step in range(4):
        TRIANGLE[9 * step] = inside + step


def _fill_kings():
    """Count the pairs of kings that do not touch; last those with both on the diagonal."""
    number: cython.int = 0
    for on_diagonal in range(2):
        for index in range(10):
            for first in range(32):
                if first & 4 or above_diagonal(first) > 0 or TRIANGLE[first] != index:
                    continue
                for second in range(64):
                    if (KING_ATTACKS[first] | bit(first)) & bit(second):
                        continue
                    above = above_diagonal(second)
                    if above_diagonal(first) == 0 and above > 0:
                        continue
                    both: cython.int = 1 if above_diagonal(first) == 0 and above == 0 else 0
                    if both == on_diagonal:
                        KINGS[index][second] = number
                        number += 1


def _fill_pawns():
    """Rank the squares: outer files before inner ones, and there the second rank first."""
    ranking: cython.int = PAWN_SQUARES - 1
    for file in range(4):
        for rank in range(1, 7):
            PAWN_RANKING[8 * rank + file] = ranking
            PAWN_RANKING[8 * rank + 7 - file] = ranking - 1
            ranking -= 2
    number: u64
    for count in range(1, MAX_MEN):
        for file in range(4):
            number = 0
            for rank in range(1, 7):
                square = 8 * rank + file
                PAWN_LEADS[count][square] = number
                number += CHOICES[PAWN_RANKING[square]][count - 1]
            PAWN_COUNTS[count][file] = number


_fill_choices()
_fill_squares()
_fill_kings()
_fill_pawns()
