"""A line of the book that somebody chose, as all see it."""

from collections.abc import Callable

from core.domain.keepsake import Keepsake
from core.domain.scope import is_private
from core.domain.words import plain_name


def quote_line(keepsake: Keepsake, name: Callable[[int], str], *, scope: str) -> str:
    """Return the line with its page, and who chose it: whoever reads alone is called you."""
    by = "you" if is_private(scope) else plain_name(keepsake.member_name)
    return f"> {keepsake.text} (p. {name(keepsake.opens_at)})\nchosen by {by}"
