"""The page in Debian's Chromium, against a server of its own."""

import asyncio
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from browsing import PATIENCE, searching
from playwright.sync_api import Browser, Page, expect, sync_playwright
from proxy import Proxy
from support import TIMEOUT

from rookery_server.assets import Assets

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ROOKERY = str(Path(sys.executable).with_name("rookery-engine"))


def stockfish() -> str:
    found = shutil.which("stockfish") or "/usr/games/stockfish"
    assert Path(found).exists(), "these tests need stockfish: apt install stockfish"
    return found


@dataclass
class Site:
    """A running server, and a network in front of it that can be made bad."""

    process: subprocess.Popen[str]
    proxy: Proxy
    _loop: asyncio.AbstractEventLoop

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.proxy.port}/"

    def cut(self, kind: str) -> None:
        """Cut every connection, as the proxy has it."""

        async def run() -> None:
            self.proxy.cut(kind)

        asyncio.run_coroutine_threadsafe(run(), self._loop).result(TIMEOUT)

    def engines(self) -> list[int]:
        """Return the processes of the server's engines, the busiest first."""
        tasks = Path(f"/proc/{self.process.pid}/task")
        pids = [int(pid) for task in tasks.iterdir() for pid in _read(task / "children").split()]
        return sorted(pids, key=_ticks, reverse=True)


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
            with _proxied(int(words[-1].strip("/\n"))) as (proxy, loop):
                yield Site(process, proxy, loop)
        finally:
            process.terminate()


@contextmanager
def _proxied(port: int) -> Iterator[tuple[Proxy, asyncio.AbstractEventLoop]]:
    """Run a proxy in a thread: the browser is waited for in this one."""
    ready: list[tuple[Proxy, asyncio.AbstractEventLoop]] = []
    begun, ended = threading.Event(), threading.Event()

    async def live() -> None:
        loop = asyncio.get_running_loop()
        async with Proxy(port, seed=1) as proxy:
            ready.append((proxy, loop))
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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    assert Path(CHROMIUM).exists(), "these tests need Chromium: apt install chromium"
    assert Assets(), "the page was not built: make build says why"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Our engine and Stockfish, without a token."""
    engines = ["--engine", f"rookery={ROOKERY}", "--engine", f"stockfish={stockfish()}"]
    with serving(*engines, folder=tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open pages; whatever they complain of in the console fails the test."""
    contexts, complaints = [], []

    def open_page(url: str, **settings: Any) -> Page:
        settings.setdefault("viewport", {"width": 1280, "height": 800})
        context = browser.new_context(reduced_motion="reduce", **settings)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: line.type == "error" and complaints.append(line.text))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    serious = [text for text in complaints if "Failed to load" not in text]
    # A connection that a test cuts, or a server refuses, is no fault of the page.
    assert [text for text in serious if "WebSocket connection to" not in text] == []


@pytest.fixture
def board(site: Site, visit: Callable[..., Page]) -> Page:
    """Return the page, with its engine searching."""
    page = visit(site.url)
    searching(page)
    return page
