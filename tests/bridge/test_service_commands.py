"""`rookery-bridge analyse` and `jobs`, against a service that answers as the API has it."""

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from helpers.fake_service import (
    FEN,
    FINAL,
    JOB,
    FakeService,
    document,
    hang_up,
    lines,
    plain,
    problem,
)
from helpers.support import TIMEOUT, until

from rookery_bridge.program import run
from rookery_bridge.service.analyse_command import GAMES, POSITIONS, kind_of
from rookery_bridge.setup.pairing import Pairing, PairingStore
from rookery_protocol.address import Address

PGN = '[Event "x"]\n\n1. e4 e5 *\n'
ANNOTATED = "1. e4 { [%eval 0.31] } *\n"
DONE = {**JOB, "state": "finished", "total": 2, "done": 2, "positions_done": 2}
GAME_JOB = {**DONE, "kind": "games", "total": 1, "done": 1}
GAME = {"game": 1, "positions": []}
RESULTS = [{"index": 0, "analysis": FINAL}, {"index": 1, "analysis": FINAL}]


@pytest.fixture
async def service() -> AsyncIterator[FakeService]:
    async with FakeService() as running:
        running.script("POST /v1/jobs", document({**DONE, "state": "running", "done": 0}, 201))
        running.script("GET /v1/jobs/a1", document(DONE))
        running.script("GET /v1/jobs/a1/results", lines(*RESULTS))
        yield running


@pytest.fixture
def fens(tmp_path: Path) -> Path:
    file = tmp_path / "some.epd"
    file.write_text(f"{FEN}\n{FEN}\n")
    return file


@pytest.fixture
def games(tmp_path: Path) -> Path:
    file = tmp_path / "some.pgn"
    file.write_text(PGN)
    return file


async def command(*arguments: object) -> int:
    return await asyncio.wait_for(asyncio.to_thread(run, list(map(str, arguments))), TIMEOUT)


async def test_positions_become_lines_of_json(
    service: FakeService, fens: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limits = ("--nodes", 200, "--multipv", 2, "--option", "Hash=16")
    assert await command("analyse", service.address, fens, *limits) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()] == RESULTS
    assert "2 positions" in err
    sent = service.seen[0]
    assert sent.headers["Content-Type"] == "text/plain"
    assert sent.body == fens.read_bytes()
    assert sent.query == {"nodes": "200", "lines": "2", "option.Hash": "16", "name": "some.epd"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
async def test_positions_are_read_as_powershell_writes_them(
    service: FakeService, fens: Path, encoding: str
) -> None:
    text = fens.read_text().replace("\n", "\r\n")
    fens.write_bytes(text.encode(encoding))
    assert await command("analyse", service.address, fens, "--nodes", 200) == 0
    sent = service.seen[0]
    assert sent.headers["Content-Type"] == "text/plain"
    assert sent.body.decode("utf-8-sig") == text
    assert sent.query["name"] == "some.epd"


async def test_games_become_annotated_pgn(
    service: FakeService, games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service.script("POST /v1/jobs", document(GAME_JOB, 201))
    service.script("GET /v1/jobs/a1", document(GAME_JOB))
    service.script("GET /v1/jobs/a1/results", lines({"index": 0, "game": GAME}))
    service.script("GET /v1/jobs/a1/annotated.pgn", plain(200, ANNOTATED))
    out, jsonl = tmp_path / "out.pgn", tmp_path / "out.jsonl"
    where = (f"{service.address}/engines/sf", games, "-o", out, "--jsonl", jsonl)
    assert await command("analyse", *where, "--depth", 9) == 0
    assert out.read_text() == ANNOTATED
    assert json.loads(jsonl.read_text()) == {"index": 0, **GAME}
    assert list(tmp_path.glob("*.part")) == []
    assert service.seen[0].headers["Content-Type"] == "application/x-chess-pgn"
    assert service.seen[0].query["engine"] == "sf"

    capsys.readouterr()
    assert await command("analyse", service.address, games, "--depth", 9) == 0
    assert capsys.readouterr().out == ANNOTATED


async def test_same_command_is_the_same_job(service: FakeService, fens: Path) -> None:
    for more in (("--nodes", 2), ("--nodes", 2), ("--nodes", 3), ("--nodes", 2, "--name", "x")):
        assert await command("analyse", service.address, fens, *more) == 0
    keys = [each.headers["Idempotency-Key"] for each in service.seen if each.method == "POST"]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


async def test_restart_deletes_the_former_job(service: FakeService, fens: Path) -> None:
    service.script("POST /v1/jobs", document(DONE), document({**DONE, "id": "b2"}, 201))
    service.script("DELETE /v1/jobs/a1", plain(204))
    service.script("GET /v1/jobs/b2", document(DONE))
    service.script("GET /v1/jobs/b2/results", lines(*RESULTS))
    assert await command("analyse", service.address, fens, "--nodes", 2, "--restart") == 0
    assert [each.method for each in service.seen[:3]] == ["POST", "DELETE", "POST"]


async def test_detached_job_is_named(
    service: FakeService, fens: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await command("analyse", service.address, fens, "--nodes", 2, "--detach") == 0
    out, err = capsys.readouterr()
    assert out == "a1\n"
    assert f"'rookery-bridge jobs {service.address} results a1 --follow'" in err
    assert len(service.seen) == 1


async def test_job_is_deleted_at_the_end_if_wished(service: FakeService, fens: Path) -> None:
    service.script("DELETE /v1/jobs/a1", plain(204))
    assert await command("analyse", service.address, fens, "--nodes", 2, "--delete") == 0
    assert service.seen[-1].method == "DELETE"


async def test_failures_have_their_reasons(
    service: FakeService, fens: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = {"index": 1, "error": {"code": "illegal-position", "detail": "no \x1b[1mking"}}
    service.script("GET /v1/jobs/a1", document({**DONE, "failed": 1}))
    service.script("GET /v1/jobs/a1/results", lines(RESULTS[0], failed))
    assert await command("analyse", service.address, fens, "--nodes", 2) == 0
    err = capsys.readouterr().err
    assert "1 position of 2 cannot be analysed" in err
    assert "position 2: no ?[1mking" in err
    service.script("GET /v1/jobs/a1", document({**DONE, "failed": 2}))
    assert await command("analyse", service.address, fens, "--nodes", 2) == 1


async def test_games_that_were_read_in_part_have_their_reasons(
    service: FakeService, games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    partly = {"index": 0, "game": {**GAME, "status": "partly", "problems": ["no move 'Qx9'"]}}
    service.script("POST /v1/jobs", document({**GAME_JOB, "state": "running", "done": 0}, 201))
    service.script("GET /v1/jobs/a1", document(GAME_JOB))
    service.script("GET /v1/jobs/a1/annotated.pgn", plain(200, ANNOTATED))
    service.script("GET /v1/jobs/a1/results", lines(partly))
    assert await command("analyse", service.address, games, "--nodes", 2) == 0
    out, err = capsys.readouterr()
    assert out == ANNOTATED
    assert "game 1: no move 'Qx9'" in err


async def test_failed_job_is_resumed_and_may_fail_again(
    service: FakeService, fens: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = {**DONE, "state": "failed", "reason": "the engine dies", "done": 0}
    service.script("POST /v1/jobs", document(failed))
    service.script("POST /v1/jobs/a1/resume", document({**failed, "state": "queued"}))
    service.script("GET /v1/jobs/a1", document(failed))
    service.script("GET /v1/jobs/a1/results", lines())
    assert await command("analyse", service.address, fens, "--nodes", 2) == 1
    assert "the job has failed: the engine dies" in capsys.readouterr().err


async def test_lost_connections_are_no_end(
    service: FakeService, fens: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running = {**DONE, "state": "running", "done": 1}
    service.script("GET /v1/jobs/a1", hang_up, document(running), hang_up, document(DONE))
    service.script(
        "GET /v1/jobs/a1/results", lines(RESULTS[0], cut=True), hang_up, lines(RESULTS[1])
    )
    assert await command("analyse", service.address, fens, "--nodes", 2) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == RESULTS


async def test_refusals_are_shown(
    service: FakeService, fens: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service.script("POST /v1/jobs", problem(404, "unknown-engine", "there is no engine 'x'"))
    assert await command("analyse", service.address, fens, "--nodes", 2, "--engine", "x") == 1
    assert "rookery-bridge: unknown-engine: there is no engine 'x'" in capsys.readouterr().err
    service.script("POST /v1/jobs", problem(429, "quota-cpu", "used up", wait="7200"))
    assert await command("analyse", service.address, fens, "--nodes", 2) == 1
    assert "used up; ask again in 120 minutes" in capsys.readouterr().err


async def test_reason_for_a_wait_is_shown(
    service: FakeService, fens: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    busy = problem(503, "queue-full", "as many wait already as may", wait="1")
    service.script("POST /v1/jobs", busy, busy, document(DONE))
    assert await command("analyse", service.address, fens, "--nodes", 2) == 0
    err = capsys.readouterr().err
    assert err.count("queue-full: as many wait already as may; asking again") == 1


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("FILE",), "needs --nodes, --depth or --movetime"),
        (("FILE", "--nodes", "0"), "a number from 1 on"),
        (("FILE", "--nodes", "1", "-o", "x.pgn"), "use --jsonl FILE"),
        (("FILE", "--nodes", "1", "--jsonl", "FILE"), "is the input"),
        (("FILE", "--nodes", "1", "--token", "rk_a_b"), "use --token-file FILE"),
        (("FILE", "--nodes", "1", "more"), "'more' is too much"),
        (("FILE", "--nodes", "1", "--games", "--jsonl", "-", "-o", "-"), "name a file for one"),
    ],
)
async def test_what_cannot_be_meant_is_said(
    fens: Path, arguments: tuple[str, ...], match: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(fens) if each == "FILE" else each for each in arguments]
    assert await command("analyse", "http://127.0.0.1:1", *given) == 2
    err = capsys.readouterr().err
    assert match in err
    assert "rk_a_b" not in err


@pytest.mark.parametrize(
    ("server", "status", "match"),
    [
        ("http://127.0.0.1:1", 1, "refused"),
        ("tcp://127.0.0.1:1/x", 2, "web port"),
        ("127.0.0.1:1", 2, "no address of a server"),
        ("nobody", 2, "nobody"),
    ],
)
async def test_servers_that_are_none(
    fens: Path, server: str, status: int, match: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await command("analyse", server, fens, "--nodes", 1) == status
    assert match in capsys.readouterr().err


async def test_server_of_an_engine_that_was_set_up(
    service: FakeService,
    fens: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    store = PairingStore(tmp_path / "rookery" / "engines")
    address = Address.parse(f"{service.address.replace('http', 'ws')}/engines/sf")
    store.save(Pairing("mine", address, token="rk_a_b"))
    store.save(Pairing("lines", Address("tcp", "127.0.0.1", 1, "sf")))
    assert await command("analyse", "mine", fens, "--nodes", 2) == 0
    assert service.seen[0].query["engine"] == "sf"
    assert service.seen[0].headers["Authorization"] == "Bearer rk_a_b"
    assert await command("analyse", "mine", fens, "--nodes", 2, "--pin", "00") == 2
    assert "--pin is for an address" in capsys.readouterr().err
    assert await command("jobs", "lines") == 2
    assert "a port for plain lines" in capsys.readouterr().err


async def test_files_that_are_none(
    service: FakeService, tmp_path: Path, fens: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await command("analyse", service.address, tmp_path / "none", "--nodes", 1) == 1
    assert "No such file" in capsys.readouterr().err
    (tmp_path / "empty").write_text("\n")
    assert await command("analyse", service.address, tmp_path / "empty", "--nodes", 1) == 2
    assert "is empty" in capsys.readouterr().err
    nowhere = tmp_path / "no" / "folder"
    assert await command("analyse", service.address, fens, "--nodes", 1, "--jsonl", nowhere) == 1
    assert "No such file" in capsys.readouterr().err


def test_kinds_of_files() -> None:
    for text in (PGN, "1. e4 e5", "\ufeff[Event]", "% x\n\n1. d4", "e4 w"):
        assert kind_of(text.encode()) == GAMES
    for text in (FEN, f"# some\n\n {FEN}", FEN.replace(" 0 1", ' bm e4; id "x";'), f"\ufeff{FEN}"):
        assert kind_of(text.encode()) == POSITIONS


async def test_bridge_starts_without_what_only_these_need() -> None:
    code = "import sys, rookery_bridge.program; sys.exit('aiohttp' in sys.modules)"
    program = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await asyncio.wait_for(program.wait(), TIMEOUT) == 0


# --- Ctrl-C


@pytest.mark.parametrize("more", [(), ("--delete",)])
async def test_interrupt_leaves_the_job_or_deletes_it(
    service: FakeService, fens: Path, more: tuple[str, ...]
) -> None:
    running = {**DONE, "state": "running", "done": 1}
    service.script("GET /v1/jobs/a1", document(running))
    service.script("GET /v1/jobs/a1/results", lines(RESULTS[0]))
    service.script("DELETE /v1/jobs/a1", plain(204))
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "rookery_bridge", "analyse", service.address, str(fens)),
        *("--nodes", "2", *more),
        stdout=PIPE,
        stderr=PIPE,
    )
    await until(lambda: len(service.seen) > 3)
    program.send_signal(signal.SIGINT)
    _, err = await asyncio.wait_for(program.communicate(), TIMEOUT)
    assert program.returncode == 130
    is_deleted = service.seen[-1].method == "DELETE"
    assert is_deleted == bool(more)
    assert (b"deleted the job" if more else b"jobs http://127.0.0.1:") in err


# --- jobs


async def test_jobs_are_listed_and_shown(
    service: FakeService, capsys: pytest.CaptureFixture[str]
) -> None:
    service.script("GET /v1/jobs", document({"jobs": [{**JOB, "seconds_left": 70}]}))
    assert await command("jobs", service.address) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.split() == ["ID", "STATE", "DONE", "LEFT", "LIMITS", "ENGINE", "NAME"]
    assert row.split("  ")[0:2] == ["a1", "running"]
    assert "1 min 10 s" in row
    assert await command("jobs", service.address, "list", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["id"] == "a1"
    assert await command("jobs", service.address, "show", "a1") == 0
    assert "finished" in capsys.readouterr().out
    service.script("GET /v1/jobs", document({"jobs": []}))
    assert await command("jobs", service.address) == 0
    assert capsys.readouterr().out == "no jobs\n"


async def test_jobs_are_changed(service: FakeService, capsys: pytest.CaptureFixture[str]) -> None:
    service.script("POST /v1/jobs/a1/pause", document({**JOB, "state": "paused"}))
    service.script("POST /v1/jobs/a1/resume", document(JOB))
    service.script("DELETE /v1/jobs/a1", plain(204))
    for action, said in (("pause", "paused"), ("resume", "running"), ("delete", "deleted a1")):
        assert await command("jobs", service.address, action, "a1") == 0
        assert said in capsys.readouterr().out


async def test_results_of_a_job_are_fetched(
    service: FakeService, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service.script("GET /v1/jobs/a1/annotated.pgn", plain(200, ANNOTATED))
    file = tmp_path / "out"
    assert await command("jobs", service.address, "results", "a1", "-o", file) == 0
    assert [json.loads(each) for each in file.read_text().splitlines()] == RESULTS
    assert await command("jobs", service.address, "results", "a1", "--after", 0, "--follow") == 0
    assert [json.loads(each) for each in capsys.readouterr().out.splitlines()] == RESULTS[1:]
    assert await command("jobs", service.address, "pgn", "a1") == 0
    assert capsys.readouterr().out == ANNOTATED


@pytest.mark.parametrize(
    ("arguments", "status", "match"),
    [
        (("show",), 2, "needs the id of a job"),
        (("throw", "a1"), 2, "invalid choice"),
        (("results", "a1", "--after", "-2"), 2, "--after"),
        (("show", "none"), 1, "not found"),
    ],
)
async def test_jobs_that_are_none(
    service: FakeService,
    arguments: tuple[str, ...],
    status: int,
    match: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert await command("jobs", service.address, *arguments) == status
    assert match in capsys.readouterr().err


async def test_beginning_of_an_id_will_do_if_it_is_of_one_job(
    service: FakeService, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = problem(404, "unknown-job", "there is no such job")
    listed = document({"jobs": [{**DONE, "id": "abc1"}, {**DONE, "id": "abd2"}]})
    for beginning in ("abc", "ab", "x"):
        service.script(f"GET /v1/jobs/{beginning}", missing)
    service.script("GET /v1/jobs", listed)
    service.script("GET /v1/jobs/abc1", document({**DONE, "id": "abc1"}))
    assert await command("jobs", service.address, "show", "abc") == 0
    assert "abc1" in capsys.readouterr().out
    assert await command("jobs", service.address, "show", "ab") == 1
    assert "2 jobs have an id that begins with 'ab'" in capsys.readouterr().err
    assert await command("jobs", service.address, "show", "x") == 1
    assert "no job has an id" in capsys.readouterr().err
