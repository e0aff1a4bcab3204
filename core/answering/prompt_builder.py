"""Builds the prompt for a member's question: how to answer, the conversation so far, and the question last."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from core.agent.prompts import CONVERSATION_SYSTEM_PROMPT, NOBODY_ASKED, REDRAFT_REASON, render_prompt
from core.agent.response_rules import RAG_CONTEXT, ResponseRule, load_rule
from core.answering.context import SummarisingContextStrategy, prompt_messages
from core.answering.tools.reading_tools import listed_chapters
from core.answering.tools.search_book import DEFAULT_TOP_K, format_passages
from core.domain.book import Chapter
from core.domain.conversation import ChatMessage
from core.domain.passage import SearchResult
from core.domain.question import Question
from core.domain.tool_use import PromptMessage
from core.domain.verdict import BACKGROUND_MARK
from core.guard.verifier import Verifier
from core.language.words import LANGUAGE_NAMES, language_of


class PromptBuilder:
    """Builds prompts from the system prompt and the conversation.

    Args:
        context: selects what of the conversation goes into the prompt.
        prompts_dir: the folder of the prompt files.
        service: the provider's name, for prompts that differ by provider.
        verifier: checks the answers; None if nothing but the score does.
    """

    def __init__(
        self,
        *,
        context: SummarisingContextStrategy,
        prompts_dir: Path,
        service: str,
        verifier: Verifier | None = None,
    ) -> None:
        self._context = context
        self._prompts_dir = prompts_dir
        self._service = service
        self._is_verified = verifier is not None
        self._background = BACKGROUND_MARK if verifier is not None and verifier.background else ""

    @property
    def rule(self) -> ResponseRule:
        """The prompt file and options for members' questions."""
        return load_rule(self._prompts_dir, CONVERSATION_SYSTEM_PROMPT)

    async def build(self, question: Question) -> list[PromptMessage]:
        """Return the prompt for a question.

        If it is unclear whether the bot was asked, the prompt tells the model how to say that nobody asked it.
        """
        said, system = [*question.history, question.said], await self._system(question, question.chapters or ())
        prompt = self._context.build_context(said, system, window=question.message.window)
        if question.aside:
            prompt[-1] = replace(prompt[-1], content=f"{prompt[-1].content}\n{question.aside}")
        if not question.message.asked.is_doubtful:
            return prompt
        told = render_prompt(self._prompts_dir, NOBODY_ASKED, {})
        return [*prompt, PromptMessage(role="user", content=told, is_reminder=True)]

    def redraft(
        self,
        prompt: Sequence[PromptMessage],
        searched: Iterable[ChatMessage],
        *,
        asked: str = "",
        stood: str = "",
    ) -> list[PromptMessage]:
        """Return the prompt for a new draft after one that failed.

        Args:
            prompt: the prompt of the failed draft.
            searched: the tool results of the failed draft.
            asked: the member's message, whose language is the answer's.
            stood: what is left of the failed draft without the sentences that failed.

        The prompt says nothing about the sentences that failed. The reason for the new draft comes last, so that the
        provider can cache everything before it.
        """
        language = LANGUAGE_NAMES.get(language_of(asked) or "", "")
        variables = {"background": self._background, "language": language, "stood": stood}
        reason = render_prompt(self._prompts_dir, REDRAFT_REASON, variables)
        return [
            *prompt,
            *prompt_messages(searched),
            PromptMessage(role="user", content=reason, is_reminder=True),
        ]

    async def _system(self, question: Question, chapters: Sequence[Chapter]) -> str:
        book, read, rule = question.book, question.position, self.rule
        passages: Sequence[SearchResult] = ()
        if RAG_CONTEXT in rule.template.variables:
            passages = await question.search(question.query, DEFAULT_TOP_K)
        progress = f"the pages 1 to {read} have been read" if read else "nothing has been read yet"
        return rule.render(
            {
                "book": {"title": book.title, "author": book.author},
                "reader": {
                    "progress": progress,
                    "place": _place(chapters, read or 0),
                    "chapters": "\n".join(listed_chapters(chapters, read or 0)),
                },
                "is_verified": self._is_verified,
                "background": self._background,
                RAG_CONTEXT: format_passages(passages),
                "intent": rule.name,
                "service": self._service,
                "user_message": question.text,
            }
        )


def _place(chapters: Sequence[Chapter], read: int) -> str:
    """Return how far into the current chapter the club has read, without saying how long that chapter is."""
    current = next((chapter for chapter in reversed(chapters) if chapter.first_page <= read), None)
    if current is None:
        return ""
    if current.last_page <= read:
        return f"to the end of chapter {current.number}"
    return f"up to page {read - current.first_page + 1} of chapter {current.number}, which goes on"
