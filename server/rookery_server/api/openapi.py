"""The description of the API: OpenAPI 3.1, of the same classes that check requests.

`docs/api.md` is rendered from it by `tools/api_page.py`.
"""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from aiohttp import web

from rookery_server.api.documents import JSON, NDJSON, PGN, TEXT, json_answer
from rookery_server.api.lookup_schema import ExplorerResult, LookupQuery, TablebaseResult
from rookery_server.api.schema import (
    AnalyseRequest,
    Analysis,
    EngineList,
    EvaluationList,
    EvaluationQuery,
    GameChange,
    GameRequest,
    Job,
    JobList,
    JobRequest,
    JobResult,
    LibraryFile,
    LibraryFileList,
    LibraryFileQuery,
    OwnGame,
    OwnGameList,
    PositionRequest,
    ProblemDetails,
    SearchLimits,
    SharedGame,
)
from rookery_server.http.problem import PROBLEM_TYPE
from rookery_server.http.web_app import API, OPENAPI, public

VERSION = "1.0.0"  # of the API, not of the program

Document = dict[str, Any]  # JSON: a border where types end

_DESCRIPTION = """\
Positions and games for a UCI engine, and what it finds, over HTTP.

Scores are White's, in centipawns (`cp`) or moves to mate (`mate`). Times are in milliseconds, dates
in ISO 8601 and UTC. Moves are UCI; requests may have SAN as well. A member of a request that is not
known is an error; answers leave out what is not known, and later versions may add members to them.

A server that wants a token takes it in `Authorization: Bearer TOKEN`. One that does not, as while
only its own machine can reach it, ignores it.

Errors are problem documents (RFC 9457): `status` 400 is a body that is no JSON, NDJSON or PGN at
all; 422 one that is not as the schema or the rules of chess have it, with its `path` and what is
`expected` there. `code` is one of the notices of the protocol. With 429 and 503 comes
`Retry-After`, where it is known.
"""
_START = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
_RUY_LOPEZ = {
    "fen": "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "engine": "rookery",
    "final": True,
    "best": "a7a6",
    "depth": 12,
    "nodes": 50000,
    "time": 81,
    "lines": [{"cp": 31, "depth": 12, "nodes": 50000, "pv": ["a7a6", "b5a4", "g8f6"]}],
}
_REASONS = {
    400: "A body that is no JSON, NDJSON or PGN, or a request that is no exact HTTP",
    401: "No token, or one that is not good",
    403: "A page of another site that may not use the server",
    404: "There is none of that name, for this account or any more",
    405: "Another method is for this path: `Allow` names it",
    408: "The body comes too slowly",
    409: "The key was used for a job with other settings or items, or the job is in another state",
    412: "Another machine has changed the file meanwhile: `ETag`",
    413: "The body is too large, or the account would store more than it may: `code`",
    414: "The head of the request is longer than 8192 bytes, because of its path",
    415: "The body has another type than the server reads, or is compressed",
    421: "The server has not the name that it was called by",
    422: "Something in the request cannot be: `path` says where, and `expected` what may be there",
    428: "The request does not say which version it replaces",
    431: "The head of the request is longer than 8192 bytes",
    429: "The account has used what it may for now: `Retry-After`",
    503: "There is no engine for it now, or the server ends: `Retry-After`",
}
EVERYWHERE = (400, 401, 403, 405, 414, 421, 429, 431, 503)  # that each request may be answered with


@dataclass(frozen=True, slots=True)
class QueryMember:
    """A parameter of a path, a query or a header; `schema` is its type."""

    name: str
    schema: Mapping[str, object]
    description: str
    where: str = "query"


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that the API does; `bodies` and `answers` are classes or texts, by their types."""

    method: str
    path: str
    id: str
    summary: str
    description: str
    answers: Mapping[int, tuple[str, Mapping[str, object]]]
    parameters: tuple[QueryMember, ...] = ()
    bodies: Mapping[str, object] | None = None
    errors: tuple[int, ...] = ()
    tag: str = "analysis"
    is_public: bool = False


def _members_of_query(kind: type) -> tuple[QueryMember, ...]:
    """Return the members of a query, of the class that reads it."""
    _, found = msgspec.json.schema_components([kind], ref_template="{name}")
    return tuple(
        QueryMember(name, _without_null(each), each.get("description", ""))
        for name, each in found[kind.__name__]["properties"].items()
    )


def _without_null(member: Document) -> Document:
    """Return the schema of a member of a query, which cannot be null."""
    kinds = [each for each in member.get("anyOf", ()) if each != {"type": "null"}]
    return kinds[0] if kinds else {k: v for k, v in member.items() if k != "description"}


def _schema_of(kind: type, name: str) -> Document:
    """Return the schema of one member of a request."""
    _, found = msgspec.json.schema_components([kind], ref_template="{name}")
    member: Document = found[kind.__name__]["properties"][name]
    return _without_null(member)


_JOB_ID = QueryMember("id", {"type": "string", "maxLength": 100}, "Of the job", where="path")
_GAME_ID = QueryMember("id", {"type": "string", "maxLength": 100}, "Of the game", where="path")
_FILE_ID = QueryMember(
    "id", {"type": "string", "maxLength": 100, "pattern": "^[A-Za-z0-9_-]+$"},
    "Of the file: the client's choice, such as 128 random bits", where="path",
)  # fmt: skip
_IF_MATCH = QueryMember(
    "If-Match", {"type": "string", "pattern": r'^"\d{1,15}"$'},
    "The ETag of the version that is replaced", where="header",
)  # fmt: skip
_IF_NONE_MATCH = QueryMember(
    "If-None-Match", {"type": "string", "enum": ["*"]}, "The file is a new one", where="header"
)
_JOB_QUERY = (
    QueryMember(
        "Idempotency-Key",
        {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
        "A key of the client's own choice: a job that is posted again with it is the same one, and"
        " another job with it is refused",
        where="header",
    ),
    *(
        QueryMember(name, _schema_of(SearchLimits, name), f"`limits.{name}`, as in JSON")
        for name in SearchLimits.__struct_fields__
    ),
    *(
        QueryMember(name, _schema_of(JobRequest, name), f"`{name}`, as in JSON")
        for name in ("engine", "lines", "name", "priority")
    ),
    QueryMember(
        "variant",
        _schema_of(PositionRequest, "variant"),
        "Of positions that name none: `standard`, `chess960`, or one that the engine plays",
    ),
)
_STREAMED = (
    " Positions and games are streamed: a body of NDJSON has one `PositionRequest` a line, plain"
    " text a FEN or EPD a line, and PGN any number of games. Then the settings are in the query:"
    " `?nodes=200&lines=2&engine=NAME&option.Hash=64`. Millions of positions may be sent so. With"
    " a body of JSON, which has 1 MiB at most, the query is empty."
)

OPERATIONS = (
    Operation(
        "get", f"{API}/engines", "listEngines", "List the engines",
        "The engines that this account may use, with the options that it may set and their bounds."
        " The default engine is first.",
        {200: ("The engines", {JSON: EngineList})},
    ),
    Operation(
        "post", f"{API}/analyse", "analyse", "Analyse a position",
        "Searches one position, and answers with the result; or with `Accept: application/x-ndjson`"
        " with what is found while it is found, one `Analysis` a line. The last line has `final`"
        " true, or is a problem document if the search has failed meanwhile. A client that goes"
        " away ends its search. A position in which the game is over is answered by the rules."
        " If the server's cache knows the position at least as well as the search would, that is"
        " the answer, with `cached`.",
        {200: ("The analysis", {JSON: Analysis, NDJSON: Analysis})},
        bodies={JSON: AnalyseRequest},
        errors=(404, 408, 413, 415, 422),
    ),
    Operation(
        "get", f"{API}/evaluations", "listEvaluations", "Look up a position",
        "What the server's cache knows of a position. Nothing is searched.",
        {200: ("The evaluations, best first", {JSON: EvaluationList})},
        parameters=_members_of_query(EvaluationQuery),
        errors=(404, 422),
    ),
    Operation(
        "get", f"{API}/tablebase", "probeTablebase", "Look into the tablebases",
        "What the server's Syzygy tables say of a position and of each of its moves, without a"
        " search. The documents are those of Lichess's tablebase. A position with castling rights"
        " or with too many men is `unknown`, with the reason. 404: the server has no tables.",
        {200: ("The position", {JSON: TablebaseResult})},
        parameters=_members_of_query(LookupQuery),
        errors=(404, 422),
    ),
    Operation(
        "get", f"{API}/explorer", "explorePosition", "Look up what was played",
        "The moves that were played in a position in the games that the operator has given the"
        " server, however it was reached, and how they ended. 404: there are no such games.",
        {200: ("What was played", {JSON: ExplorerResult})},
        parameters=_members_of_query(LookupQuery),
        errors=(404, 422),
    ),
    Operation(
        "get", f"{API}/explorer/games/{{id}}", "getExplorerGame", "Read a game of the explorer",
        "A game with its tags and moves, without comments and variations.",
        {200: ("The game", {PGN: str})},
        parameters=(
            QueryMember("id", {"type": "string", "maxLength": 20}, "Of the game", where="path"),
        ),
        errors=(404,),
    ),
    Operation(
        "post", f"{API}/jobs", "createJob", "Create a job",
        "Many positions or games, which are searched behind interactive sessions, and survive the"
        " server." + _STREAMED,
        {
            200: ("The same job: it was posted before with this key", {JSON: Job}),
            201: ("The job", {JSON: Job}),
        },
        parameters=_JOB_QUERY,
        bodies={JSON: JobRequest, NDJSON: PositionRequest, PGN: str, TEXT: str},
        errors=(404, 408, 409, 413, 415, 422),
        tag="jobs",
    ),
    Operation(
        "get", f"{API}/jobs", "listJobs", "List the jobs",
        "The jobs of this account, the newest first.",
        {200: ("The jobs", {JSON: JobList})},
        tag="jobs",
    ),
    Operation(
        "get", f"{API}/jobs/{{id}}", "getJob", "Look at a job",
        "Its state, its progress, the time that it still needs, and what it has cost.",
        {200: ("The job", {JSON: Job})},
        parameters=(_JOB_ID,), errors=(404,), tag="jobs",
    ),
    Operation(
        "delete", f"{API}/jobs/{{id}}", "deleteJob", "Delete a job",
        "Ends the job, and removes its results.",
        {204: ("It is gone", {})},
        parameters=(_JOB_ID,), errors=(404,), tag="jobs",
    ),
    Operation(
        "get", f"{API}/jobs/{{id}}/results", "listResults", "Read the results of a job",
        "One answer to each position or game, in the order of the input, one `JobResult` a line.",
        {200: ("The results that are there", {NDJSON: JobResult})},
        parameters=(
            _JOB_ID,
            QueryMember(
                "after", {"type": "integer", "minimum": -1, "maximum": 2**53 - 1, "default": -1},
                "Only results behind the one with this `index`",
            ),
            QueryMember(
                "follow", {"type": "boolean", "default": False},
                "Wait for those that are not there yet, until the job is over",
            ),
        ),
        errors=(404, 422), tag="jobs",
    ),
    Operation(
        "get", f"{API}/jobs/{{id}}/annotated.pgn", "getAnnotatedGames", "Read games with comments",
        "The games of a job that are done, with evaluations, judgements and better lines. One that"
        " cannot be analysed has a comment that says why.",
        {200: ("The games", {PGN: str})},
        parameters=(_JOB_ID,), errors=(404, 409, 422), tag="jobs",
    ),
    Operation(
        "post", f"{API}/jobs/{{id}}/pause", "pauseJob", "Pause a job",
        "What is being searched is finished; the rest waits until the job is resumed.",
        {200: ("The job", {JSON: Job})},
        parameters=(_JOB_ID,), errors=(404, 409), tag="jobs",
    ),
    Operation(
        "post", f"{API}/jobs/{{id}}/resume", "resumeJob", "Resume a job",
        "Goes on with a job that was paused or has failed.",
        {200: ("The job", {JSON: Job})},
        parameters=(_JOB_ID,), errors=(404, 409), tag="jobs",
    ),
    Operation(
        "post", f"{API}/games", "shareGame", "Share a game",
        "Keeps an annotated game, which all can read who have its `id`, and none else. The link for"
        " people is `/#game=ID`.",
        {201: ("The game", {JSON: OwnGame})},
        bodies={JSON: GameRequest}, errors=(408, 413, 415, 422), tag="games",
    ),
    Operation(
        "get", f"{API}/games", "listGames", "List the shared games",
        "The games that this account shares, the newest first, without their moves.",
        {200: ("The games", {JSON: OwnGameList})},
        tag="games",
    ),
    Operation(
        "get", f"{API}/games/{{id}}", "readGame", "Read a shared game",
        "No token is needed. A game that was withdrawn, or whose time is over, is answered like one"
        " that never was.",
        {200: ("The game", {JSON: SharedGame})},
        parameters=(_GAME_ID,), errors=(404,), tag="games", is_public=True,
    ),
    Operation(
        "patch", f"{API}/games/{{id}}", "changeGame", "Change a shared game",
        "Replaces the moves, the title or the end of a game that this account shares; the link"
        " stays.",
        {200: ("The game", {JSON: OwnGame})},
        parameters=(_GAME_ID,), bodies={JSON: GameChange}, errors=(404, 408, 413, 415, 422),
        tag="games",
    ),
    Operation(
        "delete", f"{API}/games/{{id}}", "withdrawGame", "Withdraw a shared game",
        "Removes the game: its link leads nowhere from then on.",
        {204: ("It is gone", {})},
        parameters=(_GAME_ID,), errors=(404,), tag="games",
    ),
    Operation(
        "get", f"{API}/library/files", "listLibraryFiles", "List the files of the library",
        "The files of this account, by their paths; for 30 days also those that were removed.",
        {200: ("The files", {JSON: LibraryFileList})},
        tag="library",
    ),
    Operation(
        "get", f"{API}/library/files/{{id}}", "readLibraryFile", "Read a file of the library",
        "The file as it was written, in the encoding that it had. `ETag` is its version.",
        {200: ("The file", {PGN: str})},
        parameters=(_FILE_ID,), errors=(404,), tag="library",
    ),
    Operation(
        "put", f"{API}/library/files/{{id}}", "writeLibraryFile", "Write a file of the library",
        "Keeps a file, or replaces it, or one that was removed. The request says which version it"
        " replaces (`If-Match`), or that there is none (`If-None-Match: *`); 428 without that. If"
        " another machine has changed the file meanwhile, it is refused (412), with the `ETag`.",
        {
            200: ("The file with its new version", {JSON: LibraryFile}),
            201: ("The file, which is a new one", {JSON: LibraryFile}),
        },
        parameters=(
            _FILE_ID, *_members_of_query(LibraryFileQuery), _IF_MATCH, _IF_NONE_MATCH,
        ),
        bodies={PGN: str}, errors=(404, 408, 412, 413, 415, 422, 428), tag="library",
    ),
    Operation(
        "delete", f"{API}/library/files/{{id}}", "removeLibraryFile",
        "Remove a file of the library",
        "Removes the version that `If-Match` names. For 30 days it can be written again.",
        {204: ("It is removed", {})},
        parameters=(_FILE_ID, _IF_MATCH), errors=(404, 412, 422, 428), tag="library",
    ),
    Operation(
        "get", OPENAPI, "describe", "Describe the API",
        "This description, as an OpenAPI 3.1 document. No token is needed.",
        {200: ("The description", {JSON: dict})},
        tag="description", is_public=True,
    ),
)  # fmt: skip

_EXAMPLES: Mapping[str, object] = {
    "AnalyseRequest": {"fen": _START, "moves": ["Bb5"], "limits": {"nodes": 50000}},
    "Analysis": _RUY_LOPEZ,
    "SearchLimits": {"depth": 20, "movetime": 10_000},
    "PositionRequest": {"id": "ruy-lopez", "moves": ["e4", "e5", "Nf3", "Nc6", "Bb5"]},
    "JobRequest": {
        "name": "My games", "limits": {"nodes": 20000}, "positions": [{"fen": _START}],
    },
    "JobResult": {"index": 0, "id": "ruy-lopez", "analysis": _RUY_LOPEZ},
    "ProblemDetails": {
        "type": "/docs#illegal-position",
        "title": "Unprocessable Entity",
        "status": 422,
        "detail": "move 1 (e5) is not legal in"
        " rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "code": "illegal-position",
        "path": "$.moves[0]",
        "expected": "a legal move, in UCI or SAN",
    },
}  # fmt: skip


@cache
def openapi() -> Document:
    """Return the whole document."""
    paths: dict[str, Document] = {}
    for each in OPERATIONS:
        paths.setdefault(each.path, {})[each.method] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Rookery",
            "version": VERSION,
            "summary": "Analyses of chess positions and games by UCI engines",
            "description": _DESCRIPTION,
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
        },
        "servers": [{"url": "/", "description": "The server that this comes from"}],
        "security": [{}, {"bearer": []}],
        "tags": [
            {"name": "analysis", "description": "Answers at once"},
            {"name": "jobs", "description": "Answers when there is time"},
            {"name": "games", "description": "Games that accounts share by a link"},
            {"name": "library", "description": "Files of games that accounts keep"},
            {"name": "description", "description": "This description"},
        ],
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of `rookery-server token add`",
                }
            },
        },
    }


@public
async def serve_openapi(request: web.Request) -> web.Response:
    """Answer with the document."""
    return json_answer(openapi(), fields={"Cache-Control": "max-age=300"})


def _operation(each: Operation) -> Document:
    described: Document = {
        "operationId": each.id,
        "tags": [each.tag],
        "summary": each.summary,
        "description": each.description,
    }
    if each.is_public:
        described["security"] = []
    if each.parameters:
        described["parameters"] = [
            {
                "name": member.name,
                "in": member.where,
                "required": member.where == "path",
                "description": member.description or member.name,
                "schema": dict(member.schema),
            }
            for member in each.parameters
        ]
    if each.bodies:
        described["requestBody"] = {"required": True, "content": _content(each.bodies)}
    described["responses"] = {
        **{
            str(status): {"description": text, **({"content": _content(kinds)} if kinds else {})}
            for status, (text, kinds) in each.answers.items()
        },
        **{str(status): _problem(status) for status in sorted({*EVERYWHERE, *each.errors})},
    }
    return described


def _content(kinds: Mapping[str, object]) -> Document:
    return {media: {"schema": _reference(kind, media)} for media, kind in kinds.items()}


def _reference(kind: object, media: str) -> Document:
    if kind is str:
        return {"type": "string"}
    if kind is dict:
        return {"type": "object"}
    assert isinstance(kind, type)
    named = {"$ref": f"#/components/schemas/{kind.__name__}"}
    if media == NDJSON:
        return {"type": "string", "description": f"One `{kind.__name__}` in JSON a line"}
    return named


def _problem(status: int) -> Document:
    fields: Document = {}
    if status in (429, 503):
        text = "Seconds after which it may be asked again"
        fields = {"Retry-After": {"description": text, "schema": {"type": "integer"}}}
    elif status == 405:
        text = "The methods that are for this path"
        fields = {"Allow": {"description": text, "schema": {"type": "string"}}}
    return {
        "description": _REASONS[status],
        **({"headers": fields} if fields else {}),
        "content": {
            PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}},
            # Of a request that is no exact HTTP, before its path is looked at.
            **({TEXT: {"schema": {"type": "string"}}} if status in (400, 414, 431) else {}),
        },
    }


def _schemas() -> Document:
    """Return the schemas of all documents, with what msgspec cannot say of them."""
    roots = [
        AnalyseRequest, Analysis, EngineList, EvaluationList, ExplorerResult, GameChange,
        GameRequest, Job, JobList, JobRequest, JobResult, LibraryFile, LibraryFileList, OwnGame,
        OwnGameList, PositionRequest, ProblemDetails, SearchLimits, SharedGame, TablebaseResult,
    ]  # fmt: skip
    _, found = msgspec.json.schema_components(roots, ref_template="#/components/schemas/{name}")
    for name, each in found.items():
        text = inspect.cleandoc(each.get("description", ""))
        each["description"] = re.sub(r"(?<!\n)\n(?!\n)", " ", text).replace(".  ", ". ")
        if example := _EXAMPLES.get(name):
            each["examples"] = [example]
    found["SearchLimits"]["minProperties"] = 1
    found["JobRequest"]["oneOf"] = [{"required": ["positions"]}, {"required": ["games"]}]
    return dict(sorted(found.items()))
