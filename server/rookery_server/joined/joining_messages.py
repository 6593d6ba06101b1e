"""The messages between a server and a machine that joins it: JSON objects, one a message.

The machine has dialled, as it may be where nobody can reach it.  Over that connection, the
*control*, it says which engines it offers and is asked for them; each engine that is wanted is a
connection more of the machine's, a *link*, which names by a secret what it was asked for.
Over a link goes nothing but UCI, many lines in one message.

Each message is a frozen dataclass here, whose fields are checked: neither side need trust
the other.  No I/O, no clock.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rookery_protocol.engine_names import is_plain_name
from rookery_protocol.errors import ConfigError
from rookery_server.config import validators
from rookery_server.config.resources import MAX_HASH_MB, MAX_THREADS
from rookery_server.config.schema import keys_of, read_section, setting

PATH = "/join"  # of both sorts of connection
SUBPROTOCOL = "rookery.join"
LINK_HEADER = "Rookery-Link"  # has the secret of a link
BEAT = 5.0  # s from one sign of life to the next, while nothing else is said
SILENCE = 15.0  # s without any, after which the other side counts as gone

MAX_ENGINES = 16  # that one machine offers
MAX_SESSIONS = 1000  # that one machine takes
MAX_SENTENCE = 300  # characters of what is said for people
MAX_VERSION = 64  # characters; the rest of a longer one is left out
MAX_ACCOUNT = 64  # characters of the name of an account or a role
_MAX_ALLOWED = 1000


class MessageError(ValueError):
    """A text is no message; the error says why."""


def _name(key: str, value: object) -> str:
    if not isinstance(value, str) or not is_plain_name(value):
        raise ConfigError(f"{key} needs letters, digits, '.', '_' and '-', not {value!r:.80}")
    return value


def _engines(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_ENGINES:
        raise ConfigError(f"{key} needs a list of 1 to {MAX_ENGINES} names")
    return tuple(dict.fromkeys(_name(key, each) for each in value))


def _accounts(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MAX_ALLOWED:
        raise ConfigError(f"{key} needs a list of at most {_MAX_ALLOWED} accounts")
    names = validators.texts(key, value)
    for name in names:  # None is cut: what is left may be the name of another.
        if len(name) > MAX_ACCOUNT:
            raise ConfigError(
                f"{key} needs names of at most {MAX_ACCOUNT} characters, not {name!r}"
            )
    return names


def _for_people(most: int) -> Callable[[str, object], str]:
    """Return the check of a text for people, of which so many characters are kept."""
    return lambda key, value: _short(validators.text(key, value), most)


def _short(text: str, most: int) -> str:
    """Return so many characters of a text, without those that steer a terminal."""
    text = text[:most]
    return text if text.isprintable() else ascii(text)[:most]


@dataclass(frozen=True, slots=True)
class Joining:
    """A machine says what it offers, as its first message.

    `machine` is what it is called among those of its account; `id` a secret of its own, by
    which the server knows it again when it comes back; `threads` and `hash_mb` what all its
    engines may have together; `sessions` how many it takes at once; `allow` the accounts and
    roles for whom it is, if not for all.
    """

    machine: str = setting(_name)
    id: str = setting(_name)
    version: str = setting(_for_people(MAX_VERSION))
    threads: int = setting(validators.whole(1, MAX_THREADS))
    hash_mb: int = setting(validators.whole(1, MAX_HASH_MB))
    sessions: int = setting(validators.whole(1, MAX_SESSIONS))
    engines: tuple[str, ...] = setting(_engines)
    allow: tuple[str, ...] = setting(_accounts, ())


@dataclass(frozen=True, slots=True)
class Welcome:
    """The server says what the account of a machine is called: behind the `@` of its engines."""

    group: str = setting(_name)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The server wants an engine: the machine comes with a link that shows this secret."""

    engine: str = setting(_name)
    link: str = setting(_name)


@dataclass(frozen=True, slots=True)
class Sorry:
    """The machine has no engine for a link now."""

    link: str = setting(_name)
    why: str = setting(_for_people(MAX_SENTENCE))


@dataclass(frozen=True, slots=True)
class EngineTrouble:
    """The server cannot offer an engine of the machine's."""

    engine: str = setting(_name)
    why: str = setting(_for_people(MAX_SENTENCE))


@dataclass(frozen=True, slots=True)
class Beat:
    """A sign of life of the machine's; the server answers it with another."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The machine goes, and does not come back soon: no more is to be asked of it."""


Message = Joining | Welcome | Wanted | Sorry | EngineTrouble | Beat | Leave

# By the word that a message says.
_KINDS: Mapping[str, type[Any]] = {
    "joining": Joining,
    "welcome": Welcome,
    "wanted": Wanted,
    "sorry": Sorry,
    "trouble": EngineTrouble,
    "beat": Beat,
    "leave": Leave,
}
_WORDS = {kind: word for word, kind in _KINDS.items()}


def parse(text: bytes) -> Message:
    """Read a message; keys of a later version are skipped.

    Raises:
        MessageError: it is none.

    """
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MessageError(
            f"a message is a JSON object, and this is none: {error!s:.80}"
        ) from error
    word = said.pop("say", None) if isinstance(said, dict) else None
    if not isinstance(word, str) or word not in _KINDS:
        raise MessageError(f"a message says one of {', '.join(_KINDS)}, not {word!r:.80}")
    kind = _KINDS[word]
    known = {key: value for key, value in said.items() if key in keys_of(kind)}
    try:
        message: Message = read_section(kind, word, known)
        return message
    except ConfigError as error:
        raise MessageError(_short(str(error), MAX_SENTENCE)) from error  # It repeats what was said.


def word_of(message: Message) -> str:
    """Return the word by which a message is known."""
    return _WORDS[type(message)]


def text_of(message: Message) -> bytes:
    """Return a message as it is sent, with a newline."""
    return json.dumps({"say": word_of(message), **asdict(message)}).encode() + b"\n"
