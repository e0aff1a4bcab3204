"""The spoiler guard with a model behind it: what it doubts is held against read passages, and nothing else."""

from dataclasses import replace

from core.agent.verifier import Support, Verifier
from core.app.draft_judge import PASSAGES_A_SENTENCE, only_lacks_support
from core.app.search import SearchBooksUseCase
from core.domain.book import Book
from core.domain.deadline import TurnLimits
from core.domain.position import Position
from core.domain.verdict import Judgement, Reason, SentenceVerdict
from core.ports.guard import Guard


class VerifiedGuard:
    """Judges as the guard does, and asks the verifier once a text of the sentences in doubt (`thusfar guard --verify`).

    A sentence that leaks for certain is never shown to a model.
    """

    def __init__(self, *, guard: Guard, search_books: SearchBooksUseCase, verifier: Verifier) -> None:
        self._guard = guard
        self._search_books = search_books
        self._verifier = verifier

    async def judge(self, text: str, *, book: Book, position: Position) -> Judgement:
        """Return a verdict for each sentence; one in doubt leaks unless read passages support it."""
        judgement = await self._guard.judge(text, book=book, position=position)
        in_doubt = [each for each in judgement.sentences if each.doubtful or only_lacks_support(each)]
        found = [
            await self._search_books.execute(book.book_id, each.text, position=position, top_k=PASSAGES_A_SENTENCE)
            for each in in_doubt
        ]
        passages = {passage.chunk_id: passage for some in found for passage in some}
        verified = await self._verifier.verify(
            [each.text for each in in_doubt], list(passages.values()), deadline=TurnLimits().deadline()
        )
        settled = {id(each): _settled(each, told) for each, told in zip(in_doubt, verified, strict=True)}
        return Judgement(sentences=tuple(settled.get(id(each), each) for each in judgement.sentences))


def _settled(sentence: SentenceVerdict, support: Support) -> SentenceVerdict:
    if support is not Support.NOT:
        return replace(sentence, leaks=False, doubtful=False, reasons=())
    unsupported = Reason(kind="unsupported", page=None, evidence=sentence.text)
    return replace(sentence, leaks=True, doubtful=False, reasons=(*sentence.reasons, unsupported))
