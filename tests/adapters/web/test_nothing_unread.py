"""No response contains unread text: everything that the server sends is searched for it."""

import html
import inspect
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from adapters.web import pages
from core.club.commands import registry
from core.club.editions import edition_commands
from core.club.schedule import schedule_commands
from core.domain import messages
from core.domain.scopes import LOCAL_SCOPE
from core.language.sentences import sentences
from tests.adapters.web.rooms import Served, Tab, buttons

_NOVEL: Final = Path(__file__).resolve().parents[3] / "fixtures" / "sample" / "novel.txt"
_PAGES: Final = _NOVEL.read_text(encoding="utf-8").split("\f")
_LEAST: Final = 20
"""Shorter sentences (“No.”, “It was so.”) may come from anywhere."""
_NAME: Final = re.compile(r"\b[A-Z][a-z]{3,}\b")
_SAID: Final = (
    "Who is Hallam?",
    "Who killed Prewett?",
    "What happens at the end?",
    "What happened just now?",
    "Who have we met so far?",
    "Who is Mrs. Coupland?",
    "What is in chapter 12?",
    "/recap",
    "/recap ch 9",
    "/cast",
    "/who Lacey",
    "/who Coupland",
    "/discuss",
    "/where",
    "/progress",
    "/book list",
    "/help",
    "/setpage ch 99",
    "/calibrate and the rain had stopped",
    "/schedule",
    "/ask Who is Hallam?",
)
_OURS: Final = [*(Path(pages.__file__).parent).glob("templates/*"), *pages.STATIC.glob("*")]


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


@cache
def _own_words() -> frozenset[str]:
    """Return the words of the questions above and of the page itself, which are no spoilers."""
    files = [path.read_text(encoding="utf-8") for path in _OURS]
    helps = [inspect.getsource(module) for module in (schedule_commands, registry, edition_commands, messages)]
    return frozenset(re.findall(r"\w+", " ".join([*_SAID, *files, *helps]).casefold()))


@cache
def _ahead(position: int) -> set[str]:
    """Return the sentences, titles and names that are only on unread pages."""
    read, unread = _PAGES[:position], _PAGES[position:]
    read_text = _folded("\n\n".join(read))
    whole = "\n\n".join(_PAGES)
    told = {_folded(one) for page in unread for one in sentences(page)}
    names = {name for page in unread for name in _NAME.findall(page) if name.casefold() not in _own_words()}
    small, read_words = set(re.findall(r"\b[a-z]+\b", whole)), set(re.findall(r"\w+", read_text))
    late = {name.casefold() for name in names} - small - read_words
    return late | {one for one in told if len(one) >= _LEAST and one not in read_text}


def _found(got: list[str], position: int) -> set[str]:
    """Return the unread text that was received."""
    text = _folded(html.unescape(html.unescape("\n".join(dict.fromkeys(got)))))
    plain = _folded(re.sub(r"<[^>]*>", "", text))
    single = set(re.findall(r"\w+", plain))
    ahead = _ahead(position)
    return {one for one in ahead if (one in single if " " not in one else one in plain or one in text)}


async def _walk(house: Served, tab: Tab, position: int) -> None:
    """Look at every page, say everything, press every button."""
    book = (await house.thusfar.library.in_scope(scope=LOCAL_SCOPE))[0]
    for path in ("/", "/talk", "/books", f"/books/{book.book_id}", f"/?at={position + 5}", "/static/talk.js"):
        await tab.get(path)
    for page in (1, position, position + 1, position + 2, 83):
        await tab.get(f"/read/{page}", status=200 if page <= position else 409)
    offered: dict[str, str] = {}
    for said in _SAID:
        offered |= {button.split(":")[1]: button for button in buttons(await house.say(tab, said)).values()}
    for command, button in offered.items():
        if command != ".undo":
            await tab.post("/press", button=button, entry="")
    await house.say(tab, "Who is Hallam?", beside=position // 2)
    await house.say(tab, "Who is Hallam?", beside=position + 9)
    for button in (f".chapters:{book.book_id}", ".sources:1", ".around:1|0", ".passages:1|3", f".use:{book.book_id}"):
        await tab.post("/press", button=f"tf1:{button}", entry="")
    await tab.get("/")


async def _go(house: Served, tab: Tab, position: int) -> None:
    asked = await tab.post("/page", page=position)
    if "button" in asked:
        await tab.post("/press", button=asked["button"], entry="")
    assert await house.position() == position


async def test_nothing_unread_is_in_any_byte_that_is_sent(house: Served, tab: Tab) -> None:
    await tab.listen()
    for position in (0, 44, 7):
        await _go(house, tab, position)
        tab.got.clear()
        await _walk(house, tab, position)
        assert _found(tab.got, position) == set(), position


async def test_a_page_that_opens_after_the_page_was_set_back_gets_nothing_of_it(house: Served, tab: Tab) -> None:
    await _go(house, tab, 60)
    await _walk(house, tab, 60)
    await _go(house, tab, 12)
    fresh = await (await house.tab()).listen()
    for path in ("/", "/talk", "/books"):
        await fresh.get(path)
    assert _found(fresh.got, 12) == set()


@pytest.mark.parametrize("position", [7, 44])
def test_the_search_would_find_unread_text(position: int) -> None:
    leaf = html.escape(_PAGES[position + 3])
    assert len(_found([f"<p>{leaf}</p>"], position)) > 5
    assert _found([_PAGES[position - 1]], position) == set()
