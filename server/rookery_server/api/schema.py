"""The documents of `/v1`: what requests must be, and what answers are.

The same classes check requests and describe them in OpenAPI.  Numbers have bounds, names that
are not known are refused, and answers leave out what is not known.  Scores are White's, in
centipawns (`cp`) or moves to mate (`mate`); `wdl` is White's, in thousandths; times are in
milliseconds, dates in ISO 8601 and UTC.  Moves are UCI; requests may have SAN as well.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

MAX_MOVES = 1024  # half-moves behind a FEN
MAX_VARIATIONS = 256
MAX_NAME = 200
MAX_OPTIONS = 100  # as a project keeps them
MAX_TEXT = 4096  # characters of an option's value
MAX_PGN = 1 << 18  # bytes
MAX_FILE = 1 << 24  # bytes of a file in a library
MAX_NUMBER = 2**53 - 1  # the largest that every program reads exactly (RFC 8259, section 6)

Name = Annotated[str, Meta(max_length=MAX_NAME)]
Move = Annotated[
    str,
    Meta(min_length=2, max_length=10, description="In UCI or SAN", examples=["e2e4", "Nf3"]),
]
Fen = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        description="A position in FEN; without one, the first of a game",
        examples=["r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"],
    ),
]
Moves = Annotated[str, Meta(max_length=6000, description="Separated by spaces")]
Variant = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        description="`standard`, `chess960`, or one that the engine plays (`UCI_Variant`)",
        examples=["standard", "chess960"],
    ),
]
EngineName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_NAME,
        description="A name of `GET /v1/engines`; without one, the default engine",
    ),
]
Variations = Annotated[
    int,
    Meta(ge=1, le=MAX_VARIATIONS, description="How many variations are wanted (`MultiPV`)"),
]
ItemId = (
    Annotated[str, Meta(max_length=MAX_NAME)] | Annotated[int, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
)
OptionValue = (
    Annotated[str, Meta(max_length=MAX_TEXT)]
    | Annotated[int, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
    | bool
)
Options = Annotated[
    dict[Annotated[str, Meta(min_length=1, max_length=MAX_NAME)], OptionValue],
    Meta(
        max_length=MAX_OPTIONS,
        description="Options of the engine by their names (`setoption`), in any case",
        examples=[{"Hash": 64}],
    ),
]
Depth = Annotated[int, Meta(ge=1, le=245, description="In half-moves")]
Nodes = Annotated[int, Meta(ge=1, le=10**15)]
MoveTime = Annotated[int, Meta(ge=1, le=86_400_000, description="In milliseconds")]
MateIn = Annotated[int, Meta(ge=1, le=500, description="A mate in so many moves")]
Priority = Annotated[
    int, Meta(ge=-10, le=10, description="Among the jobs of this account; higher is sooner")
]

Pgn = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_PGN,
        description="One game in PGN, at most 262144 bytes of UTF-8",
        examples=["1. e4 e5 2. Nf3 {the usual} Nc6 *"],
    ),
]
Days = Annotated[
    int,
    Meta(ge=1, le=36_500, description="Days until the link ends; null is never"),
]

JobState = Literal["queued", "running", "paused", "finished", "failed"]
JobKind = Literal["positions", "games"]


class RequestDocument(Struct, forbid_unknown_fields=True):
    """A document of a client's: a member that is not known is an error."""


class AnswerDocument(Struct, omit_defaults=True):
    """A document of the server's: members may be added to it in later versions."""


# --- requests


class SearchLimits(RequestDocument, kw_only=True):
    """The end of a search: the first of these that is reached.  At least one is set."""

    depth: Depth | UnsetType = UNSET
    nodes: Nodes | UnsetType = UNSET
    movetime: MoveTime | UnsetType = UNSET
    mate: MateIn | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse a search without an end."""
        if self.depth is self.nodes is self.movetime is self.mate is UNSET:
            raise ValueError("Expected at least one of `depth`, `nodes`, `movetime` and `mate`")


class PositionRequest(RequestDocument, kw_only=True):
    """A position: a FEN and moves from there.  `id` comes back with the answer.

    Without a `variant` it has the one of the query, or `standard`.
    """

    id: ItemId | None = None
    fen: Fen | None = None
    moves: Annotated[list[Move], Meta(max_length=MAX_MOVES)] = []
    variant: Variant | UnsetType = UNSET


class SearchRequest(RequestDocument, kw_only=True):
    """A search: its engine, its limits, its options."""

    engine: EngineName | None = None
    limits: SearchLimits
    lines: Variations = 1
    options: Options = {}


class AnalyseRequest(SearchRequest, kw_only=True):
    """One position and its search.

    `search_moves` are the only moves to consider.  With NDJSON, what is found so far is reported
    at most once in `interval` milliseconds; 0 is each time that something new is found.

    The engine keeps its hash table between searches of one account, so the same request may be
    answered otherwise the next time.  `fresh` has it forget all that (`ucinewgame`), and asks no
    cache: with one thread and `nodes` or `depth`, most engines then find the same again.
    """

    # As `PositionRequest` has them: msgspec takes no two bases.
    id: ItemId | None = None
    fen: Fen | None = None
    moves: Annotated[list[Move], Meta(max_length=MAX_MOVES)] = []
    variant: Variant = "standard"
    search_moves: Annotated[list[Move], Meta(max_length=256)] = []
    interval: Annotated[int, Meta(ge=0, le=3_600_000)] = 500
    san: Annotated[bool, Meta(description="Tell variations in SAN as well")] = False
    fresh: Annotated[bool, Meta(description="Search as if it were the first search")] = False


class EvaluationQuery(RequestDocument):
    """The position of which evaluations are wanted, as the members of a query."""

    fen: Fen | None = None
    moves: Moves = ""
    variant: Variant = "standard"
    engine: EngineName | None = None
    lines: Variations = 1


class LibraryFileQuery(RequestDocument):
    """The name of a file, as the member of a query."""

    path: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_NAME,
            description="Its name; folders are separated by slashes",
        ),
    ]


class JobRequest(SearchRequest, kw_only=True):
    """Many positions, or games in PGN: one of `positions` and `games`."""

    name: Name = ""
    priority: Priority = 0
    positions: Annotated[list[PositionRequest], Meta(min_length=1)] | UnsetType = UNSET
    games: Annotated[str, Meta(min_length=1, description="PGN")] | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse a job without positions or games, and one with both."""
        if (self.positions is UNSET) == (self.games is UNSET):
            raise ValueError("Expected one of `positions` and `games`")


class GameRequest(RequestDocument, kw_only=True):
    """A game to share by a link.  Without `days` it is shared for a year, or as long as may be."""

    pgn: Pgn
    title: Name = ""
    days: Days | UnsetType | None = UNSET


class GameChange(RequestDocument, kw_only=True):
    """A change of a shared game: of each member that is there.  `days` are from now on."""

    pgn: Pgn | UnsetType = UNSET
    title: Name | UnsetType = UNSET
    days: Days | UnsetType | None = UNSET

    def __post_init__(self) -> None:
        """Refuse a change of nothing."""
        if self.pgn is self.title is self.days is UNSET:
            raise ValueError("Expected at least one of `pgn`, `title` and `days`")


# --- answers


class Variation(AnswerDocument, kw_only=True):
    """One line of play, and what it is worth to White.

    `bound` says that the score is at least (`lower`) or at most (`upper`) that.  `san` are the
    moves of `pv` as people write them, if they were asked for.
    """

    cp: int | None = None
    mate: int | None = None
    bound: Literal["lower", "upper"] | None = None
    wdl: Annotated[list[int], Meta(min_length=3, max_length=3)] | None = None
    depth: int | None = None
    seldepth: int | None = None
    nodes: int | None = None
    pv: list[str]
    san: list[str] = []


class Analysis(AnswerDocument, kw_only=True):
    """The analysis of a position, as far as it is known.

    `final` is true for the last one, which has `best`: none if the game is over, and `outcome`
    says how (`checkmate`, `stalemate`, `insufficient-material`, ...).  `cached` is the date of the
    search of which this was kept.  `notices` say in what this is not what was asked for, each as
    `CODE: sentence`; `position-mended` is what of a FEN was read otherwise than it was said.
    """

    id: ItemId | None = None
    fen: Annotated[str, Meta(description="The position after the moves")]
    engine: str
    final: bool
    best: str | None = None
    ponder: str | None = None
    depth: int | None = None
    nodes: int | None = None
    time: int | None = None
    lines: list[Variation] = []
    outcome: str | None = None
    cached: str | None = None
    notices: list[str] = []


class EngineOption(AnswerDocument, kw_only=True):
    """An option of an engine, as this account may set it."""

    name: str
    type: Literal["check", "spin", "combo", "button", "string"]
    default: str | None = None
    min: int | None = None
    max: int | None = None
    values: list[str] = []


class EngineDescription(AnswerDocument, kw_only=True):
    """An engine that this account may use."""

    name: str
    title: Annotated[str, Meta(description="What it calls itself")]
    author: str | None = None
    is_default: bool
    variants: list[str]
    options: list[EngineOption]


class EngineList(AnswerDocument, kw_only=True):
    """The engines that this account may use."""

    engines: list[EngineDescription]


class EvaluationList(AnswerDocument, kw_only=True):
    """The evaluations of a position in the cache, best first; `notices` as in `Analysis`."""

    fen: Annotated[str, Meta(description="The position after the moves")]
    evaluations: list[Analysis]
    notices: list[str] = []


class JobCost(AnswerDocument, kw_only=True):
    """The cost of a job so far; `time` is that of the engines, by their own clocks."""

    nodes: int
    time: int


class Job(AnswerDocument, kw_only=True):
    """A job.  `total` counts positions or games; `failed` are those with an error as answer.

    `positions_done` counts those of games, too; `rate` is positions a second.
    """

    id: str
    name: str
    kind: JobKind
    state: JobState
    reason: Annotated[str, Meta(description="Of a job that has failed")] | None = None
    engine: str
    limits: SearchLimits
    lines: int
    options: dict[str, OptionValue]
    priority: int
    total: int
    done: int
    failed: int
    positions_done: int
    rate: float | None = None
    seconds_left: float | None = None
    cost: JobCost
    created: str
    finished: str | None = None
    expires: str | None = None


class JobList(AnswerDocument, kw_only=True):
    """The jobs of this account, the newest first."""

    jobs: list[Job]


class OwnGame(AnswerDocument, kw_only=True):
    """A game that this account shares.  `id` is the secret in its link; `size` is in bytes."""

    id: str
    title: str
    size: int
    created: str
    updated: str
    expires: str | None = None


class OwnGameList(AnswerDocument, kw_only=True):
    """The games that this account shares, the newest first, and what it may share.

    `frames` says whether pages of other sites may show shared games in a frame.
    """

    games: list[OwnGame]
    most_games: int
    most_days: int | None = None
    frames: bool


class SharedGame(AnswerDocument, kw_only=True):
    """A shared game, as all see it who have its link."""

    id: str
    title: str
    pgn: str
    updated: str
    expires: str | None = None


class LibraryFile(AnswerDocument, kw_only=True):
    """A file of the account's library.  `size` is in bytes; `version` is its ETag.

    A file that was `removed` is there for 30 days more: it can be read, and written again.
    """

    id: str
    path: str
    size: int
    version: int
    updated: str
    removed: str | None = None


class LibraryFileList(AnswerDocument, kw_only=True):
    """The files of the account's library, and what it may keep.

    `stored` and `most_stored` are bytes after compression, removed files among them.
    """

    account: str
    files: list[LibraryFile]
    stored: int
    most_files: int
    most_stored: int


class ItemError(AnswerDocument, kw_only=True):
    """The reason why a position or a game has no analysis."""

    code: str
    detail: str
    path: str | None = None


class GameLine(AnswerDocument, kw_only=True):
    """One line of play from a position of a game, and what it is worth to White."""

    cp: int | None
    mate: int | None
    depth: int | None
    nodes: int | None
    pv: list[str]


class GamePosition(AnswerDocument, kw_only=True):
    """A position of a game, `ply` half-moves behind its first one; what is not known is null.

    `move` was played there, and has lost `loss` points of 100 of the chance to win.  `lines` are
    the best first, and none where the game is over.  `poison` says why it was skipped.
    """

    ply: int
    move: str | None
    loss: float | None
    accuracy: Annotated[float, Meta(ge=0, le=100)] | None
    judgement: Literal["inaccuracy", "mistake", "blunder"] | None
    poison: str | None
    best: str | None
    lines: list[GameLine]


class GameRecord(AnswerDocument, kw_only=True):
    """A game as `rookery-server analyse --jsonl` writes it (docs/batch.md).

    `game` is its number, from 1 on, and `line` its first line in the input.  `status` is `partly`
    if some of it could not be read or searched, and `problems` say what.
    """

    game: int
    source: str
    line: int
    white: str
    black: str
    result: str
    fen: str
    status: Literal["analysed", "partly", "skipped"]
    problems: list[str]
    positions: list[GamePosition]


class JobResult(AnswerDocument, kw_only=True):
    """The one answer to one position or game: `analysis` or `game`, or `error`."""

    index: int
    id: ItemId | None = None
    analysis: Analysis | UnsetType = UNSET
    game: GameRecord | UnsetType = UNSET
    error: ItemError | UnsetType = UNSET


class ProblemDetails(AnswerDocument, kw_only=True):
    """An error (RFC 9457).

    `code` is one of the notices of docs/protocol.md; `type` links to what it means.  `path` says
    where in the request it is, as `$.limits.nodes`, and `expected` what is wanted there.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str | None = None
    path: str | None = None
    expected: str | None = None
