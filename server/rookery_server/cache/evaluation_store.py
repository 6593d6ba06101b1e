"""The evaluations in the database.  All calls block, and belong to one thread."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from rookery_analysis.evaluation import PositionEvaluation
from rookery_server.cache.cache_query import StoredEvaluation
from rookery_server.database.database import Database
from rookery_server.database.tables import evaluations

_SPARE = 100  # one of so many is removed beyond the surplus, so that it is not done each time


@dataclass(frozen=True, slots=True)
class Summary:
    """The number of evaluations in a database, by engine; times are of the epoch."""

    rows: int
    oldest: int | None
    newest: int | None
    engines: Mapping[str, int]


class EvaluationStore:
    """An open database; `close` it."""

    def __init__(self, url: str, *, may_begin: bool = True, is_trial: bool = False) -> None:
        """Open a database, and upgrade its tables.

        Args:
            url: the URL of the database.
            may_begin: create the tables if there are none yet.
            is_trial: undo all that, after a trial of everything that a server does with it.

        Raises:
            StoreError: it cannot be used, or belongs to another program.

        """
        self._database = Database(url, may_begin=may_begin, is_trial=is_trial)

    @property
    def location(self) -> str:
        """The file or the URL, without a password."""
        return self._database.location

    def size(self) -> int:
        """Return the size in bytes."""
        if self._database.is_file:
            return sum(each.stat().st_size for each in self._database.files)
        from sqlalchemy.dialects import postgresql  # As in `Database.insert`.

        name = sa.cast(evaluations.name, postgresql.REGCLASS)
        with self._database.reading() as connection:
            found = connection.execute(sa.select(sa.func.pg_total_relation_size(name)))
            return int(found.scalar_one())

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def evaluations_of(self, key: str) -> list[PositionEvaluation]:
        """Return the evaluations of a key, each with another number of variations."""
        return self.evaluations_of_all([key]).get(key, [])

    def evaluations_of_all(self, keys: Collection[str]) -> dict[str, list[PositionEvaluation]]:
        """Return the evaluations of many keys at once; keys without any are missing."""
        table = evaluations.c
        query = sa.select(table.key, table.lines, table.stored).where(table.key.in_(keys))
        found: defaultdict[str, list[PositionEvaluation]] = defaultdict(list)
        with self._database.reading() as connection:
            for key, lines, stored in connection.execute(query):
                if evaluation := PositionEvaluation.parse(lines, stored):
                    found[key].append(evaluation)
        return found

    def count(self) -> int:
        """Return the number of evaluations."""
        with self._database.reading() as connection:
            return _count(connection)

    def store_rows(
        self, rows: Sequence[StoredEvaluation], used: Mapping[str, int], most: int
    ) -> int:
        """Store evaluations that are better than those that are there; return how many there are.

        Args:
            rows: the evaluations.
            used: the keys that were used, and the times, in seconds of the epoch.
            most: the number of evaluations to keep: those that were used last.

        """
        with self._database.writing() as connection:
            if rows:
                connection.execute(self._upsert(), [each.values() for each in rows])
            for key, when in used.items():
                here = evaluations.c.key == key
                connection.execute(sa.update(evaluations).where(here).values(used=when))
            count = _count(connection)
            if count > most:
                count -= _remove_least_used(connection, count - most + most // _SPARE)
        return count

    def try_writing(self) -> None:
        """Check that there is room for a batch."""
        self._database.try_writing()

    def prune(self, most: int | None = None, before: int | None = None) -> int:
        """Remove evaluations beyond a number, and those that were last used before a time."""
        with self._database.writing() as connection:
            removed = 0
            if before is not None:
                old = sa.delete(evaluations).where(evaluations.c.used < before)
                removed += connection.execute(old).rowcount
            if most is not None and (surplus := _count(connection) - most) > 0:
                removed += _remove_least_used(connection, surplus)
        return removed

    def clear(self, engine: str | None = None, account: str | None = None) -> int:
        """Remove all, or those of an engine or an account; return how many."""
        query = sa.delete(evaluations)
        if engine is not None:
            query = query.where(evaluations.c.engine == engine)
        if account is not None:
            query = query.where(evaluations.c.account == account)
        with self._database.writing() as connection:
            return connection.execute(query).rowcount

    def summary(self) -> Summary:
        """Return the numbers of evaluations."""
        table = evaluations.c
        ages = sa.select(sa.func.count(), sa.func.min(table.stored), sa.func.max(table.stored))
        names = sa.select(table.engine, sa.func.count()).group_by(table.engine)
        with self._database.reading() as connection:
            rows, oldest, newest = connection.execute(ages.select_from(evaluations)).one()
            engines = {str(name): int(count) for name, count in connection.execute(names)}
        return Summary(rows, oldest, newest, dict(sorted(engines.items())))

    # --- private

    def _upsert(self) -> sa.Insert:
        table = evaluations.c
        insert = self._database.insert(evaluations)
        new = insert.excluded
        is_better = (new.depth > table.depth) | (
            (new.depth == table.depth) & (new.nodes > table.nodes)
        )
        fresh = {each.name: new[each.name] for each in evaluations.columns if not each.primary_key}
        return insert.on_conflict_do_update(
            index_elements=[table.key, table.variations], set_=fresh, where=is_better
        )


def _count(connection: sa.Connection) -> int:
    return connection.execute(sa.select(sa.func.count()).select_from(evaluations)).scalar_one()


def _remove_least_used(connection: sa.Connection, count: int) -> int:
    table = evaluations.c
    row = table.key, table.variations
    oldest = sa.select(*row).order_by(table.used, table.depth).limit(count)
    return connection.execute(sa.delete(evaluations).where(sa.tuple_(*row).in_(oldest))).rowcount
