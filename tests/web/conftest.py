"""The page in Debian's Chromium, against a server of its own.

The engine of a page searches no longer than a test needs: `board` has it off, `searching_board`
has a short search, and `endless_board` one that goes on, which takes a core from all other tests.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.browsing import (
    BRIEF_GRACE,
    PATIENCE,
    ROOKERY,
    Site,
    searching,
    serving,
    serving_ours,
    stockfish,
)
from helpers.support import add_token
from playwright.sync_api import Browser, Page, expect, sync_playwright

from rookery_server.access.account import Role
from rookery_server.http.assets import Assets

# The shell has the same engine for pages, and none of the windows of a browser: a page that is
# opened and closed takes 0.6 s of CPU, and 1.9 s in the whole browser.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
# Storage is missing in some of the pages that tests load, as in frames without an origin.
STORED = """try { localStorage["rookery.settings"] ??= '%s'; } catch {}"""
ENGINE_OFF = STORED % '{"running": false}'
SHORT_SEARCH = STORED % '{"limits": {"kind": "depth", "value": 8}}'
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# Playwright keeps a loop running in this thread, so that no asynchronous test can run there:
# it ends with this folder, whose tests run one after the other.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    assert CHROMIUM, "these tests need Chromium: apt install chromium-headless-shell"
    assert Assets(), "the page was not built: make build says why"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Our engine and Stockfish, without a token."""
    engines = ["--engine", f"rookery={ROOKERY}", "--engine", f"stockfish={stockfish()}"]
    with serving(*engines, folder=tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="package")
def narrow(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One engine for all pages, and a queue."""
    settings = f"{BRIEF_GRACE}\n[budget]\nthreads = 1"
    with serving_ours(settings, folder=tmp_path_factory.mktemp("narrow")) as site:
        yield site


@pytest.fixture(scope="package")
def full(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One engine for all pages, and no queue."""
    settings = f"{BRIEF_GRACE}\n[budget]\nthreads = 1\nwaiting = 0"
    with serving_ours(settings, folder=tmp_path_factory.mktemp("full")) as site:
        yield site


@pytest.fixture(scope="package")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of the tokens of `guarded`."""
    return tmp_path_factory.mktemp("guarded") / "tokens"


@pytest.fixture(scope="package")
def admin(tokens: Path) -> str:
    return add_token(tokens, "ann", role=Role.ADMIN)


@pytest.fixture(scope="package")
def member(tokens: Path) -> str:
    return add_token(tokens, "bob")


@pytest.fixture(scope="package")
def leaving(tokens: Path) -> dict[str, str]:
    """Return the tokens that tests revoke, by their names."""
    return {
        "dan": add_token(tokens, "dan"),
        "eve": add_token(tokens, "eve", role=Role.ADMIN),
    }


@pytest.fixture(scope="package")
def guarded(
    browser: Browser, tokens: Path, admin: str, member: str, leaving: dict[str, str]
) -> Iterator[Site]:
    """Our engine, for those who have a token."""
    assert len({admin, member, *leaving.values()}) == 4
    arguments = ("--engine", f"rookery={ROOKERY}", "--tokens", str(tokens))
    with serving(*arguments, folder=tokens.parent) as site:
        yield site


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open pages; errors in their consoles fail the test.

    The engine searches each position to a small depth; with `searches=False` it is off, and with
    `endless=True` it goes on.
    """
    contexts, errors = [], []

    def open_url(
        url: str, *, searches: bool = True, endless: bool = False, **settings: Any
    ) -> Page:
        settings.setdefault("viewport", {"width": 1280, "height": 800})
        context = browser.new_context(reduced_motion="reduce", **settings)
        if not endless:
            context.add_init_script(SHORT_SEARCH if searches else ENGINE_OFF)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: line.type == "error" and errors.append(line.text))
        page.goto(url)
        return page

    yield open_url
    for context in contexts:
        for page in context.pages:
            page.close()  # Then it ends its session, which a context that is closed leaves behind.
        context.close()
    expected = ("Failed to load", "Framing ")  # Tests see to it that pages cannot be framed.
    serious = [text for text in errors if not any(each in text for each in expected)]
    # A connection that a test cuts, or a server refuses, is no error of the page.
    assert [text for text in serious if "WebSocket connection to" not in text] == []


@pytest.fixture
def board(site: Site, open_page: Callable[..., Page]) -> Page:
    """Return the page with its engine off."""
    page = open_page(site.url, searches=False)
    expect(page.locator(".engine-name").first).to_contain_text("Rookery")
    return page


@pytest.fixture
def searching_board(site: Site, open_page: Callable[..., Page]) -> Page:
    """Return the page with what its engine has found in a short search."""
    page = open_page(site.url)
    searching(page)
    return page


@pytest.fixture
def endless_board(site: Site, open_page: Callable[..., Page]) -> Page:
    """Return the page while its engine searches."""
    page = open_page(site.url, endless=True)
    searching(page)
    return page
