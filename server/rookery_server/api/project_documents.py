"""Projects as documents of the API, and the requests for them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import blake2b

from msgspec import UNSET

from rookery_protocol.legality import STANDARD
from rookery_server.access.account import Account
from rookery_server.analysis.position_reading import CHESS960_NAME, USUAL, RequestedPosition
from rookery_server.api import project_schema as api
from rookery_server.api.job_documents import date_text
from rookery_server.api.search_request import (
    option_text,
    read_lines,
    read_options,
    read_position,
    read_rules,
)
from rookery_server.api.tree_documents import trend_of, value_document
from rookery_server.growth.node import Node
from rookery_server.http.problem import ProblemError
from rookery_server.manager import SessionManager
from rookery_server.projects.stored_project import (
    MOST_ENGINES,
    Build,
    NewProject,
    ProjectBudget,
    ProjectEngine,
    ProjectRoot,
    ProjectSettings,
    SideRules,
    StoredProject,
    with_engines,
)
from rookery_uci import key_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def new_project(
    request: api.ProjectRequest, account: Account, manager: SessionManager
) -> NewProject:
    """Return the project that an account asks for, after the same checks as for a search.

    Raises:
        ProblemError: it cannot be; the problem says where.
        RefusedError: there is no such engine for this account.

    """
    check_name(request.name)
    start = request.position
    found = read_position(start.fen, start.moves, request.variant, path="$.position.")
    root = ProjectRoot(
        found.position.fen or found.board.root().fen(),
        tuple(found.position.moves),
        found.variant,
        found.chess960,
    )
    choices = request.engines or [api.ProjectEngineChoice()]
    engines = _engines_of(choices, request.settings, found, account, manager)
    settings = _settings_of(request.settings, engines)
    return NewProject(account, request.name, root, settings, read_budget(request.budget))


def check_name(name: str) -> None:
    """Raise ProblemError if a project cannot be called so."""
    if not name.isprintable():
        raise ProblemError(422, "a name has no control characters", path="$.name",
                           expected="text that can be printed")  # fmt: skip


def _engines_of(
    choices: Sequence[api.ProjectEngineChoice],
    rules: api.ProjectRules,
    position: RequestedPosition,
    account: Account,
    manager: SessionManager,
) -> tuple[ProjectEngine, ...]:
    """Return the engines that are to search for a project.

    Raises:
        ProblemError: one of them cannot; the problem says where.
        RefusedError: there is no such engine for this account.

    """
    engines = []
    lines = max(rules.white.lines, rules.black.lines)
    for number, each in enumerate(choices):
        engine = manager.fleet.engine_for(account, each.name)
        offer = manager.offer(engine, account)
        path = f"$.engines[{number}]"
        read_options(offer, each.options, path=f"{path}.options.")
        read_lines(offer, lines, path="$.settings")
        read_rules(offer, position)
        options = {key_of(name): (name, option_text(text)) for name, text in each.options.items()}
        engines.append(ProjectEngine(engine.name, tuple(options.values())))
    return tuple(engines)


def read_settings(
    change: api.ProjectChange, project: StoredProject, manager: SessionManager
) -> ProjectSettings | None:
    """Return the settings of a project with other rules of growth or engines; None without any.

    Raises:
        ProblemError: an engine of it cannot search so, or there are too many.
        RefusedError: there is no such engine, or not any more.

    """
    if change.settings is change.engines is UNSET:
        return None
    former, account = project.settings, project.account
    rules = _rules_of(former) if change.settings is UNSET else change.settings
    if change.engines is UNSET:
        lines = max(rules.white.lines, rules.black.lines)
        for each in former.engines:
            if not each.is_retired:
                engine = manager.fleet.engine_for(account, each.name)
                read_lines(manager.offer(engine, account), lines, path="$.settings")
        return _settings_of(rules, former.engines)
    root = project.root
    position = read_position(root.fen, root.moves, variant_of(root), path="$.position.")
    wanted = _engines_of(change.engines, rules, position, account, manager)
    engines = with_engines(former.engines, wanted)
    if len(engines) > MOST_ENGINES:
        raise ProblemError(422, "this project has had too many engines", path="$.engines",
                           expected=f"{MOST_ENGINES} at most, with the retired ones")  # fmt: skip
    return _settings_of(rules, engines)


def read_budget(end: api.ProjectEnd) -> ProjectBudget:
    """Return a budget as it is stored.

    Raises:
        ProblemError: its date is before the epoch.

    """
    until = None if end.until is None else int((end.until - _EPOCH).total_seconds())
    if until is not None and until < 1:
        raise ProblemError(422, "this date is over", path="$.budget.until",
                           expected="a date in ISO 8601, after 1970")  # fmt: skip
    return ProjectBudget(end.positions, end.nodes, end.cpu_seconds, until, end.stable)


def _settings_of(rules: api.ProjectRules, engines: tuple[ProjectEngine, ...]) -> ProjectSettings:
    sides = [SideRules(each.width, each.lines, each.limit) for each in (rules.white, rules.black)]
    return ProjectSettings(engines, rules.nodes, rules.movetime, *sides)


def _rules_of(settings: ProjectSettings) -> api.ProjectRules:
    """Return settings as requests and answers have them."""
    white, black = (
        api.ProjectSide(width=each.width, lines=each.lines, limit=each.limit)
        for each in (settings.white, settings.black)
    )
    return api.ProjectRules(
        nodes=settings.nodes, movetime=settings.movetime, white=white, black=black
    )


def project_document(project: StoredProject, root: Node | None) -> api.Project:
    """Return what an account is told of a project and the root of its tree."""
    settings, budget = project.settings, project.budget
    until = None if budget.until is None else _date_of(budget.until)
    best = None if root is None else root.best()
    return api.Project(
        id=project.id,
        version=version_of([project]),
        name=project.name,
        position=api.ProjectStart(fen=project.root.fen, moves=list(project.root.moves)),
        variant=variant_of(project.root),
        engines=[
            api.ProjectEngineDescription(
                name=each.name, options=dict(each.options), retired=each.is_retired
            )
            for each in settings.engines
        ],
        settings=_rules_of(settings),
        budget=api.ProjectEnd(
            positions=budget.positions, nodes=budget.nodes, cpu_seconds=budget.cpu_seconds,
            until=until, stable=budget.stable,
        ),
        stage=project.stage.value,  # type: ignore[arg-type]  # a deleted one is none of an account
        reason=project.reason,
        cause=None if project.cause is None else project.cause.value,
        building=_progress(project.build),
        positions=project.positions,
        searches=project.leaves,
        searching=project.held,
        nodes=project.nodes,
        cpu_seconds=round(project.spent / 1000, 1),
        best=None if best is None else best.move,
        value=None if root is None else value_document(root.value, is_white=root.is_white),
        trend=[] if root is None else trend_of(root),
        created=date_text(project.created),
        updated=date_text(project.updated),
    )  # fmt: skip


def _progress(build: Build | None) -> api.ProjectBuilding | None:
    if build is None:
        return None
    return api.ProjectBuilding(done=build.done, total=max(build.done, build.total))


def version_of(projects: Sequence[StoredProject]) -> str:
    """Return a text that is another one whenever something of some projects is."""
    return blake2b(repr(list(projects)).encode(), digest_size=8).hexdigest()


def variant_of(root: ProjectRoot) -> str:
    """Return the variant of a root as requests name it."""
    if root.chess960:
        return CHESS960_NAME
    return USUAL if root.variant == STANDARD else root.variant


def _date_of(seconds: int) -> datetime | None:
    """Return a date of the epoch; None for one that is beyond the calendar."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
