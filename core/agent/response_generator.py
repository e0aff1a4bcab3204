"""Makes one model call by a response rule: for the scope judge, the verifier, and better queries.

Members' questions, which may use tools, are answered by the strategies with the agent loop.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from core.agent.loop import AgentRun, no_search
from core.agent.response_rules import RAG_CONTEXT, ResponseRule
from core.domain.chat_event import EventSink
from core.domain.tool_use import Deadline, GenerationOptions, PromptMessage, StopReason, TokenUsage, TurnLimits
from core.ports.chat_provider import ChatProvider

NO_CONTENT: Final = "I encountered an issue and have no answer. Please ask me again."


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedResponse:
    """A response and its token usage. `service` is the provider's name.

    `is_whole` is false if the response was cut off or stopped for another reason.
    """

    content: str
    service: str
    model: str
    is_whole: bool = True
    usage: TokenUsage = field(default_factory=TokenUsage)


class ResponseGenerator:
    """Generates one response from a rule and a message.

    Args:
        provider: the model.
        settings: options that override those of every rule.
    """

    def __init__(self, *, provider: ChatProvider, settings: GenerationOptions | None = None) -> None:
        self._provider = provider
        self._settings = settings

    async def generate(
        self,
        rule: ResponseRule,
        user_message: str,
        *,
        variables: Mapping[str, object] | None = None,
        deadline: Deadline | None = None,
        on_event: EventSink | None = None,
    ) -> GeneratedResponse:
        """Generate a response to a message by a rule.

        Args:
            rule: the prompt and its options.
            user_message: the message.
            variables: the variables of the rule's template, nested as in the template.
            deadline: the turn's deadline; None for that of a turn that begins now.
            on_event: receives the token usage of the call.

        Raises:
            LLMError: the model failed or refused.
            jinja2.UndefinedError: the rule's template has a variable that is not given.
        """
        given = {
            RAG_CONTEXT: "",
            **(variables or {}),
            "intent": rule.name,
            "service": self._provider.name,
            "user_message": user_message,
        }
        prompt = [
            PromptMessage(role="system", content=rule.render(given)),
            PromptMessage(role="user", content=user_message),
        ]
        run = AgentRun(provider=self._provider, prompt=prompt, search_fn=no_search, on_event=on_event)
        options = replace(rule.options(self._settings), deadline=deadline or TurnLimits().deadline())
        response = await run.ask([], options)
        return GeneratedResponse(
            content=run.outcome(response).text or NO_CONTENT,
            service=self._provider.name,
            model=run.model or self._provider.model,
            is_whole=response.stop_reason is StopReason.END,
            usage=run.usage,
        )
