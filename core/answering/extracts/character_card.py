"""The card of a person on the read pages, and the list of people."""

from collections.abc import Sequence

from core.answering.extracts.found_answer import FoundAnswer, cited, pages_of, put_together, quotation
from core.answering.extracts.in_short import FROM_NOTES, noted, with_pages
from core.answering.extracts.introductions import introductions, tells_who
from core.answering.extracts.passages import shortened
from core.answering.extracts.people import Mentions, sentence_with
from core.answering.extracts.read_text import ReadSentence, ReadText
from core.catalogue.sentences import say, say_count
from core.domain.note import Note
from core.guard.citations import cited_pages


def portrait(read: ReadText, mentions: Mentions, *, told: str = "") -> FoundAnswer:
    """Return a person's card: where they come up, the sentence that introduces them, and the latest one.

    Where notes or a model have `told` who it is, that takes the place of the latest sentence. Where no sentence says
    who it is, one of a page that it cites is quoted.
    """
    introductory, is_told = introductions(read, mentions, most=1)
    introduced = introductory[0] if introductory else []
    if told:
        head = f"{standing(mentions)}\n\n{told}"
        pages = [*cited_pages(told), *pages_of(introduced)]
        return (
            put_together(head, quotation(introduced), pages=pages) if is_told else noted(standing(mentions), told, read)
        )
    latest = _latest(read, mentions)
    shown = [introduced or _first(read, mentions)]
    if latest and latest[0].text not in " ".join(each.text for each in shown[0]):
        shown.append(latest)
    pages = [each.page for sentences in shown for each in sentences]
    return put_together(standing(mentions), *map(quotation, shown), pages=pages)


def standing(mentions: Mentions) -> str:
    """Return a name with how often it occurs and its first and last page."""
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


def listed(named: Sequence[Mentions], notes: Sequence[Note] = ()) -> str:
    """Return the names as a list, one line each, with the note that says who it is."""
    lines = []
    for each in named:
        about = [note for note in notes if each.pattern.search(note.text)]
        said = max(about, key=lambda note: tells_who(note.text, each), default=None)
        lines.append(f"- {standing(each)}" + (f". {with_pages([said])}" if said else ""))
    return "\n".join([say(FROM_NOTES), *lines] if notes else lines)


def _first(read: ReadText, mentions: Mentions) -> list[ReadSentence]:
    return _shown(sentence_with(read, mentions.pages[0], mentions), mentions)


def _latest(read: ReadText, mentions: Mentions) -> list[ReadSentence]:
    return _shown(sentence_with(read, mentions.pages[-1], mentions, last=True), mentions)


def _shown(sentence: ReadSentence | None, mentions: Mentions) -> list[ReadSentence]:
    return [] if sentence is None else [shortened(sentence, mentions.pattern, most_words=_LONGEST)]


_LONGEST = 70
