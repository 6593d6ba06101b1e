"""Attacks of the pieces, from tables that are filled at import.

Sliding pieces use magic bitboards ("fancy" ones, see the chess programming wiki,
Magic Bitboards): the occupied squares that matter are multiplied by a factor
which gathers them in the top bits, and those bits are the index of the set of
attacked squares.  The factors were found once by random trial; searching for
them at each start would take a hundred times longer than filling the tables,
which takes 1.5 ms.

PEXT would need no factors, but it is slow or missing on other processors.
"""

import cython
from cython.cimports.rookery_engine.core.types import (
    BLACK,
    WHITE,
    bit,
    file,
    highest_zeros,
    lowest,
    popcount,
    rank,
    u64,
)

BISHOP_FACTORS = (
    0x10102002004A1420, 0x8020040400584008, 0x10510800811201C8, 0x5204042080000088,
    0x2204106880000002, 0x1401042004000000, 0x0400880410042004, 0x0028208200A02020,
    0x1500241990010E00, 0x8001200182020A40, 0x40004101030B0000, 0x8002041042000100,
    0x4010011041020038, 0x0000010421044000, 0x1500210808020A00, 0x8000088400880520,
    0x0405004010040100, 0x1005823210040108, 0x2708008102040011, 0x4048200404009100,
    0x0018104101400024, 0x0003000601190101, 0x8004803108491000, 0x8014241200820800,
    0x0006E080100C3040, 0x0501044A11041800, 0x9020300008004045, 0x0894080000220040,
    0x1001010083104000, 0x5004030040900080, 0x000400422C012400, 0x0002128698404812,
    0x1010108404900440, 0x0928021182084100, 0x2006080409020024, 0x1010202020180080,
    0xA010008200202200, 0x2098015100019004, 0x0002041440810811, 0x802A02020000B098,
    0x0009015090004060, 0x4000821082081001, 0x0100210040420800, 0x0800004010488A00,
    0x2000081104004040, 0x4C8E029015000082, 0x0420340322224842, 0x1298260043400210,
    0x0000822802400008, 0x00008A0101600000, 0x3040003412080021, 0x3040290220884800,
    0x4A1500401041004A, 0x8010200282020781, 0x0020203142209091, 0x0070300600902110,
    0x0040808800B62048, 0x0000810400C44420, 0x00080400440C0441, 0x8340080020840411,
    0x0000000104208200, 0x0000800810D00080, 0x0400530411080200, 0x4040702400932244,
)  # fmt: skip

ROOK_FACTORS = (
    0x1080004008801020, 0x0840092002C03000, 0x1900200010400900, 0x0880100008000480,
    0x4200100420080200, 0x8100020100080400, 0x0200040110886200, 0x0200008040220411,
    0x0404800084400220, 0x0000401000402000, 0x0086001081220440, 0x0408800800100280,
    0x000A001201040820, 0x8848800200840080, 0x4001000100040200, 0x0442000102105084,
    0x9080010020804100, 0x0040404000201009, 0x0000808010002009, 0x2200090021D00100,
    0x0008008008040080, 0x0004004002010040, 0x0011040008015042, 0x00000A0001768104,
    0x0000800080204009, 0x2010004140002001, 0x9800200280100080, 0x1000100080080080,
    0x0442000A00049020, 0x2100040080020080, 0x0800120400900148, 0x0010040A00128541,
    0x2800804000800030, 0x1010002000400041, 0x4000200011004100, 0x0610008410800800,
    0x0400802402800800, 0xC100020080800400, 0x0002000802000401, 0x0182085882000401,
    0x0220204000808000, 0x2860100040024022, 0x0001002004110040, 0x99101042000A0020,
    0x0004080004008080, 0x0010040002008080, 0x2012004881020004, 0x8300842444820011,
    0x0088403882010200, 0x0820400080210100, 0x0110910040A00300, 0x0801100280080480,
    0x0242009008200600, 0x1002000489500200, 0x0040800200010080, 0x0091800041000080,
    0x0000209300488001, 0x04C1002414824001, 0x020020000B001041, 0x7000100004200901,
    0x8002002004100802, 0x30010002084C0007, 0x0888221800813004, 0x4000002840840112,
)  # fmt: skip

# (ranks, files) of one step in each direction: four of the rook, four of the
# bishop, and in each four the first two are those that raise the square's number.
DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, -1), (-1, 1))


def step(square, ranks, files):
    """Return the square so many ranks and files away as a set: empty off the board."""
    to_rank = (square >> 3) + ranks
    to_file = (square & 7) + files
    if to_rank < 0 or to_rank > 7 or to_file < 0 or to_file > 7:
        return 0
    return bit(8 * to_rank + to_file)


def set_leapers(square):
    """Fill the tables of king, knight and pawns for one square."""
    for ranks in range(-2, 3):
        for files in range(-2, 3):
            distance = ranks * ranks + files * files
            if distance == 5:
                KNIGHT_ATTACKS[square] |= step(square, ranks, files)
            elif distance == 1 or distance == 2:
                KING_ATTACKS[square] |= step(square, ranks, files)
    PAWN_ATTACKS[WHITE][square] = step(square, 1, -1) | step(square, 1, 1)
    PAWN_ATTACKS[BLACK][square] = step(square, -1, -1) | step(square, -1, 1)


def set_rays(square):
    """Fill the rays from one square, and the whole lines that they make up."""
    for direction in range(8):
        ranks: cython.int = RANK_STEPS[direction]
        files: cython.int = FILE_STEPS[direction]
        for length in range(1, 8):
            RAYS[direction][square] |= step(square, length * ranks, length * files)
    FILES[square] = RAYS[0][square] | RAYS[2][square]
    DIAGONALS[square] = RAYS[4][square] | RAYS[6][square]
    ANTIDIAGONALS[square] = RAYS[5][square] | RAYS[7][square]


def ray_attacks(square, direction, occupied):
    """Return the squares attacked in one direction: up to the first piece."""
    ray = RAYS[direction][square]
    blockers = ray & occupied
    if not blockers:
        return ray
    first = lowest(blockers) if direction & 2 == 0 else 63 - highest_zeros(blockers)
    return ray ^ RAYS[direction][first]


def slide(square, first, occupied):
    """Return the squares attacked in the four directions from `first` on."""
    return (
        ray_attacks(square, first, occupied)
        | ray_attacks(square, first + 1, occupied)
        | ray_attacks(square, first + 2, occupied)
        | ray_attacks(square, first + 3, occupied)
    )


def set_magic(magic, square, factor, sets, first):
    """Fill the part of `sets` that belongs to one square, for all occupations.

    A piece on the last square of a ray hides nothing, so the edge of the board
    does not matter, except along the edge that the slider stands on.
    """
    edges = (rank(0) | rank(7)) & ~rank(square >> 3)
    edges |= (file(0) | file(7)) & ~file(square & 7)
    magic.mask = slide(square, first, 0) & ~edges
    magic.factor = factor
    magic.attacks = sets
    magic.shift = 64 - popcount(magic.mask)
    occupied: u64 = 0
    while True:  # all subsets of the mask, by the carry-rippler trick
        sets[(occupied * factor) >> magic.shift] = slide(square, first, occupied)
        occupied = (occupied - magic.mask) & magic.mask
        if not occupied:
            break


def set_lines(square):
    """Fill the tables of lines for one square and every other."""
    for direction in range(8):
        line = RAYS[direction][square] | RAYS[direction ^ 2][square] | bit(square)
        ray = RAYS[direction][square]
        while ray:
            other = lowest(ray)
            ray &= ray - 1
            LINE[square][other] = line
            BETWEEN[square][other] = RAYS[direction][square] & RAYS[direction ^ 2][other]


def _fill_tables():
    for direction, (ranks, files) in enumerate(DIRECTIONS):
        RANK_STEPS[direction] = ranks
        FILE_STEPS[direction] = files
    for square in range(64):
        set_leapers(square)
        set_rays(square)
    bishop_sets = 0
    rook_sets = 0
    for square in range(64):
        set_lines(square)
        bishop = cython.address(BISHOP_MAGIC[square])
        rook = cython.address(ROOK_MAGIC[square])
        set_magic(
            bishop, square, BISHOP_FACTORS[square],
            cython.address(BISHOP_SETS[bishop_sets]), BISHOP_FIRST,
        )  # fmt: skip
        set_magic(
            rook, square, ROOK_FACTORS[square], cython.address(ROOK_SETS[rook_sets]), ROOK_FIRST
        )
        bishop_sets += 1 << popcount(bishop.mask)
        rook_sets += 1 << popcount(rook.mask)


_fill_tables()
