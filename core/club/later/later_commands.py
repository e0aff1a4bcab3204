"""`later`: saves questions until more has been read, with the buttons to keep, ask and drop one."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from core.answering.given_answers import Answers
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice, Command, CommandRequest, CommandResponse, Option
from core.club.later.later import ASK_NOW, DROP, KEEP_ON, kept_by, told_of
from core.club.questions.question_commands import KEEP_FOR_LATER
from core.domain.errors import ThusfarError
from core.domain.later import MOST_KEPT, LaterQuestion
from core.domain.messages import plain_name
from core.domain.scopes import is_private
from core.ports.later_questions import LaterQuestions

_LONGEST: Final = 500
_KEPT: Final = sentence("Saved. I'll bring it back when the club has read further.")
_KEPT_ALONE: Final = sentence("Saved. I'll bring it back when you've read further.")
_TOO_LONG: Final = sentence("That's long for a question. I save at most {most} characters.")
_TOO_MANY: Final = sentence("You've already saved {most} questions. `/later` shows them, and can drop one.")
_NONE: Final = sentence("You have no saved questions. `/later` with a question saves it until more has been read.")
_STILL_KEPT: Final = sentence("I'll save it, and bring it back when more has been read.")
_DROPPED: Final = sentence("Dropped.")
_GONE: Final = sentence("I no longer have that question.")


class LaterCommands:
    """`later` and its buttons. `ask` answers a question privately."""

    def __init__(
        self,
        questions: LaterQuestions,
        *,
        answers: Answers,
        threads: ThreadService,
        ask: Callable[[CommandRequest], Awaitable[CommandResponse]],
    ) -> None:
        self._questions = questions
        self._answers = answers
        self._threads = threads
        self._ask = ask

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        return [
            Command(
                words="later",
                takes=Option(name="question", hint=sentence("your question"), is_optional=True),
                help=sentence("save a question until more has been read, or show your saved ones; only you see them"),
                is_said=lambda text: not text or text.rstrip().endswith("?"),
                run=self._keep,
            ),
            Command(words=KEEP_FOR_LATER, stays=True, run=self._keep_answered),
            Command(words=ASK_NOW, is_long=True, run=self._ask_now),
            Command(words=KEEP_ON, run=self._keep_on),
            Command(words=DROP, run=self._drop),
        ]

    async def _keep(self, request: CommandRequest) -> CommandResponse:
        text = plain_name(request.text)
        return await (self._kept(request, text) if text else self._shown(request))

    async def _keep_answered(self, request: CommandRequest) -> CommandResponse:
        """Save a question that was asked, with the book that it is about."""
        asked = await self._answers.asked(int(request.text), thread=request.thread, member_id=request.member.member_id)
        its_own = replace(request, thread=request.thread.reading(asked.reading_id))
        return await self._kept(its_own, plain_name(asked.turn.user_query)[:_LONGEST])

    async def _kept(self, request: CommandRequest, text: str) -> CommandResponse:
        if len(text) > _LONGEST:
            raise ThusfarError(say(_TOO_LONG, most=_LONGEST))
        club = await self._threads.club(request.thread, request.member.member_id)
        if not await self._questions.keep(kept_by(club, text), most=MOST_KEPT):
            raise ThusfarError(say(_TOO_MANY, most=MOST_KEPT))
        by_own_page = is_private(request.thread.scope) or club.own_page is not None
        return CommandResponse(text=say(_KEPT_ALONE if by_own_page else _KEPT))

    async def _shown(self, request: CommandRequest) -> CommandResponse:
        club = await self._threads.club(request.thread, request.member.member_id)
        of_all = await self._questions.of_reading(club.reading_id)
        kept = [each for each in of_all if each.member_id == club.member_id]
        if not kept:
            return CommandResponse(text=say(_NONE))
        lines = [f"{number}. {told_of(each, club.page_name)}" for number, each in enumerate(kept, start=1)]
        drops = (
            Choice(label=say("Drop {number}", number=number), command=DROP, text=str(each.later_id))
            for number, each in enumerate(kept, start=1)
        )
        return CommandResponse(text="\n".join(lines), choices=tuple(drops))

    async def _ask_now(self, request: CommandRequest) -> CommandResponse:
        """Answer a saved question privately, in its own book at the member's page, and delete it."""
        question = await self._own(request)
        its_own = replace(request, thread=request.thread.reading(question.reading_id), text=question.text)
        answered = await self._ask(its_own)
        await self._questions.drop(question.later_id, question.member_id)
        return answered

    async def _keep_on(self, request: CommandRequest) -> CommandResponse:
        await self._own(request)
        return CommandResponse(text=say(_STILL_KEPT))

    async def _drop(self, request: CommandRequest) -> CommandResponse:
        question = await self._own(request)
        await self._questions.drop(question.later_id, question.member_id)
        return CommandResponse(text=say(_DROPPED))

    async def _own(self, request: CommandRequest) -> LaterQuestion:
        """Return the question of a button.

        Raises:
            ThusfarError: it is gone, or belongs to another member.
        """
        question = await self._questions.get(int(request.text))
        if question is None or question.member_id != request.member.member_id:
            raise ThusfarError(say(_GONE))
        return question
