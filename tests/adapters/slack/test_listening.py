"""What the bot answers and where: each message once, however often Slack sends it."""

from collections.abc import Callable

import pytest

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import ReadBook, Running, place_of
from tests.adapters.watching import watched
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message

Spoken = Callable[[SlackServer, Club], Message]


async def test_the_two_events_of_a_mention_are_one_turn(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers()
    async with settling(answers):
        slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.settled()
    assert {one.name for one in slack_server.deliveries} >= {"message", "app_mention"}
    assert answers.texts == ["Who?"]
    assert len(slack_server.by_bot(club.channel)) == 1


@pytest.mark.parametrize("marked", [True, False], ids=["as a retry", "as if it were new"])
async def test_an_event_that_comes_three_times_is_one_turn(
    slack_server: SlackServer, club: Club, settling: Running, marked: bool
) -> None:
    answers = ScriptedAnswers()
    async with settling(answers) as client:
        slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.settled()
        await client.settled()
        for delivery in [*slack_server.deliveries_of("message"), *slack_server.deliveries_of("app_mention")] * 2:
            slack_server.redeliver(delivery, marked=marked)
        await slack_server.settled()
    assert len(answers.asked) == 1
    assert len(slack_server.by_bot(club.channel)) == 1


def _in_thread_of_bot(server: SlackServer, club: Club, text: str) -> Message:
    root = server.platform.post(club.channel, server.bot, {"text": "Olga opens a thread."})
    return server.reply(root, club.ada, text)


def _in_thread_of_people(server: SlackServer, club: Club, text: str) -> Message:
    root = server.say(club.channel, club.ben, "Lovely weather.")
    return server.reply(root, club.ada, text)


_WHERE: dict[str, tuple[Spoken, bool]] = {
    "in its own thread": (lambda server, club: _in_thread_of_bot(server, club, "Who?"), True),
    "there, to somebody else": (
        lambda server, club: _in_thread_of_bot(server, club, f"{club.ben.mention} Who?"),
        False,
    ),
    "there, about somebody else": (
        lambda server, club: _in_thread_of_bot(server, club, f"Does {club.ben.mention} know?"),
        False,
    ),
    "in a thread of others": (lambda server, club: _in_thread_of_people(server, club, "Who?"), False),
    "a mention there": (lambda server, club: _in_thread_of_people(server, club, f"{server.bot.mention} Who?"), True),
    "a mention in the middle": (
        lambda server, club: _in_thread_of_people(server, club, f"Hm, {server.bot.mention}, who?"),
        True,
    ),
    "in a channel": (lambda server, club: server.say(club.channel, club.ada, "Who?"), False),
    "in a DM": (lambda server, club: server.say(server.dm(club.ada), club.ada, "Who?"), True),
    "in a group's DM": (lambda server, club: server.say(server.group_dm(club.ada, club.ben), club.ada, "Who?"), False),
    "a mention in a group's DM": (
        lambda server, club: server.say(server.group_dm(club.ada, club.ben), club.ada, f"{server.bot.mention} Who?"),
        True,
    ),
}


async def test_where_it_answers(slack_server: SlackServer, club: Club, running: Running) -> None:
    answers = ScriptedAnswers()
    async with running(answers) as client:
        for name, (spoken, answered) in _WHERE.items():
            before = len(answers.asked)
            spoken(slack_server, club)
            await slack_server.settled()
            await client.settled()
            assert len(answers.asked) - before == int(answered), name


async def test_it_answers_in_its_own_thread_and_in_others_only_when_mentioned(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers("To {asked}")
    async with settling(answers):
        asked = slack_server.mention(club.channel, club.ada, "First?")
        await slack_server.answer_to(asked)
        again = slack_server.reply(asked, club.ben, "Second?")
        answer = await slack_server.answer_to(again)
    assert answers.texts == ["First?", "Second?"]
    assert answer.thread_ts == asked.ts
    assert answers.asked[0].thread == answers.asked[1].thread == place_of(slack_server, club.channel, asked.ts)


async def test_a_thread_in_a_dm_is_answered_in_it(slack_server: SlackServer, club: Club, settling: Running) -> None:
    direct = slack_server.dm(club.ada)
    async with settling(ScriptedAnswers("To {asked}")):
        first = slack_server.say(direct, club.ada, "First?")
        await slack_server.wait_for(lambda: slack_server.by_bot(direct))
        second = slack_server.reply(first, club.ada, "Second?")
        answer = await slack_server.answer_to(second)
    assert answer.thread_ts == first.ts


async def test_bots_joins_and_other_subtypes_start_no_turn(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers()
    other = slack_server.add_bot("Weather", club.channel)
    async with settling(answers):
        slack_server.say_as_bot(club.channel, other, f"{slack_server.bot.mention} hello")
        slack_server.say_as_bot(club.channel, other, f"{slack_server.bot.mention} hello", classic=True)
        newcomer = slack_server.add_person("Carl")
        slack_server.join(club.channel, newcomer)
        said = slack_server.say(club.channel, club.ada, "Hello https://example.org")
        slack_server.unfurl(said)
        await slack_server.settled()
    assert answers.asked == []
    assert slack_server.by_bot(club.channel) == []


async def test_only_the_allowed_channels_are_heard(slack_server: SlackServer, club: Club, settling: Running) -> None:
    other = slack_server.add_club("other")
    answers = ScriptedAnswers()
    async with settling(answers, allowed_channels=frozenset({club.channel.id})):
        slack_server.mention(other.channel, other.ada, "Here?")
        await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "There?"))
        slack_server.say(slack_server.dm(club.ada), club.ada, "And alone?")
        await slack_server.settled()
    assert sorted(one.text for one in answers.asked) == ["And alone?", "There?"]


async def test_idle_talk_is_not_stored(
    slack_server: SlackServer, club: Club, settling: Running, services: PlatformServices
) -> None:
    async with settling():
        slack_server.say(club.channel, club.ada, "Lovely weather.")
        await slack_server.settled()
    assert await services.inbox.latest_message_ids("slack") == {}


async def test_an_event_of_another_workspace_is_ignored(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers()
    async with settling(answers):
        slack_server.platform.team_id = "T0STRANGER"
        slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.settled()
    assert answers.asked == []


@pytest.mark.parametrize("over_http", [False, True], ids=["socket", "http"])
async def test_commands_in_another_workspace_are_refused(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, services: PlatformServices,
    over_http: bool,
) -> None:  # fmt: skip
    await read_book()
    watching, commands = watched(services)
    async with settling(services=watching, over_http=over_http):
        answer = await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Who lit the lamp?"))
        slack_server.platform.team_id = "T0STRANGER"
        slack_server.slash("/thusfar", "where", user=club.ada, channel=club.channel)
        slack_server.press("tf1:.around", message=answer, user=club.ben)
        await slack_server.settled()
    assert commands.ran == []
    assert slack_server.seen_by(club.ben, club.channel) == []
    assert len(slack_server.by_bot(club.channel)) == 1
