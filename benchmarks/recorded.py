"""What becomes of answers that models wrote and verified, each from nothing but the prompt of the program.

    python -m benchmarks.recorded QUESTIONS.jsonl --recordings FOLDER [--books FOLDER] [--sheet FILE] [--labels FILE]
        [--only ID,ID] [--background] [--flip SHARE --seed N | --no-verifier]

A line of QUESTIONS is a conversation: `{"id", "book", "page", "turns": ["question", "follow-up"], "kind"}`, `book` a
folder of `--books`; also `asked_by`, and `"variant": "slips"` for a writer who is asked to let something slip. Every
model call is looked up in the folder of recordings by the SHA-256 of its prompt. A prompt without an answer is written
there to be answered, and its conversation is pending until the next run. `results.jsonl` there says what became of each
draft. README.md of this folder says how recordings and labels are made.

`--only` plays some conversations, so that several people can record at once in one folder: it writes its results to a
file of its own there and leaves the prompts of others. `--background` lets the writer add what is generally known.

`--flip` turns a share of the recorded verdicts round, as a model that errs; its figures are means of ten draws. That
and `--no-verifier` only replay: where a new draft would be asked for that nobody has written, what is left of the first
one counts, and a turn that is not recorded in this form is left out.
"""

import argparse
import asyncio
import json
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from benchmarks.labelled import PRACTICE, throwaway_house
from benchmarks.natural_model import key_of
from benchmarks.recorded_labels import KEPT, Drafted, Figures, SheetKey, Turn, read_labels, write_sheet
from benchmarks.recorded_model import NotRecordedError, RecordedModel, conversation_of
from bot.wiring import Application, build
from core.answering.ask import AskRequest
from core.domain.conversation import Author, TurnOutcome
from core.domain.errors import LLMError
from core.domain.messages import is_off_topic
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread
from core.guard.findings import SentenceFinding

KINDS: Final = frozenset(
    {
        "recap", "comparison", "person", "follow_up", "abstention", "guess", "background", "french", "chapter",
        "opinion", "joke",
    }
)  # fmt: skip
_DRAWS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Some questions by one member at a page."""

    conversation_id: str
    book: str
    page: int
    turns: tuple[str, ...]
    kind: str
    asked_by: str
    variant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The finished turns of a run, the prompts that nobody has answered, and who answered the others."""

    turns: Sequence[Turn]
    missing: Sequence[Path]
    pending: int
    answered_by: Counter[tuple[str, str]]


def read_conversations(file: Path) -> list[Conversation]:
    """Read the questions. Raises ValueError for a kind that is not known."""
    read = []
    for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        if line["kind"] not in KINDS:
            raise ValueError(f"{line['id']}: there is no kind {line['kind']!r}")
        read.append(
            Conversation(
                conversation_id=line["id"],
                book=line["book"],
                page=line["page"],
                turns=tuple(line["turns"]),
                kind=line["kind"],
                asked_by=line.get("asked_by", "Nora"),
                variant=line.get("variant", ""),
            )
        )
    return read


async def play(
    conversations: Sequence[Conversation],
    recordings: Path,
    books: Path,
    *,
    verifies: bool = True,
    background: bool = False,
    flips: float = 0.0,
    seeds: Sequence[int] = (0,),
) -> Run:
    """Play each conversation as far as its recordings reach, once for each seed."""
    # What differs from machine to machine would change the prompts: a larger embedding model, the time that is left.
    async with throwaway_house(
        THUSFAR_PROVIDER="none",
        THUSFAR_EMBEDDINGS="wordllama",
        THUSFAR_TURN_SECONDS=900,
        THUSFAR_QUESTIONS_A_MINUTE=100_000,
        THUSFAR_BACKGROUND=background,
        **({} if verifies else {"THUSFAR_VERIFIER": "off"}),
    ) as shelf:
        ids = {name: await _imported(shelf, books / name) for name in sorted({each.book for each in conversations})}
        turns: list[Turn] = []
        missing: list[Path] = []
        pending, answered_by = 0, Counter[tuple[str, str]]()
        for seed in seeds:
            model = RecordedModel(
                folder=recordings,
                prompts_dir=shelf.settings.prompts_dir,
                asks=verifies and not flips,
                verifies=verifies,
                flips=flips,
                seed=seed,
            )
            reviews: list[Sequence[SentenceFinding]] = []
            house = build(shelf.settings, answers_with=model, stays=False, on_findings=reviews.append)
            try:
                for each in conversations:
                    found = await _played(house, model, reviews, each, ids[each.book], seed)
                    turns += found
                    missing += model.missing if model.asks else ()
                    pending += len(found) < len(each.turns)
            finally:
                await house.close()
            answered_by += model.answered_by
    return Run(turns=turns, missing=missing, pending=pending, answered_by=answered_by)


async def _imported(house: Application, folder: Path) -> str:
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    book = (
        await house.library.add(folder / "book.txt", scope=LOCAL_SCOPE, title=meta["title"], author=meta.get("author"))
    ).book
    await house.library.complete(book.book_id)
    return book.book_id


async def _played(
    house: Application,
    model: RecordedModel,
    reviews: list[Sequence[SentenceFinding]],
    conversation: Conversation,
    book_id: str,
    seed: int,
) -> list[Turn]:
    """Return the finished turns of a conversation; it stops at the first that lacks a recording.

    `reviews` gets the findings of each draft.
    """
    turns: list[Turn] = []
    thread = Thread(scope=LOCAL_SCOPE, place="recorded", thread=f"{conversation.conversation_id} {seed}")
    author = Author(member_id=f"local:{conversation.asked_by.casefold()}", display_name=conversation.asked_by)
    for number, question in enumerate(conversation.turns, start=1):
        model.begin(conversation.variant, conversation.conversation_id)
        reviews.clear()
        asked = AskRequest(question=question, book_id=book_id, page=conversation.page, thread=thread, author=author)
        try:
            outcome = (await house.ask.execute(asked)).outcome
        except NotRecordedError:
            return turns
        except LLMError as error:
            print(f"{conversation.conversation_id}: {error}")
            outcome = TurnOutcome(text="")
        if model.missing:
            return turns
        turns.append(
            Turn(
                conversation=conversation.conversation_id,
                turn=str(number),
                book=conversation.book,
                page=conversation.page,
                kind=conversation.kind,
                variant=conversation.variant,
                question=question,
                ended=_ended(outcome, len(reviews)),
                text=outcome.text,
                drafts=tuple(
                    tuple(_drafted(each, outcome, is_last=findings is reviews[-1]) for each in findings)
                    for findings in reviews
                ),
                calls=model.calls,
                tokens=model.tokens,
                evidence=model.evidence,
            )
        )
    return turns


def _ended(outcome: TurnOutcome, drafts: int) -> str:
    if not drafts or not outcome.text or is_off_topic(outcome.text):
        return "refused"
    if outcome.quotes_only:
        return "quoted"
    return "redrafted" if drafts > 1 else "posted"


def _drafted(finding: SentenceFinding, outcome: TurnOutcome, *, is_last: bool) -> Drafted:
    """Return what became of a sentence: it was kept, fell by rules, fell with its neighbours, or with its draft."""
    is_known = key_of(finding.text) in key_of(outcome.text) or finding.text in outcome.text
    is_posted = not outcome.quotes_only and is_known
    if finding.falls:
        fate = "+".join(finding.rules) or "whole answer fell"
    elif is_posted:
        fate = KEPT
    elif outcome.quotes_only:
        fate = "whole answer fell"
    else:
        fate = "neighbour fell" if is_last else "redrafted"
    return Drafted(text=finding.text, fate=fate, posted=is_posted)


def told(run: Run, labels: Mapping[SheetKey, str]) -> str:
    """Return what was finished, what is pending, and the figures of each kind and in all."""
    state = "pending" if run.missing or not run.pending else "left out from where recordings end"
    lines = [f"{len(run.turns)} turns finished, {run.pending} conversations {state}"]
    lines += [f"{role} calls answered by {by}: {count}" for (role, by), count in sorted(run.answered_by.items())]
    for role in sorted({each.parent.name for each in run.missing}):
        sizes = [len(each.read_text(encoding="utf-8")) for each in {*run.missing} if each.parent.name == role]
        lines.append(
            f"to be answered as {role}: {len(sizes)} prompts, of {statistics.median(sizes):,.0f} letters in the "
            f"median, {max(sizes):,} at most"
        )
    by_kind = {kind: [each for each in run.turns if each.kind == kind] for kind in sorted(KINDS)} | {"all": run.turns}
    figures = [f"{kind}: {Figures(turns, labels)}" for kind, turns in by_kind.items() if turns]
    return "\n".join([*lines, *figures])


def _chosen(conversations: Sequence[Conversation], only: Sequence[str]) -> Sequence[Conversation]:
    """Return the conversations with these ids, or all if none is given. Raises ValueError for an unknown id."""
    if unknown := {*only} - {each.conversation_id for each in conversations}:
        raise ValueError(f"there is no conversation {', '.join(sorted(unknown))}")
    return [each for each in conversations if not only or each.conversation_id in only]


async def _measure(options: argparse.Namespace) -> None:
    replays = options.flip > 0 or options.no_verifier
    conversations = _chosen(read_conversations(options.questions), options.only)
    run = await play(
        conversations,
        options.recordings,
        options.books,
        verifies=not options.no_verifier,
        background=options.background,
        flips=options.flip,
        seeds=range(options.seed, options.seed + _DRAWS) if options.flip else (options.seed,),
    )
    if not replays:
        results = "".join(json.dumps(asdict(each), ensure_ascii=False) + "\n" for each in run.turns)
        options.recordings.mkdir(parents=True, exist_ok=True)
        name = f"results.{options.only[0]}.jsonl" if options.only else "results.jsonl"
        (options.recordings / name).write_text(results, encoding="utf-8")
        played = {each.conversation_id for each in conversations}
        for other in {*options.recordings.glob("*/*.todo.md")} - {*run.missing}:
            if not options.only or conversation_of(other) in played:
                other.unlink(missing_ok=True)
    if options.sheet:
        write_sheet(options.sheet, run.turns)
    print(told(run, read_labels(options.labels) if options.labels else {}))


def main() -> None:
    """Play the questions as far as they are recorded, and print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("--recordings", type=Path, required=True)
    parser.add_argument("--books", type=Path, default=PRACTICE)
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--only", type=lambda given: given.split(","), default=[])
    parser.add_argument("--background", action="store_true")
    parser.add_argument("--flip", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-verifier", action="store_true")
    asyncio.run(_measure(parser.parse_args()))


if __name__ == "__main__":
    main()
