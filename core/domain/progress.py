"""How far a book is read, as a bar."""

from typing import Final

from core.domain.position import Position

_FIELDS: Final = 10


def progress_bar(position: Position, pages: int) -> str:
    """Return ten fields, those that are read filled, and the share, rounded down: `▓▓▓▓░░░░░░ 45 %`."""
    read = min((position or 0) * 100 // max(pages, 1), 100)
    filled = read * _FIELDS // 100
    return f"{'▓' * filled}{'░' * (_FIELDS - filled)} {read} %"
