"""What of a conversation goes into a prompt (ADR 18): the latest messages, behind a summary.

The summary of what was cut is made of what members asked and how each answer began, from messages that the position
allows: no model writes it, nothing of it is kept, and a position that goes back leaves out whatever lies beyond it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from core.agent.executor import SEARCH_BOOK, main_argument
from core.answering.tools.reading_tools import FIND_MENTIONS
from core.domain.conversation import ChatMessage, Role
from core.domain.messages import is_off_topic
from core.domain.question import Question
from core.domain.tool_use import PromptMessage, PromptRole, ToolInvocation, named_pages
from core.language.sentences import sentences
from core.understanding.follow_ups import Said, in_context

DEFAULT_MAX_MESSAGES = 20
GOES_BACK: Final = 40
"""Messages before a question among which a follow-up finds what it takes up."""
_PROMPT_ROLES: dict[Role, PromptRole] = {
    Role.USER: "user",
    Role.ASSISTANT: "assistant",
    Role.TOOL_RESULT: "tool_result",
}

DEFAULT_MAX_TURNS: Final = 5
_STEP_SHARE: Final = 2
_MOST_EXCHANGES: Final = 12
_MOST_EARLIER: Final = 40
_LONGEST_EARLIER: Final = 60
_LONGEST_QUESTION: Final = 160
_LONGEST_ANSWER: Final = 240
_HEADING: Final = "Earlier in this thread, in short:"

_SHORT: Final = 160
"""What brought no page is told whole up to so many letters: an error, a search that found nothing."""
_LONGEST_QUERY: Final = 120
_LABEL: Final = re.compile(r"\[p\. (\d+)\]")
_ANSWERS_KEPT: Final = 512


def latest_turns(messages: Sequence[ChatMessage], turns: int) -> list[ChatMessage]:
    """Return the end of a history that ends with a question: that question, and so many turns before it."""
    asked = _questions(messages)
    return list(messages[asked[-turns - 1] :]) if len(asked) > turns else list(messages)


def _questions(messages: Sequence[ChatMessage]) -> list[int]:
    """Return where members ask."""
    return [at for at, message in enumerate(messages) if message.role is Role.USER]


def with_history(question: Question, history: Sequence[ChatMessage]) -> Question:
    """Return a question behind what was said before it, and with what it takes up of that in its query."""
    before: list[Said] = []
    for message in [message for message in history if message.role is not Role.TOOL_RESULT][-GOES_BACK:]:
        if message.role is Role.USER:
            before.append(Said(text=message.content, author=message.author.display_name if message.author else ""))
        elif before and is_off_topic(message.content):
            before.pop()  # what was turned away is not taken up
    said = Said(text=question.text, author=question.author.display_name)
    return replace(question, history=tuple(history), query=in_context(said, before), said_before=bool(before))


def prompt_messages(messages: Iterable[ChatMessage], *, in_short: bool = False) -> list[PromptMessage]:
    """Return stored messages as a prompt holds them, a tool result behind the call that it answers.

    Passages that went along with a question stand with it, as they did when it was asked. `in_short` shows of what was
    found the query and the pages.
    """
    prompt: list[PromptMessage] = []
    for message in messages:
        if message.went_along:
            # Without their question, which may be out of the reader's sight or out of the window, they answer nothing.
            if prompt and prompt[-1].role == "user" and prompt[-1].content.strip():
                prompt[-1] = _with_what_went_along(prompt[-1], message.content, in_short=in_short)
            continue
        if message.invocation is not None:
            prompt.append(PromptMessage(role="assistant", content="", tool_invocations=(message.invocation,)))
        prompt.append(
            PromptMessage(
                role=_PROMPT_ROLES[message.role],
                content=recalled(message).content if in_short else message.content,
                author=message.author.display_name if message.author else "",
                invocation_id=message.invocation.invocation_id if message.invocation else "",
                tool_name=message.invocation.tool_name if message.invocation else "",
                is_error=message.is_error,
            )
        )
    return prompt


def _with_what_went_along(question: PromptMessage, passages: str, *, in_short: bool) -> PromptMessage:
    if in_short:
        return replace(question, looked_at=tuple(_labelled(passages)))
    return replace(question, passages=passages)


class SummarisingContextStrategy:
    """Cuts in steps of half a window, so that a prompt begins as the one before for several turns and is cached.

    What was found for the last turn stays whole, since the next question is often about it; of older turns the query
    and the pages stay, to be fetched again.

    Args:
        max_messages: of these two windows the smaller counts.
        max_turns: turns, the question's own apart.
    """

    def __init__(
        self,
        *,
        max_messages: int = DEFAULT_MAX_MESSAGES,
        max_turns: int = DEFAULT_MAX_TURNS,
    ) -> None:
        self._max_messages = max(max_messages, 1)  # the question itself is never cut
        self._max_turns = max(max_turns, 0)

    def build_context(
        self, messages: list[ChatMessage], system_prompt: str, *, window: int | None = None
    ) -> list[PromptMessage]:
        """Return the system prompt, what was said before in short, and the latest: of two windows the smaller.

        A `window` that the asker chose wins over both, and shows nothing of what was said before it.
        """
        if window is not None:
            messages = latest_turns(messages, window)
        cut = self._cut(messages) if window is None else 0
        last_turn = max(cut, *_questions(messages)[-2:-1], 0)
        summary = _summary(messages[:cut])
        return [
            PromptMessage(role="system", content=system_prompt),
            *([PromptMessage(role="user", content=summary, is_reminder=True)] if summary else []),
            *prompt_messages(messages[cut:last_turn], in_short=True),
            *prompt_messages(messages[last_turn:]),
        ]

    def _cut(self, messages: Sequence[ChatMessage]) -> int:
        """Return how many messages are cut: whole steps, and on to where somebody asks, so that no answer hangs."""
        asked = _questions(messages)
        # What went along with a question is no message of its own.
        rows = [at for at, message in enumerate(messages) if not message.went_along]
        too_many = min(_steps(len(rows) - self._max_messages, self._max_messages), len(rows) - 1)
        # The question itself is no turn yet.
        turns = min(_steps(len(asked) - 1 - self._max_turns, self._max_turns), len(asked) - 1)
        cut = max(rows[too_many] if too_many > 0 else 0, asked[turns] if turns > 0 else 0)
        return next((at for at in asked if at >= cut), cut) if cut > 0 else 0


def recalled(message: ChatMessage) -> ChatMessage:
    """Return a message of an earlier turn; of a tool's result, what was asked for and which pages came."""
    if message.invocation is None:
        return message
    pages = _labelled(message.content)
    if pages:
        return replace(message, content=f"[{_wanted(message.invocation)}: {named_pages(pages)}]")
    if len(message.content) <= _SHORT:
        return message
    if message.invocation.tool_name == FIND_MENTIONS:
        return replace(message, content=message.content.partition("\n")[0])
    return replace(message, content=f"[{_wanted(message.invocation)}]")


def _labelled(content: str) -> list[int]:
    """Return the pages whose labels stand in lines of their own."""
    # Every line is looked at of every page that goes along: most begin otherwise.
    lines = (line for line in content.split("\n") if line.startswith("[p. "))
    return [int(label[1]) for line in lines if (label := _LABEL.fullmatch(line))]


def _steps(too_many: int, window: int) -> int:
    """Return how many to cut of what is too much: whole steps of half a window."""
    step = max(window // _STEP_SHARE, 1)
    return -(-too_many // step) * step if too_many > 0 else 0


def _summary(messages: Sequence[ChatMessage]) -> str:
    exchanges: list[list[ChatMessage]] = []
    for message in messages:
        if message.role is Role.USER and message.content.strip():
            exchanges.append([message])
        elif message.role is Role.ASSISTANT and exchanges:
            exchanges[-1].append(message)
    earlier, latest = exchanges[:-_MOST_EXCHANGES], exchanges[-_MOST_EXCHANGES:]
    asked = [_shortened(_asked(exchange), _LONGEST_EARLIER) for exchange in earlier[-_MOST_EARLIER:]]
    return "\n".join([_HEADING, *asked, *map(_exchange, latest)]) if exchanges else ""


def _exchange(messages: Sequence[ChatMessage]) -> str:
    """Tell a question and how each answer to it began, a line each, so that nobody can put words into our mouth."""
    answers = (_first_sentence(answer.content) for answer in messages[1:])
    return "\n".join([_asked(messages), *(f"  You answered: {_shortened(each, _LONGEST_ANSWER)}" for each in answers)])


@lru_cache(maxsize=_ANSWERS_KEPT)
def _first_sentence(answer: str) -> str:
    """Return how an answer began; kept, since each turn of a thread tells of the same ones."""
    return next(iter(sentences(answer)), "")


def _asked(messages: Sequence[ChatMessage]) -> str:
    question = messages[0]
    who = question.author.display_name if question.author else "Somebody"
    return f"- {who}: {_shortened(question.content, _LONGEST_QUESTION)}"


def _shortened(text: str, longest: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1].rstrip()}…"


def _wanted(invocation: ToolInvocation) -> str:
    words = " ".join(main_argument(invocation).split())[:_LONGEST_QUERY]
    if invocation.tool_name == SEARCH_BOOK:
        return f'searched "{words}"'
    return f"{invocation.tool_name} {words}".strip()
