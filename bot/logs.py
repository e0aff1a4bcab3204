"""The log: readable lines, or one JSON object per line; and messages for the person at the terminal.

Libraries may log members' words and keys when debugged, so only the constant part of their records is shown, and only
the location of exceptions that aren't ours.
"""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, Literal

from typing_extensions import override

from core.domain.errors import LLMError

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]

_OURS: Final = frozenset({"adapters", "bot", "core"})
_TEXT: Final = "%(levelname)s %(name)s: %(message)s"


def set_up_log(level: str, form: Literal["text", "json"]) -> None:
    """Write the log to stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLines() if form == "json" else WithoutWords(_TEXT))
    logging.basicConfig(level=level.upper(), handlers=[handler])


def say_to_operator(line: str) -> None:
    """Print one line on stderr."""
    print(line, file=sys.stderr)  # noqa: T201


class WithoutWords(logging.Formatter):
    """A log line without values filled in by libraries, and tracebacks without exception texts."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        shown = logging.makeLogRecord(record.__dict__)
        shown.exc_text = None
        if record.name.partition(".")[0] in _OURS and isinstance(record.args, tuple):
            shown.args = tuple(_without_words(one) if isinstance(one, BaseException) else one for one in record.args)
        elif record.name.partition(".")[0] not in _OURS:
            # A library's format string is constant; a message without one may contain anything.
            shown.msg = str(record.msg) if record.args else f"(not shown: {record.module}, line {record.lineno})"
            shown.args = None
        return super().format(shown)

    @override
    def formatException(self, ei: ExcInfo) -> str:
        lines: list[str] = []
        error = ei[1]
        while error is not None:
            frames = traceback.extract_tb(error.__traceback__)
            here = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
            lines = [_without_words(error), *here, *lines]
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n".join(lines)


def _without_words(error: BaseException) -> str:
    """Return an exception without foreign text: a provider may repeat a question, a database a row."""
    kind = type(error)
    if isinstance(error, LLMError):
        return f"{error.code}: {error.cause.partition(': ')[0]}"
    return f"{kind.__qualname__}: {error}" if kind.__module__.partition(".")[0] in _OURS else kind.__qualname__


class _JsonLines(WithoutWords):
    """One object per line: `at`, `level`, `logger`, `message`, and `error` with its traceback if there is one."""

    @override
    def formatMessage(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.message,
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        record.exc_info = None
        return json.dumps(line, ensure_ascii=False)
