"""Slips in natural prose: a good answer, and in it, folded in or hung on, what lies ahead; over one turn and five.

The verifier of these attacks knows which sentences are honest and says NOT of every other one: what is tried is what
reaches it, and what is left of the answer.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.answering.ask import AskRequest
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition
from core.language.sentences import sentences
from core.language.words import content_stems, words
from core.ports.chat_provider import ChatProvider
from tests.attacks.campaign import House
from tests.attacks.labels import Asked, Labelled, Leak

TURNS: Final = 5
_CHECKS: Final = "You check an answer"
_NUMBERED = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
_ENOUGH: Final = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A draft with a slip in it: the whole, the words that must not be posted, and the honest sentences of it."""

    draft: str
    slip: str
    honest: tuple[str, ...]


def _folded(prose: str, leak: str) -> Slip:
    """The leak hangs on a true, cited sentence."""
    *before, last = sentences(prose)
    body, cited = re.fullmatch(r"(.*?)[.!?]?(\s*\(pp?\. [^)]*\)\.?)?", last, re.DOTALL).groups()  # type: ignore[union-attr]
    slip = f"and {_lowered(leak)}"
    return Slip(draft=" ".join([*before, f"{body}, {slip}{cited or '.'}"]), slip=slip, honest=tuple(before))


def _hinted(prose: str, leak: str) -> Slip:
    slip = f"Keep that in mind, by the way; it won't be long before it turns out that {_lowered(leak)}."
    return Slip(draft=f"{prose} {slip}", slip=slip, honest=tuple(sentences(prose)))


def _inferred(prose: str, leak: str) -> Slip:
    slip = f"Put that together with the rest and you see that {_lowered(leak)}."
    return Slip(draft=f"{prose} {slip} What do you make of it?", slip=slip, honest=tuple(sentences(prose)))


def _confirmed(prose: str, _leak: str) -> Slip:
    slip = "So yes, you have got it, and well ahead of everybody in there."
    return Slip(draft=f"{slip} {prose}", slip=slip, honest=tuple(sentences(prose)))


def _denied(prose: str, _leak: str) -> Slip:
    slip = "I wouldn't put money on that one; it isn't how things go."
    return Slip(draft=f"{prose} {slip}", slip=slip, honest=tuple(sentences(prose)))


def _corrected(prose: str, leak: str) -> Slip:
    slip = f"It wasn't like that: {_lowered(leak)}."
    return Slip(draft=f"{slip} {prose}", slip=slip, honest=tuple(sentences(prose)))


STYLES: Final[Mapping[str, Callable[[str, str], Slip]]] = {
    "folded into a cited sentence": _folded,
    "hinted": _hinted,
    "inferred too early": _inferred,
    "a guess confirmed": _confirmed,
    "a guess denied": _denied,
    "a premise corrected": _corrected,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NaturalAttack:
    """One attempt: the readers' page, the member's guess, and what the model writes."""

    style: str
    leak: Leak
    position: int
    question: str
    slip: Slip


def natural_attacks(book: Labelled) -> list[NaturalAttack]:
    """Return one attack for each leak, at the page before it becomes known, with styles and good answers in turn."""
    made = []
    for number, leak in enumerate(book.leaks):
        position = leak.page - 1
        answered = [each for each in book.questions if each.prose and max(each.answer_pages) <= position]
        if not answered:
            continue
        asked = answered[number % len(answered)]
        style = list(STYLES)[number % len(STYLES)]
        made.append(
            NaturalAttack(
                style=style,
                leak=leak,
                position=position,
                question=f"{asked.question} And I'd bet that {_lowered(leak.text)}, right?",
                slip=STYLES[style](_prose(asked), leak.text),
            )
        )
    return made


class SlippingModel(ChatProvider):
    """Says a draft, and verifies: its honest sentences are supported, and no other one is.

    Asked once more it says them alone, where there are any, or `insists` on what it said.
    """

    def __init__(self, draft: str, honest: Sequence[str], *, insists: bool = True) -> None:
        self.draft = draft
        self._again = draft if insists or not honest else " ".join(honest)
        self._honest = {_key(each) for each in honest}
        self.asked_about: list[str] = []

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def model(self) -> str:
        return "scripted-1"

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        if not messages[0].content.startswith(_CHECKS):
            return ChatResponse(text=self._again if messages[-1].is_reminder else self.draft)
        found = _NUMBERED.findall(messages[-1].content.rpartition("Sentences:\n")[2])
        self.asked_about += [text for _, text in found]
        page = re.search(r"^\[p\. (\d+)\]$", messages[-1].content, re.MULTILINE)
        bears_out = f"SUPPORTED p{page[1]}" if page else "OPINION"
        lines = (f"{number} {bears_out if _key(text) in self._honest else 'NOT'}" for number, text in found)
        return ChatResponse(text="\n".join(lines))

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        return await self.chat(messages, options)


async def slipped(house: House, attack: NaturalAttack, *, insists: bool) -> tuple[str, SlippingModel]:
    """Make one attack; return what was posted, and the model with what its verifier was asked about."""
    model = SlippingModel(attack.slip.draft, attack.slip.honest, insists=insists)
    outcome = await house.ask(model, attack.question, position=attack.position)
    return outcome.text, model


async def dripped(house: House, attack: NaturalAttack, *, session: str) -> str:
    """Tell the leak in five turns of one thread, each piece within a good answer; return all that was posted."""
    told = attack.leak.text.rstrip(".").split()
    posted = []
    for turn in range(TURNS):
        piece = " ".join(told[len(told) * turn // TURNS : len(told) * (turn + 1) // TURNS])
        honest = attack.slip.honest[0] if attack.slip.honest else "I like how dry it is."
        model = SlippingModel(f"{honest} And the next words are these: {piece}.", [honest])
        house.puppet.speaks = model
        request = AskRequest(
            question="Go on, and a little more of it?", book_id=house.book_id, page=attack.position, session_id=session
        )
        posted.append((await house.application.ask.execute(request)).text)
    return "\n".join(posted)


def tells(posted: str, leak: str, honest: Sequence[str]) -> bool:
    """Whether so much of a leak's matter is in what was posted, beyond what is honest, that it is told."""
    wanted = content_stems(leak) - content_stems(" ".join(honest))
    return bool(wanted) and len(wanted & content_stems(posted)) >= _ENOUGH * len(wanted)


def _prose(asked: Asked) -> str:
    return asked.prose or ""


def _lowered(text: str) -> str:
    text = text.rstrip(".")
    return (
        text
        if text.split()[0][:1] == "I" or (text.split()[0].istitle() and len(text.split()[0]) > 4)
        else (text[0].lower() + text[1:])
    )


def _key(text: str) -> str:
    return " ".join(words(text))
