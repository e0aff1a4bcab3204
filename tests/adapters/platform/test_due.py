"""Due messages are posted once, in the right place, in each reader's own time: on Discord and Slack."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.club.commands.values import Choice
from core.club.timers.due import DueMessage, NotSentError
from core.domain.moments import marked
from tests.adapters.platform.stages import Stage
from tests.adapters.platforms import QUICK

_SUNDAY = datetime(2026, 3, 8, 18, tzinfo=UTC)
_IN_OWN_TIME = {
    "discord": "<t:1772992800:F>",
    "slack": "<!date^1772992800^{date_long_pretty}, {time}|Sunday, 8 March 2026, 18:00 UTC>",
}
_CHOICES = (Choice(label="All read to p. 3", command=".all-read", text="3"),)


async def test_it_is_posted_in_the_channel_in_each_readers_own_time(stage: Stage) -> None:
    async with stage.running() as bot:
        message = DueMessage(thread=stage.place(), text=f"**Section 1** {marked(_SUNDAY)} & more", choices=_CHOICES)
        await bot.served.send(message, ref="timer:1", since=None)
    (posted,) = stage.public()
    own_time = _IN_OWN_TIME[stage.name]
    assert posted.content in {f"**Section 1** {own_time} & more", f"*Section 1* {own_time} &amp; more"}
    assert stage.labels(posted) == ["All read to p. 3"]
    assert posted.pings == set()


async def test_a_message_that_may_be_posted_already_is_looked_for(stage: Stage) -> None:
    async with stage.running() as bot:
        thread = stage.thread()
        before = len(stage.public())
        message = DueMessage(thread=stage.place(thread), text=f"By {marked(_SUNDAY)}.")
        begun = datetime.now(UTC)
        await bot.served.send(message, ref="timer:1", since=None)
        await bot.served.send(message, ref="timer:1", since=begun)
        assert len(stage.public()) == before + 1
        assert await bot.served.is_posted(message, ref="timer:1", since=begun)
        later = DueMessage(thread=stage.place(thread), text="Later.")
        assert not await bot.served.is_posted(later, ref="timer:3", since=begun)
        await bot.served.send(DueMessage(thread=stage.place(thread), text="Another."), ref="timer:2", since=begun)
        assert len(stage.public()) == before + 2


async def test_a_message_to_one_member_is_private(stage: Stage) -> None:
    ada, ben = stage.club.ada, stage.club.ben
    async with stage.running() as bot:
        message = DueMessage(
            thread=stage.place(), text="It was missed.", member_id=f"{stage.name}:{ada.id}", choices=_CHOICES
        )
        begun = datetime.now(UTC) - timedelta(seconds=1)
        for since in (None, begun):
            await bot.served.send(message, ref="timer:1", since=since)
        alone = [one.content for one in stage.told(ada)]
        others = [one.content for one in stage.told(ben)]
    assert alone == ["It was missed."]
    assert others == []
    assert stage.public() == []


async def test_only_the_requested_role_is_mentioned(stage: Stage) -> None:
    role = stage.role()
    async with stage.running() as bot:
        message = DueMessage(thread=stage.place(), text="@everyone <!channel> It is time.", role=role)
        await bot.served.send(message, ref="timer:1", since=None)
        await bot.served.send(message, ref="timer:1", since=datetime.now(UTC))
    (posted,) = stage.public()
    assert {str(one) for one in posted.pings} == {role}


async def test_a_failed_post_says_whether_retrying_can_help(stage: Stage) -> None:
    message = DueMessage(thread=stage.place(), text="It is time.")
    async with stage.running(retry=replace(QUICK, total=0.1)) as bot:
        assert {stage.place().scope, f"{stage.name}:"} & set(bot.served.timer_scopes())
        with stage.down(), pytest.raises(NotSentError) as down:
            await bot.served.send(message, ref="timer:1", since=None)
        with pytest.raises(NotSentError) as gone:
            await bot.served.send(DueMessage(thread=stage.elsewhere(), text="x"), ref="timer:2", since=None)
    assert (down.value.for_good, gone.value.for_good) == (False, True)
