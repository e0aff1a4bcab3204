"""Lays out the prompt of a member's question: how to answer, what was said before, and the question last."""

from collections.abc import Iterable, Sequence
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


class PromptBuilder:
    """Puts the parts together; what is shown of earlier turns is the context strategy's matter.

    Args:
        context: says what of a conversation goes along.
        prompts_dir: where the rules are.
        service: the provider's name, for rules that tell one from another.
    """

    def __init__(self, *, context: SummarisingContextStrategy, prompts_dir: Path, service: str) -> None:
        self._context = context
        self._prompts_dir = prompts_dir
        self._service = service

    @property
    def rule(self) -> ResponseRule:
        """The rule by which members' questions are answered."""
        return load_rule(self._prompts_dir, CONVERSATION_SYSTEM_PROMPT)

    async def build(self, question: Question) -> list[PromptMessage]:
        """Return the prompt of a question.

        Where it is in doubt whether the bot was asked, the model is told how to say that nobody did.
        """
        said, system = [*question.history, question.said], await self._system(question, question.chapters or ())
        prompt = self._context.build_context(said, system, window=question.message.window)
        if not question.message.asked.is_doubtful:
            return prompt
        told = render_prompt(self._prompts_dir, NOBODY_ASKED, {})
        return [*prompt, PromptMessage(role="user", content=told, is_reminder=True)]

    def once_more(
        self, prompt: Sequence[PromptMessage], searched: Iterable[ChatMessage], *, stood: Sequence[str] = ()
    ) -> list[PromptMessage]:
        """Return the prompt of a new draft: of the failed one go along what was searched and the sentences that stood.

        Of those that fell, nothing does. The reason, which tells nothing of them, comes last: all before it was sent
        before, and is in the provider's cache.
        """
        sentences = [" ".join(each.split()) for each in stood]
        reason = render_prompt(self._prompts_dir, REDRAFT_REASON, {"stood": sentences})
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
                RAG_CONTEXT: format_passages(passages),
                "intent": rule.name,
                "service": self._service,
                "user_message": question.text,
            }
        )


def _place(chapters: Sequence[Chapter], read: int) -> str:
    """Return where in the chapter being read the club is; how long that chapter is, is not told."""
    current = next((chapter for chapter in reversed(chapters) if chapter.first_page <= read), None)
    if current is None:
        return ""
    if current.last_page <= read:
        return f"to the end of chapter {current.number}"
    return f"up to page {read - current.first_page + 1} of chapter {current.number}, which goes on"
