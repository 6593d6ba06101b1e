"""Options whose values mean something on this machine only: paths of files.  No I/O.

A GUI sends what its user has set up for engines of this machine, `SyzygyPath` above
all.  A server cannot read those files, and refuses to look: so the bridge says so
itself, and what the user can do.
"""

import re

from rookery_uci import Option, SetOption, key_of

# /a/path, ~/a/path, C:\a\path, C:/a/path, \\server\share
_PATH = re.compile(r"(?:/|~|[A-Za-z]:[\\/]|\\\\)\S")
_NAMES = 5  # that are listed


def objection(command: SetOption, offered: dict[str, Option]) -> str | None:
    """Say why an option is not for the server; None if it is.

    Args:
        command: what the GUI has set.
        offered: the options of the server by their keys; empty if they are not known yet.

    """
    if not offered or not command.value or not _PATH.match(command.value):
        return None
    option = offered.get(key_of(command.name))
    if option and option.type == "string":
        return None  # The operator lets clients name files of the server.
    text = f"{command.name} is not sent: {command.value!r} is a path of this machine"
    names = [name for name in (option.var if option else ()) if not name.startswith("<")]
    if names:
        more = ", ..." if len(names) > _NAMES else ""
        return f"{text}; the server has {', '.join(names[:_NAMES])}{more}"
    return f"{text}, and the server does not let clients set it"
