"""A draft weighed where a verifier is: what is certain falls, and of all else that states something it decides."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from core.agent.citations import cited_pages
from core.agent.verifier import ToVerify, Verifier
from core.app.evidence import evidence_for
from core.app.guard_findings import Looked, speakers_of
from core.app.weighed import UNSUPPORTED, Weighed, unread_citations
from core.domain.question import Question
from core.domain.verdict import Verdict, Verify
from core.ports.books import BookRepository
from core.text.small_talk import abstains


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
        asked = [at for at, each in enumerate(looked) if at not in certain and self._is_asked(each, question)]
        told = await self._told(looked, asked, certain, question, cited) if asked else {}
        again = self._to_ask_again(looked, told, question)
        if again:
            told |= await self._told_again(looked, again, question, cited)
        verdicts = {at: _stands_as(each, question) for at, each in enumerate(looked)}
        verdicts |= told | dict.fromkeys(certain, Verdict.NOT)
        unsupported = [at for at, verdict in told.items() if verdict is Verdict.NOT]
        rules = Counter([*chain.from_iterable(certain.values()), *(UNSUPPORTED for _ in unsupported)])
        return Weighed(
            fallen={*certain, *unsupported},
            verdicts=list(verdicts.values()),
            rules=dict(rules),
            verifier_calls=int(bool(asked)) + int(bool(again)),
        )

    def _to_ask_again(self, looked: Sequence[Looked], told: Mapping[int, Verdict], question: Question) -> list[int]:
        if not self._verifier.looks_twice:
            return []
        fell = (at for at, verdict in told.items() if verdict is Verdict.NOT)
        return [at for at in fell if _seems_borne_out(looked[at], question)]

    def _is_asked(self, looked: Looked, question: Question) -> bool:
        """Whether the verifier decides of a sentence: by its scope, of all that states something or of doubts alone."""
        if looked.is_beyond_doubt or abstains(looked.bare, question.text):
            return False
        return self._verifier.scope is Verify.ALL or looked.is_suspect or looked.lacks_page

    async def _told(
        self,
        looked: Sequence[Looked],
        asked: Sequence[int],
        certain: Mapping[int, Sequence[str]],
        question: Question,
        cited: Mapping[int, str],
    ) -> dict[int, Verdict]:
        """Return what the verifier says of those that are asked about.

        What is certain to fall is shown to no model; of the rest all is, for a sentence hangs on those before it.
        """
        shown = [at for at in range(len(looked)) if at not in certain]
        return await self._asked_of(looked, shown, asked, question, cited)

    async def _told_again(
        self, looked: Sequence[Looked], again: Sequence[int], question: Question, cited: Mapping[int, str]
    ) -> dict[int, Verdict]:
        """Return what the verifier says where it sees those alone that it said no to, with the pages they cite."""
        own = {page for at in again for page in cited_pages(looked[at].said.text)}
        return await self._asked_of(
            looked, again, again, question, {page: text for page, text in cited.items() if page in own}
        )

    async def _asked_of(
        self,
        looked: Sequence[Looked],
        shown: Sequence[int],
        asked: Sequence[int],
        question: Question,
        cited: Mapping[int, str],
    ) -> dict[int, Verdict]:
        said = [each.said.text for each in looked]
        name = question.author.display_name
        verdicts = await self._verifier.verify(
            ToVerify(
                sentences=[said[at] for at in shown],
                pages=await evidence_for([said[at] for at in asked], cited, question, self._books),
                question=f"{name}: {question.text}" if name else question.text,
            ),
            deadline=question.deadline,
            on_event=question.log.take,
        )
        told = dict(zip(shown, verdicts, strict=True))
        return {at: told[at] for at in asked}


def _seems_borne_out(looked: Looked, question: Question) -> bool:
    """Whether a sentence cites a read page that holds most of its matter, and its score says nothing against it."""
    cites = any(0 < page <= (question.position or 0) for page in cited_pages(looked.said.text))
    return cites and not looked.lacks_page and not looked.is_suspect


def _certain(looked: Sequence[Looked], question: Question) -> dict[int, list[str]]:
    """Return what falls whatever a verifier would say, with its rules; what cannot be read takes the whole draft."""
    spoken_of = (question.text, *speakers_of(question))
    found = [each.certain_rules(spoken_of=spoken_of) + unread_citations(each, question) for each in looked]
    is_unreadable = any(each.is_unreadable for each in looked)
    return {at: rules for at, rules in enumerate(found) if rules or is_unreadable}


def _stands_as(looked: Looked, question: Question) -> Verdict:
    """Return what a sentence is that the verifier is not asked about."""
    if looked.rests_on_pages and not looked.is_courtesy:
        return Verdict.SUPPORTED
    return Verdict.ABSTAIN if abstains(looked.bare, question.text) else Verdict.TALK
