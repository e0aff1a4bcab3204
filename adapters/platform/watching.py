"""Checks members' own posts for spoilers in the background, and tells only the writer."""

import asyncio
import logging
from typing import Final

from adapters.platform.running_tasks import TaskSet
from adapters.platform.surface import MessageSurface, OutOfReachError, RefusedError
from core.catalogue.sentences import say
from core.club.watch.watching import PostWatch, SeenPost
from core.domain.errors import ThusfarError

_log = logging.getLogger(__name__)

_MOST: Final = 50
_LONGEST_S: Final = 30.0


class Watching:
    """Checks one post at a time, in background tasks; posts beyond the limit are skipped."""

    def __init__(self, watch: PostWatch) -> None:
        self._watch = watch
        self.tasks = TaskSet()
        self._one_at_a_time = asyncio.Lock()

    def begin(self, surface: MessageSurface) -> None:
        """Check a post if its club wants that."""
        post = self._watch.take(surface.ref)
        if post is not None and len(self.tasks) < _MOST:
            self.tasks.begin(self._look(surface, post))

    async def _look(self, surface: MessageSurface, post: SeenPost) -> None:
        try:
            async with self._one_at_a_time, asyncio.timeout(_LONGEST_S):
                nudge = await self._watch.nudge(post)
                if nudge is None:
                    return
                there = surface.links_to([nudge.thread]) if nudge.thread else ""
                await surface.whisper(nudge.text(here=say(surface.here), hides_by=surface.hides_by, there=there))
        except (OutOfReachError, RefusedError, ThusfarError, TimeoutError) as error:
            _log.info("The writer of a spoiler was not told: %s", str(error) or type(error).__name__)
        except Exception:  # noqa: BLE001 (a background task must not fail)
            _log.exception("A post could not be checked for spoilers.")
