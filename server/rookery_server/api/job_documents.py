"""Jobs as documents of the API, and the requests for them."""

from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec import UNSET, UnsetType

from rookery_server.access.account import Account
from rookery_server.analysis.position_reading import USUAL
from rookery_server.api.documents import convert_query
from rookery_server.api.schema import (
    Depth,
    EngineName,
    Job,
    JobCost,
    JobRequest,
    MateIn,
    MoveTime,
    Name,
    Nodes,
    OptionValue,
    PositionRequest,
    Priority,
    RequestDocument,
    SearchLimits,
    Variant,
    Variations,
)
from rookery_server.api.search_request import option_text, read_limits, read_position
from rookery_server.http.problem import ProblemError
from rookery_server.jobs.stored_job import GAMES, POSITIONS, JobSettings, NewJob, StoredJob
from rookery_uci import key_of

OPTION = "option."  # before the name of one in a query
_LIMITS = SearchLimits.__struct_fields__


class JobQuery(RequestDocument, kw_only=True):
    """A job's settings in the query, where its body has lines or games.

    Options of the engine are `option.NAME=VALUE`.
    """

    engine: EngineName | None = None
    depth: Depth | UnsetType = UNSET
    nodes: Nodes | UnsetType = UNSET
    movetime: MoveTime | UnsetType = UNSET
    mate: MateIn | UnsetType = UNSET
    lines: Variations = 1
    variant: Variant | UnsetType = UNSET
    name: Name = ""
    priority: Priority = 0

    def __post_init__(self) -> None:
        """Refuse a search without an end."""
        if self.depth is self.nodes is self.movetime is self.mate is UNSET:
            raise ValueError("Expected at least one of `depth`, `nodes`, `movetime` and `mate`")


def request_of_query(query: Mapping[str, str], *, games: bool) -> tuple[JobRequest, str]:
    """Return the request that a query is, and the variant of positions that name none.

    The positions or games of the request are still to come.

    Raises:
        ProblemError: it is not as the schema says.

    """
    options: dict[str, OptionValue] = {}
    values: dict[str, str] = {}
    for name, value in query.items():
        if name.startswith(OPTION):
            options[name.removeprefix(OPTION)] = value
        else:
            values[name] = value
    found = convert_query(values, JobQuery)
    if games and found.variant is not UNSET:
        raise ProblemError(
            422, "a game names its variant itself", path="?variant", expected="a tag `Variant`"
        )
    variant = USUAL if found.variant is UNSET else found.variant
    read_position(None, (), variant, path="?")
    request = JobRequest(
        engine=found.engine,
        limits=SearchLimits(**{name: getattr(found, name) for name in _LIMITS}),
        lines=found.lines,
        options=options,
        name=found.name,
        priority=found.priority,
        positions=UNSET if games else [PositionRequest()],
        games="*" if games else UNSET,
    )
    return request, variant


def new_job(request: JobRequest, account: Account, engine: str, key: str | None) -> NewJob:
    """Return the job that an account asks for."""
    # Sorted, for the same options in another order are the same.
    options = {key_of(name): (name, option_text(value)) for name, value in request.options.items()}
    named = tuple(option for _, option in sorted(options.items()))
    return NewJob(
        account,
        engine,
        JobSettings(read_limits(request.limits), request.lines, named),
        kind=POSITIONS if request.games is UNSET else GAMES,
        name=request.name,
        priority=request.priority,
        request=key,
    )


def job_document(job: StoredJob, rate: float | None, left: float | None) -> Job:
    """Return what an account is told of a job."""
    return Job(
        id=job.id,
        name=job.name,
        kind="games" if job.kind == GAMES else "positions",
        state=job.state,
        reason=job.reason,
        engine=job.engine,
        limits=SearchLimits(**job.settings.told_limits()),
        lines=job.settings.lines,
        options=dict(job.settings.options),
        priority=job.priority,
        total=job.total,
        done=job.done,
        failed=job.failed,
        positions_done=job.positions,
        rate=None if rate is None else round(rate, 2),
        seconds_left=None if left is None else round(left, 1),
        cost=JobCost(nodes=job.nodes, time=job.spent),
        created=date_text(job.created),
        finished=None if job.finished is None else date_text(job.finished),
        expires=None if job.expires is None else date_text(job.expires),
    )


def date_text(seconds: int) -> str:
    """Return a time of the epoch as a date in ISO 8601."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
