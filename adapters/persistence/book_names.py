"""Which of a scope's books a name means; called by the books."""

from collections.abc import Sequence

from adapters.persistence.tables import BookRow
from core.domain.errors import BookError, BookErrorCode


def named(rows: Sequence[BookRow], name: str) -> BookRow:
    """Return the book of an id, a title or a unique beginning of a title. Raises BookError: none, or several."""
    wanted = name.strip().casefold()
    for fits in (
        [row for row in rows if row.book_id == wanted],
        [row for row in rows if row.title.casefold() == wanted],
        [row for row in rows if wanted and row.title.casefold().startswith(wanted)],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            listed = ", ".join(f"{row.title} ({row.book_id})" for row in fits)
            raise BookError(BookErrorCode.AMBIGUOUS, f"{name!r} fits several books: {listed}.")
    raise BookError(
        BookErrorCode.NOT_FOUND, f"There is no book {name[:80]!r}; `thusfar books list` shows what there is."
    )
