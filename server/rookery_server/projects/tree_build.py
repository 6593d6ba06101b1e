"""A portion of a tree that is built of others, beside the one that its project has meanwhile.

Each portion is one transaction, so a build that was killed goes on after the last one.  The tree
is built under the number of a draft; at its end the project takes that number over, and the draft
has the former tree, which is removed like that of a deleted project.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Any

import msgspec
import sqlalchemy as sa

from rookery_server.growth.backup import rebuild_node
from rookery_server.growth.merging import (
    copy_children,
    copy_root,
    merge_links,
    merge_position,
    rank_of_root,
    settle_root,
)
from rookery_server.growth.node import ROOT, Node
from rookery_server.projects.stored_project import Build, BuildStep, StoredProject
from rookery_server.projects.tree_growth import start_of
from rookery_server.projects.tree_store import TreeStore, copy_rows

NODES = 100  # that are settled in a portion, so that others need not wait,
MERGED = 50  # that are merged or copied with their children,
ROWS = 1000  # that are copied as they are


class TreeBuild:
    """One portion of a build, within a transaction that has locked its project."""

    def __init__(
        self, connection: sa.Connection, target: StoredProject, source: StoredProject
    ) -> None:
        """Make a portion.

        Args:
            connection: of the transaction.
            target: a project that is building.
            source: the project whose tree is added.

        """
        assert target.build
        assert target.draft
        self._connection = connection
        self._target = target
        self._source = source
        self._build = target.build
        self._tree = TreeStore(connection, source.tree, source.positions)  # only read
        self.store = TreeStore(connection, target.draft, self._build.last)

    def advance(self) -> Build:
        """Do a portion; return how far the tree is then."""
        steps = {
            BuildStep.OWN: self._copy_own,
            BuildStep.POSITIONS: self._merge_positions,
            BuildStep.LINKS: self._merge_links,
            BuildStep.CHILDREN: self._copy_children,
            BuildStep.VALUES: self._settle,
        }
        build = steps[self._build.step]()
        self.store.flush()
        return msgspec.structs.replace(build, last=self.store.last)

    @property
    def _at(self) -> int:
        """The number behind which the step goes on."""
        return self._build.place[0] if self._build.place else 0

    def _copy_own(self) -> Build:
        end = min(self._at + ROWS, self._target.positions)
        former, draft = self._target.tree, self._target.draft
        assert draft
        copy_rows(self._connection, former, draft, after=self._at, up_to=end)
        self.store.last = end
        return self._next(end - self._at, (end,), end == self._target.positions)

    def _merge_positions(self) -> Build:
        mine = [each.name for each in self._target.settings.engines]
        names = [each.name for each in self._source.settings.engines]
        engines = [mine.index(each) if each in mine else None for each in names]
        rules, _, _ = start_of(self._target.root)
        base = rank_of_root(self.store, self._tree)
        nodes = self._source_nodes()
        self.store.read_positions(each.key for each in nodes)
        for each in nodes:
            merge_position(self.store, each, base, rules, engines)
        return self._next_source(nodes)

    def _merge_links(self) -> Build:
        base = rank_of_root(self.store, self._tree)
        nodes = self._source_nodes()
        self._read_near(nodes)
        for each in nodes:
            merge_links(self.store, self._tree, each, base)
        return self._next_source(nodes)

    def _source_nodes(self) -> list[Node]:
        nodes = self._tree.nodes_behind(self._at, MERGED)
        return [each for each in nodes if each.number <= self._build.bound]

    def _originals(self, keys: Iterable[str]) -> list[Node]:
        """Return the nodes of the source with these positions."""
        wanted = list(keys)
        self._tree.read_positions(wanted)
        return [node for key in wanted if (node := self._tree.node_of(key))]

    def _read_near(self, nodes: list[Node]) -> None:
        """Read at once what the source has around nodes, and what the target has of all that."""
        near = {each.child for node in nodes for each in node.candidates if each.child}
        near |= {node.found_by for node in nodes if node.found_by}
        self._tree.read_nodes(near)
        keys = [node.key for node in nodes]
        self.store.read_positions(keys + [self._tree.node(each).key for each in near])

    def _next_source(self, nodes: list[Node]) -> Build:
        end = nodes[-1].number if nodes else self._build.bound
        return self._next(len(nodes), (end,), end >= self._build.bound)

    def _copy_children(self) -> Build:
        if not self.store.last:
            copy_root(self._tree, self._build.node or ROOT, self.store)
        end = min(self._at + MERGED, self.store.last)
        numbers = range(self._at + 1, end + 1)
        self.store.read_nodes(numbers)
        self._read_near(self._originals(self.store.node(each).key for each in numbers))
        for number in numbers:
            copy_children(self._tree, self.store, number)
        return self._next(end - self._at, (end,), end == self.store.last)

    def _settle(self) -> Build:
        place = self._build.place
        after = (place[0], place[1], place[2]) if place else None
        numbers = list(islice(self.store.bottom_up(after), NODES))
        settings = self._target.settings.growth
        for number in numbers:
            rebuild_node(self.store, settings, number)
        is_last = len(numbers) < NODES
        if is_last:
            settle_root(self.store)
        else:
            node = self.store.node(numbers[-1])
            place = node.phase, node.rank, node.number
        return self._next(len(numbers), place, is_last)

    def _next(self, count: int, place: tuple[int, ...], is_last: bool) -> Build:
        """Return the build after so many nodes, at another place or the next step."""
        changes: dict[str, Any] = {"done": self._build.done + count, "place": place}
        if is_last:
            changes |= {"step": _AFTER[self._build.step], "place": ()}
        return msgspec.structs.replace(self._build, **changes)


_AFTER = {
    BuildStep.OWN: BuildStep.POSITIONS,
    BuildStep.POSITIONS: BuildStep.LINKS,
    BuildStep.LINKS: BuildStep.VALUES,
    BuildStep.CHILDREN: BuildStep.VALUES,
    BuildStep.VALUES: BuildStep.DONE,
}
