"""The register of servers: the same rules for SQLite and PostgreSQL."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from rookery_server.database.database import Database
from rookery_server.database.server_register import Attendance, ServerRegister
from rookery_server.database.silences import Silences


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


def test_servers_at_other_work_are_no_others_and_never_given_up(database: Database) -> None:
    jobs, projects = (ServerRegister(database, work, Silences()) for work in ("jobs", "projects"))
    with database.writing() as connection:
        one, two, other = (each.enter(connection) for each in (jobs, jobs, projects))
        for now in range(0, 31, 5):
            assert jobs.show_presence(connection, one, now) == Attendance(is_known=True, others=1)
        assert jobs.show_presence(connection, one, 35) == Attendance(is_known=True, gone=[two])
        jobs.remove(connection, [two])
        assert connection.execute(jobs.present()).scalars().all() == [one]
        assert connection.execute(projects.present()).scalars().all() == [other]
        assert not jobs.show_presence(connection, two, 36).is_known


def test_server_of_an_older_version_is_one_at_jobs(database: Database) -> None:
    register = ServerRegister(database, "jobs", Silences())
    with database.writing() as connection:
        old = "INSERT INTO job_servers (number, machine, process, seen) VALUES (7, 'm', '1 1', 1)"
        connection.execute(sa.text(old))
        assert connection.execute(register.present()).scalars().all() == [7]
