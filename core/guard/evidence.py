"""Which read pages a verifier is shown for a draft: those it cites first, then what is found for what cites none."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from core.domain.conversation import Role
from core.domain.passage import SearchResult, readable
from core.domain.question import Question
from core.guard.citations import cited_pages, without_citations
from core.language.words import content_stems
from core.ports.books import BookRepository, StoredChunk

MOST_CITED: Final = 14_000
"""Letters of cited pages at most, about 3,500 tokens; of a draft that cites more, those that fit its sentences best."""

MOST_LETTERS: Final = 7_000
"""Found passages, and pages cited in earlier turns, go along up to so many letters in all."""

_PIECES_A_SENTENCE: Final = 3
_LEAST_STEMS: Final = 2
_SHARED: Final = 0.4
"""A page cited in an earlier turn goes along where it holds so much of a sentence."""

_TURNS_BACK: Final = 4


async def evidence_for(
    sentences: Sequence[str], cited_texts: Mapping[int, str], question: Question, books: BookRepository
) -> Mapping[int, str]:
    """Return texts of read pages by page number, in the order in which they matter to these sentences of a draft.

    `cited_texts` are those of the pages that the draft cites.
    """
    cited = [_read(cited_pages(sentence), question) for sentence in sentences]
    earlier = _cited_earlier(question)
    pages = {**await texts_of(set(earlier).difference(cited_texts), question, books), **cited_texts}
    shown: dict[int, str] = {}
    _fill(shown, _in_turn(sentences, cited, pages), pages, most=MOST_CITED)
    bare = [without_citations(each) for each, own in zip(sentences, cited, strict=True) if not own]
    stated = [each for each in bare if len(content_stems(each)) >= _LEAST_STEMS]
    likely = [
        page for page in earlier if page in pages and any(_share(each, pages[page]) >= _SHARED for each in stated)
    ]
    _fill(shown, likely, pages, most=MOST_LETTERS)
    for sentence in stated:
        found = texts_by_page(await question.search(sentence, _PIECES_A_SENTENCE))
        _fill(shown, found, found, most=MOST_LETTERS)
    return shown


def texts_by_page(pieces: Iterable[StoredChunk | SearchResult]) -> dict[int, str]:
    """Return the texts of pieces of a book by the page where they begin, joined where a page has several."""
    texts: dict[int, str] = {}
    for piece in pieces:
        texts[piece.start_page] = f"{texts.get(piece.start_page, '')}\n{piece.text}".strip()
    return texts


def _read(pages: Iterable[int], question: Question) -> list[int]:
    return [page for page in pages if 0 < page <= (question.position or 0)]


def _cited_earlier(question: Question) -> list[int]:
    """Return the pages that the last answers cited, latest first."""
    answers = [message.content for message in question.history if message.role is Role.ASSISTANT][-_TURNS_BACK:]
    return list(dict.fromkeys(page for said in reversed(answers) for page in _read(cited_pages(said), question)))


async def texts_of(pages: Iterable[int], question: Question, books: BookRepository) -> dict[int, str]:
    """Return the texts of those of the pages that are read."""
    wanted = sorted(set(_read(pages, question)))
    if not wanted:
        return {}
    return texts_by_page(await books.chunks_of_pages(readable(question.book, question.position), wanted))


def _in_turn(sentences: Sequence[str], cited: Sequence[Sequence[int]], pages: Mapping[int, str]) -> list[int]:
    """Return the cited pages, of each sentence the one that fits it best, then the second best, and so on."""
    ranked = [
        sorted((page for page in own if page in pages), key=lambda page: -_share(sentence, pages[page]))
        for sentence, own in zip(sentences, cited, strict=True)
    ]
    depth = max(map(len, ranked), default=0)
    return list(dict.fromkeys(each[at] for at in range(depth) for each in ranked if at < len(each)))


def _share(sentence: str, page: str) -> float:
    """Return how much of a sentence's matter stands on a page."""
    wanted = content_stems(without_citations(sentence))
    return len(wanted & content_stems(page)) / len(wanted) if wanted else 0.0


def _fill(shown: dict[int, str], order: Iterable[int], pages: Mapping[int, str], *, most: int) -> None:
    """Add whole pages as long as they fit; the first of all goes along whatever its length."""
    for page in order:
        letters = sum(map(len, shown.values()))
        if page not in shown and (not shown or letters + len(pages[page]) <= most):
            shown[page] = pages[page]
