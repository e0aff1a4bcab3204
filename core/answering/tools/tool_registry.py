"""The tools that answers may use: which there are, and which of them a response rule is offered."""

import logging
from collections.abc import Sequence
from typing import Final

from core.agent.response_rules import ResponseRule
from core.agent.tool import SEARCH_BOOK, Tool
from core.answering.tools.reading_tools import FIND_MENTIONS, LIST_CHAPTERS, READ_CHAPTER, READ_PAGES

TOOL_NAMES: Final = (SEARCH_BOOK, READ_PAGES, READ_CHAPTER, LIST_CHAPTERS, FIND_MENTIONS)
"""Every tool that a rule may name."""
_log = logging.getLogger(__name__)


class ToolRegistry:
    """The tools of one turn, each bound to book and position by core."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = tuple(tools)

    def offered_to(self, rule: ResponseRule) -> list[Tool]:
        """Return the tools that a rule's answers may use; an empty list means the plain flow."""
        if not rule.tools.enabled:
            return []
        offered = rule.tools.allowed(self._tools)
        if not offered:
            _log.warning("The rule %s allows tools, but none of those that there are; it does without.", rule.name)
        return offered
