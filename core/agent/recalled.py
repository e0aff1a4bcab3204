"""What a tool gave in an earlier turn, as later prompts tell it: its query and its pages, to be fetched again."""

import re
from dataclasses import replace
from typing import Final

from core.agent.tools.executor import main_argument
from core.agent.tools.reading_tools import FIND_MENTIONS
from core.agent.tools.search_book import SEARCH_BOOK
from core.domain.conversation import ChatMessage
from core.domain.tool_use import ToolInvocation, named_pages

_SHORT: Final = 160
"""What brought no page is told whole up to so many letters: an error, a search that found nothing."""
_LONGEST_QUERY: Final = 120
_LABEL: Final = re.compile(r"^\[p\. (\d+)\]$", re.MULTILINE)


def recalled(message: ChatMessage) -> ChatMessage:
    """Return a message of an earlier turn; of a tool's result, what was asked for and which pages came."""
    if message.invocation is None:
        return message
    pages = [int(page) for page in _LABEL.findall(message.content)]
    if pages:
        return replace(message, content=f"[{_asked(message.invocation)}: {named_pages(pages)}]")
    if len(message.content) <= _SHORT:
        return message
    if message.invocation.tool_name == FIND_MENTIONS:
        return replace(message, content=message.content.partition("\n")[0])
    return replace(message, content=f"[{_asked(message.invocation)}]")


def _asked(invocation: ToolInvocation) -> str:
    wanted = " ".join(main_argument(invocation).split())[:_LONGEST_QUERY]
    if invocation.tool_name == SEARCH_BOOK:
        return f'searched "{wanted}"'
    return f"{invocation.tool_name} {wanted}".strip()
