"""The Web API goes wrong on demand, and the real slack_sdk sees each fault as it would see Slack's."""

import asyncio

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
)
from slack_sdk.web.async_client import AsyncWebClient

from tests.platform_servers.slack.faults import broken, held, rate_limited, refused, reset
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import calling

_POST = "chat.postMessage"


async def _post(client: AsyncWebClient, club: Club) -> None:
    await client.chat_postMessage(channel=club.channel.id, text="hello")


async def test_a_rate_limit_is_told_and_not_waited_for_by_default(slack_server: SlackServer, club: Club) -> None:
    slack_server.fail_next(_POST, rate_limited(30))
    async with calling(slack_server) as client:
        with pytest.raises(SlackApiError) as limited:
            await _post(client, club)
    assert limited.value.response.headers["Retry-After"] == "30"
    assert (limited.value.response.status_code, limited.value.response["error"]) == (429, "ratelimited")
    assert club.channel.texts == []


async def test_a_rate_limit_is_waited_for_where_the_client_is_told_to(slack_server: SlackServer, club: Club) -> None:
    slack_server.fail_next(_POST, rate_limited(0))
    async with calling(slack_server, retry_handlers=[AsyncRateLimitErrorRetryHandler()]) as client:
        await _post(client, club)
    assert [call.status for call in slack_server.calls_of(_POST)] == [429, 200]
    assert club.channel.texts == ["hello"]


async def test_a_503_is_told_at_once(slack_server: SlackServer, club: Club) -> None:
    slack_server.fail_next(_POST, broken())
    async with calling(slack_server) as client:
        with pytest.raises(SlackApiError) as down:
            await _post(client, club)
    assert down.value.response.status_code == 503


async def test_an_error_of_the_tests_own_choice(slack_server: SlackServer, club: Club) -> None:
    slack_server.fail_next(_POST, refused("team_access_not_granted"))
    async with calling(slack_server) as client:
        with pytest.raises(SlackApiError, match="team_access_not_granted"):
            await _post(client, club)


@pytest.mark.parametrize(("accepted", "texts"), [(True, ["hello"]), (False, [])])
async def test_a_reset_before_or_after_the_message_is_taken(
    slack_server: SlackServer, club: Club, accepted: bool, texts: list[str]
) -> None:
    slack_server.fail_next(_POST, reset(accepted=accepted))
    async with calling(slack_server) as client:
        with pytest.raises(aiohttp.ClientConnectionError):
            await _post(client, club)
    assert club.channel.texts == texts


async def test_the_sdks_default_retry_posts_twice_after_a_reset(slack_server: SlackServer, club: Club) -> None:
    slack_server.fail_next(_POST, reset(accepted=True))
    async with calling(slack_server, retry_handlers=[AsyncConnectionErrorRetryHandler()]) as client:
        await _post(client, club)
    assert club.channel.texts == ["hello", "hello"]


async def test_a_held_call_goes_on_when_it_is_released(slack_server: SlackServer, club: Club) -> None:
    fault = slack_server.fail_next(_POST, held())
    async with calling(slack_server) as client:
        posting = asyncio.create_task(_post(client, club))
        await slack_server.wait_for(lambda: slack_server.calls_of(_POST))
        assert club.channel.texts == []
        fault.release()
        await posting
    assert club.channel.texts == ["hello"]


async def test_the_whole_api_can_be_down_for_a_while(slack_server: SlackServer, club: Club) -> None:
    async with calling(slack_server) as client:
        with slack_server.api_down(broken(500)):
            with pytest.raises(SlackApiError):
                await client.auth_test()
            with pytest.raises(SlackApiError):
                await _post(client, club)
        await _post(client, club)
    assert club.channel.texts == ["hello"]


async def test_a_fault_that_nobody_met_fails_the_test() -> None:
    with pytest.raises(AssertionError, match=r"never met: 1 faults for chat\.postMessage"):
        async with SlackServer() as server:
            server.fail_next(_POST, broken())


async def test_a_fault_for_an_unknown_method_is_a_slip_of_the_test(slack_server: SlackServer) -> None:
    with pytest.raises(AssertionError, match=r"no such method: chat\.post"):
        slack_server.fail_next("chat.post", broken())


async def test_waiting_in_vain_tells_what_happened(slack_server: SlackServer, club: Club) -> None:
    async with calling(slack_server) as client:
        await _post(client, club)
    with pytest.raises(AssertionError, match=r"(?s)not within 0.01 s.*chat\.postMessage.*#books Thusfar: 'hello'"):
        await slack_server.wait_for(lambda: None, within=0.01)
