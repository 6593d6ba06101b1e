"""`rookery-server check`: what it finds that a server would stumble over later."""

import os
import re
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from bench.postgres import postgres
from helpers.serving import SERVER
from helpers.support import TIMEOUT, add_token, odd

from rookery_server.cache.evaluation_store import EvaluationStore
from rookery_server.commands import check_command as check_module
from rookery_server.database.tables import metadata
from rookery_server.explorer.build import BuildOptions, build

TABLES = Path(__file__).parents[2] / "data" / "syzygy"

POLITE = f"[engines.polite]\ncommand = {list(odd('polite'))}\n"


def check(folder: Path, text: str, **variables: str) -> tuple[int, str, str]:
    """Check a configuration; return the status, and what is said."""
    (folder / "rookery.toml").write_text(text)
    done = subprocess.run(
        [SERVER, "check", "--config", "rookery.toml"],
        cwd=folder, env=os.environ | variables, capture_output=True, text=True,
        timeout=TIMEOUT, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def served(folder: Path) -> tuple[int, str]:
    """Serve by a configuration that cannot be used; return the status, and what is said."""
    done = subprocess.run(
        [SERVER, "--config", "rookery.toml"],
        cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


def test_proxies_that_are_nearly_everybody_are_doubtful(tmp_path: Path) -> None:
    add_token(tmp_path / "tokens")
    server = "[server]\nport = 0\ntcp_port = 0\ntokens = 'tokens'\ntrusted_proxies = "
    doubt = "doubtful: server.trusted_proxies has ::/0, which is nearly everybody"
    status, said, _ = check(tmp_path, f"{server}['::/0']\n{POLITE}")
    assert status == 0
    assert doubt in said
    assert "doubtful" not in check(tmp_path, f"{server}['10.0.0.0/8']\n{POLITE}")[1]


def test_cache_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    status, said, _ = check(tmp_path, f"[cache]\nfile = 'pipe'\n{POLITE}")
    assert status == 2
    assert "pipe, but that is no file" in said


def test_ports_of_one_number_are_refused_by_the_server_too(tmp_path: Path) -> None:
    status, _, errors = check(tmp_path, f"[metrics]\nport = 8080\n{POLITE}")
    assert status == 2
    assert errors == (
        "rookery-server: server.port and metrics.port are both 8080: each needs a port of its own\n"
    )
    assert served(tmp_path) == (2, errors)


@pytest.mark.parametrize(
    ("socket", "why"),
    [
        ("none/socket", r"\S+/none is no folder that you may write into"),
        ("rookery.toml", "is there already, and is no socket"),
        ("x" * 108, "a socket's path has 107 bytes at most"),
    ],
)
def test_place_of_the_operators_socket(tmp_path: Path, socket: str, why: str) -> None:
    status, _, errors = check(tmp_path, f"[control]\nsocket = {socket!r}\n{POLITE}")
    assert status == 2
    assert re.search(rf"control\.socket {socket}:? {why}", errors), errors
    assert served(tmp_path) == (2, errors)


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("rookery.toml/cache", "nothing can be made in "),
        ("rookery.toml", "that is no database of SQLite"),
        (".", "it cannot be opened: Is a directory"),
    ],
)
def test_file_of_analyses(tmp_path: Path, file: str, why: str) -> None:
    status, out, _ = check(tmp_path, f"[cache]\nfile = {file!r}\n{POLITE}")
    assert f", but {why}" in out
    assert status == 2
    # Without one in the usual place a server does, as nobody has asked for it.
    usual = {"XDG_STATE_HOME": str(tmp_path / "rookery.toml")}
    status, out, _ = check(tmp_path, POLITE, **usual)
    assert ", but nothing can be made in " in out
    assert status == 0


def test_file_of_analyses_is_neither_made_nor_changed(tmp_path: Path) -> None:
    assert check(tmp_path, f"[cache]\nfile = 'deep/cache'\n{POLITE}")[0] == 0
    assert not (tmp_path / "deep").exists()
    (tmp_path / "cache").touch()
    assert check(tmp_path, f"[cache]\nfile = 'cache'\n{POLITE}")[0] == 0
    assert not (tmp_path / "cache").stat().st_size


def test_paths_behind_aliases(tmp_path: Path) -> None:
    text = "[engines.own]\ncommand = 'rookery-engine'\naliases.SyzygyPath = {{ small = '{}' }}\n"
    status, out, _ = check(tmp_path, text.format(f"{tmp_path}:/no/such"))
    assert status == 2
    assert "engine own: aliases.SyzygyPath.small: there is no /no/such: " in out
    for good in (f"{tmp_path}:/", "beside-the-engine"):
        assert check(tmp_path, text.format(good))[0] == 0


# --- a database of analyses


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres() as url:
        yield url


def said_of_database(folder: Path, url: str) -> tuple[int, str]:
    """Check a configuration with a database; return the status, and what is said of it."""
    status, out, errors = check(folder, f"[cache]\nurl = {url!r}\n{POLITE}")
    assert not errors
    assert "hunter2" not in out
    return status, next(line for line in out.splitlines() if line.startswith("keeps analyses"))


def sql(url: str, text: str) -> list[tuple[object, ...]]:
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        result = connection.execute(sa.text(text))
        rows = [tuple(row) for row in result] if result.returns_rows else []
    engine.dispose()
    return rows


def test_database_is_tried_and_stays_as_it_was(tmp_path: Path, database: str) -> None:
    ok = 0, f"keeps analyses: in a database at {database.partition('host=')[2]}"
    assert said_of_database(tmp_path, database) == ok
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    assert sql(database, tables) == []
    EvaluationStore(database).close()
    assert said_of_database(tmp_path, database) == ok
    assert sql(database, "SELECT count(*) FROM evaluations") == [(0,)]


def test_database_in_which_the_server_may_not_write(tmp_path: Path, database: str) -> None:
    tables = ", ".join(["alembic_version", *metadata.tables])
    sql(database, f"DROP TABLE IF EXISTS {tables}; CREATE ROLE anna LOGIN")
    sql(database, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    anna = database.replace("postgres@", "anna:hunter2@")
    status, said = said_of_database(tmp_path, anna)
    assert (status, "permission denied for schema public" in said) == (2, True)
    EvaluationStore(database).close()
    sql(database, "GRANT SELECT ON evaluations, alembic_version TO anna")
    status, said = said_of_database(tmp_path, anna)
    assert (status, "permission denied for table evaluations" in said) == (2, True)
    sql(database, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO anna")
    assert said_of_database(tmp_path, anna)[0] == 0


@pytest.mark.parametrize(("url", "why"), [
    ("postgresql://anna:hunter2@127.0.0.1:1/x", "Connection refused"),
    ("postgresql://anna@/x?host=/none&password=hunter2", "No such file or directory"),
    ("postgresql://anna:hunter2@no-such-host.invalid/x", "failed to resolve host"),
    ("postgresql://anna:hunter2@127.0.0.1:port/x", "the database's URL cannot be read"),
    ("postgresql://anna:hunter2@127.0.0.1:1/x?shape=round", "invalid connection option"),
])  # fmt: skip
def test_database_that_cannot_be_used(tmp_path: Path, url: str, why: str) -> None:
    status, said = said_of_database(tmp_path, url)
    assert (status, why in said) == (2, True), said


def test_database_that_never_answers_is_waited_for_no_longer_than_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(check_module, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        trouble = check_module._trouble_of_database(f"postgresql://anna@127.0.0.1:{port}/x")
    assert trouble == "it has not answered within 0.1 s"


def test_tables_and_games_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    text = f"[tablebases]\npath = 'tables'\n[explorer]\nfile = 'games'\n{POLITE}"
    status, out, _ = check(tmp_path, text)
    assert status == 2
    assert "tablebases: tablebases.path: " in out
    assert "games for the explorer: explorer.file: cannot read " in out
    (tmp_path / "tables").symlink_to(TABLES)
    (tmp_path / "games.pgn").write_text('[Result "1-0"]\n\n1. e4 1-0\n')
    build([str(tmp_path / "games.pgn")], tmp_path / "games", BuildOptions())
    status, out, _ = check(tmp_path, text)
    assert (status, "tablebases: up to 4 men" in out) == (0, True)
