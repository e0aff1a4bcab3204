"""A place in which a mention opens a thread, and what title that thread is given; nothing else of a platform."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Self

from adapters.discord.options import EMOJI
from adapters.platform.commands import OrganiserNotices
from adapters.platform.intake.items import InboxItem
from adapters.platform.platform_app import PlatformApp
from adapters.platform.services import PlatformServices
from adapters.platform.surface import MessageSurface, Post, Surface
from adapters.platform.typing_indicator import Stop
from core.domain.conversation import Author
from core.domain.inbound import InboundEvent
from core.domain.thread import Thread
from core.understanding.listening import Addressing


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mention:
    """A message that mentions the bot."""

    text: str
    member_id: str
    ref: str = "platform:1"
    order: int = 1
    files: tuple[object, ...] = ()

    @property
    def event(self) -> InboundEvent:
        return InboundEvent(platform="platform", place="club", message_id="1", payload={})

    def with_text(self, text: str) -> Self:
        return replace(self, text=text)


class _Channel(MessageSurface):
    """Where it stands."""

    def __init__(self, place: Thread, asker: Author) -> None:
        self.ref = "platform:1"
        self.thread = place
        self.channel = "club"
        self.titles: list[str] = []
        self._asker = asker

    async def author(self) -> Author:
        return self._asker

    async def heard(self) -> Addressing:
        return Addressing(mentions_bot=True)

    def is_closed(self) -> bool:
        return False

    def may_react(self) -> bool:
        return False

    def say_no_reactions(self) -> None:
        return

    async def readable(self, text: str) -> str:
        return text

    async def open_thread(self, title: str) -> Surface:
        self.titles.append(title)
        return self

    async def post(self, post: Post) -> str:
        return post.ref

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Stop]:
        async def stop() -> None:
            return

        yield stop


async def title_of_thread_about(question: str, place: Thread, asker: Author, services: PlatformServices) -> str:
    """Return what a thread is called that a member's question opens."""
    channel = _Channel(place, asker)  # type: ignore[abstract]  # what a title does not need is left out

    async def find(_: _Mention) -> MessageSurface:
        return channel

    talk = PlatformApp(services, find, emoji=EMOJI, most_bytes=1, notices=OrganiserNotices()).conversations
    pending = await talk.decide(InboxItem(said=_Mention(text=question, member_id=asker.member_id)))
    assert pending is not None
    assert await talk.execute(pending)
    (title,) = channel.titles
    return title
