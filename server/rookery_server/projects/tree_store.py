"""The tree of one project, as rows of the database within one transaction.

What was read stays in memory, and what is changed is written at the end, or when there is much of
it: a tree is never read whole.  Each row is checked when it is read.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import chain, islice
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from rookery_server.database.database import insert_by
from rookery_server.database.tables import project_links, project_nodes, projects
from rookery_server.growth.candidate_text import candidate_text, parse_candidates
from rookery_server.growth.node import ROOT, Kind, Node
from rookery_server.growth.value import is_valid
from rookery_server.projects.stored_project import DamageError

PORTION = 500  # rows that are read at once
READ = 50  # nodes that are read at once, with those behind them, where all are
MOST_KEPT = 5000  # nodes in memory: 10 MB

_PLAIN = (
    "number", "key", "phase", "rank", "found_by", "own", "depth", "nodes", "engine", "value",
    "priority", "is_proven", "is_claimed", "size", "turned",
    "height", "grown", "asked",
)  # fmt: skip
# That are never negative.
_NUMBERS = (
    "phase", "rank", "depth", "nodes", "engine", "size", "turned", "found_by", "height", "grown",
    "asked",
)  # fmt: skip
_KEY = re.compile(r"\S{1,100} [wb] \S{1,20} \S{1,3}( .{1,100})?")
_SHOWN = 60  # characters of what is wrong
_nodes, _links = project_nodes.c, project_links.c
_here = _nodes.project == sa.bindparam("of")
_SELECT = sa.select(project_nodes)
_BY_NUMBER = _SELECT.where(_here & (_nodes.number == sa.bindparam("at")))
# Not in an order: SQLite would take it from the numbers' index, and look at the whole tree.
_BY_HASH = _SELECT.where(_here & (_nodes.hash == sa.bindparam("at")))
_BEHIND = (
    _SELECT.where(_here & (_nodes.number > sa.bindparam("at")))
    .order_by(_nodes.number)
    .limit(sa.bindparam("most"))
)
_BY_NUMBERS = _SELECT.where(_here & _nodes.number.in_(sa.bindparam("some", expanding=True)))
_ROOTS = (
    sa.select(project_nodes, projects.c.number.label("of"))
    .join(projects, sa.func.coalesce(projects.c.tree, projects.c.number) == _nodes.project)
    .where(_nodes.number == ROOT)
    .where(projects.c.number.in_(sa.bindparam("some", expanding=True)))
)
_BY_HASHES = _SELECT.where(_here & _nodes.hash.in_(sa.bindparam("some", expanding=True)))
_SIZES = _BY_NUMBERS.with_only_columns(_nodes.number, _nodes.size, _nodes.found_by)
_TURNED = (
    _SELECT.where(_here & (_nodes.turned > sa.bindparam("at")))
    .order_by(_nodes.turned.desc())
    .limit(sa.bindparam("most"))
)
_NEWEST = (
    sa.select(_nodes.number).where(_here).order_by(_nodes.number.desc()).limit(sa.bindparam("most"))
)
_NUMBERS_BEHIND = _BEHIND.with_only_columns(_nodes.number)
_LEAST_PHASE = sa.select(sa.func.min(_nodes.phase)).where(
    _here & (_nodes.phase > sa.bindparam("phase"))
)
_of_phase = _here & (_nodes.phase == sa.bindparam("phase"))
_MOST_RANK = sa.select(sa.func.max(_nodes.rank)).where(
    _of_phase & (_nodes.rank < sa.bindparam("rank"))
)
_OF_RANK = (
    sa.select(_nodes.number)
    .where(_of_phase & (_nodes.rank == sa.bindparam("rank")))
    .where(_nodes.number > sa.bindparam("at"))
    .order_by(_nodes.number)
    .limit(sa.bindparam("most"))
)
_PARENTS = (
    sa.select(_links.parent)
    .where((_links.project == sa.bindparam("of")) & (_links.child == sa.bindparam("at")))
    .order_by(_links.parent)
)
_INSERT = sa.insert(project_nodes)
# What hardly ever changes is left alone, for it is in indices.
_PLACE = ("hash", "key", "phase", "rank", "found_by", "turned")
_REST = tuple(each.name for each in _nodes if not each.primary_key and each.name not in _PLACE)
_THIS_ROW = sa.update(project_nodes).where(_here & (_nodes.number == sa.bindparam("at")))
_UPDATE, _UPDATE_PLACE = (
    _THIS_ROW.values({name: sa.bindparam(name) for name in names}) for names in (_REST, _PLACE)
)
_ABOVE_ALL = 2**31 - 1  # ranks


def select_roots(connection: sa.Connection, numbers: Sequence[int]) -> dict[int, Node]:
    """Return the roots of trees by the numbers of their projects; without damaged ones."""
    found = {}
    for first in range(0, len(numbers), PORTION):
        rows = connection.execute(_ROOTS, {"some": numbers[first : first + PORTION]})
        for row in rows:
            with suppress(DamageError):
                found[row.of] = node_of_row(row)
    return found


class TreeReader:
    """The nodes of a project, which are only read."""

    def __init__(self, connection: sa.Connection, project: int) -> None:
        self._connection = connection
        self._project = project

    def node(self, number: int) -> Node:
        """Return a node by its number.

        Raises:
            DamageError: there is none, or its row is damaged.

        """
        if (row := self._rows(_BY_NUMBER, at=number).first()) is None:
            raise DamageError(f"node {number} is missing")
        return node_of_row(row)

    def node_of(self, key: str) -> Node | None:
        """Return the node of a position; None if there is none."""
        rows = self._rows(_BY_HASH, at=hash_of(key))
        return next((node_of_row(row) for row in rows if row.key == key), None)

    def numbers(self) -> Iterator[int]:
        """Return the numbers of all nodes, rising."""
        last = 0
        while found := self._rows(_NUMBERS_BEHIND, at=last, most=PORTION).scalars().all():
            yield from found
            last = found[-1]

    def nodes_behind(self, number: int, most: int = PORTION) -> list[Node]:
        """Return the next nodes behind a number, as an export reads them."""
        return [node_of_row(row) for row in self._rows(_BEHIND, at=number, most=most)]

    def nodes_of(self, numbers: Iterable[int]) -> dict[int, Node]:
        """Return nodes by their numbers, as they are stored; what does not exist is left out."""
        return {row.number: node_of_row(row) for row in self._rows_of(_BY_NUMBERS, numbers)}

    def sizes_of(self, numbers: Iterable[int]) -> dict[int, tuple[int, int | None]]:
        """Return the sizes of nodes by their numbers, and the nodes that they were found from."""
        rows = self._rows_of(_SIZES, numbers)
        return {row.number: (row.size, row.found_by) for row in rows}

    def _rows_of(self, query: sa.Select[Any], numbers: Iterable[int]) -> Iterator[sa.Row[Any]]:
        wanted = sorted(set(numbers))
        for first in range(0, len(wanted), PORTION):
            some = wanted[first : first + PORTION]
            yield from self._connection.execute(query, {"of": self._project, "some": some})

    def newly_turned(self, after: int, most: int = PORTION) -> list[Node]:
        """Return the nodes whose best move has changed behind a count, the last ones first."""
        return [node_of_row(row) for row in self._rows(_TURNED, at=after, most=most)]

    def newest(self, most: int) -> list[int]:
        """Return the numbers of the last nodes, falling."""
        return list(self._rows(_NEWEST, most=most).scalars())

    def parents(self, number: int) -> Sequence[int]:
        """Return the numbers of the nodes that are linked to a child, rising."""
        return self._rows(_PARENTS, at=number).scalars().all()

    def bottom_up(self, after: tuple[int, int, int] | None = None) -> Iterator[int]:
        """Return the numbers of all nodes by `Node.order`, rising, then by number.

        They begin behind a place, if that is given: a phase, a rank and a number.
        """
        phase, rank, number = after or (-1, 0, 0)
        while True:
            yield from self._of_rank(phase, rank, number)
            if (next_one := self._next_rank(phase, rank)) is None:
                return
            (phase, rank), number = next_one, 0

    def _next_rank(self, phase: int, rank: int) -> tuple[int, int] | None:
        """Return the next phase and rank that there are; None if there are no more."""
        lower = self._rows(_MOST_RANK, phase=phase, rank=rank).scalar()
        if lower is not None:
            return phase, lower
        phase = self._rows(_LEAST_PHASE, phase=phase).scalar_one()
        if phase is None:
            return None
        return phase, self._rows(_MOST_RANK, phase=phase, rank=_ABOVE_ALL).scalar_one()

    def _of_rank(self, phase: int, rank: int, last: int) -> Iterator[int]:
        place = {"phase": phase, "rank": rank, "most": PORTION}
        while found := self._rows(_OF_RANK, at=last, **place).scalars().all():
            yield from found
            last = found[-1]

    def _rows(self, query: sa.Select[Any], **values: int) -> sa.CursorResult[Any]:
        return self._connection.execute(query, {"of": self._project, **values})


class TreeStore(TreeReader):
    """The nodes of a project, which may be changed; `flush` writes what was changed."""

    def __init__(self, connection: sa.Connection, project: int, last: int) -> None:
        """Make a store.

        Args:
            connection: of a transaction that has locked the project.
            project: its number.
            last: the number of the last node that it has.

        """
        super().__init__(connection, project)
        self.last = last
        self._kept: dict[int, Node] = {}
        self._numbers_of: dict[str, int | None] = {}  # of keys; None: there is no such position
        self._parents: dict[int, Sequence[int]] = {}  # of the numbers of nodes
        self._new: set[int] = set()
        self._changed: set[int] = set()
        self._moved: set[int] = set()  # of those, the ones with another `_PLACE`
        self._new_links: list[dict[str, int]] = []
        insert = insert_by(connection.dialect.name, project_links)
        self._insert_link = insert.on_conflict_do_nothing()

    def node(self, number: int) -> Node:
        """Return a node by its number.

        Raises:
            DamageError: there is none, or its row is damaged.

        """
        if (node := self._kept.get(number)) is None:
            node = super().node(number)
            self._keep(node)
        return node

    def node_of(self, key: str) -> Node | None:
        """Return the node of a position; None if there is none."""
        if key not in self._numbers_of:
            if node := super().node_of(key):
                self._keep(node)
            else:
                self._numbers_of[key] = None
        number = self._numbers_of[key]
        return None if number is None else self._kept[number]

    def read_nodes(self, numbers: Iterable[int]) -> None:
        """Read at once those of some nodes that are not in memory, as far as they exist."""
        for node in self.nodes_of(set(numbers) - self._kept.keys()).values():
            self._keep(node)

    def read_positions(self, keys: Iterable[str]) -> None:
        """Read at once the nodes of those of some positions that are not in memory."""
        wanted = set(keys) - self._numbers_of.keys()
        nodes = [node_of_row(row) for row in self._rows_of(_BY_HASHES, map(hash_of, wanted))]
        for key in wanted.difference(each.key for each in nodes):
            self._numbers_of[key] = None
        for node in nodes:
            self._keep(node)

    def parents(self, number: int) -> Sequence[int]:
        """Return the numbers of the nodes that are linked to a child, rising."""
        if (found := self._parents.get(number)) is None:
            self._flush_links()
            found = self._parents[number] = super().parents(number)
        return found

    def add(self, node: Node) -> int:
        """Store a node that has no number; return the one that it gets."""
        self.last += 1
        self._keep(replace(node, number=self.last))
        self._new.add(self.last)
        return self.last

    def write(self, node: Node) -> None:
        """Store a node in place of the one before."""
        if node.number not in self._new:
            if _place_of(node) != _place_of(self.node(node.number)):
                self._moved.add(node.number)
            self._changed.add(node.number)
        self._keep(node)

    def link(self, parent: int, child: int) -> None:
        """Store that a candidate of one node leads to another, once."""
        self._new_links.append({"project": self._project, "child": child, "parent": parent})
        self._parents.pop(child, None)

    def numbers(self) -> Iterator[int]:
        """Return the numbers of all nodes, rising."""
        self.flush()
        return super().numbers()

    def bottom_up(self, after: tuple[int, int, int] | None = None) -> Iterator[int]:
        """Return the numbers of all nodes by `Node.order`, rising, then by number.

        Some of these nodes and those that their moves lead to are read at once.
        """
        self.flush()
        numbers = super().bottom_up(after)
        while some := list(islice(numbers, READ)):
            self.read_nodes(some)
            children = (self._kept[each].candidates for each in some if each in self._kept)
            self.read_nodes(each.child for each in chain.from_iterable(children) if each.child)
            yield from some

    def flush(self) -> None:
        """Write what was changed."""
        self._flush_links()
        if self._new:
            rows = [row_of_node(self._kept[each]) for each in sorted(self._new)]
            project = {"project": self._project}
            self._connection.execute(_INSERT, [row | project for row in rows])
        if self._changed:
            changes = {each: row_of_node(self._kept[each]) for each in sorted(self._changed)}
            self._update(_UPDATE, _REST, changes)
            if moved := self._changed & self._moved:
                places = {each: changes[each] for each in sorted(moved)}
                self._update(_UPDATE_PLACE, _PLACE, places)
        self._new.clear()
        self._changed.clear()
        self._moved.clear()

    def _update(
        self, query: sa.Update, names: Sequence[str], rows: Mapping[int, Mapping[str, Any]]
    ) -> None:
        changes = [
            {"of": self._project, "at": number, **{name: row[name] for name in names}}
            for number, row in rows.items()
        ]
        self._connection.execute(query, changes)

    def _flush_links(self) -> None:
        if self._new_links:
            self._connection.execute(self._insert_link, self._new_links)
            self._new_links = []

    def _keep(self, node: Node) -> None:
        if node.number not in self._kept and len(self._kept) >= MOST_KEPT:
            self.flush()
            self._kept.clear()
            self._numbers_of.clear()
            self._parents.clear()
        self._kept[node.number] = node
        self._numbers_of[node.key] = node.number


def copy_rows(connection: sa.Connection, tree: int, target: int, *, after: int, up_to: int) -> None:
    """Copy the nodes of a tree with these numbers, and the links to them, to another one."""
    for table, number in ((project_nodes, _nodes.number), (project_links, _links.child)):
        names = [each.name for each in table.c]
        there = [sa.literal(target) if name == "project" else table.c[name] for name in names]
        here = (table.c.project == tree) & (number > after) & (number <= up_to)
        connection.execute(sa.insert(table).from_select(names, sa.select(*there).where(here)))


def _place_of(node: Node) -> tuple[object, ...]:
    return node.key, node.phase, node.rank, node.found_by, node.turned


def hash_of(key: str) -> int:
    """Return the hash of a key, a signed number of 64 bits."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), signed=True)


def row_of_node(node: Node) -> dict[str, Any]:
    """Return the columns of a node, but for its project."""
    return {
        **{name: getattr(node, name) for name in _PLAIN},
        "hash": hash_of(node.key),
        "kind": str(node.kind),
        "candidates": candidate_text(node.candidates),
        "trend": msgspec.json.encode(node.trend).decode(),
    }


def node_of_row(row: sa.Row[Any]) -> Node:
    """Return the node of a row.

    Raises:
        DamageError: the row is not what `row_of_node` has written.

    """
    found = row._asdict()
    try:
        _check(found)
        return Node(
            **{name: found[name] for name in _PLAIN},
            kind=Kind(found["kind"]),
            candidates=parse_candidates(found["candidates"]),
            trend=_trend_of(found["trend"]),
        )
    except (ValueError, msgspec.MsgspecError) as error:
        raise DamageError(f"node {found['number']} is damaged: {error}") from error


def _check(found: Mapping[str, Any]) -> None:
    """Check the plain columns of a row.

    Raises:
        ValueError: one of them is out of its range.

    """
    for name in ("own", "value"):
        if found[name] is not None and not is_valid(found[name]):
            raise ValueError(f"no value: {name} {found[name]}")
    for name in _NUMBERS:
        if (found[name] or 0) < 0:
            raise ValueError(f"{name} is {found[name]}, which is negative")
    if not _KEY.fullmatch(found["key"]):
        raise ValueError(f"no key: {found['key'][:_SHOWN]!r}")


def _trend_of(text: str) -> tuple[int, ...]:
    trend: tuple[int, ...] = msgspec.json.decode(text, type=tuple[int, ...])
    if not all(map(is_valid, trend)):
        raise ValueError(f"no trend: {text[:_SHOWN]!r}")
    return trend
