"""A server with a page, and what tests do with it: look, click, drag, paste."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from playwright.sync_api import Frame, Page, expect

from helpers.proxy import Proxy
from helpers.support import TIMEOUT

T = TypeVar("T")

PATIENCE = 1000 * TIMEOUT  # ms; far beyond what anything here takes
SEARCHED = os.sysconf("SC_CLK_TCK") // 2  # ticks of CPU time; no engine takes as many to start
# For servers whose pages wait for an engine of another: on a slow machine Chromium ends some pages
# before they have said `quit`, and the server keeps their engines this long.
BRIEF_GRACE = "[sessions]\ngrace = 5"
LEAST_ROWS = {(1440, 900): 10, (1024, 768): 6, (1920, 1080): 10}  # of moves, by the window
ROWS = """() => {
    const box = document.querySelector(".moves");
    const { top, bottom } = box.getBoundingClientRect();
    const head = box.querySelector(".opening")?.getBoundingClientRect().bottom ?? top;
    const isSeen = it => it.top >= Math.max(head, top) - 1 && it.bottom <= bottom + 1;
    const rows = [...box.querySelectorAll(".row-number")].map(it => it.getBoundingClientRect());
    return rows.filter(isSeen).length;
}"""
AXE = Path(__file__).parents[2] / "server/web/node_modules/axe-core/axe.min.js"
MAIN_LINE = ".mainline > button.move > span:first-child"
ROOKERY = str(Path(sys.executable).with_name("rookery-engine"))


def stockfish() -> str:
    found = shutil.which("stockfish") or "/usr/games/stockfish"
    assert Path(found).exists(), "these tests need stockfish: apt install stockfish"
    return found


@dataclass
class Site:
    """A running server, and a network in front of it that can be made bad."""

    process: subprocess.Popen[str]
    port: int
    proxy: Proxy
    _loop: asyncio.AbstractEventLoop

    @property
    def url(self) -> str:
        """Return where the page is, behind the network."""
        return f"http://127.0.0.1:{self.proxy.port}/"

    @property
    def direct_url(self) -> str:
        """Return where it is without that, for who measures: the network tears all to pieces."""
        return f"http://127.0.0.1:{self.port}/"

    def cut(self, kind: str) -> None:
        """Cut every connection, as the proxy has it."""

        async def run() -> None:
            self.proxy.cut(kind)

        asyncio.run_coroutine_threadsafe(run(), self._loop).result(TIMEOUT)

    def searching_engine(self) -> int:
        """Return the process of the engine that searches: of what engines work from now on, most.

        Others work a little too: a spare that starts, one whose session has ended.  What they all
        worked before says nothing, and on a busy machine any of them may rest for a while.
        """
        end = time.monotonic() + TIMEOUT
        before: dict[int, int] = {}
        while time.monotonic() < end:
            worked = {pid: _ticks(pid) for pid in self._children()}
            done = {pid: ticks - before.setdefault(pid, ticks) for pid, ticks in worked.items()}
            most = max(done, key=done.__getitem__)
            if done[most] >= SEARCHED and done[most] >= 0.8 * sum(done.values()):
                return most
            time.sleep(0.05)  # between two looks
        raise AssertionError("no engine searches")

    def _children(self) -> list[int]:
        tasks = Path(f"/proc/{self.process.pid}/task")
        return [int(pid) for task in tasks.iterdir() for pid in _read(task / "children").split()]

    def cpu_seconds(self) -> float:
        """Return how long the busiest engine has worked."""
        return max(map(_ticks, self._children()), default=0) / os.sysconf("SC_CLK_TCK")


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # It has just ended.
        return ""


def _ticks(pid: int) -> int:
    """Return how much a process has worked."""
    words = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return int(words[11]) if words else 0


@contextmanager
def serving(*arguments: str, folder: Path) -> Iterator[Site]:
    """Run a server with these arguments."""
    server = Path(sys.executable).with_name("rookery-server")
    command = [str(server), "serve", "--port", "0", "--tcp-port", "0", *arguments]
    with (
        (folder / "server.log").open("w") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        try:
            assert process.stdout
            words = next(line for line in process.stdout if "http://" in line).split(":")
            port = int(words[-1].strip("/\n"))
            with in_thread(lambda: Proxy(port, seed=1)) as (proxy, loop):
                yield Site(process, port, proxy, loop)
        finally:
            process.terminate()


@contextmanager
def serving_ours(settings: str, *, folder: Path) -> Iterator[Site]:
    """Run a server with our engine and these lines of configuration."""
    config = folder / "rookery.toml"
    config.write_text(f"{settings}\n[engines.rookery]\ncommand = {ROOKERY!r}\n")
    with serving("--config", str(config), folder=folder) as site:
        yield site


@contextmanager
def in_thread(
    make: Callable[[], AbstractAsyncContextManager[T]],
) -> Iterator[tuple[T, asyncio.AbstractEventLoop]]:
    """Run something in a loop of a thread: the browser is waited for in this one."""
    ready: list[tuple[T, asyncio.AbstractEventLoop]] = []
    begun, ended = threading.Event(), threading.Event()

    async def live() -> None:
        loop = asyncio.get_running_loop()
        async with make() as thing:
            ready.append((thing, loop))
            begun.set()
            await loop.run_in_executor(None, ended.wait)

    thread = threading.Thread(target=lambda: asyncio.run(live()))
    thread.start()
    assert begun.wait(TIMEOUT)
    try:
        yield ready[0]
    finally:
        ended.set()
        thread.join()


def revoke(tokens: Path, name: str) -> None:
    """Take the tokens of a name out of a file."""
    kept = [line for line in tokens.read_text().splitlines() if json.loads(line)["name"] != name]
    tokens.write_text("".join(f"{line}\n" for line in kept))


# --- the page


def searching(page: Page) -> None:
    """Wait until the engine has said something about the position."""
    expect(page.get_by_test_id("status")).to_contain_text("depth")
    expect(page.locator(".line .score").first).to_be_visible()


def until(page: Page, expression: str) -> None:
    """Wait for something in the page, whose policy forbids Playwright's own way."""
    deadline = time.monotonic() + TIMEOUT
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, expression
        page.wait_for_timeout(20)


def square(page: Page, name: str, *, flipped: bool = False) -> tuple[float, float]:
    """Return where a square is."""
    box = page.get_by_test_id("board").locator("cg-board").bounding_box()
    assert box
    file, rank = "abcdefgh".index(name[0]), int(name[1]) - 1
    if flipped:
        file, rank = 7 - file, 7 - rank
    side = box["width"] / 8
    return box["x"] + (file + 0.5) * side, box["y"] + (7 - rank + 0.5) * side


def click(page: Page, *squares: str) -> None:
    for name in squares:
        page.mouse.click(*square(page, name))


def drag(page: Page, start: str, end: str, *, button: Literal["left", "right"] = "left") -> None:
    page.mouse.move(*square(page, start))
    page.mouse.down(button=button)
    page.mouse.move(*square(page, end), steps=4)
    page.mouse.up(button=button)


def paste(page: Page, text: str) -> None:
    """Paste onto the page itself, which reads in several tasks, and wait until it is idle."""
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            document.body.dispatchEvent(
                new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
            return new Promise((resolve) => requestIdleCallback(() => resolve()));
        }""",
        text,
    )


def analyse_in_tab(page: Page, milliseconds: int = 300) -> None:
    """Begin the analysis of the whole game, in the page itself."""
    page.get_by_label("Time per move").select_option(str(milliseconds))
    page.get_by_label("Where to analyse").select_option("tab")
    page.get_by_role("button", name="Analyse the game").click()


def violations(page: Page | Frame) -> list[str]:
    """Return what axe-core finds to complain of."""
    page.evaluate(AXE.read_text())  # not as a script of the page: its policy forbids that
    found = page.evaluate("axe.run().then(result => result.violations)")
    return [f"{each['id']}: {[node['html'][:120] for node in each['nodes'][:3]]}" for each in found]


def expect_fit(page: Page, width: int) -> None:
    """Wait until nothing has to be scrolled sideways; the board has a new width a frame later."""
    until(page, f"document.documentElement.scrollWidth <= {width}")


def moves(page: Page) -> list[str]:
    """Return the moves of the main line, as they are shown."""
    return page.locator(MAIN_LINE).all_inner_texts()


def expect_moves(page: Page, sans: Sequence[str]) -> None:
    """Wait until the main line has these moves and no others."""
    expect(page.locator(MAIN_LINE)).to_have_text(list(sans), use_inner_text=True)


def check_rows(page: Page) -> None:
    """Check that the moves have their rows, and the buttons are in sight, in each window."""
    for (width, height), least in LEAST_ROWS.items():
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"({ROWS})() >= {least}")
        buttons = page.get_by_role("navigation", name="Moves").bounding_box()
        assert buttons
        assert buttons["y"] + buttons["height"] <= height
        expect_fit(page, width)
