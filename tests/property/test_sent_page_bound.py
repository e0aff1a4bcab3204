"""What members leave, open, vote on and have told on Discord and in Slack: no byte that is sent goes beyond the pages.

Some clubs live through a drawn run of commands and buttons, typed words of unread pages among them. After each, all
that the bot has sent since is looked through: what all see goes no further than the thread's page, what one member
sees no further than that or their own.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bot.platforms import platform_services
from bot.settings import Embeddings, Settings
from bot.wiring import Application, build
from core.domain.conversation import Author
from tests.adapters.platform.conftest import staged
from tests.adapters.platform.stages import Bot, Message, Stage
from tests.property.clubs import PAGES, Step, steps, the_book, words_of

_OLGA = 3
_SAID = frozenset({"statistics", "export"})
_OF_ORGANISERS = frozenset({"finish", "poll", *_SAID})
_CLUBS = 2
"""None is made shorter where something was found: each takes seconds."""


class Watched:
    """A club on a platform, with how far each of its members may see."""

    def __init__(self, stage: Stage, bot: Bot, house: Application) -> None:
        """All stand at the first page."""
        self.stage, self._bot, self._house = stage, bot, house
        self._members = (stage.club.ada, stage.club.ben, stage.newcomer("Cy"), stage.club.organiser)
        self._own = [1] * len(self._members)
        self._sent = len(stage.sent())
        self._thread = 1
        self._seen: set[Message] = set()
        self.looked_at = 0

    async def live(self, done: Sequence[Step]) -> None:
        """Do one thing after another, and look through all that was sent for it."""
        for step in done:
            member = _OLGA if step.words in _OF_ORGANISERS else step.member
            before = self._thread
            if step.words in {"mypage", "setpage"} and step.text.isdecimal():
                self._own[member] = max(self._own[member], int(step.text))
            await self._take(step, member)
            self._thread = await self.stage.page_of(self._house) or 0
            self._look(max(before, self._thread))

    async def _take(self, step: Step, member: int) -> None:
        stage, person = self.stage, self._members[member]
        if not step.words:
            await self._press(member)
        elif step.words == ".quote-this":
            said = stage.chat(step.text or "…", by=stage.club.ben)
            await stage.over(stage.choose("Quote this", said, by=person), self._bot)
        elif step.words in _SAID:
            before = len(stage.sent())
            stage.ask(step.words, by=person)
            await stage.wait_for(lambda: len(stage.sent()) > before)
            await self._bot.settled()
        elif step.text or step.words not in {"quote", "predict"}:
            used = stage.use(step.words, step.text, by=person)
            await stage.over(used, self._bot)
            for message in list(used.messages):
                for command in stage.pressable(message):
                    if command.startswith((".leap:", ".mypage:")):
                        await stage.over(stage.press(command, message, by=person), self._bot)

    async def _press(self, member: int) -> None:
        """Press what stands there last for all to press."""
        for message in reversed(self.stage.public()):
            for command in self.stage.pressable(message):
                if command.startswith((".prediction:", ".quote:", ".vote:", ".choose:")):
                    await self.stage.over(self.stage.press(command, message, by=self._members[member]), self._bot)
                    return

    def _look(self, thread: int) -> None:
        sent = self.stage.sent()
        new, self._sent = "\n".join(sent[self._sent :]), len(sent)
        self._expect(new, max(thread, *self._own))
        for message in self._new(self.stage.public()):
            self._expect(message.content, thread)
        for member, person in enumerate(self._members):
            for message in self._new(self.stage.told(person)):
                self._expect(message.content, max(thread, self._own[member]))
        self.looked_at += len(new)

    def _new(self, messages: Sequence[Message]) -> list[Message]:
        """Return those that have not been looked at."""
        new = [message for message in messages if message not in self._seen]
        self._seen.update(new)
        return new

    def _expect(self, text: str, up_to: int) -> None:
        ahead = {word for page in range(up_to + 1, PAGES + 1) for word in words_of(page)}
        assert not [word for word in ahead if word in text], text


async def _lived(platform: str, folder: Path, done: Sequence[Step]) -> int:
    """Let a club live through this; return how much was looked through."""
    house = build(Settings(thusfar_home=folder / "home", THUSFAR_EMBEDDINGS=Embeddings.NONE))
    path = folder / "bridge.txt"
    path.write_text("\f".join(page.text for page in the_book().pages), encoding="utf-8")
    try:
        async with staged(platform, platform_services(house)) as stage:
            place = stage.place()
            book = (await house.library.add(path, scope=place.scope, title="The Bridge")).book
            await house.threads.use(place, book_id=book.book_id)
            organiser = Author(member_id=f"{platform}:1", display_name="Olga")
            await house.clubs().positions.set(
                await house.threads.club(place), text="1", member=organiser, confirmed=True
            )
            async with stage.running() as bot:
                watched = Watched(stage, bot, house)
                await watched.live(done)
            return watched.looked_at
    finally:
        await house.close()


@pytest.mark.parametrize("platform", ["discord", "slack"])
@given(data=st.data())
@settings(max_examples=_CLUBS, phases=[Phase.generate])
def test_no_byte_that_is_sent_goes_beyond_the_page(
    tmp_path_factory: pytest.TempPathFactory, platform: str, data: Any
) -> None:
    done = data.draw(steps(up_to=PAGES - 1, ahead=True))
    assert asyncio.run(_lived(platform, tmp_path_factory.mktemp("club"), done)) > 0
