"""The state of the server for machines: health, readiness and metrics."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.support import TIMEOUT, Running, add_token, get, hear_until, odd, program, request_for
from helpers.support import until as until_true
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import InvalidStatus

from rookery_server.access.account import Role
from rookery_server.config.addresses import network_list
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ConnectionConfig, MetricsConfig
from rookery_server.transport.websocket import WebSocketClient

DASHBOARD = Path(__file__).parents[3] / "server" / "grafana" / "rookery.json"


@pytest.fixture
def habits() -> tuple[str, ...]:
    return ("polite", "dies")


async def metrics(app: Running) -> dict[str, float]:
    """Return the metrics, by name and labels as they are written."""
    status, body = await get(app, "/metrics")
    assert status == 200
    samples = [each for family in text_string_to_metric_families(body) for each in family.samples]
    return {
        each.name + "".join(f" {value}" for value in each.labels.values()): each.value
        for each in samples
    }


async def until(app: Running, name: str, value: float) -> dict[str, float]:
    async with asyncio.timeout(TIMEOUT):
        while (found := await metrics(app))[name] != value:
            await asyncio.sleep(0.02)
    return found


async def test_alive_and_ready(app: Running) -> None:
    assert await get(app, "/healthz") == (200, "ok\n")
    assert await get(app, "/readyz") == (200, "ready\n")


async def test_full_is_not_ready_but_alive(config: Config) -> None:
    async with Running(replace(config, connections=ConnectionConfig(total=1))) as app:
        async with app.tcp() as client:
            client.say("isready")
            await client.hear()
            assert await get(app, "/readyz") == (503, "full\n")
            assert await get(app, "/healthz") == (200, "ok\n")
            assert (await metrics(app))["rookery_connections"] >= 1
        await until(app, "rookery_sessions polite", 0)


async def test_without_any_engine_it_is_not_ready(config: Config) -> None:
    async with Running(replace(config, engines=config.engines[-1:])) as app:
        assert await get(app, "/readyz") == (503, "no engine\n")


@pytest.mark.parametrize("warm", [0, 1])
async def test_not_ready_as_long_as_its_engine_cannot_be_started(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warm: int
) -> None:
    """Also where nobody asks for one, for as long as it is not ready nobody is sent here."""
    monkeypatch.setattr("rookery_server.engines.pacing.LONGEST_WAIT", 0.05)
    engine = EngineConfig("polite", (str(program(tmp_path / "engine", *odd("polite"))),))
    sessions = replace(config.sessions, warm=warm)
    async with Running(replace(config, engines=(engine,), sessions=sessions)) as app:
        pool = app.host.fleet.pool("polite")
        await until_true(lambda: pool.spares == len(pool._coming) == warm)
        assert await get(app, "/readyz") == (200, "ready\n")
        (tmp_path / "engine").rename(tmp_path / "away")
        async with app.tcp() as client:
            client.say("isready")  # It takes the spare one, if there is one.
            async with asyncio.timeout(TIMEOUT):
                while await get(app, "/readyz") != (503, "no engine\n"):
                    await asyncio.sleep(0.02)
        assert app.host.fleet.trouble("polite")
        (tmp_path / "away").rename(tmp_path / "engine")
        async with asyncio.timeout(TIMEOUT):
            while await get(app, "/readyz") != (200, "ready\n"):
                await asyncio.sleep(0.02)
        await until_true(lambda: not pool._opening)  # Else it would keep a spare one.


async def test_metrics_tell_what_has_happened(app: Running) -> None:
    async with app.websocket("polite", ping_interval=None) as client:
        await client.send("uci")
        await hear_until(client, "uciok")
        await client.send("go")
        await hear_until(client, "bestmove")
        await client.send("go perft 3")
        await hear_until(client, "info string rookery")
        now = await metrics(app)
        assert now["rookery_sessions polite"] == 1
        assert now["rookery_sessions_started_total polite"] == 1
        assert now["rookery_lines_received_total"] == 3
        assert now["rookery_lines_sent_total"] == 4
        assert now["rookery_notices_total command-refused"] == 1
        assert now["rookery_search_seconds_count"] == 1
        assert now["rookery_budget_threads_used"] == 1
        assert 0 < now["rookery_budget_memory_used_bytes"] < now["rookery_budget_memory_bytes"]
    with pytest.raises(InvalidStatus):
        await app.websocket("nobody")
    now = await until(app, "rookery_sessions polite", 0)
    assert now["rookery_refusals_total unknown-engine"] == 1
    assert now["rookery_lines_received_total"] == 3  # that of a session that is over
    assert now["rookery_notices_total command-refused"] == 1


@pytest.mark.parametrize("end", ["the operator", "the account", "a second signal", "the loss"])
async def test_search_that_ends_with_its_session_is_counted_for_as_long_as_it_was(
    app: Running, end: str
) -> None:
    async with app.websocket("polite") as client:
        await client.send("go infinite")
        await client.send("isready")
        await hear_until(client, "readyok")
        (actor,) = app.host.actors
        if end == "the operator":
            await app.admin_commands.run({"do": "end", "session": actor.number})
        elif end == "the account":
            actor.dismiss("the token has expired")
        elif end == "a second signal":
            app.host.abandon()
        else:
            client.transport.abort()
        now = await until(app, "rookery_sessions polite", 0)
    assert actor.totals.searches == now["rookery_search_seconds_count"] == 1
    assert actor.totals.search_seconds == now["rookery_search_seconds_sum"] > 0


async def test_search_and_death_are_counted(app: Running) -> None:
    async with app.tcp() as client:
        client.say("go infinite", "isready")
        assert await client.hear() == "readyok"
        assert (await metrics(app))["rookery_sessions_searching"] == 1
        client.say("rookery engine polite", "stop")
        await client.hear_until("bestmove")
    async with app.tcp() as client:
        client.say("rookery engine dies", "go")
        await client.hear_until("info string rookery engine-died")
        assert (await metrics(app))["rookery_engine_deaths_total"] >= 1


async def round_trip(app: Running) -> None:
    """Wait until the only client has answered a ping."""
    (actor,) = app.host.actors
    connection = actor.client
    assert isinstance(connection, WebSocketClient)
    connection._ping()
    await until_true(lambda: connection.latency)


async def test_round_trip_is_measured(app: Running) -> None:
    async with app.websocket("polite") as client:
        await round_trip(app)
        assert 0 < (await metrics(app))["rookery_round_trip_seconds 0.5"] < TIMEOUT
        await client.send("quit")


async def test_metrics_are_not_for_everybody(config: Config, tmp_path: Path) -> None:
    member = add_token(tmp_path / "tokens", "anna")
    admin = add_token(tmp_path / "tokens", "otto", role=Role.ADMIN)
    server = replace(
        config.server, tokens=tmp_path / "tokens", trusted_proxies=network_list("k", ["127.0.0.1"])
    )
    async with Running(replace(config, server=server, insecure=True)) as app:
        far = {"X_Forwarded_For": "203.0.113.9"}
        assert (await get(app, "/metrics", **far))[0] == 401
        assert (await get(app, "/metrics", **far, Authorization=f"Bearer {member}"))[0] == 401
        assert (await get(app, "/metrics", **far, Authorization=f"Bearer {admin}"))[0] == 200
        assert (await get(app, "/metrics"))[0] == 200
    # Whom nobody asks for a token is no admin for that, if he comes from elsewhere.
    async with Running(config) as app:
        assert (await get(app, "/metrics", **far))[0] == 401


@pytest.fixture
async def apart(config: Config) -> AsyncIterator[Running]:
    async with Running(replace(config, metrics=MetricsConfig(port=0))) as app:
        yield app


async def test_no_answer_names_versions(apart: Running) -> None:
    for port in (apart.port, apart.metrics_port):
        for path in ("/metrics", "/healthz", "/nothing"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request_for(path))
            async with asyncio.timeout(TIMEOUT):
                head = (await reader.read()).partition(b"\r\n\r\n")[0].lower()
            writer.close()
            assert b"\r\ncontent-length:" in head
            assert b"\r\nserver:" not in head


async def test_metrics_at_a_port_of_their_own(apart: Running) -> None:
    assert (await get(apart, "/metrics"))[0] == 404
    status, body = await get(apart, "/metrics", apart.metrics_port)
    assert status == 200
    assert "rookery_sessions" in body
    assert await get(apart, "/healthz", apart.metrics_port) == (200, "ok\n")
    assert (await get(apart, "/", apart.metrics_port))[0] == 404


async def test_no_name_of_a_client_is_in_the_metrics(config: Config, tmp_path: Path) -> None:
    token = add_token(tmp_path / "tokens", "anna")
    server = replace(config.server, tokens=tmp_path / "tokens")
    async with Running(replace(config, server=server)) as app, app.tcp() as client:
        fen = "8/8/8/4k3/8/8/4K3/8 w - - 0 1"
        client.say(f"rookery token {token}", f"position fen {fen}", "go")
        await client.hear_until("bestmove")
        status, body = await get(app, "/metrics")
    assert status == 200
    assert "rookery_search_seconds" in body
    for secret in ("anna", token, token.split("_")[1], fen):
        assert secret not in body


async def test_page_has_each_metric_and_no_other(app: Running) -> None:
    page = (Path(__file__).parents[3] / "docs" / "operations.md").read_text(encoding="utf-8")
    _, body = await get(app, "/metrics")
    there_are = set(re.findall(r"^# TYPE (rookery_\w+)", body, re.MULTILINE))
    rows = re.findall(r"^\| (`rookery_.*?) \|", page, re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`(rookery_[a-z_]+)[`{]", row)}
    assert told == there_are
    assert set(re.findall(r"\brookery_[a-z_]+", page)) <= there_are


async def test_dashboard_shows_metrics_that_there_are(app: Running) -> None:
    text = DASHBOARD.read_text()
    json.loads(text)
    async with app.websocket("polite") as client:
        await round_trip(app)
        names = {name.split()[0] for name in await metrics(app)}
        await client.send("quit")
    shown = set(re.findall(r"\b(?:rookery|process)_[a-z_]+\b(?=[{,])", text))
    assert len(shown) > 20
    assert shown <= names


def test_dashboard_is_what_grafana_loads() -> None:
    """As the kind `dashboard` of Grafana's documentation (schema version 39) asks."""
    board = json.loads(DASHBOARD.read_text())
    assert board["title"]
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,40}", board["uid"])
    assert isinstance(board["schemaVersion"], int)
    assert {"from", "to"} <= set(board["time"])
    variables = {each["name"]: each["type"] for each in board["templating"]["list"]}
    assert set(variables.values()) <= {"datasource", "query"}
    ids = [panel["id"] for panel in board["panels"]]
    assert len(set(ids)) == len(ids)
    covered: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        assert panel["type"]
        assert place["h"] > 0
        assert 0 <= place["x"] < place["x"] + place["w"] <= 24
        fields = {
            (place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])
        }
        assert not fields & covered, panel["title"]
        covered |= fields
        references = [target["refId"] for target in panel["targets"]]
        assert len(set(references)) == len(references) > 0
        for target in panel["targets"]:
            assert target["expr"]
            assert target["datasource"] == panel["datasource"]
            assert panel["datasource"]["type"] == "prometheus"
        used = set(re.findall(r"\$\{?([a-z]+)", json.dumps(panel)))
        assert used <= set(variables), panel["title"]
