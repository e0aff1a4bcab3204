"""How much of what an answer needs goes to a model with the question: by the search alone, and with pages along.

    python -m benchmarks.sent_along [FOLDER ...]

Folders are labelled books; without any, the practice books beside the repository. Of the honest drafts that a strong
model wrote (`drafts.jsonl`): the share of the pages they cite rightly that were sent, and of the labelled words that
bear them out. Of the questions that have an answer: for how many the words of it were sent. Letters are of the whole
message, medians and the most.
"""

import argparse
import asyncio
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.labelled import evidence_of, folded, folders, import_labelled, throwaway_house
from benchmarks.natural_model import read_drafts
from bot.wiring import Application
from core.answering.along import passages_along
from core.answering.search import TurnSearch
from core.answering.strategies import PrefetchStrategy
from core.domain.tool_use import PromptMessage
from core.guard.citations import cited_pages
from core.understanding.asked import understood
from tests.builders import a_question, says
from tests.fakes.chat_provider import ScriptedChatProvider

_LABEL = re.compile(r"\[p\. (\d+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """A question at a page, and the pages and words that its answer needs; of a labelled question any of the words."""

    book_id: str
    question: str
    page: int
    pages: frozenset[int] = frozenset()
    words: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """How much of what was needed a message held."""

    letters: int
    pages: int
    words: int


def main() -> None:
    """Print the figures of both ways."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*", help="labelled books")
    asyncio.run(_measure(folders(parser.parse_args().folders)))


async def _measure(chosen: Sequence[Path]) -> None:
    async with throwaway_house() as house:
        asked, evidence = await import_labelled(house, chosen), evidence_of(chosen)
        ids = {each.folder: each.book_id for each in asked}
        drafts = [need for folder in chosen for need in _drafts(folder, ids.get(folder.name, ""))]
        labelled = [
            Needed(book_id=each.book_id, question=each.text, page=each.at_page, words=evidence[each.folder, each.text])
            for each in asked
            if each.kind == "answerable"
        ]
        pages, words = sum(len(each.pages) for each in drafts), sum(len(each.words) for each in drafts)
        for name, along in (("the search alone", False), ("with pages along", True)):
            of_drafts = [await _sent(house, each, along=along) for each in drafts]
            of_labelled = [await _sent(house, each, along=along) for each in labelled]
            print(
                f"{name}: of {len(drafts)} drafts {sum(each.pages for each in of_drafts) / max(pages, 1):.2f} of the "
                f"cited pages and {sum(each.words for each in of_drafts) / max(words, 1):.2f} of the evidence; the "
                f"answer of {sum(each.words > 0 for each in of_labelled)} of {len(labelled)} questions; letters "
                f"{_letters(of_drafts)} and {_letters(of_labelled)}",
                flush=True,
            )


def _drafts(folder: Path, book_id: str) -> list[Needed]:
    found = []
    for draft in read_drafts(folder):
        supported = [each for each in draft.sentences if each.label == "supported"]
        pages = frozenset(page for each in supported for page in cited_pages(each.text))
        words = [folded(words) for each in supported for _, words in each.evidence]
        if draft.is_honest and pages:
            found.append(Needed(book_id=book_id, question=draft.question, page=draft.page, pages=pages, words=words))
    return found


async def _sent(house: Application, needed: Needed, *, along: bool) -> Sent:
    book, page = await house.library.get(needed.book_id), needed.page
    question = a_question(needed.question, TurnSearch(house.search, book, page), book=book, position=page)
    if along and understood(question).wants_book:
        question = replace(question, along=await passages_along(question, house.quoting.read_book(book, page)))
    model = ScriptedChatProvider(says("Yes."))
    await PrefetchStrategy().run(model, question, [PromptMessage(role="user", content=needed.question)])
    sent = model.asked[0].messages[-1].content
    text = folded(_LABEL.sub(" ", sent))
    return Sent(
        letters=len(sent),
        pages=len(needed.pages.intersection(map(int, _LABEL.findall(sent)))),
        words=sum(words in text for words in needed.words),
    )


def _letters(sent: Sequence[Sent]) -> str:
    letters = [each.letters for each in sent] or [0]
    return f"{statistics.median(letters):.0f} (at most {max(letters)})"


if __name__ == "__main__":
    main()
