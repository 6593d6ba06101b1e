"""The editor of positions, and pictures of the board."""

import re
import struct
from pathlib import Path

import pytest
from helpers.browsing import Site, click, drag, paste, searching
from playwright.sync_api import Page, expect

BARE = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


@pytest.fixture
def editor(searching_board: Page) -> Page:
    paste(searching_board, BARE)
    searching_board.get_by_role("button", name="Set up a position").click()
    expect(
        searching_board.get_by_test_id("setup-board").locator("cg-board > piece:not(.ghost)")
    ).to_have_count(2)
    return searching_board


def fen(page: Page) -> str:
    return page.get_by_role("textbox", name="FEN").input_value()


def placed(page: Page, pattern: str) -> None:
    expect(page.get_by_role("textbox", name="FEN")).to_have_value(re.compile(pattern))


def squares(page: Page, *names: str) -> list[tuple[float, float]]:
    box = page.get_by_test_id("setup-board").locator("cg-board").bounding_box()
    assert box
    side = box["width"] / 8
    return [
        (
            box["x"] + ("abcdefgh".index(name[0]) + 0.5) * side,
            box["y"] + (8.5 - int(name[1])) * side,
        )
        for name in names
    ]


def pull(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def test_pieces_are_placed_moved_and_removed_by_dragging(editor: Page) -> None:
    queen = editor.get_by_role("button", name="white queen").bounding_box()
    assert queen
    d4, d5 = squares(editor, "d4", "d5")
    pull(editor, (queen["x"] + 20, queen["y"] + 20), d4)
    placed(editor, r"/3Q4/8/8/8?/?4?K?")
    editor.get_by_role("button", name="move pieces", exact=True).click()
    pull(editor, d4, d5)
    placed(editor, r"^4k3/8/8/3Q4/8/8/8/4K3 ")
    pull(editor, d5, (5.0, 5.0))
    placed(editor, r"^4k3/8/8/8/8/8/8/4K3 ")


def test_pieces_are_placed_by_clicks_and_restored_by_undo(editor: Page) -> None:
    editor.get_by_role("button", name="black rook").click()
    for place in squares(editor, "a8", "h8"):
        editor.mouse.click(*place)
    placed(editor, r"^r3k2r/")
    editor.get_by_role("button", name="remove pieces").click()
    editor.mouse.click(*squares(editor, "a8")[0])
    placed(editor, r"^4k2r/")
    editor.get_by_role("button", name="Undo").click()
    placed(editor, r"^r3k2r/")


def test_position_is_set_up_by_keys_and_analysed(editor: Page) -> None:
    editor.get_by_test_id("setup-board").focus()
    for key in ("ArrowUp", "q", "ArrowRight", "Shift+R", "ArrowLeft", "Delete", "p"):
        editor.keyboard.press(key)
    placed(editor, r"^4k3/8/8/4Pr2/8/8/8/4K3 w")
    editor.get_by_label("To move").select_option("black")
    editor.get_by_role("button", name="Analyse", exact=True).click()
    searching(editor)
    expect(editor.get_by_test_id("position")).to_contain_text("Black to move")


def test_file_dropped_into_the_editor_opens_no_list(editor: Page) -> None:
    editor.get_by_role("button", name="Cancel").click()
    paste(editor, "1. e4 *\n\n1. d4 *")
    editor.get_by_role("button", name="Set up a position").click()
    editor.evaluate(
        """() => {
            const dataTransfer = new DataTransfer();
            dataTransfer.setData("text/plain", "1. c4 *");
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true}));
        }"""
    )
    expect(editor.locator(".toast").last).to_contain_text("not a valid FEN")
    expect(editor.get_by_role("dialog")).to_have_count(0)


def test_edited_position_survives_a_reload(editor: Page) -> None:
    editor.get_by_role("button", name="Clear").click()
    editor.get_by_role("button", name="white queen").click()
    editor.mouse.click(*squares(editor, "d4")[0])
    placed(editor, r"^8/8/8/8/3Q4/8/8/8 ")
    editor.reload()
    placed(editor, r"^8/8/8/8/3Q4/8/8/8 ")
    editor.get_by_role("button", name="Cancel").click()
    editor.reload()
    expect(editor.get_by_test_id("board").locator("cg-board > piece:not(.ghost)")).to_have_count(2)
    expect(editor.get_by_test_id("setup-board")).to_have_count(0)


def test_link_replaces_an_edited_position(editor: Page, site: Site) -> None:
    editor.goto("about:blank")
    editor.goto(f"{site.url}#moves=d2d4")
    searching(editor)
    expect(editor.locator(".mainline .move[aria-current]")).to_have_text("d4")


def test_castling_and_en_passant_are_offered_where_possible(editor: Page) -> None:
    editor.get_by_role("textbox", name="FEN").fill("4k2r/8/8/3pP3/8/8/8/4K3 w - - 0 1")
    editor.keyboard.press("Tab")
    expect(editor.get_by_label("White short")).to_be_disabled()
    editor.get_by_label("Black short").check()
    placed(editor, r" w k ")
    editor.get_by_label("En passant").select_option("d6")
    placed(editor, r" w k d6 ")


def test_illegal_position_is_reported_and_not_analysed(editor: Page) -> None:
    editor.get_by_role("button", name="remove pieces").click()
    editor.mouse.click(*squares(editor, "e8")[0])
    expect(editor.get_by_test_id("legality")).to_have_text("Not legal: Black has no king.")
    expect(editor.get_by_role("button", name="Analyse", exact=True)).to_be_disabled()
    before = fen(editor)
    editor.get_by_role("textbox", name="FEN").fill("nonsense")
    editor.keyboard.press("Tab")
    expect(editor.get_by_role("alert")).to_contain_text("not a valid FEN")
    editor.get_by_role("button", name="Cancel").click()
    expect(editor.get_by_test_id("board")).to_be_visible()
    assert before.startswith("8/")


def test_chess960_castles_by_its_own_rules(editor: Page) -> None:
    editor.get_by_label("Chess960").check()
    editor.get_by_label("Start position number").fill("959")
    editor.keyboard.press("Tab")
    placed(editor, r"^rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w ")
    editor.get_by_role("button", name="Analyse", exact=True).click()
    searching(editor)
    drag(editor, "d1", "e3")
    expect(editor.locator(".mainline .move[aria-current]")).to_contain_text("N")


def test_deleted_moves_are_restored_by_undo(board: Page) -> None:
    paste(board, "1. e4 e5 2. Nf3 *")
    board.keyboard.press("ArrowRight")
    board.keyboard.press("ArrowRight")
    board.keyboard.press("Delete")
    expect(board.locator(".mainline > button.move")).to_have_count(1)
    board.keyboard.press("Control+z")
    expect(board.locator(".mainline > button.move")).to_have_count(3)
    expect(board.locator(".move[aria-current]")).to_have_text("e5")


# --- the picture


def test_game_replaced_by_undo_is_restored_by_redo(board: Page) -> None:
    paste(board, "1. e4 e5 *")
    again = board.get_by_label("Redo")
    expect(again).to_have_count(0)
    paste(board, "1. d4 *")
    board.keyboard.press("End")
    click(board, "d7", "d5")
    expect(board.locator(".mainline .move[aria-current]")).to_have_text("d5")
    board.keyboard.press("Control+z")
    expect(board.locator(".mainline .move")).to_have_text(["e4", "e5"])
    board.keyboard.press("Control+Shift+z")
    expect(board.locator(".mainline .move")).to_have_text(["d4", "d5"])
    board.keyboard.press("Control+z")
    again.click()
    expect(board.locator(".mainline .move")).to_have_text(["d4", "d5"])
    expect(again).to_have_count(0)


def test_picture_shows_the_position_as_svg_and_png(board: Page, tmp_path: Path) -> None:
    paste(board, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    board.get_by_role("button", name="Share or save").click()
    expect(board.get_by_alt_text("Preview of the board")).to_be_visible()
    with board.expect_download() as waiting:
        board.get_by_role("button", name="Save as SVG").click()
    waiting.value.save_as(tmp_path / "board.svg")
    svg = (tmp_path / "board.svg").read_text()
    assert svg.count("<use ") == 3
    assert svg.count("<symbol ") == 3
    assert '<path d="' in svg.split("<symbol ")[1]  # the drawing itself, not a link to it
    with board.expect_download() as waiting:
        board.get_by_role("button", name="Save as PNG").click()
    waiting.value.save_as(tmp_path / "board.png")
    png = (tmp_path / "board.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == (1024, 1024)


def test_picture_is_drawn_and_copied(board: Page) -> None:
    board.context.grant_permissions(["clipboard-read", "clipboard-write"])
    board.get_by_role("button", name="Share or save").click()
    drawn = """image => {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 80;
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0, 80, 80);
        const {data} = context.getImageData(0, 0, 80, 80);
        return [...data].filter((value, at) => at % 4 === 0 && value < 40).length;
    }"""
    picture = board.get_by_alt_text("Preview of the board")
    assert picture.evaluate(drawn) > 200  # so many dark pixels have only pieces
    board.get_by_role("button", name="Copy picture").click()
    expect(board.locator(".toast")).to_contain_text("Picture copied")
    kinds = board.evaluate("navigator.clipboard.read().then(items => items[0].types)")
    assert kinds == ["image/png"]
