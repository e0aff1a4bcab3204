"""How far is read, as members say it in a sentence: put as `/setpage` takes it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.domain.copy_numbers import Unit
from core.domain.errors import PositionError
from core.domain.numbers import read_number
from core.domain.position_requests import PlaceInCopyRequest
from core.domain.understanding import Intent, Slots
from core.language.words import words
from core.understanding.position_forms import parse_position
from core.understanding.slots import numbers_in

_DONE: Final = frozenset(
    words(
        "done finished finish completed end ended through past after fertig durch beendet ende fini finie terminé "
        "terminée fin terminado terminada acabado acabada terminé acabé"
    )
)
_WHOLE: Final = frozenset(
    words("book novel story it all everything whole buch roman livre libro novela todo tout alles")
)
_PLAIN: Final = _DONE.union(
    _WHOLE,
    words(
        "i i'm im i've ive we we're we've weve are am is my our us me has have had been just now currently only still "
        "already actually so far ok okay hi hey yes yep oh oops sorry please pls thanks set go going back move to on "
        "at in up the got reached read reading page pages pg p chapter chap ch percent about around halfway half way "
        "ich bin wir sind auf bei im in zu zum zur bis gerade jetzt schon bereits mit dem das habe haben gelesen "
        "seite kapitel hälfte zurück bitte erst prozent "
        "je suis j'en j'ai nous sommes avons on est en a à au la le page chapitre lu maintenant déjà moitié de "
        "voy vamos estoy estamos por el los página capítulo ya he hemos llegado leído hasta ahora mitad del"
    ),
)
"""Words of which a sentence that says how far is read, and nothing else, is made."""
_ASKING: Final = frozenset(words("are is am do did have has sind seid ist haben habt sommes avons est"))
_WE: Final = frozenset(words("we we're we've our us all everybody everyone wir uns nous on estamos hemos vamos club"))
_STANDS_AT: Final = frozenset(words("at on to reached page my bei auf bis à en a la le por el"))
_SOMEBODY: Final = frozenset(words("i i'm im we we're ich je wir nous"))
_LATER: Final = frozenset(words("tonight today tomorrow later next heute morgen demain hoy mañana"))
_NOT: Final = frozenset(
    words("not isn't aren't haven't hasn't didn't don't never nicht kein keine noch pas jamais no nunca nie")
)
_UNDO: Final = frozenset(words("undo revert rückgängig annule annuler deshacer deshaz deshacerlo"))
_THAT: Final = frozenset(words("that this last one move change can you das es machen mach ça cela eso lo"))
_RANGE: Final = re.compile(r"\d\s?[-–]\s?\d")
_I_DID: Final = re.compile(r"^i\s+(?=(?:have\s+|just\s+|already\s+)*(?:finished|done|read)\b)", re.IGNORECASE)
_STOP: Final = re.compile(r"(?<!\bp)(?<!\bpp)(?<!\bch)[.!;…]+\s|[?]|\s[-–—]\s|,\s")
_EDGES: Final = " \t\n.,!…~"


@dataclass(frozen=True, slots=True)
class SaidPosition:
    """A position as `/setpage` takes it. One that is not `plain` stands in a sentence that may mean something else."""

    text: str
    is_plain: bool


def position_said(text: str) -> SaidPosition | None:
    """Return the position that a message says; None where it names none."""
    text = _I_DID.sub("", text.replace("’", "'").strip(_EDGES))
    said, is_plain = _stated(text)
    if is_plain and not _is_doubtful(text):
        return SaidPosition(said, is_plain=True)
    found = said or _named(text)
    has_two = len(re.findall(r"\d+", text)) > 1
    return None if not found or has_two or _NOT.intersection(words(text)) else SaidPosition(found, is_plain=False)


def _stated(text: str) -> tuple[str, bool]:
    """Return the position that a text or one of its clauses states, and whether it says nothing else."""
    if said := _plainly(text):
        return said, True
    clauses = [each.strip(_EDGES) for each in _clauses(text)]
    said = next(filter(None, map(_plainly, clauses)), "")
    return said, bool(said) and all(_says_nothing(each) for each in clauses if _plainly(each) != said)


def says_undo(text: str) -> bool:
    """Whether a message says to undo a move, and nothing else."""
    said = words(text)
    return not _UNDO.isdisjoint(said) and all(each in _UNDO or each in _PLAIN or each in _THAT for each in said)


def says_we(text: str) -> bool:
    """Whether a message speaks of all."""
    return not _WE.isdisjoint(words(text))


def is_position(text: str) -> bool:
    """Whether a text says how far is read in a form of `/setpage`, and nothing else."""
    try:
        parse_position(text)
    except PositionError:
        return False
    return True


def is_of_copy(text: str) -> bool:
    """Whether a text says what a device shows of a copy, and nothing else: `loc 1234`, `2 hours left`."""
    try:
        request = parse_position(text.strip(_EDGES))
    except PositionError:
        return False
    if not isinstance(request, PlaceInCopyRequest):
        return False
    return request.unit is Unit.LOCATIONS or request.is_left or request.of is not None


def _clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a text that are no question."""
    begin = 0
    for stop in _STOP.finditer(text):
        if stop[0] != "?":
            yield text[begin : stop.start()]
        begin = stop.end()
    yield text[begin:]


def _is_doubtful(text: str) -> bool:
    """Whether a text in the form of a position may be a question, a plan, a range, an age or a time."""
    said = words(text)
    in_statements = words(" ".join(_clauses(text)))
    is_asking = bool(in_statements) and in_statements[0] in _ASKING
    is_bare = not _SOMEBODY.isdisjoint(said) and any(each.isdigit() for each in said)
    return (
        is_asking
        or {"it", "is"} <= set(said)
        or not _LATER.isdisjoint(said)
        or _RANGE.search(text) is not None
        or (is_bare and _STANDS_AT.isdisjoint(said) and numbers_in(Slots(), text, Intent.SMALL_TALK) == Slots())
    )


def _says_nothing(clause: str) -> bool:
    return all(each in _PLAIN and not _is_number(each) for each in words(clause))


def _plainly(clause: str) -> str:
    """Return the position that a clause says and nothing else; empty for another clause."""
    if is_position(clause):
        return clause
    if not clause or "?" in clause or not all(each in _PLAIN or _is_number(each) for each in words(clause)):
        return ""
    rest = clause.split()
    shorter = (" ".join(rest[at:]) for at in range(1, len(rest)))
    return _named(clause) or next(filter(is_position, shorter), "")


def _is_number(word: str) -> bool:
    return any(letter.isdigit() for letter in word) or read_number(word) is not None


def _named(text: str) -> str:
    """Return the page, chapter or share that a text names, or the end; empty for none."""
    found, said = numbers_in(Slots(), text, Intent.SET_PAGE), set(words(text))
    is_done = bool(said & _DONE)
    if found.page is not None:
        return f"p. {found.page}"
    if found.chapter is not None:
        return f"ch {found.chapter} done" if is_done else f"ch {found.chapter}"
    if found.unit == "percent":
        return f"{found.amount:g}%"
    is_whole = is_done and (said & _WHOLE or said <= _PLAIN) and not any(letter.isdigit() for letter in text)
    return "end" if is_whole else ""
