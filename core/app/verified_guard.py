"""The spoiler guard with a model behind it: what is not certain is held against read passages, and nothing else."""

from dataclasses import replace
from typing import Final

from core.agent.verifier import ToVerify, Verifier
from core.app.search import SearchBooksUseCase
from core.domain.book import Book
from core.domain.position import Position
from core.domain.tool_use import TurnLimits
from core.domain.verdict import Judgement, Reason, SentenceVerdict, Verdict
from core.ports.guard import Guard

_PASSAGES_A_SENTENCE: Final = 3
_SETTLED_BY_NOBODY: Final = frozenset({"quote", "name", "unreadable"})


class VerifiedGuard:
    """Judges as the guard does, and asks the verifier once a text of the sentences in doubt (`thusfar guard --verify`).

    A sentence that leaks for certain is never shown to a model.
    """

    def __init__(self, *, guard: Guard, search_books: SearchBooksUseCase, verifier: Verifier) -> None:
        self._guard = guard
        self._search_books = search_books
        self._verifier = verifier

    async def judge(self, text: str, *, book: Book, position: Position) -> Judgement:
        """Return a verdict for each sentence; one in doubt leaks unless read passages support it.

        Raises:
            LLMError: the verifier failed.
        """
        judgement = await self._guard.judge(text, book=book, position=position)
        in_doubt = [each for each in judgement.sentences if _is_in_doubt(each)]
        pages: dict[int, str] = {}
        for sentence in in_doubt:
            for passage in await self._search_books.execute(
                book.book_id, sentence.text, position=position, top_k=_PASSAGES_A_SENTENCE
            ):
                said = pages.get(passage.start_page, "")
                if passage.text not in said:
                    pages[passage.start_page] = f"{said}\n{passage.text}".strip()
        verified = await self._verifier.verify(
            ToVerify(sentences=[each.text for each in in_doubt], pages=pages), deadline=TurnLimits().deadline()
        )
        settled = {id(each): _settled(each, told) for each, told in zip(in_doubt, verified.verdicts, strict=True)}
        return Judgement(sentences=tuple(settled.get(id(each), each) for each in judgement.sentences))


def _is_in_doubt(sentence: SentenceVerdict) -> bool:
    is_certain = any(
        reason.kind in _SETTLED_BY_NOBODY and (reason.kind != "name" or reason.page is not None)
        for reason in sentence.reasons
    )
    return not is_certain and (sentence.doubtful or sentence.leaks)


def _settled(sentence: SentenceVerdict, verdict: Verdict) -> SentenceVerdict:
    if verdict is not Verdict.NOT:
        return replace(sentence, leaks=False, doubtful=False, reasons=())
    unsupported = Reason(kind="unsupported", page=None, evidence=sentence.text)
    return replace(sentence, leaks=True, doubtful=False, reasons=(*sentence.reasons, unsupported))
