"""Probing of Syzygy tables: the result, and the distance to the next capture or pawn move.

`probe_wdl` and `probe_dtz` need no GIL and may be called by many threads at once.  A
table has no reliable value for positions whose best move is a capture, since any value that
compresses well may stand there; so captures are searched first, down to positions without
any.  The tables ignore en passant, which is a capture too.

WDL is 2 for a win, 1 for one that the fifty-move rule takes away ("cursed"), and
so on down to -2.  DTZ is the plies to the next capture or pawn move that keeps the
result, positive if the side to move wins; beyond 100 the result is a cursed one.
It may be one ply too few where a table counts in moves.

Castling is in no table, so positions with such rights are unknown.
"""

import os
import re
from operator import attrgetter

import cython
from cython.cimports.rookery_engine.core.board import Board
from cython.cimports.rookery_engine.core.movegen import ALL, EVERYONE, NOISY, generate
from cython.cimports.rookery_engine.core.position import captured_type, make_move, occupied
from cython.cimports.rookery_engine.core.types import (
    MAX_MOVES,
    NO_TYPE,
    PAWN,
    from_square,
    popcount,
    u16,
    u64,
)
from cython.cimports.rookery_engine.syzygy.encoding import MAX_MEN, encode, leading_file
from cython.cimports.rookery_engine.syzygy.pairs import decode, small16
from cython.cimports.rookery_engine.syzygy.table_files import (
    BLACK_TO_MOVE,
    DTZ,
    KINDS,
    LOSS_PLIES,
    MAPPED,
    REFUSED,
    SLOTS,
    TRUNCATED,
    UNREADABLE,
    WDL,
    WIDE,
    WIN_PLIES,
    WRONG_HEADER,
    WRONG_MAGIC,
    WRONG_SIZE,
    add_path,
    find_slot,
    material_of,
    new_tablebases,
    open_tables,
    part,
    release_tablebases,
)

FAR = cython.declare(cython.int, 1 << 20)  # plies; beyond any DTZ

_ENDINGS = {"rtbw": WDL, "rtbz": DTZ}
_NAME = re.compile(r"(K[QRBNP]*)v(K[QRBNP]*)\.(rtb[wz])")
_LETTERS = "PNBRQK"  # the index is the type
_FAULTS = {
    UNREADABLE: "cannot be read",
    WRONG_SIZE: "has not the size of a tablebase",
    WRONG_MAGIC: "has not the magic number of its kind",
    WRONG_HEADER: "has a header that makes no sense",
    TRUNCATED: "ends too early",
}


class Prober:
    """The tables in some folders.

    Raises:
        MemoryError: there is no room to list them.

    """

    def __cinit__(self):
        self.tables = new_tablebases()
        if self.tables == cython.NULL:
            raise MemoryError

    def __dealloc__(self):
        release_tablebases(self.tables)

    def add_folders(self, path: str) -> list[str]:
        """List the tables in folders, separated by `os.pathsep` or `;`; return messages."""
        messages = []
        for folder in re.split(f"[;{os.pathsep}]", path):
            if folder.strip():
                self.list_folder(folder.strip(), messages)
        return messages

    def __str__(self) -> str:
        """Return the number of tables as a sentence."""
        if not self.tables.largest:
            return "no tablebases found"
        return (
            f"found {self.wdl_count} WDL and {self.dtz_count} DTZ tablebases "
            f"of up to {self.tables.largest} men"
        )

    @property
    def largest(self) -> int:
        """Men of the largest WDL table, 0 without any."""
        return self.tables.largest

    def wdl(self, board: Board) -> int | None:
        """Return -2 (loss) to 2 (win) for the side to move; None if it is not known."""
        ok: cython.int = 0
        with cython.nogil:
            value = probe_wdl(self.tables, cython.address(board.position), cython.address(ok))
        return value if ok else None

    def dtz(self, board: Board) -> int | None:
        """Return plies to the next zeroing move, negative if lost; None if it is not known."""
        ok: cython.int = 0
        with cython.nogil:
            value = probe_dtz(self.tables, cython.address(board.position), cython.address(ok))
        return value if ok else None

    def faults(self) -> list[str]:
        """Return the files that were refused up to now, with the reason."""
        found = []
        for index in range(SLOTS):
            tablebase = self.tables.slots[index].tablebase
            if not tablebase or self.tables.slots[index].material != tablebase.material:
                continue
            for kind in range(KINDS):
                file = cython.address(tablebase.files[kind])
                if file.state >= REFUSED:
                    found.append(f"{os.fsdecode(file.path)} {_FAULTS[file.state]}")
        return found

    def list_folder(self, folder, messages):
        """Add the tables of a folder."""
        try:
            entries = sorted(os.scandir(folder), key=attrgetter("name"))
        except (OSError, ValueError) as error:  # the latter for what can be no path
            reason = getattr(error, "strerror", None) or error
            messages.append(f"tablebase folder {folder!r} cannot be read: {reason}")
            return 0
        before = self.wdl_count + self.dtz_count
        for entry in entries:
            self.add_file(entry.path, entry.name)
        if self.wdl_count + self.dtz_count == before:
            messages.append(f"no new tablebases in folder {folder!r}")
        return 0

    def add_file(self, path, name):
        """Add a file if its name is a tablebase's; say whether it is."""
        match = _NAME.fullmatch(name)
        if not match:
            return False
        white, black, ending = match.groups()
        if not 3 <= len(white) + len(black) <= MAX_MEN:
            return False
        kind = _ENDINGS[ending]
        material: u64 = _material(white, black)
        mirrored: u64 = _material(black, white)
        if not add_path(self.tables, material, mirrored, kind, os.fsencode(path)):
            return False
        if kind == WDL:
            self.wdl_count += 1
        else:
            self.dtz_count += 1
        return True


def probe_wdl(tables, pos, ok):
    """Return the result for the side to move; `ok` is set if it is known."""
    ok[0] = 0
    if pos.castling or popcount(occupied(pos)) > tables.largest:
        return TABLE_DRAW
    how: cython.int = KNOWN
    wdl = resolve(tables, pos, False, cython.address(how))
    ok[0] = how >= KNOWN
    return wdl


def probe_dtz(tables, pos, ok):
    """Return the plies to zeroing, negative if lost, 0 for a draw; `ok` is set if it is known."""
    ok[0] = 0
    if pos.castling or popcount(occupied(pos)) > tables.largest:
        return 0
    how: cython.int = KNOWN
    wdl = resolve(tables, pos, True, cython.address(how))
    if how == UNKNOWN:
        return 0
    if wdl == TABLE_DRAW:
        ok[0] = 1
        return 0
    if how == BY_ZEROING:
        ok[0] = 1
        return dtz_before_zeroing(wdl)
    plies = probe_dtz_table(tables, pos, wdl, cython.address(how))
    if how == UNKNOWN:
        return 0
    if how == OTHER_SIDE:
        return best_reply_dtz(tables, pos, wdl, ok)
    ok[0] = 1
    if wdl == CURSED_WIN or wdl == BLESSED_LOSS:
        plies += 100
    return plies if wdl > 0 else -plies


def best_reply_dtz(tables, pos, wdl, ok):
    """Return the DTZ of a position whose table is of the other side, by a search of one ply."""
    moves: u16[MAX_MOVES]
    replies: u16[MAX_MOVES]
    after: Position
    how: cython.int = KNOWN
    known: cython.int = 0
    plies: cython.int
    best = FAR
    count = generate(pos, moves, ALL, EVERYONE)
    for index in range(count):
        move = moves[index]
        make_move(pos, cython.address(after), move)
        if after.rule50 == 0:
            plies = -dtz_before_zeroing(
                resolve(tables, cython.address(after), False, cython.address(how))
            )
            known = how >= KNOWN
        else:
            plies = -probe_dtz(tables, cython.address(after), cython.address(known))
            if (
                plies == 1
                and after.checkers
                and not generate(cython.address(after), replies, ALL, EVERYONE)
            ):
                best = 1  # mate
            plies += sign(plies)
        if not known:
            ok[0] = 0
            return 0
        if plies < best and sign(plies) == sign(wdl):
            best = plies
    ok[0] = 1
    return -1 if best == FAR else best  # -1: no moves, so mated


def resolve(tables, pos, pawns_too, how):
    """Return the result once captures are played out, and pawn moves if asked.

    `how` is set to the source of the result.
    """
    moves: u16[MAX_MOVES]
    after: Position
    count = generate(pos, moves, ALL if pawns_too else NOISY, EVERYONE)
    tried = 0
    best: cython.int = LOSS
    for index in range(count):
        move = moves[index]
        if captured_type(pos, move) == NO_TYPE and not (
            pawns_too and pos.board[from_square(move)] >> 1 == PAWN
        ):
            continue
        tried += 1
        make_move(pos, cython.address(after), move)
        value: cython.int = -resolve(tables, cython.address(after), False, how)
        if how[0] == UNKNOWN:
            return TABLE_DRAW
        if value > best:
            best = value
            if best == WIN:
                how[0] = BY_ZEROING
                return WIN
    # With en passant or nothing but captures the table has no value of its own.
    only: cython.bint = False
    if tried:
        if not pawns_too:
            count = generate(pos, moves, ALL, EVERYONE)
        only = tried == count
    value = best
    how[0] = KNOWN
    if not only:
        value = probe_wdl_table(tables, pos, how)
        if how[0] == UNKNOWN:
            return TABLE_DRAW
    if tried and best >= value:
        how[0] = BY_ZEROING if best > TABLE_DRAW or only else KNOWN
        return best
    how[0] = KNOWN
    return value


def probe_wdl_table(tables, pos, how):
    """Return the value of the WDL table."""
    if popcount(occupied(pos)) == 2:
        return TABLE_DRAW
    return probe_table(tables, pos, WDL, 0, how)


def probe_dtz_table(tables, pos, wdl, how):
    """Return the value of the DTZ table in plies, for a position with a known result."""
    return probe_table(tables, pos, DTZ, wdl, how)


def probe_table(tables, pos, kind, wdl, how):
    """Find the table of a position's material, and in it the position."""
    material = material_of(pos)
    tablebase = find_slot(tables, material).tablebase
    if tablebase == cython.NULL:
        how[0] = UNKNOWN
        return 0
    file = open_tables(tables, tablebase, kind)
    if file == cython.NULL:
        how[0] = UNKNOWN
        return 0
    # The table has the stronger side as White, and White to move if both are alike.
    alike: cython.bint = tablebase.material == tablebase.mirrored
    turned: cython.bint = pos.side if alike else material != tablebase.material
    side: cython.int = pos.side ^ turned
    index: cython.int = 0
    if tablebase.pawns:
        index = leading_file(pos, part(file, 0, 0).encoding.pieces[0], turned)
    if kind == DTZ:
        flags: cython.int = part(file, 0, index).pairs.flags
        if flags & BLACK_TO_MOVE != side and (tablebase.pawns or not alike):
            how[0] = OTHER_SIDE
            return 0
    here = part(file, side if kind == WDL and not alike else 0, index)
    value = decode(cython.address(here.pairs), encode(cython.address(here.encoding), pos, turned))
    if value < 0 or (kind == WDL and value > 4):
        how[0] = UNKNOWN
        return 0
    if kind == WDL:
        return value - 2
    if flags & MAPPED:
        which = 1 if wdl == LOSS else 3 if wdl == BLESSED_LOSS else 2 if wdl == CURSED_WIN else 0
        if cython.cast(cython.uint, value) >= here.map_count[which]:
            how[0] = UNKNOWN
            return 0
        if flags & WIDE:
            value = small16(file.bytes + here.map[which] + 2 * value)
        else:
            value = file.bytes[here.map[which] + value]
    in_plies: cython.bint = (wdl == WIN and flags & WIN_PLIES != 0) or (
        wdl == LOSS and flags & LOSS_PLIES != 0
    )
    return value + 1 if in_plies else 2 * value + 1


def _material(white, black):
    """Return the material of two sides given as letters."""
    material = 0
    for letter in white:
        material += 1 << (8 * _LETTERS.index(letter))
    for letter in black:
        material += 16 << (8 * _LETTERS.index(letter))
    return material
