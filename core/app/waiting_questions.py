"""Questions that came before anybody had said how far is read; each is answered once somebody has."""

from dataclasses import replace
from typing import Final

from cachetools import TTLCache

from core.domain.question import IncomingMessage
from core.domain.thread import Thread

_MOST: Final = 500
_WAITS_S: Final = 3_600


class WaitingQuestions:
    """The latest such question of each thread, for an hour at most; a restart forgets them."""

    def __init__(self) -> None:
        self._of: TTLCache[Thread, IncomingMessage] = TTLCache(maxsize=_MOST, ttl=_WAITS_S)

    def add(self, message: IncomingMessage) -> None:
        """Keep a question, in place of what was asked in its thread before."""
        self._of[message.thread] = message

    def take(self, place: Thread) -> list[IncomingMessage]:
        """Return what waits in a place and its threads, and keep it no longer."""
        found = [each for each in self._of.values() if replace(each.thread, thread="") == replace(place, thread="")]
        for message in found:
            self._of.pop(message.thread, None)
        return found

    def edited(self, ref: str, text: str) -> None:
        """Put the new text in place of the old one."""
        for thread, message in list(self._of.items()):
            if message.ref == ref:
                self._of[thread] = replace(message, text=text)

    def deleted(self, ref: str) -> None:
        """Keep no longer what was taken back."""
        for thread, message in list(self._of.items()):
            if message.ref == ref:
                del self._of[thread]
