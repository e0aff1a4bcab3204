"""What no request may carry: words, names and chapter titles of pages that are not read. For every scenario and wire.

unread = Unread(book_text, position=4)
assert unread.in_bytes(request.body, exempt=[question]) == []
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from core.domain.book import BookText

SHINGLE = 8
"""So many words in a row of an unread page are a quotation, whoever wrote them."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WITHIN_SENTENCE = re.compile(r"(?<=[\w,;:—–-]) ?([^\W\d_][^\W_]*(?:['’][^\W_]+)*)")
_I = re.compile(r"I['’]")
_PROSE = re.compile(r"[.!?,;][\"”’)]*\s*$|[.!?] ")  # no heading
_POSSESSIVE = re.compile(r"['’]s$")
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[\"\\/bfnrt])")
_CHAPTER_NUMBER = re.compile(r"^(?:chapter|part|book)\s+\w+\s*[:.\-–—]?\s*", re.IGNORECASE)
_DEEPEST = 4

Words = tuple[str, ...]


def names_in(text: str) -> set[str]:
    """Return the words, in lower case, that stand with a capital letter within sentences and never without one."""
    prose = " ".join(line for line in text.splitlines() if _PROSE.search(line))
    within = [_POSSESSIVE.sub("", word) for word in _WITHIN_SENTENCE.findall(" ".join(prose.split()))]
    capital = {word.casefold() for word in within if word[0].isupper() and len(word) > 1 and not _I.match(word)}
    lower = {word.casefold() for word in _WORD.findall(text) if word[0].islower()}
    return {name.replace("’", "'") for name in capital - lower}


class Unread:
    """The pages after a position, as runs of words to look for; what the read pages say as well is no secret."""

    def __init__(self, book: BookText, *, position: int) -> None:
        whole = _whole(book)
        read, unread = whole.apart(position)
        self._shingles = whole.unread(position)
        titles = [chapter.title for chapter in book.chapters if chapter.first_page > position]
        rest = [tuple(unread)] if 0 < len(unread) < SHINGLE else []
        self._names = {name for name, first in whole.names.items() if first > position}
        self._runs = {run for run in chain(rest, *map(_forms, titles)) if not _holds(read, run)}

    def in_bytes(self, *raw: bytes, exempt: Sequence[str] = ()) -> list[str]:
        """Return what of the unread pages is in these bytes, however JSON has escaped it; nothing, where all is well.

        `exempt` is what may go out all the same: the question being asked, the book's title and author, and
        what the model itself wrote within the turn.
        """
        sent = list(chain.from_iterable(_words(text) for part in raw for text in _readings(part)))
        told = [_words(text) for text in exempt]
        allowed = set(chain.from_iterable(_shingles(words) for words in told))
        quoted = self._shingles.intersection(_shingles(sent)) - allowed
        named = {(name,) for name in (self._names & _bare(sent)) - _bare(chain.from_iterable(told))}
        held = (run for run in self._runs if _holds(sent, run) and not any(_holds(words, run) for words in told))
        return sorted(" ".join(words) for words in {*quoted, *named, *held})


class _Whole:
    """A book as words with their pages, to be asked about any position; `names` have their first pages."""

    def __init__(self, book: BookText) -> None:
        self._words = [(word, page.number) for page in book.pages for word in _words(page.text)]
        self.names = dict[str, int]()
        names = names_in("\n".join(page.text for page in book.pages))
        for word, page in self._words:
            (name,) = _bare([word])
            if name in names:
                self.names.setdefault(name, page)
        self._last_begin, self._first_end = dict[Words, int](), dict[Words, int]()
        for at, shingle in enumerate(_shingles([word for word, _ in self._words])):
            self._last_begin[shingle] = self._words[at][1]
            self._first_end.setdefault(shingle, self._words[at + SHINGLE - 1][1])

    def apart(self, position: int) -> tuple[list[str], list[str]]:
        """Return the words of the read pages and those of the others."""
        read = bisect_right(self._words, position, key=lambda word: word[1])
        words = [word for word, _ in self._words]
        return words[:read], words[read:]

    def unread(self, position: int) -> set[Words]:
        """Return the runs of words that stand so on unread pages, and nowhere on read ones."""
        ends = self._first_end
        return {words for words, begins in self._last_begin.items() if begins > position and ends[words] > position}


@lru_cache(maxsize=4)
def _whole(book: BookText) -> _Whole:
    return _Whole(book)


def _readings(raw: bytes) -> Iterator[str]:
    """Yield the bytes as text, with the escapes of JSON (and of JSON within JSON) taken out one layer at a time."""
    text = raw.decode("utf-8", "replace")
    for _ in range(_DEEPEST):
        yield text
        plain = _ESCAPE.sub(lambda match: _unescaped(match.group()), text)
        if plain == text:
            return
        text = plain


def _unescaped(escape: str) -> str:
    character: str = json.loads(f'"{escape}"')
    return " " if character.isspace() or not character.isprintable() else character


def _words(text: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(text.casefold())]


def _bare(words: Iterable[str]) -> set[str]:
    """The words as names stand among them, without a possessive."""
    return {_POSSESSIVE.sub("", word) for word in words}


def _shingles(words: Sequence[str]) -> Iterable[Words]:
    return (tuple(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1))


def _forms(title: str) -> Iterator[Words]:
    """A title with its chapter's number and without; the number alone is nobody's secret."""
    without = _CHAPTER_NUMBER.sub("", title)
    yield from (tuple(_words(form)) for form in {title, without} if _words(without) and _words(form))


def _holds(words: Sequence[str], run: Words) -> bool:
    return f" {' '.join(run)} " in f" {' '.join(words)} "
