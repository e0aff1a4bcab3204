"""Errors become one friendly sentence; the cause stays in the log."""

from gettext import NullTranslations

import pytest

from core.catalogue.sentences import read_in, say
from core.domain.book import BookOutline
from core.domain.conversation import Author
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import (
    ASK_POSITION,
    ASK_POSITION_ALONE,
    CANNOT_SAY,
    CUT_SHORT,
    IN_THE_BOOKS_LANGUAGE,
    OPENS_THREAD,
    asks_position,
    describe,
    for_reader,
    off_topic,
    opens_thread,
    plain_name,
)
from core.domain.position import announce

_CAUSE = "sk-123 at https://api.example/v1"


class _Marking(NullTranslations):
    """A language in which every sentence stands in brackets."""

    def gettext(self, message: str) -> str:
        return f"<{message}>"


@pytest.mark.parametrize("code", list(LLMErrorCode))
def test_every_model_error_has_a_friendly_sentence_without_its_cause(code: LLMErrorCode) -> None:
    said = describe(LLMError(code, _CAUSE))
    assert said.endswith((".", "?"))
    assert _CAUSE not in said


def test_what_cannot_be_said_is_said_without_naming_what_lies_ahead() -> None:
    assert not {"later", "ahead", "yet", "spoil", "next"} & set(CANNOT_SAY.lower().strip(".").split())


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        (CANNOT_SAY, f"<{CANNOT_SAY}>"),
        (f"{IN_THE_BOOKS_LANGUAGE}\n\nAda.\n\n{CUT_SHORT}", f"<{IN_THE_BOOKS_LANGUAGE}>\n\nAda.\n\n<{CUT_SHORT}>"),
        (off_topic("The {M}"), f"<{off_topic('The {M}')}>"),
        ("I only talk about Ada.", "I only talk about Ada."),
        (f"She said: {CANNOT_SAY}", f"She said: {CANNOT_SAY}"),
        ("", ""),
    ],
)
def test_a_reply_is_looked_up_for_its_reader_as_far_as_it_is_ours(reply: str, read: str) -> None:
    with read_in(_Marking()):
        assert for_reader(reply) == read
    assert for_reader(reply) == reply


@pytest.mark.parametrize("translations", [NullTranslations(), _Marking()])
def test_the_bot_knows_its_own_lines_in_the_language_of_its_readers(translations: NullTranslations) -> None:
    with read_in(translations):
        assert asks_position(say(ASK_POSITION))
        assert asks_position(say(ASK_POSITION_ALONE))
        assert opens_thread(say(OPENS_THREAD, name="Ada", title="The Lamp"))
        assert not opens_thread("Ada opens a thread.")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("\u202egnp\u202c", "gnp"),
        ("\u3000*bold*\u3000x\n y", "*bold* x y"),
        ("\u2066a\u2069\u200f\u061c", "a"),
        ("\u05d0\u05d3\u05d4", "\u05d0\u05d3\u05d4"),
        ("\u202e\u3000", ""),
    ],
)
def test_a_name_turns_no_words_around_it_and_stays_in_its_line(name: str, shown: str) -> None:
    assert plain_name(name) == shown
    assert Author(member_id="m", display_name=name).display_name == shown
    assert announce(name, None, 0, BookOutline(pages=9)) == f"{shown} set the thread to the beginning (0 %)."
