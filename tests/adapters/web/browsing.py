"""A real browser, if this machine has one, and the page served by its own process."""

import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.bot.program import Program
from tests.bot.running import environment

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_MS: Final = 30_000
_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")


def installed_chromium() -> str | None:
    """Return the system's own Chromium."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Start the system's browser headless, in a new profile; skip the test if there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: make browser")
    path = installed_chromium()
    if path is None:
        pytest.skip("there is no Chromium on this machine")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Web:
    """`thusfar web` as a process; `link` opens its page."""

    def __init__(self, home: Path, *options: str, port: int = 0) -> None:
        env = environment(
            THUSFAR_HOME=str(home),
            THUSFAR_PROVIDER="none",
            THUSFAR_MINILM_FOLDER=str(home / "minilm"),
        )
        self._program = Program("web", "--no-open", "--port", str(port), *options, env=env, cwd=home)
        line = self._program.stdout.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\S+", line)
        assert found, line + self._program.stderr.read().decode()
        self.link, self.port = found[0], int(found[1])

    def end(self) -> int:
        """Press Ctrl-C; return the exit code."""
        self._program.send_signal(signal.SIGINT)
        code = self._program.wait()
        self._program.close()
        return code


def opened(browser: "Browser", link: str, *, width: int = 1280, height: int = 820, dark: bool = False) -> "Page":
    """Open the link in a new browser; a script error fails the test."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.on("pageerror", _fail)
    ready(page, link)
    return page


def ready(page: "Page", address: str) -> None:
    """Go to an address, and wait until its script has begun."""
    page.goto(address)
    page.wait_for_selector("body[data-ready]")


def slide(page: "Page", to: int) -> None:
    """Drag the slider to a page and let it go; wait until the page has moved."""
    page.evaluate(
        """to => {
            const slider = document.getElementById("slider");
            slider.value = to;
            slider.dispatchEvent(new Event("input"));
            slider.dispatchEvent(new Event("change"));
        }""",
        to,
    )


def stands_at(page: "Page", position: int) -> None:
    """Wait until the browser shows the new reading position."""
    page.wait_for_selector(f'#place [data-position="{position}"]', state="attached")
    page.wait_for_selector(f'#leaf .leaf[data-page="{position}"]', state="attached")


def ask(page: "Page", question: str) -> str:
    """Type a question, press Enter, and return the answer."""
    answers = page.locator("#entries .part.answer")
    before = answers.count()
    page.fill("#text", question)
    page.press("#text", "Enter")
    answers.nth(before).wait_for(state="attached")
    return str(answers.nth(before).inner_text())


def _fail(error: object) -> None:
    raise AssertionError(f"A script of the page failed: {error}")
