"""Limits the dollars of a month, the tokens that a club may use in a day and the questions of a member in a minute."""

from collections import deque
from collections.abc import Hashable
from datetime import UTC, datetime, time
from typing import Final

from core.catalogue.sentences import say, sentence
from core.domain.errors import AskedTooFastError, LLMError, LLMErrorCode
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository

_MINUTE_S: Final = 60.0
_MOST_MEMBERS: Final = 10_000
_NEARLY: Final = 0.8
_LOOK_AFTER_S: Final = 30.0
"""How old the sum of the month may be: it reads every turn since the first."""
_NEARLY_SPENT: Final = sentence(
    "80 % of the AI budget for this month ({month}) is used. When all of it is, I'll answer with quotations until next "
    "month."
)


class Quota:
    """Checks the limits before each turn.

    Args:
        clubs: says how many tokens a club has used.
        clock: the current time.
        tokens_a_day: input and output tokens that a club's model calls may use per UTC day; None for no limit.
        questions_a_minute: questions of one member in one scope per minute; None for no limit.
        dollars_a_month: US dollars that the turns of all clubs together may cost per UTC month; None for no limit.
    """

    def __init__(
        self,
        *,
        clubs: ClubRepository,
        clock: Clock,
        tokens_a_day: int | None = None,
        questions_a_minute: int | None = None,
        dollars_a_month: float | None = None,
    ) -> None:
        self._clubs = clubs
        self._clock = clock
        self._tokens_a_day = tokens_a_day
        self._questions_a_minute = questions_a_minute
        self._dollars_a_month = dollars_a_month
        self._month = ("", -_LOOK_AFTER_S, 0.0)
        self._asked: dict[Hashable, deque[float]] = {}

    @property
    def tokens_a_day(self) -> int | None:
        """How many tokens a club may use in a day; None for no limit."""
        return self._tokens_a_day

    async def take(self, thread: Thread, member_id: str | None, *, in_doubt: bool = False) -> None:
        """Count a question, and refuse it beyond a limit. On this machine (terminal, browser) there are no limits.

        Tokens that were spent on messages that did not ask the bot do not count against the club. They have a daily
        limit of the same size, which applies to messages `in_doubt`.

        Raises:
            AskedTooFastError: the member asks too often.
            LLMError: BUDGET_SPENT, the club has used up its tokens for today; MONTH_SPENT, the dollars of the month.
        """
        if thread.scope == LOCAL_SCOPE:
            return
        now = self._clock.now()
        if member_id is not None and self._questions_a_minute is not None:
            self._count((thread.scope, member_id), self._questions_a_minute)
        if await self.share_of_month() >= 1:
            raise LLMError(LLMErrorCode.MONTH_SPENT, f"${self._dollars_a_month:g} a month are used up")
        if self._tokens_a_day is None:
            return
        used = await self._clubs.usage(scope=thread.scope, place=thread.place, since=midnight(now))
        spent = used.input_tokens + used.output_tokens - used.idle_tokens
        if max(spent, used.idle_tokens if in_doubt else 0) >= self._tokens_a_day:
            raise LLMError(LLMErrorCode.BUDGET_SPENT, f"{self._tokens_a_day} tokens a day are used up")

    async def share_of_month(self) -> float:
        """Return the share of the month's dollars that is used, 0 without a limit; it may be half a minute old."""
        if self._dollars_a_month is None:
            return 0.0
        begins = midnight(self._clock.now()).replace(day=1)
        month, looked_at, share = self._month
        if month != f"{begins:%Y-%m}" or self._clock.elapsed() - looked_at >= _LOOK_AFTER_S:
            spent = await self._clubs.spent_micro_usd(since=begins)
            share = spent / (self._dollars_a_month * 1_000_000)
            self._month = (f"{begins:%Y-%m}", self._clock.elapsed(), share)
        return share

    async def warning(self) -> str:
        """Return a notice for organisers when the month's dollars are nearly used; "" otherwise."""
        if await self.share_of_month() < _NEARLY:
            return ""
        return say(_NEARLY_SPENT, month=self._month[0])

    def give_back(self, thread: Thread, member_id: str | None) -> None:
        """Uncount the member's last question: it was not one, or it has to be asked again."""
        asked = self._asked.get((thread.scope, member_id))
        if asked:
            asked.pop()

    def open_thread(self, thread: Thread, member_id: str) -> None:
        """Count a thread that a member is about to open. The limit is the same as for questions.

        Raises:
            AskedTooFastError: the member opens too many threads.
        """
        if self._questions_a_minute is not None:
            self._count((thread.scope, member_id, "threads"), self._questions_a_minute)

    def _count(self, member: Hashable, most: int) -> None:
        now, asked = self._clock.elapsed(), self._asked.setdefault(member, deque())
        while asked and now - asked[0] >= _MINUTE_S:
            asked.popleft()
        if len(asked) >= most:
            raise AskedTooFastError(say("That was a lot at once: give me a minute, then ask me again."))
        asked.append(now)
        if len(self._asked) > _MOST_MEMBERS:
            self._asked = {who: times for who, times in self._asked.items() if now - times[-1] < _MINUTE_S}


def midnight(now: datetime) -> datetime:
    """Return the start of the UTC day of `now`."""
    return datetime.combine(now.astimezone(UTC).date(), time(), UTC)
