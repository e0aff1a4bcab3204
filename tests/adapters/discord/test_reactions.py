"""Reactions show the steps of a turn on the asker's message, in order, and never delay the answer."""

import asyncio
from dataclasses import replace
from urllib.parse import unquote

from adapters.discord.options import EMOJI
from adapters.platform.services import CosmeticRateLimit, PlatformServices
from core.domain.chat_event import (
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
)
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

REACTION = "/channels/{channel}/messages/{message}/reactions/{emoji}/@me"
SEARCH = ToolInvocationEvent(tool_name="search_book", arguments={"query": "lamp"})
FOUND = ToolResultEvent(query="lamp", result_count=2, results=[])
NOTHING = ToolResultEvent(query="lamp", result_count=0, results=[])


async def test_the_emoji_are_the_operators(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running
) -> None:
    answers = ScriptedAnswers(events=[SEARCH], held=["Who?"])
    emoji = replace(EMOJI, searching="lamp:1234")
    async with running(answers, emoji=emoji):
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.wait_for(lambda: list(asked.reactions) == ["lamp:1234"])
        answers.release("Who?")
        await discord_server.answer_to(asked)


class _Held(CosmeticRateLimit):
    """Nothing is sent before the test allows it."""

    def __init__(self) -> None:
        super().__init__()
        self.may_go = asyncio.Event()

    def take(self) -> bool:
        return self.may_go.is_set()

    async def turn(self) -> None:
        await self.may_go.wait()


async def test_under_load_outdated_reactions_are_skipped(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running, services: PlatformServices
) -> None:
    pace, answers = _Held(), ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    async with settling(services=replace(answers.instead_of(services), ornament_rate=pace)):
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        pace.may_go.set()
    shown = {unquote(call.params["emoji"]) for call in discord_server.calls if call.route == REACTION}
    assert shown == {EMOJI.found}
    assert list(asked.reactions) == [EMOJI.found]
