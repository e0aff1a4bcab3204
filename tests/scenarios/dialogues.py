"""The form of the files in fixtures/dialogues: what a member says, what the model says, and what must come of it.

A key that is not known here is an error, so that a slip of the pen cannot switch a check off.
"""

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

FOLDER = Path(__file__).parents[2] / "fixtures" / "dialogues"
BOOK = FOLDER / "book.txt"
TITLE, AUTHOR = "The Marrow Light", "E. Hale"

Fault = Literal[
    "overloaded", "rate_limited", "broken", "wrong_key", "no_such_model", "too_long", "too_large", "no_json",
    "hang_up", "cut_off", "hang",
]  # fmt: skip


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ToolUse(_Table):
    """A tool that the model wants; `arguments` as a text is what a model wrote that is no JSON object."""

    id: str
    name: str = "search_book"
    arguments: dict[str, object] | str


class Tokens(_Table):
    """What one call counts; `input` is all that went in, cached or not."""

    input: int = 100
    output: int = 20
    read: int = 0
    written: int = 0


class ModelStep(_Table):
    """What the model, or its server, does with one call. `thinking` goes only over the wire that has it."""

    text: str | None = None
    tools: tuple[ToolUse, ...] = ()
    thinking: str | None = None
    cut: bool = False
    refusal: str | None = None
    tokens: Tokens | None = Tokens()
    uncounted: bool = False
    fault: Fault | None = None

    def own_words(self) -> list[str]:
        """What the model itself writes here, which may go back to it within the turn."""
        arguments = [str(value) for tool in self.tools for value in _values(tool.arguments)]
        return [part for part in (self.text, self.thinking, *arguments) if part]


class Stored(_Table):
    """One new row: a `user`'s or the `assistant`'s words, or the result of a tool call, named by its id."""

    user: str | None = None
    assistant: str | None = None
    result_of: str | None = None
    call: str | None = None
    found: tuple[int, ...] | None = None
    says: str | None = None
    error: bool = False
    reveals: int | None = None


class Record(_Table):
    """The turn's row, as far as it does not follow from the rest. `tokens`: in, out, read, written."""

    status: Literal["answered", "failed"] = "answered"
    tokens: tuple[int, int, int, int]
    steps: tuple[str, ...] = ()
    error: str | None = None


class Then(_Table):
    """What must come of a turn. Of `choices` (may tools be used?) there is one a request."""

    answer: str
    sources: tuple[int, ...] = ()
    events: tuple[str, ...] = ()
    stored: tuple[Stored, ...] = ()
    record: Record | None = None
    choices: tuple[Literal["auto", "none"], ...] = ()
    sends: tuple[str, ...] = ()
    never_sends: tuple[str, ...] = ()


class DialogueTurn(_Table):
    """One message of a member; `page` is what is set before it, in any form of `/setpage`.

    `verifier` and `judge` are what the model says where it is asked about an answer or about the message; what is not
    written here it agrees to.
    """

    said: str
    by: Literal["Ada", "Bo"] = "Ada"
    page: str | None = None
    model: tuple[ModelStep, ...] = ()
    verifier: tuple[ModelStep, ...] = ()
    judge: tuple[ModelStep, ...] = ()
    then: Then


class Dialogue(_Table):
    """One file."""

    what: str
    settings: dict[str, str] = Field(default_factory=dict)
    turns: tuple[DialogueTurn, ...]


def dialogue(name: str) -> Dialogue:
    """Read one file."""
    return Dialogue.model_validate(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")))


def dialogue_names() -> list[str]:
    """The names of all files."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def _values(arguments: dict[str, object] | str) -> list[object]:
    return [arguments] if isinstance(arguments, str) else list(arguments.values())
