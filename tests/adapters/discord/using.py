"""Helpers for the tests of commands and buttons: the state of a club, and what people see."""

from collections.abc import Sequence
from pathlib import Path

from bot.wiring import Application
from core.domain.position import Position
from tests.adapters.discord.conftest import place_of
from tests.adapters.watching import WatchedCommands, watched
from tests.platform_servers.discord.components import walk
from tests.platform_servers.discord.interactions import Interaction
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Attachment, Channel, Json, Message

__all__ = ["WatchedCommands", "watched"]


async def page_of(house: Application, channel: Channel) -> Position:
    """Return the current page of the channel's club."""
    return (await house.threads.club(place_of(channel))).standing.set_for_all


async def titles_of(house: Application, channel: Channel) -> list[str]:
    """The books of the server that a channel is in."""
    return [book.title for book in await house.library.in_scope(scope=place_of(channel).scope)]


def buttons(message: Message) -> list[Json]:
    return [one for one in walk(message.components) if one["type"] == 2]


def labels(message: Message) -> list[str]:
    """Return the buttons of a message, by their label or emoji."""
    return [one.get("label") or one["emoji"]["name"] for one in buttons(message)]


def pinged(messages: Sequence[Message]) -> set[int | str]:
    return {whom for message in messages for whom in message.pings}


def add_book(server: DiscordServer, club: Club, file: Attachment, **more: str) -> Interaction:
    """Add a book as the organiser."""
    return server.slash("book add", {"file": file, **more}, user=club.organiser, channel=club.channel)


async def ended(server: DiscordServer, used: Interaction) -> str:
    """Return everything that the organiser sees after the import."""
    await server.wait_for(lambda: used.texts and not used.texts[0].endswith("…"))
    return "\n".join(used.texts)


def left_in(folder: Path) -> list[str]:
    """Return the names of the files in a folder."""
    return [path.name for path in folder.iterdir()]
