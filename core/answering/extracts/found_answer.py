"""The result of a finder: text made from read sentences, and their pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.extracts.read_text import ReadSentence


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAnswer:
    """An answer, and the read pages that it quotes."""

    text: str
    pages: tuple[int, ...]


def put_together(*parts: str, pages: Sequence[int]) -> FoundAnswer:
    """Join the non-empty parts into an answer."""
    return FoundAnswer(text="\n\n".join(filter(None, parts)), pages=tuple(dict.fromkeys(pages)))


def cited(first_page: int, last_page: int | None = None) -> str:
    """Return a citation such as `(p. 12)`. Always in English: it is parsed later, and `with_labels` translates it."""
    return f"(p. {first_page})" if last_page in {None, first_page} else f"(pp. {first_page}-{last_page})"


def quotation(sentences: Sequence[ReadSentence], *, cites: bool = True) -> str:
    """Return sentences as a Markdown quotation, one block per paragraph, with the page at the end if `cites`."""
    if not sentences:
        return ""
    paragraphs: dict[int, list[str]] = {}
    for each in sentences:
        paragraphs.setdefault(each.paragraph, []).append(each.text)
    text = "\n>\n".join(f"> {' '.join(texts)}" for texts in paragraphs.values())
    return f"{text} {cited(sentences[0].page)}" if cites else text


def pages_of(sentences: Sequence[ReadSentence]) -> list[int]:
    """Return the pages of some sentences."""
    return [page for each in sentences for page in range(each.page, each.last_page + 1)]
