"""A club's evening, said line by line, and the bot's replies.

A line of a script has the speaker, a star if it is for the bot, and the text; `@` mentions the bot, `@B` Ben.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from adapters.platform.services import PlatformServices
from bot.wiring import Application
from core.club.commands.values import CommandRequest
from core.domain.conversation import Author
from tests.adapters.platform.hearing import FollowedHearing
from tests.adapters.platform.stages import Message, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A line that was said, whether it was for the bot, and how many posts it drew."""

    text: str
    for_bot: bool
    posts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """The result of an evening: its lines and the bot's replies."""

    lines: list[Said]
    posts: int
    reactions: int
    pings: int


async def evening_of(stage: Stage, house: Application, services: PlatformServices, script: str) -> Evening:
    """Read the sample up to chapter 3, and say the lines one by one."""
    await _reads_sample(stage, house)
    club, heard = stage.club, FollowedHearing(services)
    people = {"A": club.ada, "B": club.ben, "O": club.organiser, "C": stage.newcomer("Cleo")}
    lines, thread = list[Said](), stage.thread()
    async with stage.running(replace(services, addressing=heard)) as bot:
        for number, (who, for_bot, said) in enumerate(_lines(script), start=1):
            before = len(stage.public())
            text = said.removeprefix("@ ").replace("@B", club.ben.mention)
            stage.say(thread, text, by=people[who], mention=said.startswith("@ "))
            await heard.has_heard(number)
            await bot.settled()
            lines.append(Said(text=text, for_bot=for_bot, posts=len(stage.public()) - before))
    return Evening(
        lines=lines,
        posts=sum(one.posts for one in lines),
        reactions=sum(stage.server.bot.id in by for one in _all(stage) for by in one.reactions.values()),
        pings=sum(len(one.pings) for one in stage.public()),
    )


async def _reads_sample(stage: Stage, house: Application) -> None:
    """Let the club read the sample up to the end of chapter 3."""
    olga = Author(member_id=f"{stage.name}:1", display_name="Olga")
    for words, text in (("book use", "sample"), ("setpage", "18")):
        request = CommandRequest(thread=stage.place(), member=olga, is_organiser=True, text=text)
        await house.clubs().registry().run(words, request)


def _lines(script: str) -> Iterator[tuple[str, bool, str]]:
    for line in script.splitlines():
        yield line[0], line[1] == "*", line[2:]


def _all(stage: Stage) -> Sequence[Message]:
    return [one for place in stage.server.platform.channels.values() for one in place.history]
