"""Tells those who watch a session what its client hears, at a cost that it does not notice.

All of them are told the same, some times in a second: what has come since then, of which
the newest is enough (see outbox.py).  So what it costs does not grow with what the engine
says; they are told in groups, and between these everybody else is heard.  Who has
control is told at once, as a session's own client is.
"""

import asyncio
import logging

import rookery_uci as uci
from rookery_protocol.errors import Refusal
from rookery_protocol.hello import OWNER, Hello, RoomLine, RoomWord
from rookery_protocol.notices import Close, Code, Notice
from rookery_server.access.account import VISITOR
from rookery_server.log import about
from rookery_server.rooms.room import Room
from rookery_server.rooms.spectator import Spectator, command_of
from rookery_server.session.actor import SessionActor
from rookery_server.session.line_buffers import Outbox

logger = logging.getLogger(__name__)

BEAT = 0.05  # s from one telling to the next; nobody reads faster than that
GROUP = 16  # that are told before anybody else is heard; that takes 0.1 ms
STALLED = 60.0  # s after which one who does not read has to make room


class Audience:
    """Those who watch one session."""

    def __init__(self, relay: SessionActor) -> None:
        self.relay = relay
        self.room: Room[Spectator] = Room()
        if isinstance(relay.gallery, Audience):  # The owner has closed it.
            self.room.succeed(relay.gallery.room)
        self.room.snapshot.take(relay.session.start_sharing())
        self.greeting = relay.session.validator.offer.greeting
        self._loop = asyncio.get_running_loop()
        self._next = 0.0  # when the next beat may be, by the loop's clock
        self._beat: asyncio.Handle | None = None
        self._pending = Outbox()  # for the next beat
        self._counted = 0  # how many watched when that was last said
        self._late: set[Spectator] = set()  # who has to hear first where things stand
        self._untold: list[tuple[Spectator, bytes]] = []  # who has yet to be told what
        self._is_closed = False

    # --- for the session

    def split(self, piece: bytes) -> bytes:
        """Process what the session says; return what of it is for its owner."""
        shares = self.room.split(piece)
        if shares.watchers and not self._is_closed:
            self._pending.append(shares.watchers)
            self._see_to_beat()
        if (speaker := self._speaker) and shares.control:
            speaker.tell(shares.control)
        for id_ in shares.ready:
            if asker := self.room.watchers.get(id_):
                asker.tell(b"readyok\n")
        return shares.owner

    def reply_to_owner(self, line: bytes) -> bytes | None:
        """Answer a line of the owner's while another has control; None: it has control."""
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
        self.relay.send_aside(bytes(RoomLine(word, about)))

    def tell_list(self) -> None:
        """Tell the owner who watches."""
        for id_, spectator in self.room.watchers.items():
            self.tell_owner(RoomWord.WATCHER, f"{id_} {spectator.account.name}")
        self.relay.send_aside(self.room.count())

    def tell_status(self) -> None:
        """Tell an owner that has just opened it, or has come back, how things stand."""
        self.tell_owner(RoomWord.OPEN, self.room.name)
        self.relay.send_aside(self.room.status())

    def hand(self, id_: str) -> None:
        """Offer control to one who watches."""
        refusal = self.room.hand(id_)
        if refusal is None and self.room.watchers[id_].account == VISITOR:
            self.room.decline(id_)
            refusal = Code.ROOM_REFUSED, f"{id_} has shown no token, and so may only watch"
        if refusal:
            self.relay.send_notice(*refusal)
            return
        self.room.watchers[id_].tell(bytes(RoomLine(RoomWord.OFFER, id_)))
        self.tell_owner(RoomWord.OFFER, id_)

    def take(self) -> None:
        """Give control back to the owner, who wants it."""
        self._begin_round()
        if self.room.take(self._unanswered):
            self._tell_control()
        else:
            self.tell_owner(RoomWord.CONTROL, OWNER)

    # --- for who watches

    def objection(self) -> Refusal | None:
        """Say why nobody else may watch."""
        most = self.relay.usage.quota.spectators
        if len(self.room.watchers) < most:
            return None
        return Code.ROOM_FULL, f"{most} watch already, and no more may: try again later"

    def join(self, spectator: Spectator) -> None:
        """Let somebody watch."""
        spectator.id = self.room.join(spectator)
        who = spectator.account.name
        text, fields = "session %d: %s watches as %s", about(**self.relay.fields)
        logger.info(text, self.relay.number, who, spectator.id, extra=fields)
        spectator.tell(bytes(RoomLine(RoomWord.WATCH, spectator.id)))
        self.catch_up(spectator)

    def leave(self, spectator: Spectator) -> None:
        """Take note that one watches no more."""
        if spectator.id in self.room.watchers:
            text, fields = "session %d: %s watches no more", about(**self.relay.fields)
            logger.info(text, self.relay.number, spectator.id, extra=fields)
            self._late.discard(spectator)
            if self.room.leave(spectator.id, self._unanswered):
                self._tell_control()
            self._see_to_beat()

    def catch_up(self, spectator: Spectator) -> None:
        """Let one who has just come, or had fallen behind, hear where things stand."""
        self._late.add(spectator)
        self._see_to_beat()

    def fall_behind(self, spectator: Spectator) -> None:
        """Take note that one hears no more what is said: who has control has to."""
        self._return(spectator)

    def has_control(self, spectator: Spectator) -> bool:
        """Say whether one may speak with the engine."""
        return spectator is self._speaker

    def speak(self, spectator: Spectator, line: bytes) -> None:
        """Let the session hear a line of the one who has control."""
        self.relay.speaker_said(line, spectator.client)

    def ask(self, spectator: Spectator, line: bytes) -> None:
        """Do what one who watches asks of the server itself."""
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
            case RoomWord.DECLINE if self.room.decline(spectator.id):
                self.tell_owner(RoomWord.DECLINE, spectator.id)
            case RoomWord.RETURN if self.has_control(spectator):
                self._return(spectator)
            case RoomWord.LIST:
                spectator.tell(self.room.status())
            case _:
                spectator.notice(
                    Code.ROOM_REFUSED,
                    "who watches may say 'rookery room accept' or 'decline' when control is"
                    " offered, 'return' when it is there, 'list', and 'quit'",
                )

    # --- for who keeps rooms

    def check(self, now: float) -> None:
        """End those who have not read for too long, or are not there."""
        for each in list(self.room.watchers.values()):
            if each.paused_at is not None and now - each.paused_at > STALLED:
                text = f"nothing was read for {STALLED:.0f} s"
                each.finish(Close.ROOM, Code.ROOM_TOO_SLOW, text)
            else:
                each.check(now)

    def close(self, close: Close, code: Code, text: str) -> None:
        """End it for all who watch."""
        self._begin_round()
        self._finish_round()
        if self._beat:
            self._beat.cancel()
        self._is_closed = True
        for each in list(self.room.watchers.values()):
            each.finish(close, code, text)

    # --- within

    @property
    def _speaker(self) -> Spectator | None:
        """Who has control, if it is not the owner."""
        return self.room.watchers.get(self.room.control or "")

    @property
    def _unanswered(self) -> int:
        return self.relay.session.unanswered

    def _accept(self, spectator: Spectator) -> None:
        self._begin_round()
        self._finish_round()  # From now on it hears at once, and so before the others.
        if self.room.accept(spectator.id, self._unanswered):
            self._tell_control()
        else:
            spectator.notice(Code.ROOM_REFUSED, "control is not offered to you, or not any more")

    def _return(self, spectator: Spectator) -> None:
        """Give control back to the owner if that one has it."""
        if not self.has_control(spectator):
            return
        self._begin_round()
        if self.room.give_back(spectator.id, self._unanswered):
            self._tell_control()

    def _tell_control(self) -> None:
        """Say who has control now."""
        who = self.room.control or OWNER
        fields = about(**self.relay.fields)
        logger.info("session %d: %s has control", self.relay.number, who, extra=fields)
        self._tell_all(bytes(RoomLine(RoomWord.CONTROL, who)))
        self._see_to_beat()

    def _see_to_beat(self) -> None:
        if self._beat is None and not self._is_closed:
            self._beat = self._loop.call_at(self._next, self._on_beat)

    def _on_beat(self) -> None:
        self._beat = None
        if len(self.room.watchers) != self._counted:
            self._counted = len(self.room.watchers)
            self._tell_all(self.room.count())
        self._begin_round()

    def _tell_all(self, line: bytes) -> None:
        """Tell a line of the room's own to everybody."""
        self.relay.send_aside(line)
        if speaker := self._speaker:
            speaker.tell(line)
        self._pending.append(line)

    def _begin_round(self) -> None:
        """Let all begin to hear what has come since the last round."""
        self._finish_round()
        piece, speaker = self._pending.take_newest(), self._speaker
        if not piece and not self._late:
            return
        self.room.snapshot.take(piece)
        at_ease = (each for each in self.room.watchers.values() if each not in self._late)
        self._untold = [(each, piece) for each in at_ease if piece and each is not speaker]
        if self._late:
            engine = self.greeting.removesuffix(b"uciok\n")
            stand = engine + self.room.snapshot.text() + self.room.status()
            self._untold += [(each, stand) for each in self._late]
            self._late.clear()
        self._next = self._loop.time() + BEAT
        self._loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        self._tell_group()
        if self._untold:
            self._loop.call_soon(self._go_on)

    def _finish_round(self) -> None:
        while self._untold:
            self._tell_group()

    def _tell_group(self) -> None:
        group, self._untold = self._untold[:GROUP], self._untold[GROUP:]
        for each, piece in group:
            each.tell(piece)
