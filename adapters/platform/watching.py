"""Members' own posts that give something away: looked at behind all else, and told to their writer alone."""

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
    """Looks at one post after another, in tasks that nothing waits for; what is too much at once is passed over."""

    def __init__(self, watch: PostWatch) -> None:
        self._watch = watch
        self.tasks = TaskSet()
        self._one_by_one = asyncio.Lock()

    def begin(self, surface: MessageSurface) -> None:
        """Look at what was said there, where its club wants that."""
        post = self._watch.take(surface.ref)
        if post is not None and len(self.tasks) < _MOST:
            self.tasks.begin(self._look(surface, post))

    async def _look(self, surface: MessageSurface, post: SeenPost) -> None:
        try:
            async with self._one_by_one, asyncio.timeout(_LONGEST_S):
                nudge = await self._watch.nudge(post)
                if nudge is None:
                    return
                there = surface.links_to([nudge.thread]) if nudge.thread else ""
                await surface.whisper(nudge.told(here=say(surface.here), hides_by=surface.hides_by, there=there))
        except (OutOfReachError, RefusedError, ThusfarError, TimeoutError) as error:
            _log.info("Nobody was told what a post gives away: %s", str(error) or type(error).__name__)
        except Exception:  # noqa: BLE001 (nothing waits for it, and nothing may end by it)
            _log.exception("A post could not be looked at.")
