"""What a club did with a book, as Markdown to read and as JSON to read again; for `thusfar clubs export`."""

from core.domain.club_record import Archive
from core.domain.keepsake import Keepsake, KeepsakeKind


def archive_text(title: str, archive: Archive) -> str:
    """Return it as Markdown: quotes and predictions, then every question with its answer, by day."""
    parts = [f"# {title}"]
    for kind, heading in ((KeepsakeKind.QUOTE, "## Quotes"), (KeepsakeKind.PREDICTION, "## Predictions")):
        kept = [each for each in archive.keepsakes if each.kind is kind]
        if kept:
            parts += [heading, *map(_keepsake_text, kept)]
    if archive.moves:
        moves = (
            f"- {move.at:%Y-%m-%d}: {'no page' if move.page is None else f'p. {move.page}'}" for move in archive.moves
        )
        parts += ["## The page", "\n".join(moves)]
    if archive.answers:
        parts.append("## Questions")
    for each in archive.answers:
        asker = each.asker or "Somebody"
        parts += [f"**{asker}** ({each.at:%Y-%m-%d}, p. {each.page}): {each.question}", each.answer]
    return "\n\n".join(parts) + "\n"


def archive_facts(title: str, archive: Archive) -> dict[str, object]:
    """Return it for a program: times are in UTC, pages are numbers of the book as it was imported."""
    return {
        "title": title,
        "pages": [{"at": move.at.isoformat(), "page": move.page} for move in archive.moves],
        "quotes": [_keepsake_facts(each) for each in archive.keepsakes if each.kind is KeepsakeKind.QUOTE],
        "predictions": [_keepsake_facts(each) for each in archive.keepsakes if each.kind is KeepsakeKind.PREDICTION],
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
    }


def _keepsake_text(keepsake: Keepsake) -> str:
    if keepsake.kind is KeepsakeKind.QUOTE:
        return f"> {keepsake.text} (p. {keepsake.opens_at})\n\nchosen by {keepsake.member_name}"
    return f"{keepsake.member_name}, at p. {keepsake.made_at}: {keepsake.text} (opened at p. {keepsake.opens_at})"


def _keepsake_facts(keepsake: Keepsake) -> dict[str, object]:
    return {
        "member": keepsake.member_name,
        "text": keepsake.text,
        "made_at": keepsake.made_at,
        "opens_at": keepsake.opens_at,
        "had_read_further": keepsake.had_read_further,
    }
