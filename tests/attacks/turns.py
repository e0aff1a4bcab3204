"""Turns of three kinds on the sample novel: what was asked lies ahead, is never said, or its answer was blocked."""

import re
from collections.abc import Sequence
from itertools import cycle
from typing import Final

from adapters.platform.solo import STATES, state_of
from adapters.terminal.surface import READER, THREAD
from core.club.commands.values import CommandRequest
from core.club.questions.question_commands import MORE_HERE, MORE_PASSAGES
from core.domain.chat_event import ChatEvent
from core.ports.chat_provider import ChatProvider
from tests.attacks.campaign import House
from tests.attacks.labels import Pair
from tests.attacks.providers import NoModel, SearchingModel, ThenUnsaid, Traitor
from tests.attacks.signals import Seen

HONEST_WORDS = (
    "I can't say anything about that from the pages read so far.",
    "The pages you have read do not say.",
    "Nothing that we have read so far answers that.",
    "That is not told in what we have read.",
)
ALL_SHARES: Final = (1.0, 0.75, 0.5)
"""Where a pair is asked: at its page, and at earlier ones, at which the answer lies ahead as well."""

_OWN_PAGE = (1.0,)
_EARLY: Final = 5
_NAMES: Final = 25
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{4,}\b")
_NOBODY_THERE: Final = (
    "Abernathy Blackwood Carmichael Davenport Ellsworth Fairfax Galbraith Hathaway Ingleby Jessop Kirkbride "
    "Lovelace Montague Nightingale Ormerod Pemberton Quennell Rotherham Sedgwick Thackeray Underhill Vansittart "
    "Wetherby Yardley Aldous Beatrice Cornelius Dorothea Eustace Florence Gideon "
    "Harriet Isidore Jemima Lavinia Mortimer Octavia"
)
_FORMS: Final = ("Who is {}?", "Where did we first meet {}?", "What does {} mean?", "What is {} like?")


def _positions(pair: Pair, shares: Sequence[float]) -> list[int]:
    return sorted({max(1, int(pair.at_page * share)) for share in shares})


async def quoted(
    house: House, pairs: Sequence[Pair], *, ahead: bool, shares: Sequence[float] = _OWN_PAGE
) -> list[Seen]:
    """Return what is seen where no model is configured."""
    return [
        await _seen(house, NoModel(), pair.ahead if ahead else pair.never, page, group)
        for group, pair in enumerate(pairs)
        for page in _positions(pair, shares)
    ]


async def of_kinds(house: House, *, ahead: bool) -> list[Seen]:
    """Return what is seen of questions of a kind without a model, about names that come later or never come."""
    return [
        await _seen(house, NoModel(), _FORMS[group % len(_FORMS)].format(name if ahead else never), page - 1, group)
        for group, (name, never, page) in enumerate(_later_and_never(house))
    ]


async def of_people(house: House, *, ahead: bool) -> list[Seen]:
    """Return what `who` shows of names that come later or never come, with the buttons under it."""
    return [
        await _shown(house, name if ahead else never, page - 1, group)
        for group, (name, never, page) in enumerate(_later_and_never(house))
    ]


async def honestly_unsaid(
    house: House, pairs: Sequence[Pair], *, ahead: bool, shares: Sequence[float] = _OWN_PAGE
) -> list[Seen]:
    """Return what is seen where a model says honestly that the pages do not say."""
    said = cycle(HONEST_WORDS)
    return [
        await _seen(
            house,
            SearchingModel(lambda _found: next(said)),
            pair.ahead if ahead else pair.never,
            page,
            group,
        )
        for group, pair in enumerate(pairs)
        for page in _positions(pair, shares)
    ]


async def blocked(
    house: House, pairs: Sequence[Pair], *, ahead: bool = True, shares: Sequence[float] = _OWN_PAGE
) -> list[Seen]:
    """Return what is seen where a model told what lies ahead, and was held back, whichever of a pair was asked."""
    found = []
    for group, pair in enumerate(pairs):
        for page in _positions(pair, shares):
            leaks = [leak for leak in house.labels.leaks if leak.page > page]
            leak = leaks[(7 * group + page) % len(leaks)]
            traitor = Traitor(house.labels, position=page, leak=leak, style="straight", number=group)
            seen = await _seen(house, traitor, pair.ahead if ahead else pair.never, page, group)
            if traitor.told.draft != seen.text:
                found.append(seen)
    return found


def _later_and_never(house: House) -> list[tuple[str, str, int]]:
    """Return some names, spread over the book, with the page on which it comes first, and one that never comes."""
    texts = [page.text for page in house.text.pages]
    first = {
        name: next(number for number, text in enumerate(texts, start=1) if name.casefold() in text.casefold())
        for name in dict.fromkeys(name for text in texts for name in _NAME.findall(text))
    }
    # What a day is called is talk of the week to any bot: "What is Thursday like?".
    is_day = re.compile(r"days?$")
    later = [(name, page) for name, page in first.items() if page > _EARLY and not is_day.search(name)]
    never = [name for name in _NOBODY_THERE.split() if not any(name.casefold() in text.casefold() for text in texts)]
    return [
        (name, never[at % len(never)], page) for at, (name, page) in enumerate(later[:: len(later) // _NAMES][:_NAMES])
    ]


async def _shown(house: House, name: str, position: int, group: int) -> Seen:
    application = house.application
    await application.threads.open(THREAD, book_id=house.book_id)
    await application.clubs().positions.move(await application.threads.club(THREAD), position, member=READER)
    response = (
        await application.clubs()
        .registry()
        .run("who", CommandRequest(thread=THREAD, member=READER, is_organiser=False, text=name))
    )
    return Seen(text=response.text, reactions=tuple(choice.label for choice in response.choices), group=group)


async def told_then_unsaid(house: House, pairs: Sequence[Pair], *, ahead: bool) -> list[Seen]:
    """Return what is seen where a model told what lies ahead, was held back, and then says what an honest one says.

    Or it says so at once, and the leak behind it falls: in turn.
    """
    found, said = [], cycle(HONEST_WORDS)
    for group, pair in enumerate(pairs):
        for page in _positions(pair, _OWN_PAGE):
            leaks = [leak for leak in house.labels.leaks if leak.page > page]
            leak = leaks[(7 * group + page) % len(leaks)].text
            unsaid = next(said)
            model = ThenUnsaid(leak if group % 2 else f"{unsaid} {leak}", unsaid)
            seen = await _seen(house, model, pair.ahead if ahead else pair.never, page, group)
            assert leak not in seen.text
            found.append(seen)
    return found


async def unsaid_at_once(house: House, pairs: Sequence[Pair], *, ahead: bool) -> list[Seen]:
    """Return what is seen where a model whose answers are verified says honestly that the pages do not say."""
    said = cycle(HONEST_WORDS)
    return [
        await _seen(house, ThenUnsaid(words := next(said), words), pair.ahead if ahead else pair.never, page, group)
        for group, pair in enumerate(pairs)
        for page in _positions(pair, _OWN_PAGE)
    ]


async def _seen(house: House, model: ChatProvider, question: str, position: int, group: int) -> Seen:
    events: list[ChatEvent] = []
    outcome = await house.ask(model, question, position=position, on_event=events.append)
    reactions = [STATES[state] for event in events if (state := state_of(event)) is not None]
    buttons = (MORE_HERE, MORE_PASSAGES) if outcome.has_more else ()
    return Seen(text=outcome.text, reactions=(*reactions, STATES["answered"], *buttons), group=group)
