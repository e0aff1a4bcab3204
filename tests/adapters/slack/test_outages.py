"""Slack is slow, rate-limited, down, or drops the connection: every question is answered exactly once."""

import asyncio

import pytest

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import Running
from tests.platform_servers.slack.faults import rate_limited, refused
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


async def test_rate_limited_posts_wait_as_slack_says_and_none_is_made_twice(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    async with settling(ScriptedAnswers("To {asked}")):
        slack_server.fail_next("chat.postMessage", rate_limited(1))
        loop = asyncio.get_running_loop()
        began = loop.time()
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.answer_to(asked)
        assert loop.time() - began >= 1.0
    assert len(slack_server.calls_of("chat.postMessage")) == 2
    assert len(slack_server.replies_to(asked)) == 1
    assert slack_server.calls_of("conversations.replies") == []


async def test_a_channel_gets_one_message_a_second(slack_server: SlackServer, club: Club, settling: Running) -> None:
    slack_server.platform.one_a_second = True
    async with settling(ScriptedAnswers(), pause=1.05):
        for number in range(3):
            slack_server.mention(club.channel, club.ada, f"Who {number}?")
        await slack_server.posted(club.channel, 3)
    assert [call.status for call in slack_server.calls_of("chat.postMessage")] == [200] * 3


async def test_a_server_error_of_slack_is_retried(slack_server: SlackServer, club: Club, settling: Running) -> None:
    async with settling(ScriptedAnswers()):
        slack_server.fail_next("chat.postMessage", refused("internal_error"), times=2)
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.answer_to(asked)
    assert len(slack_server.replies_to(asked)) == 1


async def test_a_permanent_refusal_is_one_log_line_and_a_reaction(
    slack_server: SlackServer,
    club: Club,
    running: Running,
    services: PlatformServices,
    caplog: pytest.LogCaptureFixture,
) -> None:
    codes = ["not_in_channel", "is_archived", "restricted_action", "channel_not_found", "thread_not_found"]
    async with running(ScriptedAnswers()) as client:
        for code in codes:
            slack_server.fail_next("chat.postMessage", refused(code))
            asked = slack_server.mention(club.channel, club.ada, "Who?")
            await slack_server.wait_for(lambda: "warning" in asked.reactions)  # noqa: B023
            await client.settled()
    assert [len([one for one in caplog.records if code in one.getMessage()]) for code in codes] == [1] * len(codes)
    assert await services.inbox.unfinished("slack") == []


@pytest.mark.parametrize("reason", ["refresh_requested", "warning", "link_disabled"])
async def test_a_socket_that_slack_renews_loses_nothing(
    slack_server: SlackServer, club: Club, settling: Running, reason: str
) -> None:
    answers = ScriptedAnswers("To {asked}")
    async with settling(answers):
        await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Before?"))
        slack_server.disconnect(reason)
        meanwhile = slack_server.mention(club.channel, club.ada, "Meanwhile?")
        await slack_server.answer_to(meanwhile)
    assert answers.texts == ["Before?", "Meanwhile?"]


async def test_unavailable_user_names_delay_no_answer(slack_server: SlackServer, club: Club, settling: Running) -> None:
    answers = ScriptedAnswers()
    async with settling(answers):
        slack_server.fail_next("users.info", refused("missing_scope"), times=2)
        asked = slack_server.mention(club.channel, club.ada, f"Does {club.ben.mention} know?")
        await slack_server.answer_to(asked)
    (message,) = answers.asked
    assert message.author.display_name == "somebody"
    assert message.text == "Does @somebody know?"
