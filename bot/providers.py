"""Chooses the model that answers and the models that embed, from the settings; called by the wiring and by doctor.

Only the chosen one is imported; most commands call no model.
"""

import logging
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Final, Protocol

from adapters.llm.prices import call_price
from adapters.retrieval.minilm_embedding import USUAL_FOLDER, MiniLmEmbeddingProvider, minilm_is_in
from adapters.retrieval.wordllama_embedding import WordLlamaEmbeddingProvider
from bot.settings import Embeddings, Provider, Settings
from core.answering.costs import CallPrice, unknown_price
from core.domain.errors import SettingsError
from core.domain.tool_use import GenerationOptions, ToolDefinition
from core.ports.chat_provider import ChatProvider
from core.ports.embedding_provider import EmbeddingProvider
from core.ports.word_vectors import WordVectors

DEFAULT_ANTHROPIC_MODEL: Final = "claude-haiku-5-5"
DEFAULT_OPENAI_MODEL: Final = "gpt-5.4-mini"
"""The default models: small, current ones as of 2026-11-21."""

_log = logging.getLogger(__name__)


class ModelProvider(ChatProvider, Protocol):
    """A model on a server, with the checks that operators use."""

    async def check(self, *, tools: Sequence[ToolDefinition] = (), options: GenerationOptions | None = None) -> str:
        """Make one cheap call and return the model that answered. Raises LLMError."""

    def dropped_options(self, options: GenerationOptions) -> list[str]:
        """Return the names of options that are set but not sent unchanged."""

    async def close(self) -> None:
        """Close the connections."""


def chat_provider(settings: Settings) -> ModelProvider | None:
    """Return the model that answers; None where none is configured.

    Raises:
        SettingsError: a provider is named without its key.
    """
    match chosen_provider(settings):
        case Provider.ANTHROPIC:
            from adapters.llm.anthropic import AnthropicChatProvider

            if settings.anthropic_api_key is None:
                raise SettingsError("THUSFAR_PROVIDER is anthropic, but ANTHROPIC_API_KEY is not set.")
            return AnthropicChatProvider(
                api_key=settings.anthropic_api_key.get_secret_value(),
                model=settings.model or DEFAULT_ANTHROPIC_MODEL,
                base_url=settings.anthropic_base_url,
            )
        case Provider.OPENAI:
            from adapters.llm.openai import OpenAIChatProvider

            if settings.openai_api_key is None and settings.openai_base_url is None:
                raise SettingsError(
                    "THUSFAR_PROVIDER is openai, but neither OPENAI_API_KEY nor OPENAI_BASE_URL is set."
                )
            return OpenAIChatProvider(
                api_key=_openai_key(settings),
                model=settings.model or DEFAULT_OPENAI_MODEL,
                base_url=settings.openai_base_url,
            )
        case _:
            return None


async def check_model(model: ModelProvider) -> str:
    """Make one cheap call and return the model that answered. Raises LLMError.

    Some OpenAI models accept no tools over Chat Completions; only a call with a tool shows that.
    """
    from core.answering.tools.search_book import DEFINITION

    return await model.check(tools=[DEFINITION])


def key_setting(settings: Settings, *, embedding: bool = False) -> str:
    """Return the name of the key setting of the answering or embedding model."""
    anthropic = not embedding and chosen_provider(settings) is Provider.ANTHROPIC
    return "ANTHROPIC_API_KEY" if anthropic else "OPENAI_API_KEY"


def generation_options(settings: Settings) -> GenerationOptions:
    """Return the options of every call."""
    return GenerationOptions(model=settings.model, max_tokens=settings.max_answer_tokens)


def embedding_provider(settings: Settings, workers: Executor) -> EmbeddingProvider | None:
    """Return the embedding model of Chroma's passage vectors; None if search uses words only.

    Raises:
        SettingsError: a model is named without its key or files.
    """
    match settings.embeddings:
        case Embeddings.OPENAI:
            if settings.openai_api_key is None and settings.openai_base_url is None:
                raise SettingsError(
                    "THUSFAR_EMBEDDINGS is openai, but neither OPENAI_API_KEY nor OPENAI_BASE_URL is set."
                )
            return _openai_embeddings(settings, settings.embedding_model, settings.embedding_dimensions)
        case Embeddings.MINILM:
            folder = minilm_folder(settings)
            if not minilm_is_in(folder):
                raise SettingsError(
                    f"THUSFAR_EMBEDDINGS is minilm, but its model is not in {folder}: "
                    "`thusfar embeddings get` downloads it."
                )
            return MiniLmEmbeddingProvider(folder, workers=workers)
        case Embeddings.AUTO if minilm_is_in(minilm_folder(settings)):
            return MiniLmEmbeddingProvider(minilm_folder(settings), workers=workers)
        case _:
            words = word_vectors(settings)
            return WordLlamaEmbeddingProvider(words, workers=workers) if words is not None else None


def embedding_model_id(settings: Settings) -> str | None:
    """Return the id of the model whose vectors a complete book has; None without embeddings. Loads nothing."""
    model = embedding_provider(settings, ThreadPoolExecutor())  # its threads start with the first work
    return model.model_id if model is not None else None


def former_embedding_providers(settings: Settings, workers: Executor) -> list[EmbeddingProvider]:
    """Return earlier local models: their vectors are used until OpenAI's are complete, or while OpenAI is unreachable.

    They are never used for a book without their vectors.
    """
    if settings.embeddings is not Embeddings.OPENAI:
        return []
    from adapters.llm.openai_embedding import KNOWN_DIMENSIONS

    folder = minilm_folder(settings)
    minilm = [MiniLmEmbeddingProvider(folder, workers=workers)] if minilm_is_in(folder) else []
    others = [model for model in KNOWN_DIMENSIONS if model != settings.embedding_model]
    return [*minilm, *(_openai_embeddings(settings, model, None) for model in others)]


def minilm_folder(settings: Settings) -> Path:
    """Return MiniLM's folder: the configured one, else Chroma's."""
    return settings.minilm_folder or Path.home() / USUAL_FOLDER


def word_vectors(settings: Settings) -> WordVectors | None:
    """Return the word vectors; None if switched off or not installed."""
    return None if settings.embeddings is Embeddings.NONE else wordllama()


@cache
def wordllama() -> WordVectors | None:
    """Return the process's shared table."""
    from adapters.retrieval.wordllama_vectors import WordLlamaVectors, wordllama_is_installed

    if wordllama_is_installed():
        return WordLlamaVectors()
    _log.warning("wordllama is not installed; search uses exact words.")
    return None


def price_list(model: ModelProvider | None) -> CallPrice:
    """Return the price table; on a compatible server the maker's prices don't apply."""
    from adapters.llm.openai import OpenAIChatProvider

    is_foreign = isinstance(model, OpenAIChatProvider) and not model.native
    return unknown_price if model is None or is_foreign else call_price


def _openai_embeddings(settings: Settings, model: str, dimensions: int | None) -> EmbeddingProvider:
    from adapters.llm.openai_embedding import OpenAIEmbeddingProvider

    return OpenAIEmbeddingProvider(
        api_key=_openai_key(settings), model=model, base_url=settings.openai_base_url, dimensions=dimensions
    )


def chosen_provider(settings: Settings) -> Provider:
    """Return the provider that the settings name, or the one that `auto` stands for."""
    if settings.provider is not Provider.AUTO:
        return settings.provider
    if settings.anthropic_api_key is not None:
        return Provider.ANTHROPIC
    if settings.openai_api_key is not None or settings.openai_base_url is not None:
        return Provider.OPENAI
    return Provider.NONE


def _openai_key(settings: Settings) -> str | None:
    return settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
