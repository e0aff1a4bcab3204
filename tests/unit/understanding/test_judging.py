"""Which lines of a thread ask the bot something: plain forms, the fitted score, and what is labelled."""

import json
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluation.listening import labelled_threads, report
from core.domain.conversation import AskedAs, Line, RepliesTo
from core.domain.reading import Listen
from core.understanding.asks_readers import asks_readers
from core.understanding.listening import AddressingVerdict, by_form, judge
from core.understanding.small_talk import is_thanks
from core.understanding.talk_score import fitted_score, read_talk_score
from core.understanding.talk_signals import LOOKED_BACK, signals
from tests.bot.running import ROOT

THREADS = ROOT / "fixtures" / "listening" / "threads.jsonl"
PRACTICE = ROOT.parent / "shared" / "threads" / "practice.jsonl"
ANSWERED = {AskedAs.YES, AskedAs.LIKELY}
SILENT = {AskedAs.NO, AskedAs.PERHAPS}

SAID = (
    Line(text="Who is Hallam?", author="Ana", mentions_bot=True),
    Line(text="Ralph Hallam had been Surveyor at Garsby for eleven years (p. 10).", is_bot=True),
)
TALK = (*SAID, Line(text="oh right, him", author="Ben"), Line(text="yeah he's creepy", author="Ana"))

ASKED = """
who is Hallam?; Who is Hallam again; and his wife?; ok but why; why did he leave the house?; does he ever come
back?; what happened to the key; remind me who the vicar is; where does the weir stand; how old is she?; tell me
more about the weir; what page is that on?; isn't it the other door?; no, it was the brother who said that; recap
please; what does surveyor mean; wait, when did they meet?; who found the body; is Hallam married; und was sagt der
Pfarrer; ¿quién es él?; Thusfar, who is Hallam?; dunno, bot?; explain that in simple words; list everyone who was at
the weir
"""
IDLE = """
lol; see you on Friday; haha; nice one; good morning everyone; I loved that chapter; that was so sad; ok cool;
sounds good to me; who's bringing wine on Friday?; can we move it to 8pm?; does Thursday work for everyone?; how was
your weekend?; I'm running late; agreed; omg; I think Hallam is hiding something; ugh work is killing me today; what
are you all drinking?; who else cried?; happy birthday Ben!; thanks Ben; thanks!; me too; what time are we meeting?;
Ben what do you think?; are you kidding me?; https://example.com/article; !play something; /poll "next book"; 😂😂;
:joy:; +1; ???; hey Ben, what do you think?
"""

AMONG_READERS = """
did everybody get to the end of chapter 3?; ok, did everyone get to chapter 3; has everyone finished chapter 3 yet?;
did you all get to page 50?; who has read chapter 5 already?; who got to the end of chapter three?; is anybody past
chapter 6?; has any of you read the whole book?; what did everybody think of chapter 3?; did everyone like the end of
the chapter?; what page are you all on?; how far is everybody?; Ben, how far did you get?; are we all done with ch 2?;
so who do we think did it; what do you all think happened to him?; who's writing the notes this week; who is hosting
next time?
"""
OF_THE_STORY = """
who got the keys in chapter 3?; who got the book?; who read the book to her?; who stood at the end of chapter 3?; was
everybody asleep at the end of chapter 3?; what page is that on?; which chapter are we on?; how far did he get?;
who is writing the letter?; what do we know about him?; who do they think did it?
"""


def _lines(text: str) -> list[str]:
    return " ".join(text.split()).split("; ")


@pytest.mark.parametrize("text", _lines(ASKED))
@pytest.mark.parametrize("before", [SAID, TALK], ids=["after the answer", "amid talk"])
def test_what_asks_the_bot_or_the_book_is_answered(text: str, before: tuple[Line, ...]) -> None:
    assert judge(Line(text=text, author="Cleo"), before).asked in ANSWERED


@pytest.mark.parametrize("text", _lines(AMONG_READERS))
@pytest.mark.parametrize("before", [(), SAID, TALK], ids=["first", "after the answer", "amid talk"])
def test_what_only_the_readers_can_know_is_left_to_them(text: str, before: tuple[Line, ...]) -> None:
    assert judge(Line(text=text, author="Cleo"), before).asked is AskedAs.NO


@pytest.mark.parametrize("text", _lines(OF_THE_STORY))
def test_chapter_and_page_alone_make_no_question_to_the_readers(text: str) -> None:
    assert not asks_readers(text)


@pytest.mark.parametrize("text", _lines(AMONG_READERS))
def test_what_the_readers_are_asked_is_answered_where_the_bot_itself_is_asked(text: str) -> None:
    assert judge(Line(text=text, author="Cleo", mentions_bot=True), TALK).asked is AskedAs.YES
    assert judge(Line(text=text, author="Cleo"), TALK, listen=Listen.ALL).asked is AskedAs.YES


@pytest.mark.parametrize("text", ["sure, which one?", "ok and when?", "yeah, what time?"])
def test_a_yes_that_asks_back_is_for_whoever_spoke(text: str) -> None:
    said = (*TALK, Line(text="can you bring the wine on friday", author="Ana"))
    assert judge(Line(text=text, author="Ben"), said).asked is AskedAs.NO
    assert judge(Line(text=text, author="Ana"), said).asked is not AskedAs.NO  # nobody else has spoken


@pytest.mark.parametrize("text", ["what's a weighbridge", "what is a Wolseley?", "so what does galoshes mean"])
def test_what_a_word_means_is_for_the_bot_amid_talk(text: str) -> None:
    chat = [Line(text="rubber overshoes", author="Ben"), Line(text="ah, got it", author="Ana")]
    assert judge(Line(text=text, author="Cleo"), (*TALK, *chat, *chat, *chat)).asked in ANSWERED


def test_what_a_member_has_just_spoken_of_is_asked_of_them() -> None:
    said = Line(text="I have bought a kettlebell", author="Ben")
    assert judge(Line(text="what's a kettlebell", author="Cleo"), (*TALK, said)).asked in SILENT


@pytest.mark.parametrize("text", _lines(IDLE))
def test_what_members_say_to_one_another_is_not(text: str) -> None:
    assert judge(Line(text=text, author="Cleo"), TALK).asked in SILENT


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        (Line(text="lol", mentions_bot=True), AskedAs.YES),
        (Line(text="lol", replies_to=RepliesTo.BOT), AskedAs.YES),
        (Line(text="ask @Ben", mentions_bot=True, mentions_member=True), AskedAs.YES),
        (Line(text="thanks!", mentions_bot=True), AskedAs.THANKS),
        (Line(text="thank you so much", replies_to=RepliesTo.BOT), AskedAs.THANKS),
        (Line(text="thanks, and who is she?", mentions_bot=True), AskedAs.YES),
        (Line(text="@Ben who is Hallam?", mentions_member=True), AskedAs.NO),
        (Line(text="who is Hallam, @Ben?", mentions_member=True), AskedAs.NO),
        (Line(text="who is Hallam?", replies_to=RepliesTo.MEMBER), AskedAs.NO),
        (Line(text="bot?", replies_to=RepliesTo.MEMBER), AskedAs.YES),
        (Line(text="hey Thusfar, who is Hallam"), AskedAs.YES),
        (Line(text="https://example.com/a?b=c"), AskedAs.NO),
        (Line(text="!remind me"), AskedAs.NO),
        (Line(text="🎉"), AskedAs.NO),
        (Line(text=""), AskedAs.NO),
    ],
)
def test_what_is_plain_by_its_form(line: Line, asked: AskedAs) -> None:
    plain = by_form(line)
    assert plain is not None
    assert plain.asked is asked
    assert judge(line, TALK) == plain


@pytest.mark.parametrize(
    ("listen", "found"),
    [
        (Listen.MENTIONS, [AskedAs.NO, AskedAs.NO, AskedAs.NO, AskedAs.YES]),
        (Listen.ALL, [AskedAs.YES, AskedAs.YES, AskedAs.NO, AskedAs.YES]),
    ],
)
def test_what_a_thread_was_told_to_listen_to(listen: Listen, found: list[AskedAs]) -> None:
    lines = [
        Line(text="lol"),
        Line(text="who is Hallam?"),
        Line(text="who is Hallam?", mentions_member=True),
        Line(text="who is Hallam?", mentions_bot=True),
    ]
    assert [judge(line, listen=listen).asked for line in lines] == found


def test_a_direct_message_is_for_the_bot_and_thanks_need_no_answer() -> None:
    assert judge(Line(text="lol"), direct=True).asked is AskedAs.YES
    assert judge(Line(text="thanks a lot"), direct=True).asked is AskedAs.THANKS


@pytest.mark.parametrize(
    ("text", "thanks"),
    [
        *[(text, True) for text in ("thanks", "ty!", "Thank you, that helps", "danke dir", "good bot", "gracias")],
        *[(text, True) for text in ("ok thanks", "you did well buddy", "great, thank you so much for this")],
        *[(text, False) for text in ("thanks, who is she?", "thanks, now the vicar", "no thanks, tell me why")],
        *[(text, False) for text in ("who is Hallam", "", "thankless job", "thank the vicar for me and explain why")],
    ],
)
def test_what_only_thanks(text: str, thanks: bool) -> None:
    assert is_thanks(text) is thanks


def test_a_member_is_called_by_their_first_name() -> None:
    talk = (*SAID, Line(text="he's creepy", author="Marta García"))
    asks = Line(text="Marta, why do you think he left the house?", author="Ben")
    assert signals(asks, talk)["calls a member"] == signals(asks, talk)["names a member"] == 1
    assert judge(asks, talk).asked in SILENT


def test_an_answer_to_the_bots_question_is_one() -> None:
    asked = Line(text="Which of them do you mean: the keeper, or his son?", is_bot=True)
    assert judge(Line(text="the son", author="Ana"), (*SAID, asked)).asked in ANSWERED
    assert judge(Line(text="the son", author="Ana"), TALK).asked in SILENT


@pytest.mark.parametrize(
    "text", ["Who is Hallam?", "who's the Bishop again?", "ok who was Mr. Jones", "Who is Jim Hawkins?"]
)
def test_who_somebody_is_is_asked_of_the_bot_whatever_was_said(text: str) -> None:
    talk = (*TALK, Line(text="setpage ch 3 done", author="Ada", mentions_bot=True))
    assert judge(Line(text=text, author="Ben"), talk).asked in ANSWERED


def test_the_reasons_are_what_weighs_most() -> None:
    judged = judge(Line(text="who is Hallam?", author="Cleo"), TALK)
    assert 0 < judged.chance < 1
    assert judged.reasons
    assert all(reason.removeprefix("not: ") in fitted_score().weights for reason in judged.reasons)


def test_the_score_that_ships_weighs_the_signals_that_there_are() -> None:
    score = fitted_score()
    assert set(score.weights) == set(signals(Line(text="Who?"), SAID))
    assert 0 < score.perhaps < score.likely < score.sure < 1
    assert (
        read_talk_score('{"base": 0, "weights": {}, "lines": {"perhaps": 0.1, "likely": 0.4, "sure": 0.9}}').chance({})
        == 0.5
    )


@given(st.text(max_size=80), st.lists(st.tuples(st.text(max_size=40), st.booleans()), max_size=LOOKED_BACK + 3))
def test_whatever_is_said_can_be_judged(text: str, said: list[tuple[str, bool]]) -> None:
    before = [Line(text=words, author="" if is_bot else "Ana", is_bot=is_bot) for words, is_bot in said]
    judged = judge(Line(text=text, author="Ben"), before)
    assert isinstance(judged, AddressingVerdict)
    assert 0 <= judged.chance <= 1
    assert all(0 <= value <= 1 for value in signals(Line(text=text, author="Ben"), before).values())


@pytest.mark.parametrize("path", [THREADS, PRACTICE], ids=["fixtures", "practice"])
def test_on_labelled_threads_it_does_much_better_than_plain_rules(path: Path) -> None:
    if not path.exists():
        pytest.skip("these threads are not at hand")
    found = report(labelled_threads([path]))
    plain = found.yardsticks["mark or question word"]
    for one, least in ((found.rules.precision, 0.84), (found.rules.recall, 0.84)):
        assert one is not None
        assert one.value >= least
    assert found.rules.butted_in is not None
    assert plain.butted_in is not None
    assert found.rules.butted_in.value <= 0.08 < plain.butted_in.value
    assert min(found.settled.precision, found.settled.recall) >= 0.9


def test_a_line_is_judged_by_itself_and_what_stands_before_it_alone(tmp_path: Path) -> None:
    (thread, *_) = [json.loads(row) for row in THREADS.read_text(encoding="utf-8").splitlines()]
    whole = tmp_path / "whole.jsonl"
    whole.write_text(json.dumps(thread), encoding="utf-8")
    (full,) = labelled_threads([whole])
    for line in full.labelled():
        cut = thread | {"lines": thread["lines"][: line.number + 1]}
        whole.write_text(json.dumps(cut), encoding="utf-8")
        (short,) = labelled_threads([whole])
        again = short.lines[line.number]
        assert judge(again.line, short.before(again)) == judge(line.line, full.before(line))


@pytest.mark.parametrize("text", ["Who? " + "?" * 39_000 + "a", "?!" * 500 + "a", "so " * 13_000, " w" * 20_000])
def test_no_post_is_slow_to_judge(text: str) -> None:
    judge(Line(text="Who is that?"))
    began = process_time()
    judge(Line(text=text), [Line(text=text)])
    assert process_time() - began < 0.5
