"""Dialogues of fixtures/dialogues with each kind of ending, said in a thread of Slack: the same answers stand there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from adapters.platform.retry import RetryPolicy
from adapters.slack.connection import SlackConnection
from adapters.slack.options import SlackOptions
from adapters.slack.render import as_typed
from bot.platforms import platform_services
from core.domain.thread import Thread
from tests.builders import ADA
from tests.patience import PATIENCE_S
from tests.platform_servers.markup import as_read
from tests.platform_servers.slack.fixtures import slack_server
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message
from tests.scenarios.conftest import Opened
from tests.scenarios.dialogues import AUTHOR, BOOK, TITLE, DialogueTurn, dialogue
from tests.scenarios.player import Player

__all__ = ["slack_server"]


@asynccontextmanager
async def _served(player: Player, server: SlackServer) -> AsyncIterator[None]:
    options = SlackOptions(bot_token=server.token, app_token=server.app_token, api_base=server.api_base, pause=0.0)
    connection = SlackConnection(platform_services(player.thusfar), options, retry=RetryPolicy(first=0.01))
    task = asyncio.create_task(connection.attempt())
    await asyncio.wait_for(connection.ready(), PATIENCE_S)
    try:
        yield
    finally:
        await connection.finish(within=5)
        await connection.close()
        await asyncio.wait([task])


async def _asked(server: SlackServer, club: Club, turn: DialogueTurn, root: Message | None) -> Message:
    author = {"Ada": club.ada, "Bo": club.ben}[turn.by]
    if root is None:
        return server.mention(club.channel, author, turn.said)
    return server.reply(root, author, f"{server.bot.mention} {turn.said}")


@pytest.mark.parametrize(
    "name",
    ["search-then-answer", "nothing-found", "set-back", "a-leak-is-held-back"],
)
async def test_a_dialogue_comes_out_as_written(slack_server: SlackServer, opened: Opened, name: str) -> None:
    played = dialogue(name)
    player = await opened("anthropic", **played.settings)
    club, root = slack_server.add_club(), None
    place = Thread(scope=f"slack:{slack_server.platform.team_id}", place=club.channel.id, thread="")
    book = (await player.thusfar.library.add(BOOK, scope=place.scope, title=TITLE, author=AUTHOR)).book
    await player.thusfar.threads.use(place, book_id=book.book_id)
    async with _served(player, slack_server):
        for turn in played.turns:
            if turn.page is not None:
                await player.thusfar.clubs().positions.set(
                    await player.thusfar.threads.club(place), text=turn.page, member=ADA, confirmed=True
                )
            player.script(turn)
            asked = await _asked(slack_server, club, turn, root)
            root = root or asked
            answer = await slack_server.answer_to(asked)
            assert as_read(answer.blocks[0]["text"]) == as_typed(turn.then.answer, "thusfar", in_thread=True)
            assert answer.pings == set()
            if turn.then.record is not None and turn.then.record.status == "failed":
                await slack_server.wait_for(lambda: list(asked.reactions) == ["warning"])  # noqa: B023
    assert len({one.thread_ts for one in slack_server.by_bot(club.channel)}) == 1
