"""Changes that the owner of a project makes: they count at once, up to the root."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from rookery_server.growth.backup import back_up
from rookery_server.growth.expansion import Project, add_child
from rookery_server.growth.finding import without_empty_rest
from rookery_server.growth.node import OTHERS, ROOT, Candidate, Node
from rookery_server.growth.rules import IllegalMoveError, Rules


class UnknownMoveError(ValueError):
    """A move is no candidate of its node; the text says both."""


def exclude_move(project: Project, number: int, move: str, *, is_excluded: bool = True) -> None:
    """Forbid a candidate of a node, `OTHERS` too, or allow it again.

    Raises:
        UnknownMoveError: it is no candidate.

    """
    node = project.store.node(number)
    _steer(project, node, replace(_candidate(node, move), is_excluded=is_excluded))


def pin_move(project: Project, number: int, move: str, *, is_pinned: bool = True) -> None:
    """Allow this candidate and others that are pinned only, or take that back.

    Raises:
        UnknownMoveError: it is no candidate, or `OTHERS`.

    """
    if move == OTHERS:
        raise UnknownMoveError("only a move can be pinned")
    node = project.store.node(number)
    _steer(project, node, replace(_candidate(node, move), is_pinned=is_pinned))


def add_move(project: Project, number: int, move: str) -> None:
    """Add a legal move to the candidates of a node, if it is none.

    Raises:
        IllegalMoveError: it is not legal.

    """
    _write(project, _with_move(project, project.store.node(number), move))


def check_line(rules: Rules, key: str, moves: Iterable[str]) -> None:
    """Check that moves can be played from a position.

    Raises:
        IllegalMoveError: one is not legal, or the game is over before it.

    """
    for move in moves:
        if rules.ending(key):
            raise IllegalMoveError(f"the game is over in {key}, before {move}")
        key = rules.step(key, move).key


def add_line(project: Project, moves: Sequence[str], *, start: int = ROOT) -> int:
    """Add the moves of a line from a node as candidates, whose positions are to be searched.

    Return the number of the last position's node.  A move that leads back to a known position
    goes on from there.

    Raises:
        IllegalMoveError: a move is not legal.  No node has changed then.

    """
    check_line(project.rules, project.store.node(start).key, moves)
    changed: dict[int, Node] = {}
    node = project.store.node(start)
    for move in moves:
        parent, child = add_child(project, _with_move(project, node, move), move)
        changed[parent.number] = parent
        node = changed.setdefault(child.number, child)
    back_up(project.store, project.settings, changed.values())
    return node.number


def _with_move(project: Project, node: Node, move: str) -> Node:
    """Return a node with a move among its candidates, before the rest."""
    if any(each.move == move for each in node.candidates):
        return node
    if move not in project.rules.moves(node.key):
        raise IllegalMoveError(f"{move} is not legal in {node.key}")
    known = [each for each in node.candidates if each.move != OTHERS]
    rest = [each for each in node.candidates if each.move == OTHERS]
    candidates = (*known, Candidate(move, is_added=True), *rest)
    return replace(node, candidates=without_empty_rest(candidates, node.key, project.rules))


def _candidate(node: Node, move: str) -> Candidate:
    for each in node.candidates:
        if each.move == move:
            return each
    raise UnknownMoveError(f"{move} is no candidate of {node.key}")


def _steer(project: Project, node: Node, said: Candidate) -> None:
    candidates = tuple(said if each.move == said.move else each for each in node.candidates)
    _write(project, replace(node, candidates=candidates))


def _write(project: Project, node: Node) -> None:
    back_up(project.store, project.settings, [node])
