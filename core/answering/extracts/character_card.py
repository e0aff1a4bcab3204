"""Somebody as the read pages show them, and the list of all who have come up so far."""

from collections.abc import Sequence

from core.answering.extracts.found_answer import FoundAnswer, cited, put_together, quotation
from core.answering.extracts.introductions import introduction
from core.answering.extracts.passages import shortened
from core.answering.extracts.people import Mentions, sentence_with
from core.answering.extracts.read_text import ReadSentence, ReadText
from core.catalogue.sentences import say, say_count


def portrait(read: ReadText, mentions: Mentions) -> FoundAnswer:
    """Tell where somebody stands, the sentence that introduces them, and the latest one that names them."""
    introduced = introduction(read, mentions)
    latest = _latest(read, mentions)
    shown = [introduced or _first(read, mentions)]
    if latest and latest[0].text not in " ".join(each.text for each in shown[0]):
        shown.append(latest)
    pages = [each.page for sentences in shown for each in sentences]
    return put_together(standing(mentions), *map(quotation, shown), pages=pages)


def standing(mentions: Mentions) -> str:
    """Return a name with where it first and last stands, and how often."""
    name, first, last = f"**{mentions.name}**", cited(mentions.pages[0]), cited(mentions.pages[-1])
    if mentions.total == 1:
        # Note: {page} is a citation in brackets, such as (p. 12).
        return say("{name} once {page}", name=name, page=first)
    if first == last:
        return say_count(
            "{name} {number} time {page}", "{name} {number} times {page}", mentions.total, name=name, page=first
        )
    return say_count(
        "{name} {number} time, first {page}, last {last_page}",
        "{name} {number} times, first {page}, last {last_page}",
        mentions.total,
        name=name,
        page=first,
        last_page=last,
    )


def listed(named: Sequence[Mentions]) -> str:
    """Return a line for each of some names."""
    return "\n".join(f"- {standing(each)}" for each in named)


def _first(read: ReadText, mentions: Mentions) -> list[ReadSentence]:
    return _shown(sentence_with(read, mentions.pages[0], mentions), mentions)


def _latest(read: ReadText, mentions: Mentions) -> list[ReadSentence]:
    return _shown(sentence_with(read, mentions.pages[-1], mentions, last=True), mentions)


def _shown(sentence: ReadSentence | None, mentions: Mentions) -> list[ReadSentence]:
    return [] if sentence is None else [shortened(sentence, mentions.pattern, most_words=_LONGEST)]


_LONGEST = 70
