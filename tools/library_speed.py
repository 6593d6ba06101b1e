"""Measure the page's library in Chromium: `python tools/library_speed.py [GAMES]`.

How long it is from the choice of a file of many games until its reading is shown, and until all of
its games are listed; and how long the longest task of the page's thread takes meanwhile.  The games
are made up by `bench/made_games.py`, a few of them again and again.
"""

import argparse
import os
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]  # for what benchmarks and tests do

from bench.made_games import made_game  # noqa: E402
from helpers.browsing import searching, serving, stockfish  # noqa: E402
from playwright.sync_api import Browser, expect, sync_playwright  # noqa: E402

GAMES = 60_000
DIFFERENT = 300  # of them
ROUNDS = 5
# Notes when the reading of the file that is chosen is shown first, and when its games are.
SEEN = """() => {
    const marks = {};
    window.longest = 0;
    new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
            window.longest = Math.max(window.longest, duration);
    }).observe({ type: "longtask" });
    document.addEventListener("change", () => { marks.chosen ??= performance.now(); }, true);
    window.listed = new Promise((resolve) => {
        const watch = new MutationObserver(() => {
            if (marks.chosen === undefined) return;
            const isReading = document.querySelector("dialog progress") !== null;
            if (isReading) marks.reading ??= performance.now();
            else if (document.querySelector("[aria-label=Games] button")) {
                marks.listed = performance.now();
                watch.disconnect();
                resolve(marks);
            }
        });
        watch.observe(document, { childList: true, subtree: true });
    });
}"""


def main() -> int:
    """Measure it; return the status."""
    parser = argparse.ArgumentParser(
        prog="python tools/library_speed.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("games", nargs="?", type=int, default=GAMES, help="(60,000)")
    games = parser.parse_args().games
    with (
        tempfile.TemporaryDirectory() as name,
        serving("--engine", f"it={stockfish()}", folder=Path(name)) as site,
        sync_playwright() as playwright,
    ):
        file = Path(name, "games.pgn")
        texts = [made_game(number).pgn for number in range(DIFFERENT)]
        file.write_text("".join(islice(cycle(texts), games)))
        print(f"{games:,} games, {file.stat().st_size / 1e6:.1f} MB")
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)
        rounds = [_read(browser, site.direct_url, file, games) for _ in range(ROUNDS)]
        browser.close()
    for at, what in enumerate(("reading shown after", "listed after", "longest task")):
        times = sorted(each[at] for each in rounds)
        print(f"{what}: median {median(times):.0f} ms, {times[0]:.0f} to {times[-1]:.0f}")
    print(f"{ROUNDS} rounds, load {os.getloadavg()[0]:.1f}")
    return 0


def _read(browser: Browser, url: str, file: Path, games: int) -> tuple[float, float, float]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(url)
    searching(page)
    page.get_by_role("switch", name="Engine").click()
    page.get_by_role("button", name="Open a game or a position").click()
    dialog = page.get_by_role("dialog")
    page.evaluate(SEEN)
    dialog.get_by_label("File with games").set_input_files(file)
    marks: dict[str, float] = page.evaluate("window.listed")
    expect(dialog).to_contain_text(f"{games:,} games")
    longest: float = page.evaluate("window.longest")
    context.close()
    chosen = marks["chosen"]
    return marks["reading"] - chosen, marks["listed"] - chosen, longest


if __name__ == "__main__":
    sys.exit(main())
