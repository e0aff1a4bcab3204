"""What piles up in one channel, or comes from one member, holds up nobody else."""

from adapters.platform.services import PlatformServices
from core.domain.chat_event import TurnAnsweredEvent
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import Running
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

_A_MINUTE = 20


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
    assert told == ["That was a lot at once: give me a minute, then ask me again."]
    assert slack_server.seen_by(club.ben, club.channel) == []
