"""The list of moves: its levels and brackets, its one stop for Tab, and the menu of a move."""

from helpers.browsing import expect_moves, paste, searching, until, violations
from playwright.sync_api import Locator, Page, expect

GAME = """1. e4 e5 $2 {a comment} (1... c5 2. Nf3 (2. c3 d5 (2... Nf6 3. e5 (3. d3 d6) 3... Nd5)
3. exd5 {a comment that is so long that it needs another row of the list of moves}) 2... d6 3. d4)
2. Nf3 Nc6 *"""
BETTER = """1. e4 e5 2. Nf3 Nc6 3. Ke2 $4 (3. Bb5 {better} 3... a6 4. Ba4 {[%eval 0.3,12]})
(3. d4 {my idea} 3... exd4) 3... Nf6 4. Ke3 $4 (4. d3 {better}
4... d5 5. Nbd2 {[%eval -0.2,14]}) *"""
# 3,000 moves: 1,500 plies in the main line, and variations that make some parts of the list higher.
LONG = " ".join(
    f"{at}. {'Nf3 Nf6 ({a comment} d5 d4 e6 e3)' if at % 2 else 'Ng1 Ng8'}" for at in range(1, 751)
)
MOVE = ".move[data-node]"
IN_SIGHT = """() => {
    const move = document.querySelector(".move[aria-current]")?.getBoundingClientRect();
    const list = document.querySelector(".moves").getBoundingClientRect();
    return !move || (list.top <= move.top && move.bottom <= list.bottom);
}"""
# Each drawing of a move sets another listener, which Preact keeps in the element.
REMEMBER = """() => {
    window.drawings = new Map([...document.querySelectorAll(".move[data-node]")]
        .map(each => [each, each.__e.onClick]));
}"""
DRAWN_AGAIN = """() => new Set([...window.drawings]
    .filter(([each, listener]) => each.__e.onClick !== listener)
    .map(([each]) => each.closest(".mainline"))).size"""
FOCUSED = "document.activeElement.getAttribute('aria-label')"
# A bracket that begins a row has its move there, and one that ends a variation has what it ends.
LONELY = """() => [...document.querySelectorAll(".bracket, .paren")].filter(it => {
    const box = it.getBoundingClientRect();
    const range = document.createRange();
    const isBegin = it.matches(".bracket");
    const other = isBegin ? it.nextElementSibling : it.previousElementSibling;
    range.selectNodeContents(other);
    const rows = [...range.getClientRects()];
    const row = isBegin ? rows[0] : rows.at(-1);
    return row.bottom <= box.top || row.top >= box.bottom;
}).map(it => it.textContent)"""


def move(page: Page, san: str) -> Locator:
    return page.locator(".move[data-node]", has_text=san).first


def test_moves_have_one_stop_for_tab_and_levels_that_fold(board: Page) -> None:
    paste(board, GAME)
    board.set_viewport_size({"width": 1024, "height": 768})
    assert board.locator(".moves [tabindex='0']").count() == 1
    board.locator(".moves [tabindex='0']").focus()
    board.keyboard.press("ArrowRight")
    board.keyboard.press("ArrowRight")
    assert board.evaluate(FOCUSED) == "Black, move 1, e5, mistake"
    board.keyboard.press("ArrowDown")
    assert board.evaluate(FOCUSED) == "Black, move 1, c5"
    assert board.locator(".moves [tabindex='0']").count() == 1
    # Those of the fourth level are folded until one goes there.
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown"):
        board.keyboard.press(key)
    assert board.evaluate(FOCUSED) == "White, move 3, d3"
    assert move(board, "d6").get_attribute("aria-label") != "Black, move 3, d6"
    board.keyboard.press("ArrowRight")
    assert board.evaluate(FOCUSED) == "Black, move 3, d6"
    assert board.evaluate(LONELY) == []
    lefts = [move(board, san).bounding_box() for san in ("c5", "c3", "Nf6", "d3")]
    indents = [round(box["x"]) for box in lefts if box]
    assert indents == sorted(set(indents)), "an inner variation is indented, on a row of its own"
    # The current move is in the variation that is folded.
    board.get_by_role("button", name="Variation 2. c3").click()
    expect(board.locator(".move[aria-current]")).to_have_text("c3")
    expect(move(board, "Nd5")).to_have_count(0)
    assert violations(board) == []


def test_better_lines_fold_alone_and_together(board: Page) -> None:
    paste(board, BETTER)
    better = board.get_by_role("button", name="Fold all better lines", exact=True)
    board.get_by_role("button", name="Variation 3. Bb5").click()
    expect(move(board, "Ba4")).to_have_count(0)
    expect(move(board, "Nbd2")).to_be_visible()
    move(board, "Nbd2").click()
    better.click()
    expect(board.locator(".move[aria-current]")).to_have_text("d3")
    expect(board.locator(".variation .move")).to_have_text(["Bb5", "d4", "exd4", "d3"])
    board.keyboard.press("ArrowRight")
    expect(board.locator(".move[aria-current]")).to_have_text("d5")
    better.click()
    board.get_by_role("button", name="Unfold all better lines").click()
    expect(move(board, "Ba4")).to_be_visible()
    expect(move(board, "Nbd2")).to_be_visible()
    assert violations(board) == []


def test_menu_of_a_move_changes_its_variations(board: Page) -> None:
    paste(board, GAME)
    menu = board.get_by_role("menu")
    move(board, "c5").click(button="right")
    expect(menu.get_by_role("menuitem", name="Comment")).to_be_focused()
    assert violations(board) == []
    menu.get_by_role("menuitem", name="Make this the main line").click()
    expect(menu).to_have_count(0)
    expect_moves(board, ["e4", "c5", "Nf3", "d6", "d4"])
    board.keyboard.press("Control+z")
    expect_moves(board, ["e4", "e5?", "Nf3", "Nc6"])

    board.set_viewport_size({"width": 390, "height": 844})
    move(board, "Nc6").focus()
    board.keyboard.press("Shift+F10")
    box = menu.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] + box["height"] <= 844
    board.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(move(board, "Nc6")).to_be_focused()

    board.keyboard.press("Shift+F10")
    board.keyboard.press("End")
    for _ in range(3):
        board.keyboard.press("ArrowUp")
    expect(menu.get_by_role("menuitem", name="Delete all other variations")).to_be_focused()
    board.keyboard.press("Enter")
    expect(board.locator(".variation")).to_have_count(0)
    board.keyboard.press("Control+z")
    expect(board.locator(".variation")).to_have_count(1)
    # A long press.
    press = {"pointerType": "touch", "bubbles": True, "clientX": 50, "clientY": 700}
    move(board, "Nc6").dispatch_event("pointerdown", press)
    menu.get_by_role("menuitemradio", name="brilliant").click()
    expect(board.get_by_label("Black, move 2, Nc6, brilliant move")).to_be_visible()


def test_change_in_a_long_game_draws_one_part_of_the_list_again(board: Page) -> None:
    paste(board, LONG)
    expect(board.locator(MOVE)).to_have_count(3000)
    board.locator("[aria-label='White, move 400, Ng1']").click()
    board.evaluate(REMEMBER)
    board.keyboard.press("c")
    board.get_by_role("dialog").get_by_role("textbox").fill("good")
    board.keyboard.press("Escape")
    expect(board.locator(".moves")).to_contain_text("good")
    assert board.evaluate(DRAWN_AGAIN) == 1
    board.keyboard.press("Control+z")
    expect(board.locator(".moves")).not_to_contain_text("good")
    assert board.evaluate(DRAWN_AGAIN) == 1
    assert board.evaluate(IN_SIGHT)


def test_current_move_of_a_long_game_is_in_sight(board: Page) -> None:
    current = board.locator(".move[aria-current]")
    paste(board, "1. e4 *")
    # Its panel makes the list lower.
    expect(board.get_by_role("button", name="Analyse the game")).to_be_visible()
    paste(board, LONG)
    expect(move(board, "Nf3")).to_be_attached()
    board.keyboard.press("End")  # before all moves are in the list
    expect(current).to_have_attribute("aria-label", "Black, move 750, Ng8")
    until(board, IN_SIGHT)
    expect(board.locator(MOVE)).to_have_count(3000)
    until(board, IN_SIGHT)
    for key in ("Home", "ArrowRight", "End", "ArrowLeft"):
        board.keyboard.press(key)
        until(board, IN_SIGHT)
    middle = "Black, move 401, Nf6"
    board.locator(f"[aria-label='{middle}']").click()
    # When the page is loaded again, the moves before it come into the list after it.
    board.reload()
    expect(board.get_by_role("button", name="Analyse the game")).to_be_visible()
    expect(current).to_have_attribute("aria-label", middle)
    until(board, IN_SIGHT)
    expect(board.locator(MOVE)).to_have_count(3000)
    until(board, IN_SIGHT)
    assert board.locator(".moves [tabindex='0']").count() == 1
    assert violations(board) == []


def test_game_with_more_moves_than_the_server_takes_is_analysed(searching_board: Page) -> None:
    knights = ("Nf3 Nf6", "Ng1 Ng8")
    paste(searching_board, " ".join(f"{at}. {knights[1 - at % 2]}" for at in range(1, 1003)))
    expect(move(searching_board, "Nf3")).to_be_attached()
    searching_board.keyboard.press("End")
    expect(searching_board.locator(".line .number").first).to_have_text("1003.")
    searching(searching_board)
    expect(searching_board.locator(".toast")).to_have_count(0)
