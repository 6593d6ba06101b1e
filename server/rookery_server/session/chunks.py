"""Pieces of an engine's output: whole lines in one `bytes`, each with its newline.

An engine can say a million lines a second, so what is asked of every line is compiled.
An `info` line tells the newest of its subject: of a variation (one with a `pv`), of the
refutations, of the lines that the threads look at, or of the progress of the search
(`currmove`, `nodes` ...).  So a later one replaces it, though never across a `bestmove`.
`info string` and all other lines count each for themselves.
"""

import cython
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.string import memchr, memcmp, memcpy, memset

if not cython.compiled:
    raise ImportError("rookery_server.session.chunks runs only compiled: type `make build`")

OWN = cython.declare(cython.int, -1)  # a line that nothing replaces


def only_info(piece: bytes) -> cython.bint:
    """Return whether every line of a piece is an engine's `info` line, in plain ASCII.

    One that begins like the server's own notices is none (see `disowned` in notices.py).
    """
    text = PyBytes_AS_STRING(piece)
    stop = text + len(piece)
    if not _is_plain(text, len(piece)):
        return False
    while text < stop:
        if not _starts(text, stop, b"info ", 5) or _may_be_notice(text + 5, stop):
            return False
        text = _after_line(text, stop)
    return True


def is_tidy(piece: bytes) -> cython.bint:
    """Return whether lines can be carried as they are.

    They are plain ASCII without blank or indented lines, and none may pass for a notice.
    """
    text = PyBytes_AS_STRING(piece)
    stop = text + len(piece)
    if not _is_plain(text, len(piece)):
        return False
    while text < stop:
        if text[0] == 32 or text[0] == 9 or text[0] == 10:
            return False
        if _starts(text, stop, b"info", 4) and _may_be_notice(text + 4, stop):
            return False
        text = _after_line(text, stop)
    return True


def _may_be_notice(text: cython.p_char, stop: cython.p_char) -> cython.bint:
    """Return whether `string rookery` follows here, with any white space."""
    text = _after_blanks(text, stop)
    if not _starts(text, stop, b"string", 6):
        return False
    return _starts(_after_blanks(text + 6, stop), stop, b"rookery", 7)


def _after_blanks(text: cython.p_char, stop: cython.p_char) -> cython.p_char:
    while text < stop and (text[0] == 32 or text[0] == 9):
        text += 1
    return text


def without_blanks(piece: bytes) -> bytes:
    """Leave out blank lines, and what is blank before a word: lines are known by their first."""
    lines = [line.lstrip(b" \t") for line in piece.split(b"\n")]
    return b"\n".join([*filter(None, lines), b""])


def runs(piece: bytes, starts: tuple) -> list:
    """Return a piece in parts, in order: each line that begins with one of some words by itself.

    What is between such lines stays together, as it needs no look at each of its lines: an
    engine can say 16,000 short ones in a piece.
    """
    text = PyBytes_AS_STRING(piece)
    stop = text + len(piece)
    begin = text  # of what stays together
    parts: list = []
    while text < stop:
        end = _after_line(text, stop)
        if _starts_with_one(text, stop, starts):
            if begin < text:
                parts.append(begin[: text - begin])
            parts.append(text[: end - text])
            begin = end
        text = end
    if not parts:
        return [piece] if piece else []
    if begin < stop:
        parts.append(begin[: stop - begin])
    return parts


def _starts_with_one(text: cython.p_char, stop: cython.p_char, starts: tuple) -> cython.bint:
    word: bytes
    for word in starts:  # noqa: SIM110  # A generator would be an object for each line.
        if _starts(text, stop, PyBytes_AS_STRING(word), len(word)):
            return True
    return False


def _is_plain(text: cython.p_char, length: cython.Py_ssize_t) -> cython.bint:
    """Return whether there is no control character, nor anything that may hold one in UTF-8."""
    strange: cython.uchar = 0
    code: cython.uchar
    place: cython.Py_ssize_t
    for place in range(length):  # without a branch, so that the compiler takes 16 at a time
        code = text[place]
        strange |= (cython.cast(cython.uchar, code - 32) > 94) & (code != 10) & (code != 9)
    return not strange


def count_owed(piece: bytes) -> cython.Py_ssize_t:
    """Return how many lines of a piece are owed to the client: no `info`, nor the server's own."""
    text = PyBytes_AS_STRING(piece)
    stop = text + len(piece)
    count: cython.Py_ssize_t = 0
    while text < stop:
        count += _is_owed(text, stop)
        text = _after_line(text, stop)
    return count


def after_owed(piece: bytes, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return where the lines begin that come after so many that are owed."""
    begin = PyBytes_AS_STRING(piece)
    text = begin
    stop = begin + len(piece)
    while text < stop and count > 0:
        count -= _is_owed(text, stop)
        text = _after_line(text, stop)
    return text - begin


def _is_owed(text: cython.p_char, stop: cython.p_char) -> cython.bint:
    return not (_starts(text, stop, b"info ", 5) or _starts(text, stop, b"rookery ", 8))


def squeeze(piece: bytes) -> bytes:
    """Leave out each `info` that a later one replaces before the search ends."""
    return _kept(piece, ALL)


def newest(piece: bytes) -> bytes:
    """Return only the `info` lines that no later one replaces: one of each subject."""
    return _kept(piece, INFO)


def newest_exact(piece: bytes) -> bytes:
    """Return the newest line of each variation whose score is no bound, in their order."""
    return _kept(piece, EXACT)


def _kept(piece: bytes, wanted: cython.int) -> bytes:
    """Return what is wanted of a piece: of each subject the newest line, in their order."""
    begin = PyBytes_AS_STRING(piece)
    stop = begin + len(piece)
    result: bytes = PyBytes_FromStringAndSize(cython.NULL, len(piece))
    out_begin = PyBytes_AS_STRING(result)
    out = out_begin + len(piece)
    newer: cython.char[SUBJECTS]
    keep: cython.bint
    memset(newer, 0, SUBJECTS)
    while stop > begin:  # from the end, where the newest is
        text = _line_before(begin, stop)
        if wanted != EXACT and _starts(text, stop, b"bestmove", 8):
            memset(newer, 0, SUBJECTS)
        subject = _subject(text, stop)
        if subject == OWN:
            keep = wanted == ALL
        elif newer[subject]:
            keep = False
        else:
            keep = wanted != EXACT or (subject >= FIRST_VARIATION and not _is_bound(text, stop))
            newer[subject] = keep
        if keep:
            out -= stop - text
            memcpy(out, text, stop - text)
        stop = text
    return result[out - out_begin :]


def last_variation(piece: bytes) -> bytes:
    """Return the moves of the newest best variation in a piece; empty if there is none."""
    begin = PyBytes_AS_STRING(piece)
    stop = begin + len(piece)
    while stop > begin:
        text = _line_before(begin, stop)
        if _subject(text, stop) == FIRST_VARIATION:
            pv = _find(text, stop, b" pv ", 4) + 4
            return pv[: stop - pv - (stop[-1] == 10)]
        if _starts(text, stop, b"bestmove", 8):
            break
        stop = text
    return b""


def _subject(text: cython.p_char, stop: cython.p_char) -> cython.int:
    """Return what an `info` line tells the newest of, or OWN if it counts for itself."""
    if not _starts(text, stop, b"info ", 5) or _starts(text, stop, b"info string", 11):
        return OWN
    if _find(text, stop, b" pv ", 4) != cython.NULL:
        found = _find(text, stop, b" multipv ", 9)
        if found == cython.NULL:
            return FIRST_VARIATION
        number: cython.int = 0
        found += 9
        while found < stop and 48 <= found[0] <= 57 and number < SUBJECTS:
            number = 10 * number + found[0] - 48
            found += 1
        number += FIRST_VARIATION - 1
        return number if number < SUBJECTS else OWN
    if _find(text, stop, b" refutation ", 12) != cython.NULL:
        return REFUTATION
    if _find(text, stop, b" currline ", 10) != cython.NULL:
        return CURRLINE
    return PROGRESS


def _is_bound(text: cython.p_char, stop: cython.p_char) -> cython.bint:
    """Return whether the score of a line is less than the truth, or more."""
    return (
        _find(text, stop, b" lowerbound", 11) != cython.NULL
        or _find(text, stop, b" upperbound", 11) != cython.NULL
    )


def _find(
    text: cython.p_char, stop: cython.p_char, word: cython.p_char, length: cython.Py_ssize_t
) -> cython.p_char:
    """Return where a word is first found, or NULL."""
    while stop - text >= length:
        text = cython.cast(cython.p_char, memchr(text, word[0], stop - text - length + 1))
        if text == cython.NULL or memcmp(text, word, length) == 0:
            return text
        text += 1
    return cython.NULL


def _starts(
    text: cython.p_char, stop: cython.p_char, word: cython.p_char, length: cython.Py_ssize_t
) -> cython.bint:
    return stop - text >= length and memcmp(text, word, length) == 0


def _after_line(text: cython.p_char, stop: cython.p_char) -> cython.p_char:
    """Return where the next line begins."""
    end = cython.cast(cython.p_char, memchr(text, 10, stop - text))
    return stop if end == cython.NULL else end + 1


def _line_before(begin: cython.p_char, stop: cython.p_char) -> cython.p_char:
    """Return where the line begins that ends at `stop`."""
    text = stop - 1
    while text > begin and text[-1] != 10:
        text -= 1
    return text
