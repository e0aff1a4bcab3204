"""Forms: setting the page, offering titles while typing, and showing errors in the form."""

import pytest

from adapters.slack.manifest import SHORTCUT
from bot.wiring import Application
from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import contents, page_of
from tests.platform_servers.slack.faults import refused
from tests.platform_servers.slack.interactions import Interaction, View
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message

_PUT_AWAY = "My answers here from later pages are put away now, each behind its button."


async def _answer(server: SlackServer, club: Club) -> Message:
    return await server.answer_to(server.mention(club.channel, club.ada, "Who lit the lamp?"))


async def _form(server: SlackServer, used: Interaction) -> View:
    await server.responded(used)
    assert used.modal is not None
    return used.modal


async def test_the_button_under_an_answer_opens_a_form_that_sets_the_threads_page(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with settling():
        answer = await _answer(slack_server, club)
        form = await _form(slack_server, slack_server.press("tf1:.setpage", message=answer, user=club.ben))
        sent = slack_server.submit(form, {"text": "1"})
        await slack_server.posted(club.channel, 2)
        await slack_server.wait_for(lambda: form.is_closed)
    line = slack_server.by_bot(club.channel)[-1]
    assert line.content == f"Ben set the thread back from p. 2 to p. 1 (25 %). {_PUT_AWAY}"
    assert line.thread_ts == answer.thread_ts
    assert sent.errors == {}
    assert await page_of(house, slack_server, club.channel, str(answer.thread_ts)) == 1
    assert await page_of(house, slack_server, club.channel) == 2


@pytest.mark.parametrize("typed", ["900", "page nine"])
async def test_a_page_that_is_not_in_the_book_is_said_in_the_form(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, house: Application, typed: str
) -> None:
    await read_book()
    async with settling():
        answer = await _answer(slack_server, club)
        form = await _form(slack_server, slack_server.press("tf1:.setpage", message=answer, user=club.ben))
        sent = await slack_server.responded(slack_server.submit(form, {"text": typed}))
    assert list(sent.errors) == ["text"]
    assert not form.is_closed
    assert slack_server.seen_by(club.ben, club.channel) == []
    assert await page_of(house, slack_server, club.channel) == 2


async def test_chapters_are_offered_and_none_unread_has_its_title(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    text = "\f".join(["# I. The Calm", "The lamp burned.", "# II. The Wreck", "A whistle was found."])
    await read_book(text=text.replace("# ", "CHAPTER "), page="2")
    async with settling():
        answer = await _answer(slack_server, club)
        form = await _form(slack_server, slack_server.press("tf1:.setpage", message=answer, user=club.ben))
        offered = await slack_server.responded(slack_server.suggest(form, "tf1-offer", "", user=club.ben))
        none = await slack_server.responded(slack_server.suggest(form, "tf1-offer", "wreck", user=club.ben))
    assert offered.options
    assert "Wreck" not in str(offered.options)
    assert none.options == []


async def test_a_chosen_title_opens_a_book(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        used = slack_server.slash("/thusfar", "book use", user=club.organiser, channel=club.channel)
        form = await _form(slack_server, used)
        offered = await slack_server.responded(slack_server.suggest(form, "tf1-offer", "la", user=club.organiser))
        assert offered.options is not None
        (option,) = offered.options
        assert option["text"]["text"] == "The Lamp, 4 pages"
        slack_server.submit(form, {"tf1-offer": option["value"]})
        (line,) = await slack_server.posted(club.channel)
    assert line.content == "Olga opened The Lamp by N. N., 4 pages."


async def test_titles_are_not_offered_to_members_who_may_not_choose(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        form = await _form(
            slack_server, slack_server.slash("/thusfar", "book use", user=club.ada, channel=club.channel)
        )
        offered = await slack_server.responded(slack_server.suggest(form, "tf1-offer", "la", user=club.ada))
    assert offered.options == []


@pytest.mark.parametrize(
    ("typed", "seen", "public"),
    [
        ("setpage 1", None, f"Ada set the thread back from p. 2 to p. 1 (25 %). {_PUT_AWAY}"),
        ("/setpage 1", None, f"Ada set the thread back from p. 2 to p. 1 (25 %). {_PUT_AWAY}"),
        ("mypage 3", "Your own page is set: up to p. 3.", None),
        ("book list", "▸ The Lamp, 4 pages", None),
    ],
)
async def test_the_shortcut_takes_any_command_in_the_thread_of_its_message(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook,
    typed: str, seen: str | None, public: str | None,
) -> None:  # fmt: skip
    await read_book()
    async with settling():
        answer = await _answer(slack_server, club)
        form = await _form(slack_server, slack_server.shortcut(SHORTCUT, message=answer, user=club.ada))
        slack_server.submit(form, {"text": typed})
        await slack_server.settled()
    told = slack_server.seen_by(club.ada, club.channel)
    lines = slack_server.by_bot(club.channel)[1:]
    assert [one.content for one in lines] == ([public] if public else [])
    assert all(one.thread_ts == answer.thread_ts for one in [*told, *lines])
    if seen is not None:
        assert told[0].content.startswith(seen)


async def test_a_form_that_slack_does_not_open_is_reported(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        answer = await _answer(slack_server, club)
        typed = slack_server.slash("/setpage", "", user=club.ada, channel=club.channel)
        slack_server.fail_next("views.open", refused("expired_trigger_id"), times=2)
        await slack_server.responded(typed)
        pressed = await slack_server.responded(slack_server.press("tf1:.setpage", message=answer, user=club.ada))
    for used in (typed, pressed):
        assert contents(used) == ["Slack didn't open the form in time. Please try again."]
