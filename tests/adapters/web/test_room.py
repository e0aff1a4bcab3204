"""The page over HTTP: slider, questions, commands and buttons, setting the page back, two tabs, a restart."""

from html import unescape
from pathlib import Path

import pytest
from yarl import URL

from adapters.platform.buttons import NOT_VALID
from tests.adapters.web.rooms import Served, Tab, buttons, prepared, served

_HALLAM = "Ralph Hallam had been Surveyor and Engineer at Garsby"


async def test_the_page_has_the_book_the_slider_and_the_talk(house: Served, tab: Tab) -> None:
    page = await tab.get("/")
    for told in ("Short Weight", 'id="slider" min="0" max="83" value="0"', "How far have you read?", 'id="text"'):
        assert told in page
    await tab.post("/page", page=9)
    page = await tab.get("/")
    assert 'value="9"' in page
    assert "p. 9 of 83 · 10 %" in page


async def test_the_same_question_has_two_answers(house: Served, tab: Tab) -> None:
    await tab.post("/page", page=9)
    assert _HALLAM not in await house.say(tab, "Who is Hallam?")
    await tab.post("/page", page=18)
    answer = await house.say(tab, "Who is Hallam?")
    assert _HALLAM in answer
    assert 'data-page="10"' in answer
    assert "up to p. 18" in answer


async def test_it_is_asked_at_two_pages_side_by_side(house: Served, tab: Tab) -> None:
    await tab.post("/page", page=18)
    pair = await house.say(tab, "Who is Hallam?", beside=9)
    assert "pair" in pair
    earlier, later = pair.split('class="part answer"')[1:]
    assert _HALLAM not in earlier
    assert _HALLAM in later
    assert "up to p. 9<" in earlier
    assert "up to p. 18<" in later


async def test_a_page_that_is_not_read_cannot_be_asked_at(house: Served, tab: Tab) -> None:
    await tab.post("/page", page=9)
    assert "Move your page first" in await house.say(tab, "Who is Hallam?", beside=18)


async def test_the_states_are_sent_as_they_change(house: Served, tab: Tab) -> None:
    await tab.listen()
    await tab.post("/page", page=18)
    await house.say(tab, "Who is Hallam?")
    await tab.heard("entry", "</span> answered")
    told = [data["html"] for event, data in tab.events if event == "entry" and "Who is Hallam?" in data["html"]]
    states = [[state for state in ("searching", "found", "answered") if f"</span> {state}" in one] for one in told]
    assert ["searching"] in states
    assert ["searching", "found"] in states
    assert states[-1] == ["searching", "found", "answered"]


async def test_a_leap_is_confirmed_before_it_is_made(house: Served, tab: Tab) -> None:
    await tab.post("/page", page=9)
    asked = await tab.post("/page", page=60)
    assert asked["asks"] == "From p. 9 to p. 60 of 83 is a big leap. Is that right?"
    assert await house.position() == 9
    await tab.post("/press", button=asked["button"], entry="")
    assert await house.position() == 60


async def test_only_read_pages_are_shown(tab: Tab) -> None:
    await tab.post("/page", page=9)
    assert "p. 9" in await tab.get("/read/9")
    ahead, nowhere = await tab.get("/read/10", status=409), await tab.get("/read/4000", status=409)
    assert ahead == nowhere


async def test_buttons_do_what_they_say(house: Served, tab: Tab) -> None:
    await tab.post("/page", page=18)
    told = await tab.post("/say", text="Where were the keys of the plate kept?")
    await house.idle()
    entry = house.room.talk.get(told["id"])
    assert entry is not None
    under = buttons(house.room.html_of(entry))
    assert {"More here", "More passages"} <= set(under)
    await tab.post("/press", button=under["More here"], entry=told["id"])
    await tab.post("/press", button=under["👍"], entry=told["id"])
    after = house.room.html_of(entry)
    assert "Thank you, noted." in after


async def test_a_move_can_be_undone_once(house: Served, tab: Tab) -> None:
    await tab.post("/page", page=9)
    await tab.post("/page", page=18)
    (entry,) = house.room.talk.about(house.room._reading_id)
    undo = buttons(house.room.html_of(entry))["Undo"]
    await tab.post("/press", button=undo, entry=entry.entry_id)
    assert await house.position() == 9
    assert "Undo" not in buttons(house.room.html_of(entry))
    await tab.post("/press", button=undo, entry=entry.entry_id)
    assert await house.position() == 9


@pytest.mark.parametrize("button", ["", "x", "tf1:.chapters:b_1", "tf1:setpage:9", ".use"])
async def test_an_invalid_button_is_not_pressed(tab: Tab, button: str) -> None:
    await tab.post("/press", button=button, entry="", status=400)


@pytest.mark.parametrize("what", [{}, {"text": ""}, {"text": 5}, {"text": " "}])
async def test_an_invalid_request_is_refused_in_a_sentence(tab: Tab, what: dict[str, object]) -> None:
    assert (await tab.post("/say", status=400, **what))["refusal"] == "I couldn't understand that request."


async def test_two_tabs_see_the_same(house: Served, tab: Tab) -> None:
    other = await house.tab()
    await tab.listen()
    await other.listen()
    await tab.post("/page", page=18)
    assert (await other.heard("place"))["position"] == 18
    await house.say(tab, "Who is Hallam?")
    await other.heard("entry", _HALLAM)
    first, second = await tab.post("/say", text="Who is Lacey?"), await other.post("/say", text="Who is Prewett?")
    await house.idle()
    for told in (first, second):
        await tab.heard("entry", told["id"])
        entry = house.room.talk.get(told["id"])
        assert entry is not None
        assert entry.parts


async def test_later_answers_are_hidden_and_come_back(house: Served, tab: Tab) -> None:
    await tab.post("/page", page=18)
    await house.say(tab, "Who is Hallam?")
    other = await (await house.tab()).listen()
    await tab.post("/page", page=9)
    assert "hidden what was said" in (await other.heard("entry", "hidden what was said"))["html"]
    page = await tab.get("/")
    assert _HALLAM not in page
    assert "Who is Hallam?" not in page
    assert "hidden what was said here up to p. 18" in page
    await tab.post("/page", page=18)
    assert _HALLAM in await tab.get("/")


async def test_a_page_that_stays_open_goes_on_after_a_restart(own_home: Path) -> None:
    async with served(prepared(own_home)) as before:
        tab = await before.tab()
        await tab.post("/page", page=18)
        port, cookies = before.port, {one.key: one.value for one in tab._session.cookie_jar}
    async with served(own_home, port=port or 0) as after:
        session = after.session()
        session.cookie_jar.update_cookies(cookies, response_url=_url(after))
        again = Tab(after.server, session)
        hello = await again.listen()
        assert hello.events[0][1]["place"]["position"] == 18
        assert _HALLAM in await after.say(again, "Who is Hallam?")
        assert before.server.link != after.server.link
        await again.close()


async def test_questions_from_before_a_restart_are_shown_up_to_the_current_page(own_home: Path) -> None:
    async with served(prepared(own_home)) as before:
        tab = await before.tab()
        await tab.post("/page", page=9)
        await before.say(tab, "What did the doctor say?")
        await tab.post("/page", page=18)
        await before.say(tab, "Who is Hallam?")
        await tab.post("/page", page=9)
    async with served(own_home) as after:
        tab = await after.tab()
        page = await tab.get("/")
        assert page.count("What did the doctor say?") == 1
        assert "galoshes" in page
        assert "Who is Hallam?" not in page
        assert _HALLAM not in page
        assert _HALLAM not in await tab.get("/talk")
        await tab.post("/page", page=18)
        page = await tab.get("/")
        assert page.index("galoshes") < page.index("Who is Hallam?") < page.index(_HALLAM)
        assert "up to p. 18" in page


async def test_forgotten_messages_are_not_shown_after_a_restart(own_home: Path) -> None:
    async with served(prepared(own_home)) as before:
        tab = await before.tab()
        await tab.post("/page", page=18)
        await before.say(tab, "Who is Hallam?")
        forgets = await before.say(tab, "/forget thread")
        for button in buttons(forgets).values():
            await tab.post("/press", button=button, entry="")
    async with served(own_home) as after:
        page = await (await after.tab()).get("/")
        assert "Who is Hallam?" not in page
        assert _HALLAM not in page


async def test_no_error_is_shown_with_a_traceback(house: Served, tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    async def breaks(*_: object) -> None:
        raise RuntimeError("the cellar is full of secrets")

    monkeypatch.setattr(house.room.services.reader_view, "so_far", breaks)
    monkeypatch.setattr(house.room.services.reader_view, "since", breaks)
    for path in ("/", "/read/1", "/books", "/talk"):
        page = await tab.get(path, status=500)
        assert "Something went wrong on my side" in page
        assert "secrets" not in page
        assert "Traceback" not in page


def _url(house: Served) -> URL:
    return URL(house.server.address)


async def test_a_forged_button_is_refused_in_one_sentence(house: Served, tab: Tab) -> None:
    told = await tab.post("/press", button="tf1:.reveal-anyway:1|discord:1:AAAAAAAAAAAA", entry="")
    assert NOT_VALID in unescape(house.room.html_of(house.room.talk._entries[told["id"]]))


@pytest.mark.parametrize(("path", "status"), [(f"/?at={'9' * 5000}", 200), ("/?at=²", 200), ("/read/²", 404)])
async def test_no_number_breaks_the_page(tab: Tab, path: str, status: int) -> None:
    await tab.get(path, status=status)
