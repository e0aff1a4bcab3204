"""The spoiler guard with a verifier: a model compares sentences in doubt with read passages, and sees nothing else."""

from dataclasses import replace
from typing import Final

from core.answering.search import SearchBooksUseCase
from core.domain.book import Book
from core.domain.position import Position
from core.domain.tool_use import TurnLimits
from core.domain.verdict import Judgement, Reason, SentenceVerdict, Verdict
from core.guard.findings import is_certain
from core.guard.verifier import Verifier, texts_by_page
from core.ports.guard import Guard

_PASSAGES_A_SENTENCE: Final = 3


class VerifiedGuard:
    """Judges a text by the guard, then asks the verifier once about the sentences in doubt (`thusfar guard --verify`).

    A sentence that certainly leaks is never sent to a model.
    """

    def __init__(self, *, guard: Guard, search_books: SearchBooksUseCase, verifier: Verifier) -> None:
        self._guard = guard
        self._search_books = search_books
        self._verifier = verifier

    async def judge(self, text: str, *, book: Book, position: Position) -> Judgement:
        """Return a verdict for each sentence. A sentence in doubt leaks unless read passages support it.

        Raises:
            LLMError: the verifier failed.
        """
        judgement = await self._guard.judge(text, book=book, position=position)
        in_doubt = [each for each in judgement.sentences if _is_in_doubt(each)]
        found = [
            passage
            for each in in_doubt
            for passage in await self._search_books.execute(
                book.book_id, each.text, position=position, top_k=_PASSAGES_A_SENTENCE
            )
        ]
        pages = texts_by_page({passage.chunk_id: passage for passage in found}.values())
        told, _ = await self._verifier.verify([each.text for each in in_doubt], pages, deadline=TurnLimits().deadline())
        verdicts = iter(told)
        return Judgement(
            sentences=tuple(
                _settled(each, next(verdicts).verdict) if _is_in_doubt(each) else each for each in judgement.sentences
            )
        )


def _is_in_doubt(sentence: SentenceVerdict) -> bool:
    return (sentence.doubtful or sentence.leaks) and not any(map(is_certain, sentence.reasons))


def _settled(sentence: SentenceVerdict, verdict: Verdict) -> SentenceVerdict:
    if verdict.may_be_posted:
        return replace(sentence, leaks=False, doubtful=False, reasons=())
    unsupported = Reason(kind="unsupported", page=None, evidence=sentence.text)
    return replace(sentence, leaks=True, doubtful=False, reasons=(*sentence.reasons, unsupported))
