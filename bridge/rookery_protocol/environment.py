"""The environment of an engine: that of its host, without secrets.

Tokens, passwords and the sockets of a service manager are for the program that was given them.
Variables are told by the words of their names, and by passwords inside of values, because every
program has names of its own; what an engine needs besides stands in its command:
`env NAME=VALUE engine`.  No I/O.
"""

import re
from collections.abc import Mapping

# Words of names, between underscores: `HF_TOKEN` and not `TOKENIZERS_PARALLELISM`.
_SECRETS = frozenset(
    {
        "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWORDS", "PASSWD", "PASSPHRASE",
        "PASS", "PASSFILE", "PGPASSWORD", "PGPASSFILE", "CREDENTIAL", "CREDENTIALS", "COOKIE",
        "APIKEY", "AUTHORIZATION",
    }
)  # fmt: skip
_KEY = "KEY"  # as the last word: `AWS_SECRET_ACCESS_KEY`
_OF_MANAGER = frozenset(
    {
        "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID",
        "WATCHDOG_PID", "WATCHDOG_USEC", "FDSTORE", "MAINPID", "MANAGERPID",
    }
)  # fmt: skip
# A password in a URL, of a database or a proxy, or in words of `NAME=VALUE`, as libpq has them.
_PASSWORD = re.compile(r"://[^/?#\s]*:[^/?#\s]*@|\b(?:password|passwd|pwd|token)=[^&;\s]", re.I)


def for_engines(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of an environment that an engine may see."""
    return {name: value for name, value in environment.items() if not _is_secret(name, value)}


def _is_secret(name: str, value: str) -> bool:
    words = name.upper().split("_")
    is_named = not _SECRETS.isdisjoint(words) or words[-1] == _KEY or name in _OF_MANAGER
    return is_named or _PASSWORD.search(value) is not None
