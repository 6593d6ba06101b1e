"""Files of Syzygy tables, and their headers.

The names of the files are read once; a file is mapped when its material is first
needed, by the search thread that comes first.  Others wait for it, and later
ones see the `state`.  The values of a header must lie within the file
and fit the material of its name, or the file is refused for good and `state` is the reason.

Layout, as the format's description has it: a magic number and flags; for each file of
the leading pawn, the order of the men; how each list is coded; for DTZ the maps of
values; then all the indexes, all the sizes of blocks, and all the blocks.
"""

import cython
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import strdup
from cython.cimports.rookery_engine.core.system import (
    NO_SIZE,
    give_lock,
    init_lock,
    map_bytes,
    take_lock,
    unmap_bytes,
)
from cython.cimports.rookery_engine.core.types import KING, PAWN, PIECES, u64
from cython.cimports.rookery_engine.syzygy.encoding import arrange
from cython.cimports.rookery_engine.syzygy.pairs import read_codes, small16, small32

WDL_MAGIC = cython.declare(u64, 0x5D23E871)
DTZ_MAGIC = cython.declare(u64, 0xA50C66D7)
SPLIT = cython.declare(cython.int, 1)  # header: the sides to move have lists of their own
WITH_PAWNS = cython.declare(cython.int, 2)
ALIGNED = cython.declare(u64, 64)  # bytes; blocks begin at a multiple
CHECKSUM = cython.declare(u64, 16)  # bytes at the end of a file, and no more behind a multiple


def new_tablebases():
    """Return an empty set of tables; NULL without memory."""
    tables = cython.cast(cython.pointer[Tablebases], calloc(1, cython.sizeof(Tablebases)))
    if tables != cython.NULL:
        init_lock(cython.address(tables.lock))
    return tables


def release_tablebases(tables):
    """Close all files and release the memory; no thread may be probing."""
    if tables == cython.NULL:
        return
    for index in range(SLOTS):
        tablebase = tables.slots[index].tablebase
        if tablebase == cython.NULL or tables.slots[index].material != tablebase.material:
            continue  # each is in two slots, unless both sides have the same
        for kind in range(KINDS):
            close_file(cython.address(tablebase.files[kind]))
            free(tablebase.files[kind].path)
        find_slot(tables, tablebase.mirrored).tablebase = cython.NULL
        free(tablebase)
    free(tables)


def add_path(tables, material, mirrored, kind, path):
    """Add a file; False if there is one like it already, or no room."""
    slot = find_slot(tables, material)
    if slot.tablebase == cython.NULL:
        if tables.count > SLOTS // 4:
            return False
        made = describe(material, mirrored)
        if made == cython.NULL:
            return False
        slot.material = material
        slot.tablebase = made
        slot = find_slot(tables, mirrored)
        slot.material = mirrored
        slot.tablebase = made
        tables.count += 1
    tablebase = slot.tablebase
    file = cython.address(tablebase.files[kind])
    if tablebase.material != material or file.state != MISSING:
        return False
    file.path = strdup(path)
    if file.path == cython.NULL:
        return False
    file.state = UNREAD
    if kind == WDL and tablebase.men > tables.largest:
        tables.largest = tablebase.men
    return True


def find_slot(tables, material):
    """Return the slot of a material, or the empty one where it would be."""
    index = (material * cython.cast(u64, 0x9E3779B97F4A7C15)) >> 51
    while tables.slots[index].material and tables.slots[index].material != material:
        index = (index + 1) % SLOTS
    return cython.address(tables.slots[index])


def describe(material, mirrored):
    """Return the description of a material, without its files; NULL without memory."""
    tablebase = cython.cast(cython.pointer[Tablebase], calloc(1, cython.sizeof(Tablebase)))
    if tablebase == cython.NULL:
        return tablebase
    tablebase.material = material
    tablebase.mirrored = mirrored
    for piece in range(PIECES):
        count = count_in(material, piece)
        tablebase.count[piece] = count
        tablebase.men += count
        if count == 1 and piece >> 1 != KING:
            tablebase.unique = True
    tablebase.pawns = tablebase.count[2 * PAWN] + tablebase.count[2 * PAWN + 1] > 0
    tablebase.both_pawns = tablebase.count[2 * PAWN] > 0 and tablebase.count[2 * PAWN + 1] > 0
    return tablebase


def material_of(pos):
    """Return the number of men of each piece, 4 bits each; up to 15 of one."""
    material: u64 = 0
    for type in range(6):
        men = pos.types[type]
        if men:
            material |= cython.cast(u64, popcount(men & pos.colours[0])) << (8 * type)
            material |= cython.cast(u64, popcount(men & pos.colours[1])) << (8 * type + 4)
    return material


def open_tables(tables, tablebase, kind):
    """Return a file, read if needed; NULL if there is none that can be used."""
    file = cython.address(tablebase.files[kind])
    state = load_atomic(cython.address(file.state), ACQUIRE)
    if state == UNREAD:
        take_lock(cython.address(tables.lock))
        if file.state == UNREAD:
            store_atomic(cython.address(file.state), read_file(tablebase, kind), RELEASE)
        state = file.state
        give_lock(cython.address(tables.lock))
    return file if state == READY else cython.NULL


def read_file(tablebase, kind):
    """Map a file and read its header; return its new state."""
    file = cython.address(tablebase.files[kind])
    state = map_file(file)
    if state == READY:
        state = read_tables(tablebase, kind)
    if state != READY:
        close_file(file)
    return state


def map_file(file):
    """Map a file into memory; return its new state."""
    file.bytes = map_bytes(file.path, cython.address(file.size))
    if file.size == NO_SIZE:
        return UNREADABLE
    if file.size % ALIGNED != CHECKSUM or file.size < ALIGNED:
        return WRONG_SIZE
    return READY if file.bytes != cython.NULL else UNREADABLE


def close_file(file):
    """Release the memory and the mapping of a file."""
    if file.parts != cython.NULL:
        for index in range(PARTS):
            free(file.parts[index].pairs.spans)
        free(file.parts)
        file.parts = cython.NULL
    if file.bytes != cython.NULL:
        unmap_bytes(file.bytes, file.size)
        file.bytes = cython.NULL


def read_tables(tablebase, kind):
    """Read the header of a mapped file; return the file's new state."""
    file = cython.address(tablebase.files[kind])
    if small32(file.bytes) != (WDL_MAGIC if kind == WDL else DTZ_MAGIC):
        return WRONG_MAGIC
    flags: cython.int = file.bytes[4]
    split: cython.bint = tablebase.material != tablebase.mirrored
    if (flags & SPLIT != 0) != split or (flags & WITH_PAWNS != 0) != tablebase.pawns:
        return WRONG_HEADER
    file.parts = cython.cast(cython.pointer[Part], calloc(PARTS, cython.sizeof(Part)))
    if file.parts == cython.NULL:
        return UNREADABLE
    sides: cython.int = 2 if kind == WDL and split else 1
    files: cython.int = 4 if tablebase.pawns else 1
    at = read_encodings(tablebase, file, sides)
    if not at:
        return WRONG_HEADER
    for index in range(files):
        for side in range(sides):
            here = part(file, side, index)
            count = here.encoding.count
            at = read_codes(cython.address(here.pairs), file.bytes, at, file.size, count)
            if not at:
                return WRONG_HEADER
            # If both sides are alike the list is White's; another would be probed without end.
            if kind == DTZ and not split and tablebase.pawns and here.pairs.flags & BLACK_TO_MOVE:
                return WRONG_HEADER
    if kind == DTZ:
        at = read_maps(file, files, at)
        if not at:
            return WRONG_HEADER
    return READY if place_lists(file, sides, files, at) else TRUNCATED


def read_encodings(tablebase, file, sides):
    """Read the order of the men; return the offset of its end, 0 if unsound."""
    files: cython.int = 4 if tablebase.pawns else 1
    orders: cython.int = 2 if tablebase.both_pawns else 1
    at: u64 = 5
    if at + files * (orders + tablebase.men) > file.size:
        return 0
    for index in range(files):
        for side in range(sides):
            encoding = cython.address(part(file, side, index).encoding)
            shift = 4 * side
            encoding.men = tablebase.men
            encoding.pawns = tablebase.pawns
            encoding.both_pawns = tablebase.both_pawns
            encoding.unique = tablebase.unique
            encoding.file = index
            for man in range(tablebase.men):
                code = (file.bytes[at + orders + man] >> shift) & 15
                # White's pawn to king are 1 to 6, Black's 9 to 14.
                if not 1 <= code & 7 <= 6:
                    return 0
                encoding.pieces[man] = 2 * ((code & 7) - 1) + (code >> 3)
            lead_order = (file.bytes[at] >> shift) & 15
            pawn_order = (file.bytes[at + orders - 1] >> shift) & 15
            if not has_material(tablebase, encoding):
                return 0
            if encoding.pieces[0] != part(file, 0, 0).encoding.pieces[0] and tablebase.pawns:
                return 0  # the leading pawns are needed before the list is known
            if not arrange(encoding, lead_order, pawn_order):
                return 0
        at += orders + tablebase.men
    return at + (at & 1)


def has_material(tablebase, encoding):
    """Say whether the men in a header are those of the file's name."""
    for piece in range(PIECES):
        count: cython.int = tablebase.count[piece]
        for man in range(encoding.men):
            if encoding.pieces[man] == piece:
                count -= 1
        if count:
            return False
    return True


def read_maps(file, files, at):
    """Find the maps of a DTZ file; return the offset of their end, 0 if unsound."""
    for index in range(files):
        here = part(file, 0, index)
        if not here.pairs.flags & MAPPED:
            continue
        wide: cython.int = 1 if here.pairs.flags & WIDE else 0
        if wide:
            at += at & 1
        for result in range(4):
            if at + 2 > file.size:
                return 0
            if wide:
                here.map_count[result] = small16(file.bytes + at)
            else:
                here.map_count[result] = file.bytes[at]
            here.map[result] = at + 1 + wide
            at += (here.map_count[result] + 1) << wide
            if at > file.size:
                return 0
    return at + (at & 1)


def place_lists(file, sides, files, at):
    """Find indexes, sizes and blocks of all lists; False if the file ends before they do."""
    lists = files * sides
    for which in range(lists):
        pairs = cython.address(part(file, which % sides, which // sides).pairs)
        pairs.index = file.bytes + at
        at += 6 * pairs.index_count
        if at > file.size:
            return False
    for which in range(lists):
        pairs = cython.address(part(file, which % sides, which // sides).pairs)
        pairs.sizes = file.bytes + at
        at += 2 * cython.cast(u64, pairs.sizes_count)
        if at > file.size:
            return False
    for which in range(lists):
        pairs = cython.address(part(file, which % sides, which // sides).pairs)
        if pairs.blocks == 0:
            continue
        at = (at + ALIGNED - 1) & ~(ALIGNED - 1)
        pairs.data = file.bytes + at
        at += cython.cast(u64, pairs.blocks) << pairs.block_bits
        if at + CHECKSUM > file.size:
            return False
    return True
