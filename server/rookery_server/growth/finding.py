"""Findings of searches, and the nodes that they make."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from rookery_server.growth.node import OTHERS, Candidate, Kind, Node
from rookery_server.growth.rules import Rules
from rookery_server.growth.value import is_decided, is_valid

_MAX_COUNT = 2**53  # of nodes: later searches of the node are asked for a share of them
_MAX_DEPTH = 10_000


class RefusedFindingError(ValueError):
    """A finding cannot be the result of its search; the text says why."""


class Leaf(msgspec.Struct, frozen=True):
    """A search that is to be made.

    Attributes:
        number: the number of its node.
        key: its position.
        moves: the moves that are searched; empty: all.
        lines: the variations that the search is asked for.
        nodes: the nodes that it visits.
        movetime: the milliseconds that it takes at most; None is no bound.

    """

    number: int
    key: str
    moves: tuple[str, ...]
    lines: int
    nodes: int
    movetime: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """The first move of a variation and its value for the side to move."""

    move: str
    value: int


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a search: its variations, best first.

    `engine` is the index of the engine in the project's list.
    """

    lines: tuple[Line, ...]
    depth: int
    nodes: int
    engine: int


def check_finding(leaf: Leaf, finding: Finding, rules: Rules) -> None:
    """Raise RefusedFindingError if a search of this leaf cannot have found this."""
    if not finding.lines:
        raise RefusedFindingError("a finding needs a variation")
    moves = [each.move for each in finding.lines]
    allowed = set(leaf.moves or rules.moves(leaf.key))
    for move in moves:
        if move not in allowed:
            raise RefusedFindingError(f"{move} was not to be searched in {leaf.key}")
    if len(set(moves)) != len(moves):
        raise RefusedFindingError(f"a move stands twice: {' '.join(moves)}")
    for line in finding.lines:
        if not is_valid(line.value):
            raise RefusedFindingError(f"{line.value} is no value of {line.move}")
    counts = finding.depth, finding.nodes, finding.engine
    if min(counts) < 0 or finding.depth > _MAX_DEPTH or max(counts) >= _MAX_COUNT:
        raise RefusedFindingError(f"depth {finding.depth} and {finding.nodes} nodes are no counts")


def searched(node: Node, leaf: Leaf, finding: Finding, rules: Rules) -> Node:
    """Return a node after a search of all its moves, the first or another.

    What its candidates carry is that of before: see `backup.refresh`.
    """
    found = [Candidate(each.move, each.value) for each in finding.lines]
    rest = Candidate(OTHERS, min(each.value for each in finding.lines))
    candidates = combined((*found, rest), node.candidates)
    return replace(
        node,
        kind=Kind.SEARCHED,
        own=max(each.value for each in finding.lines),
        depth=finding.depth,
        nodes=finding.nodes,
        asked=leaf.nodes,
        engine=finding.engine,
        candidates=without_empty_rest(candidates, node.key, rules),
        is_claimed=False,
    )


def searched_others(node: Node, finding: Finding, rules: Rules) -> Node:
    """Return a node after a search of the moves that no search before had listed.

    What its candidates carry is that of before: see `backup.refresh`.
    """
    found = [Candidate(each.move, each.value) for each in finding.lines]
    known = combined((each for each in node.candidates if each.move != OTHERS), found)
    rest = [
        replace(each, own=min(line.value for line in finding.lines))
        for each in node.candidates
        if each.move == OTHERS
    ]
    candidates = without_empty_rest((*known, *rest), node.key, rules)
    return replace(node, candidates=candidates, is_claimed=False)


def combined(stronger: Iterable[Candidate], weaker: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates of two searches of a position, by the stronger one where it has any.

    The order is that of the stronger, then that of the weaker, and the rest last.  A move that the
    stronger search did not list is not better than the last one that it listed.
    """
    first, second = list(stronger), list(weaker)
    by_move = {each.move: each for each in second}
    known = {each.move for each in first}
    bound = next((each.own for each in first if each.move == OTHERS), None)
    merged = [_joined(each, by_move.get(each.move)) for each in first]
    merged += [_bounded(each, bound) for each in second if each.move not in known]
    return tuple(sorted(merged, key=lambda each: each.move == OTHERS))


def rest_of(node_key: str, candidates: Sequence[Candidate], rules: Rules) -> tuple[str, ...]:
    """Return the legal moves of a position that are no candidates."""
    known = {each.move for each in candidates}
    return tuple(move for move in rules.moves(node_key) if move not in known)


def without_empty_rest(
    candidates: tuple[Candidate, ...], key: str, rules: Rules
) -> tuple[Candidate, ...]:
    """Return candidates without OTHERS if there are no other legal moves."""
    if rest_of(key, candidates, rules):
        return candidates
    return tuple(each for each in candidates if each.move != OTHERS)


def _joined(strong: Candidate, weak: Candidate | None) -> Candidate:
    """Return one candidate of two: the stronger one's value, and what the owner said of both.

    Moves that neither of two searches has listed are within the bounds of both.
    """
    if weak is None:
        return strong
    own = weak.own if strong.own is None else strong.own
    if strong.move == OTHERS and weak.own is not None and own is not None:
        own = min(own, weak.own)
    return replace(
        strong if strong.child is not None else weak,
        own=own,
        is_excluded=strong.is_excluded or weak.is_excluded,
        is_pinned=strong.is_pinned or weak.is_pinned,
        is_added=strong.is_added or weak.is_added,
    )


def _bounded(candidate: Candidate, bound: int | None) -> Candidate:
    """Return a candidate that a stronger search did not list, which gave all such moves a bound."""
    own = candidate.own
    if bound is None or own is None or is_decided(own):
        return candidate
    return replace(candidate, own=min(own, bound))
