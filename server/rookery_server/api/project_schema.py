"""The documents of projects (see `schema.py`): what requests must be, and what answers are."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from rookery_server.api.schema import (
    MAX_MOVES,
    MAX_NUMBER,
    AnswerDocument,
    EngineName,
    Fen,
    Move,
    Moves,
    Name,
    Nodes,
    Options,
    Pgn,
    RequestDocument,
    Variant,
)
from rookery_server.growth.tree_pgn import MOST_NODES

MAX_WAIT = 25  # s, less than the 30 after which proxies and clients give up
MAX_ENGINES = 8
MAX_SHOWN = 2000  # nodes of a map

Count = Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
ProjectId = Annotated[str, Meta(min_length=1, max_length=100)]
Plies = Annotated[int, Meta(ge=1, le=400, description="Half-moves from the root")]
Visits = Annotated[
    int, Meta(ge=1, le=MAX_NUMBER, description="Positions that a subtree has at least")
]
Stage = Literal["active", "paused", "finished", "failed", "building"]
# The values of `EndCause`.
Cause = Literal[
    "positions", "nodes", "cpu_seconds", "until", "stable", "exhausted", "quota", "engine", "damage"
]  # fmt: skip
Action = Literal["exclude", "include", "pin", "unpin", "add", "deepen"]
KindOfNode = Literal[
    "unknown", "unsearched", "searched", "checkmate", "stalemate", "dead draw", "tablebase",
    "failed",
]  # fmt: skip


# --- requests


class ProjectStart(RequestDocument, kw_only=True):
    """The root of a project: a FEN, and the moves of the game up to the root."""

    fen: Fen | None = None
    moves: Annotated[list[Move], Meta(max_length=MAX_MOVES)] = []


class ProjectEngineChoice(RequestDocument, kw_only=True):
    """An engine that searches for a project, and its options."""

    name: EngineName | None = None
    options: Options = {}


class ProjectSide(RequestDocument, kw_only=True):
    """The growth where one side is to move.

    `width` is the loss in centipawns that weighs as much as one half-move more: 10 is narrow, 60
    wide. `lines` are the moves that a search is asked for. Of a position's moves, the best `limit`
    are followed: for a repertoire, one or two of its own side; null is no limit.
    """

    width: Annotated[int, Meta(ge=1, le=1000)] = 25
    lines: Annotated[int, Meta(ge=1, le=20)] = 4
    limit: Annotated[int, Meta(ge=1, le=20)] | None = None


class ProjectRules(RequestDocument, kw_only=True):
    """The growth of a project; `nodes` are of the search of a position that matters least.

    The search of one on the main line has four times as many. A position is searched again when
    its subtree has grown, with as many nodes as the subtree had, about, 256 times these at most.
    `movetime` is a bound beside it, in milliseconds, which grows with a position in the same way:
    what is reached first ends the search. A tree that is grown by nodes with engines of one thread
    can be grown again as it was; one with times cannot.
    """

    nodes: Annotated[int, Meta(ge=1, le=10**12)] = 100_000
    movetime: Annotated[int, Meta(ge=1, le=86_400_000)] | None = None
    white: ProjectSide = field(default_factory=ProjectSide)
    black: ProjectSide = field(default_factory=ProjectSide)


class ProjectEnd(RequestDocument, kw_only=True):
    """The end of a project: the first of these that is reached; null is none.

    `positions` of the tree, `nodes` and `cpu_seconds` of all searches (see `Project`), a date, and
    `stable`: the positions that were added since the best move changed last.
    """

    positions: Count | None = None
    nodes: Count | None = None
    cpu_seconds: Count | None = None
    until: Annotated[datetime, Meta(tz=True)] | None = None
    stable: Count | None = None


class ProjectRequest(RequestDocument, kw_only=True):
    """A new project.

    Without engines it has the default engine. The moves and variations of `pgn` are searched before
    all others, as far as they come to the root.
    """

    name: Name = ""
    position: ProjectStart = field(default_factory=ProjectStart)
    variant: Variant = "standard"
    pgn: Pgn | UnsetType = UNSET
    engines: Annotated[list[ProjectEngineChoice], Meta(max_length=MAX_ENGINES)] = []
    settings: ProjectRules = field(default_factory=ProjectRules)
    budget: ProjectEnd = field(default_factory=ProjectEnd)


class ProjectChange(RequestDocument, kw_only=True):
    """A change of a project: each member that is there is replaced as a whole.

    `stage` is what the project is to do; one that is finished or has failed goes on with `active`.
    Of its `engines`, those that are not named any more search no more, and stay in its list.
    """

    name: Name | UnsetType = UNSET
    engines: (
        Annotated[list[ProjectEngineChoice], Meta(min_length=1, max_length=MAX_ENGINES)] | UnsetType
    ) = UNSET
    stage: Literal["active", "paused"] | UnsetType = UNSET
    settings: ProjectRules | UnsetType = UNSET
    budget: ProjectEnd | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse a change of nothing."""
        members = self.name, self.engines, self.stage, self.settings, self.budget
        if all(each is UNSET for each in members):
            names = "`name`, `engines`, `stage`, `settings` and `budget`"
            raise ValueError(f"Expected at least one of {names}")


class ProjectQuery(RequestDocument, kw_only=True):
    """The state of a project, or of the list, that is known, as the members of a query."""

    after: (
        Annotated[
            str,
            Meta(max_length=40, description="The `version` that is known: wait for another one"),
        ]
        | None
    ) = None
    wait: Annotated[int, Meta(ge=0, le=MAX_WAIT, description="For so many seconds at most")] = (
        MAX_WAIT
    )


class TreeQuery(RequestDocument, kw_only=True):
    """A position of a tree, as the members of a query: without `fen`, moves from the root."""

    fen: Fen | None = None
    moves: Moves = ""


class SteeringRequest(RequestDocument, kw_only=True):
    """A change of a tree by its owner; the position is as `position` has it.

    `exclude` forbids a move, or `*`: those that are not listed; `include` takes that back. `pin`
    allows this move and others that are pinned only; `unpin` takes that back. `add` adds a legal
    move, in a position that need not be known. `deepen` searches the position again, with so many
    `nodes`, or four times as many as before.
    """

    fen: Fen | None = None
    moves: Annotated[list[Move], Meta(max_length=MAX_MOVES)] = []
    action: Action
    move: (
        Annotated[str, Meta(min_length=1, max_length=10, description="In UCI or SAN, or `*`")]
        | UnsetType
    ) = UNSET
    nodes: Nodes | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse an action without its move, and a move that has no use."""
        if (self.action == "deepen") != (self.move is UNSET):
            raise ValueError("Expected one of `move` and the action deepen")


class ChangesQuery(RequestDocument, kw_only=True):
    """The count behind which changes are wanted, as the members of a query."""

    after: Annotated[
        int, Meta(ge=0, le=MAX_NUMBER, description="The `size` of the root that is known")
    ] = 0
    most: Annotated[int, Meta(ge=1, le=500, description="How many are wanted")] = 50


class MapQuery(RequestDocument, kw_only=True):
    """The bounds of a map, as the members of a query."""

    nodes: Annotated[int, Meta(ge=1, le=MAX_SHOWN, description="Subtrees that are wanted")] = 300


class CloudQuery(RequestDocument, kw_only=True):
    """A question in the form of chessdb.cn, as the members of a query."""

    action: Annotated[
        Literal["queryall", "querypv"], Meta(description="All moves, or the main line")
    ]
    board: Annotated[str, Meta(min_length=1, max_length=200, description="A FEN")]


class ExportQuery(RequestDocument, kw_only=True):
    """The form and the bounds of an export, as the members of a query."""

    format: Annotated[Literal["pgn", "polyglot", "ndjson"], Meta(description="The form")]
    plies: Plies = 400
    nodes: Annotated[
        int, Meta(ge=1, le=MOST_NODES, description="Of PGN: the positions of the largest subtrees")
    ] = 10_000
    visits: Visits = 1


class MergeRequest(RequestDocument, kw_only=True, rename={"source": "from"}):
    """The project whose tree is added to another: `from` is its `id`."""

    source: ProjectId


class ImportRequest(RequestDocument, kw_only=True):
    """A game in PGN, whose moves and variations are added to a tree."""

    pgn: Pgn


class CopyRequest(RequestDocument, kw_only=True):
    """The position of which a new project is made; without `fen`, moves from the root."""

    fen: Fen | None = None
    moves: Annotated[list[Move], Meta(max_length=MAX_MOVES)] = []
    name: Name = ""


# --- answers


class ProjectEngineDescription(AnswerDocument, kw_only=True):
    """An engine of a project; nodes have its place in the list.

    One that is `retired` searches no more.
    """

    name: str
    options: dict[str, str] = {}
    retired: bool = False


class ProjectBuilding(AnswerDocument, kw_only=True):
    """The progress of a tree that is built: so many steps of as many as are known so far."""

    done: int
    total: int


class Project(AnswerDocument, kw_only=True):
    """A project. `version` changes whenever something of it does.

    While its stage is `building`, it does not grow: a tree is merged into it or copied to it,
    beside the tree that it has meanwhile, or the moves of a game are added.

    `reason` says in a sentence why it does not grow, and `cause` in a word: the bound of `budget`
    that was reached, `exhausted` (nothing is left to search), `quota` (its account has as many
    positions as it may), `engine` (its engines cannot search for it) or `damage` (it cannot be
    read).

    `positions` are in its tree, `searches` were made for it, and `searching` are under way, with
    `nodes` and `cpu_seconds` so far: the CPU time of the engines' processes, without those that
    they start. Where the server cannot know it, it is the time that an engine says of a search, for
    each of its threads. `best` is the move of the root, in UCI, and `value` and `trend` are those
    of the root, as `TreePosition` has them.
    """

    id: str
    version: str
    name: str
    position: ProjectStart
    variant: str
    engines: list[ProjectEngineDescription]
    settings: ProjectRules
    budget: ProjectEnd
    stage: Stage
    reason: str | None = None
    cause: Cause | None = None
    building: ProjectBuilding | None = None
    positions: int
    searches: int
    searching: int
    nodes: int
    cpu_seconds: float
    best: str | None = None
    value: "TreeValue | None" = None
    trend: list["TreeValue"] = []
    created: str
    updated: str


class ProjectList(AnswerDocument, kw_only=True):
    """The projects of this account, the newest first, and what it may have.

    `version` changes whenever a project does. `positions` are those of all their trees.
    """

    version: str
    projects: list[Project]
    positions: int
    most_projects: int
    most_positions: int


class TreeValue(AnswerDocument, kw_only=True):
    """A value for White: one of `cp`, `mate` and `tablebase`.

    `mate` is 0 where the side to move is mated. `tablebase` are the half-moves to the end of a line
    to a position of a tablebase, that one counted, and negative if Black wins.
    """

    cp: int | None = None
    mate: int | None = None
    tablebase: int | None = None


class TreeMove(AnswerDocument, kw_only=True):
    """A move of a position, and what the tree has behind it.

    `value` is carried up from there, `own` by the search of the position itself. `size` are the
    positions of its subtree, `share` is their part of all behind this position, `height` are the
    half-moves from the next position to the deepest one behind it, and `grown` is the `size` that
    the root had when its subtree grew last. `depth` and `nodes` are of the search of the next
    position, and `trend` are its values when its subtree had 1, 2, 4 ... positions. `proven`: the
    value is a fact. `repetition`: the move leads to a draw by repetition or the fifty-move rule on
    this way. `returns`: the move leads back, and so carries nothing up.
    """

    move: str
    san: str
    value: TreeValue | None = None
    own: TreeValue | None = None
    size: int = 0
    share: float = 0.0
    height: int = 0
    grown: int = 0
    depth: int = 0
    nodes: int = 0
    trend: list[TreeValue] = []
    proven: bool = False
    excluded: bool = False
    pinned: bool = False
    added: bool = False
    searching: bool = False
    repetition: bool = False
    returns: bool = False


class OtherMoves(AnswerDocument, kw_only=True):
    """The legal moves that no search has listed; the move `*` of `steer` means them."""

    count: int
    excluded: bool = False


class RootChange(AnswerDocument, kw_only=True):
    """A change at the root: the best move and its value, since it had this `size`."""

    size: int
    time: str
    move: str
    san: str
    value: TreeValue | None = None


class TreePosition(AnswerDocument, kw_only=True):
    """A position of a project, and its moves, the best first and excluded ones last.

    `unknown` has no moves: the tree does not have it. `own`, `depth`, `nodes` and `engine` are of
    its own search. `turned` and `grown` are the sizes that the root had when the best move changed
    last, and when this subtree grew last; `height` are the half-moves to the deepest position of
    it. `trend` are the values when the subtree had 1, 2, 4 ... positions; of the root there is its
    `history` too. `line` is the main line of the tree from here.
    """

    fen: str
    kind: KindOfNode
    value: TreeValue | None = None
    own: TreeValue | None = None
    depth: int = 0
    nodes: int = 0
    engine: int | None = None
    size: int = 0
    rank: int | None = None
    height: int = 0
    grown: int = 0
    turned: int = 0
    trend: list[TreeValue] = []
    history: list[RootChange] = []
    proven: bool = False
    searching: bool = False
    moves: list[TreeMove] = []
    others: OtherMoves | None = None
    line: list[str] = []
    san: list[str] = []


class TreeChange(AnswerDocument, kw_only=True):
    """A position whose best move has changed, when the root had the size `turned`."""

    fen: str
    moves: Annotated[list[str], Meta(description="From the root, as it was found first")]
    turned: int
    size: int
    value: TreeValue | None = None
    best: str
    san: str


class TreeChanges(AnswerDocument, kw_only=True):
    """The changes of a tree, the largest subtrees first; `size` is that of the root now."""

    size: int
    changes: list[TreeChange]


class MapNode(AnswerDocument, kw_only=True):
    """A subtree of a map.

    `number` counts the positions of a tree as they were found; `newest` is that of the last
    position below, if it is one of the last 200 of the tree. `grown` is the `size` that the root
    had when this subtree grew last, and `height` are the half-moves to its deepest position.
    """

    number: int
    move: str = ""
    san: str = ""
    size: int
    value: TreeValue | None = None
    newest: int | None = None
    height: int = 0
    grown: int = 0
    nodes: list["MapNode"] = []


class TreeMap(AnswerDocument, kw_only=True):
    """The largest subtrees of a project; `newest` is the number of its last position."""

    newest: int
    root: MapNode


class NodeRecord(AnswerDocument, kw_only=True):
    """A position of an export: one line of NDJSON.

    `moves` are those of `TreePosition`, without what is behind them; `child` is the number of the
    position there, and `found_by` that of the one from which this one was found first.
    """

    number: int
    fen: str
    kind: KindOfNode
    rank: int
    found_by: int | None = None
    value: TreeValue | None = None
    own: TreeValue | None = None
    depth: int
    nodes: int
    engine: int | None = None
    size: int
    height: int
    grown: int
    trend: list[TreeValue] = []
    moves: list["MoveRecord"] = []


class MoveRecord(AnswerDocument, kw_only=True):
    """A move of a position of an export; `*` are the legal moves that are not listed."""

    move: str
    child: int | None = None
    value: TreeValue | None = None
    own: TreeValue | None = None
    proven: bool = False
    excluded: bool = False
    pinned: bool = False
    added: bool = False
