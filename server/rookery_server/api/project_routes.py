"""The routes of projects: `/v1/projects`, and each project as a whole."""

import asyncio
import io
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import chess
import chess.pgn
import msgspec
from aiohttp import web
from msgspec import UNSET

from rookery_protocol.errors import SHUTTING_DOWN, RefusedError
from rookery_server.api.documents import json_answer, read_json, read_query
from rookery_server.api.project_access import (
    AskedProject,
    ProjectAccess,
    ProjectConflictError,
    place_of,
)
from rookery_server.api.project_documents import (
    check_name,
    new_project,
    project_document,
    read_budget,
    read_settings,
    variant_of,
    version_of,
)
from rookery_server.api.project_schema import (
    CopyRequest,
    ImportRequest,
    MergeRequest,
    ProjectChange,
    ProjectList,
    ProjectQuery,
    ProjectRequest,
)
from rookery_server.growth.merging import ForeignTreeError
from rookery_server.growth.rules import ChessRules, IllegalMoveError
from rookery_server.growth.steering import check_line
from rookery_server.http.problem import ProblemError
from rookery_server.http.web_app import API
from rookery_server.projects.stored_project import (
    NewProject,
    ProjectRoot,
    ProjectStage,
    StoredProject,
)
from rookery_server.projects.tree_growth import start_of
from rookery_server.projects.tree_store import TreeReader

LOOK = 1.0  # s from one look at a project that another server may grow to the next
PATIENCE = 20.0  # s that a request waits for a tree that is built
_FRESH = {"Cache-Control": "no-store"}
_MOST_MOVES = 10_000  # of all lines of a skeleton
_LONGEST = 400  # half-moves of one of them


class ProjectRoutes:
    """The routes of projects as wholes."""

    def __init__(self, access: ProjectAccess) -> None:
        self._access = access

    @property
    def routes(self) -> list[web.RouteDef]:
        """The routes for `WebApp`."""
        every, one = f"{API}/projects", f"{API}/projects/{{id}}"
        handler = self._access.handler
        return [
            web.get(every, handler(_list)),
            web.post(every, handler(_create)),
            web.get(one, handler(_show)),
            web.patch(one, handler(_change)),
            web.delete(one, handler(_delete)),
            web.post(f"{one}/import", handler(_import)),
            web.post(f"{one}/merge", handler(_merge)),
            web.post(f"{one}/copy", handler(_copy)),
        ]


async def _list(asked: AskedProject) -> web.StreamResponse:
    async def read_projects() -> list[StoredProject]:
        return await asked.service.projects_of(asked.account)

    projects = await _changed(asked, read_query(asked.request, ProjectQuery), read_projects)
    roots = await asked.service.roots_of(projects)
    quota = asked.quota
    document = ProjectList(
        version=version_of(projects),
        projects=[project_document(each, roots.get(each.number)) for each in projects],
        positions=sum(each.positions for each in projects),
        most_projects=quota.projects,
        most_positions=quota.project_nodes,
    )
    return json_answer(document, fields=_FRESH)


async def _changed(
    asked: AskedProject, query: ProjectQuery, read: Callable[[], Awaitable[list[StoredProject]]]
) -> list[StoredProject]:
    """Read projects, again and again while they have the version that is known."""
    projects = await read()
    if query.after is None or not query.wait:
        return projects
    with asked.service.following(projects) as changed, suppress(TimeoutError):
        async with asyncio.timeout(query.wait):
            while version_of(projects) == query.after:
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK):
                        await changed.wait()
                changed.clear()
                if not asked.service.is_open:  # It has no database any more.
                    raise RefusedError(*SHUTTING_DOWN)
                projects = await read()
    return projects


async def _create(asked: AskedProject) -> web.StreamResponse:
    wanted = await read_json(asked.request, ProjectRequest)
    new = new_project(wanted, asked.account, asked.manager)
    lines: Sequence[Sequence[str]] = ()
    if wanted.pgn is not UNSET:
        lines = await asyncio.to_thread(skeleton_lines, wanted.pgn, new.root)
    project = await asked.service.create(new, lines, PATIENCE)
    return await _answer_built(asked, await asked.project(project.id), 201)


@contextmanager
def _ends_of_games_told() -> Iterator[None]:
    """Tell that a line goes on where the game is over."""
    try:
        yield
    except IllegalMoveError as error:
        raise ProblemError(422, str(error), path="$.pgn",
                           expected="lines that end where the game does") from error  # fmt: skip


def skeleton_lines(pgn: str, root: ProjectRoot) -> list[list[str]]:
    """Return the lines of a game from a root on, as moves in UCI.

    Raises:
        ProblemError: it is no game, or none of its lines comes to the root.

    """
    rules, key, _ = start_of(root)
    game = chess.pgn.read_game(io.StringIO(pgn), Visitor=_BoundedGame)
    if game is None or game.errors:
        text = str(game.errors[0]) if game else "there is no game"
        raise ProblemError(422, f"the PGN cannot be read: {text[:200]}", path="$.pgn",
                           expected="one game in PGN")  # fmt: skip
    lines: list[list[str]] = []
    count = 0
    for line in _lines_below(game, rules, key):
        lines.append(line)
        count += len(line)
        if count > _MOST_MOVES:
            raise ProblemError(422, "the lines of this game are too long in all", path="$.pgn",
                               expected=f"{_MOST_MOVES} half-moves at most")  # fmt: skip
    if not lines:
        raise ProblemError(422, "no line of this game comes to the position", path="$.pgn",
                           expected="a game with the position of the project")  # fmt: skip
    with _ends_of_games_told():
        for line in lines:
            check_line(rules, key, line)
    return [line for line in lines if line]


class _BoundedGame(chess.pgn.GameBuilder[chess.pgn.Game]):
    """A game that is read as far as it has not too many moves: reading takes their square."""

    def __init__(self) -> None:
        super().__init__()
        self._moves = 0

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        """Take a move.

        Raises:
            ProblemError: there are too many, or too many in one line.

        """
        self._moves += 1
        if self._moves > _MOST_MOVES or len(board.move_stack) >= _LONGEST:
            expected = f"{_LONGEST} half-moves in a line, {_MOST_MOVES} in all"
            raise ProblemError(422, "this game is too long", path="$.pgn", expected=expected)
        super().visit_move(board, move)


def _lines_below(game: chess.pgn.Game, rules: ChessRules, key: str) -> Iterator[list[str]]:
    """Yield the lines of a game, each from its first position with this key."""
    board = game.board()
    height = len(board.move_stack)
    moves: list[str] = []  # from the start of the game
    begin: int | None = None  # the place among them where the key was reached
    waiting: list[tuple[chess.pgn.GameNode, int]] = [(game, 0)]
    while waiting:
        node, depth = waiting.pop()
        while len(board.move_stack) > height + max(0, depth - 1):
            board.pop()
        del moves[max(0, depth - 1) :]
        if begin is not None and begin > len(moves):
            begin = None
        if isinstance(node, chess.pgn.ChildNode):
            moves.append(board.uci(node.move))
            board.push(node.move)
        if begin is None and rules.key(board) == key:
            begin = depth
        if begin is not None and not node.variations:
            yield moves[begin:]
        waiting += [(each, depth + 1) for each in reversed(node.variations)]


async def _show(asked: AskedProject) -> web.StreamResponse:
    async def read_projects() -> list[StoredProject]:
        return [await asked.project()]

    (project,) = await _changed(asked, read_query(asked.request, ProjectQuery), read_projects)
    return await _answer(asked, project)


async def _change(asked: AskedProject) -> web.StreamResponse:
    change = await read_json(asked.request, ProjectChange)
    project = await asked.project()
    if change.name is not UNSET:
        check_name(change.name)
    settings = read_settings(change, project, asked.manager)
    budget = None
    if change.budget is not UNSET:
        budget = read_budget(change.budget)
    name = None if change.name is UNSET else change.name
    if (name, settings, budget) != (None, None, None):
        await asked.service.change(project, name=name, settings=settings, budget=budget)
    if change.stage == "paused":
        if project.stage not in (ProjectStage.ACTIVE, ProjectStage.PAUSED):
            raise ProjectConflictError(f"a project that is {project.stage} cannot be paused")
        await asked.service.pause(project)
    elif change.stage == "active":
        await asked.steerable_project()
        await asked.service.resume(project, asked.account)
    return await _answer(asked, await asked.project())


async def _import(asked: AskedProject) -> web.StreamResponse:
    wanted = await read_json(asked.request, ImportRequest)
    project = await asked.steerable_project()
    lines = await asyncio.to_thread(skeleton_lines, wanted.pgn, project.root)
    if not await asked.service.add_lines(project, lines, PATIENCE):
        await asked.steerable_project()
    return await _answer_built(asked, await asked.project(), 200)


async def _delete(asked: AskedProject) -> web.StreamResponse:
    await asked.service.delete(await asked.project())
    return web.Response(status=204)


async def _merge(asked: AskedProject) -> web.StreamResponse:
    wanted = await read_json(asked.request, MergeRequest)
    project = await asked.project()
    other = await asked.project(wanted.source)
    if other.id == project.id:
        raise ProblemError(422, "a project is not merged into itself", path="$.from",
                           expected="the id of another project")  # fmt: skip
    if variant_of(other.root) != variant_of(project.root):
        raise ProjectConflictError("the other project is of another variant")
    try:
        if not await asked.service.merge(project, other, PATIENCE):
            raise ProjectConflictError("the tree of one of both is built now: wait for its end")
    except ForeignTreeError as error:
        raise ProjectConflictError(str(error)) from error
    return await _answer_built(asked, await asked.project(), 200)


async def _copy(asked: AskedProject) -> web.StreamResponse:
    wanted = await read_json(asked.request, CopyRequest)
    check_name(wanted.name)
    source = await asked.project()

    def find_node(tree: TreeReader) -> tuple[int, tuple[str, ...]]:
        place, moves = place_of(source.root, wanted.fen, wanted.moves)
        if (node := tree.node_of(place.key)) is None:
            raise ProblemError(404, "the tree has no such position")
        return node.number, moves

    number, moves = await asked.service.read_tree(source, find_node)
    root = source.root
    before = root.moves if wanted.fen is None else ()
    root = msgspec.structs.replace(root, fen=wanted.fen or root.fen, moves=(*before, *moves))
    new = NewProject(asked.account, wanted.name or source.name, root, source.settings)
    copied = await asked.service.copy(source, number, new, PATIENCE)
    return await _answer_built(asked, await asked.project(copied.id), 201)


async def _answer_built(asked: AskedProject, project: StoredProject, status: int) -> web.Response:
    """Answer with a project that has its tree, or will have it."""
    is_built = project.stage is not ProjectStage.BUILDING
    return await _answer(asked, project, status if is_built else 202)


async def _answer(asked: AskedProject, project: StoredProject, status: int = 200) -> web.Response:
    roots = await asked.service.roots_of([project])
    fields = {"Location": f"{API}/projects/{project.id}", **_FRESH}
    return json_answer(project_document(project, roots.get(project.number)), status, fields)
