"""What a turn did and took, as its events tell: whole also where the turn ends without an answer."""

import logging
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from core.domain.chat_event import (
    ChatEvent,
    EventSink,
    SpoilerBlockedEvent,
    TokenUsageEvent,
    ToolInvocationEvent,
    ToolResultEvent,
)
from core.domain.passage import SearchResult
from core.domain.tool_use import TokenUsage

_log = logging.getLogger(__name__)
_BEFORE_ANY_CALL = "0: "


@dataclass(slots=True, kw_only=True)
class TurnLog:
    """Hears every event of a turn, and passes it on.

    `calls` are those of which a provider told what they took, `of_models` that of each call by the model's name.
    `steps` name the tools that ran, each with the number of calls that had been made for drafts by then (0 for a search
    that goes along with the question).
    """

    on_event: EventSink | None = None
    usage: TokenUsage = field(default_factory=TokenUsage)
    of_models: dict[str, list[TokenUsage]] = field(default_factory=dict)
    calls: int = 0
    searches: int = 0
    sources: dict[int, SearchResult] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    blocks: Counter[str] = field(default_factory=Counter)
    model: str | None = None
    began: float = field(default_factory=time.monotonic)
    drafted_after: int = 0

    def take(self, event: ChatEvent) -> None:
        """Note an event. A sink that fails never takes the answer with it (spec section 7)."""
        match event:
            case ToolInvocationEvent():
                self.steps.append(f"{self.drafted_after + event.iteration}: {event.tool_name}")
            case ToolResultEvent():
                self.searches += event.is_search
                self.sources.update((result.chunk_id, result) for result in event.results)
            case TokenUsageEvent():
                self.calls += 1
                self.usage += event.usage
                self.of_models.setdefault(event.model or "", []).append(event.usage)
                self.model = event.model or self.model
            case SpoilerBlockedEvent():
                self.blocks.update(event.rules)
            case _:
                pass
        try:
            if self.on_event is not None:
                self.on_event(event)
        except Exception:  # noqa: BLE001 (whatever it is)
            _log.exception("An event sink failed on %s.", type(event).__name__)

    def drafted(self, calls: int) -> None:
        """Note that a draft was made and judged, after so many calls since the turn began."""
        self.drafted_after = calls

    @property
    def duration_ms(self) -> int:
        """Wall time since the turn began."""
        return round((time.monotonic() - self.began) * 1000)


def went_along(steps: Iterable[str]) -> bool:
    """Whether passages went along with the question of a turn of these steps."""
    return any(step.startswith(_BEFORE_ANY_CALL) for step in steps)
