"""What an answer rests on: the very sentences of read pages that it quotes or cites, each in its surroundings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.answering.extracts.read_text import ReadSentence, ReadText
from core.guard.citations import QUOTED_LINE, cited_pages, without_citations
from core.language.sentences import sentences
from core.language.words import content_stems, words

_SHOWN_WORDS: Final = 60
_MOST_SHOWN: Final = 8
_LEAST_QUOTED: Final = 3
_LEAST_SHARE: Final = 0.4
"""Least share of a sentence's words of matter that the sentence it was made from must hold."""
_IN_MARKS: Final = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Running sentences of the book on one line, and the page on which they begin."""

    page: int
    text: str


def excerpts(answer: str, read: ReadText, *, pages: Sequence[int]) -> list[Excerpt]:
    """Return what an answer quotes and cites, of sixty words each, in the order of the book.

    `pages` are those that were looked at for it; beside them the pages count that it names itself.
    """
    named = [page for page in dict.fromkeys((*pages, *cited_pages(answer))) if page in read.by_number]
    if not named:
        return []
    all_sentences = read.sentences(min(named) - 1, max(named) + 1)
    on_pages = [at for at, each in enumerate(all_sentences) if any(each.page <= n <= each.last_page for n in named)]
    found = sorted({*_quoted(answer, all_sentences, on_pages), *_cited(answer, all_sentences, on_pages)})
    return [_excerpt(all_sentences, group) for group in _groups(all_sentences, found)][:_MOST_SHOWN]


def _quoted(answer: str, read: Sequence[ReadSentence], on_pages: Sequence[int]) -> Iterator[int]:
    """Give the sentences of which the answer holds a run of words, or all."""
    lines = "\n".join(match[1] for match in QUOTED_LINE.finditer(answer))
    pieces = [*sentences(lines), *_IN_MARKS.findall(QUOTED_LINE.sub("", answer))]
    wanted = [f" {' '.join(found)} " for piece in pieces if len(found := words(without_citations(piece))) > 1]
    for at in on_pages:
        own = f" {' '.join(words(read[at].text))} "
        if any(_holds(own, each) or _holds(each, own) for each in wanted):
            yield at


def _holds(whole: str, part: str) -> bool:
    """Whether a line of words holds another, which is long enough to be known again, or all there is."""
    return part in whole and (part == whole or len(part.split()) >= _LEAST_QUOTED)


def _cited(answer: str, read: Sequence[ReadSentence], on_pages: Sequence[int]) -> Iterator[int]:
    """Give for each sentence of the answer's own that names a page the sentence there that it was made from."""
    for sentence in sentences(QUOTED_LINE.sub("", answer)):
        pages, stems = cited_pages(sentence), content_stems(without_citations(sentence))
        held = [
            (len(stems.intersection(read[at].stems)) / len(stems), -at)
            for at in on_pages
            if stems and any(read[at].page <= page <= read[at].last_page for page in pages)
        ]
        if held and max(held)[0] >= _LEAST_SHARE:
            yield -max(held)[1]


def _groups(read: Sequence[ReadSentence], found: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give the runs of sentences of a page, first and last, that fit together into what is shown."""
    first = last = -1
    for at in found:
        goes_on = first >= 0 and at == last + 1 and read[at].page == read[first].page
        if goes_on and sum(one.words for one in read[first : at + 1]) <= _SHOWN_WORDS:
            last = at
            continue
        if first >= 0:
            yield first, last
        first = last = at
    if first >= 0:
        yield first, last


def _excerpt(read: Sequence[ReadSentence], group: tuple[int, int]) -> Excerpt:
    """Return a run with what stands around it, as far as there is room: what comes before it goes first."""
    first, last = group
    page, room = read[first].page, _SHOWN_WORDS - sum(one.words for one in read[first : last + 1])

    def fits(at: int) -> bool:
        return 0 <= at < len(read) and read[at].page == page and not read[at].is_heading and read[at].words <= room

    while fits(first - 1):
        first -= 1
        room -= read[first].words
    while fits(last + 1):
        last += 1
        room -= read[last].words
    text = " ".join(one.text for one in read[first : last + 1]).split()
    cut = " …" if len(text) > _SHOWN_WORDS else ""
    return Excerpt(page=page, text=" ".join(text[:_SHOWN_WORDS]) + cut)
