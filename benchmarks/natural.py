"""Answers as a strong model writes them, labelled sentence by sentence: what of them reaches the club.

    python -m benchmarks.natural [--verifier all|doubt|off] [--errs SHARE] [--seeds N] [FOLDER ...]

Folders are labelled books with a `drafts.jsonl`; without any, the practice books beside the repository. Every draft is
what the model says when its question is asked, at its page, by its asker. The verifier answers by the labels, so that
what is measured is what reaches it and what is kept; a share of its verdicts may be wrong. With a key set (or another
model than none), that model verifies in its place, and the writer stays the scripted one. Without options: the
scripted verifier; one that errs in a tenth of its verdicts, as the mean of five draws, in four ways; none.

The writer's second draft is the first without its leaks and unsupported sentences. A token is four letters.
Honest figures are over the honest drafts, leaks over the leaking sentences, calls and tokens over all drafts.
"""

import argparse
import asyncio
import json
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.labelled import PRACTICE, throwaway_house
from benchmarks.natural_model import (
    BAD,
    GOOD,
    Calls,
    LabelledDraft,
    LabelledSentence,
    NaturalModel,
    key_of,
    read_drafts,
)
from bot.providers import chat_provider
from bot.settings import Settings
from bot.wiring import Application, build
from core.domain.book import Book
from core.domain.conversation import Author, TurnOutcome
from core.domain.question import IncomingMessage
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread
from core.ports.chat_provider import ChatProvider

CERTAIN: Final = frozenset({"name", "quote", "unreadable", "citation"})
_TENTH: Final = 0.1
_SEEDS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What became of one draft, and what it took."""

    draft: LabelledDraft
    outcome: TurnOutcome
    calls: Calls

    @property
    def kept(self) -> list[LabelledSentence]:
        """The sentences of it that were posted, in prose."""
        if self.outcome.quotes_only:
            return []
        posted = key_of(self.outcome.text)
        return [each for each in self.draft.sentences if each.key in posted]

    @property
    def is_whole(self) -> bool:
        """Whether every sentence was posted."""
        return len(self.kept) == len(self.draft.sentences)

    def leaks_unseen(self) -> list[LabelledSentence]:
        """Return its leaks that neither a rule nor the verifier saw."""
        if CERTAIN & self.outcome.blocks.keys():
            return []
        leaks = (each for each in self.draft.sentences if each.label == "leak")
        return [each for each in leaks if each.key not in self.calls.asked_about]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What became of all drafts; shares are 0 to 1."""

    honest: int
    whole: float
    shortened: float
    lost: float
    leaks: int
    leaks_posted: float
    unsupported_posted: float
    leaks_unseen: float
    good_kept: float
    good_kept_honest: float
    calls: float
    tokens: float
    verifier_tokens: float
    most_verifier_tokens: int

    def __str__(self) -> str:
        return (
            f"of {self.honest} honest drafts {self.whole:.1%} posted whole, {self.shortened:.1%} without a sentence, "
            f"{self.lost:.1%} lost; of supported and opinion sentences {self.good_kept:.1%} kept "
            f"({self.good_kept_honest:.1%} of the honest drafts')\n"
            f"  of {self.leaks} leaks {self.leaks_posted:g} posted, {self.leaks_unseen:g} seen by neither rule nor "
            f"verifier; {self.unsupported_posted:g} unsupported sentences posted\n"
            f"  {self.calls:.2f} calls and {self.tokens:.0f} tokens in an answer; of the verifier's prompts "
            f"{self.verifier_tokens:.0f} tokens in the median, {self.most_verifier_tokens} at most"
        )


def figures(played: Sequence[Played]) -> Figures:
    """Sum up; several plays of the same drafts are averaged."""
    honest = [each for each in played if each.draft.is_honest]
    rounds = len(played) / len({each.draft.draft_id for each in played})
    asked = [tokens for each in played for tokens in each.calls.verifier_tokens]
    whole = sum(each.is_whole for each in honest) / len(honest)
    lost = sum(each.outcome.quotes_only for each in honest) / len(honest)
    return Figures(
        honest=round(len(honest) / rounds),
        whole=whole,
        shortened=1 - whole - lost,
        lost=lost,
        leaks=round(sum(_count(each.draft.sentences, "leak") for each in played) / rounds),
        leaks_posted=sum(_count(each.kept, "leak") for each in played) / rounds,
        unsupported_posted=sum(_count(each.kept, "unsupported") for each in played) / rounds,
        leaks_unseen=sum(len(each.leaks_unseen()) for each in played) / rounds,
        good_kept=_kept(played),
        good_kept_honest=_kept(honest),
        calls=statistics.mean(each.calls.all for each in played),
        tokens=statistics.mean(each.calls.tokens for each in played),
        verifier_tokens=statistics.median(asked) if asked else 0.0,
        most_verifier_tokens=max(asked, default=0),
    )


def _count(sentences: Sequence[LabelledSentence], label: str) -> int:
    return sum(each.label == label for each in sentences)


def _kept(played: Sequence[Played]) -> float:
    said = sum(each.label in GOOD for one in played for each in one.draft.sentences)
    return sum(each.label in GOOD for one in played for each in one.kept) / max(said, 1)


async def play(
    folders: Sequence[Path],
    *,
    verifier: str | None,
    errs: float = 0.0,
    seeds: int = 1,
    real: ChatProvider | None = None,
    draws_anew: bool = False,
    verifier_model: str | None = None,
) -> list[Played]:
    """Play every draft of the folders, once for each seed; `verifier` None is the default of the settings.

    A verifier that draws its errors anew may say otherwise when it is asked again. With a `verifier_model` it is one
    apart, which is asked twice.
    """
    chosen = {} if verifier is None else {"THUSFAR_VERIFIER": verifier}
    chosen |= {} if verifier_model is None else {"THUSFAR_VERIFIER_MODEL": verifier_model}
    async with throwaway_house(THUSFAR_PROVIDER="none", **chosen) as shelf:
        books = {folder: await _imported(shelf, folder) for folder in folders}
        played = []
        for seed in range(seeds):
            model = NaturalModel(shelf.settings.prompts_dir, errs=errs, seed=seed, verifier=real, draws_anew=draws_anew)
            house = build(shelf.settings, answers_with=model)
            try:
                for folder, book in books.items():
                    played += [await _played(house, model, draft, book) for draft in read_drafts(folder)]
            finally:
                await house.close()
        return played


async def _imported(house: Application, folder: Path) -> Book:
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    text = folder / "book.txt"
    return (await house.library.add(text, scope=LOCAL_SCOPE, title=meta["title"], author=meta.get("author"))).book


async def _played(house: Application, model: NaturalModel, draft: LabelledDraft, book: Book) -> Played:
    model.says(draft)
    message = IncomingMessage(
        thread=Thread(scope=LOCAL_SCOPE, place="natural", thread=""),
        author=Author(member_id=f"local:{draft.asked_by.casefold()}", display_name=draft.asked_by),
        text=draft.question,
        book_id=book.book_id,
        page=draft.page,
    )
    answered = await house.answer_message.answer_unrecorded(message, book)
    if answered.error is not None:
        raise answered.error
    return Played(draft=draft, outcome=answered.outcome, calls=model.calls)


def _told(played: Sequence[Played]) -> None:
    """Print what went otherwise than the labels want."""
    for each in played:
        kept = {one.key for one in each.kept}
        wrong = [one for one in each.draft.sentences if (one.label in BAD) == (one.key in kept)]
        if wrong:
            print(f"{each.draft.draft_id} {dict(each.outcome.blocks)} {dict(Counter(one.label for one in wrong))}")
            print("\n".join(f"    {one.label}: {one.text}" for one in wrong))


async def _measure(options: argparse.Namespace) -> None:
    folders = [Path(name) for name in options.folders] or sorted(PRACTICE.glob("*"))
    folders = [folder for folder in folders if read_drafts(folder)]
    if not folders:
        print("There are no drafts: name folders with a drafts.jsonl.")
        return
    real = chat_provider(Settings())
    try:
        if options.verifier or options.errs or options.seeds > 1 or real is not None:
            name = f"{real.name} {real.model} verifies" if real else f"errs in {options.errs:.0%}"
            played = await play(folders, verifier=options.verifier, errs=options.errs, seeds=options.seeds, real=real)
            print(f"verifier {options.verifier or 'as set'}, {name}: {figures(played)}", flush=True)
            if options.each:
                _told(played)
            return
    finally:
        if real is not None:
            await real.close()
    print(f"the verifier answers by the labels: {figures(await play(folders, verifier=None))}", flush=True)
    for draws_anew, apart in ((False, None), (True, None), (False, "small"), (True, "small")):
        erring = await play(
            folders, verifier=None, errs=_TENTH, seeds=_SEEDS, draws_anew=draws_anew, verifier_model=apart
        )
        how = "anew in every call" if draws_anew else "the same whenever it is asked"
        who = "a model apart, asked twice," if apart else "it"
        print(f"{who} errs in a tenth of its verdicts, {how}: {figures(erring)}", flush=True)
    print(f"without a verifier: {figures(await play(folders, verifier='off'))}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--verifier", choices=["all", "doubt", "off"])
    parser.add_argument("--errs", type=float, default=0.0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--each", action="store_true", help="tell of every draft that went otherwise than labelled")
    parser.add_argument("folders", nargs="*")
    asyncio.run(_measure(parser.parse_args()))


if __name__ == "__main__":
    main()
