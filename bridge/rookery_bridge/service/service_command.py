"""The parts that the commands for jobs and for projects share: errors, ids, and printing."""

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from http import HTTPStatus
from typing import TypeAlias

from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.client.remote_projects import RemoteProject
from rookery_bridge.client.service_error import ServiceError
from rookery_bridge.client.service_results import RemoteJob
from rookery_bridge.command_arguments import complain
from rookery_bridge.service import service_arguments
from rookery_protocol.console import print_line, print_table
from rookery_protocol.errors import in_words
from rookery_protocol.notices import legible

_LONGEST = 500  # characters of one fact

Item: TypeAlias = RemoteJob | RemoteProject
Act: TypeAlias = Callable[[AnalysisClient, argparse.Namespace], Awaitable[None]]
FindAll: TypeAlias = Callable[[AnalysisClient], Awaitable[Sequence[Item]]]


def run(options: argparse.Namespace, noun: str, act: Act, find_all: FindAll) -> int:
    """Have a command act at its server; return its exit status.

    Args:
        options: the arguments, with `id` and `output`.
        noun: a word for what has the id: `job` or `project`.
        act: does what the arguments say.
        find_all: returns all jobs, or all projects, of the account.

    Raises:
        AddressError, TrustError, PairingError, UsageError: an argument cannot be used.

    """
    address, trust, insecure = service_arguments.server_of(options)
    client = AnalysisClient.at(address, trust, insecure=insecure, report=complain)
    try:
        asyncio.run(_act_by_id(client, options, noun, act, find_all))
    except (ServiceError, OSError) as error:
        complain(failure(error, options.output))
        return service_arguments.FAILED
    return service_arguments.DONE


def failure(error: ServiceError | OSError, file: str = "") -> str:
    """Return what people are shown of an error, which may be one of this file."""
    if isinstance(error, OSError):
        return f"{error.filename or file}: {error.strerror or error}"
    return f"{error}; ask again in {in_words(error.wait)}" if error.wait else str(error)


async def _act_by_id(
    client: AnalysisClient, options: argparse.Namespace, noun: str, act: Act, find_all: FindAll
) -> None:
    """Act; an id that the server does not know may be the beginning of one."""
    async with client:
        try:
            await act(client, options)
        except ServiceError as error:
            if error.status != HTTPStatus.NOT_FOUND or not options.id:
                raise
            ids = [each.id for each in await find_all(client)]
            options.id = _whole_id(options.id, ids, noun)
            await act(client, options)


def _whole_id(beginning: str, ids: Sequence[str], noun: str) -> str:
    """Return the one id that begins so.

    Raises:
        ServiceError: there is none, or more than one.

    """
    found = [each for each in ids if each.startswith(beginning)]
    if len(found) == 1 and found[0] != beginning:
        return found[0]
    fault = f"{len(found)} {noun}s have an id" if len(found) > 1 else f"no {noun} has an id"
    raise ServiceError(f"{fault} that begins with {beginning!r}: 'list' shows those that there are")


def print_all(
    items: Sequence[Item], rows: Sequence[Sequence[str]], noun: str, *, as_json: bool
) -> None:
    """Print all jobs or projects: as JSON, or as a table whose first row is its head."""
    if as_json:
        print_line(json.dumps([asdict(each) for each in items]))
    elif items:
        print_table([[legible(text) for text in row] for row in rows])
    else:
        print_line(f"no {noun}s")


def print_one(item: Item, facts: Mapping[str, str], *, as_json: bool) -> None:
    """Print a job or a project: as JSON, or the facts that are not empty."""
    if as_json:
        print_line(json.dumps(asdict(item)))
        return
    width = max(map(len, facts))
    for name, text in facts.items():
        if text:
            print_line(f"{name.ljust(width)}  {legible(text, _LONGEST)}")
