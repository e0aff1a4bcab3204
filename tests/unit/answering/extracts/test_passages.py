"""A passage as an answer shows it: page and chapter, a quotation, and words in bold."""

from core.answering.extracts.passages import in_bold, rendered, stretch
from core.answering.extracts.read_text import ReadText
from core.domain.book import Chapter, Page

_PAGE = "Ruth broke the lamps in anger.\n\n“My lamp!” cried Tobias’s aunt."


def _shown(text: str) -> str:
    chapter = Chapter(number=1, title="", first_page=3, last_page=9)
    read = ReadText([Page(number=3, text=text)], chapters=[chapter])
    passage = stretch(read.sentences(3, 3))
    assert passage is not None
    return rendered(passage, read)


def test_it_has_page_and_chapter_above_its_paragraphs() -> None:
    assert (
        _shown(_PAGE) == "**p. 3, chapter 1**\n> Ruth broke the lamps in anger.\n>\n> “My lamp!” cried Tobias’s aunt."
    )


def test_the_words_of_the_question_are_in_bold_where_it_quotes() -> None:
    assert in_bold(_shown(_PAGE), "Did Tobias break a lamp?").endswith(
        "> Ruth broke the **lamps** in anger.\n>\n> “My **lamp**!” cried **Tobias**’s aunt."
    )


def test_nothing_is_bold_where_nothing_is_asked_or_the_text_has_marks_of_its_own() -> None:
    assert in_bold(_shown(_PAGE), "Who was it?") == _shown(_PAGE)
    marked = _shown("A *lamp* is a lamp, and it stood there.")
    assert in_bold(marked, "lamp") == marked
