"""Plain texts as people have them, with every kind of quote, dash and mark, are imported and answer questions."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bot.running import thusfar

_STORY = """THE LAMP

CHAPTER 1

"'Tis late," said Margery Vane to the keeper. The keeper, a tall man of 60, shook his head. "Didn't I tell 'em," he
asked, "to bring the boats in before the tide turned at nine o'clock?"

{filling}

"I tell you that nobody who knows the coast would sail on such a night, nor you, if you'd seen what I've seen from the
upper window, and that the harbour master's own boat is drawn up on the sand, and that they'll all have gone home to
supper, and that the fires on the hill aren't lit, and that it's as dark as the inside of a sailor's boot, and so I ask
you again, before all these people, who lit the lamp, and why it wasn't put out when the others' boats came in?"

CHAPTER 2

Margery Vane didn't answer. The keeper's hand closed the door; she'd gone to the harbour with John Marrow, the pilot.

{filling}
"""
_FILLING = "\n\n".join(["The wind rose over the harbour, and the boats of the keeper's brother were late."] * 20)
_PLAIN = _STORY.format(filling=_FILLING)
_ODD: dict[str, Callable[[str], str]] = {
    "straight quotes": str,
    "typographic quotes": lambda text: re.sub(r'"(?=\w|’|\')', "“", text.replace("'", "’")).replace('"', "”"),
    "single quotes": lambda text: text.replace("'", "’").replace('"', "'"),
    "backticks": lambda text: re.sub(r'"(?=\w|\')', "``", text).replace('"', "''").replace("'", "`"),
    "other apostrophes": lambda text: text.replace("'", "ʼ").replace('"', "″"),
    "primes": lambda text: text.replace("'", "′"),
    "dashes": lambda text: text.replace(", ", "--").replace("; ", "—"),
    "underscores": lambda text: re.sub(r"(\w+)([?,])", r"_\1_\2", text),
    "capitals": str.upper,
    "mark and line ends": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    "soft hyphens": lambda text: re.sub(r"(\w\w)(\w\w)", "\\1\u00ad\\2", text),
    "nothing wide": lambda text: text.replace("'", "\u200b'").replace(" ", " \u200c"),
}
_QUESTIONS = (
    "Who is Margery?",
    "Who are the characters?",
    "When did the tide turn?",
    "Why wasn't the lamp put out?",
    "What did they say 'bout the boats?",
)


def _answers(book_id: str, questions: tuple[str, ...], page: int) -> list[str]:
    asked = "\n".join(json.dumps({"id": n, "question": each, "page": page}) for n, each in enumerate(questions))
    return [each["answer"] for each in thusfar("ask", "-", "--book", book_id, typed=asked).json_lines]


@pytest.mark.parametrize("odd", _ODD)
def test_a_text_with_odd_marks_is_imported_and_answers(odd: str, tmp_path: Path) -> None:
    path = tmp_path / "lamp.txt"
    path.write_bytes(_ODD[odd](_PLAIN).encode())
    book = thusfar("books", "add", str(path), "--json").json
    answers = _answers(book["book_id"], _QUESTIONS, book["pages"])
    assert all(answers)
    assert "nine" in answers[2].casefold()
