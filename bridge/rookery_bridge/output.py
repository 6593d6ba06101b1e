"""What a command says to its user, whatever shows it."""

import sys


def say(text: str) -> None:
    """Say a line at once; what cannot be shown is a `?`.

    A server's words may be in it, and a terminal obeys control characters.  A file may be
    of an encoding that has not all letters: Windows has such.
    """
    encoding = sys.stdout.encoding or "utf-8"
    clean = "".join(each if each.isprintable() or each == "\n" else "?" for each in text)
    sys.stdout.write(clean.encode(encoding, "replace").decode(encoding) + "\n")
    sys.stdout.flush()
