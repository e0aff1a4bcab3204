"""What people see of a club, written down: each step of a script, and what it changed."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.adapters.platform.stages import Message, Stage

_IDS = re.compile(r"\b(?:p?\d{15,}|[UCDBFTSE]0A[0-9A-F]{8}|\d{10}\.\d{6}|127\.0\.0\.1:\d+)\b")
_WEEKS = re.compile(r"\b\d+ weeks(?=, \d)")  # how long the club read hangs on today's date
_TO_ASKER = "to the asker"
_SPACES = re.compile(r"[ \t]+$", re.MULTILINE)


class Transcript:
    """Writes down what is new, changed or gone after each step."""

    def __init__(self, stage: Stage, people: Mapping[str, Any]) -> None:
        self._stage = stage
        self._people = people
        self._names = {str(person.id): name for name, person in people.items()} | {str(stage.server.bot.id): "Thusfar"}
        self._seen: dict[tuple[str, int], str] = {}
        self.lines: list[str] = []

    def write(self, step: str, used: Any = None) -> None:
        """Write one step and what people see now that they did not see before."""
        self.lines += ["", f"== {step}"]
        now = dict(self._all(used))
        for key, shown in now.items():
            before = self._seen.get(key)
            if shown != before:
                self.lines += [f"{key[0]}{'' if before is None else ' (changed)'}", _indented(shown)]
        self.lines += [f"{key[0]} (gone)" for key in self._seen if key not in now and key[0] != _TO_ASKER]
        self._seen = now

    def _all(self, used: Any) -> Iterator[tuple[tuple[str, int], str]]:
        for message in self._stage.public():
            yield ("to all", id(message)), self._shown(message)
        shown = [] if used is None else [one for one in used.messages if one not in self._stage.public()]
        for message in shown:
            yield (_TO_ASKER, id(message)), self._shown(message)
        for name, person in self._people.items():
            for message in self._stage.told(person):
                if message not in shown:
                    yield (f"to {name} alone", id(message)), self._shown(message)
        yield from self._in_places()

    def _in_places(self) -> Iterator[tuple[tuple[str, int], str]]:
        """The names of threads, and the reactions on what members said."""
        for place in self._stage.server.platform.channels.values():
            if getattr(place, "is_thread", False):
                yield ("thread", id(place)), self._plain(place.name)
            for message in place.history:
                mine = [emoji for emoji, by in message.reactions.items() if self._stage.server.bot.id in by]
                if mine:
                    yield (f"reactions to {self._plain(message.content)[:40]!r}", id(message) + 1), " ".join(mine)

    def _shown(self, message: Message) -> str:
        labels = self._stage.labels(message)
        files = [getattr(file, "filename", None) or file.name for file in _files(message)]
        return "\n".join(
            [
                self._plain(message.contents[-1]),
                *([f"[{'] ['.join(labels)}]"] if labels else []),
                *(f"(file {name})" for name in files),
            ]
        )

    def _plain(self, text: str) -> str:
        named = _IDS.sub(lambda found: self._names.get(found[0], "ID"), text)
        return _SPACES.sub("", _WEEKS.sub("N weeks", named))


def _files(message: Message) -> list[Any]:
    return list(getattr(message, "attachments", None) or getattr(message, "files", None) or [])


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def steps(script: str) -> Iterator[str]:
    """The lines of a script, without its headings."""
    return (line for line in script.splitlines() if line and not line.startswith("#"))


def newest(messages: list[Message], has: Callable[[Message], bool]) -> Message:
    """The last message of which something is true.

    Raises:
        AssertionError: there is none.
    """
    found = next((one for one in reversed(messages) if has(one)), None)
    assert found is not None, "no such message"
    return found
