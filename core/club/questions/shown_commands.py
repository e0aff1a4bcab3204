"""Private answers that were shared on a platform without spoiler marks: each reader opens them on their own."""

from core.answering.given_answers import Answers, PostableAnswer
from core.answering.threads import ThreadService
from core.catalogue.sentences import say
from core.club.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse

REVEAL = ".reveal"
PUT_AWAY = ".put-away"
_REVEAL_ANYWAY = ".reveal-anyway"


def revealing(turn_id: int, member_id: str) -> Choice:
    """Return the button that shows a member's answer to the presser."""
    return Choice(label=say("Show it to me"), command=REVEAL, text=f"{turn_id}{SEPARATOR}{member_id}")


def put_away(turn_id: int) -> Choice:
    """Return the button that shows the presser a public answer from before the page was set back."""
    return Choice(label=say("Show it to me"), command=PUT_AWAY, text=f"{turn_id}{SEPARATOR}")


class ShownCommands:
    """The buttons under an answer that goes beyond its thread's page; members who have read less are warned first."""

    def __init__(self, *, answers: Answers, threads: ThreadService) -> None:
        self._answers = answers
        self._threads = threads

    def commands(self) -> list[Command]:
        """Return the commands, all behind buttons."""
        return [
            Command(words=REVEAL, stays=True, run=self._reveal),
            Command(words=PUT_AWAY, stays=True, run=self._reveal),
            Command(words=_REVEAL_ANYWAY, run=self._reveal_anyway),
        ]

    async def _reveal(self, request: CommandRequest) -> CommandResponse:
        answer = await self._answer(request)
        club = await self._threads.club(request.thread.reading(answer.reading_id), request.member.member_id)
        own = club.reached
        if (own or 0) >= (answer.position or 0):
            return CommandResponse(text=_shown(answer))
        goes_to = answer.footer
        return CommandResponse(
            text=say(
                "That answer goes {goes_to}, and you have read {read}. It may give things away.",
                goes_to=goes_to,
                read=club.footer(own),
            )
            if own
            else say(
                "That answer goes {goes_to}, and you have read nothing yet. It may give things away.", goes_to=goes_to
            ),
            choices=(Choice(label=say("Show it anyway"), command=_REVEAL_ANYWAY, text=request.text, confirms=True),),
        )

    async def _reveal_anyway(self, request: CommandRequest) -> CommandResponse:
        return CommandResponse(text=_shown(await self._answer(request)))

    async def _answer(self, request: CommandRequest) -> PostableAnswer:
        turn_id, _, member_id = request.text.partition(SEPARATOR)
        if not member_id:
            return await self._answers.public(int(turn_id), thread=request.thread)
        return await self._answers.postable(int(turn_id), thread=request.thread, member_id=member_id)


def _shown(answer: PostableAnswer) -> str:
    return f"**{answer.question}**\n\n{answer.text}\n\n({answer.footer})"
