"""Finds chapters that have a title but no number; called by the search for chapter headings."""

import re
from collections import Counter
from collections.abc import Sequence, Set
from itertools import accumulate
from statistics import fmean, median
from typing import Final

from adapters.readers.contents import listed_headings
from adapters.readers.layout import TextLayout
from adapters.readers.marks import Candidate, lone_number, looks_like_title
from adapters.readers.subtitles import is_head_of_letter
from core.language.sentences import fold_space, unit_count

_LONGEST: Final = 80
_LONGEST_SHOUT: Final = 60
_MOST_WORDS: Final = 12
_FEWEST: Final = 3
_CHAPTER_WORDS: Final = 60
_USUAL_WORDS: Final = 150
_BELOW: Final = 4
_PROSE_WORDS: Final = 12
_FULL: Final = 0.85
_EACH_SECTION: Final = 0.6
_QUOTED_WORDS: Final = 2
_NEVER = re.compile(
    r"(?:the )?end(?: of (?:the )?(?:(?:first|second|third|last) )?(?:book|part|vol\.?|volume|story|novel)\b.*)?|finis"
    r"|(?:table of )?contents|(?:list of )?illustrations|by|copyright\b.*|dedication|foot ?notes?|index"
    r"|all rights reserved|transcriber.*|to|p\. ?s|note",
    re.IGNORECASE,
)
_QUOTED_TITLE = re.compile(r"[A-Z][\w’']*(?: [A-Z][\w’']*){2,}")
_INITIAL_STOP = re.compile(r"(?<=\b[A-Z])\.$")
_LONG_WORD = re.compile(r"[^\W\d_]{4}")


def title_lines(paragraphs: Sequence[str], layout: TextLayout, marked: Set[int]) -> list[Candidate]:
    """Return the lines that are titles: those of the contents list, standing apart, in capitals, or the book's own.

    `marked` are the known headings, so that no line above one counts as a chapter of its own.
    """
    listed = listed_headings(paragraphs)
    found = listed or _apart(paragraphs, layout, marked) or _shouted(paragraphs, marked) or _title_again(paragraphs)
    return [Candidate(index=index, text=fold_space(paragraphs[index])) for index in found]


def _title_again(paragraphs: Sequence[str]) -> list[int]:
    """Return the line that repeats the book's title, its first line, over the story behind an introduction."""
    front = [text.casefold() for text in paragraphs[: len(paragraphs) // 2]]
    again = [index for index, text in enumerate(front) if index > _BELOW and text == front[0]]
    return again if len(again) == 1 else []


def _apart(paragraphs: Sequence[str], layout: TextLayout, marked: Set[int]) -> list[int]:
    """Return the titles that stand apart: lines written like titles, or any short lines if pages end early above."""
    if not layout.apart:
        return []
    words = [0, *accumulate(unit_count(text) for text in paragraphs)]
    lines = _lines_apart(paragraphs, layout, marked)
    for is_title in (_is_certain, _is_short):
        found = _long_ones([index for index in lines if is_title(paragraphs[index])], paragraphs, words)
        if len(found) >= _FEWEST and _ends_are_short(found, layout, words):
            return found
    return []


def _lines_apart(paragraphs: Sequence[str], layout: TextLayout, marked: Set[int]) -> list[int]:
    alone = [index for index in sorted(layout.apart) if not {index, index + 1} & marked]
    return [index for index in alone if _may_be_title(paragraphs[index]) and _stands_over_prose(index, paragraphs)]


def _long_ones(lines: Sequence[int], paragraphs: Sequence[str], words: Sequence[int]) -> list[int]:
    """Return the lines followed by a chapter's text, without those that repeat on several pages as running heads."""
    times = Counter(paragraphs[index].casefold() for index in lines)
    ends = [*lines, len(paragraphs)][1:]
    lengths = {
        index: words[end] - words[index]
        for index, end in zip(lines, ends, strict=True)
        if words[end] - words[index] >= _CHAPTER_WORDS and times[paragraphs[index].casefold()] == 1
    }
    return [*lengths] if lengths and median(lengths.values()) >= _USUAL_WORDS else []


def _stands_over_prose(index: int, paragraphs: Sequence[str]) -> bool:
    below = paragraphs[index + 1 : index + 1 + _BELOW]
    return any(len(text.split()) >= _PROSE_WORDS and "\n" not in text for text in below)


def _ends_are_short(found: Sequence[int], layout: TextLayout, words: Sequence[int]) -> bool:
    """Whether the pages above the titles end early, as last pages of chapters do; true if the pages say nothing."""
    page_of = layout.page_of
    pages: Counter[int] = Counter()
    for index, page in enumerate(page_of):
        pages[page] += words[index + 1] - words[index]
    above = [pages[page_of[index - 1]] for index in found if index and page_of[index - 1] != page_of[index]]
    if not above or len(above) >= _EACH_SECTION * len(pages):
        return True
    return fmean(above) <= _FULL * median(pages.values())


def _may_be_title(text: str) -> bool:
    return (
        len(text) <= _LONGEST
        and len(text.split()) <= _MOST_WORDS
        and "\n" not in text
        and text[-1] not in ",;:—–-"
        and sum(map(str.isalpha, text)) > 1
        and not _NEVER.fullmatch(text.strip(" .*_[]"))
        and not is_head_of_letter(text)
    )


def _is_certain(text: str) -> bool:
    """Whether a line is in capitals or capitalised like a title, and is more than an exclamation or a name."""
    inner = text.strip("“”‘’\"'!?")
    if not inner:
        return False
    if text[0] in "“‘\"'":
        return bool(_QUOTED_TITLE.fullmatch(inner)) or (
            looks_like_title(inner) and len(_LONG_WORD.findall(inner)) >= _QUOTED_WORDS
        )
    return (text[0].isalnum() and text.isupper()) or looks_like_title(_INITIAL_STOP.sub("", inner))


def _is_short(text: str) -> bool:
    return text[0].isupper() and (text[-1].isalnum() or text[-1] in "?!")


def _shouted(paragraphs: Sequence[str], marked: Set[int]) -> list[int]:
    """Return short lines in capitals; of several in a row (a title page) only the last heads a text."""
    shouted = {
        index
        for index, text in enumerate(paragraphs)
        if len(text) <= _LONGEST_SHOUT
        and text.isupper()
        and "\n" not in text
        and sum(map(str.isalpha, text)) > 1
        and text[0].isalnum()
        and text[-1] not in "!?,;:"
        and lone_number(text) is None
        and not _NEVER.fullmatch(text.strip(" ."))
    }
    heading = [
        index
        for index in sorted(shouted - {*marked})
        if index + 1 not in shouted and index + 1 not in marked and index + 1 < len(paragraphs)
    ]
    return heading if len(heading) >= _FEWEST else []
