"""A draft weighed where a verifier is: what is certain falls, and of all else it decides."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from core.agent.citations import cited_pages
from core.agent.verifier import CALLS, ToVerify, Verifier
from core.app.evidence import evidence_for
from core.app.guard_findings import Looked, speakers_of
from core.app.weighed import UNSUPPORTED, Weighed, unread_citations
from core.domain.errors import LLMError
from core.domain.question import Question
from core.domain.verdict import Verdict, Verify
from core.ports.books import BookRepository

_log = logging.getLogger(__name__)


class Verifying:
    """Makes one call a draft; where the verifier is a smaller model, one more about a no that all else speaks against.

    That a sentence rests on its page and scores low never saves it: slips are folded into such sentences.
    """

    def __init__(self, *, verifier: Verifier, books: BookRepository) -> None:
        self._verifier = verifier
        self._books = books

    @property
    def looks_at_clauses(self) -> bool:
        """Whether a clause may make a sentence doubtful; where all is asked about, none needs to."""
        return self._verifier.scope is Verify.DOUBT

    async def weighed(self, looked: Sequence[Looked], question: Question, cited: Mapping[int, str]) -> Weighed:
        """Weigh a draft; `cited` are the texts of the read pages that it cites."""
        certain = _certain(looked, question)
        shown = [at for at in range(len(looked)) if at not in certain]
        told: dict[int, Verdict] = {}
        again: list[int] = []
        calls = 0
        if any(self._asks_about(looked[at]) for at in shown):
            # What is certain to fall is shown to no model; of the rest all is, for a sentence hangs on those before it.
            told, calls = await self._told(looked, shown, question, cited)
            again = self._to_ask_again(looked, told, question)
        if again:
            second, more = await self._told_again(looked, again, question, cited)
            told, calls = told | second, calls + more
        verdicts = {at: _stands_as(each) for at, each in enumerate(looked)}
        verdicts |= told | dict.fromkeys(certain, Verdict.NOT)
        unsupported = [at for at, verdict in told.items() if verdict is Verdict.NOT]
        rules = Counter([*chain.from_iterable(certain.values()), *(UNSUPPORTED for _ in unsupported)])
        return Weighed(
            fallen={*certain, *unsupported},
            verdicts=list(verdicts.values()),
            rules=dict(rules),
            verifier_calls=calls,
        )

    def _to_ask_again(self, looked: Sequence[Looked], told: Mapping[int, Verdict], question: Question) -> list[int]:
        if not self._verifier.looks_twice:
            return []
        fell = (at for at, verdict in told.items() if verdict is Verdict.NOT)
        return [at for at in fell if _seems_borne_out(looked[at], question)]

    def _asks_about(self, looked: Looked) -> bool:
        """Whether a sentence makes a call necessary: by the verifier's scope, any but our own, or doubts alone."""
        if looked.is_fixed:
            return False
        is_doubtful = looked.is_suspect or looked.lacks_page or looked.is_bare
        return is_doubtful or self._verifier.scope is Verify.ALL

    async def _told_again(
        self, looked: Sequence[Looked], again: Sequence[int], question: Question, cited: Mapping[int, str]
    ) -> tuple[dict[int, Verdict], int]:
        """Return what the verifier says where it sees those alone that it said no to, with the pages they cite.

        Where that call fails, its no stays.
        """
        own = {page for at in again for page in cited_pages(looked[at].said.text)}
        try:
            return await self._told(looked, again, question, {page: cited[page] for page in cited if page in own})
        except LLMError as error:
            _log.warning("The verifier gave no second opinion: %s", error)
            return {}, CALLS

    async def _told(
        self, looked: Sequence[Looked], shown: Sequence[int], question: Question, cited: Mapping[int, str]
    ) -> tuple[dict[int, Verdict], int]:
        """Return what the verifier says of each sentence that it is shown, and how many calls that took.

        Raises:
            LLMError: it failed twice.
        """
        said = [looked[at].said.text for at in shown]
        stated = [looked[at].said.text for at in shown if not looked[at].is_fixed]
        name = question.author.display_name
        verified = await self._verifier.verify(
            ToVerify(
                sentences=said,
                pages=await evidence_for(stated, cited, question, self._books),
                question=f"{name}: {question.text}" if name else question.text,
            ),
            deadline=question.deadline,
            on_event=question.log.take,
        )
        return dict(zip(shown, verified.verdicts, strict=True)), verified.calls


def _seems_borne_out(looked: Looked, question: Question) -> bool:
    """Whether a sentence cites a read page that holds most of its matter, and its score says nothing against it.

    A page that has a name or a quotation does not bear out that it answers the question.
    """
    if looked.is_bare:
        return False
    cites = any(0 < page <= (question.position or 0) for page in cited_pages(looked.said.text))
    return cites and not looked.lacks_page and not looked.is_suspect


def _certain(looked: Sequence[Looked], question: Question) -> dict[int, list[str]]:
    """Return what falls whatever a verifier would say, with its rules; what cannot be read takes the whole draft."""
    spoken_of = (question.text, *speakers_of(question))
    found = [each.certain_rules(spoken_of=spoken_of) + unread_citations(each, question) for each in looked]
    is_unreadable = any(each.is_unreadable for each in looked)
    return {at: rules for at, rules in enumerate(found) if rules or is_unreadable}


def _stands_as(looked: Looked) -> Verdict:
    """Return what a sentence is that no verifier was asked about."""
    if looked.is_fixed:
        return Verdict.ABSTAIN
    return Verdict.SUPPORTED if looked.rests_on_pages and not looked.is_courtesy else Verdict.TALK
