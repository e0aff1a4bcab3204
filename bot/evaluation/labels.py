"""Labelled books on disk: a folder with the text and its questions (the form of fixtures/sample)."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.domain.errors import BookError, BookErrorCode

_TEXTS = ("book.txt", "novel.txt")
_QUESTIONS = "questions.jsonl"
_NOTES = "notes.jsonl"
_ANSWERABLE = "answerable"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledQuestion:
    """A question that can be answered at its page, and the pages that answer it."""

    text: str
    at_page: int
    answer_pages: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledBook:
    """A text and its answerable questions; the file of its reading notes, if there is one."""

    name: str
    text: Path
    questions: tuple[LabelledQuestion, ...]
    notes: Path | None = None


def labelled_books(paths: Iterable[Path]) -> list[LabelledBook]:
    """Read folders; a file in one stands for its folder.

    Raises:
        BookError: there is no text or no question in a folder, or a line of the questions is wrong.
    """
    return [_book(path.parent if path.is_file() else path) for path in paths]


def text_in(folder: Path) -> Path | None:
    """Return the text of a labelled book's folder, if it has one."""
    return next((path for name in _TEXTS if (path := folder / name).is_file()), None)


def _book(folder: Path) -> LabelledBook:
    text = text_in(folder)
    labels = folder / _QUESTIONS
    if text is None or not labels.is_file():
        raise _unreadable(f"{folder} is no labelled book: it needs {' or '.join(_TEXTS)}, and {_QUESTIONS}.")
    try:
        lines = labels.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(f"{labels} cannot be read.") from error
    read = [_question(labels, number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    questions = tuple(question for question in read if question is not None)
    if not questions:
        raise _unreadable(f"{labels} has no answerable question.")
    notes = folder / _NOTES
    return LabelledBook(
        name=folder.resolve().name, text=text, questions=questions, notes=notes if notes.is_file() else None
    )


def _question(labels: Path, number: int, line: str) -> LabelledQuestion | None:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        given = None
    fields = given if isinstance(given, dict) else {}
    text, at_page, answer_pages = fields.get("question"), fields.get("at_page"), fields.get("answer_pages")
    if not (isinstance(text, str) and _is_page(at_page) and _are_pages(answer_pages) and "kind" in fields):
        raise _unreadable(f"{labels}, line {number}: a question has question, at_page, kind and answer_pages.")
    if fields["kind"] != _ANSWERABLE:
        return None
    return LabelledQuestion(text=text, at_page=fields["at_page"], answer_pages=frozenset(fields["answer_pages"]))


def _are_pages(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_page, value))


def _is_page(value: object) -> bool:
    return type(value) is int and value >= 1


def _unreadable(sentence: str) -> BookError:
    return BookError(BookErrorCode.UNREADABLE, sentence)
