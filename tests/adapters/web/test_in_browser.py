"""The page in a real browser: mouse, keyboard, two tabs, a restart, and the rules of axe."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.adapters.web.browsing import Web, ask, chromium, opened, ready, slide, stands_at
from tests.adapters.web.rooms import prepared

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_HALLAM = "Ralph Hallam had been Surveyor and Engineer"
_SMALL = b"CHAPTER I\n\nThe lighthouse keeper lit the lamp.\x0cThe storm broke the window of the tower."


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    with chromium() as browser:
        yield browser


@pytest.fixture
def web(browser: "Browser", tmp_path: Path) -> Iterator[Web]:
    web = Web(prepared(tmp_path / "browsed"))
    yield web
    assert web.end() == 0
    for context in browser.contexts:
        context.close()


def test_the_slider_changes_what_is_known(browser: "Browser", web: Web) -> None:
    page = opened(browser, web.link)
    assert "key=" not in page.url
    slide(page, 9)
    stands_at(page, 9)
    assert _HALLAM not in ask(page, "Who is Hallam?")
    slide(page, 18)
    stands_at(page, 18)
    assert _HALLAM in ask(page, "Who is Hallam?")
    page.check("#pair")
    page.fill("#beside", "9")
    page.fill("#text", "Who is Hallam?")
    page.click("#say .main")
    pair = page.locator(".pair .part")
    pair.nth(1).wait_for()
    assert [_HALLAM in pair.nth(at).inner_text() for at in (0, 1)] == [False, True]
    page.locator(".pair a.cite").last.click()
    page.wait_for_selector("#leaf mark")
    assert page.locator("#leaf mark").inner_text().startswith(_HALLAM)

    page.reload()
    slide(page, 9)
    page.wait_for_selector(".away")
    stands_at(page, 9)
    assert _HALLAM not in page.content()

    slide(page, 80)
    page.wait_for_selector("#leap[open]")
    assert "leap. Is that right?" in page.inner_text("#leap")
    page.click("#leap button[value=no]")
    page.wait_for_selector('#slider[aria-valuetext^="page 9 of"]')


def test_a_book_is_dropped_and_read(browser: "Browser", web: Web) -> None:
    page = opened(browser, web.link)
    page.click("nav >> text=Books")
    page.wait_for_selector("body[data-ready]")
    page.set_input_files("#file", files=[{"name": "small.txt", "mimeType": "text/plain", "buffer": _SMALL}])
    page.wait_for_selector(".part >> text=Small is here: 2 pages")
    page.click(".part >> text=Read it here")
    page.wait_for_selector("#title >> text=Small")
    page.wait_for_selector("body[data-ready]")
    page.click("#on")
    stands_at(page, 1)
    assert "lit the lamp" in page.inner_text("#leaf")
    assert "storm" not in page.content()


def test_two_tabs_show_the_same_page_and_messages(browser: "Browser", web: Web) -> None:
    one = opened(browser, web.link)
    other = one.context.new_page()
    ready(other, web.link)
    slide(one, 18)
    stands_at(other, 18)
    ask(other, "Who is Hallam?")
    one.locator("#entries .part.answer").first.wait_for()
    slide(other, 9)
    stands_at(one, 9)
    one.wait_for_selector(".away")
    assert _HALLAM not in one.content()


def test_a_page_that_stays_open_goes_on_after_a_restart(browser: "Browser", tmp_path: Path) -> None:
    home = prepared(tmp_path / "browsed")
    web = Web(home)
    page = opened(browser, web.link)
    slide(page, 18)
    stands_at(page, 18)
    ask(page, "Who is Hallam?")
    assert web.end() == 0
    page.wait_for_selector("#trouble:not([hidden])")
    again = Web(home, port=web.port)
    page.wait_for_selector("#trouble", state="hidden")
    assert _HALLAM in ask(page, "Who is Hallam?")
    assert page.locator("#entries .part.answer").count() == 2
    slide(page, 9)
    stands_at(page, 9)
    page.wait_for_selector(".away")
    assert _HALLAM not in page.content()
    page.context.close()
    assert again.end() == 0


def test_everything_works_with_the_keyboard(browser: "Browser", web: Web) -> None:
    page = opened(browser, web.link)
    _tab_to(page, "slider")
    page.keyboard.press("ArrowRight")
    stands_at(page, 1)
    _tab_to(page, "to")
    page.keyboard.type("ch 3 done")
    page.keyboard.press("Enter")
    page.wait_for_selector("#leap[open]")
    page.keyboard.press("Enter")
    stands_at(page, 18)
    _tab_to(page, "text")
    page.keyboard.type("Who is Hallam?")
    page.keyboard.press("Enter")
    page.locator("#entries .part.answer").first.wait_for()
    page.wait_for_selector("#spoken >> text=Ralph Hallam", state="attached")
    assert page.evaluate("document.activeElement.id") == "text"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing(browser: "Browser", web: Web, dark: bool) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: make browser")
    page = opened(browser, web.link, dark=dark)
    slide(page, 18)
    stands_at(page, 18)
    ask(page, "Who is Hallam?")
    found = {"/": _violations(axe, page)}
    page.set_viewport_size({"width": 360, "height": 740})
    page.click("#show-talk")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
    found["/ narrow"] = _violations(axe, page)
    address = page.url
    for path in ("books", "books/nowhere"):
        page.goto(f"{address}{path}")
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
        found[path] = _violations(axe, page)
    assert {where: what for where, what in found.items() if what} == {}


def _violations(axe: object, page: "Page") -> list[str]:
    run = axe.Axe().run(page)  # type: ignore[attr-defined]  # a package without types, which may not be there
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in run.response["violations"]]


def _tab_to(page: "Page", name: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == name:
            return
    raise AssertionError(f"The keyboard does not reach {name}.")
