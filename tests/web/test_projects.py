"""Projects beside the board: a tree that the server grows, seen and steered on the page."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.request import Request, urlopen

import pytest
from helpers.browsing import (
    Site,
    check_rows,
    expect_fit,
    expect_moves,
    paste,
    searching,
    serving_ours,
    until,
    violations,
)
from helpers.support import TIMEOUT
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

BERLIN = ["e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6"]
SMALL = {"nodes": 300, "white": {"lines": 3}, "black": {"lines": 3}}
PHONE: ViewportSize = {"width": 390, "height": 844}
SEEN_MOVES = 6  # of a project, at least, without scrolling on a phone
STEER = re.compile("^Steer ")


class Projects:
    """The projects of a site, as its API has them."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def call(self, method: str, path: str = "", body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        url, headers = f"{self.site.direct_url}v1/projects{path}", {}
        if data:
            headers["Content-Type"] = "application/json"
        with urlopen(Request(url, data, headers, method=method), timeout=TIMEOUT) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def create(self, positions: int, *, name: str = "Berlin") -> str:
        """Make a small project of an opening; return its id."""
        body = {
            "name": name,
            "position": {"moves": BERLIN},
            "settings": SMALL,
            "budget": {"positions": positions},
        }
        return str(self.call("POST", body=body)["id"])

    def finished(self, id_: str) -> dict[str, Any]:
        """Return a project when it has come to its end, by waiting for each change."""
        project = dict(self.call("GET", f"/{id_}"))
        while project["stage"] == "active" or project["searching"]:
            project = self.call("GET", f"/{id_}?after={project['version']}&wait=5")
        return project

    def grown(self, positions: int) -> str:
        """Return the id of a project that has so many positions, and grows no more."""
        id_ = self.create(positions)
        assert self.finished(id_)["positions"] == positions
        return id_

    def all(self) -> list[dict[str, Any]]:
        return list(self.call("GET")["projects"])


@pytest.fixture(scope="module")
def keeping(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with a database for projects."""
    folder = tmp_path_factory.mktemp("keeping")
    cache = f"[cache]\nfile = {str(folder / 'projects.sqlite')!r}"
    with serving_ours(cache, folder=folder) as site:
        yield site


@pytest.fixture
def projects(keeping: Site) -> Iterator[Projects]:
    projects = Projects(keeping)
    yield projects
    for each in projects.all():
        with suppress(OSError):
            projects.call("DELETE", f"/{each['id']}")


@pytest.fixture
def opened(projects: Projects, open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return a function that opens a project beside the board."""

    def open_project(id_: str, **settings: Any) -> Page:
        page = open_page(f"{projects.site.url}#project={id_}", searches=False, **settings)
        expect(panel(page)).to_be_visible()
        return page

    return open_project


def panel(page: Page) -> Locator:
    return page.get_by_test_id("project")


def top(element: Locator) -> float:
    """Return where an element begins, in px from the top of the window."""
    return float(element.evaluate("it => it.getBoundingClientRect().top"))


def bottom(element: Locator) -> float:
    return float(element.evaluate("it => it.getBoundingClientRect().bottom"))


def listed(page: Page) -> list[str]:
    """Return the moves of the tree that are shown, the best first."""
    found = page.locator(".project-moves .book-move")
    expect(found.first).to_be_visible()
    return found.all_inner_texts()


def said_of(projects: Projects, id_: str, move: str) -> dict[str, Any]:
    """Return what the tree says of a move of its root."""
    found = projects.call("GET", f"/{id_}/position")["moves"]
    return next(dict(each) for each in found if each["san"] == move)


def choose(page: Page, move: str, entry: str) -> None:
    """Steer a move by its menu."""
    page.get_by_role("button", name=f"Steer {move}", exact=True).click()
    page.get_by_role("menuitem", name=entry).click()


def here(page: Page) -> str:
    """Return the last move of the position on the board."""
    return page.locator(".move[aria-current]").inner_text()


def test_an_analysis_becomes_a_project_by_one_click_and_grows_in_sight(
    projects: Projects, open_page: Callable[..., Page]
) -> None:
    page = open_page(projects.site.url)
    searching(page)
    paste(page, "1. e4 e5 2. Nf3 Nc6 *")
    page.keyboard.press("End")
    page.get_by_role("button", name="Keep this analysis as a project").click()
    expect(panel(page)).to_be_visible()
    [project] = projects.all()
    assert project["position"]["moves"] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert project["engines"] == [{"name": "rookery"}]
    assert project["name"].endswith("1. e4 e5 2. Nf3 Nc6")
    assert f"project={project['id']}" in page.url
    expect(page.get_by_test_id("main-line")).to_be_visible()
    sizes = page.locator(".project-moves .count span")
    expect(sizes.first).to_be_visible()  # The tree has grown, and the page was told.
    before = projects.call("GET", f"/{project['id']}")["positions"]
    expect(page.get_by_test_id("growth")).to_contain_text("Growing")
    cost = page.locator(".project-growth .hint")
    expect(cost).not_to_contain_text(re.compile(rf"^({before}|one) positions?\b"))
    expect_moves(page, ["e4", "e5", "Nf3", "Nc6"])


def test_moves_are_played_excluded_and_allowed_again(
    projects: Projects, opened: Callable[..., Page]
) -> None:
    page = opened(projects.grown(40))
    expect_moves(page, BERLIN)
    expect(page.get_by_test_id("growth")).to_contain_text("Finished")
    best, second = listed(page)[:2]
    line = page.get_by_test_id("main-line")
    expect(line).to_contain_text(best)
    page.locator(".project-moves").get_by_role("button", name=best, exact=True).click()
    assert here(page) == best
    expect(panel(page)).not_to_contain_text("Bb5")
    page.keyboard.press("ArrowLeft")

    choose(page, best, "Exclude this move")
    excluded = page.locator("tr.project-excluded")
    expect(excluded).to_contain_text(best)
    expect(line).not_to_contain_text(f"4. {best}")
    assert listed(page)[0] == second
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(excluded).to_have_count(0)
    assert listed(page)[0] == best

    choose(page, second, "Only this move")
    expect(page.locator("tr", has_text=second).locator(".pinned")).to_be_visible()
    expect(line).to_contain_text(second)
    choose(page, second, "Not only this move")
    expect(page.locator(".pinned")).to_have_count(0)

    page.get_by_role("button", name="Steer", exact=True).click()
    page.get_by_role("menuitem", name="Exclude all other moves").click()
    expect(page.get_by_test_id("others")).to_have_class(re.compile("project-excluded"))


def open_menu(page: Page, move: str) -> Locator:
    """Open the menu of a move of the game; return its part for the project."""
    page.locator(".move[data-node]", has_text=move).click(button="right")
    expect(page.get_by_role("menu")).to_be_visible()
    return page.get_by_role("menu").get_by_role("group", name="Project")


def test_moves_of_the_game_are_steered_by_their_menu(
    projects: Projects, opened: Callable[..., Page]
) -> None:
    id_ = projects.grown(40)
    page = opened(id_)
    best = listed(page)[0]
    page.locator(".project-moves").get_by_role("button", name=best, exact=True).click()
    expect(page.locator(".move[aria-current]")).to_have_text(best)
    steer = open_menu(page, best)
    items = steer.get_by_role("menuitem")
    texts = ["Exclude this move", "Only this move, and others marked so", "Look deeper here"]
    expect(items).to_have_text(texts)
    assert violations(page) == []
    items.get_by_text("Exclude this move").click()
    expect(page.get_by_role("status").get_by_text(f"{best}: excluded.")).to_be_visible()
    assert said_of(projects, id_, best)["excluded"]
    expect(open_menu(page, best).get_by_role("menuitem")).to_have_text("Allow this move again")
    items.click()
    expect(page.get_by_role("status").get_by_text("allowed again")).to_be_visible()
    open_menu(page, best).get_by_text("Only this move").click()
    expect(page.get_by_role("status").get_by_text("only this move")).to_be_visible()
    assert said_of(projects, id_, best)["pinned"]
    expect(open_menu(page, best).get_by_text("Not only this move")).to_be_visible()
    before = projects.call("GET", f"/{id_}/position?moves={best}")["nodes"]
    steer.get_by_text("Look deeper here").click()
    expect(page.get_by_role("status").get_by_text("four times as many nodes")).to_be_visible()
    projects.call("PATCH", f"/{id_}", {"stage": "active"})
    projects.finished(id_)
    assert projects.call("GET", f"/{id_}/position?moves={best}")["nodes"] >= 4 * before
    # The root has no move before it in the tree, and the moves before that are no part of it.
    expect(open_menu(page, "Nf6").get_by_role("menuitem")).to_have_text("Look deeper here")
    page.keyboard.press("Escape")
    with page.expect_response(re.compile("/position")):
        open_menu(page, "Bb5")
    expect(steer).to_have_count(0)


def test_a_move_of_the_game_that_a_tree_does_not_have_is_added_by_its_menu(
    projects: Projects, opened: Callable[..., Page]
) -> None:
    id_ = projects.grown(10)
    page = opened(id_, viewport=PHONE, has_touch=True)
    expect(page.get_by_test_id("main-line")).to_be_visible()
    paste(page, "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. Rg1 Rg8 *")
    press = {"pointerType": "touch", "bubbles": True, "clientX": 380, "clientY": 840}
    page.locator(".move[data-node]", has_text="Rg8").dispatch_event("pointerdown", press)
    menu = page.get_by_role("menu")
    entry = menu.get_by_role("menuitem", name="Add this move to the tree")
    expect(entry).to_be_visible()
    box = menu.bounding_box()
    assert box
    assert box["x"] + box["width"] <= PHONE["width"]
    assert box["y"] + box["height"] <= PHONE["height"]
    entry.click()
    expect(page.get_by_role("status").get_by_text("Rg8: added.")).to_be_visible()
    assert projects.call("GET", f"/{id_}/position?moves=Rg1%20Rg8")["kind"] == "unsearched"
    page.get_by_role("button", name="Close the project").click()
    page.locator(".move[data-node]", has_text="Rg8").dispatch_event("pointerdown", press)
    expect(menu).to_be_visible()
    expect(menu.get_by_role("group", name="Project")).to_have_count(0)


def test_a_position_is_searched_deeper(projects: Projects, opened: Callable[..., Page]) -> None:
    id_ = projects.grown(10)
    page = opened(id_)
    before = projects.call("GET", f"/{id_}/position")["nodes"]
    page.get_by_role("button", name="Steer", exact=True).click()
    page.get_by_role("menuitem", name="Look deeper here").click()
    expect(page.locator(".project-steered")).to_contain_text("four times as many nodes")
    projects.call("PATCH", f"/{id_}", {"stage": "active"})
    projects.finished(id_)
    assert projects.call("GET", f"/{id_}/position")["nodes"] >= 4 * before


def test_map_leads_to_positions_by_clicks_and_keys(
    projects: Projects, opened: Callable[..., Page]
) -> None:
    page = opened(projects.grown(40))
    tree = page.get_by_role("tree", name="Map of the tree")
    item = tree.locator("[role=treeitem][aria-level='3']").first
    name = str(item.get_attribute("aria-label"))
    item.click()
    _, reply = name.split(":")[0].split()
    assert here(page) == reply
    expect(tree.locator("[aria-selected=true]")).to_have_attribute("aria-label", name)
    item.focus()
    page.keyboard.press("ArrowUp")
    focused = page.locator("[role=treeitem]:focus")
    expect(focused).to_have_attribute("aria-level", "2")
    page.keyboard.press("Enter")
    assert here(page) == name.split()[0]
    page.keyboard.press("Home")
    expect(focused).to_have_attribute("aria-level", "1")
    page.keyboard.press(" ")
    assert here(page) == "Nf6"
    expect(page.get_by_test_id("map-words")).to_contain_text("Largest:")


def test_a_position_outside_of_the_tree_is_added(
    projects: Projects, opened: Callable[..., Page]
) -> None:
    id_ = projects.grown(10)
    page = opened(id_)
    paste(page, "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. Rg1 Rg8 *")
    page.keyboard.press("End")
    unknown = page.get_by_test_id("unknown")
    expect(unknown).to_contain_text("not in the tree")
    unknown.get_by_role("button", name="Add it to the tree").click()
    expect(unknown).to_have_count(0)
    expect(panel(page)).to_contain_text("waits for its search")
    added = projects.call("GET", f"/{id_}/position?moves=Rg1%20Rg8")
    assert added["kind"] == "unsearched"
    note = page.locator(".project-steered")
    expect(note).to_contain_text("Rg8: added.")
    note.get_by_role("button", name="Undo").click()
    expect(note).to_contain_text("excluded.")
    [reply] = projects.call("GET", f"/{id_}/position?moves=Rg1")["moves"]
    assert (reply["san"], reply["excluded"]) == ("Rg8", True)


def test_what_has_changed_since_the_last_visit_is_listed(
    projects: Projects, opened: Callable[..., Page]
) -> None:
    id_ = projects.grown(3)
    page = opened(id_)
    expect(page.get_by_test_id("main-line")).to_be_visible()
    changes = page.get_by_test_id("changes")
    until(page, "'rookery.visits' in localStorage")
    expect(changes).to_have_count(0)
    url = page.url
    page.goto(f"{projects.site.url}readyz")
    projects.call("PATCH", f"/{id_}", {"stage": "active", "budget": {"positions": 80}})
    projects.finished(id_)
    page.goto(url)
    changes.locator("summary").click()
    expect(changes).to_contain_text("77 positions were added")
    link = changes.get_by_role("button", name=re.compile("^After ")).first
    line = re.match(r"After (.*): \S+ is best now", link.inner_text())
    assert line
    link.click()
    assert here(page) == line[1].split()[-1]
    changes.get_by_role("button", name="Mark as seen").click()
    expect(changes).to_have_count(0)


def test_growth_is_paused_and_goes_on(projects: Projects, opened: Callable[..., Page]) -> None:
    id_ = projects.create(100_000)
    page = opened(id_)
    growth = page.get_by_test_id("growth")
    expect(growth).to_contain_text("Growing")
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(growth).to_have_text("Paused")
    assert projects.call("GET", f"/{id_}")["stage"] == "paused"
    page.get_by_role("button", name="Go on").click()
    expect(growth).to_contain_text("Growing")


@pytest.mark.parametrize(
    ("language", "full", "mated"),
    [
        ("de", "so viele Stellungen, wie es haben sollte", "nichts mehr zu suchen"),
        ("es", "tiene tantas posiciones como debía tener", "no queda nada por buscar"),
        ("fr", "autant de positions", "a plus rien à chercher"),
        ("ru", "столько позиций, сколько было задано", "искать больше нечего"),
    ],
)
def test_the_reason_why_a_project_does_not_grow_is_said_in_the_language_of_the_page(
    projects: Projects, opened: Callable[..., Page], language: str, full: str, mated: str
) -> None:
    page = opened(projects.grown(3), locale=language)
    growth = page.get_by_test_id("growth")
    expect(growth).to_contain_text(full)
    over = projects.call("POST", body={"position": {"fen": "R6k/8/6K1/8/8/8/8/8 b - - 0 1"}})
    projects.finished(over["id"])
    page.goto("about:blank")
    page.goto(f"{projects.site.url}#project={over['id']}")
    expect(growth).to_contain_text(mated)
    expect(growth).not_to_contain_text("nothing left")


def test_a_finished_project_goes_on_with_more(
    projects: Projects, opened: Callable[..., Page]
) -> None:
    id_ = projects.grown(5)
    page = opened(id_)
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".project-growth .hint")).to_contain_text("10 positions")
    assert projects.finished(id_)["budget"]["positions"] == 10


def test_a_project_that_is_gone_says_so_and_can_be_closed(
    projects: Projects, opened: Callable[..., Page]
) -> None:
    page = opened("gone")
    expect(panel(page)).to_contain_text("The server does not have this project")
    page.get_by_role("button", name="Close the project").click()
    expect(panel(page)).to_have_count(0)
    assert "project=" not in page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_panel_is_accessible_and_fits(
    projects: Projects, opened: Callable[..., Page], scheme: str
) -> None:
    page = opened(projects.grown(60), color_scheme=scheme)
    choose(page, listed(page)[0], "Exclude this move")
    expect(page.locator("tr.project-excluded")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name=STEER).first.click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        expect_fit(page, width)
        assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_moves_of_a_project_stand_below_the_board_of_a_phone(
    projects: Projects, opened: Callable[..., Page], scheme: str
) -> None:
    page = opened(projects.grown(150), viewport=PHONE, color_scheme=scheme, has_touch=True)
    assert len(listed(page)) >= SEEN_MOVES
    rows = page.locator(".project-moves tbody tr")
    buttons = page.get_by_role("navigation", name="Moves")
    assert bottom(rows.nth(SEEN_MOVES - 1)) <= top(buttons)
    assert bottom(page.get_by_test_id("board")) < top(panel(page))
    assert bottom(panel(page)) < top(page.locator(".engine")) < top(page.locator(".moves"))
    expect(page.locator(".panels").get_by_test_id("project")).to_have_count(0)
    expect_fit(page, PHONE["width"])
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".panels").get_by_test_id("project")).to_be_visible()
    assert listed(page)


def test_a_project_that_is_opened_on_a_phone_is_seen_with_the_board(
    projects: Projects, open_page: Callable[..., Page]
) -> None:
    projects.grown(10)
    page = open_page(projects.site.url, searches=False, viewport=PHONE)
    page.get_by_role("button", name="My projects").click()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    until(page, "scrollY > 0")
    page.get_by_role("dialog").get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_test_id("main-line")).to_be_in_viewport()
    until(page, "scrollY === 0")


def test_moves_of_the_game_have_their_rows_beside_a_project(
    projects: Projects, opened: Callable[..., Page]
) -> None:
    page = opened(projects.grown(40))
    expect(page.locator(".mainline > button.move")).to_have_count(len(BERLIN))
    paste(page, " ".join(("Nf3", "Nf6", "Ng1", "Ng8")[at % 4] for at in range(80)))
    check_rows(page)
