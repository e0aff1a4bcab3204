"""What is said of names that nobody has met, and of questions that name nobody at all."""

import asyncio
import json
from pathlib import Path

import pytest

from bot.commands.ask import _request
from bot.commands.importing import find_or_import
from bot.settings import Settings
from bot.wiring import build
from core.domain.messages import CANNOT_SAY, NOT_MET
from core.domain.scopes import LOCAL_SCOPE
from tests.bot.running import thusfar

_STORY = (
    "The main street was new. In New York Olive read Hebrew, and Olive laughed. “Good night,” said Olive to the Jews.",
    "The captain was gone. The first time was the last time, and the new boat was new. Olive looked for the captain.",
    "Then Zoltan Quennell came to the street, and Zoltan said that he was Olive’s brother. The beekeeper wept.",
)


def _answers(book: str, *questions: str) -> list[str]:
    asked = "\n".join(json.dumps({"id": n, "question": each, "page": 2}) for n, each in enumerate(questions))
    return [each["answer"] for each in thusfar("ask", "-", "--book", book, typed=asked).json_lines]


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "street.txt"
    path.write_text("\f".join(_STORY), encoding="utf-8")
    return str(thusfar("books", "add", str(path), "--title", "The Street", "--json").json["book_id"])


@pytest.mark.parametrize("frame", ["Who is {}?", "who's {}", "Who was {} again?", "{}?", "Tell me about {}."])
def test_of_a_later_and_an_invented_name_the_same_is_said(frame: str, book: str) -> None:
    names = ("Zoltan", "Mr. Zoltan Quennell", "Zorblax", "Quennell", "Mr. Zorblax Quill")
    assert set(_answers(book, *map(frame.format, names))) == {NOT_MET}


@pytest.mark.parametrize("frame", ["Who is {}?", "What did {} do in the street?"])
def test_of_a_later_and_an_invented_name_the_same_work_is_done(frame: str, book: str, own_home: Path) -> None:
    """A reply that takes longer would tell as well; what is counted here doesn't hang on the machine."""

    async def work() -> dict[str, tuple[int, int]]:
        application = build(Settings(thusfar_home=own_home))
        found = await find_or_import(application, book, scope=LOCAL_SCOPE)
        done = {}
        for name in ("Olive", "Zoltan", "Zorblax", "Quennell", "Quillfeather"):
            counts = application.database.counts
            counts.reads = counts.writes = 0
            await application.ask.execute(_request(frame.format(name), found, 2, None, None))
            done[name] = (counts.reads, counts.writes)
        await application.close()
        return done

    done = asyncio.run(work())
    assert done["Zoltan"] == done["Zorblax"] == done["Quennell"] == done["Quillfeather"]
    assert done["Zoltan"] != (0, 0)


def test_no_question_word_or_common_word_is_taken_for_a_name(book: str) -> None:
    asked = ("Who is here?", "who's it", "who is that", "where is that", "what about him")
    assert set(_answers(book, *asked)) == {CANNOT_SAY}
    for answer in _answers(book, "Who is new?", "who are the main players?", "Who's good?", "Who is the first?"):
        assert "comes up" not in answer
    assert _answers(book, "What is the title?") == ["It's The Street."]


def test_a_word_that_begins_a_sentence_is_no_name_that_nobody_has_met(book: str) -> None:
    asked = ("Summarise page two", "Describe Olive", "Explain the street", "Summary please", "Remember the boat?")
    assert NOT_MET not in _answers(book, *asked)
