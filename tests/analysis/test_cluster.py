"""The same with engines on a Ray cluster: by a real one, of one node with four CPUs."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from bench.child import free_port
from bench.cluster import Cluster
from helpers.analyse_program import PATIENCE, AnalyseProgram, write_games

from rookery_protocol.errors import ConfigError
from rookery_server.commands.analyse import run

RESULTS = ("out.pgn", "out.jsonl", "report.csv")
WRITE = ("-o", "out.pgn", "--jsonl", "out.jsonl", "--report", "report.csv")

pytestmark = pytest.mark.timeout(300)


def on(cluster: Cluster) -> tuple[str, ...]:
    return ("--ray", cluster.address, "--ray-token", str(cluster.token), "--restart")


def engines(cluster: Cluster) -> list[int]:
    """Return the engines that the cluster runs."""
    found = []
    for pid in cluster.nodes[0].processes():
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:  # It has ended meanwhile.
            continue
        if any(word.endswith(b"judging_engine.py") for word in words):
            found.append(pid)
    return found


def actor_of(engine: int) -> int:
    return int(Path(f"/proc/{engine}/stat").read_text().rpartition(")")[2].split()[1])


def wait_for_engines(cluster: Cluster, count: int) -> list[int]:
    end = time.monotonic() + PATIENCE
    while len(found := engines(cluster)) != count:
        assert time.monotonic() < end, found
        time.sleep(0.05)
    return found


def test_local_job_resumes_on_a_cluster_with_more_workers_than_places(
    bench: AnalyseProgram, cluster: Cluster
) -> None:
    write_games(bench.folder / "games.pgn", 10, 10)
    command = ("games.pgn", *WRITE, "--engine", "rookery", "--nodes", "10000")
    bench.run(*command)
    here = bench.bytes_of(*RESULTS)
    begin = bench.command(*command, "--workers", "1", "--restart")
    written = bench.folder / "out.jsonl"
    written.unlink()
    with subprocess.Popen(
        begin, cwd=bench.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as begun:
        end = time.monotonic() + PATIENCE
        while not (written.exists() and written.stat().st_size):
            assert time.monotonic() < end
            time.sleep(0.001)
        begun.terminate()
        assert begun.wait(PATIENCE) == 130
    *there, _ = on(cluster)  # without --restart
    done = bench.run(*command, *there, "--workers", "5")
    assert "going on after" in done.stderr
    assert bench.bytes_of(*RESULTS) == here


def test_a_place_that_is_lost_costs_no_game(bench: AnalyseProgram, cluster: Cluster) -> None:
    write_games(bench.folder / "games.pgn", 30, 16)
    bench.run("games.pgn", *WRITE)
    here = bench.bytes_of(*RESULTS)
    written = bench.folder / "out.jsonl"
    written.unlink()
    command = bench.command("games.pgn", *WRITE, *on(cluster), "--workers", "2")
    with subprocess.Popen(
        command, cwd=bench.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as job:
        end = time.monotonic() + PATIENCE
        while not (written.exists() and written.stat().st_size and engines(cluster)):
            assert job.poll() is None
            assert time.monotonic() < end
            time.sleep(0.01)
        os.kill(actor_of(engines(cluster)[0]), signal.SIGKILL)
        _, said = job.communicate(timeout=PATIENCE)
    assert job.returncode == 0, said
    assert b"begun anew, its " in said
    assert b"half-move" not in said  # It is no fault of a position.
    assert bench.bytes_of(*RESULTS) == here
    wait_for_engines(cluster, 0)


@pytest.mark.long
def test_worker_that_waits_for_a_place_reports_it_and_gets_it(
    bench: AnalyseProgram, cluster: Cluster
) -> None:
    write_games(bench.folder / "games.pgn", 2, 4)
    bench.run("games.pgn", *WRITE)
    here = bench.bytes_of(*RESULTS)
    hanging = bench.command(
        "games.pgn", "-o", "other.pgn", *on(cluster), "--option", "Threads=4",
        habits=("hangs:",),
    )  # fmt: skip
    with subprocess.Popen(
        hanging, cwd=bench.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as other:
        wait_for_engines(cluster, 1)
        waiting = subprocess.Popen(
            bench.command("games.pgn", *WRITE, *on(cluster), "--option", "Threads=4"),
            cwd=bench.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert waiting.stderr
        said = waiting.stderr.readline()
        other.terminate()
    _, rest = waiting.communicate(timeout=PATIENCE)
    assert b"there is no place for one more engine at the moment: it is waited for" in said
    assert waiting.returncode == 0, rest
    assert bench.bytes_of(*RESULTS) == here


def test_cluster_that_does_not_answer_is_an_error(bench: AnalyseProgram, tmp_path: Path) -> None:
    write_games(bench.folder / "games.pgn", 1, 2)
    (tmp_path / "token").write_text("x" * 64)
    head = f"127.0.0.1:{free_port()}"
    nowhere = ("--ray", head, "--ray-token", "token")
    failed = bench.run("games.pgn", *WRITE, *nowhere, status=1)
    assert "the Ray cluster cannot be joined" in failed.stderr
    assert "Traceback" not in failed.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--ray", "127.0.0.1:1", "--ray-token", "none"], "cannot read none: No such file"),
        (["--ray", "127.0.0.1:1", "--ray-token", "empty"], "empty is empty"),
        (["--ray", "127.0.0.1:1", "--engine", "ws://x/y"], "--ray is for engines of a cluster"),
        (["--ray", "no.such.host.invalid:1", "--ray-token", "token"], "--ray: there is no way to"),
    ],
)
def test_impossible_cluster_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_games(tmp_path / "games.pgn", 1, 2)
    (tmp_path / "empty").touch()
    (tmp_path / "token").write_text("x")
    with pytest.raises(ConfigError, match=re.escape(text)):
        run(["games.pgn", "-o", "x.pgn", "--nodes", "9", *arguments])


def test_an_address_without_a_port_is_no_head(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["games.pgn", "-o", "x.pgn", "--nodes", "9", "--ray", "head"])
    assert "--ray needs HOST:PORT of the head" in capsys.readouterr().err
