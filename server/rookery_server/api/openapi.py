"""The description of the API: OpenAPI 3.1, of the same classes that check requests.

`docs/api.md` is rendered from it by `tools/api_page.py`.
"""

import inspect
import re
from collections.abc import Mapping
from functools import cache

import msgspec
from aiohttp import web

from rookery_server.api.device_schema import Device, DeviceList
from rookery_server.api.documents import NDJSON, TEXT, json_answer
from rookery_server.api.lookup_schema import ExplorerResult, TablebaseResult
from rookery_server.api.operation import Document, Operation
from rookery_server.api.operations import OPERATIONS
from rookery_server.api.project_operations import PROJECT_OPERATIONS
from rookery_server.api.schema import (
    AnalyseRequest,
    Analysis,
    EngineList,
    EvaluationList,
    GameChange,
    GameRequest,
    Job,
    JobList,
    JobRequest,
    JobResult,
    LibraryFile,
    LibraryFileList,
    OwnGame,
    OwnGameList,
    PositionRequest,
    ProblemDetails,
    SearchLimits,
    SharedGame,
)
from rookery_server.api.sign_in_operations import SIGN_IN_OPERATIONS
from rookery_server.http.problem import PROBLEM_TYPE
from rookery_server.http.web_app import public

VERSION = "1.0.0"  # of the API, not of the program

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
    409: "The key was used for another job, or this cannot be in the state that there is now",
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
            {"name": "devices", "description": "Ports for programs that know no tokens"},
            {"name": "projects", "description": "Positions whose trees are kept, and grow"},
            {"name": "sign-in", "description": "One-use codes that sign browsers in"},
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
                "required": member.is_required or member.where == "path",
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
    if kind is bytes:
        return {"type": "string", "format": "binary"}
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
        AnalyseRequest, Analysis, Device, DeviceList, EngineList, EvaluationList, ExplorerResult,
        GameChange, GameRequest, Job, JobList, JobRequest, JobResult, LibraryFile, LibraryFileList,
        OwnGame, OwnGameList, PositionRequest, ProblemDetails, SearchLimits, SharedGame,
        TablebaseResult,
        *(
            kind
            for each in (*PROJECT_OPERATIONS, *SIGN_IN_OPERATIONS)
            for kinds in (each.bodies or {}, *(kinds for _, kinds in each.answers.values()))
            for kind in kinds.values()
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        ),
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
