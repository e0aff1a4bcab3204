"""Commands for a club's settings, its usage, and forgetting."""

from datetime import timedelta
from enum import StrEnum
from typing import Final, TypeVar

from core.answering.quota import Quota, midnight
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, say_count, sentence
from core.club.commands.values import Choice, Command, CommandGroup, CommandRequest, CommandResponse, Option, Who
from core.domain.conversation import Conversation
from core.domain.errors import NotPermittedError, ThusfarError
from core.domain.position import Pace, PageControl
from core.domain.reading import Listen, Usage
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository

Word = TypeVar("Word", bound=StrEnum)
_USAGE_SPAN = timedelta(days=30)
_IN_THREAD: Final = {
    Listen.MENTIONS: sentence("In this thread I answer only mentions of me and replies to me."),
    Listen.QUESTIONS: sentence("In this thread I answer questions to me or about the book, and stay out of your talk."),
    Listen.ALL: sentence("In this thread I answer every message that isn't for someone else."),
}
_IN_CLUB: Final = {
    Listen.MENTIONS: sentence("In the threads I open here I answer only mentions of me and replies to me."),
    Listen.QUESTIONS: sentence(
        "In the threads I open here I answer questions to me or about the book, and stay out of your talk."
    ),
    Listen.ALL: sentence("In the threads I open here I answer every message that isn't for someone else."),
}
_PACES: Final = {
    Pace.SLOWEST: sentence(
        "{name} changed a setting: from now on I wait for the slowest reader who has spoken in the last two weeks."
    ),
    Pace.THREAD: sentence(
        "{name} changed a setting: from now on I go by the page that was set, even if someone is behind."
    ),
}
_CONTROLS: Final = {
    PageControl.ANYONE: sentence("{name} changed a setting: from now on anyone may move the page."),
    PageControl.ORGANISERS: sentence("{name} changed a setting: from now on only organisers move the page."),
}
_IN: Final = sentence("{tokens} tokens in")
_IN_CACHED: Final = sentence("{tokens} tokens in ({cached} of them cached)")
_GROUP: Final = CommandGroup(name="forget", help=sentence("forget what was said"))


class ClubCommands:
    """`listen`, `pace`, `pagecontrol`, `usage`, and the three `forget` commands."""

    def __init__(self, *, threads: ThreadService, clubs: ClubRepository, quota: Quota, clock: Clock) -> None:
        self._quota = quota
        self._threads = threads
        self._clubs = clubs
        self._clock = clock

    def commands(self) -> list[Command]:
        """Return the commands; those behind buttons come last."""
        organisers = Who.ORGANISERS
        return [
            Command(
                words="listen",
                takes=Option(name="to", hint=sentence("mentions, questions or all"), choices=tuple(Listen)),
                help=sentence(
                    "set what I answer in this thread; in the channel, for all of the club's threads (organisers)"
                ),
                run=self._listen,
            ),
            Command(
                words="pace",
                takes=Option(name="of", hint=sentence("thread or slowest"), choices=tuple(Pace)),
                who=organisers,
                help=sentence("choose who I wait for"),
                behind="settings",
                run=self._pace,
            ),
            Command(
                words="pagecontrol",
                takes=Option(name="by", hint=sentence("anyone or organisers"), choices=tuple(PageControl)),
                who=organisers,
                help=sentence("choose who may move the page"),
                behind="settings",
                run=self._page_control,
            ),
            Command(
                words="usage",
                who=organisers,
                help=sentence("how many tokens questions used today and in the last 30 days"),
                behind="settings",
                run=self._usage,
            ),
            Command(
                words="forget me",
                help=sentence("forget what you said to me here, and your page"),
                group=_GROUP,
                takes_away=True,
                run=self._forget_me,
            ),
            Command(
                words="forget thread",
                who=organisers,
                help=sentence("forget what was said in this thread"),
                group=_GROUP,
                behind="settings",
                takes_away=True,
                run=self._ask_thread,
            ),
            Command(
                words="forget club",
                who=organisers,
                help=sentence("forget everything this club read and said here"),
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
            return CommandResponse(announcement=say(_IN_THREAD[listen]))
        if not request.is_organiser:
            raise NotPermittedError(say("Only organisers can change what I answer in all of the club's threads."))
        await self._clubs.set_club_listen(owner.club_id, listen)
        parts = (say(_IN_CLUB[listen]), say("A thread can have its own setting."))
        return CommandResponse(announcement=" ".join(parts))

    async def _pace(self, request: CommandRequest) -> CommandResponse:
        owner = (await self._threads.club(request.thread)).owner
        pace = _word(Pace, request.text)
        await self._clubs.set_pace(owner.reading_id, pace)
        return CommandResponse(announcement=say(_PACES[pace], name=request.name))

    async def _page_control(self, request: CommandRequest) -> CommandResponse:
        owner = (await self._threads.club(request.thread)).owner
        control = _word(PageControl, request.text)
        await self._clubs.set_page_control(owner.reading_id, control)
        return CommandResponse(announcement=say(_CONTROLS[control], name=request.name))

    async def _usage(self, request: CommandRequest) -> CommandResponse:
        thread, now = request.thread, self._clock.now()
        today, month = [
            await self._clubs.usage(scope=thread.scope, place=thread.place, since=since)
            for since in (midnight(now), now - _USAGE_SPAN)
        ]
        lines = [
            say("Today: {used}.", used=_usage_line(today)),
            say("In the last 30 days: {used}.", used=_usage_line(month)),
        ]
        if month.turns and month.cost_micro_usd is not None:
            cost = month.cost_micro_usd / month.turns / 1_000_000
            lines.append(say("A question costs ${cost:.4f} on average.", cost=cost))
        budget = self._quota.tokens_a_day
        if budget is not None:
            left = max(budget - today.input_tokens - today.output_tokens + today.idle_tokens, 0)
            lines.append(
                say(
                    "You have {budget} tokens a day. {left} are left until midnight UTC; then I answer with "
                    "quotations.",
                    budget=budget,
                    left=left,
                )
            )
        return CommandResponse(text="\n".join(lines))

    async def _forget_me(self, request: CommandRequest) -> CommandResponse:
        count = await self._clubs.forget_member(scope=request.thread.scope, member_id=request.member.member_id)
        return CommandResponse(
            text=say_count(
                "I've forgotten {number} message of yours and your own pages here.",
                "I've forgotten {number} messages of yours and your own pages here.",
                count,
            )
        )

    async def _ask_thread(self, request: CommandRequest) -> CommandResponse:
        return CommandResponse(
            text=say("Forget everything said in this thread, and its own page? This can't be undone."),
            choices=(
                Choice(label=say("Forget this thread"), command=".forget-thread", confirms=True, is_dangerous=True),
            ),
        )

    async def _ask_club(self, request: CommandRequest) -> CommandResponse:
        return CommandResponse(
            text=say(
                "Forget all readings, pages and conversations of this channel? The books stay. This can't be undone."
            ),
            choices=(Choice(label=say("Forget this club"), command=".forget-club", confirms=True, is_dangerous=True),),
        )

    async def _forget_thread(self, request: CommandRequest) -> CommandResponse:
        owner = (await self._threads.club(request.thread)).owner
        if not isinstance(owner, Conversation):
            raise ThusfarError(say("Use `/forget thread` in a thread."))
        await self._clubs.forget_conversation(owner.conversation_id)
        return CommandResponse(text=say("I've forgotten this thread."))

    async def _forget_club(self, request: CommandRequest) -> CommandResponse:
        await self._clubs.forget_club(scope=request.thread.scope, place=request.thread.place)
        return CommandResponse(text=say("I've forgotten this club. Its books are still here."))


def _usage_line(used: Usage) -> str:
    tokens = _IN_CACHED if used.cache_read_tokens else _IN
    parts = (
        say_count("{number} question", "{number} questions", used.turns),
        say("{number} answered", number=used.answered),
        say(tokens, tokens=used.input_tokens, cached=used.cache_read_tokens),
        say("{tokens} out", tokens=used.output_tokens),
        "" if used.cost_micro_usd is None else f"${used.cost_micro_usd / 1_000_000:.2f}",
    )
    return ", ".join(filter(None, parts))


def _word(kind: type[Word], text: str) -> Word:
    try:
        return kind(text.strip().lower())
    except ValueError:
        raise ThusfarError(say("Choose one of: {words}.", words=", ".join(kind))) from None
