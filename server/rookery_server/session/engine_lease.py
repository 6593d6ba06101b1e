"""How one session gets its engine, and what becomes of it.

First it needs a slot, the right to have an engine, then an engine.  Either may come at once,
later or never; while others are before it the session answers what it can by itself.  An
engine that dies is replaced, unless that happens too often; one that is not needed may be
parked, that is ended, or handed on to other sessions.
"""

import asyncio
import logging
from typing import TYPE_CHECKING

from rookery_protocol.errors import Refusal
from rookery_protocol.notices import Close, Code
from rookery_server.engines.running_engine import NULL_LISTENER, RunningEngine
from rookery_server.log import about
from rookery_server.scheduling.budget import Slot
from rookery_server.session.ports import Provider
from rookery_server.session.state import NOTHING, RUNNING

if TYPE_CHECKING:
    from rookery_server.session.actor import Relay

logger = logging.getLogger(__name__)


class Supply:
    """The slot and the engine of one session, or its wish for them."""

    __slots__ = ("_host", "_is_asked_for", "_loop", "_relay", "engine", "queues", "slot")

    def __init__(self, relay: "Relay", host: Provider) -> None:
        self._relay = relay
        self._host = host
        self._loop = asyncio.get_running_loop()
        self.slot: Slot | None = None  # given and taken by the steward
        self.engine: RunningEngine | None = None
        self._is_asked_for = False  # a slot, or an engine: it has not come yet
        self.queues = False  # others are before it

    # --- for the relay

    def see_to_it(self) -> None:
        """Ask for what an engine takes, unless it is there or asked for."""
        if self.engine is None and not self._is_asked_for:
            self._is_asked_for = True
            if self.slot:
                self._host.ask_for_engine(self._relay)
            else:
                self._host.ask_for_slot(self._relay)

    def see_to_waiting(self) -> None:
        """Answer what needs no engine, and do not keep waiting who wants to leave."""
        session = self._relay.session
        session.without_engine()
        if session.leaving:
            session.do_without_engine()
        if session.needs is NOTHING:
            self.withdraw()

    def withdraw(self) -> None:
        """Take note that nothing is wanted any more."""
        self._is_asked_for = self.queues = False
        self._host.withdraw(self._relay)

    def give_back_slot(self) -> None:
        """Let others have the slot, if there is no engine, and none is to come."""
        if self.slot and not self.engine and not self._is_asked_for:
            self._host.give_back(self._relay)

    def hand_on(self) -> None:
        """Give the engine to other sessions, if it may serve them and owes nothing."""
        engine, undo = self.engine, self._relay.session.undo()
        if engine is None or undo is None or self._relay.totals.engine_deaths:
            return
        self._host.charge(self._relay, engine)
        if self._host.take_back(self._relay, engine, undo):
            self.engine = None

    def end(self) -> bool:
        """End the engine; return whether there is one, and so somebody to hear that it has."""
        if self.engine is None:
            return False
        self._host.charge(self._relay, self.engine)
        self.engine.end()
        return True

    def lose(self) -> RunningEngine:
        """Take note that the engine is gone; return what it was."""
        assert self.engine
        engine, self.engine = self.engine, None
        return engine

    def replace(self, engine: RunningEngine, reason: str) -> None:
        """See to another engine, as the one that was there has died, or its machine has gone."""
        relay, now = self._relay, self._loop.time()
        self._host.charge(relay, engine)
        if engine.has_left:
            relay.session.notice(*self._loss(reason))
            self._do_without(now)
            return
        relay.totals.engine_deaths += 1
        logger.warning(
            "session %d: engine %s died: %s",
            relay.number,
            engine.label,
            reason,
            extra=about(**relay.fields),
        )
        if relay.timekeeper.has_seen_death(now):
            relay.close(Close.ENGINE_GONE, Code.ENGINE_DIED, f"the engine is gone again: {reason}")
            return
        relay.session.notice(
            Code.ENGINE_DIED, f"the engine is gone: {reason}; another takes its place"
        )
        self._do_without(now)

    # --- for those who have slots

    def slot_came(self, slot: Slot) -> None:
        """Take the right to have an engine, and get one."""
        self.slot = slot
        self.queues = False
        self._host.ask_for_engine(self._relay)

    def no_slot(self, refusal: Refusal) -> None:
        """Take note that too many wait for an engine already."""
        self._is_asked_for = False
        self._relay.session.notice(*refusal)
        self._relay.session.do_without_engine()
        self._go_on()

    def must_wait(self, reason: Refusal | None = None) -> None:
        """Take note that a slot or an engine comes later: who asks for readiness need not wait."""
        if reason and not self.queues:  # It is told once.
            self._relay.session.notice(*reason)
        self.queues = True
        self._go_on()

    def may_park(self, now: float) -> bool:
        """Say whether the engine may be ended for others, who wait."""
        relay, patience = self._relay, self._relay.usage.quota.park_after
        return (
            self.engine is not None
            and not relay.is_over  # Else it is ending already, and we have to hear of that.
            and relay.session.can_park
            and (
                relay.client is None
                or (patience is not None and now - relay.idle_since >= patience)
            )
        )

    def park(self) -> None:
        """End the engine; another comes when the session needs one again."""
        engine = self.lose()
        self._host.charge(self._relay, engine)
        self._relay.session.park()
        engine.listener = NULL_LISTENER
        engine.end()
        self._relay.flow.engine_took()

    # --- for those who have engines

    def engine_came(self, engine: RunningEngine) -> None:
        """Take the engine that was asked for."""
        relay = self._relay
        self._is_asked_for = self.queues = False
        relay.timekeeper.engine_came(relay.session.ready.answered, self._loop.time())
        engine.listener = relay
        self.engine = engine
        if relay.is_over:
            engine.end()
            return
        relay.session.attach()
        self._go_on()

    def no_engine(self, reason: str, *, is_final: bool = False) -> None:
        """Take note that the engine that was asked for could not be started, or never will be."""
        relay = self._relay
        self._is_asked_for = self.queues = False
        if relay.is_over:
            return
        missing = relay.timekeeper.has_missed_for_long(self._loop.time(), self._host.patience)
        if is_final:
            relay.close(Close.ENGINE_GONE, Code.ENGINE_AWAY, reason)
        elif missing:
            relay.close(Close.ENGINE_GONE, Code.ENGINE_FAILED, f"no engine can be had: {reason}")
        elif relay.timekeeper.misses == 1:
            relay.tell_notice(Code.NO_ENGINE, f"no engine yet: {reason}; another is started")
        else:
            relay.carry()

    # --- within

    def _loss(self, reason: str) -> Refusal:
        """Return what a session hears whose engine has gone with its machine."""
        text = f"the engine is gone: {reason}"
        if self._host.is_offered(self._relay):
            return Code.ENGINE_DIED, f"{text}; another takes its place"
        if self._relay.session.state in RUNNING:  # What becomes of its search is told next.
            return Code.ENGINE_DIED, text
        return Code.ENGINE_AWAY, f"{text}; no other machine offers it now"

    def _do_without(self, now: float) -> None:
        """Go on after an engine that is gone: another comes if one is needed."""
        relay = self._relay
        relay.session.lose_engine(relay.timekeeper.spent(now))
        relay.carry()
        if not self._is_asked_for:  # Nobody needs another one now, and so none will come.
            relay.flow.engine_took()

    def _go_on(self) -> None:
        """Let the session go on, with an engine or without: a client that waits is heard."""
        self._relay.carry()
        self._relay.flow.engine_took()
