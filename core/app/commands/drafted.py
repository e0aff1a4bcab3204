"""What of a model's draft may be used: a sentence that cites its pages, questions behind a quotation that is one."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from core.agent.citations import cited_pages
from core.domain.words import CUT_SHORT, IN_THE_BOOKS_LANGUAGE
from core.finders.read_text import ReadText
from core.text.sentences import word_count

_LONGEST_SENTENCE: Final = 60
_LONGEST_QUESTION: Final = 45
_LONGEST_QUOTATION: Final = 40
_LEAST_QUOTED: Final = 3
_QUOTATION: Final = re.compile(r"^[>\s*\d.]*[\"“„«](?P<quoted>.+)[\"”“»]\W*\(p\.\s*(?P<page>\d+)\)\W*$")
_MARKS: Final = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"})


def one_sentence(draft: str, pages: tuple[int, int]) -> list[str]:
    """Return what a draft tells of some pages, where it is short and cites these and no others; else nothing."""
    text = " ".join(draft.removeprefix(IN_THE_BOOKS_LANGUAGE).removesuffix(CUT_SHORT).split())
    cited = cited_pages(text)
    fits = cited and all(pages[0] <= page <= pages[1] for page in cited) and word_count(text) <= _LONGEST_SENTENCE
    return [text] if fits else []


def anchored_questions(draft: str, read: ReadText, pages: tuple[int, int]) -> list[str]:
    """Return the questions of a draft, each behind a quotation that stands so on these pages."""
    lines = [line.strip() for line in draft.removeprefix(IN_THE_BOOKS_LANGUAGE).splitlines() if line.strip()]
    return list(_anchored(lines, read, pages))


def _anchored(lines: list[str], read: ReadText, pages: tuple[int, int]) -> Iterator[str]:
    for line, question in pairwise(lines):
        found = _QUOTATION.match(line)
        if found is None or not question.endswith("?") or word_count(question) > _LONGEST_QUESTION:
            continue
        page, quoted = int(found["page"]), " ".join(found["quoted"].split())
        is_short = _LEAST_QUOTED <= word_count(quoted) <= _LONGEST_QUOTATION
        if is_short and pages[0] <= page <= pages[1] and _stands(quoted, read, page, pages[1]):
            yield f"> {quoted} (p. {page})\n{question.lstrip('>*-0123456789. ')}"


def _stands(quoted: str, read: ReadText, page: int, last_page: int) -> bool:
    """Whether the words stand so on a page, or go on from it over the next."""
    shown = [read.by_number[each].text for each in (page, min(page + 1, last_page)) if each in read.by_number]
    return _plain(quoted) in _plain(" ".join(shown))


def _plain(text: str) -> str:
    return " ".join(text.translate(_MARKS).split()).strip('"')
