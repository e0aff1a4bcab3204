"""The dialogue of the README, with the sample novel, played through Slack."""

import pytest

from bot.home import sample_book
from bot.settings import Settings
from bot.wiring import Application
from core.domain.messages import NOT_MET
from tests.adapters.slack.conftest import Running, place_of
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message

UNREAD = NOT_MET


@pytest.fixture
async def short_weight(house: Application, slack_server: SlackServer, club: Club) -> None:
    """The club reads the sample."""
    thread = place_of(slack_server, club.channel)
    sample = sample_book(Settings().sample_folder)
    book = (await house.library.add(sample.path, scope=thread.scope, title=sample.title, author=sample.author)).book
    await house.threads.use(thread, book_id=book.book_id)


async def _move(server: SlackServer, club: Club, root: Message, to: str) -> str:
    """Mention `setpage`; return what the thread then shows of it."""
    return (await server.answer_to(server.mention(club.channel, club.ada, f"setpage {to}", root.ts))).content


@pytest.mark.usefixtures("short_weight")
async def test_the_readme_is_true_on_slack(slack_server: SlackServer, club: Club, running: Running) -> None:
    async with running():
        first = slack_server.mention(club.channel, club.ada, "Who is Hallam?")
        assert "How far have you all read?" in (await slack_server.answer_to(first)).content
        assert "p. 9" in await _move(slack_server, club, first, "9")
        *_, waited = await slack_server.wait_for(
            lambda: found if len(found := slack_server.replies_to(first)) == 3 else None
        )
        assert waited.content == f"{UNREAD}\n(up to p. 9)"
        early = slack_server.reply(first, club.ben, "Who is Hallam?")
        await slack_server.wait_for(lambda: list(early.reactions) == ["shrug"])
        assert (await slack_server.answer_to(early)).content == f"{UNREAD}\n(up to p. 9)"
        assert "p. 18" in await _move(slack_server, club, first, "ch 3 done")
        later = slack_server.reply(first, club.ben, "Who is Hallam?")
        await slack_server.wait_for(lambda: list(later.reactions) == ["book"])
        answer = (await slack_server.answer_to(later)).content
    assert answer.startswith("**Hallam** comes up ")
    assert "\n> Ralph Hallam had been Surveyor and Engineer at Garsby for eleven years." in answer
    assert "(p. 10)" in answer
    assert answer.endswith("\n(up to p. 18)")
