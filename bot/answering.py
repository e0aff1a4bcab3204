"""Build the answering services from the settings and the rules in `prompts/`: strategy, verifier, scope, history."""

from dataclasses import dataclass, replace

from bot.providers import generation_options
from bot.settings import Settings, Strategy
from core.agent.prompts import CONVERSATION_SYSTEM_PROMPT, REWRITE_PROMPT, check_rules
from core.agent.response_rules import load_rule
from core.answering.context import GOES_BACK, SummarisingContextStrategy
from core.answering.scope_guardrail import ScopeGuardrail, ScopeJudge
from core.answering.search import SearchBooksUseCase
from core.answering.strategies import (
    AlwaysRetrieveStrategy,
    PrefetchStrategy,
    RetrievalStrategy,
    ToolUseRetrievalStrategy,
)
from core.answering.tools.tool_registry import TOOL_NAMES
from core.answering.verified_guard import VerifiedGuard
from core.domain.tool_use import GenerationOptions, TurnLimits
from core.domain.verdict import Verify
from core.guard.verifier import Verifier
from core.ports.chat_provider import ChatProvider
from core.ports.guard import Guard


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredBy:
    """How questions are answered, by the settings and rules; without a `provider`, by quotations."""

    provider: ChatProvider | None
    strategy: RetrievalStrategy
    context: SummarisingContextStrategy
    verifier: Verifier | None
    scope: ScopeGuardrail
    limits: TurnLimits


def answered_by(settings: Settings, model: ChatProvider | None) -> AnsweredBy:
    """Return how questions are answered; without a model, rules are not read.

    Raises:
        SettingsError: a rule in `prompts/` is wrong.
    """
    if model is not None:
        check_rules(settings.prompts_dir, tools=TOOL_NAMES)
    return AnsweredBy(
        provider=model,
        strategy=_strategy(settings, model),
        context=SummarisingContextStrategy(
            max_messages=settings.max_history_messages,
            max_turns=settings.max_history_turns,
        ),
        verifier=_verifier(settings, model),
        scope=ScopeGuardrail(judge=_scope_judge(settings, model), threshold=settings.scope_threshold),
        limits=_limits(settings, model),
    )


def options_by_rule(settings: Settings) -> GenerationOptions:
    """Return the options of an answer's calls, from the settings or else from the conversation's rule."""
    return load_rule(settings.prompts_dir, CONVERSATION_SYSTEM_PROMPT).options(generation_options(settings))


def _limits(settings: Settings, model: ChatProvider | None) -> TurnLimits:
    """Return a turn's limits; quotations need only as much of a thread as a follow-up refers to."""
    limits = TurnLimits(seconds=settings.turn_seconds, retries=settings.turn_retries)
    return limits if model is not None else replace(limits, looks_back=GOES_BACK)


def _strategy(settings: Settings, model: ChatProvider | None) -> RetrievalStrategy:
    if model is None:
        return PrefetchStrategy()  # never run: answers are quotations
    rule = load_rule(settings.prompts_dir, CONVERSATION_SYSTEM_PROMPT)
    options = options_by_rule(settings)
    rounds = rule.tools.max_iterations or settings.max_iterations
    if settings.strategy is Strategy.ALWAYS_RETRIEVE or not rule.tools.enabled:
        return AlwaysRetrieveStrategy(
            options=options,
            rewrite=load_rule(settings.prompts_dir, REWRITE_PROMPT),
            rewrite_settings=_of_the_operator(settings),
            top_k=settings.top_k,
            max_attempts=settings.retrieval_attempts,
        )
    if settings.strategy is Strategy.TOOL_USE:
        return ToolUseRetrievalStrategy(max_iterations=rounds, options=options)
    return PrefetchStrategy(max_iterations=rounds, options=options, top_k=settings.top_k)


def _verifier(settings: Settings, model: ChatProvider | None) -> Verifier | None:
    if model is None or settings.verifier is Verify.OFF:
        return None
    return Verifier(
        provider=model,
        prompts_dir=settings.prompts_dir,
        scope=settings.verifier,
        options=verifier_options(settings),
        looks_twice=settings.verifier_model not in {None, settings.model},
        background=settings.background,
    )


def verifier_options(settings: Settings) -> GenerationOptions:
    """Return the options of a verifier's calls; it may be another model of the same provider."""
    return GenerationOptions(model=settings.verifier_model or settings.model)


def verifying(
    settings: Settings, model: ChatProvider | None, *, guard: Guard, search_books: SearchBooksUseCase
) -> VerifiedGuard | None:
    """Return the guard with a verifying model, whatever the settings say about drafts; None without a model."""
    if model is None:
        return None
    verifier = Verifier(provider=model, prompts_dir=settings.prompts_dir, options=verifier_options(settings))
    return VerifiedGuard(guard=guard, search_books=search_books, verifier=verifier)


def _scope_judge(settings: Settings, model: ChatProvider | None) -> ScopeJudge | None:
    if model is None or not settings.scope_judge:
        return None
    return ScopeJudge(
        provider=model,
        prompts_dir=settings.prompts_dir,
        options=_of_the_operator(settings),
        threshold=settings.scope_threshold,
    )


def _of_the_operator(settings: Settings) -> GenerationOptions:
    return GenerationOptions(model=settings.model)
