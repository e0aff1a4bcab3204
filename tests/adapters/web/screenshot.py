"""Makes the picture of the page at the top of the README (`make screenshot`); with a folder, all others too.

    python -m tests.adapters.web.screenshot docs/in-the-browser.png [FOLDER]

The folder gets the page in dark mode, at 360 pixels, and the page of books, to check after a change of style.
"""

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.adapters.web.browsing import Web, ask, chromium, opened, ready, stands_at
from tests.adapters.web.rooms import prepared

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_EARLIER, _PAGE = 9, 18
_QUESTION = "Who is Hallam?"


def main() -> int:
    """Take the pictures."""
    picture, *folders = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as made, chromium() as browser:
        web = Web(prepared(Path(made) / "home"), "--page", str(_PAGE))
        try:
            page = opened(browser, web.link, width=1120, height=690)
            _talk(page)
            page.screenshot(path=picture)
            for folder in folders:
                _others(browser, page, folder)
        finally:
            web.end()
    return 0


def _talk(page: "Page") -> None:
    """Ask at two pages at once, and follow a citation of the later answer."""
    stands_at(page, _PAGE)
    page.check("#pair")
    page.fill("#beside", str(_EARLIER))
    ask(page, _QUESTION)
    page.locator(".pair .part").nth(1).wait_for()
    page.locator(".pair a.cite").last.click()
    page.wait_for_selector("#leaf mark")
    page.evaluate("document.activeElement.blur()")


def _others(browser: "Browser", page: "Page", folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=folder / "dark.png")
    page.set_viewport_size({"width": 360, "height": 740})
    page.screenshot(path=folder / "narrow-dark.png")
    page.emulate_media(color_scheme="light")
    page.click("#show-talk")
    page.screenshot(path=folder / "narrow.png")
    page.set_viewport_size({"width": 1120, "height": 690})
    ready(page, page.url.rpartition("/")[0] + "/books")
    page.screenshot(path=folder / "books.png")


if __name__ == "__main__":
    sys.exit(main())
