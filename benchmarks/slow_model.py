"""A model that takes its time, behind OpenAI's wire on this machine."""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random

from aiohttp import web

_NUMBER = re.compile(r"tower number (\d+)")


@dataclass(slots=True)
class SlowModel:
    """Says the same after a while, whatever it is asked; the benchmarks of many questions at once are held against it.

    Attributes:
        between: the shortest and the longest that a call takes, in seconds.
        took: how long the calls of a numbered question took together.
        came: when the first of them came.
    """

    between: tuple[float, float]
    chance: Random = field(default_factory=lambda: Random(7))
    took: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    came: dict[int, float] = field(default_factory=dict)

    async def answer(self, request: web.Request) -> web.Response:
        """Answer as OpenAI does, after a while."""
        numbers = _NUMBER.findall(await request.text())
        pause = self.chance.uniform(*self.between)
        if numbers:
            number = int(numbers[-1])
            self.came.setdefault(number, time.monotonic())
            self.took[number] += pause
        await asyncio.sleep(pause)
        message = {"role": "assistant", "content": "The storm broke the window of the tower (p. 2)."}
        return web.json_response(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": "slow",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25},
            }
        )

    @asynccontextmanager
    async def served(self) -> AsyncIterator[str]:
        """Its base address."""
        application = web.Application()
        application.router.add_post("/v1/chat/completions", self.answer)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=2_000).start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        finally:
            await runner.cleanup()
