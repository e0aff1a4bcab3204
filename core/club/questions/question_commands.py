"""Private questions, and the buttons under answers."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from core.answering.answer_message import AnswerMessage
from core.answering.extracts.places import SHOWN
from core.answering.given_answers import Answers
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.commands.values import (
    ANSWER_ALONE,
    ANSWER_HERE,
    SEPARATOR,
    Choice,
    Command,
    CommandRequest,
    CommandResponse,
    Option,
    Who,
)
from core.domain.errors import NotPermittedError, ThusfarError
from core.domain.messages import ASK_OWN_POSITION, ASK_POSITION, ASK_POSITION_ALONE, for_reader
from core.domain.position import AnswerIn
from core.domain.question import IncomingMessage
from core.domain.scopes import is_direct
from core.ports.clubs import ClubRepository

MORE_HERE: Final = ".around"
MORE_PASSAGES: Final = ".passages"
SOURCES: Final = ".sources"
KEEP_FOR_LATER: Final = ".later"
NO_MORE: Final = sentence("There's no other passage to show.")
_CHOSEN: Final = {
    "alone": sentence("While this thread is ahead of you, I answer just you. `/ask here` changes that."),
    "here": sentence("I answer you here, even while this thread is ahead of you. `/ask alone` changes that."),
}
REPORT: Final = ".spoiler"
_TAKE_BACK: Final = ".no-spoiler"
_HIDDEN: Final = sentence("A member reported the answer here as a spoiler.")
_REPORTED: Final = sentence(
    "Thank you. I won't use that answer again, and the person who runs this bot can look at it."
)


def under_every_answer(turn_id: int, *, by_model: bool) -> list[Choice]:
    """Return the button that saves a question for the presser, and the one that reports a model's answer."""
    later = Choice(label=say("Keep for later"), command=KEEP_FOR_LATER, text=str(turn_id))
    report = Choice(label=say("That was a spoiler"), command=REPORT, text=str(turn_id))
    return [later, report] if by_model else [later]


def under_the_text(turn_id: int, *, has_more: bool) -> list[Choice]:
    """Return the buttons that show more of the book: around passages and other ones, else an answer's sources."""
    if has_more:
        return more_of_book(turn_id)
    return [Choice(label=say("Sources"), command=SOURCES, text=str(turn_id))]


def more_of_book(turn_id: int, *, given: int = 0) -> list[Choice]:
    """Return the buttons under some passages, of which `given` were shown before: their surroundings, the next ones."""
    return [
        Choice(label=say("More here"), command=MORE_HERE, text=f"{turn_id}{SEPARATOR}{given}"),
        Choice(label=say("More passages"), command=MORE_PASSAGES, text=f"{turn_id}{SEPARATOR}{given + SHOWN}"),
    ]


class QuestionCommands:
    """`ask`, and the buttons for more of the book, sources, feedback and spoiler reports."""

    def __init__(
        self,
        *,
        answer_message: AnswerMessage,
        answers: Answers,
        threads: ThreadService,
        clubs: ClubRepository,
    ) -> None:
        self._answer_message = answer_message
        self._answers = answers
        self._threads = threads
        self._clubs = clubs

    def commands(self) -> list[Command]:
        """Return the commands; those behind buttons come last."""
        return [
            Command(
                words="ask",
                takes=Option(name="question", hint=sentence("your question")),
                help=sentence("ask up to your own page; only you see the answer"),
                is_long=True,
                is_repeatable=True,
                run=self.ask,
            ),
            Command(words=MORE_HERE, is_repeatable=True, stays=True, run=self._more_here),
            Command(words=MORE_PASSAGES, is_repeatable=True, stays=True, run=self._more_passages),
            Command(words=SOURCES, is_repeatable=True, stays=True, run=self._sources),
            Command(words=ANSWER_ALONE, run=self._choose(AnswerIn.ALONE)),
            Command(words=ANSWER_HERE, run=self._choose(AnswerIn.HERE)),
            Command(words=".up", is_repeatable=True, stays=True, run=self._feedback(1)),
            Command(words=".down", is_repeatable=True, stays=True, run=self._feedback(-1)),
            Command(words=REPORT, stays=True, run=self._report),
            Command(words=_TAKE_BACK, who=Who.ORGANISERS, run=self._take_back),
        ]

    async def ask(self, request: CommandRequest) -> CommandResponse:
        """Answer in private, at the member's own page or else the thread's."""
        if not request.text.strip():
            raise ThusfarError(say("`/ask` needs a question."))
        if (chosen := request.text.strip().lower()) in _CHOSEN:
            return await self._save_choice(request, AnswerIn(chosen))
        club = await self._threads.club(request.thread, request.member.member_id)
        member_id, position = club.member_id, club.reached
        if position is None:
            if is_direct(request.thread.scope):
                return CommandResponse(text=say(ASK_POSITION_ALONE))
            return CommandResponse(text=f"{say(ASK_POSITION)} {say(ASK_OWN_POSITION)}")
        reply = await self._answer_message.execute(
            IncomingMessage(
                thread=request.thread.private_to(member_id).reading(club.reading_id),
                author=request.member,
                text=request.text,
                ref=request.ref,
                book_id=club.book.book_id,
                page=position,
            )
        )
        text = f"{for_reader(reply.text)}\n\n({club.private_footer(position)})"
        if reply.turn_id is None:
            return CommandResponse(text=text)
        return CommandResponse(
            text=text,
            choices=(
                Choice(label=say("Show in the thread"), command=".post", text=str(reply.turn_id)),
                *(under_the_text(reply.turn_id, has_more=reply.has_more) if reply.rests_on_book else []),
                *under_every_answer(reply.turn_id, by_model=reply.by_model),
            ),
        )

    async def _report(self, request: CommandRequest) -> CommandResponse:
        """Hide an answer from everyone; it stays on record for the operator, and organisers can show it again."""
        turn_id = int(request.text)
        member_id = request.member.member_id
        if not await self._answers.report(turn_id, thread=request.thread, member_id=member_id):
            return CommandResponse(text=say(_REPORTED))
        again = Choice(label=say("Show it again"), command=_TAKE_BACK, text=request.text)
        return CommandResponse(text=say(_REPORTED), announcement=say(_HIDDEN), choices=(again,), puts_away=turn_id)

    async def _take_back(self, request: CommandRequest) -> CommandResponse:
        member_id = request.member.member_id
        answer = await self._answers.take_back_report(int(request.text), thread=request.thread, member_id=member_id)
        if answer.goes_beyond:
            return CommandResponse(text=f"{answer.text}\n\n({answer.footer})")
        return CommandResponse(announcement=f"{answer.text}\n\n({answer.footer})")

    async def _more_here(self, request: CommandRequest) -> CommandResponse:
        """Show the presser the text around a passage, and offer that around the next one of the same answer."""
        turn_id, _, given = request.text.partition(SEPARATOR)
        rank = int(given or 0)
        club = await self._threads.club(request.thread, request.member.member_id)
        text = await self._answers.more_here(
            int(turn_id), rank=rank, thread=request.thread, member_id=club.member_id, own=club.reached
        )
        following = f"{turn_id}{SEPARATOR}{rank + 1}"
        more = Choice(label=say("Around the next passage"), command=MORE_HERE, text=following)
        return CommandResponse(text=text, choices=(more,) if (rank + 1) % SHOWN else ())

    async def _more_passages(self, request: CommandRequest) -> CommandResponse:
        """Show the presser the next best passages, and offer more."""
        turn_id, _, given = request.text.partition(SEPARATOR)
        skipping = int(given or SHOWN)
        club = await self._threads.club(request.thread, request.member.member_id)
        found = await self._answers.more_passages(
            int(turn_id), skipping=skipping, thread=request.thread, member_id=club.member_id, own=club.reached
        )
        if not found.has_more:
            return CommandResponse(text=say(NO_MORE))
        return CommandResponse(text=found.text, choices=tuple(more_of_book(int(turn_id), given=skipping)))

    async def _sources(self, request: CommandRequest) -> CommandResponse:
        """Show the presser the passages; under a private answer, only to the member who asked."""
        club = await self._threads.club(request.thread, request.member.member_id)
        passages = await self._answers.sources(
            int(request.text), thread=request.thread, member_id=club.member_id, own=club.reached
        )
        return CommandResponse(text="\n\n".join(passages) or say("That answer isn't based on a passage I can show."))

    def _choose(self, chosen: AnswerIn) -> Callable[[CommandRequest], Awaitable[CommandResponse]]:
        """Return a handler that saves where a member behind the thread wants answers, and answers there."""

        async def run(request: CommandRequest) -> CommandResponse:
            member_id, _, what = request.text.partition(SEPARATOR)
            if member_id != request.member.member_id:
                raise NotPermittedError(say("Only the person who asked can choose that."))
            words, is_command, text = what.partition(SEPARATOR)
            if is_command:
                await self._save_choice(request, chosen)
                return CommandResponse(then=Choice(label="", command=words, text=text))
            asked = await self._answers.asked_back(int(what), thread=request.thread)
            there = replace(request, thread=asked.thread, text=asked.text, ref=f"{asked.ref}:{chosen}")
            kept = await self._save_choice(there, chosen)
            if chosen is AnswerIn.HERE:
                return replace(kept, waits=replace(asked, author=request.member))
            answer = await self.ask(there)
            return replace(answer, text=f"{answer.text}\n\n{kept.text}")

        return run

    async def _save_choice(self, request: CommandRequest, chosen: AnswerIn) -> CommandResponse:
        state = await self._threads.state(request.thread)
        if state is None:
            raise ThusfarError(await self._threads.why_no_book(request.thread))
        await self._clubs.set_answer_in(state.conversation.conversation_id, request.member.member_id, chosen)
        return CommandResponse(text=say(_CHOSEN[chosen]))

    def _feedback(self, feedback: int) -> Callable[[CommandRequest], Awaitable[CommandResponse]]:
        async def run(request: CommandRequest) -> CommandResponse:
            await self._answers.give_feedback(
                int(request.text), feedback, thread=request.thread, member_id=request.member.member_id
            )
            return CommandResponse(text=say("Thank you, noted."))

        return run
