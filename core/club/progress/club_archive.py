"""A club's archive of a book: Markdown for people, JSON for programs."""

import json
import re
from typing import Final

from core.catalogue.sentences import say
from core.domain.club_record import Archive, KeptAnswer, PageMove
from core.domain.messages import plain_name
from core.domain.schedule import Schedule
from core.domain.sealed_item import SealedItem, SealedItemKind

_LONGEST_NAME: Final = 60
_NOT_ALPHANUMERIC: Final = re.compile(r"[\W_]+")


def archive_text(title: str, archive: Archive) -> str:
    """Return Markdown: quotes, predictions, sections, moves, then every question with its answer, by day."""
    parts = (
        (say("Quotes"), _item_texts(archive, SealedItemKind.QUOTE)),
        (say("Predictions"), _item_texts(archive, SealedItemKind.PREDICTION)),
        (say("Sections"), "\n".join(_section_lines(archive.schedule))),
        (say("The page"), "\n".join(map(_move_line, archive.moves))),
        (say("Questions"), "\n\n".join(map(_answer_text, archive.answers))),
    )
    return "\n\n".join([f"# {title}", *(f"## {heading}\n\n{body}" for heading, body in parts if body)]) + "\n"


def archive_facts(title: str, archive: Archive) -> dict[str, object]:
    """Return it for a program: times in UTC, page numbers as the book was imported."""
    return {
        "title": title,
        "pages": [{"at": move.at.isoformat(), "page": move.page} for move in archive.moves],
        "quotes": [_item_facts(each) for each in archive.sealed_items if each.kind is SealedItemKind.QUOTE],
        "predictions": [_item_facts(each) for each in archive.sealed_items if each.kind is SealedItemKind.PREDICTION],
        "questions": [
            {
                "at": each.at.isoformat(),
                "page": each.page,
                "asker": each.asker,
                "question": each.question,
                "answer": each.answer,
            }
            for each in archive.answers
        ],
        "sections": _section_facts(archive.schedule),
    }


def archive_json(title: str, archive: Archive) -> str:
    """Return the facts as one line of JSON."""
    return json.dumps(archive_facts(title, archive), ensure_ascii=False)


def file_name(title: str) -> str:
    """Return a safe file name for a book: only letters, digits and hyphens."""
    return _NOT_ALPHANUMERIC.sub("-", plain_name(title).lower()).strip("-")[:_LONGEST_NAME].rstrip("-") or "book"


def _section_lines(schedule: Schedule | None) -> list[str]:
    return [
        say(
            "- {number}. p. {first} to p. {last}: by {day}",
            number=each.number,
            first=each.first_page,
            last=each.last_page,
            day=each.day,
        )
        for each in (schedule.sections if schedule is not None else ())
    ]


def _section_facts(schedule: Schedule | None) -> list[dict[str, object]]:
    if schedule is None:
        return []
    return [
        {
            "number": each.number,
            "first_page": each.first_page,
            "last_page": each.last_page,
            "due": schedule.due(each).isoformat(),
        }
        for each in schedule.sections
    ]


def _move_line(move: PageMove) -> str:
    page = say("no page") if move.page is None else say("p. {page}", page=move.page)
    return f"- {move.at:%Y-%m-%d}: {page}"


def _answer_text(answer: KeptAnswer) -> str:
    asked = say(
        "**{name}** ({day}, p. {page}): {question}",
        name=answer.asker or say("Someone"),
        day=answer.at.date(),
        page=answer.page,
        question=answer.question,
    )
    return f"{asked}\n\n{answer.answer}"


def _item_texts(archive: Archive, kind: SealedItemKind) -> str:
    return "\n\n".join(_item_text(each) for each in archive.sealed_items if each.kind is kind)


def _item_text(item: SealedItem) -> str:
    if item.kind is SealedItemKind.QUOTE:
        chosen = say("chosen by {name}", name=item.member_name)
        quoted = say("> {quote} (p. {page})", quote=item.text, page=item.opens_at)
        return f"{quoted}\n\n{chosen}"
    return say(
        "{name}, at p. {page}: {prediction} (opened at p. {opened})",
        name=item.member_name,
        page=item.made_at,
        prediction=item.text,
        opened=item.opens_at,
    )


def _item_facts(item: SealedItem) -> dict[str, object]:
    return {
        "member": item.member_name,
        "text": item.text,
        "made_at": item.made_at,
        "opens_at": item.opens_at,
        "had_read_further": item.had_read_further,
    }
