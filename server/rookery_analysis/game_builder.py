"""What a game is that is written in a script: its moves on a board, in the right language.

Whatever is illegal is left out, and noted.  The main line ends before its first illegal move;
of a variation the moves before it stay.  What was written as a variation never takes the
place of a move that is left out.  No I/O.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import chess
import chess.pgn

from rookery_analysis.notation import Letters
from rookery_analysis.pgn_tree import Node, Script
from rookery_analysis.piece_letters import ENGLISH, candidates

# Half-moves by which a reading must be longer than any other if none reads the whole game.
LEAD = 10


class AmbiguousError(ValueError):
    """A game may be one of several."""


@dataclass(slots=True)
class Reading:
    """A script read with some letters: the moves that are legal, and what is wrong."""

    letters: Letters
    moves: dict[int, chess.Move] = field(default_factory=dict)  # by the node's id
    flaws: list[tuple[int, str]] = field(default_factory=list)
    main: list[chess.Move] = field(default_factory=list)
    is_whole: bool = False  # all of the main line

    def first_difference(self, other: "Reading") -> int:
        """Return how many moves of the main lines are the same from the first one on."""
        pairs = zip(self.main, other.main, strict=False)
        return next(
            (at for at, (one, two) in enumerate(pairs) if one != two),
            min(len(self.main), len(other.main)),
        )


def read(script: Script, board: chess.Board, game: chess.pgn.Game) -> list[tuple[int, str]]:
    """Add the moves of a script to a game that begins on a board; return what is wrong.

    Raises:
        AmbiguousError: which moves they are nobody can say.

    """
    reading = _choose(script, board)
    _fill(game, script, reading)
    return reading.flaws


def _choose(script: Script, board: chess.Board) -> Reading:
    """Return the reading in the game's language."""
    english = _play(script, board, ENGLISH)
    if not english.flaws:
        return english
    used = {letter for node in script.nodes() if node.move for letter in node.move.letters}
    others = [_play(script, board, letters) for letters in candidates(used) if letters != ENGLISH]
    is_english = used <= ENGLISH.keys()
    readings = [english, *others] if is_english else others
    for is_good in (_has_no_flaw, _is_whole):
        good = [each for each in readings if is_good(each)]
        if english in good:
            return english
        if good:
            return _only(good, script)
    return english if is_english or not others else _longest(others, script)


def _has_no_flaw(reading: Reading) -> bool:
    return not reading.flaws


def _is_whole(reading: Reading) -> bool:
    return reading.is_whole


def _only(readings: list[Reading], script: Script) -> Reading:
    """Return the first of some readings that are to be the same.

    Raises:
        AmbiguousError: they are not.

    """
    first = readings[0]
    for other in readings[1:]:
        if other.moves != first.moves:
            raise _ambiguous(first, other, script)
    return first


def _longest(readings: list[Reading], script: Script) -> Reading:
    """Return the reading that gets far further than others, if it is not the same as they."""
    first, *others = sorted(readings, key=lambda each: -len(each.main))
    for other in others:
        is_prefix = first.first_difference(other) == len(other.main)
        if not is_prefix and len(first.main) < len(other.main) + LEAD:
            raise _ambiguous(first, other, script)
    return first


def _ambiguous(one: Reading, other: Reading, script: Script) -> AmbiguousError:
    for node in script.nodes():
        moves = [each.moves.get(id(node)) for each in (one, other)]
        if node.move and moves[0] != moves[1]:
            first, second = (str(move) if move is not None else "no move" for move in moves)
            return AmbiguousError(
                f"{node.move.word!r} may be {first} or {second}: by its letters the game may be"
                " in several languages; write K, Q, R, B and N"
            )
    return AmbiguousError("its language is not known; write K, Q, R, B and N")


def _play(script: Script, board: chess.Board, letters: Letters) -> Reading:
    """Play what is legal."""
    reading = Reading(letters)
    stack = [(script.root, board.copy(stack=False))]
    while stack:
        parent, here = stack.pop()
        for node, move in _legal(parent, here, reading):
            reading.moves[id(node)] = move
            after = here.copy(stack=False)
            after.push(move)
            stack.append((node, after))
    node = script.root
    while node.children and id(node.children[0]) in reading.moves:
        node = node.children[0]
        reading.main.append(reading.moves[id(node)])
    reading.is_whole = not node.children
    reading.flaws.sort(key=lambda flaw: flaw[0])
    return reading


def _legal(parent: Node, board: chess.Board, reading: Reading) -> Iterator[tuple[Node, chess.Move]]:
    for node in parent.children:
        assert node.move
        if node.instead_of and id(node.instead_of) not in reading.moves:
            continue
        try:
            move = node.move.read(board, reading.letters)
        except ValueError as error:
            reading.flaws.append((node.line, str(error)))
        else:
            reading.moves[id(node)] = move
            yield node, move


def _fill(game: chess.pgn.Game, script: Script, reading: Reading) -> None:
    game.comment = " ".join(script.root.comments)
    stack: list[tuple[Node, chess.pgn.GameNode]] = [(script.root, game)]
    while stack:
        parent, target = stack.pop()
        for node in parent.children:
            if id(node) in reading.moves:
                child = target.add_variation(
                    reading.moves[id(node)],
                    comment=" ".join(node.comments),
                    starting_comment=" ".join(node.before),
                    nags=node.nags,
                )
                stack.append((node, child))
