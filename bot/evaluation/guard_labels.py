"""Statements with the page that reveals them, from folders of labelled books, and the positions to try them at."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.evaluation.labels import text_in
from core.domain.errors import BookError, BookErrorCode

SAFE = "safe"
STATEMENTS = "statements.jsonl"
_META = "meta.json"
_NOTES = "notes.jsonl"
_NEAR = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledStatement:
    """A sentence as a chatbot might write it, and the first page that says it."""

    text: str
    kind: str
    revealed_page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedBook:
    """A text and the statements about it; `files` are all that it was read from.

    `notes` are the reading notes on it, each with its page, and `notes_file` is where they were read, if there are any.
    """

    name: str
    text: Path
    files: tuple[Path, ...]
    title: str
    author: str | None
    statements: tuple[LabelledStatement, ...]
    notes: tuple[tuple[int, str], ...] = ()
    notes_file: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A statement at a position. Until it is revealed it is to be blocked; `share` of the book is read."""

    statement: LabelledStatement
    page: int
    share: float

    @property
    def must_block(self) -> bool:
        """Whether it would be a leak."""
        return self.page < self.statement.revealed_page

    @property
    def is_near(self) -> bool:
        """Whether it is within two pages of the reveal, where the label itself may be a page off."""
        return self.statement.kind != SAFE and abs(self.page - self.statement.revealed_page) <= _NEAR


def stated_books(paths: Iterable[Path]) -> list[StatedBook]:
    """Read folders; a file in one stands for its folder.

    Raises:
        BookError: there is no text or no statement in a folder, or a line of the statements is wrong.
    """
    return [_book(path.parent if path.is_file() else path) for path in paths]


def cases_of(statement: LabelledStatement, *, pages: int) -> Iterator[Case]:
    """Yield the cases of a statement: pages 1, r/2, 3r/4, r-3, r-1 before its page r; r, r+3, halfway, the end after.

    Raises:
        BookError: its page lies outside the book.
    """
    revealed = statement.revealed_page
    if revealed > pages:
        raise BookError(BookErrorCode.UNREADABLE, f"{statement.text!r} is revealed on page {revealed} of {pages}.")
    before = {1, revealed // 2, 3 * revealed // 4, revealed - 3, revealed - 1}
    after = {revealed, revealed + 3, (revealed + pages) // 2, pages}
    tried = {page for page in before if 1 <= page < revealed} | {page for page in after if revealed <= page <= pages}
    for page in sorted(tried):
        yield Case(statement=statement, page=page, share=page / pages)


def _book(folder: Path) -> StatedBook:
    text, labels, about, notes = text_in(folder), folder / STATEMENTS, folder / _META, folder / _NOTES
    if text is None or not labels.is_file():
        raise _unreadable(f"{folder} is no labelled book: it needs book.txt or novel.txt, and {STATEMENTS}.")
    try:
        lines = labels.read_text(encoding="utf-8").splitlines()
        meta = json.loads(about.read_text(encoding="utf-8")) if about.is_file() else {}
    except (OSError, ValueError) as error:
        raise _unreadable(f"{labels} or {_META} cannot be read.") from error
    statements = tuple(_statement(labels, number, line) for number, line in enumerate(lines, start=1) if line.strip())
    if not statements:
        raise _unreadable(f"{labels} has no statement.")
    name = folder.resolve().name
    title, author = (meta.get(key) if isinstance(meta, dict) else None for key in ("title", "author"))
    return StatedBook(
        name=name,
        text=text,
        files=tuple(path for path in (text, labels, about, notes) if path.is_file()),
        title=title if isinstance(title, str) else name,
        author=author if isinstance(author, str) else None,
        statements=statements,
        notes=_notes(notes) if notes.is_file() else (),
        notes_file=notes if notes.is_file() else None,
    )


def _notes(path: Path) -> tuple[tuple[int, str], ...]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise _unreadable(f"{path} cannot be read.") from error
    return tuple(_note(path, number, line) for number, line in enumerate(lines, start=1) if line.strip())


def _note(path: Path, number: int, line: str) -> tuple[int, str]:
    fields = _fields(line)
    page, text = fields.get("page"), fields.get("note")
    if not (isinstance(text, str) and type(page) is int and page >= 1):
        raise _unreadable(f"{path}, line {number}: a note has page and note.")
    return page, text


def _fields(line: str) -> dict[str, object]:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        given = None
    return given if isinstance(given, dict) else {}


def _statement(labels: Path, number: int, line: str) -> LabelledStatement:
    fields = _fields(line)
    text, kind, page = fields.get("text"), fields.get("kind"), fields.get("revealed_page")
    if not (isinstance(text, str) and isinstance(kind, str) and type(page) is int and page >= 1):
        raise _unreadable(f"{labels}, line {number}: a statement has text, kind and revealed_page.")
    return LabelledStatement(text=text, kind=kind, revealed_page=page)


def _unreadable(sentence: str) -> BookError:
    return BookError(BookErrorCode.UNREADABLE, sentence)
