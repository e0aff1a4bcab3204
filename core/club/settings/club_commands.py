"""Commands about how a club reads and is listened to, what it used, and forgetting."""

from datetime import timedelta
from enum import StrEnum
from typing import Final, TypeVar

from core.answering.quota import Quota, midnight
from core.answering.threads import ThreadService
from core.club.commands.values import Choice, Command, CommandGroup, CommandRequest, CommandResponse, Option, Who
from core.domain.conversation import Conversation
from core.domain.errors import NotPermittedError, ThusfarError
from core.domain.messages import counted
from core.domain.position import Pace, PageControl
from core.domain.reading import Listen, Usage
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository

Word = TypeVar("Word", bound=StrEnum)
_USAGE_SPAN = timedelta(days=30)
_HEARD: Final = {
    Listen.MENTIONS: "only mentions of me and replies to me",
    Listen.QUESTIONS: "questions to me or about the book, and stay out of your talk",
    Listen.ALL: "every message that isn't for someone else",
}


_GROUP: Final = CommandGroup(name="forget", help="forget what was said")


class ClubCommands:
    """`listen`, `pace`, `pagecontrol`, `usage`, and the three that forget."""

    def __init__(self, *, threads: ThreadService, clubs: ClubRepository, quota: Quota, clock: Clock) -> None:
        self._quota = quota
        self._threads = threads
        self._clubs = clubs
        self._clock = clock

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        organisers = Who.ORGANISERS
        return [
            Command(
                words="listen",
                takes=Option(name="to", hint="mentions, questions or all", choices=tuple(Listen)),
                help="set what I answer in this thread; in the channel, for all of the club's threads (organisers)",
                run=self._listen,
            ),
            Command(
                words="pace",
                takes=Option(name="of", hint="thread or slowest", choices=tuple(Pace)),
                who=organisers,
                help="choose who I wait for",
                behind="settings",
                run=self._pace,
            ),
            Command(
                words="pagecontrol",
                takes=Option(name="by", hint="anyone or organisers", choices=tuple(PageControl)),
                who=organisers,
                help="choose who may move the page",
                behind="settings",
                run=self._page_control,
            ),
            Command(
                words="usage",
                who=organisers,
                help="how many tokens questions used today and in the last 30 days",
                behind="settings",
                run=self._usage,
            ),
            Command(
                words="forget me",
                help="forget what you said to me here, and your page",
                group=_GROUP,
                takes_away=True,
                run=self._forget_me,
            ),
            Command(
                words="forget thread",
                who=organisers,
                help="forget what was said in this thread",
                group=_GROUP,
                behind="settings",
                takes_away=True,
                run=self._ask_thread,
            ),
            Command(
                words="forget club",
                who=organisers,
                help="forget everything this club read and said here",
                group=_GROUP,
                behind="settings",
                takes_away=True,
                run=self._ask_club,
            ),
            Command(words=".pace", who=organisers, run=self._pace),
            Command(words=".pagecontrol", who=organisers, run=self._page_control),
            Command(words=".usage", who=organisers, run=self._usage),
            Command(words=".ask-forget-thread", who=organisers, run=self._ask_thread),
            Command(words=".ask-forget-club", who=organisers, run=self._ask_club),
            Command(words=".forget-thread", who=organisers, run=self._forget_thread),
            Command(words=".forget-club", who=organisers, run=self._forget_club),
        ]

    async def _listen(self, request: CommandRequest) -> CommandResponse:
        owner = (await self._threads.club(request.thread)).owner
        listen = _word(Listen, request.text)
        if isinstance(owner, Conversation):
            await self._clubs.set_listen(owner.conversation_id, listen)
            return CommandResponse(announcement=f"In this thread I answer {_HEARD[listen]}.")
        if not request.is_organiser:
            raise NotPermittedError("Only organisers can change what I answer in all of the club's threads.")
        await self._clubs.set_club_listen(owner.club_id, listen)
        return CommandResponse(
            announcement=f"In the threads I open here I answer {_HEARD[listen]}. A thread can have its own setting."
        )

    async def _pace(self, request: CommandRequest) -> CommandResponse:
        owner = (await self._threads.club(request.thread)).owner
        pace = _word(Pace, request.text)
        await self._clubs.set_pace(owner.reading_id, pace)
        heard = {
            Pace.SLOWEST: "from now on I wait for the slowest reader who has spoken in the last two weeks.",
            Pace.THREAD: "from now on I go by the page that was set, even if someone is behind.",
        }
        return CommandResponse(announcement=f"{request.name} settled it: {heard[pace]}")

    async def _page_control(self, request: CommandRequest) -> CommandResponse:
        owner = (await self._threads.club(request.thread)).owner
        control = _word(PageControl, request.text)
        await self._clubs.set_page_control(owner.reading_id, control)
        heard = {
            PageControl.ANYONE: "from now on anyone may move the page.",
            PageControl.ORGANISERS: "from now on only organisers move the page.",
        }
        return CommandResponse(announcement=f"{request.name} settled it: {heard[control]}")

    async def _usage(self, request: CommandRequest) -> CommandResponse:
        thread, now = request.thread, self._clock.now()
        today, month = [
            await self._clubs.usage(scope=thread.scope, place=thread.place, since=since)
            for since in (midnight(now), now - _USAGE_SPAN)
        ]
        lines = [f"Today: {_took(today)}.", f"In the last 30 days: {_took(month)}."]
        if month.turns and month.cost_micro_usd is not None:
            lines.append(f"A question costs ${month.cost_micro_usd / month.turns / 1_000_000:.4f} on average.")
        budget = self._quota.tokens_a_day
        if budget is not None:
            left = max(budget - today.input_tokens - today.output_tokens + today.idle_tokens, 0)
            lines.append(
                f"You have {budget} tokens a day. {left} are left until midnight UTC; then I answer with quotations."
            )
        return CommandResponse(text="\n".join(lines))

    async def _forget_me(self, request: CommandRequest) -> CommandResponse:
        count = await self._clubs.forget_member(scope=request.thread.scope, member_id=request.member.member_id)
        return CommandResponse(text=f"I've forgotten {counted(count, 'message')} of yours and your own pages here.")

    async def _ask_thread(self, request: CommandRequest) -> CommandResponse:
        return CommandResponse(
            text="Forget everything said in this thread, and its own page? This can't be undone.",
            choices=(Choice(label="Forget this thread", command=".forget-thread", confirms=True, is_dangerous=True),),
        )

    async def _ask_club(self, request: CommandRequest) -> CommandResponse:
        return CommandResponse(
            text=(
                "Forget all readings, pages and conversations of this channel? The books stay. This can't be undone."
            ),
            choices=(Choice(label="Forget this club", command=".forget-club", confirms=True, is_dangerous=True),),
        )

    async def _forget_thread(self, request: CommandRequest) -> CommandResponse:
        owner = (await self._threads.club(request.thread)).owner
        if not isinstance(owner, Conversation):
            raise ThusfarError("Use `/forget thread` in a thread.")
        await self._clubs.forget_conversation(owner.conversation_id)
        return CommandResponse(text="I've forgotten this thread.")

    async def _forget_club(self, request: CommandRequest) -> CommandResponse:
        await self._clubs.forget_club(scope=request.thread.scope, place=request.thread.place)
        return CommandResponse(text="I've forgotten this club. Its books are still here.")


def _took(used: Usage) -> str:
    cost = "" if used.cost_micro_usd is None else f", ${used.cost_micro_usd / 1_000_000:.2f}"
    cached = f" ({used.cache_read_tokens} of them cached)" if used.cache_read_tokens else ""
    return (
        f"{counted(used.turns, 'question')}, {used.answered} answered, {used.input_tokens} tokens in{cached}, "
        f"{used.output_tokens} out{cost}"
    )


def _word(kind: type[Word], text: str) -> Word:
    try:
        return kind(text.strip().lower())
    except ValueError:
        raise ThusfarError(f"Choose one of: {', '.join(kind)}.") from None
