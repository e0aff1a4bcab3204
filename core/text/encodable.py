"""Text that any encoding, store or library takes: a half of a character, which none does, becomes a question mark."""


def encodable(text: str) -> str:
    """Return the text with a question mark for each half of a character (a lone surrogate)."""
    return text.encode("utf-8", "replace").decode("utf-8")
