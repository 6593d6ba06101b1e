"""Reading QR codes as a phone's camera does: from the pixels that are seen."""

import re

import zxingcpp

_SCALE = 4  # pixels of a module
_LIGHT, _DARK = b"\xff", b"\0"
# What a half block paints in its two halves, by the colour of characters: light here.
_HALVES = {"█": (_LIGHT, _LIGHT), "▀": (_LIGHT, _DARK), "▄": (_DARK, _LIGHT), " ": (_DARK, _DARK)}
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def read_qr(pixels: bytes, width: int) -> str:
    """Return what the QR code in a picture says; a pixel is a byte, from black to white."""
    image = memoryview(pixels).cast("B", shape=[len(pixels) // width, width])
    found = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)
    assert len(found) == 1, f"there are {len(found)} codes in the picture"
    return str(found[0].text)


def read_terminal(text: str) -> str:
    """Return what the QR code of half blocks in the output of a terminal says."""
    lines = [_COLOURS.sub("", line) for line in text.splitlines()]
    drawn = [line for line in lines if line and set(line) <= set(_HALVES)]
    rows = [b"".join(_HALVES[each][half] for each in line) for line in drawn for half in (0, 1)]
    scaled = [b"".join(row[at : at + 1] * _SCALE for at in range(len(row))) for row in rows]
    return read_qr(b"".join(row * _SCALE for row in scaled), len(rows[0]) * _SCALE)
