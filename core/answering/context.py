"""Selects what of a conversation goes into a prompt (ADR 18): a summary of older messages, then the latest messages.

The summary lists what members asked and the first sentence of each answer. It is built for each prompt, from messages
that the current page allows, and not by a model. So it contains nothing from beyond a page that was moved back.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from core.agent.executor import SEARCH_BOOK, main_argument
from core.answering.follow_ups import Said, in_context
from core.answering.tools.reading_tools import FIND_MENTIONS
from core.domain.conversation import ChatMessage, Line, Role
from core.domain.messages import is_off_topic
from core.domain.question import Question
from core.domain.tool_use import PromptMessage, PromptRole, ToolInvocation, named_pages
from core.domain.understanding import Understanding
from core.language.sentences import sentences
from core.understanding.understand import understand

DEFAULT_MAX_MESSAGES = 20
GOES_BACK: Final = 40
"""How many earlier messages are searched for what a follow-up question refers to."""
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
"""Tool results without pages, such as errors, are kept whole up to this many characters."""
_LONGEST_QUERY: Final = 120
_LABEL: Final = re.compile(r"\[p\. (\d+)\]")
_ANSWERS_KEPT: Final = 512


def latest_turns(messages: Sequence[ChatMessage], turns: int) -> list[ChatMessage]:
    """Return the last `turns` turns of a history, and the question that ends it."""
    asked = _questions(messages)
    return list(messages[asked[-turns - 1] :]) if len(asked) > turns else list(messages)


def _questions(messages: Sequence[ChatMessage]) -> list[int]:
    """Return the indexes of members' questions."""
    return [at for at, message in enumerate(messages) if message.role is Role.USER]


def with_history(question: Question, history: Sequence[ChatMessage]) -> Question:
    """Return the question with its history, its meaning, and a query that includes what a follow-up refers to."""
    before: list[Said] = []
    for message in [message for message in history if message.role is not Role.TOOL_RESULT][-GOES_BACK:]:
        if message.role is Role.USER:
            before.append(Said(text=message.content, author=message.author.display_name if message.author else ""))
        elif before and is_off_topic(message.content):
            before.pop()  # a follow-up never refers to an off-topic question
    said = Said(text=question.text, author=question.author.display_name)
    return replace(
        question,
        history=tuple(history),
        query=in_context(said, before),
        understood=question.message.understood or _meaning(question, history),
    )


def _meaning(question: Question, history: Sequence[ChatMessage]) -> Understanding:
    """Return what a question means after the latest messages of its conversation."""
    before = [
        Line(
            text=each.content,
            author=each.author.display_name if each.author else "",
            is_bot=each.role is Role.ASSISTANT,
        )
        for each in history
        if each.role is not Role.TOOL_RESULT
    ]
    return understand(Line(text=question.text, mentions_bot=True), before)


def prompt_messages(messages: Iterable[ChatMessage]) -> list[PromptMessage]:
    """Return stored messages as prompt messages; each tool result follows the call that it answers.

    The pages of passages that were sent along with a question are attached to it.
    """
    prompt: list[PromptMessage] = []
    for message in messages:
        if message.went_along:
            # Drop pages whose question is missing, because it is outside the window or hidden from the reader.
            if prompt and prompt[-1].role == "user" and prompt[-1].content.strip():
                prompt[-1] = replace(prompt[-1], looked_at=tuple(_labelled(message.content)))
            continue
        if message.invocation is not None:
            prompt.append(PromptMessage(role="assistant", content="", tool_invocations=(message.invocation,)))
        prompt.append(
            PromptMessage(
                role=_PROMPT_ROLES[message.role],
                content=message.content,
                author=message.author.display_name if message.author else "",
                invocation_id=message.invocation.invocation_id if message.invocation else "",
                tool_name=message.invocation.tool_name if message.invocation else "",
                is_error=message.is_error,
            )
        )
    return prompt


class SummarisingContextStrategy:
    """Fits a conversation into a prompt: a summary of old turns, then the latest turns.

    Old turns are cut in steps of half a window, so that the start of the prompt stays the same for several turns and
    the provider can cache it. Of the passages that a turn was shown, only the query and the page numbers stay: a
    follow-up gets those of the last answer's pages again (`along.py`).

    Args:
        max_messages: how many messages stay at most.
        max_turns: how many turns stay at most, not counting the current one. The smaller of both limits applies.
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
        """Return the system prompt, the summary of older turns, and the latest turns.

        `window` is a number of turns that the asker chose. It replaces both limits, and there is no summary then.
        """
        if window is not None:
            messages = latest_turns(messages, window)
        cut = self._cut(messages) if window is None else 0
        summary = _summary(messages[:cut])
        return [
            PromptMessage(role="system", content=system_prompt),
            *([PromptMessage(role="user", content=summary, is_reminder=True)] if summary else []),
            *prompt_messages(map(recalled, messages[cut:])),
        ]

    def _cut(self, messages: Sequence[ChatMessage]) -> int:
        """Return how many messages to cut: whole steps, rounded up to the next question so that no answer lacks one."""
        asked = _questions(messages)
        # Passages that were sent along with a question do not count as a message.
        rows = [at for at, message in enumerate(messages) if not message.went_along]
        too_many = min(_steps(len(rows) - self._max_messages, self._max_messages), len(rows) - 1)
        # The current question is not a finished turn yet.
        turns = min(_steps(len(asked) - 1 - self._max_turns, self._max_turns), len(asked) - 1)
        cut = max(rows[too_many] if too_many > 0 else 0, asked[turns] if turns > 0 else 0)
        return next((at for at in asked if at >= cut), cut) if cut > 0 else 0


def recalled(message: ChatMessage) -> ChatMessage:
    """Return a message of an earlier turn in short: a tool result becomes its query and its page numbers."""
    if message.invocation is None or message.went_along:
        return message
    pages = _labelled(message.content)
    if pages:
        return replace(message, content=f"[{_call_in_words(message.invocation)}: {named_pages(pages)}]")
    if len(message.content) <= _SHORT:
        return message
    if message.invocation.tool_name == FIND_MENTIONS:
        return replace(message, content=message.content.partition("\n")[0])
    return replace(message, content=f"[{_call_in_words(message.invocation)}]")


def _labelled(content: str) -> list[int]:
    """Return the page numbers of the labels that have a line to themselves."""
    # Checking the start of the line first is faster: few lines are labels.
    lines = (line for line in content.split("\n") if line.startswith("[p. "))
    return [int(label[1]) for line in lines if (label := _LABEL.fullmatch(line))]


def _steps(too_many: int, window: int) -> int:
    """Round `too_many` up to whole steps of half a window; 0 where nothing is too many."""
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
    asked = [_shortened(_question_line(exchange), _LONGEST_EARLIER) for exchange in earlier[-_MOST_EARLIER:]]
    return "\n".join([_HEADING, *asked, *map(_exchange_lines, latest)]) if exchanges else ""


def _exchange_lines(messages: Sequence[ChatMessage]) -> str:
    """Return a question and the first sentence of each answer, one line each.

    A line each, so that a member's text cannot pass for an answer of the bot.
    """
    answers = (_first_sentence(answer.content) for answer in messages[1:])
    lines = (f"  You answered: {_shortened(each, _LONGEST_ANSWER)}" for each in answers)
    return "\n".join([_question_line(messages), *lines])


@lru_cache(maxsize=_ANSWERS_KEPT)
def _first_sentence(answer: str) -> str:
    """Return the first sentence of an answer. Cached, since every turn of a thread summarises the same answers."""
    return next(iter(sentences(answer)), "")


def _question_line(messages: Sequence[ChatMessage]) -> str:
    question = messages[0]
    who = question.author.display_name if question.author else "Somebody"
    return f"- {who}: {_shortened(question.content, _LONGEST_QUESTION)}"


def _shortened(text: str, longest: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1].rstrip()}…"


def _call_in_words(invocation: ToolInvocation) -> str:
    words = " ".join(main_argument(invocation).split())[:_LONGEST_QUERY]
    if invocation.tool_name == SEARCH_BOOK:
        return f'searched "{words}"'
    return f"{invocation.tool_name} {words}".strip()
