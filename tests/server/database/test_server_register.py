"""The register of servers: the same rules for SQLite and PostgreSQL."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import sqlalchemy as sa

from rookery_server.database.database import Database
from rookery_server.database.server_register import Attendance, OwnClaims, ServerRegister
from rookery_server.database.tables import job_claims, job_servers, project_claims


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


def register_of(database: Database, work: str, claims: sa.Table) -> ServerRegister:
    return ServerRegister(database, work, claims, OwnClaims())


def test_servers_at_other_work_are_no_others_and_never_given_up(database: Database) -> None:
    jobs = register_of(database, "jobs", job_claims)
    projects = register_of(database, "projects", project_claims)
    with database.writing() as connection:
        one, two, other = (each.enter(connection) for each in (jobs, jobs, projects))
        for now in range(0, 31, 5):
            assert jobs.show_presence(connection, one, now) == Attendance(is_known=True, others=1)
        assert jobs.show_presence(connection, one, 35) == Attendance(is_known=True, others=0)
        assert connection.execute(jobs.present()).scalars().all() == [one]
        assert connection.execute(projects.present()).scalars().all() == [other]
        assert not jobs.show_presence(connection, two, 36).is_known


def test_server_of_an_older_version_is_one_at_jobs(database: Database) -> None:
    register = register_of(database, "jobs", job_claims)
    with database.writing() as connection:
        old = "INSERT INTO job_servers (number, machine, process, seen) VALUES (7, 'm', '1 1', 1)"
        connection.execute(sa.text(old))
        assert connection.execute(register.present()).scalars().all() == [7]


def test_number_that_another_server_has_by_now_is_not_ones_own(database: Database) -> None:
    first, second = (register_of(database, "jobs", job_claims) for _ in range(2))
    second.identity = replace(second.identity, process="another")
    with database.writing() as connection:
        number = first.enter(connection)
        first.remove(connection, [number])
        connection.execute(
            sa.insert(job_servers).values(
                number=number, work="jobs", machine=second.identity.machine,
                process=second.identity.process, seen=1,
            )
        )  # fmt: skip
        assert not first.show_presence(connection, number, 0.0).is_known
        assert second.show_presence(connection, number, 0.0).is_known
