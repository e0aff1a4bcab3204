"""Cuts pages into chunks for indexing, each of whole sentences of one page, and chunks into windows.

The import calls it. A window is the input of an embedding model: about one to three sentences.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from core.domain.book import Chapter, Chunk, Page
from core.language.sentences import sentences, unit_count, unit_ends

_WORD = re.compile(r"\S+")
_REST_OF_WORD = re.compile(r"\S{1,100}")
_EAST_ASIAN_STOP = re.compile(r"[。！？｡]")
_PARAGRAPH_BREAK = re.compile(r"\n\s*\n")
# Finding sentences takes more than linear time in the length of a paragraph, so long ones are read in windows.
_WINDOW_CHARACTERS = 4_000
_MONSTER_STEP = 10
_MONSTER_STEP_WITHOUT_SPACES = 20

WINDOW_WORDS: Final = 30
_LONGEST_IN_WINDOW: Final = 90
_ASKS: Final = "?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The end of a sentence: its offset, and how many words (or units) come before it."""

    offset: int
    words: int


def chunk_pages(pages: Sequence[Page], chapters: Sequence[Chapter], *, target_words: int = 200) -> list[Chunk]:
    """Cut every page into pieces of about `target_words` words: verbatim, in order, without overlap."""
    chapter_of: dict[int, int] = {}
    for chapter in chapters:
        for number in range(chapter.first_page, chapter.last_page + 1):
            chapter_of.setdefault(number, chapter.number)  # a shared page belongs to the earlier chapter
    chunks: list[Chunk] = []
    for page in pages:
        for text in _pieces(page.text, target_words):
            chunks.append(
                Chunk(
                    number=len(chunks) + 1,
                    start_page=page.number,
                    end_page=page.number,
                    text=text,
                    chapter_number=chapter_of.get(page.number),
                )
            )
    return chunks


def sentence_cuts(text: str, *, longest: int) -> list[Cut]:
    """Return where the sentences of a text end, in order, the end of the text last.

    Within a sentence of more than `longest` words, every tenth word counts as an end too. What counts as a word is
    told by `core.language.sentences`: where a script has no spaces, a cut may fall between two characters.
    """
    ends = unit_ends(text)
    counts: list[int] = []
    before = 0
    for offset in chain(_sentence_ends(text), ends[-1:]):
        count = bisect_left(ends, offset) + 1
        if count <= before or count > len(ends) or ends[count - 1] != offset:
            continue  # not behind a whole word: sentences glued together without a space stay together
        for end in [*_full_stops(text, ends, before, count, longest), count]:
            if end - before > longest:
                counts.extend(_steps(text, ends, before, end))
            counts.append(end)
            before = end
    return [Cut(offset=ends[count - 1], words=count) for count in counts]


def windows(text: str) -> list[str]:
    """Return a text as windows of whole sentences with about `WINDOW_WORDS` words.

    The sentence after a question stays with it. A rest shorter than half a window is added to the last window.
    """
    found: list[str] = []
    start = words = 0
    cuts = sentence_cuts(text, longest=_LONGEST_IN_WINDOW) if text.strip() else []
    for cut in cuts:
        is_enough = cut.words - words >= WINDOW_WORDS and not _asks(text[start : cut.offset])
        if is_enough and cuts[-1].words - cut.words >= WINDOW_WORDS // 2:
            found.append(text[start : cut.offset].strip())
            start, words = cut.offset, cut.words
    return [*found, text[start:].strip()]


def _full_stops(text: str, ends: Sequence[int], start: int, stop: int, longest: int) -> Iterator[int]:
    """Yield the full stops of East Asia within a monster sentence: they end one, whatever follows."""
    if stop - start > longest:
        for count in range(start + 1, stop):
            if _EAST_ASIAN_STOP.search(text, ends[count - 2] if count > 1 else 0, ends[count - 1]):
                yield count


def _steps(text: str, ends: Sequence[int], start: int, stop: int) -> Iterator[int]:
    """Yield where a monster sentence may be cut: at spaces as far as it has any."""
    last = start
    for count in range(start + _MONSTER_STEP, stop):
        step = count - last
        if step >= _MONSTER_STEP_WITHOUT_SPACES or (step >= _MONSTER_STEP and text[ends[count - 1]].isspace()):
            yield count
            last = count


def _pieces(text: str, target_words: int) -> Iterator[str]:
    words = unit_count(text)
    if not words:
        return
    cuts = sentence_cuts(text, longest=2 * target_words)
    parts = -(-words // target_words)
    at = [cut.words for cut in cuts]
    start = done = 0
    for part in range(1, parts):
        cut = cuts[_nearest(at, words * part / parts)]
        # A scrap (a heading before one long sentence) is better kept with its neighbour.
        if min(cut.words - done, words - cut.words) < target_words / 4:
            continue
        yield text[start : cut.offset].strip()
        start, done = cut.offset, cut.words
    yield text[start:].strip()


def _nearest(at: Sequence[int], wanted: float) -> int:
    index = min(bisect_left(at, wanted), len(at) - 1)
    return index - 1 if index and wanted - at[index - 1] <= at[index] - wanted else index


def _sentence_ends(text: str) -> Iterator[int]:
    start = 0
    for gap in _PARAGRAPH_BREAK.finditer(text):
        yield from _paragraph_ends(text, start, gap.start())
        start = gap.end()
    yield from _paragraph_ends(text, start, len(text))


def _paragraph_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield where the sentences of a paragraph end, looked for in one window of it after another."""
    while start < end:
        stop = _window_end(text, start, end)
        found = sentences(text[start:stop])
        if stop < end and len(found) > 1:
            found.pop()  # perhaps cut by the window: it comes first in the next one
        for sentence in found:
            start = _skip(text, start, stop, sum(map(len, sentence.split())))
            yield start
        if stop == end or not found:
            start = stop


def _window_end(text: str, start: int, end: int) -> int:
    """Return where a window ends: behind a whole word, unless that is endless."""
    stop = start + _WINDOW_CHARACTERS
    if stop >= end:
        return end
    rest = _REST_OF_WORD.match(text, stop, end)
    return rest.end() if rest else stop


def _skip(text: str, offset: int, end: int, letters: int) -> int:
    """Return the offset behind the next `letters` characters that are no white space."""
    for word in _WORD.finditer(text, offset, end):
        if len(word[0]) >= letters:
            return word.start() + letters
        letters -= len(word[0])
    return end


def _asks(text: str) -> bool:
    return text.rstrip("\"'”’)] \n").endswith(_ASKS)
