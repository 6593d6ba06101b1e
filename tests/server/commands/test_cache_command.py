"""`rookery-server cache`: what the operator sees and removes."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import chess
import pytest

from rookery_analysis.evaluation import PositionEvaluation
from rookery_server.__main__ import run
from rookery_server.cache.cache_query import StoredEvaluation
from rookery_server.cache.evaluation_store import EvaluationStore
from rookery_server.config.sections import CacheConfig, database_url

SAID = b"info depth 20 multipv 1 score cp 31 nodes 5000 time 700 pv e2e4\n"
A_YEAR = 31_536_000  # s of the epoch: long ago


@pytest.fixture
def config(tmp_path: Path) -> str:
    """Return the configuration of a server that keeps three analyses in a file beside it."""
    evaluation = PositionEvaluation.of_search(SAID, chess.Board())
    assert evaluation
    store = EvaluationStore(f"sqlite:///{tmp_path / 'kept.sqlite'}")
    rows = [
        StoredEvaluation(key, account, engine, "startpos", evaluation, A_YEAR)
        for key, account, engine in (("a", "", "E 1"), ("b", "anna", "E 1"), ("c", "anna", "E 2"))
    ]
    store.store_rows(rows, {}, 100)
    store.close()
    path = tmp_path / "rookery.toml"
    path.write_text('[cache]\nfile = "kept.sqlite"\n')
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["cache", *arguments]) == 0
    return capsys.readouterr().out


def test_show_says_what_is_kept_and_where(
    config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where, ages, *engines = said(capsys, "show", "--config", config).splitlines()
    assert where.startswith(f"{tmp_path / 'kept.sqlite'}: 3 analyses, 0.")
    assert ages == "stored from 1971-01-01 00:00 to 1971-01-01 00:00"
    assert [line.split(maxsplit=1) for line in engines] == [["2", "E 1"], ["1", "E 2"]]
    shown = json.loads(said(capsys, "show", "--json", "--config", config))
    assert shown["rows"] == 3
    assert shown["engines"] == {"E 1": 2, "E 2": 1}


def test_show_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path / 'new.sqlite'}"
    EvaluationStore(url).close()
    assert " 0 analyses, " in said(capsys, "show", "--url", url)


def test_prune_and_clear_say_how_many_they_have_removed(
    config: str, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ("--config", config)
    assert said(capsys, "prune", "--rows", "10", *at) == "0 removed\n"
    assert said(capsys, "clear", "--account", "anna", "--engine", "E 2", *at) == "1 removed\n"
    assert said(capsys, "prune", "--rows", "1", *at) == "1 removed\n"
    assert said(capsys, "prune", "--days", "30", *at) == "1 removed\n"
    assert said(capsys, "clear", *at) == "0 removed\n"


def test_usual_place_is_the_users_or_that_of_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shown() -> str:
        EvaluationStore(database_url(CacheConfig(), os.environ)).close()
        return said(capsys, "show")

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "user"))
    assert shown().startswith(f"{tmp_path}/user/rookery/cache.sqlite: ")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "service"))
    assert shown().startswith(f"{tmp_path}/service/cache.sqlite: ")
    for name in ("XDG_STATE_HOME", "STATE_DIRECTORY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert shown().startswith(f"{tmp_path}/home/.local/state/rookery/cache.sqlite: ")


ACTIONS = [("show",), ("show", "--json"), ("prune", "--rows", "1"), ("clear",)]


@pytest.mark.parametrize("action", ACTIONS)
def test_what_is_not_there_is_not_made(
    action: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["cache", *action, "--url", f"sqlite:///{tmp_path}/deep/typo.sqlite"]) == 1
    assert "deep/typo.sqlite: there is no such file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("action", ACTIONS)
def test_database_of_something_else_is_left_as_it_is(
    action: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = tmp_path / "foreign.sqlite"
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE games (pgn TEXT)")
    before = foreign.read_bytes()
    assert run(["cache", *action, "--url", f"sqlite:///{foreign}"]) == 1
    assert "tables of something else" in capsys.readouterr().err
    assert foreign.read_bytes() == before
    assert list(tmp_path.iterdir()) == [foreign]


def test_nobody_is_told_to_remove_a_file_that_is_not_the_servers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "passwd"
    text.write_text("root:x:0:0:root:/root:/bin/bash\n" * 100)
    assert run(["cache", "show", "--url", f"sqlite:///{text}"]) == 1
    complaint = capsys.readouterr().err
    assert "not a database; see that it is the server's file" in complaint
    assert "remove " not in complaint


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("show", "--url", "sqlite:////proc/none/cache.sqlite"), 1, "/proc/none"),
        (("show", "--url", "oracle://x"), 2, "needs 'postgresql://"),
        (("show", "--config", "/no/such/file"), 2, "cannot read /no/such/file"),
    ],
)
def test_errors_are_sentences(
    arguments: tuple[str, ...], status: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["cache", *arguments]) == status
    assert sentence in capsys.readouterr().err


def test_prune_wants_to_know_what(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cache", "prune", "--url", "sqlite:////x"]) == 2
    assert "--rows or --days" in capsys.readouterr().err
