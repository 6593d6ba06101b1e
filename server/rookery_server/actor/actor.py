"""The actor of one session: its client, and what carries out what the session decides.

What is to be done the pure `Session` decides; the actor tells it what happens, and carries out
what it needs and what each side should be told.  All is done in callbacks: a piece of the
engine's output, whole lines in one `bytes`, comes in and leaves in one write before anything else
runs.  (A coroutine for each direction and line would be many times slower, and lets one flooding
engine starve the others.)

A session outlives its engine, and its connection too if its client has asked for that: then the
search goes on, and what the client is owed is kept until it is back.
"""

from collections.abc import Sequence
from typing import Protocol

from rookery_protocol.errors import SHUTTING_DOWN, Refusal
from rookery_protocol.hello import Hello
from rookery_protocol.notices import Close, Code, Notice
from rookery_server.access.account import Account
from rookery_server.actor.backpressure import MAX_AHEAD, MAX_UNREAD, MAX_WAITING
from rookery_server.actor.cache_recorder import CacheRecorder
from rookery_server.actor.engine_holder import Awaited, EngineHolder, EngineSource
from rookery_server.engines.pool import Pool
from rookery_server.scheduling.quota import Usage
from rookery_server.session.client_channel import Client, ClientChannel
from rookery_server.session.commands import ENDED, IDLE, NOTHING, RUNNING, SEARCHING, WAITING, Need
from rookery_server.session.session import Session
from rookery_server.session.totals import ServerTotals


class ActorHost(EngineSource, Protocol):
    """The manager of all sessions, as far as an actor needs it."""

    recorder: CacheRecorder | None  # if analyses are kept
    totals: ServerTotals

    def admit(self, actor: "SessionActor") -> Refusal | None:
        """Count a session whose client begins to speak UCI; return why it may not be."""

    def control(self, actor: "SessionActor", hello: Hello) -> None:
        """Do what a client asks of the server itself."""

    def detached(self, actor: "SessionActor") -> bool:
        """Return whether a session is kept, though its connection is lost."""

    def over(self, actor: "SessionActor") -> None:
        """Forget a session that is over, but for its engine."""

    def ended(self, actor: "SessionActor") -> None:
        """Forget a session that is over, and whose engine is gone."""


class Gallery(Protocol):
    """The spectators of a session, one of which may have been handed control of it."""

    def split(self, piece: bytes) -> bytes:
        """Process what the session says; return what of it is for its own client."""

    def reply_to_owner(self, line: bytes) -> bytes | None:
        """Answer the client in the session's stead while a spectator has control, else None."""


class SessionActor(EngineHolder):
    """One session, with the client and the engine that it has at the moment."""

    def __init__(
        self,
        session: Session,
        client: Client,
        host: ActorHost,
        pool: Pool,
        account: Account,
        usage: Usage,
    ) -> None:
        super().__init__(session, client, host, pool, account, usage)
        self._host = host
        self.objection: Refusal | None = None  # why it may do nothing but come back to another
        self.gallery: Gallery | None = None  # if others may watch
        self._limits_lines = usage.quota.lines_per_second is not None
        self._state = session.state
        self._draining = False
        self._waits_for_client = False  # though it drains
        self._begins_search = False  # of which the cache knows nothing yet

    @property
    def may_return(self) -> bool:
        """True if the client may come back over another connection."""
        return self.flow.replay is not None

    def do_work(self) -> None:
        """Serve the server's own work: behind all clients, and by no bounds on what they say.

        Its positions are as engines must hear them.
        """
        self.admitted = self.is_batch = True
        self.hears_known = self._limits_lines = False
        self.session.validator.believes_positions = True

    def work_said(self, piece: bytes) -> None:
        """Process lines of the server's own work, which the engine hears in one write."""
        if self.is_over:
            return
        lines = piece.splitlines()
        self.totals.lines_heard += len(lines)
        self.deadlines.heard_at = self._loop.time()
        for line in lines:
            self.session.client_said(line)
        self.carry_out()

    # --- for the connection

    def client_said(self, line: bytes) -> None:
        """Process a line of the client's."""
        if self.is_over or not line:
            return
        channel = self.flow.channel
        if channel:
            channel.is_heard = True
        if line.startswith(b"rookery "):
            self.deadlines.shown_at = self._loop.time()
            self._control(line)
        elif not self.admitted and (refusal := self._host.admit(self)):
            self.refuse(refusal)
        else:
            self.totals.lines_heard += 1
            answer = self.gallery.reply_to_owner(line) if self.gallery else None
            if answer is None:
                self._process_line(line)
            else:
                self.send_to_client(answer)
        if channel := self.flow.channel:
            engine = self.flow.engine
            is_ahead = engine is not None and engine.unsent > MAX_AHEAD
            if is_ahead or self._limits_lines or channel.outbox.size > MAX_WAITING:
                self._limit_client()

    def client_said_together(self, lines: Sequence[bytes]) -> None:
        """Process lines of a client in this process, which the engine hears in one piece."""
        if self.is_over:
            return
        if not self.admitted and (refusal := self._host.admit(self)):
            self.refuse(refusal)
        else:
            now = self._loop.time()
            self.deadlines.heard_at = now
            for line in lines:
                self.totals.lines_heard += 1
                self.session.client_said(line)
            self.carry_out()

    def speaker_said(self, line: bytes, client: Client) -> None:
        """Process a line of a spectator that has control."""
        if not self.is_over:
            self._process_line(line)
            self._keep_pace(client)

    def client_overlong(self) -> None:
        """Refuse a line that is longer than any may be."""
        self.close(Close.TOO_BIG, Code.LINE_TOO_LONG, "a line has at most 65536 bytes")

    def client_sent_binary(self) -> None:
        """Refuse a message that is no text."""
        self.send_notice(Code.NOT_A_LINE, "a line is a text message, not a binary one")
        self._limit_client()

    def client_ended(self) -> None:
        """Answer what was asked: the client says nothing more, but may still listen."""
        if not self.is_over:
            self.session.end()
            self.carry_out()

    def client_gone(self, client: Client) -> None:
        """Go on without a connection, which is lost, if the client may come back; else end."""
        if self.client is client:  # Else it was taken over.
            self._lose_client()

    def client_paused(self) -> None:
        """Send less: the client reads more slowly than lines are sent."""
        self.flow.pause()

    def client_resumed(self) -> None:
        """Send the newest: the client reads again."""
        self.flow.resume()

    def ask_liveness(self, seconds: int) -> None:
        """Ask the client every so many seconds whether it is there; 0 is never."""
        if channel := self.flow.channel:
            channel.ask_every(seconds, self._loop.time())

    def _lose_client(self) -> None:
        self.flow.channel = None  # What the engine still says goes nowhere, or is kept.
        self.flow.resume_engine()
        if not (self.flow.replay and not self.is_over and self._host.detached(self)):
            self._end()

    # --- what the client is told

    def send_to_client(self, piece: bytes) -> None:
        """Send what the session says: it is owed to a client that may come back."""
        flow = self.flow
        self.totals.lines_told += piece.count(b"\n")
        if flow.replay:
            flow.replay.append(piece)
        if channel := flow.channel:
            if channel.paused:
                channel.outbox.append(piece)
            else:
                channel.client.send_lines(piece)

    def change_channel(self, channel: ClientChannel, greeting: bytes, count: int) -> None:
        """Go on with another connection, whose client has heard so many owed lines."""
        self.deadlines.shown_at = self._loop.time()
        self.flow.change_channel(channel, greeting, count)
        self.carry_out()

    # --- for the manager

    def close(self, close: Close, code: Code, text: str) -> None:
        """End the session; its client is told why, and searches have their best move so far."""
        if self.is_over:
            return
        session = self.session
        if session.state in RUNNING or session.needs is not NOTHING or session.unanswered:
            session.lose_engine(0)  # What it would still say is not heard.
            session.without_engine(for_good=True)
        session.answer_refused_go()
        session.notice(code, text)
        self._finish(close, text)

    def refuse(self, refusal: Refusal) -> None:
        """End a session that may not be."""
        close = Close.RESTART if refusal[0] is Code.DRAINING else Close.POLICY
        self.close(close, *refusal)

    def drain(self, *, stop: bool = True) -> None:
        """Let a search that is under way end, now or in its own time, then close."""
        self._draining = True
        # A client that has lost its connection may come back for the bestmove.
        self._waits_for_client = not stop and self.session.state is not IDLE
        if stop and self.session.state is not IDLE:  # Else its move passes for what was asked.
            self.session.notice(*SHUTTING_DOWN)
            self.session.stop()
        self.carry_out()

    def dismiss(self, reason: str) -> None:
        """End the session of an account that may not go on."""
        if self.is_over:
            return  # Its engine may take a while to end.
        text = "session %d of %s is dismissed: %s"
        self.log.info(text, self.number, self.account.name, reason)
        self.close(Close.POLICY, Code.UNAUTHORIZED, reason)

    def vanish(self) -> None:
        """End without a word: the connection belongs to another session now."""
        self.flow.channel = None
        self._end()

    def tick(self, now: float, *, deaf: bool = False) -> None:
        """Check whether anything takes too long, unless the server was `deaf`: twice a second."""
        if deaf:
            self.deadlines.pause(self.session.ready.answered, now)
            if channel := self.flow.channel:
                channel.is_heard = True  # Its answer may not have been read.
        elif not self.is_over:
            if engine := self.flow.engine:
                self._check_engine(engine, now)
            if channel := self.flow.channel:
                self._check_client(channel, now)
            if not self.is_over:
                self._check_quota(now)

    # --- carrying out

    def carry_out(self) -> None:
        """Carry out what the session has decided, until it needs nothing that can be had now."""
        if self.is_over:
            return
        session, flow = self.session, self.flow
        if self._queues:
            self._answer_meanwhile()
        begins = self._state is IDLE and session.state is WAITING and flow.engine is not None
        if session.state is not self._state and not begins:
            self._follow_state()
        if (need := session.needs) is not NOTHING:
            self._meet_needs(need)
            if self.is_over:  # It was refused what it needs.
                return
        if session.state is ENDED:
            self._hand_on_engine()
        to_engine, to_client = session.for_engine(), session.for_client()
        if to_engine and flow.engine:
            flow.engine.send_lines(to_engine)
        if self._begins_search:
            self._ask_cache()
        if to_client:
            self.send_to_client(self.gallery.split(to_client) if self.gallery else to_client)
        if session.state is ENDED:
            if not self._end_engine():
                self._finish(Close.DONE, "")
        elif self._draining and session.state is IDLE:
            if flow.channel or not self._waits_for_client:
                self.refuse(SHUTTING_DOWN)
        elif flow.engine is None and self._awaits is Awaited.NOTHING:
            self._host.scheduler.release(self, self._loop.time())

    def _meet_needs(self, need: Need) -> None:
        """Meet one need after the other, as far as that can be done now."""
        session = self.session
        while need is not NOTHING and not self.is_over:
            if need is Need.SIZE:
                session.resize(self._resize_slot())
            elif self.flow.engine:
                self._begin_search()
            elif self._awaits is Awaited.NOTHING:
                self._request_slot()
            else:
                return
            if session.state is not self._state:
                self._follow_state()
            need = session.needs

    def _begin_search(self) -> None:
        now = self._loop.time()
        if self.usage.quota.cpu_seconds and (refusal := self.usage.objection_to_search(now)):
            self.session.notice(*refusal)
            self.session.give_up_search()
            return
        waited = self.deadlines.search_began(now, at_once=self._state is IDLE)
        self.session.begin_search(waited)
        self._begins_search = True
        if self.session.state is SEARCHING:
            self._state = SEARCHING

    def _ask_cache(self) -> None:
        """Ask for what is known of the search that has begun: its engine is at work meanwhile."""
        self._begins_search = False
        # What machines of others have found is not told to anybody as if it were known.
        if (recorder := self._host.recorder) and self.flow.engine and self.flow.engine.words:
            recorder.search_began(self, self.flow.engine)

    def _follow_state(self) -> None:
        """Do what a new state of the session asks for."""
        before, self._state = self._state, self.session.state
        now = self._loop.time()
        self.deadlines.state_changed(self._state, now)
        if before in RUNNING and self._state not in RUNNING:
            self._search_ended(now)
        if before is WAITING and self._state is IDLE and self._awaits is Awaited.SLOT:
            self._withdraw()

    def _search_ended(self, now: float) -> None:
        """Count a search, whether it has ended by itself or with the session."""
        seconds = now - self.deadlines.began
        self._host.totals.search_ended(self.totals, seconds)
        if self.query and self._host.recorder:
            self._host.recorder.search_ended(self, seconds)
        # Without such a quota it is soon enough at the end.
        if self.usage.quota.cpu_seconds is not None and self.flow.engine:
            self._charge(self.flow.engine)

    def _process_line(self, line: bytes) -> None:
        now, pondered = self._loop.time(), self.session.go.limits.ponder
        self.deadlines.heard_at = now
        self.session.client_said(line)
        if pondered and not self.session.go.limits.ponder:
            self.deadlines.ponderhit(now)
        self.carry_out()

    def _control(self, line: bytes) -> None:
        try:
            hello = Hello.parse(line)
        except ValueError as error:
            self.send_notice(Code.BAD_COMMAND, str(error))
        else:
            if hello:
                self._host.control(self, hello)

    def _limit_client(self) -> None:
        """Read nothing more for now of a client that says too much, or leaves answers unread."""
        if channel := self.flow.channel:
            self._keep_pace(channel.client)
            if self.flow.wait_for_reader():
                text = f"more than {MAX_UNREAD >> 20} MiB of answers wait, and none is read"
                self.close(Close.POLICY, Code.TOO_SLOW, text)

    def _keep_pace(self, client: Client) -> None:
        """Read nothing for a while of a client that is too fast for its quota, or its engine."""
        if not self.is_over and self.flow.keep_pace(client):
            text = "lines come too fast: they are taken more slowly"
            self.send_notice(Code.QUOTA_LINES, text)

    # --- for the engine

    def engine_said(self, piece: bytes) -> None:
        """Process whole lines of the engine's output."""
        self._engine_talks = True
        if not self.session.passes(piece):
            self.session.engine_said(piece)
            self.carry_out()
        elif not self.is_over:
            self.send_to_client(self.gallery.split(piece) if self.gallery else piece)
        if (channel := self.flow.channel) and channel.paused:
            self.flow.limit_backlog()

    def engine_ended(self, reason: str) -> None:
        """Go on without the engine, whose process is gone: another takes its place."""
        engine, self.flow.engine = self.flow.engine, None
        assert engine
        if self.is_over:
            self._host.ended(self)
        elif self.session.state is ENDED:
            self._finish(Close.DONE, "")
        elif not engine.asked_to_end:
            self._replace_engine(engine, reason)
            if self._awaits is Awaited.NOTHING:  # None is needed now, and so none will come.
                self.flow.release_clients()

    # --- what takes too long

    def _check_client(self, channel: ClientChannel, now: float) -> None:
        """Give up a connection whose client does not answer, and the engine of one that may not."""
        if not channel.check_liveness(now):
            text = f"no answer to 'rookery alive' within {channel.asks_every} s"
            self.log.info("session %d: %s", self.number, text)
            notice = b"%b\n" % bytes(Notice(Code.NO_ANSWER, text))
            self.flow.close_channel(notice, Close.IDLE, text)
            self._lose_client()
        elif (
            self.flow.engine
            and self.session.can_park
            and self.deadlines.is_forsaken(self.usage.quota, now)
            and not channel.client.shows_life
        ):
            self._free_engine()

    # --- the end

    def _finish(self, close: Close, reason: str) -> None:
        """Tell the client the last lines, and end."""
        piece = self.session.for_client()
        if self.gallery and piece:
            piece = self.gallery.split(piece)
        self.flow.close_channel(piece, close, reason)
        self._end()

    def _end(self) -> None:
        """End the session: what it had is given back."""
        if self.is_over:
            return
        self.is_over = True
        self.flow.close()
        self._host.over(self)
        self._hand_on_engine()
        if self._state in RUNNING:
            self._search_ended(self._loop.time())
        if not self._end_engine():
            self.pool.cancel_request(self)
            self._host.ended(self)
