"""The server's own engines, as external engines that need no provider.

Their ids are their names, and the secrets of their requesters are signed: so nothing of
them has to be kept.  A search is a session like any other, and counts as one.
"""

import asyncio
import base64
import hmac
import json
from collections.abc import Hashable
from hashlib import sha256

import rookery_uci as uci
from rookery_protocol.lichess_api import ExternalEngine, LichessWork, maximum_of, variants_of
from rookery_protocol.notices import Close, Meaning, Notice
from rookery_server.access.account import Account, Role
from rookery_server.actor.actor import SessionActor
from rookery_server.config.engines import EngineConfig
from rookery_server.engines.offered_options import OfferedOptions
from rookery_server.lichess_broker.work_exchange import AnalysisChannel
from rookery_server.session.client_channel import LineHandler

_ID = "eei_rookery."  # No id of a registered engine has a full stop in it.
_SECRET = "ees_"  # noqa: S105  # how they begin


def name_of(engine_id: str) -> str | None:
    """Return the name of the engine that has an id; None if it is none of the server's."""
    name = engine_id.removeprefix(_ID)
    return name if name != engine_id else None


def external(
    engine: EngineConfig, offer: OfferedOptions, account: Account, key: bytes
) -> ExternalEngine:
    """Return an engine of the server's as an account sees it."""
    options = _options(offer)
    return ExternalEngine(
        id=_ID + engine.name,
        name=engine.name,
        client_secret=secret_of(account, key),
        user_id=account.name,
        max_threads=maximum_of(options.get("threads")),
        max_hash=maximum_of(options.get("hash")),
        variants=variants_of(options.get("uci_variant")),
    )


def secret_of(account: Account, key: bytes) -> str:
    """Return what a requester of an account shows for the server's engines."""
    text = json.dumps([account.name, account.role, account.token]).encode()
    body = base64.urlsafe_b64encode(text).decode()
    return f"{_SECRET}{body}.{_sign(body, key)}"


def account_of(secret: str, key: bytes) -> Account | None:
    """Return whose secret it is; None if it is nobody's."""
    body, _, signature = secret.removeprefix(_SECRET).partition(".")
    if not hmac.compare_digest(signature.encode(), _sign(body, key).encode()):
        return None
    name, role, token = json.loads(base64.urlsafe_b64decode(body))
    return Account(name, Role(role), token)


# What a notice means that keeps a search from being done.
_OBJECTIONS = (Meaning.REFUSED, Meaning.PUT_OFF, Meaning.OVER)


class OwnEngineClient:
    """A client of a session's, in this process: it asks for one search, and hears of it."""

    shows_life = True
    is_held = False

    def __init__(self, address: str, channel: AnalysisChannel) -> None:
        self.relay: LineHandler | None = None
        self.address = address
        self._channel = channel
        self._found = False
        self._is_refused = False

    def start_search(self, actor: SessionActor, offer: OfferedOptions, work: LichessWork) -> None:
        """Ask for the search."""
        self.relay = actor
        options = _options(offer)
        for name, value in work.options().items():
            if name.lower() in options:
                actor.client_said(f"setoption name {name} value {value}".encode())
        actor.client_said(str(uci.Position(work.initial_fen, work.moves)).encode())
        actor.client_said(str(uci.Go(work.limits)).encode())

    def end(self) -> None:
        """End the session, and the search if it is under way."""
        actor, self.relay = self.relay, None
        if actor:
            actor.client_said(b"stop")
            actor.client_said(b"quit")

    # --- for the session

    def send_lines(self, piece: bytes) -> None:
        """Hear whole lines."""
        for line in piece.split(b"\n")[:-1]:
            notice = Notice.parse(line.decode())
            if notice and notice.code.meaning in _OBJECTIONS:
                # What comes after the first comes of it.
                self._channel.objection = self._channel.objection or notice.text
            # A search that is refused has a bestmove, too: any move will do for it.
            elif self._channel.objection and not self._found and line.startswith(b"bestmove"):
                self._is_refused = True
            elif found := self._channel.stream.read_line(line):
                self._found = True
                self._channel.send_object(found)
        if self._channel.stream.is_over or self._is_refused:
            self._channel.close()
            # The session is at its work; it hears more when it has done it.
            asyncio.get_running_loop().call_soon(self.end)

    def finish(self, code: Close, reason: str) -> None:
        """Record that the session is over."""
        self.relay = None
        self._channel.objection = reason or self._channel.objection
        self._channel.close()

    def hold_input(self, why: Hashable) -> None:
        """Say nothing for now: more than these few lines is never said."""

    def release_input(self, why: Hashable) -> None:
        """Speak again."""


def _sign(body: str, key: bytes) -> str:
    return hmac.new(key, body.encode(), sha256).hexdigest()


def _options(offer: OfferedOptions) -> dict[str, uci.Option]:
    """Return the options that a client sees, by their names in lower case."""
    identity = uci.EngineIdentity.parse(offer.greeting.decode().splitlines())
    return {each.name.lower(): each for each, _ in identity.options}
