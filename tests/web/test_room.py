"""A running analysis that others watch, by a link."""

from collections.abc import Callable

from browsing import Site, click, drag, moves, paste, searching
from playwright.sync_api import Page, expect


def opened(page: Page) -> str:
    """Open a room; return its link."""
    page.get_by_role("button", name="Analyse together").click()
    page.get_by_role("button", name="Open a room").click()
    link = page.get_by_label("Link for viewers")
    expect(link).to_be_visible()
    address = link.input_value()
    page.get_by_role("button", name="Done").click()
    return address


def opened_link(page: Page) -> str:
    page.get_by_role("button", name="Link", exact=True).click()
    address = page.get_by_label("Link for viewers").input_value()
    page.get_by_role("button", name="Done").click()
    return address


def current(page: Page, san: str) -> None:
    expect(page.locator(".mainline .move[aria-current]")).to_have_text(san)


def test_watchers_follow_what_is_analysed(board: Page, visit: Callable[..., Page]) -> None:
    paste(board, "1. e4 c5 *")
    board.keyboard.press("ArrowRight")
    current(board, "e4")
    watcher = visit(opened(board))
    current(watcher, "e4")
    searching(watcher)
    expect(board.get_by_test_id("watching")).to_have_text("1 viewer")
    expect(board.locator(".watchers li")).to_contain_text("local")
    drag(board, "g8", "f6")
    current(watcher, "Nf6")
    searching(watcher)
    expect(watcher.locator(".line .score")).to_have_count(3)
    click(watcher, "e4", "e5")  # Who watches moves nothing.
    assert moves(watcher) == ["e4", "Nf6"]
    watcher.close()
    expect(board.get_by_test_id("watching")).to_have_text("no viewers yet")


def test_control_is_handed_on_and_taken_back(board: Page, visit: Callable[..., Page]) -> None:
    watcher = visit(opened(board))
    searching(watcher)
    board.get_by_role("button", name="Give control").click()
    watcher.get_by_role("button", name="Accept").click()
    expect(watcher.get_by_test_id("watching")).to_contain_text("you have control")
    expect(board.locator(".watchers li")).to_contain_text("has control")
    drag(watcher, "d2", "d4")
    current(board, "d4")
    searching(watcher)
    searching(board)
    click(board, "d7", "d5")
    assert moves(board) == ["d4"]
    board.get_by_role("button", name="Take back control").click()
    expect(watcher.get_by_test_id("watching")).to_contain_text("watching")
    drag(board, "d7", "d5")
    current(watcher, "d5")
    searching(board)


def test_control_that_is_not_wanted_stays(board: Page, visit: Callable[..., Page]) -> None:
    watcher = visit(opened(board))
    board.get_by_role("button", name="Give control").click()
    watcher.get_by_role("button", name="Decline").click()
    expect(board.locator(".toast")).to_contain_text("declined control")
    expect(board.get_by_role("button", name="Give control")).to_be_visible()


def test_room_outlives_a_cut(site: Site, board: Page, visit: Callable[..., Page]) -> None:
    watcher = visit(opened(board))
    searching(watcher)
    site.cut("reset")
    drag(board, "c2", "c4")
    current(watcher, "c4")
    expect(board.get_by_test_id("watching")).to_have_text("1 viewer")


def test_room_outlives_a_reload_of_its_owner(board: Page, visit: Callable[..., Page]) -> None:
    paste(board, "1. e4 c5 *")
    address = opened(board)
    watcher = visit(address)
    searching(watcher)
    board.reload()
    expect(board.get_by_test_id("watching")).to_have_text("1 viewer")
    searching(board)
    drag(board, "g1", "f3")
    current(watcher, "Nf3")
    searching(watcher)
    board.reload()
    board.reload()
    searching(board)
    expect(board.get_by_test_id("watching")).to_have_text("1 viewer")
    board.get_by_role("button", name="Give control").click()
    watcher.get_by_role("button", name="Accept").click()
    expect(watcher.get_by_test_id("watching")).to_contain_text("you have control")
    board.reload()
    expect(board.locator(".watchers li")).to_contain_text("has control")
    drag(watcher, "b8", "c6")
    current(board, "Nc6")
    searching(board)
    assert opened_link(board) == address
    expect(board.locator(".toast")).to_have_count(0)


def test_room_outlives_a_look_at_another_page(board: Page, visit: Callable[..., Page]) -> None:
    address = opened(board)
    watcher = visit(address)
    for move, from_, to in (("e4", "e2", "e4"), ("c5", "c7", "c5")):
        board.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
        board.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        searching(board)
        drag(board, from_, to)
        current(watcher, move)
        searching(watcher)
    assert opened_link(board) == address
    board.reload()
    searching(board)
    expect(board.locator(".toast")).to_have_count(0)


def test_room_that_is_gone_when_its_owner_comes_back_is_said_to_be(
    board: Page, visit: Callable[..., Page]
) -> None:
    watcher = visit(opened(board))
    searching(watcher)
    board.add_init_script(
        """sessionStorage["rookery.baton"] = (sessionStorage["rookery.baton"] ?? "")
            .replace(/"pass":"[^"]*"/, '"pass":"1.nonsense"')"""
    )
    board.reload()
    expect(board.locator(".toast", has_text="The room is closed")).to_be_visible()
    searching(board)
    expect(board.get_by_test_id("watching")).to_have_count(0)


def test_room_that_is_closed_says_so(board: Page, visit: Callable[..., Page]) -> None:
    watcher = visit(opened(board))
    searching(watcher)
    board.get_by_role("button", name="Link", exact=True).click()
    board.get_by_role("button", name="Close the room").click()
    expect(watcher.get_by_role("alert")).to_contain_text("The room is closed")
    expect(watcher.get_by_role("button", name="Reconnect")).to_have_count(0)
    watcher.get_by_role("button", name="Continue alone").click()
    searching(watcher)
    drag(watcher, "e2", "e4")
    current(watcher, "e4")


def test_link_to_no_room_says_so(site: Site, visit: Callable[..., Page]) -> None:
    page = visit(f"{site.url}#room=nothing-of-the-kind")
    expect(page.get_by_role("alert")).to_contain_text("There is no such room")


def test_owner_who_takes_another_engine_hears_that_the_room_is_closed(
    board: Page, visit: Callable[..., Page]
) -> None:
    watcher = visit(opened(board))
    searching(watcher)
    expect(watcher.locator(".moves")).not_to_contain_text("Make a move")
    board.get_by_label("Choose the engine").select_option("stockfish")
    expect(board.locator(".toast")).to_contain_text("The room is closed")
    expect(watcher.get_by_role("alert")).to_contain_text("The room is closed")


def test_search_goes_on_for_who_comes_while_the_owner_looks_elsewhere(
    board: Page, visit: Callable[..., Page]
) -> None:
    address = opened(board)
    board.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", {value: true, configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    expect(board.get_by_test_id("status")).to_contain_text("done")
    watcher = visit(address)
    expect(watcher.get_by_test_id("watching")).to_contain_text("1 viewer")
    expect(board.get_by_test_id("status")).not_to_contain_text("done")
    searching(watcher)
    expect(watcher.get_by_label("Choose the engine")).to_have_count(0)
