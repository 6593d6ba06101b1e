"""The operations of projects, as `operations` has the others."""

from rookery_server.api.documents import JSON, NDJSON, PGN, TEXT
from rookery_server.api.operation import Operation, QueryMember, members_of_query
from rookery_server.api.project_schema import (
    ChangesQuery,
    CloudQuery,
    CopyRequest,
    ExportQuery,
    ImportRequest,
    MapQuery,
    MergeRequest,
    NodeRecord,
    Project,
    ProjectChange,
    ProjectList,
    ProjectQuery,
    ProjectRequest,
    SteeringRequest,
    TreeChanges,
    TreeMap,
    TreePosition,
    TreeQuery,
)
from rookery_server.http.web_app import API

BOOK = "application/octet-stream"

_ONE = f"{API}/projects/{{id}}"
_ID = QueryMember("id", {"type": "string", "maxLength": 100}, "Of the project", where="path")
_BUILDING = ("The project, whose tree is still built", {JSON: Project})
_BODY_ERRORS = (404, 408, 409, 413, 415, 422)

PROJECT_OPERATIONS = (
    Operation(
        "get", f"{API}/projects", "listProjects", "List the projects",
        "The projects of this account, the newest first. With `after` they are given when their"
        " list has another `version`, or after `wait` seconds.",
        {200: ("The projects", {JSON: ProjectList})},
        parameters=members_of_query(ProjectQuery), errors=(422,),
        tag="projects",
    ),
    Operation(
        "post", f"{API}/projects", "createProject", "Create a project",
        "A position whose tree is kept, and grown by engines that no client uses, until its budget"
        " is used up. The tree grows where moves are good: a move that loses `width` centipawns"
        " weighs as much as one half-move more, and values are carried up to the root. What is in"
        " the server's tablebases is a fact, and not searched.",
        {201: ("The project", {JSON: Project}), 202: _BUILDING},
        bodies={JSON: ProjectRequest}, errors=_BODY_ERRORS, tag="projects",
    ),
    Operation(
        "get", _ONE, "getProject", "Look at a project",
        "Its state, and what it has cost. With `after` it is answered when the project has another"
        " `version`, or after `wait` seconds.",
        {200: ("The project", {JSON: Project})},
        parameters=(_ID, *members_of_query(ProjectQuery)), errors=(404, 422), tag="projects",
    ),
    Operation(
        "patch", _ONE, "changeProject", "Change a project",
        "Its name, its engines, its settings, its budget, and whether it grows. New settings count"
        " at once.",
        {200: ("The project", {JSON: Project})},
        parameters=(_ID,), bodies={JSON: ProjectChange}, errors=_BODY_ERRORS, tag="projects",
    ),
    Operation(
        "delete", _ONE, "deleteProject", "Delete a project",
        "Ends the project, and removes its tree.",
        {204: ("It is gone", {})},
        parameters=(_ID,), errors=(404,), tag="projects",
    ),
    Operation(
        "get", f"{_ONE}/position", "getTreePosition", "Look at a position of a tree",
        "What the tree has of a position, and of each of its moves. `moves` are those of the game:"
        " with them, repetitions are seen.",
        {200: ("The position", {JSON: TreePosition})},
        parameters=(_ID, *members_of_query(TreeQuery)), errors=(404, 409, 422), tag="projects",
    ),
    Operation(
        "post", f"{_ONE}/steer", "steerProject", "Steer the growth of a tree",
        "Excludes, pins or adds a move, or has a position searched again. It counts at once, up to"
        " the root. 409: a search of the position is under way, or none can be.",
        {200: ("The position as it is then", {JSON: TreePosition})},
        parameters=(_ID,), bodies={JSON: SteeringRequest}, errors=_BODY_ERRORS, tag="projects",
    ),
    Operation(
        "get", f"{_ONE}/changes", "listTreeChanges", "See what has changed in a tree",
        "The positions whose best move has changed, those of the largest subtrees first.",
        {200: ("The changes", {JSON: TreeChanges})},
        parameters=(_ID, *members_of_query(ChangesQuery)), errors=(404, 409, 422), tag="projects",
    ),
    Operation(
        "get", f"{_ONE}/map", "getTreeMap", "See where a tree grows",
        "The largest subtrees, one in the other, and which of them have the newest positions.",
        {200: ("The map", {JSON: TreeMap})},
        parameters=(_ID, *members_of_query(MapQuery)), errors=(404, 409, 422), tag="projects",
    ),
    Operation(
        "get", f"{_ONE}/query", "queryTree", "Ask a tree as chessdb.cn is asked",
        "Answers as the API of chessdb.cn does: `queryall` with"
        " `move:e2e4,score:25,rank:2,note:!,winrate:52.30|...`, `querypv` with"
        " `score:25,depth:12,pv:e2e4|e7e5|...`; `unknown` where the tree has nothing, `checkmate`,"
        " `stalemate`, and `invalid board`. Scores are those of the side to move.",
        {200: ("The answer", {TEXT: str})},
        parameters=(_ID, *members_of_query(CloudQuery)), errors=(404, 409, 422), tag="projects",
    ),
    Operation(
        "get", f"{_ONE}/export", "exportTree", "Read a whole tree",
        "As NDJSON, each position as one `NodeRecord` a line; as a game in PGN, with variations and"
        " `[%eval]`; or as a Polyglot book (only of chess), whose weights are halved with each"
        " `width` that a move loses. It is sent while it is made: a tree that grows meanwhile may"
        " have more in its later parts.",
        {200: ("The tree", {NDJSON: NodeRecord, PGN: str, BOOK: bytes})},
        parameters=(_ID, *members_of_query(ExportQuery)), errors=(404, 409, 422), tag="projects",
    ),
    Operation(
        "post", f"{_ONE}/import", "importGame", "Add the moves of a game to a tree",
        "Adds the moves and variations of a game, as far as they come to the root, as that of a"
        " new project. They are searched before all others. With many of them it takes longer"
        " than a request: the project has the stage `building` then, and does not grow before the"
        " last is added.",
        {200: ("The project with these moves", {JSON: Project}), 202: _BUILDING},
        parameters=(_ID,), bodies={JSON: ImportRequest}, errors=_BODY_ERRORS, tag="projects",
    ),
    Operation(
        "post", f"{_ONE}/merge", "mergeProject", "Merge another tree into a tree",
        "Adds the positions of another project of this account, whose root is a position of this"
        " one. Where both have one, the search with more nodes counts. The other project stays."
        " With a large tree it takes longer than a request: the project has the stage `building`"
        " then, does not grow, and shows its former tree until the new one is whole.",
        {200: ("The project with both trees", {JSON: Project}), 202: _BUILDING},
        parameters=(_ID,), bodies={JSON: MergeRequest}, errors=_BODY_ERRORS, tag="projects",
    ),
    Operation(
        "post", f"{_ONE}/copy", "copyTree", "Make a project of a part of a tree",
        "Makes a project whose root is a position of this one, with all that is behind it. It has"
        " the same engines and settings and no budget, and is paused.",
        {201: ("The new project", {JSON: Project}), 202: _BUILDING},
        parameters=(_ID,), bodies={JSON: CopyRequest}, errors=_BODY_ERRORS, tag="projects",
    ),
)  # fmt: skip
