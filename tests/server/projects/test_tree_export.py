"""Exports of trees: as other programs read them, and with bounds."""

import io
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot
import pytest
from helpers.projecting import MUCH, Worker, build, new_project, statements_of

from rookery_server.growth.node import Node
from rookery_server.growth.steering import exclude_move, pin_move
from rookery_server.growth.tree_book import MOST_WEIGHT, BookBounds
from rookery_server.growth.tree_map import largest_subtrees, newest_below
from rookery_server.growth.tree_pgn import PgnBounds, eval_comment
from rookery_server.growth.value import MATE, TABLE
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.stored_project import StoredProject
from rookery_server.projects.tree_export import BookExport, NodeLines, PgnExport, TreeExport

POSITIONS = 400


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProjectStore]:
    opened = ProjectStore(f"sqlite:///{tmp_path_factory.mktemp('store')}/projects.sqlite")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def grown(store: ProjectStore) -> StoredProject:
    server = store.register_server()
    store.show_server(server, 0.0)
    project = store.create(new_project(name="Sicilian", moves=("e2e4", "c7c5")), MUCH)
    worker = Worker(store, server, project)
    worker.grow(POSITIONS)
    return worker.project


def content(store: ProjectStore, project: StoredProject, export: TreeExport) -> bytes:
    """Return a whole export."""
    found = []
    while (portion := store.read_tree(project.number, export.next_portion)) is not None:
        found.append(portion)
    export.close()
    return b"".join(found)


def game_of(
    store: ProjectStore, project: StoredProject, **bounds: int
) -> tuple[chess.pgn.Game, str]:
    text = content(store, project, PgnExport(project, PgnBounds(**bounds))).decode()
    game = chess.pgn.read_game(io.StringIO(text))
    assert game
    assert not game.errors
    return game, text


def moves_of(node: chess.pgn.GameNode) -> int:
    return sum(1 + moves_of(each) for each in node.variations)


def nodes_of(store: ProjectStore, project: StoredProject) -> dict[int, Node]:
    nodes = store.read_tree(project.number, lambda tree: tree.nodes_behind(0, 10_000))
    return {each.number: each for each in nodes}


def test_a_game_has_the_best_line_first_and_each_position_once(
    store: ProjectStore, grown: StoredProject
) -> None:
    game, text = game_of(store, grown)
    assert max(map(len, text.splitlines())) <= 80
    nodes = {each.key: each for each in nodes_of(store, grown).values()}
    root = game.variations[0].variations[0]
    followed = []
    waiting: list[chess.pgn.GameNode] = [root]
    while waiting:
        at = waiting.pop()
        node = nodes.get(at.board().epd(shredder=True, en_passant="legal"))
        if at.variations:
            assert node
            followed.append(node.key)
            best = node.best()
            assert best
            assert at.variations[0].move.uci() == best.move
            values = [each.eval() for each in at.variations]
            assert values[0]
            told = values[0].white().score()
            assert told == (best.value or 0) * (1 if node.is_white else -1)
        waiting += at.variations
    assert len(followed) == len(set(followed))
    assert len(followed) > 0.9 * sum(bool(each.candidates) for each in nodes.values())


def test_a_game_is_bounded_by_plies_nodes_and_visits(
    store: ProjectStore, grown: StoredProject
) -> None:
    whole, _ = game_of(store, grown)
    flat, _ = game_of(store, grown, plies=2)
    assert max(each.ply() for each in _all(flat)) == 4
    few, _ = game_of(store, grown, nodes=20)
    often, _ = game_of(store, grown, visits=10)
    assert moves_of(few) < 60 < moves_of(whole)
    assert moves_of(often) < moves_of(whole) / 2


def _all(node: chess.pgn.GameNode) -> Iterator[chess.pgn.GameNode]:
    yield node
    for each in node.variations:
        yield from _all(each)


def test_the_nodes_of_a_game_are_read_in_few_statements(
    store: ProjectStore, grown: StoredProject
) -> None:
    with statements_of(store) as statements:
        game, _ = game_of(store, grown)
    assert 0 < len(statements) < moves_of(game)


def test_another_program_reads_the_game(
    store: ProjectStore, grown: StoredProject, tmp_path: Path
) -> None:
    program = shutil.which("pgn-extract", path="/usr/games:/usr/bin")
    assert program, "apt install pgn-extract"
    game, text = game_of(store, grown)
    file = tmp_path / "game.pgn"
    file.write_text(text)
    done = subprocess.run([program, "-s", "-r", str(file)], capture_output=True, text=True)
    assert (done.returncode, done.stderr.strip()) == (0, "")
    assert moves_of(game) > 300


def test_excluded_moves_are_in_no_export(
    store: ProjectStore, grown: StoredProject, tmp_path: Path
) -> None:
    new = new_project(moves=("e2e4", "c7c5"))
    copy = build(store, store.builds.begin_copy(grown, 1, new, MUCH))
    best, second = [each.move for each in nodes_of(store, copy)[1].candidates[:2]]
    store.change_tree(copy.number, lambda tree: exclude_move(tree, 1, best), MUCH)
    game, _ = game_of(store, copy)
    root = game.variations[0].variations[0]
    assert best not in [each.move.uci() for each in root.variations]
    store.change_tree(copy.number, lambda tree: pin_move(tree, 1, second), MUCH)
    game, _ = game_of(store, copy)
    root = game.variations[0].variations[0]
    assert [each.move.uci() for each in root.variations] == [second]
    with _book(store, copy, tmp_path) as book:
        assert [each.move.uci() for each in book.find_all(root.board())] == [second]


def _book(
    store: ProjectStore, project: StoredProject, folder: Path, **bounds: int
) -> chess.polyglot.MemoryMappedReader:
    file = folder / "book.bin"
    file.write_bytes(content(store, project, BookExport(project, BookBounds(**bounds))))
    return chess.polyglot.open_reader(file)


def test_a_book_has_weights_by_the_values_of_the_tree(
    store: ProjectStore, grown: StoredProject, tmp_path: Path
) -> None:
    nodes = nodes_of(store, grown)
    with _book(store, grown, tmp_path) as book:
        keys = [each.key for each in book]
        assert keys == sorted(keys)
        for node in nodes.values():
            board = chess.Board(f"{node.key} 0 1")
            entries = {each.move.uci(): each.weight for each in book.find_all(board)}
            for each in node.candidates:
                child = nodes.get(each.child or 0)
                assert (each.move in entries) == (child is not None and child.size > 0)
                if each.move in entries and each == node.best():
                    assert entries[each.move] == MOST_WEIGHT
    with _book(store, grown, tmp_path, visits=5, plies=2) as book:
        assert 0 < len(book) < len(keys) / 4


def test_polyglot_itself_reads_the_book(
    store: ProjectStore, grown: StoredProject, tmp_path: Path
) -> None:
    program = shutil.which("polyglot", path="/usr/games:/usr/bin")
    assert program, "apt install polyglot"
    start = store.create(new_project(), MUCH)
    server = store.register_server()
    store.show_server(server, 0.0)
    Worker(store, server, start).grow(60)
    with _book(store, start, tmp_path) as book:
        wanted = {each.move.uci() for each in book.find_all(chess.Board())}
        entries = len(book)
    done = subprocess.run(
        [program, "dump-book", "-bin", "book.bin", "-color", "white", "-out", "dump.txt"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    text = (tmp_path / "dump.txt").read_text()
    assert len(wanted) > 2
    assert entries
    first = (re.match(r"\d+: 1\. (\S+?)\{", line) for line in text.splitlines())
    found = {chess.Board().parse_san(each[1]).uci() for each in first if each}
    assert found == wanted


def test_lines_are_read_in_portions(store: ProjectStore, grown: StoredProject) -> None:
    export = NodeLines(lambda node: b"%d\n" % node.number, plies=400, visits=1)
    portions = []
    while (portion := store.read_tree(grown.number, export.next_portion)) is not None:
        portions.append(portion)
    assert b"".join(portions).split() == [b"%d" % n for n in range(1, grown.positions + 1)]
    assert len(portions) > 1


def test_the_largest_subtrees_come_first_and_each_below_its_parent(
    store: ProjectStore, grown: StoredProject
) -> None:
    found = store.read_tree(grown.number, lambda tree: list(largest_subtrees(tree)))
    sizes = [each.size for each in found]
    assert sizes == sorted(sizes, reverse=True)
    assert len(found) == grown.positions
    seen = set()
    for each in found:
        assert each.found_by is None or each.found_by in seen
        seen.add(each.number)
    below = store.read_tree(grown.number, lambda tree: newest_below(tree, tree.newest(3)))
    assert below[1] == grown.positions
    assert {grown.positions, grown.positions - 1, grown.positions - 2} <= below.keys()


@pytest.mark.parametrize(
    ("value", "is_white", "text"),
    [
        (25, True, "[%eval 0.25,18]"), (25, False, "[%eval -0.25,18]"),
        (MATE - 5, True, "[%eval #3,18]"), (MATE - 5, False, "[%eval #-3,18]"),
        (4 - MATE, True, "[%eval #-2,18]"), (TABLE - 7, True, "[%eval 200.00,18]"),
    ],
)  # fmt: skip
def test_an_evaluation_is_that_of_white(value: int, *, is_white: bool, text: str) -> None:
    assert eval_comment(value, 18, is_white=is_white) == text
