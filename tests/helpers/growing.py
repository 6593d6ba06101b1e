"""Trees of kept analyses without a database and without engines."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

import chess
from msgspec.structs import replace

from rookery_server.growth.cost import PLY, URGENT, loss_cost
from rookery_server.growth.expansion import Project, add_root, claim_leaf, finish_leaf
from rookery_server.growth.finding import Finding, Leaf, Line
from rookery_server.growth.node import OTHERS, ROOT, Candidate, Kind, Node
from rookery_server.growth.path import Path
from rookery_server.growth.rules import Ending, IllegalMoveError, Rules, Step
from rookery_server.growth.settings import GrowthSettings
from rookery_server.growth.value import MATE, carried, is_decided, mate_value

CACHED = 1 << 14
FACTS = (Kind.CHECKMATE, Kind.STALEMATE, Kind.DEAD_DRAW, Kind.TABLEBASE)


class MemoryStore:
    """A tree in memory, which counts how often each node is written."""

    def __init__(self) -> None:
        self.nodes: dict[int, Node] = {}
        self.by_key: dict[str, int] = {}
        self.above: dict[int, set[int]] = {}
        self.written: Counter[int] = Counter()

    def node(self, number: int) -> Node:
        return self.nodes[number]

    def node_of(self, key: str) -> Node | None:
        return self.nodes[self.by_key[key]] if key in self.by_key else None

    def numbers(self) -> Iterator[int]:
        return iter(sorted(self.nodes))

    def add(self, node: Node) -> int:
        number = len(self.nodes) + 1
        assert node.key not in self.by_key
        assert not node.number
        self.nodes[number] = replace(node, number=number)
        self.by_key[node.key] = number
        return number

    def write(self, node: Node) -> None:
        assert self.nodes[node.number].key == node.key
        self.nodes[node.number] = node
        self.written[node.number] += 1

    def link(self, parent: int, child: int) -> None:
        self.above.setdefault(child, set()).add(parent)

    def parents(self, number: int) -> Sequence[int]:
        return sorted(self.above.get(number, ()))

    def bottom_up(self) -> Iterator[int]:
        return iter(sorted(self.nodes, key=lambda number: (self.nodes[number].order, number)))


@dataclass(frozen=True)
class MadeUpGame:
    """A game whose positions are numbers in phases; moves lead to any of a phase, or to the next.

    So it has transpositions, cycles and ends, and all of it follows from a seed.
    """

    seed: int
    phases: int = 4
    places: int = 5
    branching: int = 4

    def root(self) -> str:
        return f"{self.phases}.0 w"

    def phase(self, key: str) -> int:
        return int(key.split(".")[0])

    @lru_cache(CACHED)  # noqa: B019 - games are small, and compare by their seeds
    def moves(self, key: str) -> tuple[str, ...]:
        if self.ending(key):
            return ()
        random = self._random(key, "moves")
        return tuple(f"m{index}" for index in range(random.randint(1, self.branching)))

    @lru_cache(CACHED)  # noqa: B019
    def step(self, key: str, move: str) -> Step:
        if move not in self.moves(key):
            raise IllegalMoveError(f"{move} is not legal in {key}")
        phase, side = self.phase(key), key[-1]
        random = self._random(key, move)
        # Several moves may lead to one place.
        place = random.randrange(self.places)
        after = max(0, phase - (random.random() < 0.4))
        return Step(f"{after}.{place} {'b' if side == 'w' else 'w'}", after, after < phase)

    @lru_cache(CACHED)  # noqa: B019
    def ending(self, key: str) -> Ending | None:
        if key == self.root():
            return None
        number = self._random(key, "ending").random()
        if number < 0.05:
            return Ending(Kind.CHECKMATE, -MATE)
        if number < 0.1:
            return Ending(Kind.STALEMATE, 0)
        return None

    def _random(self, *about: str) -> Random:
        return Random(f"{self.seed} {' '.join(about)}")


Engine = Callable[[Leaf], Finding]


def made_up_engine(rules: Rules, seed: int, index: int = 0, mates: float = 0.04) -> Engine:
    """Return an engine whose values follow from its seed, and a few of which are mates."""

    def search(leaf: Leaf) -> Finding:
        random = Random(f"{seed} {leaf.key} {leaf.nodes}")
        lines = []
        for move in leaf.moves or rules.moves(leaf.key):
            value = random.randint(-150, 150)
            if random.random() < mates:
                value = mate_value(random.choice((-6, -4, 3, 5)))
            lines.append(Line(move, value))
        lines.sort(key=lambda line: -line.value)
        return Finding(tuple(lines[: leaf.lines]), random.randint(1, 20), leaf.nodes, index)

    return search


def plant(rules: Rules, key: str, settings: GrowthSettings | None = None, clock: int = 0,
          history: Sequence[str] = ()) -> Project:  # fmt: skip
    """Return a project with a root that is not searched yet."""
    start = Path((*history, key), rules.phase(key), clock)
    project = Project(MemoryStore(), rules, settings or GrowthSettings(), start)
    add_root(project, key)
    return project


def grow(project: Project, engine: Engine, searches: int) -> int:
    """Let one engine search so many leaves; return how many there were."""
    for count in range(searches):
        leaf = claim_leaf(project)
        if leaf is None:
            return count
        finish_leaf(project, leaf, engine(leaf))
    return searches


def key_of(fen: str) -> str:
    return chess.Board(fen).epd(shredder=True, en_passant="legal")


@dataclass
class Reference:
    """The values of a stored tree, computed from its searches and links alone."""

    project: Project
    values: dict[int, int | None] = field(default_factory=dict)
    proofs: dict[int, bool] = field(default_factory=dict)
    priorities: dict[int, int | None] = field(default_factory=dict)
    heights: dict[int, int] = field(default_factory=dict)

    def node(self, number: int) -> Node:
        return self.project.store.node(number)

    def carrying(self, node: Node, candidate: Candidate) -> Node | None:
        """Return the child of a candidate that is irreversible, or leads away from the root."""
        if candidate.child is None:
            return None
        child = self.node(candidate.child)
        away = child.phase < node.phase or (child.phase == node.phase and child.rank > node.rank)
        known_mate = candidate.own is not None and is_decided(candidate.own)
        return child if away and not (known_mate and not self.proof(child.number)) else None

    def move_value(self, node: Node, candidate: Candidate) -> int | None:
        child = self.carrying(node, candidate)
        value = None if child is None else self.value(child.number)
        if value is None or (candidate.own is not None and not self.is_heard(node, child)):
            return candidate.own
        return carried(value)

    def is_heard(self, node: Node, child: Node) -> bool:
        """Return whether a child was searched with a sixteenth of its parent's nodes, or more."""
        small, large = (max(each.nodes, each.asked) for each in (child, node))
        return self.proof(child.number) or 16 * small >= large

    def move_proof(self, node: Node, candidate: Candidate) -> bool:
        child = self.carrying(node, candidate)
        if child is not None:
            return self.proof(child.number)
        return candidate.own is not None and is_decided(candidate.own)

    @staticmethod
    def allowed(node: Node) -> list[Candidate]:
        found = [each for each in node.candidates if not each.is_excluded]
        pinned = [each for each in found if each.is_pinned]
        return pinned or found

    def value(self, number: int) -> int | None:
        if number not in self.values:
            node = self.node(number)
            moves = [each for each in self.allowed(node) if each.move != OTHERS]
            values = [self.move_value(node, each) for each in moves]
            known = [value for value in values if value is not None]
            is_known = node.kind not in FACTS and known
            self.values[number] = max(known) if is_known else node.own
        return self.values[number]

    def proof(self, number: int) -> bool:
        if number not in self.proofs:
            self.proofs[number] = self._proof(self.node(number))
        return self.proofs[number]

    def _proof(self, node: Node) -> bool:
        if node.kind in FACTS:
            return True
        allowed = self.allowed(node)
        proven = [
            value
            for each in allowed
            if each.move != OTHERS and self.move_proof(node, each)
            and (value := self.move_value(node, each)) is not None
        ]  # fmt: skip
        top = self.value(node.number)
        if proven and max(proven) == top and top is not None and top > 25_000:
            # The first of several best moves is the one that counts.
            first = next(each for each in allowed if self.move_value(node, each) == top)
            return self.move_proof(node, first)
        is_complete = node.kind is Kind.SEARCHED or any(each.is_pinned for each in allowed)
        return is_complete and bool(allowed) and len(proven) == len(allowed)

    def priority(self, number: int) -> int | None:
        if number not in self.priorities:
            self.priorities[number] = self._priority(self.node(number))
        return self.priorities[number]

    def _priority(self, node: Node) -> int | None:
        if self.proof(node.number):
            return None
        if node.kind is Kind.UNSEARCHED and not node.is_claimed:
            return URGENT
        costs = [self._cost(node, each) for each in self._followed(node)]
        return min((cost for cost in costs if cost is not None), default=None)

    def _followed(self, node: Node) -> list[Candidate]:
        allowed = self.allowed(node)
        limit = self.side(node).limit or len(allowed)
        valued = [each for each in allowed if each.move != OTHERS]
        valued = [each for each in valued if self.move_value(node, each) is not None]
        valued.sort(key=lambda each: -(self.move_value(node, each) or 0))
        others = [each for each in allowed if each.move == OTHERS]
        waiting = [each for each in allowed if each not in others and self._is_urgent(node, each)]
        return valued[:limit] + waiting + (others if len(valued) < limit else [])

    def _is_urgent(self, node: Node, candidate: Candidate) -> bool:
        cost = self._cost(node, candidate)
        return cost is not None and cost < 0

    def side(self, node: Node):
        settings = self.project.settings
        return settings.white if " w" in node.key else settings.black

    def _cost(self, node: Node, candidate: Candidate) -> int | None:
        width = self.side(node).width
        values = [self.move_value(node, each) for each in self.allowed(node)
                  if each.move != OTHERS]  # fmt: skip
        best = max((value for value in values if value is not None), default=None)
        if candidate.move == OTHERS:
            loss = loss_cost(best, candidate.own, width)
            return None if node.is_claimed else 2 * PLY + loss
        if self.move_proof(node, candidate):
            return None
        loss = loss_cost(best, self.move_value(node, candidate), width)
        if candidate.child is None:
            return PLY + loss + (URGENT if candidate.own is None else 0)
        child = self.carrying(node, candidate)
        below = None if child is None else self.priority(child.number)
        return None if below is None else PLY + loss + below

    def cheapest(self, number: int) -> set[str]:
        """Return the positions of all leaves whose cost is the priority of a node."""
        node = self.node(number)
        if self.priority(number) is None:
            return set()
        if node.kind is Kind.UNSEARCHED and not node.is_claimed:
            return {node.key}
        found: set[str] = set()
        for each in self._followed(node):
            if self._cost(node, each) == self.priority(number):
                if each.move == OTHERS:
                    found.add(node.key)
                elif each.child is None:
                    found.add(self.project.rules.step(node.key, each.move).key)
                else:
                    found |= self.cheapest(each.child)
        return found

    def size(self, number: int) -> int:
        """Count the nodes with a value whose way up, by who found them, leads here."""
        return sum(
            number in self.finders(each)
            for each in self.project.store.numbers()
            if self.node(each).kind not in (Kind.UNSEARCHED, Kind.FAILED)
        )

    def height(self, number: int) -> int:
        """Return the half-moves of the longest way down, by moves that carry, to a value."""
        if number not in self.heights:
            node = self.node(number)
            children = [self.node(each.child) for each in node.candidates if each.child]
            ways = [
                1 + self.height(each.number)
                for each in children
                if each.size and (each.phase, -each.rank) < (node.phase, -node.rank)
            ]
            self.heights[number] = max(ways, default=0)
        return self.heights[number]

    def finders(self, number: int | None) -> list[int]:
        found = []
        while number is not None:
            found.append(number)
            number = self.node(number).found_by
        return found


def check_tree(project: Project, *, sizes: bool = True) -> None:
    """Compare all of a tree with what follows from its searches."""
    reference = Reference(project)
    store = project.store
    keys = [store.node(number).key for number in store.numbers()]
    assert len(set(keys)) == len(keys)
    for number in store.numbers():
        node = store.node(number)
        assert node.value == reference.value(number), node
        assert node.is_proven == reference.proof(number), node
        assert node.priority == reference.priority(number), node
        assert number in reference.finders(number)
        assert (node.found_by is None) == (number == ROOT)
        assert reference.finders(number)[-1] == ROOT
        if sizes:
            assert node.size == reference.size(number), node
            assert node.height == reference.height(number), node
            assert node.grown <= store.node(ROOT).size, node
        if node.value is not None and node.size:
            assert len(node.trend) == node.size.bit_length()
        for each in node.candidates:
            check_candidate(reference, node, each)


def check_candidate(reference: Reference, node: Node, candidate: Candidate) -> None:
    """Compare the copy that a candidate has with what its child carries."""
    if candidate.move == OTHERS:
        rest = set(reference.project.rules.moves(node.key)) - {e.move for e in node.candidates}
        assert rest
        assert candidate.value is None
        assert not candidate.is_proven
        return
    assert candidate.value == reference.move_value(node, candidate)
    assert candidate.is_proven == reference.move_proof(node, candidate)
    if candidate.child is not None:
        step = reference.project.rules.step(node.key, candidate.move)
        assert reference.node(candidate.child).key == step.key
        assert node.number in reference.project.store.parents(candidate.child)
        child = reference.carrying(node, candidate)
        assert candidate.priority == (child.priority if child else None)


def as_positions(project: Project) -> dict[str, Node]:
    """Return a tree without its numbers: by positions, and linked by their keys."""
    keys = {number: project.store.node(number).key for number in project.store.numbers()}
    return {
        key: replace(
            project.store.node(number),
            number=0,
            found_by=keys.get(project.store.node(number).found_by),
            candidates=tuple(
                replace(each, child=keys.get(each.child))
                for each in project.store.node(number).candidates
            ),
        )
        for number, key in keys.items()
    }
