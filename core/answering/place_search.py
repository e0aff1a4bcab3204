"""Searches the read pages for the places that an answer without a model shows, and for the chunks that contain them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.answering.extracts.in_short import passage_of
from core.answering.extracts.named_parts import named_pages, within
from core.answering.extracts.passages import Passage
from core.answering.extracts.place_scores import LOOKED_AT, runs_around
from core.answering.extracts.places import likeliest_places, places_by_words, taken_apart
from core.answering.extracts.read_text import ReadText
from core.answering.notes import NoteShelf
from core.answering.read_book import ReadBook
from core.domain.note import Note
from core.domain.passage import SearchFn, SearchResult, page_shares
from core.guard.citations import CitedSentence
from core.language.sentences import fold_space

PASSAGES: Final = 12
"""How many chunks the search returns."""
_MOST_GIVEN: Final = 9
"""How many passages a member can page through for one question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPlaces:
    """Passages, best first; whether they were chosen for the query; the notes and search results beside them."""

    places: Sequence[Passage]
    is_of_query: bool
    notes: Sequence[Note]
    found: Sequence[SearchResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceSearch:
    """A search for places.

    Attributes:
        search: finds chunks.
        read: the read part of the book.
        notes: reading notes that may be shown above the places.
        cited: sentences of a failed draft; the places are taken from the pages that they cite.
    """

    search: SearchFn
    read: ReadBook
    notes: NoteShelf | None = None
    cited: Sequence[CitedSentence] = ()

    async def ranked(self, query: str, read: ReadText, *, named_by: str) -> RankedPlaces:
        """Return the passages for a query: those that a draft cites, else the best ones, else those of the notes.

        `named_by` is the question, which may name pages.
        """
        found = await self.search(query, PASSAGES)
        named = named_pages(named_by, read) or ()
        shares = within(named, page_shares(found))
        notes: Sequence[Note] = ()
        if self.notes is not None:
            notes = await self.notes.in_short(query, book=self.read.book, position=self.read.position, found=shares)
        places = self._cited_places(read)
        best = [] if places else await self._best(query, read, shares, named)
        places = places or best or passage_of(notes, read)
        return RankedPlaces(places=places, is_of_query=bool(best), notes=notes, found=found)

    def _cited_places(self, read: ReadText) -> list[Passage]:
        """Return the passages on read pages that the cited sentences come from."""
        texts = " ".join(sentence.text for sentence in self.cited)
        pages = dict.fromkeys(sentence.page for sentence in self.cited if sentence.page is not None)
        return places_by_words(texts, read, [(page, 1.0) for page in pages], most=2, threshold=0.0) if pages else []

    async def _best(
        self, query: str, read: ReadText, shares: Mapping[int, float], named: Sequence[range]
    ) -> list[Passage]:
        """Return the passages that answer best: by the word index if there is one, else by comparing words.

        If the question names pages, returns only passages that begin there.
        """
        spans = runs_around(list(shares)[:LOOKED_AT], read.last_page)
        traces = await self.read.traces(query, spans) if spans else None
        texts = [taken_apart(read.sentences(*span)) for span in spans]
        found = likeliest_places(texts, traces, most=_MOST_GIVEN) if traces is not None else []
        found = [each for each in found if not named or any(each.page in span for span in named)]
        return found or places_by_words(query, read, list(shares.items()), most=_MOST_GIVEN)

    async def sources(self, shown: Sequence[Passage], found: Sequence[SearchResult]) -> tuple[SearchResult, ...]:
        """Return the chunks that contain the passages, from the search if it found all, else from the store."""
        pages = {page for place in shown for page in range(place.page, place.last_page + 1)}
        pieces = sorted((each for each in found if each.start_page in pages), key=lambda each: each.chunk_id)
        if not all(_hold_all(pieces, place) for place in shown):
            pieces = list(await self.read.passages(*pages))
        return tuple(piece for piece in pieces if any(_holds(piece, place) for place in shown))


def _holds(piece: SearchResult, shown: Passage) -> bool:
    text = fold_space(piece.text)
    return any(part in text or text in part for part in _parts(shown))


def _hold_all(pieces: Sequence[SearchResult], shown: Passage) -> bool:
    """Whether every sentence of a passage is in one of the pieces."""
    texts = [fold_space(piece.text) for piece in pieces]
    return all(any(part in text for text in texts) for part in _parts(shown))


def _parts(shown: Passage) -> list[str]:
    return [each.text.strip("… ") for each in shown.sentences]
