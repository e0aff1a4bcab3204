"""Checks whether a reading note reveals more than its page, since a model that knows the book may let something slip.

A note is compared with the book's text only, never with other notes, which may have the same error. The limits are
fitted on the notes and labels of four novels; figures in ADR 25.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.domain.note import Note, NotePlace
from core.domain.verdict import Reason
from core.guard.book_index import BookIndex
from core.guard.claim import Claim, Floats, claim_of
from core.guard.features import window_scores
from core.guard.judge import Exempt, Judge
from core.guard.normalise import why_unreadable
from core.guard.rules import Runs, late_names, unread_runs
from core.guard.score import FittedScore

_WINDOW: Final = 3
_ONE_EITHER_WAY: Final = 1
_TOLD_LATER: Final = 0.12
"""How much more of a note's weight a later window may contain than its own page."""
_MOST_MOVES: Final = 4
_LEAST_SAID: Final = 4
_LEAST_OWN: Final = 0.3
_CLEARLY_OWN: Final = 0.15
"""To be shown, a note needs this many content words, this share of them on its page, and this much more than on any
later page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteCheck:
    """Checks the notes of one book against its text. CPU work, about a millisecond per note on a long novel."""

    index: BookIndex
    exempt: Exempt
    fitted: FittedScore

    def place(self, text: str, page: int) -> NotePlace:
        """Return the first page that supports a note, its own or a later one, or why there is none."""
        claim = self._claim(text)
        reason = self._why_useless(claim)
        if reason is not None:
            return NotePlace(page=None, reason=reason)
        scores = window_scores(claim, 0, _WINDOW).unread
        for _ in range(_MOST_MOVES):
            later = self._told_on(claim, scores, page)
            if later is None:
                return NotePlace(page=page)
            page = later
        return NotePlace(page=None, reason="it fits no page of this book")

    def may_be_shown(self, note: Note, *, last_page: int) -> bool:
        """Whether a note may be shown to a reader of pages up to `last_page`.

        Its page must support it, and it must reveal no unread text. This is stricter than the check of drafts, since a
        missing note costs little.
        """
        claim = self._claim(note.text)
        if note.moved or note.page > last_page or len(claim.words) < _LEAST_SAID or self._why_useless(claim):
            return False
        scores = window_scores(claim, 0, _WINDOW).unread
        own = self._best(scores, note.page - _ONE_EITHER_WAY, min(note.page + _ONE_EITHER_WAY, last_page))
        ahead = self._best(scores, last_page + 1, self.index.pages)
        if own < _LEAST_OWN * claim.total or own - ahead < _CLEARLY_OWN * claim.total:
            return False
        return not self._judged_leaking(note.text, last_page, strict=True)

    def _told_on(self, claim: Claim, scores: Floats, page: int) -> int | None:
        """Return the later page that contains what a note reveals beyond its own page; None if it reveals nothing."""
        certain = [*late_names(claim, last_page=page), *self._quotations(claim, page)]
        if certain:
            return max(reason.page or self.index.pages for reason in certain)
        own = self._best(scores, page - _ONE_EITHER_WAY, page + _ONE_EITHER_WAY)
        later = self._best(scores, page + _ONE_EITHER_WAY + 1, self.index.pages)
        margin = (later - own) / claim.total
        if margin <= 0 or (margin <= _TOLD_LATER and not self._judged_leaking(claim.text, page, strict=False)):
            return None
        ahead = np.where(self.index.sentence_page > page + _ONE_EITHER_WAY, scores, -1)
        return int(self.index.sentence_page[int(ahead.argmax())])

    def _quotations(self, claim: Claim, page: int) -> list[Reason]:
        return [reason for _, reason in unread_runs(Runs.of(claim.all_words, self.index), self.index, last_page=page)]

    def _judged_leaking(self, text: str, last_page: int, *, strict: bool) -> bool:
        judge = Judge(index=self.index, last_page=last_page, fitted=self.fitted, strict=strict)
        return judge.verdicts(text, self.exempt).leaks

    def _best(self, scores: Floats, first_page: int, last_page: int) -> float:
        first, behind = self.index.boundary(first_page - 1), self.index.boundary(last_page)
        return float(scores[first:behind].max(initial=0.0))

    def _claim(self, text: str) -> Claim:
        return claim_of(self.exempt.masked(text), self.index, exempt=self.exempt.always)

    def _why_useless(self, claim: Claim) -> str | None:
        """Return why no page can support a note; None if one may."""
        if not claim.words or not claim.known.any():
            return "it says nothing of this book"
        if claim.strangers.any():
            return f"it names {claim.words[int(claim.strangers.argmax())]!r}, whom this book does not"
        why = why_unreadable(claim.text, claim.all_words, self.index)
        return f"it cannot be checked: {why}" if why is not None else None
