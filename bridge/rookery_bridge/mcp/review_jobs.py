"""Reviews of games as jobs of the server: begun, followed, listed and ended.

A review outlives its call if the time runs out, and ends with it if the call is cancelled.
Only the moves of a game are sent: no names, no comments.
"""

import asyncio
from contextlib import aclosing, suppress
from http import HTTPStatus

from rookery_bridge.client.remote_jobs import RemoteJobs
from rookery_bridge.client.service_error import DocumentError, ServiceError
from rookery_bridge.client.service_results import FAILED, RemoteJob
from rookery_bridge.mcp.game_review import GameReview
from rookery_bridge.mcp.game_text import GameLine, quoted_name
from rookery_bridge.mcp.service_advice import answer_deadline, tool_error
from rookery_bridge.mcp.tool_answer import Report, ToolAnswer, ToolError
from rookery_protocol.errors import in_words
from rookery_protocol.notices import legible

_NAME = "review for a language model"
_GAMES = "games"  # the kind of job
_LISTED = 10
_MOST_REMEMBERED = 500  # jobs of this process
_WATCH = 0.5  # s from one look at a job to the next
_GOODBYE = 5.0  # s in which a job is ended whose call was cancelled
_PATIENCE = 5.0  # s for what needs no engine
_MARGIN = 0.4  # s of a call that the way to the server and back may take
_AT_ONCE = 4  # reviews that are waited for
_MOST_ID, _REASON = 200, 200  # characters


class ReviewJobs:
    """The reviews of one process.  Only those that it has begun can be ended by it."""

    def __init__(self, jobs: RemoteJobs) -> None:
        self._jobs = jobs
        self._own: dict[str, GameLine] = {}  # by the job's id
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._leftovers: set[asyncio.Task[None]] = set()

    async def clean_up(self) -> None:
        """Wait until the jobs of cancelled calls are ended, each for some seconds at most."""
        if self._leftovers:
            await asyncio.wait(self._leftovers)

    async def review(
        self, game: GameLine, engine: str | None, nodes: int, seconds: float, report: Report
    ) -> ToolAnswer:
        """Begin the review of a game, and return it, or how far it is when the time is over."""
        what = "the server has not taken the game"
        async with answer_deadline(seconds, what) as end, self._slots:
            creation = asyncio.create_task(self._create(game, engine, nodes), name="new review")
            try:
                job = await asyncio.shield(creation)
                return (await self._follow(job, end, report))[0]
            except asyncio.CancelledError:  # by the client, or by the deadline
                self._abandon(creation)
                raise

    async def follow(
        self, id_: str, seconds: float, report: Report
    ) -> tuple[ToolAnswer, GameLine | None]:
        """Return how far a job is, or its review with its game."""
        async with answer_deadline(seconds + _PATIENCE, "the server has not answered") as end:
            try:
                job = await self._jobs.get(id_[:_MOST_ID])
            except ServiceError as error:
                raise _no_job(id_, error) from error
            return await self._follow(job, end - _PATIENCE + _MARGIN, report)

    async def list_newest(self) -> ToolAnswer:
        """Return the newest jobs with games."""
        async with answer_deadline(_PATIENCE, "the server has not answered"):
            jobs = [job for job in await self._jobs.list() if job.kind == _GAMES][:_LISTED]
        lines = [_job_words(job) for job in jobs] or ["There are no reviews."]
        return ToolAnswer.of_lines(lines, {"jobs": [_job_data(job) for job in jobs]})

    async def end(self, id_: str) -> ToolAnswer:
        """End a job, and delete it; it must be of this process."""
        if id_ not in self._own:
            raise ToolError(
                f"{legible(id_, 40)!r} is no review that was begun here, and only those can be"
                " ended", "tell the user to delete it", "not-ours",
            )  # fmt: skip
        async with answer_deadline(_PATIENCE, "the server has not answered"):
            try:
                await self._jobs.delete(id_)
            except ServiceError as error:
                raise _no_job(id_, error) from error
        del self._own[id_]
        data: dict[str, object] = {"id": id_, "state": "deleted"}
        return ToolAnswer(f"The review {id_} is ended and deleted.", data)

    async def _create(self, game: GameLine, engine: str | None, nodes: int) -> RemoteJob:
        job = await self._jobs.create(games=game.pgn(), nodes=nodes, engine=engine, name=_NAME)
        self._own[job.id] = game
        if len(self._own) > _MOST_REMEMBERED:
            del self._own[next(iter(self._own))]
        return job

    async def _follow(
        self, job: RemoteJob, end: float, report: Report
    ) -> tuple[ToolAnswer, GameLine | None]:
        """Wait for the end of a job; return its review, or how far it is when time is over."""
        game = self._own.get(job.id)
        total = len(game.moves) + 1 if game else None
        now = asyncio.get_running_loop().time
        reported = -1
        try:
            async with asyncio.timeout_at(end - _MARGIN / 2):
                while not job.is_over and now() + _MARGIN < end:
                    if job.positions_done > reported:
                        reported = job.positions_done
                        await report(reported, total, _progress_words(job, total))
                    await asyncio.sleep(min(_WATCH, max(0.0, end - _MARGIN - now())))
                    job = await self._jobs.get(job)
                if job.is_over:
                    return await self._result_of(job, game)
        except TimeoutError:
            pass
        except ServiceError as error:
            found = tool_error(error)
            advice = f"the review goes on: call 'job' with id {job.id} in a while"
            raise ToolError(found.why, advice, found.code) from error
        return _unfinished(job), game

    async def _result_of(
        self, job: RemoteJob, game: GameLine | None
    ) -> tuple[ToolAnswer, GameLine | None]:
        """Return the review of a job that is over."""
        if job.state == FAILED:
            why = legible(job.reason or "the server does not say why", _REASON)
            raise ToolError(f"the review has failed: {why}", "tell the user", "failed")
        if job.kind != _GAMES or job.total != 1:
            lines = [_job_words(job), "It is no review of one game: its results are not shown."]
            return ToolAnswer.of_lines(lines, {"job": _job_data(job)}), None
        async with aclosing(self._jobs.results(job)) as results:
            async for found in results:
                if found.error:
                    why = legible(found.error.detail, _REASON)
                    raise ToolError(f"the game was not analysed: {why}", "correct it", "bad-game")
                review = _read_review(found.game, game)
                data = {"job": _job_data(job), "review": review.data()}
                return ToolAnswer.of_lines(review.lines(), data), review.game
        raise ToolError("the review has no result", "call 'review_game' again", "no-result")

    def _abandon(self, creation: asyncio.Task[RemoteJob]) -> None:
        """Delete a job whose call is over, also if the server is only about to answer."""
        task = asyncio.create_task(self._delete_new(creation), name="end of a review")
        self._leftovers.add(task)
        task.add_done_callback(self._leftovers.discard)

    async def _delete_new(self, creation: asyncio.Task[RemoteJob]) -> None:
        with suppress(ServiceError, TimeoutError):
            async with asyncio.timeout(_GOODBYE):
                job = await creation  # which the timeout cancels
                self._own.pop(job.id, None)
                await self._jobs.delete(job)


def _no_job(id_: str, error: ServiceError) -> ToolError:
    """Return the error for a job that cannot be had."""
    if error.status != HTTPStatus.NOT_FOUND:
        return tool_error(error)
    why = f"there is no job {legible(id_, 40)!r}, or not any more"
    return ToolError(why, "call 'job' without 'id' to see those that there are", "no-job")


def _read_review(document: object, game: GameLine | None) -> GameReview:
    try:
        return GameReview.of_record(document, game)
    except DocumentError as error:
        why = f"what the server says of the game cannot be read: {legible(error.detail, _REASON)}"
        raise ToolError(why, "tell the user", "strange-answer") from error


def _progress_words(job: RemoteJob, total: int | None) -> str:
    left = f", about {in_words(job.seconds_left)} left" if job.seconds_left else ""
    return f"{job.state}: {job.positions_done} of {total or '?'} positions{left}"


def _unfinished(job: RemoteJob) -> ToolAnswer:
    return ToolAnswer.of_lines(
        [_job_words(job), f"Call 'job' with id {job.id} for its result."], {"job": _job_data(job)}
    )


def _job_words(job: RemoteJob) -> str:
    left = f", about {in_words(job.seconds_left)} left" if job.seconds_left else ""
    return (
        f"Review {legible(job.id, 60)} {quoted_name(job.name)}: {legible(job.state, 20)},"
        f" {job.done} of {job.total} games, {job.positions_done} positions done{left}"
    )


def _job_data(job: RemoteJob) -> dict[str, object]:
    found: dict[str, object] = {
        "id": job.id[:_MOST_ID],
        "name": quoted_name(job.name),
        "state": legible(job.state, 20),
        "games": job.total,
        "games_done": job.done,
        "positions_done": job.positions_done,
    }
    return found | ({"seconds_left": job.seconds_left} if job.seconds_left is not None else {})
