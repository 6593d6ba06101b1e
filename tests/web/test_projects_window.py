"""The window with the projects of the account: made, changed, exported, and live."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import chess.polyglot
import pytest
from helpers.browsing import Site, expect_fit, expect_moves, paste, serving_ours, violations
from playwright.sync_api import Browser, Locator, Page, expect

SMALL = {"nodes": 300, "white": {"lines": 2}, "black": {"lines": 2}}
SCREENS = ((1440, 900, "light"), (1024, 768, "dark"), (390, 844, "light"), (390, 844, "dark"))


@pytest.fixture(scope="module")
def keeper(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of its own, that keeps projects in a file of its own."""
    folder = tmp_path_factory.mktemp("keeper")
    settings = f"[cache]\nfile = '{folder / 'projects.sqlite'}'\n[quota]\nprojects = 12"
    with serving_ours(settings, folder=folder) as site:
        yield site


@dataclass
class Window:
    """The window Projects on a page, and the API of its server."""

    page: Page
    url: str

    def open(self) -> Locator:
        self.page.get_by_role("button", name="My projects").click()
        expect(self.dialog.get_by_role("button", name="New project")).to_be_visible()
        return self.dialog

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    def entry(self, name: str) -> Locator:
        exact = self.page.locator(".job-name").get_by_text(name, exact=True)
        return self.dialog.get_by_role("listitem").filter(has=exact)

    def row(self, label: str) -> Locator:
        return self.dialog.locator(".row", has=self.page.get_by_label(label))

    def fits(self) -> bool:
        """Return whether nothing in the window has to be scrolled sideways."""
        return bool(self.dialog.evaluate("it => it.scrollWidth <= it.clientWidth"))

    def call(self, method: str, path: str = "", body: object = None) -> Any:
        answer = self.page.request.fetch(
            f"{self.url}v1/projects{path}", method=method,
            headers={"Content-Type": "application/json"},
            data=None if body is None else json.dumps(body),
        )  # fmt: skip
        assert answer.ok, answer.text()
        return answer.json() if answer.body() else None

    def grow(self, name: str, positions: int = 20, **members: object) -> dict[str, Any]:
        """Make a project, and wait until it has so many positions."""
        wanted = {"name": name, "settings": SMALL, "budget": {"positions": positions}, **members}
        return self.grown(dict(self.call("POST", body=wanted)))

    def grown(self, project: dict[str, Any]) -> dict[str, Any]:
        while project["stage"] == "active" or project["searching"]:
            after = project["version"]
            project = dict(self.call("GET", f"/{project['id']}?after={after}&wait=10"))
        return project

    def engines(self, id_: str) -> list[dict[str, Any]]:
        """Return the engines that search for a project."""
        engines = self.call("GET", f"/{id_}")["engines"]
        return [each for each in engines if not each.get("retired")]

    def press_more(self, name: str, button: str) -> None:
        """Press a button for more of a project."""
        self.entry(name).get_by_role("button", name="More…").click()
        self.entry(name).get_by_role("button", name=button).click()

    def download(self) -> tuple[str, Path]:
        with self.page.expect_download() as download:
            self.dialog.get_by_role("button", name="Download").click()
        return download.value.suggested_filename, Path(download.value.path())


def said(budget: dict[str, Any]) -> dict[str, Any]:
    """Return the ends of a budget that there are."""
    return {name: end for name, end in budget.items() if end is not None}


@pytest.fixture
def window(keeper: Site, open_page: Callable[..., Page]) -> Iterator[Window]:
    """Return the window of a page whose server has no projects."""
    page = open_page(keeper.url, searches=False, viewport={"width": 1440, "height": 900})
    found = Window(page, keeper.url)
    expect(page.get_by_role("button", name="My projects")).to_be_visible()
    yield found
    for each in found.call("GET")["projects"]:
        found.call("DELETE", f"/{each['id']}")


def test_a_project_is_made_of_the_board_with_its_settings(window: Window) -> None:
    paste(window.page, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *")
    window.page.locator(".mainline > button.move").filter(has_text="Bb5").click()
    expect(window.page.locator(".move[aria-current]")).to_have_text("Bb5")
    dialog = window.open()
    expect(dialog).to_contain_text("A project is a position that the server works on")
    dialog.get_by_role("button", name="New project").click()
    dialog.get_by_label("Name", exact=True).fill("Spanish")
    dialog.get_by_label("rookery", exact=True).check()
    dialog.get_by_text("Options of rookery").click()
    dialog.get_by_label("Hash").fill("2")
    window.page.keyboard.press("Tab")
    dialog.get_by_label("Purpose").select_option(label="Repertoire for White")
    dialog.get_by_role("combobox", name="Each position").select_option(label="Your own number")
    dialog.get_by_label("Nodes for each position").fill("300")
    dialog.get_by_label("Positions in the tree").fill("25")
    dialog.get_by_label("Hours of CPU time").fill("2")
    assert violations(window.page) == []
    dialog.get_by_role("button", name="Begin").click()
    entry = window.entry("Spanish")
    expect(entry.get_by_test_id("stage")).to_contain_text("as many positions as it was to have")
    expect(entry.get_by_test_id("best")).to_contain_text("Best:")
    expect(entry).to_contain_text("Ruy Lopez")
    [made] = window.call("GET")["projects"]
    assert made["position"]["moves"] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]
    assert made["engines"] == [{"name": "rookery", "options": {"Hash": "2"}}]
    assert made["settings"]["nodes"] == 300
    assert made["settings"]["white"]["limit"] == 2
    assert made["settings"]["black"].get("limit") is None
    assert said(made["budget"]) == {"positions": 25, "cpu_seconds": 7200}
    best = chess.Board(window.call("GET", f"/{made['id']}/position")["fen"])
    assert best.san(best.parse_uci(made["best"])) in entry.get_by_test_id("best").inner_text()
    window.call("GET", f"/{made['id']}/position?moves=a6")  # of the game behind the board
    assert violations(window.page) == []


def test_the_list_is_live_and_projects_are_paused_and_renamed(window: Window) -> None:
    window.open()
    made = window.call("POST", body={"name": "First", "settings": SMALL, "budget": {}})
    entry = window.entry("First")
    expect(entry.get_by_test_id("stage")).to_contain_text("Growing")
    expect(entry).to_contain_text("of CPU time")
    entry.get_by_role("button", name="Pause").click()
    expect(entry.get_by_test_id("stage")).to_have_text("Paused")
    assert window.call("GET", f"/{made['id']}")["stage"] == "paused"
    window.call("PATCH", f"/{made['id']}", {"name": "From elsewhere"})
    entry = window.entry("From elsewhere")
    expect(entry).to_be_visible()
    entry.get_by_role("button", name="Settings…").click()
    window.dialog.get_by_label("Name", exact=True).fill("Renamed")
    window.dialog.get_by_role("button", name="Save").click()
    entry = window.entry("Renamed")
    entry.get_by_role("button", name="Go on").click()
    expect(entry.get_by_role("button", name="Pause")).to_be_visible()


def test_an_engine_that_is_there_twice_keeps_both_of_its_settings(window: Window) -> None:
    engines = [{"name": "rookery", "options": {"Hash": "2"}}, {"name": "rookery"}]
    made = window.grow("Twice", 3, engines=engines)
    assert made["engines"] == engines
    window.open()
    window.entry("Twice").get_by_role("button", name="Settings…").click()
    dialog = window.dialog
    dialog.get_by_text("Options of rookery (2)").click()
    second = dialog.locator(".project-options[open]")
    second.get_by_label("Hash").fill("4")
    window.page.keyboard.press("Tab")
    assert violations(window.page) == []
    dialog.get_by_role("button", name="Save").click()
    expect(window.entry("Twice")).to_be_visible()
    assert window.engines(made["id"]) == [engines[0], {"name": "rookery", "options": {"Hash": "4"}}]

    window.entry("Twice").get_by_role("button", name="Settings…").click()
    dialog.get_by_label("rookery", exact=True).uncheck()
    dialog.get_by_role("button", name="Save").click()
    expect(window.entry("Twice")).to_be_visible()
    assert window.engines(made["id"]) == [{"name": "rookery", "options": {"Hash": "4"}}]


def test_what_the_server_refuses_is_said_at_its_field(window: Window) -> None:
    made = window.grow("Kept", 3)
    window.open()
    window.entry("Kept").get_by_role("button", name="Settings…").click()
    dialog = window.dialog
    nodes = dialog.get_by_label("Nodes for each position")
    nodes.fill("0")
    dialog.get_by_role("button", name="Save").click()
    row = window.row("Nodes for each position")
    expect(row.get_by_role("alert")).to_have_text("Expected: a whole number >= 1")
    expect(nodes).to_have_attribute("aria-invalid", "true")
    assert violations(window.page) == []
    nodes.fill("500")
    dialog.get_by_label("Million nodes searched").fill("-1")
    dialog.get_by_role("button", name="Save").click()
    expect(row.get_by_role("alert")).to_have_count(0)
    expect(window.row("Million nodes searched").get_by_role("alert")).to_be_visible()
    dialog.get_by_label("Million nodes searched").fill("1.5")
    dialog.get_by_label("Seconds for each position, at most").fill("2.5")
    dialog.get_by_label("rookery", exact=True).uncheck()
    dialog.get_by_role("button", name="Save").click()
    engines = dialog.get_by_role("group", name="Engines", exact=True)
    expect(engines.get_by_role("alert")).to_be_visible()
    dialog.get_by_label("rookery", exact=True).check()
    dialog.get_by_role("button", name="Save").click()
    expect(window.entry("Kept")).to_be_visible()
    changed = window.call("GET", f"/{made['id']}")
    assert changed["settings"]["nodes"] == 500
    assert changed["settings"]["movetime"] == 2500
    assert said(changed["budget"]) == {"positions": 3, "nodes": 1_500_000}
    dialog.get_by_role("button", name="New project").click()
    dialog.get_by_label("A FEN").check()
    dialog.get_by_label("FEN", exact=True).fill("8/8/8 w")
    dialog.get_by_role("button", name="Begin").click()
    group = dialog.get_by_role("group", name="Position", exact=True)
    expect(group.get_by_role("alert")).to_contain_text("8 ranks")
    window.page.keyboard.press("Escape")
    window.open().get_by_role("button", name="New project").click()
    expect(dialog.get_by_label("FEN", exact=True)).to_have_value("8/8/8 w")
    dialog.get_by_role("button", name="All projects").click()
    expect(window.entry("Kept")).to_be_visible()


def test_a_game_is_the_skeleton_of_a_project_and_is_added_to_one(window: Window) -> None:
    dialog = window.open()
    dialog.get_by_role("button", name="New project").click()
    dialog.get_by_label("A game in PGN").check()
    dialog.get_by_label("PGN", exact=True).fill('[Event "Test"]\n\n1. d4 d5 (1... Nf6 2. Bg5) *')
    dialog.get_by_role("combobox", name="Each position").select_option(label="Your own number")
    dialog.get_by_label("Nodes for each position").fill("300")
    dialog.get_by_label("Positions in the tree").fill("12")
    dialog.get_by_role("button", name="Begin").click()
    expect(window.entry("Test").get_by_test_id("stage")).to_contain_text("Finished")
    [made] = window.call("GET")["projects"]
    path = f"/{made['id']}/position?moves=d4+Nf6+Bg5"
    assert window.call("GET", path)["kind"] == "searched"
    window.press_more("Test", "Add a PGN…")
    dialog.get_by_label("PGN", exact=True).fill("1. a3 a6 2. h3 *")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.locator(".toast")).to_contain_text("Added")
    path = f"/{made['id']}/position?moves=a3+a6+h3"
    assert window.call("GET", path)["kind"] == "unsearched"


def test_exports_are_read_by_python_chess(window: Window) -> None:
    made = window.grow("Open: games/1", 40, position={"moves": ["e4", "e5"]})
    root = window.call("GET", f"/{made['id']}/position")
    window.open()
    window.entry("Open: games/1").get_by_role("button", name="Export…").click()
    dialog = window.dialog
    name, path = window.download()
    assert name == "Open games 1.pgn"
    game = chess.pgn.read_game(io.StringIO(path.read_text()))
    assert game
    assert not game.errors
    assert [each.uci() for each in game.mainline_moves()][:3] == ["e2e4", "e7e5", root["line"][0]]
    dialog.get_by_label("Half-moves at most").fill("1")
    _, flat = window.download()
    short = chess.pgn.read_game(io.StringIO(flat.read_text()))
    assert short
    assert len(list(short.mainline_moves())) == 3
    dialog.get_by_label("Half-moves at most").fill("")
    dialog.get_by_label("Format").select_option(label="Opening book (Polyglot)")
    dialog.get_by_label("Least positions behind a move").fill("2")
    name, path = window.download()
    assert name == "Open games 1.bin"
    with chess.polyglot.open_reader(path) as book:
        entries = [each.move.uci() for each in book.find_all(chess.Board(root["fen"]))]
    assert root["line"][0] in entries
    dialog.get_by_label("Format").select_option(label="All positions (NDJSON)")
    dialog.get_by_label("Least positions behind a move").fill("")
    name, path = window.download()
    assert (name, len(path.read_text().splitlines())) == ("Open games 1.ndjson", made["positions"])
    dialog.get_by_label("Half-moves at most").fill("0")
    dialog.get_by_role("button", name="Download").click()
    expect(window.row("Half-moves at most").get_by_role("alert")).to_be_visible()
    address = dialog.get_by_label("All moves (queryall)").input_value()
    answer = window.page.request.get(address + root["fen"].replace(" ", "%20"))
    assert answer.text().startswith(f"move:{root['line'][0]},")
    assert violations(window.page) == []


def test_trees_are_copied_merged_and_deleted(window: Window) -> None:
    made = window.grow("Whole", 20)
    best = window.call("GET", f"/{made['id']}/position")["moves"][0]
    window.grow("Other", 5, position={"moves": [best["move"]]})
    dialog = window.open()
    window.press_more("Whole", "Copy…")
    dialog.get_by_role("button", name="Copy", exact=True).click()
    copied = window.entry("Whole (copy)")
    expect(copied.get_by_test_id("stage")).to_have_text("Paused")
    expect(copied).to_contain_text("20 positions")
    window.page.keyboard.press("Escape")
    paste(window.page, f"1. {best['san']} *")
    window.page.locator(".mainline > button.move").click()
    expect(window.page.locator(".move[aria-current]")).to_have_text(best["san"])
    window.open()
    window.press_more("Whole", "Copy…")
    dialog.get_by_label("From the position on the board").check()
    dialog.get_by_label("Name", exact=True).fill("Part")
    dialog.get_by_role("button", name="Copy", exact=True).click()
    expect(window.entry("Part").get_by_test_id("stage")).to_have_text("Paused")
    part = next(each for each in window.call("GET")["projects"] if each["name"] == "Part")
    assert (part["position"]["moves"], part["positions"]) == ([best["move"]], best["size"])
    window.press_more("Whole", "Merge…")
    assert violations(window.page) == []
    dialog.get_by_label("Other project").select_option(label="Other")
    dialog.get_by_role("button", name="Merge", exact=True).click()
    expect(dialog.locator(".toast")).to_contain_text("Merged")
    window.press_more("Other", "Merge…")
    dialog.get_by_label("Other project").select_option(label="Whole")
    dialog.get_by_role("button", name="Merge", exact=True).click()
    expect(dialog.locator(".trouble")).to_contain_text("That is not possible now")
    dialog.get_by_role("button", name="All projects").click()
    window.press_more("Other", "Delete…")
    question = dialog.get_by_role("group", name="Delete Other")
    question.get_by_role("button", name="Keep").click()
    expect(question).to_have_count(0)
    window.entry("Other").get_by_role("button", name="Delete…").click()
    question.get_by_role("button", name="Delete").click()
    expect(window.entry("Other")).to_have_count(0)
    names = {each["name"] for each in window.call("GET")["projects"]}
    assert names == {"Whole", "Whole (copy)", "Part"}


def test_a_project_is_opened_beside_the_board(window: Window) -> None:
    window.grow("Sicilian", 8, position={"moves": ["e4", "c5"]})
    window.open()
    window.entry("Sicilian").get_by_role("button", name="Open").click()
    expect(window.dialog).to_have_count(0)
    expect(window.page.get_by_test_id("project")).to_be_visible()
    expect(window.page.locator(".move[aria-current]")).to_have_text("c5")
    expect_moves(window.page, ["e4", "c5"])


@pytest.mark.parametrize(("width", "height", "scheme"), SCREENS)
def test_the_window_fits_every_screen(
    keeper: Site,
    window: Window,
    open_page: Callable[..., Page],
    tmp_path: Path,
    *,
    width: int,
    height: int,
    scheme: str,
) -> None:
    window.grow("King's Gambit", 20, position={"moves": ["e4", "e5", "f4"]})
    size = {"width": width, "height": height}
    page = open_page(keeper.url, searches=False, viewport=size, color_scheme=scheme)
    here = Window(page, keeper.url)
    here.open()
    head = page.locator(".page-head").bounding_box()
    assert head
    assert head["height"] < 60, "its buttons have one row"
    entry = here.entry("King's Gambit")
    expect(entry.get_by_test_id("best")).to_be_visible()
    entry.get_by_role("button", name="More…").click()
    assert violations(page) == []
    page.screenshot(path=tmp_path / "list.png")
    for button in ("Settings…", "Export…"):
        entry.get_by_role("button", name=button).click()
        expect(here.dialog.get_by_role("button", name="All projects")).to_be_focused()
        assert here.fits()
        page.screenshot(path=tmp_path / f"{button[:-1]}.png")
        page.keyboard.press("Enter")
        expect(entry.get_by_role("button", name="Open")).to_be_focused()
    here.dialog.get_by_role("button", name="New project").click()
    here.dialog.get_by_text("Each side by itself").click()
    assert violations(page) == []
    assert here.fits()
    expect_fit(page, width)
    page.screenshot(path=tmp_path / "new.png")
