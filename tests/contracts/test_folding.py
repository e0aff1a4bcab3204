"""Whatever looks for a word finds the same with and without its accents, as typed and as printed."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.persistence.polls import SqlPollRepository
from core.answering.extracts.answers import first_meeting, who
from core.answering.extracts.cast import people
from core.answering.extracts.named_parts import passage_with_quoted
from core.answering.extracts.people import (
    find_joined,
    find_known,
    find_mentions,
    find_name,
    find_somebody,
    near_names,
    stands_small,
)
from core.answering.extracts.read_text import ReadText
from core.answering.extracts.unread_words import is_unread_name, is_unread_word
from core.domain.alias import Alias, visible
from core.domain.book import Chapter, Page
from core.domain.book_names import named
from core.domain.folding import folded
from core.domain.poll import Proposal
from core.guard.book_index import index_book
from core.guard.courtesies import without_address
from core.guard.judge import Exempt, Judge
from core.guard.score import fitted_score
from core.language.phrases import FoldedText, find_phrase
from core.language.words import content_stems
from tests.bot.running import thusfar
from tests.memory import memory_database

_STORY = (
    (
        "In the street they called her Éponine, and Éponine laughed. The café of the Fräulein was in the Große Gasse. "
        "He said that Éponine Thénardier had sung in the café, and that “the œuvre isn’t done”."
    ),
    "Then Søren Ærø came to the café with a lamp. “So be it,” said Søren, and Éponine said nothing more to him.",
    "At the barricade Zoë Đorđević took the bullet that was meant for Søren, and so the naïve façade fell at last.",
)
_PAGES = [Page(number=number, text=text) for number, text in enumerate(_STORY, start=1)]
_READ = ReadText(_PAGES[:2], [Chapter(number=1, title="Prélude", first_page=1, last_page=3)])
_JUDGE = Judge(index=index_book(_PAGES), last_page=2, fitted=fitted_score())
_EITHER_WAY = (
    ("Éponine", "Eponine"),
    ("Éponine", "E\u0301ponine"),
    ("Éponine", "É\u00adpo\u200bnine"),
)


class _Book:
    book_id = "b_1"
    title = "Les Misérables: l’œuvre"


def _verdict(text: str, exempt: Exempt | None = None) -> object:
    judged = _JUDGE.verdicts(text, exempt or Exempt.of("", None, None)).sentences
    return [(each.leaks, each.score, [(reason.kind, reason.page) for reason in each.reasons]) for each in judged]


def _places(name: str) -> object:
    found = find_mentions(_READ, name)
    return found and (found.name, found.on_pages)


def _withdrawn(name: str) -> object:
    async def left() -> list[Proposal]:
        polls = SqlPollRepository(memory_database())
        for member, title in (("1", f"The Tale of {name}"), ("2", "The Tale of Søren"), ("3", "Another")):
            await polls.propose(scope="s", place="p", member_id=member, proposal=Proposal(title=title, author=""))
        await polls.withdraw(scope="s", place="p", proposal=Proposal(title="The Tale of Søren", author=""))
        return await polls.proposals(scope="s", place="p")

    return len(asyncio.run(left()))


_USERS: dict[str, Callable[[str], object]] = {
    "words": content_stems,
    "mentions": _places,
    "a name": lambda name: (found := find_name(_READ, name)) and found.on_pages,
    "somebody known": lambda name: (found := find_known(_READ, name)) and found.name,
    "somebody": lambda name: (found := find_somebody(_READ, name)) and found.name,
    "a titled name": lambda name: (found := find_somebody(_READ, f"Miss {name}")) and found.name,
    "who": lambda name: who(_READ, name),
    "first meeting": lambda name: first_meeting(_READ, name),
    "near names": lambda name: near_names(_READ, f"{name}x", most=3),
    "an unread word": lambda name: not is_unread_word(_READ, name),
    "an unread name": lambda name: not is_unread_name(_READ, name),
    "a word in small letters": lambda name: not stands_small(_READ, name) and stands_small(_READ, "cafe"),
    "a phrase": lambda name: find_phrase(FoldedText(_STORY[1]), f"and {name} said nothing more"),
    "a quotation": lambda name: passage_with_quoted(f'Who said "and {name} said nothing more"?', _READ),
    "an address": lambda name: without_address(f"Thanks, {name}!", ["Søren", "Éponine", "Thénardier"]),
    "an alias": lambda name: (
        [each.stands_for for each in visible([Alias(name=name, stands_for="x", page=1)], 1)]
        and Alias(name=name, stands_for="x", page=1).key
    ),
    "poll options": _withdrawn,
    "the guard": lambda name: _verdict(f"Then {name} laughed at the café in the street and went away with him."),
}


@pytest.mark.parametrize("user", _USERS)
@pytest.mark.parametrize(("printed", "typed"), _EITHER_WAY)
def test_each_finds_the_same_with_and_without_accents(user: str, printed: str, typed: str) -> None:
    found = _USERS[user](printed)
    assert found
    assert _USERS[user](typed) == found


@pytest.mark.parametrize(
    ("printed", "typed"),
    [
        ("Zoë takes the bullet meant for him.", "Zoe takes the bullet meant for him."),
        ("Đorđević falls.", "Dordevic falls."),
        ("The façade fell at last for her.", "The facade fell at last for her."),
        (_STORY[2], _STORY[2].replace("ë", "e").replace("đ", "d").replace("Đ", "D").replace("ï", "i")),
        (_STORY[2], _STORY[2].replace(" ", "\u00a0").replace("i", "i\u00ad")),
    ],
)
def test_the_guard_holds_back_the_same_with_and_without_accents(printed: str, typed: str) -> None:
    found = _verdict(printed)
    assert str(found).count("True") == 1
    assert _verdict(typed) == found


@pytest.mark.parametrize("name", ["les miserables", "Les Mise\u0301rables", "MISÉRABLES", "l'oeuvre", "l’œuvre"])
def test_a_book_is_named_with_and_without_accents(name: str) -> None:
    assert named([_Book()], name).book_id == "b_1"


def test_names_keep_their_printed_form() -> None:
    assert people(_READ, 1, 2, most=5) == ["Éponine", "Søren Ærø"]
    assert find_joined(ReadText([Page(number=1, text="A crêpe-maker sang.")]), "crepemaker") is not None
    assert who(_READ, "eponine") == who(_READ, "Éponine")


_BATCHES = (
    ("ask", '{{"id": 1, "question": "Who is {0}?", "page": 2}}'),
    ("ask", '{{"id": 1, "question": "Where did {0} sing?", "page": 2}}'),
    ("search", '{{"id": 1, "query": "{0} laughed", "page": 2}}'),
    ("guard", '{{"id": 1, "text": "It was {0} who pushed the boat away.", "page": 1}}'),
)


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "miserables.txt"
    path.write_text("\f".join(_STORY), encoding="utf-8")
    return str(thusfar("books", "add", str(path), "--title", "Les Misérables", "--json").json["book_id"])


@pytest.mark.parametrize(("command", "typed"), _BATCHES)
def test_the_program_answers_the_same_with_and_without_accents(command: str, typed: str, book: str) -> None:
    told = [thusfar(command, "-", "--book", book, typed=typed.format(name)).json for name in ("Éponine", "Eponine")]
    for each in told:
        each.pop("session_id", None)
    first, second = (folded(json.dumps(each, ensure_ascii=False)) for each in told)
    assert first == second


@pytest.mark.usefixtures("book")
def test_commands_find_the_same_with_and_without_accents() -> None:
    said = (
        "/setpage 2\n/who {0}\n/cast Fraulein = {0}\n/who FRÄULEIN\n"
        "/quote and {0} said nothing more\n/cast fräulein =\n"
    )
    told = [
        folded(thusfar("chat", "--book", title, typed=said.format(name)).out.partition("**")[2])
        for title, name in (("les misérables", "Éponine"), ("LES MISERABLES", "Eponine"))
    ]
    assert told[0].count("eponine** 4 times") == 2
    assert told[0] == told[1]
