"""The routes of engines, searches and evaluations."""

import asyncio
from functools import partial

import msgspec
from aiohttp import web

from rookery_analysis.evaluation import PositionEvaluation
from rookery_protocol.errors import RefusedError
from rookery_server.access.account import Account
from rookery_server.api.documents import NDJSON, json_answer, read_json, read_query
from rookery_server.api.engine_list import describe_engine
from rookery_server.api.pending_search import PendingSearch
from rookery_server.api.requested_search import RequestedSearch
from rookery_server.api.schema import (
    AnalyseRequest,
    Analysis,
    EngineList,
    EvaluationList,
    EvaluationQuery,
    SearchLimits,
)
from rookery_server.api.search_request import (
    read_limits,
    read_lines,
    read_options,
    read_position,
    read_rules,
    read_search_moves,
)
from rookery_server.api.search_sessions import SearchSessions, SearchTask
from rookery_server.cache.cache_query import CacheQuery
from rookery_server.cache.question import question_of
from rookery_server.engines.offered_options import OfferedOptions
from rookery_server.http.problem import ProblemError, problem_document
from rookery_server.http.web_app import ACCOUNT, API
from rookery_server.manager import SessionManager
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.http_connection import connection_of
from rookery_server.transport.http_message import status_of
from rookery_uci import Limits, key_of

SILENCE = 10.0  # s, after which a stream says what it knows though nothing is new
PATIENCE = 5.0  # s with the cache, where nothing but what it knows is wanted
_MS = 1000
_ENDLESS = SearchLimits(mate=1)  # of a question that is not searched for


class AnalysisRoutes:
    """The handlers of one server."""

    def __init__(self, manager: SessionManager, policy: ConnectionPolicy) -> None:
        self.sessions = SearchSessions(manager)
        self._manager = manager
        self._policy = policy

    def routes(self) -> list[web.AbstractRouteDef]:
        """Return the routes."""
        return [
            web.get(f"{API}/engines", self.engines),
            web.post(f"{API}/analyse", self.analyse),
            web.get(f"{API}/evaluations", self.evaluations),
        ]

    # --- engines

    async def engines(self, request: web.Request) -> web.Response:
        """Answer with the engines that an account may use."""
        account, found = request[ACCOUNT], []
        for number, engine in enumerate(self._manager.fleet.engines_for(account)):
            try:
                offer = self._manager.offer(engine, account)
            except RefusedError:
                continue  # It cannot be used now.
            found.append(describe_engine(engine.name, offer, is_default=number == 0))
        return json_answer(EngineList(engines=found))

    # --- searches

    async def analyse(self, request: web.Request) -> web.StreamResponse:
        """Search one position."""
        asked, account = await read_json(request, AnalyseRequest), request[ACCOUNT]
        search = self._read(asked, account)
        streams = NDJSON in request.headers.get("Accept", "")
        done = search.outcome() or await self._known(search)
        if done:
            return _line_answer(done) if streams else json_answer(done)
        connection = connection_of(request)
        admit = partial(self._policy.admit_session, connection, account)
        async with self.sessions.search(search.task, connection.address, admit) as pending:
            if not streams:
                await pending.wait()
                return json_answer(search.current_answer(pending))
            return await _stream(request, search, pending)

    def _read(self, asked: AnalyseRequest, account: Account) -> RequestedSearch:
        """Check a request.

        Raises:
            ProblemError: something in it cannot be.
            RefusedError: there is no such engine.

        """
        engine = self._manager.fleet.engine_for(account, asked.engine)
        offer = self._manager.offer(engine, account)
        position = read_position(asked.fen, asked.moves, asked.variant)
        moves = read_search_moves(position, asked.search_moves)
        options = [*read_rules(offer, position), *read_options(offer, asked.options)]
        read_lines(offer, asked.lines)
        task = SearchTask(
            account,
            self._manager.fleet.pool(engine.name),
            tuple(options),
            asked.lines,
            position.position,
            position.board,
            read_limits(asked.limits, moves),
            fresh=asked.fresh,
        )
        return RequestedSearch(asked, task, position, offer)

    async def _known(self, search: RequestedSearch) -> Analysis | None:
        """Return what the cache knows, if that is as good as a search would be."""
        limits, keeper, recorder = search.task.limits, self._manager.keeper, self._manager.recorder
        is_asked = recorder and recorder.config.is_worth_asking(limits) and not search.task.fresh
        if not (keeper and recorder and is_asked):
            return None
        found = await self._look_up(search.task, search.offer, recorder.config.patience)
        good = [each for each in found if each.is_enough(limits, search.task.lines)]
        best = max(good, key=lambda each: (each.depth, each.nodes), default=None)
        return search.cached_answer(best.cut(search.task.lines)) if best else None

    # --- evaluations

    async def evaluations(self, request: web.Request) -> web.Response:
        """Answer with what the cache knows of a position."""
        asked, account = read_query(request, EvaluationQuery), request[ACCOUNT]
        position = read_position(asked.fen, asked.moves.split(), asked.variant, path="?")
        engines = self._manager.fleet.engines_for(account)
        if asked.engine is not None:
            engines = [self._manager.fleet.engine_for(account, asked.engine)]
        found: list[Analysis] = []
        for engine in engines:
            try:
                offer = self._manager.offer(engine, account)
                rules = read_rules(offer, position)
            except (RefusedError, ProblemError):
                continue  # It knows nothing of this position.
            pool = self._manager.fleet.pool(engine.name)
            limits = Limits(infinite=True)
            task = SearchTask(
                account, pool, tuple(rules), asked.lines, position.position, position.board, limits
            )
            search = RequestedSearch(AnalyseRequest(limits=_ENDLESS), task, position, offer)
            for known in await self._look_up(task, offer, PATIENCE):
                found.append(search.cached_answer(known.cut(asked.lines)))
        found.sort(key=lambda each: (each.depth or 0, len(each.lines)), reverse=True)
        return json_answer(
            EvaluationList(fen=position.fen, evaluations=found, notices=position.notices)
        )

    async def _look_up(
        self, task: SearchTask, offer: OfferedOptions, patience: float
    ) -> list[PositionEvaluation]:
        """Return what the cache knows of a position by an engine with such options."""
        keeper, recorder = self._manager.keeper, self._manager.recorder
        build = task.pool.build
        if not (keeper and recorder and build and self._may_ask(task.account)):
            return []
        chosen = {key_of(each.name): each.value or "" for each in task.options}
        chosen["multipv"] = str(task.lines)
        question = question_of(task.limits, task.position, offer, chosen)
        if question is None:
            return []
        account = "" if recorder.config.shared else task.account.name
        answer: asyncio.Future[list[PositionEvaluation]]
        answer = asyncio.get_running_loop().create_future()

        def reply(found: list[PositionEvaluation]) -> None:
            if not answer.done():
                answer.set_result(found)

        if not keeper.find_all(CacheQuery(question, build, account), reply):
            return []
        try:
            async with asyncio.timeout(patience):
                return await answer
        except TimeoutError:
            return []

    def _may_ask(self, account: Account) -> bool:
        """Return whether the cache is for an account."""
        return self._manager.quota_of(account).cache


async def _stream(
    request: web.Request, search: RequestedSearch, pending: PendingSearch
) -> web.StreamResponse:
    """Answer with what is found, while it is found; one that is refused is refused as usual."""
    interval = search.asked.interval / _MS
    response = web.StreamResponse(headers={"Content-Type": NDJSON, "Cache-Control": "no-store"})
    loop = asyncio.get_running_loop()
    told = loop.time()
    while True:
        try:
            is_over = await pending.wait_for_news(max(0.0, told + interval - loop.time()), SILENCE)
        except RefusedError as error:
            if not response.prepared:
                raise
            await response.write(_problem_line(error))
            return response
        if not response.prepared:
            await response.prepare(request)
        told = loop.time()
        await response.write(msgspec.json.encode(search.current_answer(pending)) + b"\n")
        if is_over:
            return response


def _line_answer(document: Analysis) -> web.Response:
    """Return the stream of one answer that is known at once."""
    return web.Response(
        body=msgspec.json.encode(document) + b"\n", headers={"Content-Type": NDJSON}
    )


def _problem_line(error: RefusedError) -> bytes:
    """Return the last line of a stream that has failed: a problem."""
    code = error.notice.code
    document = problem_document(status_of(code), str(error), code)
    return msgspec.json.encode(document) + b"\n"
