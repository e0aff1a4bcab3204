"""Questions that only the asker sees answered, and the buttons under an answer."""

from collections.abc import Awaitable, Callable

from core.app.answers import Answers
from core.app.ask import AskQuestion, AskRequest
from core.app.commands.values import Choice, Command, CommandRequest, CommandResponse, Who
from core.app.positions import PositionService
from core.app.threads import ThreadService
from core.domain.conversation import Conversation
from core.domain.errors import ThusfarError
from core.domain.position import Position, footer
from core.domain.reading import Reading
from core.domain.words import ASK_POSITION
from core.ports.clubs import ClubRepository


class QuestionCommands:
    """`ask`, and the buttons that show sources, take thumbs and post a private answer."""

    def __init__(
        self,
        *,
        ask: AskQuestion,
        answers: Answers,
        positions: PositionService,
        threads: ThreadService,
        clubs: ClubRepository,
    ) -> None:
        self._ask_question = ask
        self._answers = answers
        self._positions = positions
        self._threads = threads
        self._clubs = clubs

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        everyone = Who.EVERYONE
        return [
            Command(
                words="ask",
                takes="QUESTION",
                who=everyone,
                help="ask up to your own page; only you see the answer",
                run=self._ask,
            ),
            Command(words=".sources", takes="", who=everyone, help="", run=self._sources),
            Command(words=".up", takes="", who=everyone, help="", run=self._thumb(1)),
            Command(words=".down", takes="", who=everyone, help="", run=self._thumb(-1)),
        ]

    async def _ask(self, request: CommandRequest) -> CommandResponse:
        """Answer at the member's own page, else the thread's; what is said stays between the two of us."""
        if not request.text.strip():
            raise ThusfarError("`ask` needs a question.")
        place = await self._threads.place(request.thread)
        position = await self._own_position(request, place)
        if position is None:
            return CommandResponse(text=f"{ASK_POSITION} For yourself alone it is `mypage 120`.")
        response = await self._ask_question.execute(
            AskRequest(
                question=request.text,
                book_id=place.book_id,
                page=position,
                thread=request.thread.private_to(request.member.member_id),
                author=request.member,
            )
        )
        return CommandResponse(
            text=f"{response.outcome.text}\n\n({footer(position)})",
            choices=(
                Choice(label="Show in the thread", command=".post", text=str(response.turn_id)),
                Choice(label="Sources", command=".sources", text=str(response.turn_id)),
            ),
        )

    async def _sources(self, request: CommandRequest) -> CommandResponse:
        """Show the passages to whoever presses; under a private answer, to the member who asked."""
        member_id = request.member.member_id
        own = await self._own_position(request, await self._threads.place(request.thread))
        passages = await self._answers.sources(int(request.text), thread=request.thread, member_id=member_id, own=own)
        return CommandResponse(text="\n\n".join(passages) or "That answer rests on no passage that may be shown.")

    def _thumb(self, feedback: int) -> Callable[[CommandRequest], Awaitable[CommandResponse]]:
        async def run(request: CommandRequest) -> CommandResponse:
            await self._answers.give_feedback(
                int(request.text), feedback, thread=request.thread, member_id=request.member.member_id
            )
            return CommandResponse(text="Thank you, noted.")

        return run

    async def _own_position(self, request: CommandRequest, place: Conversation | Reading) -> Position:
        """Return where the member stands for themselves, else where the thread does."""
        own = await self._clubs.member_position(place.reading_id, request.member.member_id)
        return own if own is not None else await self._positions.of_place(place)
