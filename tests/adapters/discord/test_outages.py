"""Discord's REST API is down while the gateway works: the answer is posted once, when it is back."""

import pytest

from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.faults import rate_limited
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

MESSAGES = "/channels/{channel}/messages"


@pytest.mark.parametrize("via", [True, False], ids=["Discord", "Cloudflare"])
async def test_a_rate_limited_answer_is_posted_later_and_once(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running, via: bool
) -> None:
    answers = ScriptedAnswers()
    async with settling(answers):
        discord_server.fail_next("POST", MESSAGES, rate_limited(0.01, via=via), times=3 if via else 2)
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
    assert len(discord_server.replies_to(asked)) == 1
    assert "⚠️" not in asked.reactions


async def test_a_thread_that_may_not_be_opened_yet_is_opened_later(
    discord_server: DiscordServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers()
    async with settling(answers):
        discord_server.fail_next("POST", f"{MESSAGES}/{{message}}/threads", rate_limited(via=False))
        asked = discord_server.mention(club.channel, club.ada, "Who?")
        thread = await discord_server.wait_for(lambda: asked.thread)
        await discord_server.posted(thread)
    assert discord_server.by_bot(club.channel) == []
