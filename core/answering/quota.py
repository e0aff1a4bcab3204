"""Limits the tokens that a club may use in a day and the questions that a member may ask in a minute."""

from collections import deque
from collections.abc import Hashable
from datetime import UTC, datetime, time
from typing import Final

from core.catalogue.sentences import say
from core.domain.errors import AskedTooFastError, LLMError, LLMErrorCode
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository

_MINUTE_S: Final = 60.0
_MOST_MEMBERS: Final = 10_000


class Quota:
    """Checks both limits before each turn.

    Args:
        clubs: says how many tokens a club has used.
        clock: the current time.
        tokens_a_day: input and output tokens that a club's model calls may use per UTC day; None for no limit.
        questions_a_minute: questions of one member in one scope per minute; None for no limit.
    """

    def __init__(
        self,
        *,
        clubs: ClubRepository,
        clock: Clock,
        tokens_a_day: int | None = None,
        questions_a_minute: int | None = None,
    ) -> None:
        self._clubs = clubs
        self._clock = clock
        self._tokens_a_day = tokens_a_day
        self._questions_a_minute = questions_a_minute
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
            LLMError: BUDGET_SPENT, the club has used up its tokens for today.
        """
        if thread.scope == LOCAL_SCOPE:
            return
        now = self._clock.now()
        if member_id is not None and self._questions_a_minute is not None:
            self._count((thread.scope, member_id), self._questions_a_minute)
        if self._tokens_a_day is None:
            return
        used = await self._clubs.usage(scope=thread.scope, place=thread.place, since=midnight(now))
        spent = used.input_tokens + used.output_tokens - used.idle_tokens
        if max(spent, used.idle_tokens if in_doubt else 0) >= self._tokens_a_day:
            raise LLMError(LLMErrorCode.BUDGET_SPENT, f"{self._tokens_a_day} tokens a day are used up")

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
