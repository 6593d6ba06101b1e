"""Measure the page in Chromium: `python tools/page_speed.py [SECONDS [ENGINE]]`.

What a first visit weighs, how long it is until the first line of analysis, near and 300 ms
away, how much time of the page's one thread 1,000 lines of the engine take, how many frames a
second are shown while ten lines stream, how long it is from a key to the board that it changes
while three engines have ten lines each, and how long the thread is taken in a game of 3,000
moves.  Times are of one machine and one hour: what
else runs on it makes them worse, so its load is said.  The time of the processor that the
page's thread has used is the figure that a busy machine changes least.  ENGINE is a command;
Stockfish if there is none.  With `"python tests/helpers/steady_engine.py"`, which hardly works,
the time is the page's own, and not that of engines beside it.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import chess.pgn

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests")]  # for what the tests do with the page

from helpers.browsing import Site, in_thread, paste, searching, serving, stockfish  # noqa: E402
from helpers.lag import Lag  # noqa: E402
from playwright.sync_api import Browser, CDPSession, Page, expect, sync_playwright  # noqa: E402

LANGUAGES = ("en", "de", "es", "fr", "ru")
FAR = 0.3  # s, there and back
ELSEWHERE = "data:text/html,another page"
ROUNDS = 21  # of each figure that is a time; the median counts
# Notes when what happens on the way to the first line of analysis, and when that is in the page.
SEEN = """(() => {
    const marks = window.marks = {};
    const mark = (name) => marks[name] ??= performance.now();
    window.seen = new Promise((resolve) => {
        const watch = new MutationObserver(() => {
            if (document.querySelector("main")) mark("board drawn");
            if (!document.querySelector(".line .score")) return;
            mark("shown");
            watch.disconnect();
            resolve();
        });
        watch.observe(document, {childList: true, subtree: true});
    });
    window.WebSocket = class extends WebSocket {
        constructor(...words) {
            super(...words);
            mark("connecting");
            this.addEventListener("open", () => mark("connected"));
            this.addEventListener("message", ({data}) => {
                if (data.startsWith("info ") && data.includes(" pv ")) mark("found");
            });
        }
        send(line) {
            super.send(line);
            if (line.startsWith("go")) mark("asked");
        }
    };
})()"""
TAKEN = """async () => {
    await window.seen;
    const all = performance.getEntriesByType("resource");
    const files = all.filter((each) => each.name.includes("/assets/"));
    const [page] = performance.getEntriesByType("navigation");
    return {
        "page": page.responseEnd,
        "files": Math.max(...files.map((each) => each.responseEnd)),
        ...window.marks,
    };
}"""
FRAMES = """() => {
    window.frames_seen = 0;
    const count = () => { window.frames_seen++; requestAnimationFrame(count); };
    requestAnimationFrame(count);
}"""

ENGINES = 3  # of which each has ten lines
KEYS = 100
PAUSE = 100  # ms from one key to the next
MOVES = 3000  # with those in variations
# Notes how long it is from each key to the next frame (Event Timing, in steps of 8 ms; less than
# 16 ms is not reported), and each task of the page's thread of 50 ms and more (Long Tasks).
WATCHED = """() => {
    const note = (type, list, more) => new PerformanceObserver((entries) => {
        for (const each of entries.getEntries())
            if (type !== "event" || each.name === "keydown") list.push(each.duration);
    }).observe({type, ...more});
    note("event", window.keys_seen = [], {durationThreshold: 16});
    note("longtask", window.tasks_seen = []);
}"""

# Playwright's own waiting would take the thread longer than the page does.
DRAWN = """async (count) => {
    const moves = document.getElementsByClassName("move");
    while (moves.length < count) await new Promise(requestAnimationFrame);
}"""


def main() -> int:
    """Measure everything; return the status."""
    parser = argparse.ArgumentParser(
        prog="python tools/page_speed.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "seconds", nargs="?", type=float, default=10.0, help="of a stream of lines (10)"
    )
    parser.add_argument(
        "engine", nargs="?", type=str, default="", help="a command; Stockfish if there is none"
    )
    options = parser.parse_args()
    seconds, engine = options.seconds, options.engine or stockfish()
    with (
        tempfile.TemporaryDirectory() as log,
        serving("--engine", f"it={engine}", folder=Path(log)) as site,
        sync_playwright() as playwright,
    ):
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)
        for language in LANGUAGES:
            weighed = weight(browser, site, language) / 1000
            print(f"first visit, {language}: {weighed:.1f} kB, compressed")
        say_first_line("near", browser, site.direct_url)
        with in_thread(lambda: Lag(site.port, FAR / 2)) as (lag, _):
            say_first_line("with 300 ms round trip", browser, f"http://127.0.0.1:{lag.port}/")
        stream(browser, site, seconds)
        browser.close()
    with (
        tempfile.TemporaryDirectory() as log,
        serving(*offers(engine), folder=Path(log)) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)
        keys(browser, site)
        long_game(browser, site)
        browser.close()
    return 0


def offers(engine: str) -> list[str]:
    """Return the arguments that offer an engine several times, since each has one session."""
    return [word for at in range(ENGINES) for word in ("--engine", f"it{at}={engine}")]


def weight(browser: Browser, site: Site, language: str) -> int:
    """Return how many bytes a first visit brings, WebSockets left out."""
    page = browser.new_page(locale=language)
    sizes: list[int] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"]))
    )
    page.goto(site.direct_url)
    page.wait_for_selector(".line .score")
    page.close()
    return sum(sizes)


def say_first_line(where: str, browser: Browser, url: str) -> None:
    """Say how long it is until the first line of analysis, and where the time goes."""
    rounds = [first_line(browser, url) for _ in range(ROUNDS)]
    times = [marks["shown"] for marks, _ in rounds]
    worked = [work for _, work in rounds]
    print(
        f"first line after load, {where}: {median(times):.0f} ms ({min(times):.0f} to"
        f" {max(times):.0f}), {median(worked):.0f} ms of it the page's thread at work;"
        f" load {os.getloadavg()[0]:.1f}"
    )
    steps = {name: median(marks[name] for marks, _ in rounds) for name in rounds[0][0]}
    in_order = sorted(steps.items(), key=lambda step: step[1])
    print("  " + ", ".join(f"{name} {at:.0f}" for name, at in in_order))


def first_line(browser: Browser, url: str) -> tuple[dict[str, float], float]:
    """Return when what happened, in milliseconds from the start of loading, and of work.

    Nothing else is asked of the page meanwhile: Playwright's own waiting would cost it more
    than drawing the board does.
    """
    context = browser.new_context()
    page = context.new_page()
    # One comes from somewhere.  From a blank tab it takes 100 ms more: its process is that of the
    # page at first, which Cross-Origin-Opener-Policy then forbids.
    page.goto(ELSEWHERE)
    page.add_init_script(SEEN)
    session = thread_clock(page)
    before = work(session)
    page.goto(url, wait_until="commit")
    marks: dict[str, float] = page.evaluate(TAKEN)
    worked = work(session) - before
    context.close()
    return marks, 1000 * worked


def thread_clock(page: Page) -> CDPSession:
    """Have the page's work measured in time of the processor, not of the clock on the wall."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return session


def stream(browser: Browser, site: Site, seconds: float) -> None:
    """Say what ten lines cost that come as fast as Stockfish has them."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(site.direct_url)
    page.evaluate("localStorage['rookery.settings'] = JSON.stringify({lines: 10})")
    page.reload()
    searching(page)
    session = thread_clock(page)
    heard: list[None] = []
    session.send("Network.enable")
    session.on("Network.webSocketFrameReceived", lambda _: heard.append(None))
    page.evaluate(FRAMES)
    page.get_by_role("switch", name="Engine").click()
    quiet, _, calm = window(page, session, heard, seconds)
    page.get_by_role("switch", name="Engine").click()
    busy, lines, frames = window(page, session, heard, seconds)
    cost = (busy - quiet) / max(lines, 1) * 1000
    print(f"ten lines: {lines / seconds:.0f} messages a second")
    print(f"main thread: {cost * 1000:.0f} ms of work for 1,000 lines")
    print(f"busy: {100 * busy / seconds:.0f} %, {100 * quiet / seconds:.0f} % without the engine")
    print(f"frames: {frames / seconds:.1f} a second, {calm / seconds:.1f} without the engine")


def keys(browser: Browser, site: Site) -> None:
    """Say how long it is from a key to the board while three engines have ten lines each."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(site.direct_url)
    page.evaluate("localStorage['rookery.settings'] = JSON.stringify({lines: 10})")
    page.reload()
    searching(page)
    for _ in range(ENGINES - 1):
        page.get_by_role("button", name="Add an engine beside this one").click()
    for each in page.locator(".companion").all():
        expect(each).to_contain_text("depth")
    paste(page, game_of(80))
    page.keyboard.press("Home")
    press(page)
    page.close()


def press(page: Page) -> None:
    """Press keys, and say how long each took."""
    page.evaluate(WATCHED)
    for at in range(KEYS):
        page.keyboard.press("ArrowRight" if at % 20 < 10 else "ArrowLeft")
        page.wait_for_timeout(PAUSE)
    seen: list[float] = page.evaluate("keys_seen")
    times = sorted([*seen, *[16.0] * (KEYS - len(seen))])
    print(
        f"key to board, {page.locator('.line').count()} lines: median {median(times):.0f} ms, of"
        f" 100 the 95th {times[KEYS * 95 // 100 - 1]:.0f}, the slowest {times[-1]:.0f};"
        f" 16 is also less than that; load {os.getloadavg()[0]:.1f}"
    )


def long_game(browser: Browser, site: Site) -> None:
    """Say how long the page's thread is taken at most in a game with many variations."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(site.direct_url)
    searching(page)
    page.evaluate(WATCHED)
    paste(page, game_of(MOVES))
    page.evaluate(DRAWN, MOVES)
    opened: list[float] = page.evaluate("tasks_seen.splice(0)")
    for key in ("Home", *["ArrowRight"] * 20, "ArrowDown", "End", "Home", "ArrowRight"):
        page.keyboard.press(key)
    page.keyboard.press("c")
    page.get_by_role("dialog").get_by_role("textbox").fill("good")
    page.keyboard.press("Escape")
    expect(page.locator(".moves")).to_contain_text("good")
    page.keyboard.press("Control+z")
    expect(page.locator(".moves")).not_to_contain_text("good")
    changed: list[float] = page.evaluate("tasks_seen")
    print(
        f"a game of {MOVES} moves: the longest task {max(opened, default=0):.0f} ms while it opens,"
        f" {max(changed, default=0):.0f} ms in steps and changes (0 is less than 50)"
    )
    page.close()


def game_of(moves: int) -> str:
    """Return a game by chance, with so many moves in its main line and in variations."""
    chance = random.Random(1)  # noqa: S311 (not a secret)
    game = chess.pgn.Game()
    node: chess.pgn.GameNode = game
    count = 0
    while count < moves:
        if node.ply() < 100:
            node = add_move(node, chance)
            count += 1
        else:
            at = chance.choice(list(game.mainline()))
            branch: chess.pgn.GameNode = at.parent or at
            for _ in range(10):
                branch = add_move(branch, chance)
                count += 1
    return str(game)


def add_move(node: chess.pgn.GameNode, chance: random.Random) -> chess.pgn.GameNode:
    """Return a new move by chance after another."""
    return node.add_variation(chance.choice(list(node.board().legal_moves)))


def window(
    page: Page, session: CDPSession, heard: list[None], seconds: float
) -> tuple[float, int, int]:
    """Return the seconds of work, the messages and the frames of some time."""
    before, frames = work(session), page.evaluate("frames_seen")
    heard.clear()
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        page.wait_for_timeout(1000 * left)
    return work(session) - before, len(heard), page.evaluate("frames_seen") - frames


def work(session: CDPSession) -> float:
    """Return how long the page's thread has worked, in seconds of the processor."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


if __name__ == "__main__":
    sys.exit(main())
