"""The routes of shared games, over real sockets."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from helpers.support import TIMEOUT, Running, add_token, bearer, get, odd, until

from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import Quotas
from rookery_server.config.sections import CacheConfig, GamesConfig, ServerConfig
from rookery_server.shared_games.game_service import DAY, READS, WRITES, GameService

PGN = '[White "Ann"]\n\n1. e4 {<script>alert(1)</script>} e5 (1... c5) 2. Nf3 *\n'


@pytest.fixture
def config(tmp_path: Path, tokens: Path) -> Config:
    """Return a configuration with two accounts, and bounds that are soon reached."""
    return Config(
        engines=(EngineConfig("polite", odd("polite")),),
        server=ServerConfig(port=0, tcp_port=0, drain_timeout=1.0, tokens=tokens),
        cache=CacheConfig(file=tmp_path / "games.sqlite"),
        games=GamesConfig(most_days=30),
        quotas=Quotas(named={"cid": {"stored_games": 1}}),
    )


class Api:
    """A client of the API, with tokens of some accounts."""

    def __init__(self, app: Running, session: aiohttp.ClientSession, tokens: Path) -> None:
        self._session = session
        self._url = f"http://127.0.0.1:{app.port}/v1/games"
        self._headers = {
            name: bearer(add_token(tokens, name)) for name in ("ann", "bob", "cid")
        } | {"": {}}

    async def request(
        self, who: str, method: str, path: str = "", body: object = None
    ) -> tuple[int, Any]:
        """Return the status and the document of an answer."""
        headers = self._headers[who]
        if body is not None:
            headers = {**headers, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body)
        async with (
            asyncio.timeout(TIMEOUT),
            self._session.request(method, self._url + path, headers=headers, data=data) as answer,
        ):
            text = await answer.text()
            return answer.status, json.loads(text) if text else None

    async def share_game(self, who: str, **more: object) -> dict[str, Any]:
        status, game = await self.request(who, "POST", body={"pgn": PGN, **more})
        assert status == 201, game
        return dict(game)


@pytest.fixture
async def api(app: Running, tokens: Path) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:
        yield Api(app, session, tokens)


@pytest.fixture
def clock(app: Running, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time of the service, which a test may change."""
    service = app.game_routes.service
    assert service
    time = [1_800_000_000.0]
    monkeypatch.setattr(service, "_clock", lambda: time[0])
    return time


async def test_all_who_have_the_link_read_a_game_and_only_its_account_changes_it(api: Api) -> None:
    game = await api.share_game("ann", title="A game")
    assert len(game["id"]) == 22  # 128 bits
    status, read = await api.request("", "GET", f"/{game['id']}")
    assert (status, read["pgn"], read["title"]) == (200, PGN, "A game")
    assert "ann" not in read.values()
    assert (await api.request("bob", "GET"))[1]["games"] == []
    for method, body in (("PATCH", {"title": "Mine"}), ("DELETE", None)):
        assert (await api.request("bob", method, f"/{game['id']}", body))[0] == 404
        assert (await api.request("", method, f"/{game['id']}", body))[0] == 401
    status, changed = await api.request("ann", "PATCH", f"/{game['id']}", {"pgn": "1. d4 *"})
    assert (status, changed["size"], changed["title"]) == (200, 7, "A game")
    assert (await api.request("", "GET", f"/{game['id']}"))[1]["pgn"] == "1. d4 *"
    status, listed = await api.request("ann", "GET")
    assert [each["id"] for each in listed["games"]] == [game["id"]]
    assert (listed["most_days"], listed["most_games"], listed["frames"]) == (30, 100, False)


async def test_withdrawn_games_and_those_whose_time_is_over_are_answered_like_none(
    api: Api, clock: list[float]
) -> None:
    withdrawn, over = await api.share_game("ann"), await api.share_game("ann", days=2)
    assert (await api.request("ann", "DELETE", f"/{withdrawn['id']}"))[0] == 204
    clock[0] += 2 * DAY - 1
    assert (await api.request("", "GET", f"/{over['id']}"))[0] == 200
    clock[0] += 1
    answers = [
        await api.request("", "GET", f"/{id_}") for id_ in (withdrawn["id"], over["id"], "x")
    ]
    assert [status for status, _ in answers] == [404, 404, 404]
    assert answers[0] == answers[1] == answers[2]
    assert (await api.request("ann", "PATCH", f"/{over['id']}", {"days": 9}))[0] == 404
    assert (await api.request("ann", "GET"))[1]["games"] == []


async def test_time_is_within_the_operators_bound_and_can_be_prolonged(
    api: Api, clock: list[float]
) -> None:
    game = await api.share_game("ann")  # for 30 days, as the operator has it, and not a year
    clock[0] += 20 * DAY
    for days in (None, 31):
        status, problem = await api.request("ann", "POST", body={"pgn": PGN, "days": days})
        assert (status, problem["path"], problem["expected"]) == (
            422, "$.days", "a whole number <= 30",
        )  # fmt: skip
    assert (await api.request("ann", "PATCH", f"/{game['id']}", {"days": 30}))[0] == 200
    clock[0] += 29 * DAY
    assert (await api.request("", "GET", f"/{game['id']}"))[0] == 200


@pytest.mark.parametrize(("pgn", "expected"), [
    ("", "length"),
    ("   \n", "one game in PGN"),
    (f"{PGN}\n{PGN}", "one game in PGN"),
    ("1. e4 {\0} *", "without NUL"),
    ("1. e4 {\ud800} *", ""),
    ("1. e4 {" + "é" * 140_000 + "} *", "at most 262144 bytes"),
])  # fmt: skip
async def test_bodies_that_are_no_game_are_refused(api: Api, pgn: str, expected: str) -> None:
    status, problem = await api.request("ann", "POST", body={"pgn": pgn})
    assert status in (400, 422)
    assert expected in problem.get("expected", "")


async def test_title_has_no_control_characters(api: Api) -> None:
    status, problem = await api.request("ann", "POST", body={"pgn": PGN, "title": "a\nb"})
    assert (status, problem["path"]) == (422, "$.title")


async def test_an_account_shares_as_many_games_as_its_quota_has(api: Api) -> None:
    game = await api.share_game("cid")
    status, problem = await api.request("cid", "POST", body={"pgn": PGN})
    assert (status, problem["code"]) == (413, "quota-games")
    assert (await api.request("cid", "DELETE", f"/{game['id']}"))[0] == 204
    await api.share_game("cid")


async def test_who_reads_or_writes_too_often_has_to_wait(api: Api) -> None:
    await api.share_game("ann")
    for method, path, bound in (("GET", "/x", READS), ("DELETE", "/x", WRITES)):
        for _ in range(2 * int(bound[1])):
            status, problem = await api.request("ann", method, path)
            if status == 429:
                break
        assert status == 429, method
        assert "too often" in problem["detail"]


async def test_games_are_removed_from_the_database_when_their_time_is_over(
    app: Running, api: Api, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    await api.share_game("ann", days=1)
    service = app.game_routes.service
    assert service
    assert service.counts.stored == 1
    clock[0] += DAY
    monkeypatch.setattr(GameService, "cleaning", 0.01)
    cleaning = asyncio.create_task(service._keep_clean())
    await until(lambda: service.counts.stored == 0)
    cleaning.cancel()


async def test_server_without_accounts_shares_only_on_its_own_machine(config: Config) -> None:
    open_to_all = replace(config, server=replace(config.server, tokens=None))
    async with Running(open_to_all) as app:
        status, text = await get(app, "/v1/games")
        assert (status, json.loads(text)["games"]) == (200, [])
        status, text = await get(app, "/v1/games", X_Forwarded_For="10.1.2.3")
        assert (status, json.loads(text)["code"]) == (503, "games-off")


async def test_games_that_are_switched_off_have_a_code(config: Config) -> None:
    off = replace(config, games=GamesConfig(enabled=False))
    async with Running(off) as app:
        status, text = await get(app, "/v1/games/x")
        assert (status, json.loads(text)["code"]) == (503, "games-off")


async def test_no_file_is_made_before_the_first_game(config: Config) -> None:
    jobless = replace(config, cache=replace(config.cache, enabled=False))
    async with Running(jobless) as app:
        assert (await get(app, "/v1/games/x"))[0] == 404
        assert config.cache.file
        assert not config.cache.file.exists()
