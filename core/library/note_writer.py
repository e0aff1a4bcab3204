"""Asks a model to write the notes of a few pages. It sees these pages and earlier names, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.agent.prompts import NOTES_PROMPT
from core.agent.response_rules import load_rule
from core.domain.book import Book, Page
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import ChatResponse, Deadline, GenerationOptions, PromptMessage, TokenUsage
from core.library.note_answer import SCHEMA, Notes, read_notes
from core.ports.chat_provider import ChatProvider

_SECONDS: Final = 240.0
_RETRIES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenNotes:
    """The result of one call: notes by page, the model, and the token usage."""

    notes: Notes
    model: str
    usage: TokenUsage


class NoteWriter:
    """Makes one call per batch of pages. The first call finds out whether the server supports schemas.

    Args:
        provider: the model.
        prompts_dir: the folder of the prompt files.
        options: the operator's options, which override the rule's.
    """

    def __init__(self, *, provider: ChatProvider, prompts_dir: Path, options: GenerationOptions | None = None) -> None:
        self._provider = provider
        self._prompts_dir = prompts_dir
        self._options = options or GenerationOptions()
        self._takes_schema = True

    @property
    def name(self) -> str:
        """The provider."""
        return self._provider.name

    @property
    def model(self) -> str:
        """The model that is asked."""
        return load_rule(self._prompts_dir, NOTES_PROMPT).options(self._options).model or self._provider.model

    async def write(self, pages: Sequence[Page], *, book: Book, names: Sequence[str]) -> WrittenNotes:
        """Ask once for the notes of consecutive pages; an unreadable answer gives none.

        Raises:
            LLMError: the model failed or refused.
        """
        rule = load_rule(self._prompts_dir, NOTES_PROMPT)
        prompt = [
            PromptMessage(role="system", content=rule.render({"book": {"title": book.title, "author": book.author}})),
            PromptMessage(role="user", content=_material(pages, names)),
        ]
        options = replace(rule.options(self._options), deadline=Deadline(seconds=_SECONDS, retries=_RETRIES))
        response = await self._answer(prompt, options)
        wanted = {page.number for page in pages}
        notes = {page: texts for page, texts in read_notes(response.text or "").items() if page in wanted}
        model = response.model or options.model or self._provider.model
        return WrittenNotes(notes=notes, model=model, usage=response.usage or TokenUsage())

    async def _answer(self, prompt: Sequence[PromptMessage], options: GenerationOptions) -> ChatResponse:
        """Ask for JSON with a schema; if the server does not support it, ask without one from then on."""
        if self._takes_schema:
            try:
                return await self._provider.chat(prompt, replace(options, answer_schema=SCHEMA))
            except LLMError as error:
                if error.code is not LLMErrorCode.BAD_RESPONSE:
                    raise
        response = await self._provider.chat(prompt, options)
        self._takes_schema = False
        return response


def _material(pages: Sequence[Page], names: Sequence[str]) -> str:
    met = f"Names met before these pages: {', '.join(names)}\n\n" if names else ""
    shown = "\n\n".join(f"[p. {page.number}]\n{page.text.strip()}" for page in pages)
    return f"{met}Pages:\n\n{shown}"
