"""What of the pages read a question is about, in a word that names a thread."""

from core.answering.extracts.named_parts import chapters_named
from core.answering.extracts.names import without_title
from core.answering.extracts.people import find_name, stands_small
from core.answering.extracts.read_text import ReadText
from core.domain.numbers import printed_chapter_number
from core.understanding.asked_names import names_in


def asked_about(question: str, read: ReadText) -> str:
    """Return the first name that has been met, as the book prints it, or else the chapter that has begun.

    Empty where a question has neither: of what has not been read, and of its own words, nothing is returned.
    """
    return _name(question, read) or _chapter(question, read)


def _name(question: str, read: ReadText) -> str:
    met = (find_name(read, without_title(named)) for named in names_in(question))
    return next((each.name for each in met if each is not None and not stands_small(read, each.name)), "")


def _chapter(question: str, read: ReadText) -> str:
    pages = next((each for each in chapters_named(question, read) if each), range(0))
    begun = (chapter for chapter in read.chapters if chapter.first_page in pages[:1])
    return next((f"chapter {printed_chapter_number(each.title) or each.number}" for each in begun), "")
