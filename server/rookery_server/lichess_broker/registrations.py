"""The engines that have been registered: a file of JSON, which is replaced as a whole.

The secrets of requesters are in it, because they are shown again when the engines are
listed; so only the server may read it.  Those of providers are not.
"""

import asyncio
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hmac import compare_digest
from pathlib import Path

from rookery_protocol.atomic_file import replace_file
from rookery_protocol.errors import ServerError
from rookery_protocol.lichess_api import (
    ExternalEngine,
    LichessApiError,
    LichessRegistration,
    selector,
)
from rookery_server.access.account import Account, Role
from rookery_server.config.files import contents
from rookery_server.config.sections import state_folder

MAX_ENGINES = 100  # of one account
_NAME = "broker.json"


@dataclass(frozen=True, slots=True)
class RegisteredEngine:
    """An engine, what its provider is found by, and whose it is."""

    engine: ExternalEngine
    selector: str
    owner: Account


class EngineRegistry:
    """The registered engines of one server."""

    def __init__(self, path: Path) -> None:
        """Read the file, if it is there.

        Raises:
            ServerError: it cannot be used.

        """
        self._path = path
        self._engines: dict[str, RegisteredEngine] = {}
        self._changing = asyncio.Lock()
        self.key = secrets.token_bytes(32)  # that signs the secrets of the server's own engines
        try:
            if path.exists():
                document = json.loads(contents("broker.file", path).data.decode())
                self.key = bytes.fromhex(document["key"])
                registered = map(_parse, document["engines"])
                self._engines = {each.engine.id: each for each in registered}
            else:
                self._write(self._text({}))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ServerError(f"cannot use the engines in {path}: {error}") from error

    def of(self, owner: Account) -> list[RegisteredEngine]:
        """Return the engines of an account."""
        return [each for each in self._engines.values() if each.owner.name == owner.name]

    def owned_engine(self, engine_id: str, owner: Account) -> RegisteredEngine | None:
        """Return an engine of an account's."""
        found = self._engines.get(engine_id)
        return found if found and found.owner.name == owner.name else None

    def knows(self, found_by: str) -> bool:
        """Say whether there is an engine of the provider that is found by this."""
        return any(each.selector == found_by for each in self._engines.values())

    def for_requester(self, engine_id: str, secret: str) -> RegisteredEngine | None:
        """Return the engine that a requester may use."""
        found = self._engines.get(engine_id)
        is_theirs = found and compare_digest(found.engine.client_secret.encode(), secret.encode())
        return found if is_theirs else None

    async def add(self, registration: LichessRegistration, owner: Account) -> RegisteredEngine:
        """Register an engine.

        Raises:
            LichessApiError: the account has as many as it may.
            ServerError: the file cannot be written.

        """
        engine_id, secret = f"eei_{secrets.token_urlsafe(9)}", f"ees_{secrets.token_urlsafe(24)}"
        registered = _registered(engine_id, secret, registration, owner)
        async with self._changing:
            if len(self.of(owner)) >= MAX_ENGINES:
                raise LichessApiError(f"{owner.name} has {MAX_ENGINES} engines: delete one")
            await self._keep(self._engines | {engine_id: registered})
        return registered

    async def update(
        self, known: RegisteredEngine, registration: LichessRegistration, owner: Account
    ) -> RegisteredEngine:
        """Register an engine anew; its id and the secret of its requesters stay.

        Raises:
            ServerError: the file cannot be written.

        """
        engine = known.engine
        registered = _registered(engine.id, engine.client_secret, registration, owner)
        async with self._changing:
            await self._keep(self._engines | {engine.id: registered})
        return registered

    async def delete(self, known: RegisteredEngine) -> None:
        """Forget an engine.

        Raises:
            ServerError: the file cannot be written.

        """
        async with self._changing:
            kept = {id_: each for id_, each in self._engines.items() if id_ != known.engine.id}
            await self._keep(kept)

    async def _keep(self, kept: dict[str, RegisteredEngine]) -> None:
        """Keep these engines: in the file, which may take its time, and if that succeeds, here."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._write, self._text(kept))
        self._engines = kept

    def _text(self, kept: dict[str, RegisteredEngine]) -> str:
        engines = [_print(each) for each in kept.values()]
        return json.dumps({"key": self.key.hex(), "engines": engines}, indent=1)

    def _write(self, text: str) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, text)
        except OSError as error:
            raise ServerError(f"cannot write {self._path}: {error.strerror}") from error


def place_for(configured: Path | None, environment: Mapping[str, str]) -> Path:
    """Return where the file is: the usual place is beside the cache."""
    return configured or state_folder(environment) / _NAME


def _registered(
    engine_id: str, secret: str, registration: LichessRegistration, owner: Account
) -> RegisteredEngine:
    engine = ExternalEngine(
        id=engine_id,
        name=registration.name,
        client_secret=secret,
        user_id=owner.name,
        max_threads=registration.max_threads,
        max_hash=registration.max_hash,
        variants=registration.variants,
        provider_data=registration.provider_data,
    )
    return RegisteredEngine(engine, selector(registration.provider_secret), owner)


def _print(registered: RegisteredEngine) -> dict[str, object]:
    owner = registered.owner
    return {
        "engine": registered.engine.json(),
        "selector": registered.selector,
        "role": str(owner.role),
        "token": owner.token,
    }


def _parse(entry: dict[str, object]) -> RegisteredEngine:
    engine = ExternalEngine.parse(entry["engine"])
    token = entry["token"]
    owner = Account(engine.user_id, Role(str(entry["role"])), None if token is None else str(token))
    return RegisteredEngine(engine, str(entry["selector"]), owner)
