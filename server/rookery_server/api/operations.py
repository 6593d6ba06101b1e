"""The operations of the API, which `openapi` describes: paths, parameters, bodies and answers."""

from rookery_server.api.device_schema import Device, DeviceList
from rookery_server.api.documents import JSON, NDJSON, PGN, TEXT
from rookery_server.api.lookup_schema import ExplorerResult, LookupQuery, TablebaseResult
from rookery_server.api.operation import Operation, QueryMember, members_of_query, schema_of
from rookery_server.api.project_operations import PROJECT_OPERATIONS
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
    SearchLimits,
    SharedGame,
)
from rookery_server.api.sign_in_operations import SIGN_IN_OPERATIONS
from rookery_server.http.web_app import API, OPENAPI

_JOB_ID = QueryMember("id", {"type": "string", "maxLength": 100}, "Of the job", where="path")
_DEVICE = QueryMember("name", {"type": "string", "maxLength": 100}, "Of the port", where="path")
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
        QueryMember(name, schema_of(SearchLimits, name), f"`limits.{name}`, as in JSON")
        for name in SearchLimits.__struct_fields__
    ),
    *(
        QueryMember(name, schema_of(JobRequest, name), f"`{name}`, as in JSON")
        for name in ("engine", "lines", "name", "priority")
    ),
    QueryMember(
        "variant",
        schema_of(PositionRequest, "variant"),
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
        parameters=members_of_query(EvaluationQuery),
        errors=(404, 422),
    ),
    Operation(
        "get", f"{API}/tablebase", "probeTablebase", "Look into the tablebases",
        "What the server's Syzygy tables say of a position and of each of its moves, without a"
        " search. The documents are those of Lichess's tablebase. A position with castling rights"
        " or with too many men is `unknown`, with the reason. 404: the server has no tables.",
        {200: ("The position", {JSON: TablebaseResult})},
        parameters=members_of_query(LookupQuery),
        errors=(404, 422),
    ),
    Operation(
        "get", f"{API}/explorer", "explorePosition", "Look up what was played",
        "The moves that were played in a position in the games that the operator has given the"
        " server, however it was reached, and how they ended. 404: there are no such games.",
        {200: ("What was played", {JSON: ExplorerResult})},
        parameters=members_of_query(LookupQuery),
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
            _FILE_ID, *members_of_query(LibraryFileQuery), _IF_MATCH, _IF_NONE_MATCH,
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
        "get", f"{API}/devices", "listDevices", "List the device ports",
        "The ports of this account for programs that speak bare TCP and know no tokens, and the"
        " addresses that they let in (`[devices.NAME]` of the configuration).",
        {200: ("The ports", {JSON: DeviceList})},
        tag="devices",
    ),
    Operation(
        "post", f"{API}/devices/{{name}}", "pairAddress", "Let this address in at a device port",
        "Programs at the address that this request comes from may use the port from now on, for"
        " the `days` of the port, and as long as the token of this request is good.",
        {200: ("The port", {JSON: Device})},
        parameters=(_DEVICE,), errors=(404, 409), tag="devices",
    ),
    Operation(
        "delete", f"{API}/devices/{{name}}", "unpairAddresses", "Let no address in any more",
        "Forgets the addresses that were paired with the port, and ends the sessions there.",
        {204: ("None is let in", {})},
        parameters=(_DEVICE,), errors=(404,), tag="devices",
    ),
    *PROJECT_OPERATIONS,
    *SIGN_IN_OPERATIONS,
    Operation(
        "get", OPENAPI, "describe", "Describe the API",
        "This description, as an OpenAPI 3.1 document. No token is needed.",
        {200: ("The description", {JSON: dict})},
        tag="description", is_public=True,
    ),
)  # fmt: skip
