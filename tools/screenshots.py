"""Make the pictures of the page for the README: `python tools/screenshots.py [FOLDER]`.

It starts a server with our engine and Stockfish, opens the page in Chromium at the sizes of
a desk, a tablet and a phone, light and dark, and does in it what there is to see.  Where
ImageMagick is installed the pictures have 128 colours, and so a third of the bytes.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests")]  # for what the tests do with the page

from helpers.browsing import (  # noqa: E402
    ROOKERY,
    Site,
    analyse_in_tab,
    drag,
    paste,
    searching,
    serving,
    stockfish,
)
from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

DESK, TABLET, PHONE = (1280, 800), (820, 1180), (390, 844)
PATIENCE = 60_000  # ms
COLORS = "128"
GAME = """[Event "Paris Opera"]
[White "Paul Morphy"]
[Black "Duke Karl / Count Isouard"]
[Date "1858.??.??"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {this is a weak move already} 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6
7. Qb3 Qe7 8. Nc3 (8. Qxb7 Qb4+ 9. Qxb4 Bxb4+) 8... c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7
12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0"""

BLUNDER = """[White "Ann"]
[Black "Bob"]

1. e4 e5 2. Qh5 Nf6 3. Qxe5+ Be7 4. f3 Nc6 5. Qg3 O-O 6. Qxg7+ Kxg7 *"""

LINES = (
    ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", ("1-0", "1-0", "0-1", "1/2-1/2", "1/2-1/2")),
    ("1. e4 e5 2. Nf3 Nc6 3. Bc4", ("1-0", "0-1", "1/2-1/2")),
    ("1. e4 e5 2. Nf3 Nf6 3. Nxe5", ("1/2-1/2", "1/2-1/2", "1-0")),
    ("1. e4 e5 2. Nf3 d6 3. d4", ("1-0", "0-1", "0-1")),
)
REPERTOIRE = "\n\n".join(
    f'[White "Ann"]\n[Black "Player {at}"]\n[Result "{result}"]\n\n{line} {result}'
    for line, results in LINES
    for at, result in enumerate(results, 1)
)


def main() -> int:
    """Make them all; return the status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", nargs="?", type=Path, default=ROOT / "docs" / "images", help="where they go"
    )
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    engines = ["--engine", f"rookery={ROOKERY}", "--engine", f"stockfish={stockfish()}"]
    expect.set_options(timeout=PATIENCE)
    with (
        tempfile.TemporaryDirectory() as log,
        serving(*engines, folder=Path(log)) as site,
        sync_playwright() as playwright,
    ):
        flags = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)
        for name, size, scheme, act in SHOTS:
            page = opened(browser, site, size, scheme)
            act(page, site)
            page.mouse.move(2, 2)
            page.evaluate("scrollTo(0, 0)")
            page.screenshot(path=folder / f"{name}.png")
            leave_page(page)
            shrink(folder / f"{name}.png")
            print(f"{name}.png  {(folder / f'{name}.png').stat().st_size // 1024} KiB")
        browser.close()
    return 0


def opened(browser: Browser, site: Site, size: tuple[int, int], scheme: str) -> Page:
    """Open the page as somebody with that screen would."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="light" if scheme == "light" else "dark",
        reduced_motion="reduce",
        has_touch=width < 1000,
        device_scale_factor=1 if width > 600 else 1.5,
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(site.url)
    searching(page)
    return page


def leave_page(page: Page) -> None:
    """Close it and those beside it, each as somebody does who ends its session."""
    for each in page.context.pages:
        each.goto("about:blank")
        each.wait_for_timeout(500)  # so long that the server hears of it
    page.context.close()


def shrink(path: Path) -> None:
    """Let a picture have fewer bytes, if there is a program for it."""
    if program := shutil.which("convert"):
        command = [program, path, "+dither", "-colors", COLORS, "-strip", f"png8:{path}"]
        subprocess.run(command, check=True)


# --- what there is to see


def analysis(page: Page, _: Site) -> None:
    """Have a whole game judged, and look at a position of it."""
    paste(page, GAME)
    analyse_in_tab(page)
    expect(page.locator(".summary").first).to_contain_text("accuracy")
    expect(page.get_by_role("button", name="Analyse again")).to_be_visible()
    page.locator(".mainline > button.move").nth(17).click()
    deep(page)


def explorer(page: Page, _: Site) -> None:
    """See what was played in some games, two moves into them."""
    paste(page, REPERTOIRE)
    page.locator(".toast").get_by_role("button", name="Dismiss").click()
    page.keyboard.press("b")
    for _move in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("book")).to_contain_text("games in the file")
    deep(page)


def deep(page: Page) -> None:
    """Wait until the engine has looked a little, and the opening has its name."""
    expect(page.get_by_test_id("opening")).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.get_by_test_id("status")).to_contain_text(re.compile(r"depth \d\d"))


def practice(page: Page, _: Site) -> None:
    """Be asked for a better move."""
    paste(page, BLUNDER)
    analyse_in_tab(page)
    expect(page.get_by_role("button", name="Analyse again")).to_be_visible()
    page.get_by_role("button", name="Practise").click()
    expect(page.get_by_test_id("practice")).to_contain_text("Find a better move")


def game(page: Page, _: Site) -> None:
    """Play the first moves of a game, which are good whatever the engine answers."""
    page.get_by_role("button", name="Play against an engine").click()
    page.get_by_role("button", name="Play", exact=True).click()
    for number, move in enumerate(("g2 g3", "f1 g2", "g1 f3"), 1):
        drag(page, *move.split())
        expect(page.locator(".mainline > button.move")).to_have_count(2 * number)


def setup(page: Page, _: Site) -> None:
    """Set up an ending."""
    paste(page, "8/5pk1/6p1/3R4/6P1/5P2/r4K2/8 w - - 0 1")
    page.get_by_role("button", name="Set up a position").click()
    expect(page.get_by_test_id("legality")).to_be_visible()


def live(page: Page, site: Site) -> None:
    """Let somebody watch."""
    paste(page, "1. d4 Nf6 2. c4 e6 3. Nf3 d5 *")
    page.keyboard.press("End")
    page.get_by_role("button", name="Analyse together").click()
    page.get_by_role("button", name="Open a room").click()
    link = page.get_by_label("Link for viewers").input_value()
    page.get_by_role("button", name="Done").click()
    page.context.new_page().goto(link)
    expect(page.get_by_test_id("watching")).to_have_text("1 viewer")
    page.bring_to_front()
    deep(page)


def project(page: Page, _: Site) -> None:
    """Keep an opening as a project, and see its tree grow."""
    paste(page, "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 *")
    page.keyboard.press("End")
    deep(page)
    page.get_by_role("button", name="Keep this analysis as a project").click()
    tree = page.get_by_test_id("project")
    expect(tree.locator(".project-moves .book-move").nth(3)).to_be_visible()
    expect(tree).to_contain_text(re.compile(r"[5-9]\d positions|\d{3} positions"))


def operation(page: Page, site: Site) -> None:
    """Look after the server."""
    other = page.context.new_page()
    other.goto(site.url)
    searching(other)
    page.goto(f"{site.url}admin")
    expect(page.get_by_role("button", name="End session").first).to_be_visible()


Act = Callable[[Page, Site], None]
SHOTS: tuple[tuple[str, tuple[int, int], str, Act], ...] = (
    ("analysis-dark", DESK, "dark", analysis),
    ("analysis-light", DESK, "light", analysis),
    ("analysis-tablet", TABLET, "light", analysis),
    ("analysis-phone", PHONE, "dark", analysis),
    ("explorer-desk", DESK, "dark", explorer),
    ("practice-phone", PHONE, "light", practice),
    ("play-desk", DESK, "light", game),
    ("play-phone", PHONE, "light", game),
    ("setup-desk", DESK, "dark", setup),
    ("setup-phone", PHONE, "dark", setup),
    ("live-desk", DESK, "light", live),
    ("project-desk", DESK, "light", project),
    ("admin-desk", DESK, "dark", operation),
    ("admin-phone", PHONE, "light", operation),
)


if __name__ == "__main__":
    sys.exit(main())
