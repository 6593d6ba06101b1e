"""Input of an operator's link: pasted in a terminal, where it is not shown, or a line of stdin."""

import getpass
import os
import re
import sys
from codecs import BOM_UTF16_LE

from rookery_protocol.console import complain
from rookery_protocol.text_encoding import decode_text

_LONGEST = 1 << 16  # bytes; a link has less than a thousand
_PROMPT = "paste the link (it is not shown): "
# Where a terminal leaves Ctrl-V to the program, as the old console of Windows does, what comes is
# the key and no link; where it quotes the next key, as on Linux and macOS, that is Enter.
_HOW_TO_PASTE = (
    "that key does not paste here: use the right mouse button or Ctrl+Shift+V (on macOS Cmd+V),"
    " and then Enter; Ctrl-C ends this"
)
_SPECIAL_KEY = re.compile("[\0\xe0].")  # Shift+Insert, for one, as Python on Windows passes it on
_NO_LINK = "\x04\x1a"  # Ctrl-D and, as Windows has it, Ctrl-Z


def ask_link() -> str:
    """Ask for the link in a terminal; return "" if the user gives none."""
    while True:
        try:
            typed = getpass.getpass(_PROMPT)
        except EOFError:
            return ""
        if sys.platform == "win32":
            typed = _SPECIAL_KEY.sub("\0", typed)
        link = _printable(typed)
        if link or not typed.strip(_NO_LINK):
            return link
        complain(_HOW_TO_PASTE)


def read_link() -> str:
    """Return the link of a pipe or a file, the first line of stdin; "" if there is none."""
    if os.environ.get("MSYSTEM"):  # The terminal of Git for Windows looks like a pipe.
        complain("reading the link from stdin: if this is a terminal, paste it and press Enter")
    line = sys.stdin.buffer.readline(_LONGEST)
    if line.startswith(BOM_UTF16_LE):
        line += sys.stdin.buffer.read(1)  # the other half of its newline
    return _printable(decode_text(line, "replace"))


def _printable(text: str) -> str:
    """Return a text without the control characters, marks and blanks around a link."""
    return "".join(filter(str.isprintable, text)).strip()
