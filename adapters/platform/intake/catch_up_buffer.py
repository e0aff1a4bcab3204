"""What waits until that was fetched which was missed before it, so that a thread's messages keep their order."""

from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Generic

from adapters.platform.intake.items import InboxItem, MessageT


class CatchUpBuffer(Generic[MessageT]):
    """Arrivals of all threads; each thread's come out in the order in which they were said."""

    def __init__(self, key_of: Callable[[MessageT], Hashable]) -> None:
        self._key_of = key_of
        self._by_key: defaultdict[Hashable, list[InboxItem[MessageT]]] = defaultdict(list)

    def __len__(self) -> int:
        return sum(map(len, self._by_key.values()))

    def put(self, item: InboxItem[MessageT]) -> None:
        """Hold an arrival back."""
        self._by_key[self._key_of(item.said)].append(item)

    def let_go_before(self, said: MessageT) -> list[InboxItem[MessageT]]:
        """Return what of its thread was said before a message that was missed: that waits no longer."""
        held = self._by_key.get(self._key_of(said), [])
        before = [one for one in held if one.said.order < said.order]
        held[:] = [one for one in held if one.said.order >= said.order]
        return _as_said(before)

    def let_go(self) -> list[InboxItem[MessageT]]:
        """Return all that still waits."""
        held = [item for items in self._by_key.values() for item in items]
        self._by_key.clear()
        return _as_said(held)


def _as_said(items: list[InboxItem[MessageT]]) -> list[InboxItem[MessageT]]:
    return sorted(items, key=lambda one: one.said.order)
