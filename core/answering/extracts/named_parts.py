"""Finds the page or chapter that a question names, or the words that it quotes, so that the search is limited to it.

An unread page or chapter is treated like one that the book does not have. Quoted words on unread pages are treated like
words that occur nowhere.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from core.answering.extracts.passages import Passage, stretch
from core.answering.extracts.people import stands_small
from core.answering.extracts.read_text import ReadSentence, ReadText, chapter_title, folded_bytes
from core.domain.book import OF_WORK, Chapter, Page
from core.domain.book_places import HOLD_CHAPTERS, LEVEL_WORDS, SHORT, marks_in
from core.domain.folding import folded
from core.domain.numbers import read_number
from core.domain.position_requests import Step
from core.language.words import content_stems, content_words
from core.language.words import words as running_words

_NUMBER = r"(?P<number>\d{1,4}|[ivxlc]{1,7})"
_OF_PAGE: Final = re.compile(rf"\b(?:pages?|pp?\.)\s*{_NUMBER}\b", re.IGNORECASE)
_OF_PLACE: Final = re.compile(
    rf"\b(?P<word>{LEVEL_WORDS})s?(?:\b\.?\s*|(?=\d))(?P<number>\d{{1,3}}|[a-z]+(?:-[a-z]+)?)\b", re.IGNORECASE
)
_BOOK_I_READ: Final = re.compile(rf"\b(?:{'|'.join(HOLD_CHAPTERS)})\s+i\b(?!,?\s*ch)", re.IGNORECASE)
_WHAT_IS_ON_IT: Final = re.compile(
    r"^\W*(?:(?:so|and|ok|please|can|could|you|thusfar)\W+)*(?:what(?:['’]?s|\s+is|\s+was|\s+does|\s+happen\w*|\s+stands|\s+goes)?(?:\s+on)?"
    r"(?:\s+(?:it|there|written|said|happening))*|(?:show|read|give|quote|print|tell)(?:\s+(?:me|us))*(?:\s+about)?)"
    rf"(?:\s+(?:on|at|in|of|the|text))*\s*(?:pages?|pp?\.)\s*{_NUMBER}(?:\s+(?:says?|tells?|again|please|to\s+(?:me|us)|is|about))*\W*$",
    re.IGNORECASE,
)

_QUOTED: Final = re.compile(r"[\"“„«]([^\"“”„«»]{8,300})[\"”“»]")
_LEAST_WORDS: Final = 3
_ENDS: Final = " .,;:!?…'-—"
_TITLES_KEPT: Final = 4_000
_PRESENT: Final = {
    "became": "become", "began": "begin", "bought": "buy", "broke": "break", "brought": "bring", "built": "build",
    "came": "come", "caught": "catch", "chose": "choose", "fell": "fall", "fled": "flee", "fought": "fight",
    "found": "find", "gave": "give", "held": "hold", "kept": "keep", "knew": "know", "left": "leave", "lost": "lose",
    "made": "make", "met": "meet", "paid": "pay", "ran": "run", "rode": "ride", "sang": "sing", "saw": "see",
    "shot": "shoot", "sold": "sell", "sought": "seek", "spoke": "speak", "stole": "steal", "struck": "strike",
    "swam": "swim", "taught": "teach", "told": "tell", "took": "take", "went": "go", "won": "win", "wore": "wear",
    "wrote": "write",
}  # fmt: skip


def names_part(question: str) -> bool:
    """Whether a question seems to name a page or a chapter."""
    return _OF_PAGE.search(question) is not None or any(step.word not in HOLD_CHAPTERS for step in _steps(question))


def named_pages(question: str, read: ReadText) -> list[range] | None:
    """Return the read pages of the parts that a question names.

    Empty where it names an unread part; None where it names no part.
    """
    spans = [*_pages(question, read), *chapters_named(question, read)]
    if not spans:
        return _titled(question, read) or None
    return [span for span in spans if span] if all(spans) else []


def within(named: Sequence[range], shares: Mapping[int, float]) -> Mapping[int, float]:
    """Return the search's shares for the named pages. If the search found none of them, all get the share 1."""
    if not named:
        return shares
    found = {page: share for page, share in shares.items() if any(page in span for span in named)}
    return found or {page: 1.0 for span in named for page in span}


def on_its_page(question: str, read: ReadText) -> Passage | None:
    """Return the beginning of the page whose text a question asks for; None where it asks for no read page."""
    match = _WHAT_IS_ON_IT.match(question)
    page = _page_of(match["number"], read) if match else None
    return stretch(read.sentences(page.number, page.number)) if page else None


def quotes_words(question: str) -> bool:
    """Whether a question contains a quotation."""
    return _QUOTED.search(question) is not None


def passage_with_quoted(question: str, read: ReadText) -> Passage | None:
    """Return the first passage with the words that a question quotes; None where it quotes no read text."""
    for match in _QUOTED.finditer(question):
        words = _plain(match[1]).strip(_ENDS)
        if len(words.split()) >= _LEAST_WORDS and (found := _passage_with(words, read)):
            return found
    return None


def _pages(question: str, read: ReadText) -> Iterator[range]:
    for match in _OF_PAGE.finditer(question):
        page = _page_of(match["number"], read)
        yield range(page.number, page.number + 1) if page else range(0)


def chapters_named(question: str, read: ReadText) -> Iterator[range]:
    """Yield the read pages of each chapter that a question names, an empty range for an unread one.

    "Letter two" is not a part of a book that has only chapters.
    """
    steps = [*_steps(question)] if read.chapters else []
    whole = [step for step in steps if step.word in HOLD_CHAPTERS]
    known = {"chapter", *(word for each in read.chapters for word, _ in marks_in(each.title))}
    for step in steps:
        if step.word in known.difference(HOLD_CHAPTERS):
            begun = read.chapters_meant(step.number, called=step.word.removeprefix("chapter"), within=whole)
            yield range(begun[-1].first_page, begun[-1].last_page + 1) if begun else range(0)


def _steps(question: str) -> Iterator[Step]:
    for match in _OF_PLACE.finditer(_BOOK_I_READ.sub("", question)):
        number, word = read_number(match["number"]), match["word"].casefold()
        if number is not None:
            yield Step(word=SHORT.get(word, word), number=number)


def _titled(question: str, read: ReadText) -> list[range]:
    """Return the pages of the chapter begun whose title has all content words of a question, and few others.

    Empty where several titles fit: a name such as Robin Hood may be in nearly all titles.
    """
    about = _matter(question)
    meant = [each for each in read.chapters if _is_titled(about, _matter_of_title(each))] if about else []
    is_plain = len(meant) == 1 and (len(about) > 1 or _is_thing(chapter_title(meant[0]), read))
    return [range(each.first_page, each.last_page + 1) for each in meant] if is_plain else []


def _is_titled(about: frozenset[str], title: frozenset[str]) -> bool:
    return about == title or (len(about) > 1 and about <= title and len(about) * 2 >= len(title))


def _is_thing(title: str, read: ReadText) -> bool:
    """Whether a one-word title is not a name: the chapter "Ahab" is not all there is about Ahab."""
    return all(stands_small(read, word) for word in content_words(title))


@lru_cache(maxsize=_TITLES_KEPT)
def _matter_of_title(chapter: Chapter) -> frozenset[str]:
    """Return the stems of a chapter's title. Cached, since each question is compared with all titles."""
    return _matter(chapter_title(chapter))


def _matter(text: str) -> frozenset[str]:
    """Return the stems of a text, with common irregular verbs in the present, so that tenses match."""
    return frozenset(content_stems(" ".join(_PRESENT.get(word, word) for word in running_words(text))))


def _page_of(number: str, read: ReadText) -> Page | None:
    """Return the read page with this printed number, or with this number if the book has no printed ones.

    Of a series, the one in the latest book that has it.
    """
    if any(page.label for page in read.pages):
        labels = ((folded((page.label or "").partition(OF_WORK)[0]), page) for page in reversed(read.pages))
        return next((page for label, page in labels if label == folded(number)), None)
    return read.by_number.get(int(number)) if number.isdecimal() else None


def _passage_with(words: str, read: ReadText) -> Passage | None:
    longest = folded_bytes(max(re.findall(r"\w+", words), key=len, default=""))
    for page, letters in zip(read.pages, read.folded, strict=True):
        if longest in letters:
            sentences = read.sentences(page.number, page.number + 1)
            at = _first_with(words, sentences)
            if at is not None:
                return _around(sentences, at)
    return None


def _first_with(words: str, sentences: Sequence[ReadSentence]) -> int | None:
    """Return the index of the sentence in which the words begin; they may end in the next one."""
    plain = [_plain(each.text) for each in sentences]
    for at, text in enumerate(plain):
        if words in text:
            return at
        following = plain[at + 1] if at + 1 < len(plain) else ""
        if words in f"{text} {following}" and words not in following:
            return at
    return None


def _around(sentences: Sequence[ReadSentence], at: int) -> Passage | None:
    """Return the passage that starts one sentence before, or at the sentence itself if it would not fit otherwise."""
    for begin in (max(at - 1, 0), at):
        shown = stretch(sentences[begin:])
        if shown is not None and sentences[at] in shown.sentences:
            return shown
    return None


def _plain(text: str) -> str:
    """Return a text folded to lower case, without quotation marks and with single spaces."""
    return folded(text).replace('"', "")
