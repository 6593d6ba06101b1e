"""The server's own engines, as external engines that need no provider.

Their ids are their names, and the secrets of their requesters are signed: so nothing of
them has to be kept.  A search is a session like any other, and counts as one.
"""

import base64
import hmac
import json
from hashlib import sha256

import rookery_uci as uci
from rookery_protocol.lichess_api import ExternalEngine, LichessWork, maximum_of, variants_of
from rookery_protocol.notices import Close, Meaning, Notice
from rookery_server.access.account import Account, Role
from rookery_server.actor.actor import SessionActor
from rookery_server.analysis.own_session import OwnSession
from rookery_server.config.engines import EngineConfig
from rookery_server.engines.offered_options import OfferedOptions
from rookery_server.lichess_broker.work_exchange import AnalysisChannel

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


class OwnEngineSearch:
    """One search in a session of this process, and the listener to what is found."""

    def __init__(self, address: str, channel: AnalysisChannel) -> None:
        self.session = OwnSession(address, self)
        self._channel = channel
        self._found = False

    def start(self, actor: SessionActor, offer: OfferedOptions, work: LichessWork) -> None:
        """Ask for the search."""
        options = _options(offer)
        self.session.start(actor)
        self.session.send_commands(
            *(
                uci.SetOption(name, str(value))
                for name, value in work.options().items()
                if name.lower() in options
            ),
            uci.Position(work.initial_fen, work.moves),
            uci.Go(work.limits),
        )

    # --- for the session

    def hear_notice(self, notice: Notice) -> None:
        """Keep why the search is not done."""
        if notice.code.meaning in _OBJECTIONS:
            # What comes after the first comes of it.
            self._channel.objection = self._channel.objection or notice.text

    def hear_line(self, line: bytes) -> None:
        """Send on what is found."""
        # A search that is refused has a bestmove, too: any move will do for it.
        is_refused = self._channel.objection and not self._found and line.startswith(b"bestmove")
        if not is_refused and (found := self._channel.stream.read_line(line)):
            self._found = True
            self._channel.send_object(found)
        if self._channel.stream.is_over or is_refused:
            self._channel.close()
            self.session.listener = None
            self.session.end_soon()

    def session_ended(self, code: Close, reason: str) -> None:
        """Record that the session is over."""
        self._channel.objection = reason or self._channel.objection
        self._channel.close()


def _sign(body: str, key: bytes) -> str:
    return hmac.new(key, body.encode(), sha256).hexdigest()


def _options(offer: OfferedOptions) -> dict[str, uci.Option]:
    """Return the options that a client sees, by their names in lower case."""
    identity = uci.EngineIdentity.parse(offer.greeting.decode().splitlines())
    return {each.name.lower(): each for each, _ in identity.options}
