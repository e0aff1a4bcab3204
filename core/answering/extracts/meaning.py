"""Answers what a word means by quoting a read sentence that contains it."""

import re
from collections.abc import Sequence
from typing import Final

from core.answering.extracts.found_answer import FoundAnswer, pages_of, put_together, quotation
from core.answering.extracts.passages import shortened
from core.answering.extracts.people import Mentions, find_joined, find_mentions, sentence_with
from core.answering.extracts.read_text import ReadSentence, ReadText
from core.catalogue.sentences import say, say_count
from core.language.words import content_words

_MOST_AROUND: Final = 60
_SHORTEST: Final = 6
_LONGEST: Final = 45
_LATEST_LOOKED_AT: Final = 8


def in_its_sentence(read: ReadText, word: str) -> FoundAnswer | None:
    """Quote the sentence that explains a word, else the latest one that contains it, with its neighbours."""
    mentions = (find_mentions(read, word) or find_joined(read, word)) if content_words(word) else None
    if mentions is None:
        return None
    explains = _explaining(mentions)
    page = _shown_page(read, mentions, explains)
    shown = _around_last_mention(read, page, mentions, explains)
    if not shown:
        return None
    if mentions.total == 1:
        head = say("I don't have a dictionary, but here's “{word}” in the book, once so far:", word=mentions.name)
    else:
        head = say_count(
            "I don't have a dictionary, but here's “{word}” in the book, {number} time so far:",
            "I don't have a dictionary, but here's “{word}” in the book, {number} times so far:",
            mentions.total,
            word=mentions.name,
        )
    return put_together(head, quotation(shown), pages=pages_of(shown))


def _shown_page(read: ReadText, mentions: Mentions, explains: re.Pattern[str]) -> int:
    """Return the page that explains a word, else the latest page with a short sentence, else the latest page."""
    explained = (page for page in mentions.pages if explains.search(read.by_number[page].text))
    latest = reversed(mentions.pages[-_LATEST_LOOKED_AT:])
    plain = (page for page in latest if _is_short(sentence_with(read, page, mentions, last=True)))
    return next(explained, None) or next(plain, mentions.pages[-1])


def _is_short(sentence: ReadSentence | None) -> bool:
    return sentence is not None and _SHORTEST <= sentence.words <= _LONGEST


def _explaining(mentions: Mentions) -> re.Pattern[str]:
    """Return a pattern that matches where a text seems to explain a word."""
    word = mentions.pattern.pattern
    means = r"\bmean(?:s|t|ing)?\b"
    return re.compile(rf"{word}[^.!?“”\"]{{0,20}}{means}|{means}[^.!?“”\"]{{0,20}}{word}", re.IGNORECASE)


def _around_last_mention(
    read: ReadText, page: int, mentions: Mentions, explains: re.Pattern[str]
) -> Sequence[ReadSentence]:
    """Return the sentence of a page that explains a word, else the last one with it, with its neighbours if they fit.

    Empty where no sentence contains the word.
    """
    sentences = read.sentences_on(page)
    holding = [at for at, each in enumerate(sentences) if mentions.pattern.search(each.text)]
    at = max(holding, key=lambda at: (explains.search(sentences[at].text) is not None, at), default=None)
    if at is None:
        return []
    own = sentences[at]
    around = [each for each in sentences[max(at - 1, 0) : at + 2] if each is own or not each.is_heading]
    fits = sum(each.words for each in around) <= _MOST_AROUND
    return around if fits else [shortened(own, mentions.pattern)]
