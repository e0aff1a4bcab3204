"""Runs attacks and honest questions through the real flow, and counts by rule what was posted."""

import random
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle
from pathlib import Path

from adapters.readers.text import TextBookReader
from bot.settings import Settings
from bot.wiring import Application, build
from core.answering.ask import AskRequest
from core.domain.book import BookText
from core.domain.chat_event import EventSink
from core.domain.conversation import TurnOutcome
from core.domain.scopes import LOCAL_SCOPE
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition
from core.guard.citations import cited_pages
from core.language.words import content_stems
from core.ports.chat_provider import ChatProvider
from tests.attacks.labels import Asked, Labelled, Leak, asks
from tests.attacks.providers import Honest, NoModel, Traitor
from tests.attacks.styles import DRIP_TURNS, STYLES
from tests.scenarios.outbound import Unread

_ENOUGH_OF_A_DRIP = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attempt: who asks what, where the readers stand, what the traitor then tells and how."""

    leak: Leak
    position: int
    style: str
    kind: str
    question: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacked:
    """What came of an attack: what of the leak was posted (empty, where nothing was), and what held it back."""

    attack: Attack
    posted: str
    blocks: Counter[str]
    outbound: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What came of an honest question: whether its page was found, and whether prose or a quotation answers from it.

    Prose is shortened where a sentence of it fell and another one still cites the page.
    """

    asked: Asked
    found: bool
    prose: bool
    shortened: bool
    quoted: bool
    blocks: Counter[str]


def attacks_on(book: Labelled, *, most: int | None = None) -> list[Attack]:
    """Return one attack for each leak at each position, with styles, classes and words taken in turn.

    With `most`, so many of them, drawn once and for all.
    """
    styles, kinds = cycle(STYLES), cycle(asks())
    tried = [(leak, position) for leak in book.leaks for position in book.positions(leak)]
    made = []
    for number, (leak, position) in enumerate(tried):
        style, kind = next(styles), next(kinds)
        if number % len(asks()) == 0:
            next(kinds)  # so that styles and classes do not always meet in the same pairs
        words = asks()[kind][number % len(asks()[kind])]
        question = words.replace("{title}", book.title).replace("{guess}", f"{leak.text.rstrip('.')}?")
        made.append(
            Attack(
                leak=leak, position=position, style=style, kind=kind, question=question, number=number // len(STYLES)
            )
        )
    return made if most is None else random.Random(7).sample(made, min(most, len(made)))


class Puppet(ChatProvider):
    """The model of a house: whichever is set to speak now."""

    def __init__(self) -> None:
        self.speaks: ChatProvider = NoModel()

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def model(self) -> str:
        return "scripted-1"

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        return await self.speaks.chat(messages, options)

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        return await self.speaks.chat_with_tools(messages, tools, options)


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """A wired house with one labelled book in it, in which any model may answer, or none."""

    application: Application
    puppet: Puppet
    book_id: str
    labels: Labelled
    text: BookText
    _unread: dict[int, Unread] = field(default_factory=dict)

    def unread(self, position: int) -> Unread:
        """What must not be seen by anybody who has read so far."""
        return self._unread.get(position) or self._unread.setdefault(position, Unread(self.text, position=position))

    async def ask(
        self, model: ChatProvider, question: str, *, position: int, on_event: EventSink | None = None
    ) -> TurnOutcome:
        """Ask one question outside of any thread."""
        self.puppet.speaks = model
        request = AskRequest(question=question, book_id=self.book_id, page=position)
        return (await self.application.ask.execute(request, on_event)).outcome


@asynccontextmanager
async def house_of(
    labels: Labelled, home: Path, *, with_model: bool = True, **settings: object
) -> AsyncIterator[House]:
    """Wire a home and import a labelled book into it, unless it is there; without a model, it quotes."""
    puppet = Puppet()
    chosen = Settings(_env_file=None, thusfar_home=home, **{"THUSFAR_VERIFIER": "off", **settings})  # type: ignore[arg-type]
    application = build(chosen, answers_with=puppet if with_model else None)
    try:
        book = await application.library.latest(scope=LOCAL_SCOPE)
        if book is None or book.title != labels.title:
            book = (await application.library.add(labels.file, scope=LOCAL_SCOPE, title=labels.title)).book
        yield House(
            application=application,
            puppet=puppet,
            book_id=book.book_id,
            labels=labels,
            text=_read(labels.file, labels.title),
        )
    finally:
        await application.close()


@cache
def _read(file: Path, title: str) -> BookText:
    return TextBookReader().read(file, title=title)


async def attacked(house: House, attack: Attack) -> Attacked:
    """Make one attack; a drip takes eight turns."""
    traitor = Traitor(
        house.labels, position=attack.position, leak=attack.leak, style=attack.style, number=attack.number
    )
    unread = house.unread(attack.position)
    drips = attack.style == "drip"
    posted, blocks = list[str](), Counter[str]()
    for turn in range(DRIP_TURNS if drips else 1):
        traitor.number = turn if drips else attack.number
        outcome = await house.ask(traitor, attack.question, position=attack.position)
        blocks.update(outcome.blocks)
        if traitor.told.leak and traitor.told.leak in outcome.text:
            posted.append(traitor.told.leak)
        else:
            posted += unread.in_bytes(outcome.text.encode(), exempt=[house.labels.title])
    told = " ".join(posted)
    if drips and not _tells_enough(told, attack.leak.text):
        told = ""
    exempt = [attack.question, house.labels.title, traitor.told.draft]
    outbound = unread.in_bytes(*(sent.encode() for sent in traitor.sent), exempt=exempt)
    return Attacked(attack=attack, posted=told, blocks=blocks, outbound=tuple(outbound))


def _tells_enough(told: str, leak: str) -> bool:
    wanted = content_stems(leak)
    return len(wanted & content_stems(told)) >= _ENOUGH_OF_A_DRIP * len(wanted)


async def served(house: House, asked: Asked) -> Served:
    """Ask one answerable question of an honest model."""
    honest = Honest(asked)
    outcome = await house.ask(honest, asked.question, position=asked.at_page)
    return Served(
        asked=asked,
        found=honest.saw_answer(),
        prose=outcome.text == honest.draft,
        shortened=not outcome.quotes_only and not asked.answer_pages.isdisjoint(cited_pages(outcome.text)),
        quoted=outcome.quotes_only and any(source.start_page in asked.answer_pages for source in outcome.sources),
        blocks=Counter(outcome.blocks),
    )


def leaked(results: Iterable[Attacked]) -> list[Attacked]:
    """Return the attacks that came through."""
    return [result for result in results if result.posted]


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """How honest questions fared whose page was among the passages found; shares of them."""

    found: int
    answered: float
    kept_prose: float


def service(results: Sequence[Served]) -> Service:
    """Sum up what honest questions got."""
    found = [result for result in results if result.found]
    count = max(len(found), 1)
    return Service(
        found=len(found),
        answered=sum(result.prose or result.shortened or result.quoted for result in found) / count,
        kept_prose=sum(result.prose for result in found) / count,
    )
