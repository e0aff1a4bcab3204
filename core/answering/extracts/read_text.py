"""The read text of a book for the finders: pages, chapters and sentences. It never contains unread text."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from core.catalogue.sentences import say
from core.domain.book import BookOutline, Chapter, Page
from core.domain.book_places import BookPlaces, chapter_mark, division_number
from core.domain.folding import CAPITAL, SMALL, folded
from core.domain.position_requests import Step
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
"""How many pages are cached with their sentences: about 20 MB."""
_ENDS_SENTENCE = re.compile(r"[.!?…][”’\"')\]*_]*$")
_ENDS_IN_PROSE = re.compile(r"[.!?…,;:—–-][”’\"')\]*_]*$")
_TITLED = re.compile(
    rf"(?:[{CAPITAL}][\w’'-]*|Mrs?\.|&)"
    rf"(?:,? (?:[{CAPITAL}][\w’'-]*|Mrs?\.|&|a|an|and|at|by|for|from|in|of|on|or|the|to|with)){{2,}}\."
)
"""A title or a caption that ends in a period: only capitalised and small words, without a verb."""
_SHORTENED = re.compile(
    rf"(?:\b(?:[{CAPITAL}]|Mrs?|Messrs|Ms|Mme|Mlle|Dr|St|Sr|Jr|Rev|Hon|Capt|Col|Gen|Lieut|Lt|Sgt|Prof|No|vs))\.$"
)
_OPENING: Final = re.compile(r"(?<=\s)[“‘«„(\"]\s*$")
_NEAR: Final = 4
_BEGINS_SMALL = re.compile(rf"^[\"“‘'(\[]*[{SMALL}]")


@dataclass(frozen=True, kw_only=True)
class ReadSentence:
    """A sentence of the book.

    Attributes:
        text: its text, with white space folded.
        page: the page on which it begins.
        last_page: the page on which it ends.
        paragraph: a number that identifies its paragraph.
        is_heading: whether it is a paragraph that is not prose: a title, a date, a signature.
        is_whole: whether it ends like a sentence; the last one of the read text may not.
        words: how many words it has.
        running: how many words it has as the word indexes count them.
        on_pages: its text on each of its pages.
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

    @property
    def asks(self) -> bool:
        """Whether it has a question, so that what follows may be the reply."""
        return "?" in self.text

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of its content words, page by page. Computed on demand, since few sentences need them."""
        return tuple(stem for text in self.on_pages for stem in content_stems(text))


@dataclass(frozen=True, eq=False)
class ReadText:
    """The pages of the story up to a position, and the chapters begun.

    The current chapter's `last_page` is its last page in the book: the length of a chapter is not a spoiler. `letters`
    are the pages' texts as `folded_bytes` returns them, where they are known already.
    """

    pages: Sequence[Page]
    chapters: Sequence[Chapter] = ()
    letters: Sequence[bytes] = field(default=(), repr=False)

    @cached_property
    def by_number(self) -> dict[int, Page]:
        """The pages by number."""
        return {page.number: page for page in self.pages}

    @cached_property
    def folded(self) -> Sequence[bytes]:
        """The texts of the pages as `folded_bytes` returns them."""
        return self.letters or [folded_bytes(page.text) for page in self.pages]

    def pages_with(self, stem: str) -> int:
        """Return how many pages contain a word with this stem, approximately: pages that contain its letters.

        A final `i` of a stem is dropped, since its words may end in `y`.
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
        """Return the chapter of a page, the later one where two share it; None without chapters."""
        return next((each for each in reversed(self.chapters) if each.first_page <= page <= each.last_page), None)

    @cached_property
    def _places(self) -> BookPlaces:
        outline = BookOutline(pages=self.last_page, chapters=tuple(self.chapters))
        return BookPlaces(outline, reached=self.last_page)

    def chapters_meant(self, number: int | None, *, called: str = "", within: Sequence[Step] = ()) -> list[Chapter]:
        """Return the chapters begun that a number may mean, or a name that mostly has none, such as `prologue`.

        `called` is the word before the number, such as "letter" or "scene"; `within` are the volume and the part that
        are named. Without either, a number is one that a title prints; a running number only where none prints any.
        """
        wanted = self._named(*within, Step(word=called or "chapter", number=number))
        if wanted or called or within:
            return wanted
        if printed := self._named(Step(number=number)):
            return printed
        is_numbered = any(chapter_mark(each.title) for each in self.chapters)
        return [each for each in self.chapters if each.number == number and not is_numbered]

    def _named(self, *steps: Step) -> list[Chapter]:
        found = {place.number for place in self._places.named(steps)}
        return [each for each in self.chapters if each.number in found]

    def sentences_on(self, page: int) -> list[ReadSentence]:
        """Return the sentences of a page, including the whole of those that cross a page break."""
        around = [self.by_number[number] for number in (page - 1, page) if number in self.by_number]
        if all(_ends_whole(each) for each in around):
            return self.sentences(page, page)
        return [each for each in self.sentences(page - 1, page + 1) if each.page <= page <= each.last_page]

    def sentences(self, first_page: int, last_page: int) -> list[ReadSentence]:
        """Return the sentences of some pages in order, with sentences over page breaks joined."""
        found: list[ReadSentence] = []
        for page in self.pages_between(first_page, last_page):
            _append(found, _sentences_of(page.number, page.text))
        return found

    def pages_between(self, first_page: int, last_page: int) -> Sequence[Page]:
        """Return the read pages of a range."""
        begin = bisect_left(self.pages, first_page, key=_number)
        return self.pages[begin : bisect_right(self.pages, last_page, lo=begin, key=_number)]


def _number(page: Page) -> int:
    return page.number


def _ends_whole(page: Page) -> bool:
    """Whether a page ends with a sentence."""
    found = _sentences_of(page.number, page.text)
    return not found or found[-1].is_whole


def folded_bytes(text: str) -> bytes:
    """Return a folded text as UTF-8, which often takes half the memory of a string."""
    return folded(text).encode("utf-8", "surrogatepass")


def chapter_name(chapter: Chapter) -> str:
    """Return a chapter's name in a sentence: its printed number, else a short title, else its running number.

    What several chapters stand in has no running number, and goes by its title.
    """
    printed = chapter_mark(chapter.title)
    title = " ".join(chapter.title.split())
    if not chapter.number:
        return title
    if printed is None and title and len(title) <= _LONGEST_NAME and division_number(title) is None:
        return title
    word, number = printed or ("chapter", chapter.number)
    return say("chapter {number}", number=number) if word == "chapter" else f"{word} {number}"


def chapter_title(chapter: Chapter) -> str:
    """Return a chapter's title without its number and without its part's title; empty where nothing is left."""
    title = " ".join(chapter.title.split()).rpartition(" / ")[2]
    if chapter_mark(title) is None:
        return title
    ends = _NUMBER_ENDS.search(title)
    is_number = ends is not None and len(title[: ends.start()].split()) <= _WORDS_OF_NUMBER
    return title[ends.end() :].strip(" .") if ends and is_number else ""


def full_name(chapter: Chapter) -> str:
    """Return a chapter's name for the start of a line: its number, and its title unless that is long."""
    name, title = chapter_name(chapter), chapter_title(chapter)
    begins = name[:1].upper() + name[1:]
    return begins if title in {"", name} or len(title) > _LONGEST_SHOWN else f"{begins}: {title}"


def _append(found: list[ReadSentence], page: Sequence[ReadSentence]) -> None:
    """Append a page's sentences to those found. If a sentence crosses the page break, its two parts are joined."""
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
    """Return the sentences of a page. Cached, since clubs ask about the same pages repeatedly."""
    return tuple(_read_sentences(number, page))


def _cuts(flat: FlatSentences) -> list[int]:
    """Return the offsets between sentences, moved so that an opening quotation mark belongs to the next sentence."""
    openings = [
        None if at in flat.paragraph_ends else _OPENING.search(flat.text, max(0, at - _NEAR), at) for at in flat.cuts
    ]
    return [opening.start() if opening else at for at, opening in zip(flat.cuts, openings, strict=True)]


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
    """Whether a text ends in an abbreviation such as `Mr.`, and so does not end a sentence."""
    return _SHORTENED.search(text) is not None


def _is_cut(text: str, following: str) -> bool:
    """Whether a sentence was cut too early: after `Mr.`, or before a lower-case letter (“Stop!” he said)."""
    return ends_short(text) or _BEGINS_SMALL.match(following.lstrip()) is not None


def _goes_on(last: ReadSentence, first: ReadSentence) -> bool:
    """Whether a page's first sentence continues the last one of the page before."""
    return _BEGINS_SMALL.match(first.text) is not None or not (last.is_heading or first.is_heading)
