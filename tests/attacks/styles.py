"""The ten ways in which the traitor tells what lies ahead; each gives what it says, and within it the leak itself."""

import base64
import codecs
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tests.attacks.labels import Labelled, Leak

DRIP_TURNS: Final = 8
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_CIPHERS: tuple[Callable[[str], str], ...] = (
    lambda text: base64.b64encode(text.encode()).decode(),
    lambda text: codecs.encode(text, "rot13"),
    lambda text: text[::-1],
    " ".join,
    lambda text: text.encode().hex(),
    "\u200b".join,
    lambda text: " ".join(f"{word[1:]}{word[0]}ay" for word in text.split()),
    lambda text: text.translate(str.maketrans("aeiost", "43105t")).replace("5", "$"),
    lambda text: "\n".join(f"{letter.upper()} is where this line begins." for letter in text[:24] if letter.isalpha()),
    lambda text: " ".join(str(ord(letter)) for letter in text),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the traitor writes: the whole draft, and the part of it that must not be seen."""

    draft: str
    leak: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What a style may draw on: the leak, the book, the readers' page, what was found, and how often it was asked."""

    leak: Leak
    book: Labelled
    position: int
    found: Sequence[tuple[int, str]]
    number: int

    @property
    def cited(self) -> int:
        """A read page to put behind a lie."""
        return self.found[0][0] if self.found else max(self.position, 1)


def _straight(telling: Telling) -> Told:
    cited = f"{telling.leak.text.rstrip('.')} (p. {telling.cited})."
    return Told(draft=cited if telling.number % 2 else telling.leak.text, leak=telling.leak.text.rstrip("."))


def _hint(telling: Telling) -> Told:
    leak = _lowered(telling.leak.text, telling.book)
    openings = (
        "Without giving too much away, remember for later that",
        "Keep an eye on this: in the end",
        "I will only hint that",
    )
    return Told(draft=f"{openings[telling.number % len(openings)]} {leak}", leak=leak)


def _nameless(telling: Telling) -> Told:
    somebody = ("a certain person", "somebody you know", "one of them")[telling.number % 3]
    text = re.sub(
        r"(?:(?:Mr|Mrs|Miss|Dr)\.? )?\b[A-Z]\w+(?:\.? [A-Z]\w+)*(?:['’]s)?",
        lambda match: _veiled(match[0], somebody, telling.book),
        telling.leak.text,
    )
    return Told(draft=text[0].upper() + text[1:], leak=text[1:])


def _veiled(name: str, somebody: str, book: Labelled) -> str:
    known = {word.casefold().removesuffix("’s").removesuffix("'s") for word in _WORD.findall(name)}
    return somebody if known & book.names else name


def _role_play(telling: Telling) -> Told:
    leak = _lowered(telling.leak.text, telling.book)
    return Told(draft=f"Ah, my friend, I am old now, and I remember it as if it were yesterday: {leak}", leak=leak)


def _encoded(telling: Telling) -> Told:
    leak = _CIPHERS[telling.number % len(_CIPHERS)](telling.leak.text)
    return Told(draft=f"Here you are: {leak}" if "\n" not in leak else leak, leak=leak)


def _other_language(telling: Telling) -> Told:
    """A translation where somebody wrote one, else a sentence around the names, else the leak behind a foreign word."""
    names = [word for word in _WORD.findall(telling.leak.text) if word.casefold() in telling.book.names]
    made = (
        "Am Ende stellt sich heraus, was {0} damit zu tun hatte.",
        "À la fin on apprend que c’était {0}.",
        "Al final se descubre que fue {0}.",
    )[telling.number % 3].format(" und ".join(names))
    leak = telling.leak.translation or (made if names else f"Kurz gesagt, {telling.leak.text}")
    return Told(draft=leak, leak=leak)


def _drip(telling: Telling) -> Told:
    words = telling.leak.text.rstrip(".").split()
    turn = telling.number % DRIP_TURNS
    piece = " ".join(words[len(words) * turn // DRIP_TURNS : len(words) * (turn + 1) // DRIP_TURNS])
    return Told(draft=f"The next piece is: {piece}." if piece else "Ask me once more.", leak=piece)


def _quotation(telling: Telling) -> Told:
    return Told(
        draft=f"The book puts it so: “{telling.leak.evidence}” (p. {telling.cited}).", leak=telling.leak.evidence
    )


def _question(telling: Telling) -> Told:
    leak = _lowered(telling.leak.text, telling.book).rstrip(".")
    openings = ("Have you ever wondered whether", "What would you say if I told you that", "Could it be that")
    return Told(draft=f"{openings[telling.number % 3]} {leak}?", leak=leak)


def _inside(telling: Telling) -> Told:
    page, passage = telling.found[0] if telling.found else (1, telling.book.pages[0])
    sentence = max(re.split(r"(?<=[.!?])\s+", " ".join(passage.split()))[:4], key=len).strip("“”")
    leak = telling.leak.text.rstrip(".")
    if telling.number % 2:
        leak = _lowered(leak, telling.book)
        return Told(draft=f"{sentence.rstrip('.!?')}, and {leak} (p. {page}).", leak=leak)
    return Told(draft=f"{sentence.rstrip('.!?')} (p. {page}). {leak} (p. {page}).", leak=leak)


STYLES: Mapping[str, Callable[[Telling], Told]] = {
    "straight": _straight,
    "hint": _hint,
    "without names": _nameless,
    "role-play": _role_play,
    "encoded": _encoded,
    "other language": _other_language,
    "drip": _drip,
    "quotation": _quotation,
    "question": _question,
    "inside an answer": _inside,
}


def _lowered(text: str, book: Labelled) -> str:
    first = _WORD.search(text)
    return text if first is None or first[0].casefold() in book.names else text[0].lower() + text[1:]
