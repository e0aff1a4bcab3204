"""When Slack is slow, too busy, away, or hangs up: every question gets its answer, and gets it once."""

import asyncio

import pytest

from adapters.platform.services import PlatformServices
from adapters.slack.posting import ChannelThrottle
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import Running
from tests.platform_servers.slack.faults import Fault, broken, rate_limited, refused, reset
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


async def test_too_many_posts_wait_as_long_as_slack_says_and_none_is_made_twice(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    async with running(services=ScriptedAnswers("To {asked}").instead_of(services)) as client:
        slack_server.fail_next("chat.postMessage", rate_limited(1))
        loop = asyncio.get_running_loop()
        began = loop.time()
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.answer_to(asked)
        assert loop.time() - began >= 1.0
        await client.settled()
    assert len(slack_server.calls_of("chat.postMessage")) == 2
    assert len(slack_server.replies_to(asked)) == 1
    assert slack_server.calls_of("conversations.replies") == []


async def test_a_channel_gets_one_message_a_second(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    slack_server.platform.one_a_second = True
    async with running(services=ScriptedAnswers().instead_of(services), pause=1.05) as client:
        for number in range(3):
            slack_server.mention(club.channel, club.ada, f"Who {number}?")
        await slack_server.posted(club.channel, 3)
        await client.settled()
    assert [call.status for call in slack_server.calls_of("chat.postMessage")] == [200] * 3


async def test_channels_do_not_wait_for_each_other() -> None:
    pace = ChannelThrottle(60.0)
    async with asyncio.timeout(30):
        await asyncio.gather(*(pace.turn(f"C{number}") for number in range(50)))


@pytest.mark.parametrize(
    "fault",
    [broken(503), broken(500), reset(accepted=False), refused("internal_error")],
    ids=["503", "500", "lost", "own"],
)
async def test_a_short_outage_is_waited_out(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices, fault: Fault
) -> None:
    async with running(services=ScriptedAnswers().instead_of(services)) as client:
        slack_server.fail_next("chat.postMessage", fault, times=2)
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.answer_to(asked)
        await client.settled()
    assert len(slack_server.replies_to(asked)) == 1


@pytest.mark.parametrize(
    "code", ["not_in_channel", "is_archived", "restricted_action", "channel_not_found", "thread_not_found"]
)
async def test_what_is_refused_for_good_is_one_line_in_the_log_and_a_reaction(
    slack_server: SlackServer,
    club: Club,
    running: Running,
    services: PlatformServices,
    caplog: pytest.LogCaptureFixture,
    code: str,
) -> None:
    async with running(services=ScriptedAnswers().instead_of(services)) as client:
        slack_server.fail_next("chat.postMessage", refused(code))
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.wait_for(lambda: "warning" in asked.reactions)
        await client.settled()
    assert len([one for one in caplog.records if code in one.getMessage()]) == 1
    assert await services.inbox.unfinished("slack") == []


@pytest.mark.parametrize("reason", ["refresh_requested", "warning", "link_disabled"])
async def test_a_socket_that_slack_renews_loses_nothing(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices, reason: str
) -> None:
    answers = ScriptedAnswers("To {asked}")
    async with running(services=answers.instead_of(services)) as client:
        await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Before?"))
        slack_server.disconnect(reason)
        meanwhile = slack_server.mention(club.channel, club.ada, "Meanwhile?")
        await slack_server.answer_to(meanwhile)
        await client.settled()
    assert [one.text for one in answers.asked] == ["Before?", "Meanwhile?"]


async def test_a_socket_that_breaks_is_opened_again(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    answers = ScriptedAnswers("To {asked}")
    async with running(services=answers.instead_of(services)) as client:
        slack_server.abort_sockets()
        asked = slack_server.mention(club.channel, club.ada, "After?")
        await slack_server.answer_to(asked)
        await client.settled()
    assert len(slack_server.replies_to(asked)) == 1


async def test_names_that_cannot_be_asked_for_hold_up_no_answer(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)) as client:
        slack_server.fail_next("users.info", refused("missing_scope"), times=2)
        asked = slack_server.mention(club.channel, club.ada, f"Does {club.ben.mention} know?")
        await slack_server.answer_to(asked)
        await client.settled()
    (message,) = answers.asked
    assert message.author.display_name == "somebody"
    assert message.text == "Does @somebody know?"
