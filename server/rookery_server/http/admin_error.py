"""The error of an operator's command, and what raises it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rookery_server.database.database import StoreError

T = TypeVar("T")


class AdminError(Exception):
    """A command of the operator cannot be done; the text says why."""


@contextmanager
def database_of(things: str) -> Iterator[None]:
    """Use the database of things.

    Raises:
        AdminError: the database cannot be used.

    """
    try:
        yield
    except StoreError as error:
        raise AdminError(f"the database of {things} cannot be used now: {error}") from error


def only_one(found: Sequence[T], thing: str, beginning: str, command: str) -> T:
    """Return the one thing whose id has a beginning; `command` lists what there is.

    Raises:
        AdminError: there is none, or more than one.

    """
    if len(found) == 1:
        return found[0]
    fault = f"more than one {thing} has an id" if found else f"no {thing} has an id"
    raise AdminError(
        f"{fault} that begins with {beginning[:40]!r}: '{command}' shows those that there are"
    )
