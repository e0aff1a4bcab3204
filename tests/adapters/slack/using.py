"""Helpers for the tests of commands and buttons on Slack: the state of a club, and what people see."""

from collections.abc import Sequence

from bot.wiring import Application
from core.domain.position import Position
from tests.adapters.slack.conftest import place_of
from tests.platform_servers.slack.elements import walk
from tests.platform_servers.slack.interactions import Interaction
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Channel, Message


async def page_of(house: Application, server: SlackServer, channel: Channel, thread_ts: str = "") -> Position:
    """Return the current page of the channel's club, or of one of its threads."""
    return (await house.threads.club(place_of(server, channel, thread_ts))).standing.set_for_all


async def titles_of(house: Application, server: SlackServer, channel: Channel) -> list[str]:
    """The books of the scope that a channel is in."""
    return [book.title for book in await house.library.in_scope(scope=place_of(server, channel).scope)]


def labels(message: Message) -> list[str]:
    """Return the labels of a message's buttons."""
    kinds = ("button", "feedback_buttons")
    return [str(one["text"]["text"]) for one, _ in walk(message.blocks) if one["type"] in kinds]


def pinged(messages: Sequence[Message]) -> set[str]:
    return {whom for message in messages for whom in message.pings}


def contents(used: Interaction) -> list[str]:
    """Return what was shown in reply, as its reader sees it."""
    return [message.content for message in used.messages]


async def asked_alone(
    server: SlackServer, club: Club, question: str, *, page: str = "", channel: Channel | None = None
) -> Message:
    """Ask in private as Ada, at her own page if given; return the answer that only she sees."""
    where = channel or club.channel
    if page:
        await server.responded(server.slash("/thusfar", f"mypage {page}", user=club.ada, channel=where))
    used = await server.responded(server.slash("/thusfar", f"ask {question}", user=club.ada, channel=where))
    return used.messages[-1]
