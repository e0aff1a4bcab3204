"""The harness of recorded answers: `python -m benchmarks.recorded`, on a tiny book with recordings written by hand."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.recorded import Conversation, Run, main, play, read_conversations, told
from benchmarks.recorded_labels import read_labels, write_sheet
from benchmarks.recorded_model import RecordedModel, prompt_text
from bot.settings import Settings
from core.domain.errors import LLMError
from core.domain.tool_use import GenerationOptions, PromptMessage, ToolInvocation

_PAGES = (
    "The lighthouse keeper Hallam kept a grey goat named Bess. Every night he lit the lamp at nine.",
    "On Sunday the schooner Petrel struck the rocks. Hallam rowed out and saved the cook, Mrs. Dunmore.",
    "Mrs. Dunmore had stolen the captain's money, and Hallam never knew it.",
)
_QUESTION = "What did Hallam do when the schooner struck the rocks?"
_TRUE = "Hallam rowed out and saved the cook, Mrs. Dunmore (p. 2)."
_ALSO_TRUE = "Hallam lit the lamp at nine every night (p. 1)."
_INVENTED = "The cook thanked Hallam with a warm soup (p. 2)."


@pytest.fixture
def books(tmp_path: Path) -> Path:
    folder = tmp_path / "books" / "tiny"
    folder.mkdir(parents=True)
    (folder / "book.txt").write_text("\f".join(_PAGES), encoding="utf-8")
    (folder / "meta.json").write_text(json.dumps({"title": "The Lamp", "author": "A. Writer"}), encoding="utf-8")
    return tmp_path / "books"


def _asked(*turns: str, variant: str = "") -> Conversation:
    return Conversation(
        conversation_id="c1", book="tiny", page=2, turns=turns, kind="person", asked_by="Nora", variant=variant
    )


def _todo(folder: Path, role: str) -> Path:
    (found,) = (folder / role).glob("*.todo.md")
    return found


def _answer(todo: Path, **answer: object) -> None:
    todo.with_name(todo.name.replace(".todo.md", ".json")).write_text(json.dumps(answer), encoding="utf-8")


def _names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*.todo.md")}


async def _recorded(folder: Path, books: Path, *sentences: str, verdicts: str) -> Run:
    """Answer the writer's prompt, then the verifier's; return the run after that."""
    await play([_asked(_QUESTION)], folder, books)
    _answer(_todo(folder, "writer"), text=" ".join(sentences))
    await play([_asked(_QUESTION)], folder, books)
    _answer(_todo(folder, "verifier"), text=verdicts)
    return await play([_asked(_QUESTION)], folder, books)


async def test_a_question_is_played_as_far_as_its_recordings_reach(tmp_path: Path, books: Path) -> None:
    folder = tmp_path / "recordings"
    first = await play([_asked(_QUESTION)], folder, books)
    assert (len(first.turns), first.pending) == (0, 1)
    assert [*first.missing] == [_todo(folder, "writer")]
    assert f"Nora: {_QUESTION}" in _todo(folder, "writer").read_text(encoding="utf-8")

    last = await _recorded(
        folder, books, _TRUE, _INVENTED, _ALSO_TRUE, verdicts="1 SUPPORTED p2\n2 NOT\n3 SUPPORTED p1"
    )
    (turn,) = last.turns
    assert (last.pending, last.missing, _names(folder)) == (0, [], set())
    assert (turn.ended, turn.calls) == ("posted", 2)
    assert [(each.text, each.fate, each.posted) for each in turn.drafts[0]] == [
        (_TRUE, "kept", True),
        (_INVENTED, "unsupported", False),
        (_ALSO_TRUE, "kept", True),
    ]
    assert turn.text == f"{_TRUE} {_ALSO_TRUE}"
    assert turn.evidence > len(f"{_PAGES[1]}{_QUESTION}{_TRUE}{_INVENTED}{_ALSO_TRUE}")


async def test_what_the_verifier_is_shown_is_nothing_but_the_prompt(tmp_path: Path, books: Path) -> None:
    folder = tmp_path / "recordings"
    await play([_asked(_QUESTION, variant="slips")], folder, books)
    _answer(_todo(folder, "writer"), text=f"{_TRUE} {_INVENTED}")
    await play([_asked(_QUESTION, variant="slips")], folder, books)
    shown = _todo(folder, "verifier").read_text(encoding="utf-8")
    assert "Note: None." in shown
    assert _PAGES[1].split(". ")[0] in shown
    assert "never knew it" not in shown


async def test_a_writer_of_slips_has_a_prompt_of_its_own_that_differs_in_the_note_alone(
    tmp_path: Path, books: Path
) -> None:
    texts = {}
    for variant in ("", "slips"):
        folder = tmp_path / f"recordings{variant}"
        await play([_asked(_QUESTION, variant=variant)], folder, books)
        todo = _todo(folder, "writer")
        texts[todo.name] = todo.read_text(encoding="utf-8").partition("\n---\n")
    (honest, _, one), (slips, _, other) = texts.values()
    assert one == other
    assert "slip" not in honest
    assert "slip" in slips


async def test_prompts_have_the_same_names_in_each_run_after_tool_use_a_new_draft_and_a_follow_up(
    tmp_path: Path, books: Path
) -> None:
    conversation = _asked(_QUESTION, "and what of the goat?")
    asked = []
    for given in (
        {"tools": [{"name": "search_book", "arguments": {"query": "goat"}}]},
        {"text": _INVENTED},
        {"text": "1 NOT"},
        {"text": _TRUE},
        {"text": "1 SUPPORTED p2"},
        {"text": "Bess is a grey goat (p. 1)."},
        {"text": "1 SUPPORTED p1"},
    ):
        # Each run begins at the beginning, in a home of its own.
        (todo,) = (await play([conversation], tmp_path, books)).missing
        asked.append(todo.parent.name)
        _answer(todo, **given)
    last = await play([conversation], tmp_path, books)
    assert last.pending == 0
    assert asked == ["writer", "writer", "verifier", "writer", "verifier", "writer", "verifier"]
    assert [(turn.ended, turn.calls) for turn in last.turns] == [("redrafted", 5), ("posted", 2)]
    assert [each.fate for draft in last.turns[0].drafts for each in draft] == ["unsupported", "kept"]


async def test_a_changed_prompt_is_pending_again(tmp_path: Path) -> None:
    model = RecordedModel(folder=tmp_path, prompts_dir=Settings().prompts_dir)
    prompt = [PromptMessage(role="system", content="Be kind."), PromptMessage(role="user", content="Who is Bess?")]
    model.begin("", "c1")
    with pytest.raises(Exception, match="writer"):
        await model.chat(prompt)
    _answer(_todo(tmp_path, "writer"), text="A goat.", by="a reader")
    assert (await model.chat(prompt)).text == "A goat."
    assert model.answered_by == {("writer", "a reader"): 1}
    for changed in (
        [replace(prompt[0], content="Be kind!"), prompt[1]],
        [prompt[0], replace(prompt[1], author="Nora")],
        [prompt[0], replace(prompt[1], looked_at=(1,))],
    ):
        with pytest.raises(Exception, match="writer"):
            await model.chat(changed)
    assert len(_names(tmp_path)) == 3


def test_ids_of_calls_are_no_part_of_a_prompt_but_their_results_are() -> None:
    def text(name: str, result: str) -> str:
        call = ToolInvocation(tool_name="search_book", arguments={"query": "goat"}, invocation_id=name)
        used = PromptMessage(role="assistant", content="", tool_invocations=(call,))
        found = PromptMessage(role="tool_result", content=result, invocation_id=name)
        return prompt_text([PromptMessage(role="user", content="Who?"), used, found], (), GenerationOptions())

    assert text("one", "Bess") == text("other", "Bess") != text("one", "Hallam")
    assert "calls search_book" in text("one", "Bess")


async def test_flipped_verdicts_and_no_verifier_are_replayed_without_new_prompts(tmp_path: Path, books: Path) -> None:
    folder = tmp_path / "recordings"
    await _recorded(folder, books, _TRUE, _INVENTED, _ALSO_TRUE, verdicts="1 SUPPORTED p2\n2 NOT\n3 SUPPORTED p1")
    flipped = await play([_asked(_QUESTION)], folder, books, flips=1.0, seeds=(0, 1))
    assert [[each.fate for each in turn.drafts[0]] for turn in flipped.turns] == [
        ["unsupported", "kept", "unsupported"]
    ] * 2
    unverified = await play([_asked(_QUESTION, "and Bess?")], folder, books, verifies=False)
    assert [turn.calls for turn in unverified.turns] == [1]
    assert "1 turns finished, 1 conversations left out from where recordings end" in told(unverified, {})
    assert _names(folder) == set()


async def test_a_new_draft_that_flipped_verdicts_ask_for_is_written_by_nobody(tmp_path: Path, books: Path) -> None:
    await _recorded(tmp_path, books, _TRUE, verdicts="1 SUPPORTED p2")
    flipped = await play([_asked(_QUESTION)], tmp_path, books, flips=1.0, seeds=(0, 1))
    assert [turn.ended for turn in flipped.turns] == ["quoted", "quoted"]
    figures = told(flipped, dict.fromkeys(flipped.turns[0].sentences, "true"))
    assert "writer calls answered by nobody (a new draft): 2" in figures
    assert "of 1 honest answers whole 0.00" in figures
    assert "(by reason: unsupported 1)" in figures


async def test_a_recording_has_either_text_or_tools(tmp_path: Path) -> None:
    model = RecordedModel(folder=tmp_path, prompts_dir=Settings().prompts_dir)
    prompt = [PromptMessage(role="user", content="Who is Bess?")]
    with pytest.raises(Exception, match="writer"):
        await model.chat(prompt)
    _answer(_todo(tmp_path, "writer"), text="A goat.", tools=[])
    with pytest.raises(ValueError, match="either text or tools"):
        await model.chat(prompt)


async def test_a_missing_new_draft_is_an_error_of_the_model_when_replaying(tmp_path: Path) -> None:
    model = RecordedModel(folder=tmp_path, prompts_dir=Settings().prompts_dir, asks=False)
    reminder = PromptMessage(role="user", content="Write it anew.", is_reminder=True)
    with pytest.raises(LLMError):
        await model.chat([PromptMessage(role="user", content="Who is Bess?"), reminder])


async def test_labels_of_a_reader_give_the_figures_and_outlast_a_new_sheet(tmp_path: Path, books: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    run = await _recorded(tmp_path / "recordings", books, _TRUE, _ALSO_TRUE, verdicts="1 SUPPORTED p2\n2 NOT")
    write_sheet(sheet, run.turns)
    written = sheet.read_text(encoding="utf-8")
    assert [_TRUE in written, _ALSO_TRUE in written, "unsupported" in written, "NOT" in written] == [
        True, True, False, False
    ]  # fmt: skip
    assert read_labels(sheet) == {}
    assert "1 answers without all labels" in told(run, {})

    sheet.write_text(re.sub(r",,(\r?\n)", r",true,\1", written), encoding="utf-8")
    write_sheet(sheet, run.turns)
    assert {*read_labels(sheet).values()} == {"true"}
    figures = told(run, read_labels(sheet))
    assert "of 1 honest answers whole 0.00" in figures
    assert "of 2 sentences of honest answers lost 0.50" in figures
    assert "unsupported 1" in figures
    assert "of 0 slips posted -" in figures

    slipped = {key: "slip" if "rowed" in key[2] else "true" for key in read_labels(sheet)}
    assert "of 1 slips posted 1.00" in told(run, slipped)
    assert "of 0 honest answers" in told(run, slipped)


def test_the_command_keeps_the_results_and_removes_prompts_that_are_not_asked_any_more(
    tmp_path: Path, books: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    questions, folder = tmp_path / "questions.jsonl", tmp_path / "recordings"
    line = {"id": "c1", "book": "tiny", "page": 2, "kind": "person"}

    def run(question: str) -> str:
        questions.write_text(json.dumps(line | {"turns": [question]}), encoding="utf-8")
        given = ["recorded", str(questions), "--recordings", str(folder), "--books", str(books)]
        monkeypatch.setattr(sys, "argv", given)
        main()
        return capsys.readouterr().out

    assert "to be answered as writer: 1 prompts" in run("Who is Hallam?")
    outdated = _todo(folder, "writer")
    run("Who is the keeper?")
    assert _todo(folder, "writer") != outdated
    _answer(_todo(folder, "writer"), text=_TRUE)
    run("Who is the keeper?")
    _answer(_todo(folder, "verifier"), text="1 SUPPORTED p2", by="a reader")
    assert "verifier calls answered by a reader: 1" in run("Who is the keeper?")
    (result,) = map(json.loads, (folder / "results.jsonl").read_text(encoding="utf-8").splitlines())
    assert (result["ended"], result["text"]) == ("posted", _TRUE)
    assert result["drafts"] == [[{"text": _TRUE, "fate": "kept", "posted": True}]]


def test_several_people_record_at_once_and_leave_the_prompts_of_others(
    tmp_path: Path, books: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions, folder = tmp_path / "questions.jsonl", tmp_path / "recordings"

    def run(first: str, second: str, only: str, *options: str) -> None:
        asked = {"c1": first, "c2": second}
        lines = [{"id": each, "book": "tiny", "page": 2, "kind": "person", "turns": [asked[each]]} for each in asked]
        questions.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        given = ["recorded", str(questions), "--recordings", str(folder), "--books", str(books), "--only", only]
        monkeypatch.setattr(sys, "argv", [*given, *options])
        main()

    run("Who is Hallam?", "Who is Bess?", "c2")
    others = _todo(folder, "writer")
    run("Who is Hallam?", "Who is Bess?", "c1")
    (own,) = {*(folder / "writer").glob("*.todo.md")} - {others}
    run("Who is the keeper?", "Who is the goat?", "c1", "--background")
    assert (others.exists(), own.exists()) == (True, False)
    (changed,) = {*(folder / "writer").glob("*.todo.md")} - {others}
    assert "Outside the book:" in changed.read_text(encoding="utf-8")
    assert "Outside the book:" not in others.read_text(encoding="utf-8")
    assert {path.name for path in folder.glob("results*")} == {"results.c1.jsonl", "results.c2.jsonl"}
    with pytest.raises(ValueError, match="there is no conversation c3"):
        run("Who is Hallam?", "Who is Bess?", "c3")


def test_the_questions_cover_every_kind_at_the_middle_of_three_novels() -> None:
    questions = read_conversations(Path(__file__).parents[2] / "benchmarks" / "recorded" / "questions.jsonl")
    honest = [each for each in questions if not each.variant]
    kinds = [each.kind for each in honest]
    assert len({each.conversation_id for each in questions}) == len(questions)
    assert len(honest) == 48
    assert min(map(kinds.count, kinds)) >= 3
    assert sum(len(each.turns) > 1 for each in honest) == 12
    assert len({each.book for each in questions}) == 3
