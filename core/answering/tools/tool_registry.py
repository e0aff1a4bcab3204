"""The tools that answers may use: which there are, and which of them a response rule is offered."""

import logging
from collections.abc import Sequence
from typing import Final

from core.agent.executor import SEARCH_BOOK, Tool
from core.agent.response_rules import ResponseRule
from core.answering.tools.reading_tools import FIND_MENTIONS, LIST_CHAPTERS, READ_CHAPTER, READ_PAGES

TOOL_NAMES: Final = (SEARCH_BOOK, READ_PAGES, READ_CHAPTER, LIST_CHAPTERS, FIND_MENTIONS)
"""Every tool that a rule may name."""
_log = logging.getLogger(__name__)


def offered_to(rule: ResponseRule, tools: Sequence[Tool]) -> list[Tool]:
    """Return those of a turn's tools that a rule's answers may use; an empty list means the plain flow."""
    offered = rule.tools.allowed(tools)
    if rule.tools.enabled and not offered:
        _log.warning("The rule %s allows tools, but none of those that there are; it does without.", rule.name)
    return offered
