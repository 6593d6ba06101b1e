"""The routes of projects' trees: positions, steering, changes, maps and questions."""

from aiohttp import web
from msgspec import UNSET

from rookery_server.analysis.position_reading import PositionError, RequestedPosition, read_move
from rookery_server.api.documents import TEXT, json_answer, read_json, read_query
from rookery_server.api.project_access import (
    AskedProject,
    ProjectAccess,
    ProjectConflictError,
    place_of,
)
from rookery_server.api.project_documents import variant_of
from rookery_server.api.project_schema import (
    ChangesQuery,
    CloudQuery,
    MapQuery,
    SteeringRequest,
    TreeQuery,
)
from rookery_server.api.tree_documents import (
    TreePlace,
    changes_document,
    map_document,
    position_document,
)
from rookery_server.growth.chessdb_text import INVALID, UNKNOWN, all_moves, best_line
from rookery_server.growth.expansion import Project
from rookery_server.growth.main_line import main_line
from rookery_server.growth.node import OTHERS
from rookery_server.growth.rules import IllegalMoveError
from rookery_server.growth.steering import (
    UnknownMoveError,
    add_line,
    add_move,
    exclude_move,
    pin_move,
)
from rookery_server.http.problem import ProblemError
from rookery_server.http.web_app import API
from rookery_server.projects.stored_project import StoredProject
from rookery_server.projects.tree_growth import start_of
from rookery_server.projects.tree_store import TreeReader

DEEPER = 4  # times the nodes of the search before
_MOST_NODES = 10**12  # of one search
_FRESH = {"Cache-Control": "no-store"}
_NO_POSITION = "the tree has no such position"


class TreeRoutes:
    """The routes of trees."""

    def __init__(self, access: ProjectAccess) -> None:
        self._access = access

    @property
    def routes(self) -> list[web.RouteDef]:
        """The routes for `WebApp`."""
        one, handler = f"{API}/projects/{{id}}", self._access.handler
        return [
            web.get(f"{one}/position", handler(_position)),
            web.post(f"{one}/steer", handler(_steer)),
            web.get(f"{one}/changes", handler(_changes)),
            web.get(f"{one}/map", handler(_map)),
            web.get(f"{one}/query", handler(_query)),
        ]


async def _position(asked: AskedProject) -> web.StreamResponse:
    query = read_query(asked.request, TreeQuery)
    project = await asked.project()

    def look_up(tree: TreeReader) -> object:
        place, _ = place_of(project.root, query.fen, query.moves.split(), path="?")
        return position_document(tree, place, project.history)

    return json_answer(await asked.service.read_tree(project, look_up), fields=_FRESH)


async def _changes(asked: AskedProject) -> web.StreamResponse:
    query = read_query(asked.request, ChangesQuery)
    project = await asked.project()

    def look_up(tree: TreeReader) -> object:
        rules, _, _ = start_of(project.root)
        return changes_document(tree, rules, query.after, query.most)

    return json_answer(await asked.service.read_tree(project, look_up), fields=_FRESH)


async def _map(asked: AskedProject) -> web.StreamResponse:
    query = read_query(asked.request, MapQuery)
    project = await asked.project()

    def look_up(tree: TreeReader) -> object:
        rules, _, _ = start_of(project.root)
        return map_document(tree, rules, query.nodes)

    return json_answer(await asked.service.read_tree(project, look_up), fields=_FRESH)


async def _query(asked: AskedProject) -> web.StreamResponse:
    query = read_query(asked.request, CloudQuery)
    project = await asked.project()

    def look_up(tree: TreeReader) -> str:
        try:
            found = RequestedPosition.set_up(query.board, (), variant_of(project.root))
        except PositionError:
            return INVALID
        rules, _, _ = start_of(project.root)
        node = tree.node_of(rules.key(found.board))
        if node is None:
            return UNKNOWN
        if query.action == "queryall":
            return all_moves(node)
        return best_line(node, main_line(tree, node))

    text = await asked.service.read_tree(project, look_up)
    return web.Response(text=text, content_type=TEXT, headers=_FRESH)


# --- steering


async def _steer(asked: AskedProject) -> web.StreamResponse:
    wanted = await read_json(asked.request, SteeringRequest)
    project = await asked.steerable_project()
    if wanted.action == "deepen":
        await _deepen(asked, project, wanted)
    else:
        await asked.service.change_tree(project, lambda tree: _act(tree, project, wanted))
    steered = await asked.project()

    def look_up(tree: TreeReader) -> object:
        place, _ = place_of(project.root, wanted.fen, wanted.moves)
        return position_document(tree, place, steered.history)

    return json_answer(await asked.service.read_tree(project, look_up), fields=_FRESH)


async def _deepen(asked: AskedProject, project: StoredProject, wanted: SteeringRequest) -> None:
    """Have a position searched again.

    Raises:
        ProjectConflictError: that cannot be now.
        ProblemError: there is no such position.

    """

    def look_up(tree: TreeReader) -> tuple[int, int]:
        place, _ = place_of(project.root, wanted.fen, wanted.moves)
        if (node := tree.node_of(place.key)) is None:
            raise ProblemError(404, _NO_POSITION)
        return node.number, node.nodes

    number, before = await asked.service.read_tree(project, look_up)
    usual = min(_MOST_NODES, DEEPER * max(before, project.settings.nodes))
    nodes = usual if wanted.nodes is UNSET else min(_MOST_NODES, wanted.nodes)
    if not await asked.service.search_again(project, number, nodes):
        raise ProjectConflictError(
            "a search of this position is under way, or the game is over there"
        )


def _act(tree: Project, project: StoredProject, wanted: SteeringRequest) -> None:
    """Change a tree as its owner wants it.

    Raises:
        ProblemError: there is no such position, or no such move.

    """
    place, moves = place_of(project.root, wanted.fen, wanted.moves)
    move = _move(place, wanted)
    node = tree.store.node_of(place.key)
    try:
        if wanted.action == "add" and node is None and wanted.fen is None:
            add_line(tree, (*moves, move))
            return
        if node is None:
            raise ProblemError(404, _NO_POSITION)
        if wanted.action == "add":
            add_move(tree, node.number, move)
        elif wanted.action in ("exclude", "include"):
            exclude_move(tree, node.number, move, is_excluded=wanted.action == "exclude")
        else:
            pin_move(tree, node.number, move, is_pinned=wanted.action == "pin")
    except (UnknownMoveError, IllegalMoveError) as error:
        raise ProblemError(422, str(error), path="$.move", expected="a move of the position, as"
                           " GET position lists them") from error  # fmt: skip


def _move(place: TreePlace, wanted: SteeringRequest) -> str:
    """Return the move that is meant, as the tree has it.

    Raises:
        ProblemError: it is not legal.

    """
    text = "" if wanted.move is UNSET else wanted.move
    if text == OTHERS:
        return OTHERS
    board = place.rules.board(place.key)
    if (move := read_move(board, text)) is None:
        raise ProblemError(422, f"{text} is not legal in {board.fen()}", path="$.move",
                           expected="a legal move, in UCI or SAN")  # fmt: skip
    return board.uci(move)
