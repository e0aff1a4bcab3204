"""What messages mean: who they are for, what is wanted, what they name."""

import json
from pathlib import Path

import pytest

from bot.evaluation.understanding import labelled_lines, report_on
from core.domain.conversation import AskedAs, Line, RepliesTo
from core.domain.errors import ThusfarError
from core.domain.reading import Listen
from core.domain.understanding import Intent
from core.understanding.understand import understand
from tests.unit.meant import kind_of, meaning

_WORDINGS = Path(__file__).resolve().parents[3] / "benchmarks" / "wordings"


@pytest.mark.parametrize(
    ("line", "listen", "addressed"),
    [
        (Line(text="lol", mentions_bot=True), Listen.MENTIONS, AskedAs.YES),
        (Line(text="lol", replies_to=RepliesTo.BOT), Listen.QUESTIONS, AskedAs.YES),
        (Line(text="Thusfar, who is Ada?"), Listen.QUESTIONS, AskedAs.YES),
        (Line(text="Thusfar, who is Ada?"), Listen.MENTIONS, AskedAs.NO),
        (Line(text="who is Ada?", mentions_member=True), Listen.ALL, AskedAs.NO),
        (Line(text="who is Ada?", replies_to=RepliesTo.MEMBER), Listen.ALL, AskedAs.NO),
        (Line(text="see you on Friday"), Listen.ALL, AskedAs.YES),
        (Line(text="!roll 20"), Listen.ALL, AskedAs.NO),
        (Line(text="https://example.org/who-is-ada"), Listen.ALL, AskedAs.NO),
        (Line(text=":sob: 😭"), Listen.ALL, AskedAs.NO),
        (Line(text=""), Listen.ALL, AskedAs.NO),
    ],
)
def test_the_form_of_a_line_may_say_who_it_is_for(line: Line, listen: Listen, addressed: AskedAs) -> None:
    assert understand(line, listen=listen).addressed is addressed


def test_in_a_thread_questions_about_the_book_are_taken_up_and_talk_is_left_alone() -> None:
    asked = [Line(text="who is the harbour master again?"), Line(text="where did we first meet the pilot?")]
    talk = [Line(text="lol same"), Line(text="see you all on Friday, I bring cake")]
    before = [Line(text="I read it on the train", author="Bo")]
    assert all(understand(line, before).addressed in {AskedAs.YES, AskedAs.LIKELY} for line in asked)
    assert all(understand(line, before).addressed in {AskedAs.NO, AskedAs.PERHAPS} for line in talk)


@pytest.mark.parametrize(
    ("text", "intent", "slots"),
    [
        ("who was the vicar again", Intent.WHO, {"name": "vicar"}),
        ("Wer ist Klamm?", Intent.WHO, {"name": "Klamm"}),
        ("what happened in chapter six?", Intent.CHAPTER, {"chapter": 6}),
        ("what's a coombe", Intent.WORD, {"word": "coombe"}),
        ("we're on ch 5 now", Intent.SET_PAGE, {"chapter": 5}),
        ("I'm at 45%", Intent.MY_PAGE, {"unit": "percent", "amount": 45.0}),
        ("be quiet", Intent.QUIET, {}),
        ("what can you do?", Intent.HELP, {}),
        ("are you a bot?", Intent.ABOUT_BOT, {}),
        ("thanks!", Intent.THANKS, {}),
        ("write me a poem about cats", Intent.OFF_TOPIC, {}),
        ("when do we meet next?", Intent.SCHEDULE, {}),
    ],
)
def test_plain_wordings_are_understood(text: str, intent: Intent, slots: dict[str, object]) -> None:
    found = meaning(text)
    assert found.intent is intent
    assert {slot: getattr(found.slots, slot) for slot in slots} == slots


def test_a_line_of_any_length_and_kind_is_understood() -> None:
    for text in ("?" * 5_000, "word " * 5_000, "\u202e\u0000", "😀" * 500, "1" * 3_000):
        assert understand(Line(text=text, mentions_bot=True)).addressed is AskedAs.YES


def test_wordings_that_were_not_fitted_are_understood() -> None:
    found = report_on(labelled_lines([_WORDINGS / "test.jsonl"]))
    least = {
        "intent": 0.80, "addressed_precision": 0.90, "addressed_recall": 0.90, "left_alone": 0.84, "in_scope": 0.95,
        "slots": 0.55,
    }  # fmt: skip
    assert {name: share for name, share in found.totals().items() if (share or 0) < least[name]} == {}
    assert sum(each.right for each in found.by_intent.values()) == round((found.intent or 0) * 255)


@pytest.mark.parametrize(
    "row", ["no json", "{}", json.dumps({"text": "x", "where": "dm", "addressed": "yes", "intent": "y"})]
)
def test_a_line_of_another_form_is_named(tmp_path: Path, row: str) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text(row, encoding="utf-8")
    with pytest.raises(ThusfarError, match="line 1 is no labelled wording"):
        labelled_lines([file])


def test_a_title_belongs_to_its_name_and_a_word_that_begins_a_sentence_does_not() -> None:
    assert meaning("who is Mrs. Aske again").slots.name == "Mrs. Aske"
    assert meaning("Mr. Hallam?").slots.name == "Mr. Hallam"
    asked = kind_of("Describe Lacey")
    assert asked is not None
    assert asked.subject == "Lacey"


@pytest.mark.parametrize(
    "text", ["I'm at loc 1234", "2 hours left", "I'm 2 hours in", "3h12m of 9h", "51% on StoryGraph"]
)
def test_what_a_device_shows_is_how_far_a_member_is(text: str) -> None:
    assert understand(Line(text=text, mentions_bot=True)).intent in {Intent.MY_PAGE, Intent.SET_PAGE}
