"""Requests for projects: the project that is meant, and errors as answers."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from aiohttp import web

from rookery_protocol.errors import SHUTTING_DOWN, RefusedError
from rookery_protocol.notices import Code, legible
from rookery_server.access.account import ANYBODY, Account
from rookery_server.analysis.position_reading import read_move
from rookery_server.api.project_documents import variant_of
from rookery_server.api.search_request import read_position
from rookery_server.api.tree_documents import TreePlace
from rookery_server.config.resources import Quota
from rookery_server.database.database import StoreError
from rookery_server.growth.path import Path
from rookery_server.http.problem import ProblemError, problem_answer
from rookery_server.http.web_app import ACCOUNT
from rookery_server.manager import SessionManager
from rookery_server.projects.project_service import ProjectService
from rookery_server.projects.stored_project import (
    DamageError,
    ProjectRoot,
    ProjectStage,
    StoredProject,
)
from rookery_server.projects.tree_growth import start_of
from rookery_server.transport.connection_policy import ConnectionPolicy

logger = logging.getLogger(__name__)

RETRY_AFTER = {"Retry-After": "5"}  # s until a database may work again
_NO_ACCOUNTS = (
    "this server has no accounts, so it could not tell whose projects are whose: it keeps projects"
    " only where it wants tokens, or on its own machine"
)


class ProjectConflictError(Exception):
    """A project is not in the state for this; the text says in which it is."""


@dataclass(frozen=True, slots=True)
class AskedProject:
    """A request for a project, or for all of an account."""

    request: web.Request
    account: Account
    service: ProjectService
    manager: SessionManager
    policy: ConnectionPolicy

    @property
    def quota(self) -> Quota:
        """The quota of the account."""
        return self.manager.quota_of(self.account)

    async def project(self, id_: str | None = None) -> StoredProject:
        """Return the project of the path, or one of this id.

        Raises:
            web.HTTPNotFound: the account has none.

        """
        id_ = (self.request.match_info["id"] if id_ is None else id_)[:100]
        # PostgreSQL refuses some characters that no id has.
        is_text = id_.isprintable()
        project = await self.service.project_of(self.account, id_) if is_text else None
        if project is None:
            raise web.HTTPNotFound(text=f"this account has no project {legible(id_)!r}")
        return project

    async def steerable_project(self) -> StoredProject:
        """Return the project of the path, whose tree can be changed now.

        Raises:
            web.HTTPNotFound: the account has none.
            ProjectConflictError: its tree is built of others now.

        """
        project = await self.project()
        if project.stage is ProjectStage.BUILDING:
            raise ProjectConflictError("the tree of this project is built now: wait for its end")
        return project


Handler = Callable[[AskedProject], Awaitable[web.StreamResponse]]


class ProjectAccess:
    """The way from requests to projects; `service` is there while the server keeps them."""

    def __init__(self, manager: SessionManager, policy: ConnectionPolicy) -> None:
        self.service: ProjectService | None = None
        self._manager = manager
        self._policy = policy

    def handler(self, handle: Handler) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        """Return a handler whose errors are answers."""

        async def answer_request(request: web.Request) -> web.StreamResponse:
            account = request[ACCOUNT]
            if self.service is None:
                raise RefusedError(Code.PROJECTS_OFF, "this server keeps no projects")
            if account == ANYBODY:
                raise RefusedError(Code.PROJECTS_OFF, _NO_ACCOUNTS)
            if not self.service.is_open:
                raise RefusedError(*SHUTTING_DOWN)
            asked = AskedProject(request, account, self.service, self._manager, self._policy)
            try:
                return await handle(asked)
            except ProjectConflictError as error:
                return problem_answer(409, str(error))
            except DamageError as error:
                return problem_answer(409, f"the project is damaged: {error}")
            except StoreError as error:
                logger.warning("a request for projects has no database: %s", error)
                text = "the database of projects cannot be used now"
                return problem_answer(503, text, None, RETRY_AFTER)

        return answer_request


def place_of(
    root: ProjectRoot, fen: str | None, moves: Sequence[str], *, path: str = "$."
) -> tuple[TreePlace, tuple[str, ...]]:
    """Return the place that a request means, and the moves there in UCI; without a FEN from a root.

    Raises:
        ProblemError: there is no such position.

    """
    rules, key, way = start_of(root)
    if fen is not None:
        board = read_position(fen, (), variant_of(root), path=path).board
        key = rules.key(board)
        way = Path((key,), rules.phase(key), board.halfmove_clock)
    told = []
    for number, text in enumerate(moves):
        board = rules.board(key)
        if (move := read_move(board, text)) is None:
            raise ProblemError(
                422, f"move {number + 1} ({legible(text, 10)}) is not legal in {board.fen()}",
                Code.ILLEGAL_POSITION, path=f"{path}moves[{number}]",
                expected="a legal move, in UCI or SAN",
            )  # fmt: skip
        told.append(board.uci(move))
        step = rules.step(key, told[-1])
        way, key = way.after(step), step.key
    return TreePlace(rules, key, way), tuple(told)
