"""Chooses the model that answers and the models that embed, from the settings; called by the wiring and by doctor.

What was not chosen is not imported: most commands ask no model.
"""

import logging
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Protocol

from adapters.retrieval.wordllama_embedding import WordLlamaEmbeddingProvider, wordllama_is_installed
from bot.settings import Embeddings, Provider, Settings
from core.domain.errors import SettingsError
from core.domain.tool_use import GenerationOptions, ToolDefinition
from core.ports.chat_provider import ChatProvider
from core.ports.embedding_provider import EmbeddingProvider
from core.ports.word_vectors import WordVectors

_log = logging.getLogger(__name__)


class ModelProvider(ChatProvider, Protocol):
    """A model on a server, with what whoever runs the program asks of it besides answers."""

    async def check(self, *, tools: Sequence[ToolDefinition] = (), options: GenerationOptions | None = None) -> str:
        """Make one cheap call and return the model that answered. Raises LLMError."""

    def dropped_options(self, options: GenerationOptions) -> list[str]:
        """Return the names of the options that are set but not sent as they are."""

    async def close(self) -> None:
        """Close the connections."""


def chat_provider(settings: Settings) -> ModelProvider | None:
    """Return the model that answers; None where none is configured.

    Raises:
        SettingsError: a provider is named without its key.
    """
    match _chosen(settings):
        case Provider.ANTHROPIC:
            from adapters.llm.anthropic import AnthropicChatProvider
            from adapters.llm.models import DEFAULT_ANTHROPIC_MODEL

            if settings.anthropic_api_key is None:
                raise SettingsError("THUSFAR_PROVIDER is anthropic, but ANTHROPIC_API_KEY is not set.")
            return AnthropicChatProvider(
                api_key=settings.anthropic_api_key.get_secret_value(),
                model=settings.model or DEFAULT_ANTHROPIC_MODEL,
                base_url=settings.anthropic_base_url,
            )
        case Provider.OPENAI:
            from adapters.llm.models import DEFAULT_OPENAI_MODEL
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

    Some of OpenAI's models take no tools over Chat Completions, which only a call that offers one can tell.
    """
    from core.agent.tools.search_book import DEFINITION

    return await model.check(tools=[DEFINITION])


def key_setting(settings: Settings, *, embedding: bool = False) -> str:
    """Return the name of the setting that holds the key of the model that answers, or embeds."""
    anthropic = not embedding and _chosen(settings) is Provider.ANTHROPIC
    return "ANTHROPIC_API_KEY" if anthropic else "OPENAI_API_KEY"


def generation_options(settings: Settings) -> GenerationOptions:
    """Return the options of every call."""
    return GenerationOptions(model=settings.model, max_tokens=settings.max_answer_tokens)


def embedding_providers(settings: Settings, workers: Executor) -> list[EmbeddingProvider]:
    """Return the embedding models, best first; the offline one stands in while another is not ready or out of reach.

    Raises:
        SettingsError: OpenAI's embeddings are named without a key or server, or without their dimensions.
    """
    rungs: list[EmbeddingProvider] = []
    if settings.embeddings is Embeddings.NONE:
        return rungs
    if settings.embeddings is Embeddings.OPENAI:
        from adapters.llm.openai_embedding import OpenAIEmbeddingProvider

        if settings.openai_api_key is None and settings.openai_base_url is None:
            raise SettingsError("THUSFAR_EMBEDDINGS is openai, but neither OPENAI_API_KEY nor OPENAI_BASE_URL is set.")
        rungs.append(
            OpenAIEmbeddingProvider(
                api_key=_openai_key(settings),
                model=settings.embedding_model,
                base_url=settings.openai_base_url,
                dimensions=settings.embedding_dimensions,
            )
        )
    if wordllama_is_installed():
        rungs.append(WordLlamaEmbeddingProvider(workers=workers))
    elif not rungs:
        _log.warning("wordllama is not installed; searching by words alone.")
    return rungs


def embedding_model_id(settings: Settings) -> str | None:
    """Return the model whose vectors make a book complete; None where nothing is embedded. Nothing is loaded for it."""
    models = embedding_providers(settings, ThreadPoolExecutor())  # whose threads begin with the first work
    return models[0].model_id if models else None


def former_embedding_providers(settings: Settings) -> list[EmbeddingProvider]:
    """Return OpenAI's other models: the one that was configured before serves until the new one has made its vectors.

    A book without vectors of theirs never asks them.
    """
    if settings.embeddings is not Embeddings.OPENAI:
        return []
    from adapters.llm.openai_embedding import KNOWN_DIMENSIONS, OpenAIEmbeddingProvider

    return [
        OpenAIEmbeddingProvider(api_key=_openai_key(settings), model=model, base_url=settings.openai_base_url)
        for model in KNOWN_DIMENSIONS
        if model != settings.embedding_model
    ]


def word_vectors(models: Sequence[EmbeddingProvider]) -> WordVectors | None:
    """Return the model that also knows single words, if it is among the embedding models."""
    return next((model for model in models if isinstance(model, WordLlamaEmbeddingProvider)), None)


def _chosen(settings: Settings) -> Provider:
    if settings.provider is not Provider.AUTO:
        return settings.provider
    if settings.anthropic_api_key is not None:
        return Provider.ANTHROPIC
    if settings.openai_api_key is not None or settings.openai_base_url is not None:
        return Provider.OPENAI
    return Provider.NONE


def _openai_key(settings: Settings) -> str | None:
    return settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
