"""Passages of read text as answers show them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.answering.extracts.read_text import ReadSentence, ReadText, chapter_name
from core.guard.citations import QUOTED_LINE
from core.guard.draft import MOST_WORDS
from core.language.sentences import word_count
from core.language.words import WORD, content_stems, stem_words, words

_PEAK: Final = 40
# Words of questions about any book, which do not help to find a sentence.
ABOUT_BOOKS: Final = frozenset(
    content_stems(
        "become became happen happened end ends ending finish book chapter story novel page author plot next "
        "hello hi hey thanks thank bye goodbye morning evening"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Consecutive sentences."""

    sentences: tuple[ReadSentence, ...]

    @property
    def page(self) -> int:
        """The page on which it begins."""
        return self.sentences[0].page

    @property
    def last_page(self) -> int:
        """The page on which it ends."""
        return self.sentences[-1].last_page

    @property
    def paragraphs(self) -> list[str]:
        """Its text by paragraphs, word for word, with white space folded."""
        found: dict[int, list[str]] = {}
        for sentence in self.sentences:
            found.setdefault(sentence.paragraph, []).append(sentence.text)
        return [" ".join(texts) for texts in found.values()]


def rendered(passage: Passage, read: ReadText) -> str:
    """Return a passage as Markdown: page and chapter above, and its paragraphs as a quotation."""
    first, last = passage.page, passage.last_page
    pages = f"p. {first}" if first == last else f"pp. {first}-{last}"
    chapter = read.chapter_of(first)
    place = pages if chapter is None else f"{pages}, {chapter_name(chapter)}"
    return f"**{place}**\n" + "\n>\n".join(f"> {paragraph}" for paragraph in passage.paragraphs)


def in_bold(answer: str, query: str) -> str:
    """Return an answer with the words of a query in bold where it quotes; a line with marks of its own stays."""
    stems = content_stems(query) - ABOUT_BOOKS

    def mark(word: re.Match[str]) -> str:
        return word[0] if stems.isdisjoint(stem_words(words(word[0]))) else f"**{word[0]}**"

    return QUOTED_LINE.sub(lambda line: line[0] if "*" in line[0] else WORD.sub(mark, line[0]), answer)


def stretch(sentences: Sequence[ReadSentence], *, most_words: int = MOST_WORDS) -> Passage | None:
    """Return the first sentences that fit into `most_words` as a passage, without headings; None if there are none."""
    prose = [sentence for sentence in sentences if not sentence.is_heading]
    taken = running(prose, 0, most_words)
    return Passage(sentences=tuple(taken)) if taken else None


def shortened(
    sentence: ReadSentence, around: re.Pattern[str] | None = None, *, most_words: int = MOST_WORDS
) -> ReadSentence:
    """Return a sentence cut to `most_words`, around the first match of `around` or at its end."""
    found = sentence.text.split()
    if len(found) <= most_words:
        return sentence
    stands = around.search(sentence.text) if around else None
    at = word_count(sentence.text[: stands.start()]) - _PEAK if stands else len(found)
    begin = max(min(at, len(found) - most_words), 0)
    ends = " …" if begin + most_words < len(found) else ""
    text = " ".join(found[begin : begin + most_words])
    return replace(sentence, text=f"{'… ' if begin else ''}{text}{ends}", words=most_words)


def running(sentences: Sequence[ReadSentence], start: int, most_words: int) -> list[ReadSentence]:
    """Return as many sentences from `start` as fit, up to the next heading; the last one is complete."""
    taken: list[ReadSentence] = []
    room = most_words
    for sentence in sentences[start:]:
        room -= sentence.words
        if sentence.is_heading or room < 0:
            break
        taken.append(sentence)
    while taken and not taken[-1].is_whole:
        taken.pop()
    return taken
