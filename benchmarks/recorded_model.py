"""The model of `benchmarks.recorded`: it answers each prompt as it is recorded, and writes down what is not recorded.

A recording is named after the SHA-256 of its role and its prompt, so a changed prompt needs a new one.
"""

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from adapters.llm.openai_wire import wire_messages
from benchmarks.natural_model import LETTERS_A_TOKEN, rule_beginning
from core.agent.prompts import SCOPE_PROMPT, VERIFIER_PROMPT
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import (
    ChatResponse,
    GenerationOptions,
    PromptMessage,
    TokenUsage,
    ToolChoice,
    ToolDefinition,
    ToolInvocation,
)
from core.domain.verdict import Verdict
from core.ports.chat_provider import ChatProvider

WRITER, VERIFIER, SCOPE = "writer", "verifier", "scope"
NOTES: Final = {
    "": "None.",
    "slips": "You know the whole book. Answer as the prompt asks, but let one thing slip that only later pages tell.",
}
_OWN_LANGUAGE: Final = "the book's own language", "the language of the message"
"""What the prompt asks of a writer without a verifier, and with one."""
_VERDICTS: Final = re.compile(rf"\b(?:{'|'.join(Verdict)})\b")
_TODO: Final = """\
Role: {role}. Conversation: {conversation}. Answer from nothing but this file: no book, no labels, no other file.
Write your answer to {name} beside this file, as JSON.
In words, with your name or model as "by": {{"text": "...", "by": "..."}}
With tools, where some are offered: {{"tools": [{{"name": "...", "arguments": {{...}}}}], "by": "..."}}
Note: {note}
---
{prompt}
"""


_OF_CONVERSATION: Final = re.compile(r"Role: \w+\. Conversation: (.+?)\. Answer from ")


class NotRecordedError(Exception):
    """A prompt has no recorded answer."""


@dataclass(slots=True, kw_only=True)
class RecordedModel(ChatProvider):
    """Answers each prompt as it is recorded in `folder`; `asks` writes what is not recorded there, to be answered.

    `calls`, `tokens`, `evidence` and `missing` are those since `begin`, `evidence` the letters of the verifier's
    messages; `answered_by` counts all calls by role and by who recorded the answer.
    """

    folder: Path
    prompts_dir: Path
    asks: bool = True
    verifies: bool = True
    flips: float = 0.0
    seed: int = 0
    variant: str = ""
    conversation: str = ""
    calls: int = 0
    tokens: int = 0
    evidence: int = 0
    missing: list[Path] = field(default_factory=list)
    answered_by: Counter[tuple[str, str]] = field(default_factory=Counter)
    name = "recorded"
    model = "recorded"

    def begin(self, variant: str, conversation: str) -> None:
        """Begin a turn of a conversation."""
        self.conversation = conversation
        self.variant, self.calls, self.tokens, self.evidence, self.missing = variant, 0, 0, 0, []

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        return await self.chat_with_tools(messages, (), options)

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        role, text = self._role(messages[0].content), prompt_text(messages, tools, options or GenerationOptions())
        if not self.verifies:  # the drafts are those that were written for a verifier
            text = text.replace(*_OWN_LANGUAGE)
        variant = self.variant if role == WRITER else ""
        digest = hashlib.sha256(f"{role}\n{variant}\n{text}".encode()).hexdigest()
        recording = self.folder / role / f"{digest}.json"
        todo = recording.with_suffix(".todo.md")
        if not recording.is_file():
            return self._not_recorded(role, todo, text, variant, is_redraft=_asks_again(messages))
        todo.unlink(missing_ok=True)
        given = json.loads(recording.read_text(encoding="utf-8"))
        letters = len(text), len(json.dumps(given, ensure_ascii=False))
        self.calls += 1
        self.answered_by[role, given.get("by", "unnamed")] += 1
        self.tokens += sum(letters) // LETTERS_A_TOKEN
        if role == VERIFIER:
            self.evidence += sum(len(each.content) for each in messages[1:])
            given = self._flipped(given, digest)
        usage = TokenUsage(input_tokens=letters[0] // LETTERS_A_TOKEN, output_tokens=letters[1] // LETTERS_A_TOKEN)
        return _response(given, usage, digest, recording)

    def _role(self, system: str) -> str:
        for role, rule in ((VERIFIER, VERIFIER_PROMPT), (SCOPE, SCOPE_PROMPT)):
            if system.startswith(rule_beginning(self.prompts_dir, rule)):
                return role
        return WRITER

    def _not_recorded(self, role: str, todo: Path, text: str, variant: str, *, is_redraft: bool) -> ChatResponse:
        if not self.asks and is_redraft:
            self.answered_by[role, "nobody (a new draft)"] += 1
            raise LLMError(LLMErrorCode.UNAVAILABLE, "nobody has written this new draft")
        self.missing.append(todo)
        if self.asks:
            todo.parent.mkdir(parents=True, exist_ok=True)
            name = f"{todo.name.removesuffix('.todo.md')}.json"
            note, conversation = NOTES[variant], self.conversation
            written = _TODO.format(role=role, conversation=conversation, name=name, note=note, prompt=text)
            todo.write_text(written, encoding="utf-8")
        if role == SCOPE:  # asked while the answer is drafted: its writer is asked in the same round
            return ChatResponse(text="90 not recorded yet")
        raise NotRecordedError(todo)

    def _flipped(self, given: Mapping[str, Any], digest: str) -> Mapping[str, Any]:
        drawn = random.Random(f"{self.seed} {digest}")

        def verdict(found: re.Match[str]) -> str:
            is_flipped = drawn.random() < self.flips
            # OPINION passes without a page.
            turned = Verdict.NOT if Verdict(found[0]).may_be_posted else Verdict.OPINION
            return turned if is_flipped else found[0]

        text, count = _VERDICTS.subn(verdict, given["text"])
        if self.flips and not count:
            raise ValueError(f"{digest}: there is no verdict to flip")
        return {**given, "text": text}


def prompt_text(messages: Sequence[PromptMessage], tools: Sequence[ToolDefinition], options: GenerationOptions) -> str:
    """Return a request as it is sent, in a readable form: tools, form of the answer, messages.

    What differs from run to run is left out: the ids of tool calls, whose results follow them in order, and the time
    that is left. So are the limits of length and temperature, which are nothing to read.
    """
    parts = [
        f"[tool {each.name}]\n{each.description}\nArguments: {json.dumps(each.parameters, sort_keys=True)}"
        for each in tools
    ]
    if tools and options.tool_choice is ToolChoice.NONE:
        parts.append("[no tool may be used any more]")
    if options.answer_schema is not None:
        parts.append(f"[form of the answer]\n{json.dumps(options.answer_schema, sort_keys=True)}")
    for each in wire_messages(messages):
        called = [call["function"] for call in each.get("tool_calls", ())]
        said = [each["content"], *(f"calls {call['name']} {call['arguments']}" for call in called)]
        parts.append("\n".join([f"[{each['role']}]", *(line for line in said if line)]))
    return "\n\n".join(parts)


def conversation_of(todo: Path) -> str | None:
    """Return the conversation that a prompt belongs to; None if it was answered meanwhile."""
    try:
        found = _OF_CONVERSATION.match(todo.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return found[1] if found else None


def _asks_again(messages: Sequence[PromptMessage]) -> bool:
    """Whether a prompt asks for a new draft: we ask it after the last question."""
    roles = [each.role == "user" and not each.is_reminder for each in messages]
    return any(each.is_reminder for each in messages[len(roles) - roles[::-1].index(True) :])


def _response(given: Mapping[str, Any], usage: TokenUsage, digest: str, recording: Path) -> ChatResponse:
    if ("text" in given) == ("tools" in given):
        raise ValueError(f"{recording}: a recording has either text or tools")
    if "text" in given:
        return ChatResponse(text=given["text"], usage=usage, model=given.get("by"))
    calls = tuple(
        ToolInvocation(tool_name=each["name"], arguments=each["arguments"], invocation_id=f"{digest[:16]}-{at}")
        for at, each in enumerate(given["tools"])
    )
    return ChatResponse(tool_invocations=calls, usage=usage, model=given.get("by"))
