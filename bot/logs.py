"""The log: lines for people, or a JSON object a line for programs; and words for whoever started the program."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final, Literal

from typing_extensions import override

_TEXT: Final = "%(levelname)s %(name)s: %(message)s"


def set_up_log(level: str, form: Literal["text", "json"]) -> None:
    """Have everything that is logged written to stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLines() if form == "json" else logging.Formatter(_TEXT))
    logging.basicConfig(level=level.upper(), handlers=[handler])


def say_to_operator(line: str) -> None:
    """Tell whoever started the program one line."""
    print(line, file=sys.stderr)  # noqa: T201


class _JsonLines(logging.Formatter):
    """An object a line: `at`, `level`, `logger`, `message`, and `error` with its traceback where there is one."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
