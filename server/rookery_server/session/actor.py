"""Carries lines between the client and the engine of one session, by its rules.

All is done in callbacks: a piece of the engine's output, whole lines in one `bytes`,
comes in and leaves in one write before anything else runs.  (A coroutine for each
direction and line would be many times slower, and lets one flooding engine starve the
others.)

A session outlives its engine: one that dies is replaced.  If its client has asked for
that it outlives its connection too: the search goes on, and what the client is owed is
kept until it is back.
"""

import asyncio
import logging
from itertools import count

from rookery_protocol.errors import SHUTTING_DOWN, Refusal
from rookery_protocol.notices import Close, Code, Hello, Notice
from rookery_server.access.account import Account
from rookery_server.cache.cache_service import Query
from rookery_server.log import about
from rookery_server.scheduling.quota import Usage
from rookery_server.session.backpressure import Flow
from rookery_server.session.client_channel import Client, Ear
from rookery_server.session.client_writer import Delivery
from rookery_server.session.deadlines import Timekeeper
from rookery_server.session.engine_lease import Supply
from rookery_server.session.ports import Gallery, Provider
from rookery_server.session.replay_buffer import Owed
from rookery_server.session.session import Session
from rookery_server.session.state import ENDED, IDLE, NOTHING, RUNNING, WAITING, Need
from rookery_server.session.totals import Totals
from rookery_server.session.watchdog import Supervisor

logger = logging.getLogger(__name__)

_numbers = count(1)


class Relay:
    """One session, with the client and the engine that it has at the moment."""

    def __init__(
        self,
        session: Session,
        client: Client,
        host: Provider,
        engine_name: str,
        account: Account,
        usage: Usage,
    ) -> None:
        self.number = next(_numbers)  # for logs
        self.session = session
        self.engine_name = engine_name
        self.account = account
        self.usage = usage
        self.is_batch = False  # and waits behind those whose clients look at them
        self.admitted = False  # and so counted among the sessions of its account
        self.objection: Refusal | None = None  # why it may not be, but for coming back to another
        self.timekeeper = Timekeeper(asyncio.get_running_loop().time())
        self.lines_heard = 0  # of the client's; it counts them too
        self.engine_talks = False  # since the supervisor has last looked
        self.gallery: Gallery | None = None  # if others may watch
        self.totals = Totals(began=self.timekeeper.idle_since)
        self.wants_cache = usage.quota.cache
        self.query: Query | None = None  # what the search asks, if its answer may be kept
        self._host = host
        self._loop = asyncio.get_running_loop()
        self._state = session.state
        self._draining = False
        self._waits = False  # for its client, though it drains
        self.is_over = False  # nothing will be carried any more
        self.delivery = Delivery(client, self.totals)
        self.supply = Supply(self, host)
        self.flow = Flow(self)
        self._supervisor = Supervisor(self, host)
        session.fitting.grant = lambda wanted: host.resize(self, wanted)

    @property
    def client(self) -> Client | None:
        """The connection; None while there is none."""
        return self.delivery.client

    @property
    def owed(self) -> Owed | None:
        """What is kept for a client that may come back; None if it may not."""
        return self.delivery.owed

    @property
    def idle_since(self) -> float:
        """When it last searched, in seconds of the loop's clock."""
        return self.timekeeper.idle_since

    @property
    def fields(self) -> dict[str, object]:
        """What each event of it has in the log."""
        return {
            "session": self.number,
            "account": self.account.name,
            "engine": self.engine_name,
        }

    # --- for the connection

    def client_said(self, line: bytes) -> None:
        """Take a line from the client."""
        if self.is_over or not line:
            return
        if (ear := self.delivery.ear) and ear.pulse:
            ear.pulse.is_heard = True
        if line.startswith(b"rookery "):
            self.timekeeper.shown_life(self._loop.time())
            self._control(line)
        elif self.admitted or self._is_admitted():
            self.lines_heard += 1
            answer = self.gallery.answer(line) if self.gallery else None
            if answer is None:
                self._hear(line)
            else:
                self.delivery.put(answer)
        self.flow.hold_back()

    def speaker_said(self, line: bytes, client: Client) -> None:
        """Take a line from one who watches, and has control."""
        if not self.is_over:
            self._hear(line)
            self.flow.keep_pace(client)

    def client_overlong(self) -> None:
        """Take note that the client sent more than a line may hold."""
        self.close(Close.TOO_BIG, Code.LINE_TOO_LONG, "a line has at most 65536 bytes")

    def client_sent_binary(self) -> None:
        """Take note of a message that is no text."""
        self.session.notice(Code.NOT_A_LINE, "a line is a text message, not a binary one")
        self.carry()
        self.flow.hold_back()

    def client_ended(self) -> None:
        """Take note that the client will say nothing more, but may still listen."""
        if not self.is_over:
            self.session.end()
            self.carry()

    def client_gone(self, client: Client) -> None:
        """Take note that a connection is lost: the session waits for another, or ends."""
        if self.client is not client:
            return  # It was taken over.
        self._lose_client()

    def be_asked(self, seconds: int) -> None:
        """Ask the client every so many seconds whether it is there; 0 is never."""
        if ear := self.delivery.ear:
            ear.be_asked(seconds, self._loop.time())

    def client_is_silent(self, seconds: int) -> None:
        """Take note that the client has not said that it is there: its connection is lost."""
        text = f"no answer to 'rookery alive' within {seconds} s"
        logger.info("session %d: %s", self.number, text, extra=about(**self.fields))
        notice = b"%b\n" % bytes(Notice(Code.NO_ANSWER, text))
        self.delivery.finish(notice, Close.IDLE, text)
        self._lose_client()

    def _lose_client(self) -> None:
        """Go on without a connection, if the client may come back; else end."""
        self.delivery.lose()
        self.flow.hear_engine_again()  # what it still says goes nowhere, or is kept
        if not (self.owed and not self.is_over and self._host.detached(self)):
            self._end()

    def client_paused(self) -> None:
        """Take note that the client does not read as fast as it is told."""
        self.flow.pause()

    def client_resumed(self) -> None:
        """Take note that the client reads again: it hears the newest."""
        self.flow.resume()

    # --- for those who keep sessions

    def take_over(self, ear: Ear, greeting: bytes, count: int) -> None:
        """Go on with another connection, whose client has heard so many owed lines."""
        self.timekeeper.shown_life(self._loop.time())
        self.delivery.change(ear)
        self.flow.begin()
        self.delivery.catch_up(greeting, count)
        self.carry()

    def close(self, close: Close, code: Code, text: str) -> None:
        """End the session; its client is told why, and searches have their best move so far."""
        if self.is_over:
            return
        session = self.session
        if session.state in RUNNING or session.needs is not NOTHING or session.unanswered:
            session.lose_engine(0)  # What it would still say nobody hears.
            session.do_without_engine()
        session.answer_void()
        session.notice(code, text)
        self._finish(close, text)
        self._end()

    def refuse(self, refusal: Refusal) -> None:
        """End a session that may not be."""
        close = Close.RESTART if refusal[0] is Code.DRAINING else Close.POLICY
        self.close(close, *refusal)

    def drain(self, *, stop: bool = True) -> None:
        """Let a search that is under way end, now or in its own time, then close."""
        self._draining = True
        # Who has lost its connection may come back for the bestmove of a search that may finish.
        self._waits = not stop and self.session.state is not IDLE
        if stop and self.session.state is not IDLE:  # Else its move passes for what was asked.
            self.session.notice(*SHUTTING_DOWN)
            self.session.stop()
        self.carry()

    def abandon(self) -> None:
        """Close now: a search has its best move so far."""
        self.close(Close.RESTART, *SHUTTING_DOWN)

    def dismiss(self, reason: str) -> None:
        """End the session of an account that may not go on."""
        if self.is_over:
            return  # Its engine may take a while to end.
        logger.info(
            "session %d of %s is dismissed: %s",
            self.number,
            self.account.name,
            reason,
            extra=about(**self.fields),
        )
        self.close(Close.POLICY, Code.UNAUTHORIZED, reason)

    def vanish(self) -> None:
        """End without a word: the connection belongs to another session now."""
        self.delivery.lose()
        self._end()

    def tick(self, now: float, *, deaf: bool = False) -> None:
        """See whether anything takes too long, unless we were `deaf`; called twice a second."""
        if deaf:
            self.timekeeper.paused(self.session.ready.answered, now)
            if (ear := self.delivery.ear) and ear.pulse:
                ear.pulse.is_heard = True  # Its answer may not have been read.
        elif not self.is_over:
            self._supervisor.look(now)

    def carry(self) -> None:
        """Give each side what it should hear, and see to what the session needs."""
        if self.is_over:
            return
        session, supply = self.session, self.supply
        if supply.queues:
            supply.see_to_waiting()
        if session.state is not self._state:
            self._changed()
        if session.needs is not NOTHING:
            self._provide()
            if self.is_over:  # It was refused what it needs.
                return
        if session.state is ENDED:
            self._hand_on()
        if (engine := supply.engine) and (piece := session.for_engine()):
            engine.tell(piece)
        if piece := self._for_client():
            self.delivery.put(piece)
        if session.state is ENDED:
            if not supply.end():
                self._finish(Close.DONE, "")
                self._end()
        elif self._draining and session.state is IDLE:
            if self.delivery.ear or not self._waits:
                self.abandon()
        elif not supply.engine:
            supply.give_back_slot()

    def tell_notice(self, code: Code, text: str) -> None:
        """Tell the client something in the server's own name."""
        self.session.notice(code, text)
        self.carry()

    # --- for those who know what others have found out

    def tell_known(self, lines: bytes) -> None:
        """Tell what is known of the position; a client that is behind needs no more lines."""
        if lines and self.delivery.mention(lines):
            notices = self.session.notices
            notices[Code.CACHED] = notices.get(Code.CACHED, 0) + 1

    # --- for the engine

    def engine_said(self, piece: bytes) -> None:
        """Take whole lines of the engine's output."""
        self.engine_talks = True
        if not self.session.passes(piece):
            self.session.engine_said(piece)
            self.carry()
        elif not self.is_over:
            self.delivery.put(self.gallery.share(piece) if self.gallery else piece)
        if (ear := self.delivery.ear) and ear.paused:
            self.flow.see_to_backlog()

    def engine_ended(self, reason: str) -> None:
        """Take note that the engine's process is gone: another takes its place."""
        engine = self.supply.lose()
        if self.is_over:
            self._host.ended(self)
        elif self.session.state is ENDED:
            self._finish(Close.DONE, "")
            self._end()
        elif not engine.asked_to_end:
            self.supply.replace(engine, reason)

    # --- within

    def _control(self, line: bytes) -> None:
        try:
            hello = Hello.parse(line)
        except ValueError as error:
            self.session.notice(Code.BAD_COMMAND, str(error))
            self.carry()
        else:
            if hello:
                self._host.control(self, hello)

    def _hear(self, line: bytes) -> None:
        now, pondered = self._loop.time(), self.session.limits.ponder
        self.timekeeper.heard(now)
        self.session.client_said(line)
        if pondered and not self.session.limits.ponder:
            self.timekeeper.ponderhit(now)
        self.carry()

    def _for_client(self) -> bytes:
        """Return what the client should hear now; others may hear it, too."""
        piece = self.session.for_client()
        return self.gallery.share(piece) if self.gallery and piece else piece

    def _provide(self) -> None:
        """Get an engine, or let the search begin that it was for."""
        self.supply.see_to_it()
        while self.supply.engine and self.session.needs is Need.SEARCH:
            self._begin()

    def _is_admitted(self) -> bool:
        """Say whether the session may be; if not, it ends."""
        if refusal := self._host.admit(self):
            self.refuse(refusal)
        return self.admitted

    def _begin(self) -> None:
        if refusal := self._host.objection_to_search(self):
            self.session.notice(*refusal)
            self.session.give_up()
        else:
            self.session.begin(self.timekeeper.began_search(self._loop.time()))
            if engine := self.supply.engine:
                self._host.search_began(self, engine)
        self._changed()

    def _changed(self) -> None:
        """See to what a new state of the session asks for."""
        before, self._state = self._state, self.session.state
        now = self._loop.time()
        self.timekeeper.changed(self._state, now)
        if before in RUNNING and self._state not in RUNNING:
            self._searched(now)
        if before is WAITING and self._state is IDLE and self.supply.slot is None:
            self.supply.withdraw()

    def _searched(self, now: float) -> None:
        """Count a search, whether it has ended by itself or with the session."""
        self.totals.searched(now - self.timekeeper.began)
        self._host.search_over(self, self.supply.engine)

    def _finish(self, close: Close, reason: str) -> None:
        """Tell the client the last lines, and close its connection."""
        self.delivery.finish(self._for_client(), close, reason)

    def _end(self) -> None:
        """End the session: what it had is given back."""
        if self.is_over:
            return
        self.is_over = True
        self.flow.end()
        self._host.over(self)
        self._hand_on()
        if self._state in RUNNING:
            self._searched(self._loop.time())
        if not self.supply.end():
            self._host.forget(self)
            self._host.ended(self)

    def _hand_on(self) -> None:
        """Let others have the engine, unless it searches, whatever the client was told."""
        if self._state not in RUNNING:
            self.supply.hand_on()
