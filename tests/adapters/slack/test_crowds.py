"""What piles up in one channel, or comes from one member, holds up nobody else."""

import pytest

from adapters.platform.services import PlatformServices
from core.domain.chat_event import TurnAnsweredEvent
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import Running
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message, Person

_A_MINUTE = 20
_AT_ONCE = 16
_MOST_WAITING = 100


def _crowd(server: SlackServer, club: Club, count: int) -> list[Person]:
    return [server.add_person(f"Reader {number}", club.channel) for number in range(count)]


def _asked_by(server: SlackServer, club: Club, people: list[Person], count: int) -> list[Message]:
    """Each of them asks no more than anybody may in a minute."""
    return [server.mention(club.channel, people[n // _A_MINUTE], f"Question {n}?") for n in range(count)]


async def test_a_channel_full_of_questions_holds_up_no_other(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    other = slack_server.add_club("other")
    words = [f"Question {number}?" for number in range(60)]
    answers = ScriptedAnswers("To {asked}", held=words)
    async with running(services=answers.instead_of(services)) as client:
        _asked_by(slack_server, club, _crowd(slack_server, club, 3), len(words))
        await answers.was_asked(_AT_ONCE)
        answer = await slack_server.answer_to(slack_server.mention(other.channel, other.ada, "Here?"))
        assert answer.content.startswith("To Here?")
        assert slack_server.by_bot(club.channel) == []
        for one in words:
            answers.release(one)
        await slack_server.posted(club.channel, len(words))
        await client.settled()


async def test_what_is_too_much_for_a_channel_is_refused_by_a_reaction(
    slack_server: SlackServer,
    club: Club,
    running: Running,
    services: PlatformServices,
    caplog: pytest.LogCaptureFixture,
) -> None:
    count = _AT_ONCE + _MOST_WAITING + 4
    words = [f"Question {number}?" for number in range(count)]
    answers = ScriptedAnswers(held=words)
    async with running(services=answers.instead_of(services)) as client:
        asked = _asked_by(slack_server, club, _crowd(slack_server, club, 7), count)
        await slack_server.wait_for(lambda: sum("warning" in one.reactions for one in asked) == 4)
        for one in words:
            answers.release(one)
        await slack_server.posted(club.channel, count - 4)
        await client.settled()
    assert len(slack_server.by_bot(club.channel)) == count - 4
    assert len([one for one in caplog.records if "Too many questions wait" in one.getMessage()]) == 4
    assert await services.inbox.unfinished("slack") == []


async def test_who_opens_too_many_threads_hears_it_alone(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    answers = ScriptedAnswers(events=[TurnAnsweredEvent()])
    async with running(services=answers.instead_of(services)) as client:
        asked = [slack_server.mention(club.channel, club.ada, f"Question {number}?") for number in range(_A_MINUTE + 3)]
        await slack_server.wait_for(lambda: sum("warning" in one.reactions for one in asked) == 3)
        await slack_server.answer_to(slack_server.mention(club.channel, club.ben, "And me?"))
        await client.settled()
    assert len(slack_server.by_bot(club.channel)) == _A_MINUTE + 1
    told = [one.content for one in slack_server.seen_by(club.ada, club.channel)]
    assert told == ["That was a lot at once: give me a minute, then ask me again."] * 3
    assert slack_server.seen_by(club.ben, club.channel) == []
