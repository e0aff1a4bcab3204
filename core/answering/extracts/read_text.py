"""What has been read of a book, as the finders look at it: pages, chapters, sentences; nothing else ever comes here."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from core.catalogue.sentences import say
from core.domain.book import Chapter, Page
from core.domain.folding import CAPITAL, SMALL, folded
from core.domain.numbers import printed_chapter_number, printed_division_number, word_for_chapter
from core.language.sentences import FlatSentences, flat_sentences, word_count
from core.language.words import content_stems
from core.language.words import words as running_words

_LONGEST_HEADING: Final = 15
_LONGEST_TITLE: Final = 40
_LONGEST_NAME: Final = 40
_LONGEST_SHOWN: Final = 80
_WORDS_OF_NUMBER: Final = 3
_NUMBER_ENDS: Final = re.compile(r"[.:)](?= )|[–—]| - ")
_PARAGRAPHS_OF_PAGE: Final = 10_000
_PAGES_KEPT: Final = 1_000
"""So many pages are kept divided into sentences: about 20 MB."""
_ENDS_SENTENCE = re.compile(r"[.!?…][”’\"')\]*_]*$")
_ENDS_IN_PROSE = re.compile(r"[.!?…,;:—–-][”’\"')\]*_]*$")
_TITLED = re.compile(
    rf"(?:[{CAPITAL}][\w’'-]*|Mrs?\.|&)"
    rf"(?:,? (?:[{CAPITAL}][\w’'-]*|Mrs?\.|&|a|an|and|at|by|for|from|in|of|on|or|the|to|with)){{2,}}\."
)
"""A title or a picture's caption that ends in a point: small words and capitals, and nothing that is done."""
_SHORTENED = re.compile(
    rf"(?:\b(?:[{CAPITAL}]|Mrs?|Messrs|Ms|Mme|Mlle|Dr|St|Sr|Jr|Rev|Hon|Capt|Col|Gen|Lieut|Lt|Sgt|Prof|No|vs))\.$"
)
_OPENING: Final = re.compile(r"(?<=\s)[“‘«„(\"]\s*$")
_NEAR: Final = 4
_BEGINS_SMALL = re.compile(rf"^[\"“‘'(\[]*[{SMALL}]")


@dataclass(frozen=True, kw_only=True)
class ReadSentence:
    """A sentence as it stands, white space folded: the pages it goes over, and what tells its paragraph from others.

    `on_pages` is its text on each of its pages; `running` says how many words it has as the indexes count them.
    `is_heading`: a paragraph of its own that is not written as prose: a title, a date, a signature. `is_whole`: it ends
    as a sentence does; the last one of the text that was read may not.
    """

    text: str
    page: int
    last_page: int
    paragraph: int
    is_heading: bool
    is_whole: bool
    words: int
    running: int
    on_pages: tuple[str, ...]

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of its words of matter, page by page; of most sentences nobody asks for them."""
        return tuple(stem for text in self.on_pages for stem in content_stems(text))


@dataclass(frozen=True, eq=False)
class ReadText:
    """The pages of the story up to the position, and the chapters that have been begun.

    Of a chapter that is being read, `last_page` is where it ends in the book: how long it is, is no secret.
    """

    pages: Sequence[Page]
    chapters: Sequence[Chapter] = ()
    letters: Sequence[bytes] = field(default=(), repr=False)

    @cached_property
    def by_number(self) -> dict[int, Page]:
        """The pages by their numbers."""
        return {page.number: page for page in self.pages}

    @cached_property
    def folded(self) -> Sequence[bytes]:
        """The texts of the pages as `folded_bytes` gives them; `letters`, where those are known already."""
        return self.letters or [folded_bytes(page.text) for page in self.pages]

    def pages_with(self, stem: str) -> int:
        """Return on how many pages a word of this stem stands, near enough: where its letters do.

        A stem has `i` where its words may end in `y`.
        """
        letters = folded_bytes(stem.removesuffix("i"))
        return sum(letters in text for text in self.folded)

    @property
    def first_page(self) -> int:
        """The first page of the story; 1 where nothing is read."""
        return self.pages[0].number if self.pages else 1

    @property
    def last_page(self) -> int:
        """The last page read; 0 for none."""
        return self.pages[-1].number if self.pages else 0

    def chapter_of(self, page: int) -> Chapter | None:
        """Return the chapter that a page belongs to; a page that two share counts to the later."""
        return next((each for each in reversed(self.chapters) if each.first_page <= page <= each.last_page), None)

    def chapters_meant(self, number: int | None, called: str) -> list[Chapter]:
        """Return the chapters begun that a question means: by their number, a prologue by its title."""
        if number is not None:
            return self.chapters_numbered(number, called=called)
        return [each for each in self.chapters if folded(each.title).startswith(folded(called))]

    def chapters_numbered(self, number: int, *, called: str = "") -> list[Chapter]:
        """Return the chapters begun that a number may mean: as printed in the title, as a part's, in running order.

        Of a book's letters or scenes those that are `called` so, where they are; of others its chapters rather.
        """
        printed = [each for each in self.chapters if printed_chapter_number(each.title) == number]
        wanted = [each for each in printed if word_for_chapter(each.title) == (called or "chapter")]
        if called:
            return wanted
        return (
            wanted
            or printed
            or [each for each in self.chapters if printed_division_number(each.title) == number]
            or [each for each in self.chapters if each.number == number]
        )

    def sentences_on(self, page: int) -> list[ReadSentence]:
        """Return the sentences of a page, with the whole of those that begin before it or end behind it."""
        around = [self.by_number[number] for number in (page - 1, page) if number in self.by_number]
        if all(_ends_whole(each) for each in around):
            return self.sentences(page, page)
        return [each for each in self.sentences(page - 1, page + 1) if each.page <= page <= each.last_page]

    def sentences(self, first_page: int, last_page: int) -> list[ReadSentence]:
        """Return the sentences of some pages in their order; what a page break cuts is put together again."""
        found: list[ReadSentence] = []
        for page in self.pages_between(first_page, last_page):
            _append(found, _sentences_of(page.number, page.text))
        return found

    def pages_between(self, first_page: int, last_page: int) -> Sequence[Page]:
        """Return those of some pages that are read."""
        begin = bisect_left(self.pages, first_page, key=_number)
        return self.pages[begin : bisect_right(self.pages, last_page, lo=begin, key=_number)]


def _number(page: Page) -> int:
    return page.number


def _ends_whole(page: Page) -> bool:
    """Whether a page ends with a sentence."""
    found = _sentences_of(page.number, page.text)
    return not found or found[-1].is_whole


def folded_bytes(text: str) -> bytes:
    """Return a folded text in bytes: half of what it takes as a string where one mark is not Latin."""
    return folded(text).encode("utf-8", "surrogatepass")


def chapter_name(chapter: Chapter) -> str:
    """Return how a chapter is named in a line: by its printed number, a short title without one, its running number."""
    printed = printed_chapter_number(chapter.title)
    title = " ".join(chapter.title.split())
    if printed is None and title and len(title) <= _LONGEST_NAME and printed_division_number(title) is None:
        return title
    word = word_for_chapter(chapter.title)
    number = chapter.number if printed is None else printed
    return say("chapter {number}", number=number) if word == "chapter" else f"{word} {number}"


def chapter_title(chapter: Chapter) -> str:
    """Return a chapter's title without its number and without that of a part before it; empty where it has no other."""
    title = " ".join(chapter.title.split()).rpartition(" / ")[2]
    if printed_chapter_number(title) is None:
        return title
    ends = _NUMBER_ENDS.search(title)
    is_number = ends is not None and len(title[: ends.start()].split()) <= _WORDS_OF_NUMBER
    return title[ends.end() :].strip(" .") if ends and is_number else ""


def full_name(chapter: Chapter) -> str:
    """Return how a chapter is named at the beginning of a line: by its number, with a title that is not long."""
    name, title = chapter_name(chapter), chapter_title(chapter)
    begins = name[:1].upper() + name[1:]
    return begins if title in {"", name} or len(title) > _LONGEST_SHOWN else f"{begins}: {title}"


def _append(found: list[ReadSentence], page: Sequence[ReadSentence]) -> None:
    """Add a page's sentences; the first may be the rest of the last one found, and its paragraph goes on."""
    if not (found and page and not found[-1].is_whole and _goes_on(found[-1], page[0])):
        found += page
        return
    last, first = found.pop(), page[0]
    found.append(
        replace(
            last,
            text=f"{last.text} {first.text}",
            last_page=first.last_page,
            is_heading=False,
            is_whole=first.is_whole,
            words=last.words + first.words,
            running=last.running + first.running,
            on_pages=last.on_pages + first.on_pages,
        )
    )
    found += (
        replace(each, paragraph=last.paragraph) if each.paragraph == first.paragraph else each for each in page[1:]
    )


@lru_cache(maxsize=_PAGES_KEPT)
def _sentences_of(number: int, page: str) -> tuple[ReadSentence, ...]:
    """Return the sentences of a page; clubs ask about the same pages again and again."""
    return tuple(_read_sentences(number, page))


def _cuts(flat: FlatSentences) -> list[int]:
    """Return where sentences begin and end; the mark that opens one stands with it, not behind the one before."""
    move_effects = [
        None if at in flat.paragraph_ends else _OPENING.search(flat.text, max(0, at - _NEAR), at) for at in flat.cuts
    ]
    return [opening.start() if opening else at for at, opening in zip(flat.cuts, move_effects, strict=True)]


def _read_sentences(number: int, page: str) -> Iterator[ReadSentence]:
    flat = flat_sentences(page)
    paragraph, begun = number * _PARAGRAPHS_OF_PAGE, 0
    cuts = _cuts(flat)
    bounds = list(pairwise(cuts))
    for at, (start, end) in enumerate(bounds):
        ends_paragraph = end in flat.paragraph_ends
        if not ends_paragraph and _is_cut(flat.text[start:end].strip(), flat.text[end : end + 3]):
            continue
        text = flat.text[cuts[begun] : end].strip()
        alone = ends_paragraph and (begun == 0 or cuts[begun] in flat.paragraph_ends)
        words = word_count(text)
        if text:
            yield ReadSentence(
                text=text,
                page=number,
                last_page=number,
                paragraph=paragraph,
                is_heading=alone
                and words <= (_LONGEST_TITLE if begun == 0 else _LONGEST_HEADING)
                and (text.isupper() or not _ENDS_IN_PROSE.search(text) or _TITLED.fullmatch(text) is not None),
                is_whole=_ENDS_SENTENCE.search(text) is not None,
                words=words,
                running=len(running_words(text)),
                on_pages=(text,),
            )
        begun = at + 1
        paragraph += ends_paragraph


def ends_short(text: str) -> bool:
    """Whether a text ends in a point that shortens a word (`Mr.`), and so ends no sentence."""
    return _SHORTENED.search(text) is not None


def _is_cut(text: str, following: str) -> bool:
    """Whether a sentence was ended where it goes on: behind `Mr.`, or before a small letter (“Stop!” he said)."""
    return ends_short(text) or _BEGINS_SMALL.match(following.lstrip()) is not None


def _goes_on(last: ReadSentence, first: ReadSentence) -> bool:
    """Whether a page's first sentence is the rest of the one before the break: no heading, or beginning small."""
    return _BEGINS_SMALL.match(first.text) is not None or not (last.is_heading or first.is_heading)
