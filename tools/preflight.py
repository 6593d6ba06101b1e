"""Say in one sentence what this machine lacks to build Rookery, or say nothing.

Run by `make` with whatever Python the user has, so it keeps to old syntax.
"""

import os
import shutil
import sys
import sysconfig


def missing():
    """Return what is missing and what to do about it, or None."""
    version = "%d.%d" % sys.version_info[:2]
    if sys.version_info < (3, 11):
        return "Python 3.11 or newer is needed, this is %s: try `make PYTHON=python3.11`" % version
    try:
        import ensurepip  # noqa: F401  Debian ships it apart from Python.
    except ImportError:
        return "Python cannot make environments: `apt install python%s-venv`" % version
    if not (shutil.which("cc") or shutil.which("gcc")):
        return "a C compiler is missing: `apt install gcc libc6-dev`"
    if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        return "the headers of Python are missing: `apt install python%s-dev`" % version
    if not os.path.exists("/usr/include/stdio.h") and sys.platform == "linux":
        return "the headers of the C library are missing: `apt install libc6-dev`"
    return None


if __name__ == "__main__":
    sentence = missing()
    if sentence:
        sys.exit("rookery cannot be built here: " + sentence)
