"""What is said of sections and dates holds no unread word: no name, no sentence and no chapter's title, in any byte.

Where sections end follows from the lengths of chapters, as in a table of contents without its titles.
"""

import random
from dataclasses import replace

from adapters.readers.choose import reader_for
from core.club.commands.values import CommandResponse
from core.club.schedule.schedules import REMINDER
from core.club.timers.timer_kinds import SectionReminders
from core.domain.book import Page
from core.domain.errors import ThusfarError
from tests.property.houses import SAMPLE
from tests.unit.club_house import CHANNEL, House

_CALLS = 50
_MOST_REFUSED = 0.5
_STRANGE = ("zenobia", "quark", "wexham", "yarrowby")


async def _house() -> House:
    """Return a house in which a club has read nothing of a book whose every page and title is strange."""
    text = reader_for(SAMPLE).read(SAMPLE)
    pages = (
        Page(number=page.number, text="Zenobia Quark of Wexham wept. " * 9, start_offset=page.start_offset)
        for page in text.pages
    )
    chapters = (replace(chapter, title=f"Yarrowby {chapter.number}") for chapter in text.chapters)
    house = House()
    book = await house.add_book(replace(text, pages=tuple(pages), chapters=tuple(chapters)))
    await house.threads.use(CHANNEL, book_id=book.book_id)
    await house.use("setpage", "0", thread=CHANNEL)
    return house


def _drawn(drawn: random.Random) -> tuple[str, str]:
    zone = drawn.choice(["", " Europe/Berlin", " Asia/Kolkata"])
    make = f"{drawn.randrange(1, 61)} weeks from 2 March, {drawn.choice(['Sundays', 'tue'])} 19:00{zone}"
    plan = f"{drawn.randrange(1, 12)}|2030-03-08|19:00|Europe/Berlin|1|"
    shift = f"{drawn.choice('+-')}{drawn.randrange(1, 9)} {drawn.choice(['days', 'weeks'])}"
    uses = [("schedule make", make), (".schedule", plan), ("schedule shift", shift), ("schedule skip", "")]
    shows = [("schedule show", ""), ("schedule show", "here"), ("progress", ""), ("schedule remind", "on")]
    return drawn.choice([*uses, *shows, ("section open", str(drawn.randrange(1, 9))), ("schedule off", "")])


async def test_no_unread_word_is_in_anything_that_is_said() -> None:
    house, drawn = await _house(), random.Random(19)
    kind = SectionReminders(schedules=house.kept_schedules, readings=house.readings, books=house.books)
    said, refused = list[str](), 0
    for number in range(_CALLS):
        words, text = _drawn(drawn)
        try:
            response = await house.use(words, text, organiser=True, thread=CHANNEL)
            said.append(_all_of(response))
            if response.begins is not None:
                there = replace(CHANNEL, thread=str(number))
                said.append(_all_of(await house.press(response.begins, organiser=True, thread=there)))
                said.append(_all_of(await house.use("setpage", "9", thread=there)))
        except ThusfarError as error:
            said.append(str(error))
            refused += 1
        for timer in await house.timers.waiting(thread=CHANNEL, kind=REMINDER):
            said += [repr(message) for message in (*await kind.due(timer), *await kind.missed(timer))]
    assert refused < _MOST_REFUSED * _CALLS
    assert len(said) > _CALLS
    everything = "\n".join(said).lower()
    assert not [word for word in _STRANGE if word in everything]


def _all_of(response: CommandResponse) -> str:
    choices = [*response.choices, *([response.begins] if response.begins else [])]
    shown = (response.text, response.announcement, response.opens, response.told_in_place)
    return "\n".join((*shown, *(f"{each.label}:{each.text}" for each in choices)))
