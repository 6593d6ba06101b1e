"""The broadcaster of one session, and its spectators, which hear what its client hears.

All of them are sent the same, some times in a second: what has come since then, of which the
newest is enough (see line_buffers.py).  So the cost does not grow with what the engine says.
They are sent it in groups, and between these the event loop serves all others.  The spectator in
control hears at once, as a session's own client does.  One that is far behind is sent nothing for
a while, and then, instead of what it has missed, the state of the session.
"""

import asyncio

import rookery_uci as uci
from rookery_protocol.hello import OWNER, Hello, RoomLine, RoomWord
from rookery_protocol.notices import Close, Code, Notice
from rookery_server.access.account import VISITOR, Account
from rookery_server.actor.actor import SessionActor
from rookery_server.rooms.room import Room
from rookery_server.rooms.sharing import SHARING, Sharing
from rookery_server.session.client_channel import Client, ClientChannel, Hold
from rookery_server.session.line_buffers import Outbox
from rookery_server.token_bucket import TokenBucket

BEAT = 0.05  # s from one round to the next; people read no faster than that
GROUP = 16  # that are sent to before others are served; that takes 0.1 ms
MAX_BEHIND = 1 << 17  # bytes that wait for one that reads slowly
_LINES_PER_SECOND = 20.0  # that one without control may say in the long run
_LINE = 4096  # bytes that count as one line
_LINES_BURST = 500  # at once: a GUI starts with 30 and more of `setoption`
STALLED = 60.0  # s after which a spectator that does not read has to make room


class Broadcaster:
    """The spectators of one session."""

    def __init__(self, actor: SessionActor) -> None:
        self.actor = actor
        self.room: Room[Spectator] = Room()
        if isinstance(actor.gallery, Broadcaster):  # The owner has closed it.
            self.room.succeed(actor.gallery.room)
        self.room.snapshot.record(actor.session.start_sharing())
        self.owner = Owner(actor)
        self.sharing = Sharing(
            actor.account, self.room.watchers, lambda: self.room.control or OWNER
        )
        self.greeting = actor.session.validator.offer.greeting
        self._loop = asyncio.get_running_loop()
        self._next = 0.0  # when the next beat may be, by the loop's clock
        self._beat: asyncio.Handle | None = None
        self._pending = Outbox()  # for the next beat
        self._counted = 0  # how many watched when that was last said
        self._late: set[Spectator] = set()  # have to hear first where things stand
        self._untold: list[tuple[Spectator, bytes]] = []  # and what each has yet to be sent
        self._is_closed = False

    # --- for the session

    def split(self, piece: bytes) -> bytes:
        """Process what the session says; return what of it is for its owner."""
        shares = self.room.split(piece)
        if shares.watchers and not self._is_closed:
            self._pending.append(shares.watchers)
            self._schedule_beat()
        if (speaker := self._speaker) and shares.control:
            speaker.send_lines(shares.control)
        for id_ in shares.ready:
            if asker := self.room.watchers.get(id_):
                asker.send_lines(b"readyok\n")
        return shares.owner

    def reply_to_owner(self, line: bytes) -> bytes | None:
        """Answer a line of the owner's while a spectator has control; None if the owner has it."""
        if self.room.control is None:
            return None
        command = command_of(line)
        if command in (uci.Word.QUIT, uci.Word.UCI):
            return None
        if command is uci.Word.ISREADY:
            return b"readyok\n"
        notice = Notice(
            Code.ROOM_HANDED_OVER,
            f"{self.room.control} has control: 'rookery room take' takes it back",
        )
        return b"%b\n" % bytes(notice)

    # --- for the owner

    def tell_owner(self, word: RoomWord, about: str = "") -> None:
        """Tell the owner something of the room."""
        self.actor.flow.send_aside(bytes(RoomLine(word, about)))

    def tell_list(self) -> None:
        """Tell the owner which spectators there are."""
        for id_, spectator in self.room.watchers.items():
            self.tell_owner(RoomWord.WATCHER, f"{id_} {spectator.account.name}")
        self.actor.flow.send_aside(self.room.count())

    def tell_status(self) -> None:
        """Tell an owner that has just opened it, or has come back, how things stand."""
        self.tell_owner(RoomWord.OPEN, self.room.name)
        self.actor.flow.send_aside(self.room.status())

    def offer_control(self, id_: str) -> None:
        """Offer control to a spectator."""
        refusal = self.room.offer_control(id_)
        if refusal is None and self.room.watchers[id_].account == VISITOR:
            self.room.decline_control(id_)
            refusal = Code.ROOM_REFUSED, f"{id_} has shown no token, and so may only watch"
        if refusal:
            self.actor.send_notice(*refusal)
            return
        self.room.watchers[id_].send_lines(bytes(RoomLine(RoomWord.OFFER, id_)))
        self.tell_owner(RoomWord.OFFER, id_)

    def reclaim_control(self) -> None:
        """Give control back to the owner, which asks for it."""
        self._begin_round()
        if self.room.reclaim_control(self._unanswered):
            self._tell_control()
        else:
            self.tell_owner(RoomWord.CONTROL, OWNER)

    # --- for spectators

    def add_spectator(self, spectator: "Spectator") -> None:
        """Add a spectator."""
        spectator.id = self.room.add_watcher(spectator)
        text = "session %d: %s watches as %s"
        self.actor.log.info(text, self.actor.number, spectator.account.name, spectator.id)
        spectator.send_lines(bytes(RoomLine(RoomWord.WATCH, spectator.id)))
        self.catch_up(spectator)

    def remove_spectator(self, spectator: "Spectator") -> None:
        """Remove a spectator."""
        if spectator.id in self.room.watchers:
            text = "session %d: %s watches no more"
            self.actor.log.info(text, self.actor.number, spectator.id)
            self._late.discard(spectator)
            self.sharing.remove_follower(spectator.id)
            if self.room.remove_watcher(spectator.id, self._unanswered):
                self._tell_control()
            self._schedule_beat()

    def catch_up(self, spectator: "Spectator") -> None:
        """Send the state of the session to a spectator that has just come, or had fallen behind."""
        self._late.add(spectator)
        self.sharing.retell(spectator.id)
        self._schedule_beat()

    def return_control(self, spectator: "Spectator") -> None:
        """Give control back to the owner if this spectator has it."""
        if not self.has_control(spectator):
            return
        self._begin_round()
        if self.room.return_control(spectator.id, self._unanswered):
            self._tell_control()

    def has_control(self, spectator: "Spectator") -> bool:
        """Return whether a spectator may speak with the engine."""
        return spectator is self._speaker

    def execute(self, spectator: "Spectator", line: bytes) -> None:
        """Execute a command of a spectator for the server itself."""
        try:
            hello = Hello.parse(line)
        except uci.UciError as error:
            spectator.notice(Code.BAD_COMMAND, str(error))
            return
        if hello and hello.alive is not None:
            spectator.ask_liveness(hello.alive)
            if hello.room is None:
                return
        match hello.room.word if hello and hello.room else None:
            case RoomWord.ACCEPT:
                self._accept(spectator)
            case RoomWord.DECLINE if self.room.decline_control(spectator.id):
                self.tell_owner(RoomWord.DECLINE, spectator.id)
            case RoomWord.RETURN if self.has_control(spectator):
                self.return_control(spectator)
            case RoomWord.LIST:
                spectator.send_lines(self.room.status())
            case _ if hello and hello.room and hello.room.word in SHARING:
                self.sharing.execute(spectator, hello.room)
            case _:
                spectator.notice(
                    Code.ROOM_REFUSED,
                    "who watches may say 'rookery room accept' or 'decline' when control is"
                    " offered, 'return' when it is there, 'list', 'follow', and 'quit'",
                )

    # --- for the directory

    def check(self, now: float) -> None:
        """End spectators that have not read for too long, or are not there."""
        for each in list(self.room.watchers.values()):
            if each.paused_at is not None and now - each.paused_at > STALLED:
                text = f"nothing was read for {STALLED:.0f} s"
                each.finish(Close.ROOM, Code.ROOM_TOO_SLOW, text)
            else:
                each.check(now)

    def close(self, close: Close, code: Code, text: str) -> None:
        """End all spectators."""
        self._begin_round()
        self._finish_round()
        if self._beat:
            self._beat.cancel()
        self._is_closed = True
        self.sharing.close()
        for each in list(self.room.watchers.values()):
            each.finish(close, code, text)

    # --- within

    @property
    def _speaker(self) -> "Spectator | None":
        """The spectator that has control, if the owner has not."""
        return self.room.watchers.get(self.room.control or "")

    @property
    def _unanswered(self) -> int:
        return self.actor.session.unanswered

    def _accept(self, spectator: "Spectator") -> None:
        self._begin_round()
        self._finish_round()  # From now on it hears at once, and so before the others.
        if self.room.accept_control(spectator.id, self._unanswered):
            self._tell_control()
        else:
            spectator.notice(Code.ROOM_REFUSED, "control is not offered to you, or not any more")

    def _tell_control(self) -> None:
        """Tell all which party has control now."""
        who = self.room.control or OWNER
        self.actor.log.info("session %d: %s has control", self.actor.number, who)
        self._tell_all(bytes(RoomLine(RoomWord.CONTROL, who)))
        self.sharing.control_passed()
        self._schedule_beat()

    def _schedule_beat(self) -> None:
        if self._beat is None and not self._is_closed:
            self._beat = self._loop.call_at(self._next, self._on_beat)

    def _on_beat(self) -> None:
        self._beat = None
        if len(self.room.watchers) != self._counted:
            self._counted = len(self.room.watchers)
            self._tell_all(self.room.count())
        self._begin_round()

    def _tell_all(self, line: bytes) -> None:
        """Send a line of the room's own to all."""
        self.actor.flow.send_aside(line)
        if speaker := self._speaker:
            speaker.send_lines(line)
        self._pending.append(line)

    def _begin_round(self) -> None:
        """Begin to send all what has come since the last round."""
        self._finish_round()
        piece, speaker = self._pending.take_newest(), self._speaker
        if not piece and not self._late:
            return
        self.room.snapshot.record(piece)
        at_ease = (each for each in self.room.watchers.values() if each not in self._late)
        self._untold = [(each, piece) for each in at_ease if piece and each is not speaker]
        if self._late:
            engine = self.greeting.removesuffix(b"uciok\n")
            stand = engine + self.room.snapshot.text() + self.room.status()
            self._untold += [(each, stand) for each in self._late]
            self._late.clear()
        self._next = self._loop.time() + BEAT
        self._loop.call_soon(self._continue_round)

    def _continue_round(self) -> None:
        self._tell_group()
        if self._untold:
            self._loop.call_soon(self._continue_round)

    def _finish_round(self) -> None:
        while self._untold:
            self._tell_group()

    def _tell_group(self) -> None:
        group, self._untold = self._untold[:GROUP], self._untold[GROUP:]
        for each, piece in group:
            each.send_lines(piece)


class Owner:
    """The owner of a session, as one of its room."""

    id = OWNER

    def __init__(self, actor: SessionActor) -> None:
        self.account = actor.account
        self._actor = actor

    @property
    def is_reading(self) -> bool:
        """True if it is there, and reads what is sent."""
        channel = self._actor.flow.channel
        return channel is not None and not channel.paused

    def send_lines(self, piece: bytes) -> None:
        """Send lines that are none of the session's."""
        self._actor.flow.send_aside(piece)

    def notice(self, code: Code, text: str) -> None:
        """Tell it something in the server's own name."""
        self._actor.send_notice(code, text)

    def finish(self, close: Close, code: Code, text: str) -> None:
        """Close the session."""
        self._actor.close(close, code, text)


class Spectator:
    """The line handler of a connection that watches."""

    may_return = False  # nothing is kept: a spectator that comes back hears where things stand

    def __init__(self, channel: ClientChannel, account: Account, room: "Broadcaster") -> None:
        self.client = channel.client
        self.account = account
        self.id = ""
        self._broadcaster = room
        self._loop = asyncio.get_running_loop()
        self.began = self._loop.time()
        # Since when it does not read.
        self.paused_at: float | None = self.began if channel.paused else None
        self._channel = channel
        self._is_behind = False
        self._is_over = False
        self._lines = TokenBucket(_LINES_PER_SECOND, _LINES_BURST, self.began)
        self._slow: asyncio.TimerHandle | None = None  # until it is read again

    # --- for the room

    @property
    def is_reading(self) -> bool:
        """True if it reads what is sent."""
        return not (self._channel.paused or self._is_behind or self._is_over)

    def send_lines(self, piece: bytes) -> None:
        """Send lines, if they are read at all."""
        if self._is_behind or self._is_over:
            return
        self._channel.send_lines(piece)
        if self._channel.outbox.size > MAX_BEHIND:
            self._is_behind = True
            self._channel.outbox.clear()
            self._broadcaster.return_control(self)

    def notice(self, code: Code, text: str) -> None:
        """Tell it something in the server's own name."""
        self.send_lines(b"%b\n" % bytes(Notice(code, text)))

    def finish(self, close: Close, code: Code, text: str) -> None:
        """Return why it watches no more, and close its connection."""
        if self._is_over:
            return
        self._is_behind = False
        self.notice(code, text)
        self._end(close, text)

    # --- for the connection

    def client_said(self, line: bytes) -> None:
        """Process a line of the client's."""
        if self._is_over or not line:
            return
        self._channel.is_heard = True
        self._slow_down(line)
        if line.startswith(b"rookery "):
            self._broadcaster.execute(self, line)
            return
        command = command_of(line)
        if command is uci.Word.QUIT:
            self._end(Close.DONE, "")
        elif command is uci.Word.UCI:
            self.send_lines(self._broadcaster.greeting)
        elif self._broadcaster.has_control(self):
            self._broadcaster.actor.speaker_said(line, self.client)
        elif command is uci.Word.ISREADY:
            self.send_lines(b"readyok\n")
        elif line.strip():
            self.notice(
                Code.ROOM_READ_ONLY,
                "you watch, and say nothing to the engine; who has control may hand it to you",
            )

    def client_overlong(self) -> None:
        """Refuse a line that is longer than any may be."""
        self.finish(Close.TOO_BIG, Code.LINE_TOO_LONG, "a line has at most 65536 bytes")

    def client_sent_binary(self) -> None:
        """Refuse a message that is no text."""
        self.notice(Code.NOT_A_LINE, "a line is a text message, not a binary one")

    def client_ended(self) -> None:
        """Stop watching: the client says nothing more, and may be gone for good."""
        if not self._is_over:
            self._end(Close.DONE, "")

    def client_gone(self, client: Client) -> None:
        """Stop watching: the connection is lost."""
        self._is_over = True
        self._release()
        self._broadcaster.remove_spectator(self)

    def client_paused(self) -> None:
        """Send less: the client reads more slowly than lines are sent."""
        self._channel.paused = True
        self.paused_at = self._loop.time()

    def client_resumed(self) -> None:
        """Send the newest: the client reads again."""
        self.paused_at = None
        self._channel.resume()
        if self._is_behind and not self._is_over:
            self._is_behind = False
            self._broadcaster.catch_up(self)

    # --- for the room, now and again

    def ask_liveness(self, seconds: int) -> None:
        """Ask it every so many seconds whether it is there; 0 is never."""
        self._channel.ask_every(seconds, self._loop.time())

    def check(self, now: float) -> None:
        """End it if it has not said that it is there, as it wanted to be asked."""
        if not self._channel.check_liveness(now):
            self.finish(Close.IDLE, Code.NO_ANSWER, "no answer to 'rookery alive'")

    # --- within

    def _end(self, close: Close, text: str) -> None:
        self._is_over = True
        self._channel.finish(close, text)
        self._release()  # Else the end of a WebSocket would wait, too.
        self._broadcaster.remove_spectator(self)

    def _slow_down(self, line: bytes) -> None:
        """Read nothing for a while, if lines come faster than they may; a long one is several."""
        if wait := self._lines.spend(self._loop.time(), 1 + len(line) // _LINE):
            self.client.hold_input(Hold.WATCHING)
            if self._slow:  # Of several waits the last is the longest.
                self._slow.cancel()
            self._slow = self._loop.call_later(wait, self._release)

    def _release(self) -> None:
        """Read again from a client that was too fast."""
        if self._slow:
            self._slow.cancel()
            self._slow = None
            self.client.release_input(Hold.WATCHING)


def command_of(line: bytes) -> uci.Command | None:
    """Return the command of a line as a session reads it; None if it cannot be read."""
    try:
        return uci.parse_command(line.decode())
    except (UnicodeDecodeError, uci.UciError):
        return None
