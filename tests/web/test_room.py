"""Rooms: a running analysis with viewers."""

from collections.abc import Callable

import pytest
from helpers.browsing import Site, click, drag, expect_moves, paste, searching, violations
from playwright.sync_api import Page, expect


@pytest.fixture
def board(endless_board: Page) -> Page:
    """Return the page of an owner whose engine searches, so that viewers have something to see."""
    return endless_board


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


def test_viewers_follow_the_analysis(board: Page, open_page: Callable[..., Page]) -> None:
    paste(board, "1. e4 c5 *")
    board.keyboard.press("ArrowRight")
    current(board, "e4")
    watcher = open_page(opened(board))
    current(watcher, "e4")
    searching(watcher)
    expect(board.get_by_test_id("watching")).to_have_text("1 viewer")
    expect(board.locator(".watchers li")).to_contain_text("Guest 1")
    drag(board, "g8", "f6")
    current(watcher, "Nf6")
    searching(watcher)
    expect(watcher.locator(".line .score")).to_have_count(3)
    click(watcher, "e4", "e5")  # Nobody else sees the moves of viewers.
    expect(watcher.locator(".move.try")).to_have_text("e5")
    expect(watcher.get_by_role("button", name="Undo")).to_have_count(0)
    expect(board.locator(".moves")).not_to_contain_text("2e5")
    watcher.close()
    expect(board.get_by_test_id("watching")).to_have_text("no viewers yet")


def test_control_is_handed_over_and_taken_back(board: Page, open_page: Callable[..., Page]) -> None:
    watcher = open_page(opened(board))
    searching(watcher)
    board.get_by_role("button", name="Give control").click()
    watcher.get_by_role("button", name="Accept").click()
    expect(watcher.get_by_test_id("watching")).to_contain_text("you have control")
    expect(board.locator(".watchers li")).to_contain_text("has control")
    drag(watcher, "d2", "d4")
    current(board, "d4")
    searching(watcher)
    searching(board)
    click(board, "d7", "d5")  # The owner writes, but shows no place.
    expect(watcher.locator(".moves")).to_contain_text("d5")
    current(watcher, "d4")
    board.get_by_role("button", name="Take back control").click()
    expect(watcher.get_by_test_id("watching")).to_contain_text("watching")
    current(watcher, "d5")
    searching(board)


GAME = """[White "Anna"]
[Black "Bert"]

1. e4 {mine} e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5 {Italian}) 3... a6 4. Ba4 *"""


def hand_over(board: Page, watcher: Page) -> None:
    board.get_by_role("button", name="Give control").click()
    watcher.get_by_role("button", name="Accept").click()
    expect(watcher.get_by_test_id("watching")).to_contain_text("you have control")


def is_whole(board: Page) -> None:
    """Assert that the game is complete."""
    expect_moves(board, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4"])
    expect(board.locator(".game-title")).to_contain_text("Anna")
    for text in ("mine", "Bc4", "Italian"):
        expect(board.locator(".moves")).to_contain_text(text)


def test_game_of_the_owner_survives_moves_of_viewers(
    board: Page, open_page: Callable[..., Page]
) -> None:
    paste(board, GAME)
    board.keyboard.press("End")
    watcher = open_page(opened(board))
    current(watcher, "Ba4")
    hand_over(board, watcher)
    watcher.keyboard.press("ArrowLeft")
    current(board, "a6")
    is_whole(board)
    watcher.keyboard.press("Home")
    drag(watcher, "d2", "d4")
    expect(board.locator(".variation .move[aria-current]")).to_contain_text("d4")
    is_whole(board)
    board.get_by_role("button", name="Take back control").click()
    expect(watcher.get_by_test_id("watching")).to_contain_text("watching")
    board.reload()
    searching(board)
    is_whole(board)
    expect(board.locator(".moves")).to_contain_text("d4")


def test_replaced_game_of_the_owner_can_be_undone(
    board: Page, open_page: Callable[..., Page]
) -> None:
    paste(board, GAME)
    watcher = open_page(opened(board))
    searching(watcher)
    hand_over(board, watcher)
    paste(watcher, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    expect(board.locator(".toast")).to_contain_text("Another game is shown")
    expect_moves(board, [])
    board.get_by_role("button", name="Undo").click()
    is_whole(board)
    is_whole(watcher)


def test_page_without_control_cannot_direct_the_engine(
    board: Page, open_page: Callable[..., Page]
) -> None:
    board.get_by_role("button", name="Engine options").click()
    expect(board.get_by_role("spinbutton", name="Hash")).to_be_enabled()
    board.keyboard.press("Escape")  # Viewers get the options after the engine has listed them.
    paste(board, "1. e4 c5 *")
    board.keyboard.press("End")
    watcher = open_page(opened(board))
    current(watcher, "c5")
    analyse = watcher.get_by_role("button", name="Analyse the game")
    expect(analyse).to_be_disabled()
    expect(analyse).to_have_attribute("title", "Someone else has control")
    expect(watcher.get_by_role("switch", name="Engine")).to_be_disabled()
    watcher.get_by_role("button", name="Engine options").click()
    options = watcher.get_by_role("dialog")
    expect(options.get_by_role("button", name="Reset to defaults")).to_be_disabled()
    expect(options.get_by_role("spinbutton", name="Hash")).to_be_disabled()
    expect(options.get_by_role("slider", name="Lines")).to_be_enabled()
    watcher.keyboard.press("Escape")
    hand_over(board, watcher)
    expect(watcher.get_by_role("switch", name="Engine")).to_be_enabled()
    expect(board.get_by_role("button", name="Analyse the game")).to_be_disabled()
    watcher.get_by_label("Where to analyse").select_option("tab")
    analyse.click()
    board.get_by_role("button", name="Take back control").click()
    expect(watcher.get_by_test_id("status")).not_to_contain_text("analysing")


def test_declined_control_stays_with_the_owner(board: Page, open_page: Callable[..., Page]) -> None:
    watcher = open_page(opened(board))
    board.get_by_role("button", name="Give control").click()
    watcher.get_by_role("button", name="Decline").click()
    expect(board.locator(".toast")).to_contain_text("declined control")
    expect(board.get_by_role("button", name="Give control")).to_be_visible()


def test_room_survives_a_cut(site: Site, board: Page, open_page: Callable[..., Page]) -> None:
    watcher = open_page(opened(board))
    searching(watcher)
    site.cut("reset")
    drag(board, "c2", "c4")
    current(watcher, "c4")
    expect(board.get_by_test_id("watching")).to_have_text("1 viewer")


def test_room_survives_a_reload_of_its_owner(board: Page, open_page: Callable[..., Page]) -> None:
    paste(board, "1. e4 c5 *")
    address = opened(board)
    watcher = open_page(address)
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


def test_room_survives_a_visit_to_another_page(board: Page, open_page: Callable[..., Page]) -> None:
    address = opened(board)
    watcher = open_page(address)
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


def test_expired_room_is_reported_to_its_returning_owner(
    board: Page, open_page: Callable[..., Page]
) -> None:
    watcher = open_page(opened(board))
    searching(watcher)
    board.add_init_script(
        """sessionStorage["rookery.handover"] = (sessionStorage["rookery.handover"] ?? "")
            .replace(/"pass":"[^"]*"/, '"pass":"1.nonsense"')"""
    )
    board.reload()
    expect(board.locator(".toast", has_text="The room is closed")).to_be_visible()
    searching(board)
    expect(board.get_by_test_id("watching")).to_have_count(0)


def test_closed_room_is_reported(board: Page, open_page: Callable[..., Page]) -> None:
    watcher = open_page(opened(board))
    searching(watcher)
    board.get_by_role("button", name="Link", exact=True).click()
    board.get_by_role("button", name="Close the room").click()
    expect(watcher.get_by_role("alert")).to_contain_text("The room is closed")
    expect(watcher.get_by_role("button", name="Reconnect")).to_have_count(0)
    watcher.get_by_role("button", name="Continue alone").click()
    searching(watcher)
    drag(watcher, "e2", "e4")
    current(watcher, "e4")


def test_link_to_an_unknown_room_is_reported(site: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{site.url}#room=nothing-of-the-kind")
    expect(page.get_by_role("alert")).to_contain_text("There is no such room")


def test_change_of_engine_asks_before_it_closes_the_room(
    board: Page, open_page: Callable[..., Page]
) -> None:
    watcher = open_page(opened(board))
    searching(watcher)
    expect(watcher.locator(".moves")).not_to_contain_text("Make a move")
    choice = board.get_by_label("Choose the engine")
    choice.select_option("stockfish")
    expect(board.get_by_role("alert")).to_contain_text("closes the room for 1 viewer")
    board.get_by_role("button", name="Keep the engine").click()
    expect(choice).to_have_value("rookery")
    expect(watcher.get_by_test_id("watching")).to_contain_text("no other viewers")
    choice.select_option("stockfish")
    board.get_by_role("button", name="Yes, change").click()
    expect(board.locator(".toast")).to_contain_text("The room is closed")
    expect(watcher.get_by_role("alert")).to_contain_text("The room is closed")


def test_change_of_engine_closes_a_room_without_viewers_at_once(board: Page) -> None:
    opened(board)
    board.get_by_label("Choose the engine").select_option("stockfish")
    expect(board.locator(".toast")).to_contain_text("The room is closed")
    searching(board)


def test_search_continues_for_viewers_while_the_owner_is_hidden(
    board: Page, open_page: Callable[..., Page]
) -> None:
    address = opened(board)
    board.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", {value: true, configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    expect(board.get_by_test_id("status")).to_contain_text("done")
    watcher = open_page(address)
    expect(watcher.get_by_test_id("watching")).to_contain_text("no other viewers")
    expect(board.get_by_test_id("status")).not_to_contain_text("done")
    searching(watcher)
    expect(watcher.get_by_label("Choose the engine")).to_have_count(0)


def test_game_is_shared_by_an_owner_a_writer_and_a_viewer(
    site: Site, board: Page, open_page: Callable[..., Page]
) -> None:
    paste(board, GAME)
    board.keyboard.press("End")
    address = opened(board)
    writer, viewer = open_page(address), open_page(address)
    for page in (writer, viewer):  # Comments, names of the players and variations are there.
        current(page, "Ba4")
        is_whole(page)
    writer.get_by_role("button", name="Change name").click()
    writer.get_by_label("Your name", exact=True).fill("Wanda")
    writer.get_by_role("button", name="Save name").click()
    wanda = board.locator(".watchers li", has_text="Wanda")
    expect(viewer.locator(".watchers")).to_contain_text("Wanda")
    wanda.get_by_role("button", name="Let write").click()
    expect(viewer.locator(".watchers li", has_text="Wanda")).to_contain_text("writes")

    writer.keyboard.press("c")  # A comment of the writer's.
    writer.get_by_role("dialog").get_by_role("textbox").fill("a good square")
    writer.keyboard.press("Escape")
    for page in (board, viewer):
        expect(page.locator(".moves")).to_contain_text("a good square")
    drag(writer, "c2", "c3", button="right")
    expect(viewer.locator("g[cgHash$=',c2,c3,green']")).to_have_count(1)
    drag(writer, "g8", "f6")
    expect(viewer.locator(".moves")).to_contain_text("Nf6")
    current(viewer, "Ba4")  # It follows the owner.
    expect(viewer.locator(".room")).to_contain_text("Last change: Wanda")

    drag(viewer, "b7", "b5")  # A try of the viewer's.
    tried = viewer.locator(".move.try")
    expect(tried).to_have_text("b5")
    expect(viewer.get_by_role("button", name="Comment on this move")).to_have_count(0)
    for page in (board, writer, viewer):
        assert violations(page) == []
    viewer.keyboard.press("v")
    current(viewer, "Ba4")
    viewer.keyboard.press("ArrowLeft")
    board.keyboard.press("Home")
    viewer.get_by_role("button", name="Back to live").click()
    expect(viewer.locator(".moves [aria-current]")).to_have_count(0)
    board.keyboard.press("ArrowRight")
    current(viewer, "e4")
    expect(board.get_by_role("button", name="Black, move 3, b5")).to_have_count(0)

    site.cut("reset")  # Names and rights survive.
    drag(board, "c7", "c5")
    current_variation = viewer.locator(".variation .move[aria-current]")
    expect(current_variation).to_contain_text("c5")
    expect(board.locator(".watchers li", has_text="Wanda")).to_contain_text("writes")
    writer.keyboard.press("End")
    drag(writer, "e1", "g1")
    for page in (board, viewer):
        expect(page.locator(".moves")).to_contain_text("O-O")
    wanda.get_by_role("button", name="Remove Wanda").click()
    expect(writer.get_by_role("alert")).to_contain_text("removed you")
    viewer.get_by_role("button", name="Save a copy").click()
    searching(viewer)
    expect(viewer.locator(".moves")).to_contain_text("a good square")
