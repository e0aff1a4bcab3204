"""The watermark: everything before it is stored, whatever arrives after it."""

from adapters.persistence.inbox import SqlInbox
from adapters.platform.intake.inbox_writer import Watermark
from core.ports.inbox import Inbox
from tests.memory import memory_database


async def _kept() -> None:
    """Return at once, since all is stored."""


async def _watermark(inbox: Inbox, *, whole: bool = True) -> Watermark:
    watermark = Watermark(inbox, "discord")
    await watermark.start(otherwise=0, now=3)
    if whole:
        watermark.gap_filled(watermark.gaps)
    return watermark


async def test_it_does_not_advance_while_an_earlier_message_may_be_missing() -> None:
    inbox = SqlInbox(memory_database())
    await inbox.note_watermark("discord", "5")
    watermark = await _watermark(inbox, whole=False)
    watermark.at(9)
    await watermark.note(_kept)
    assert (watermark.end, await inbox.last_watermark("discord")) == (5, "5")
    watermark.gap_filled(watermark.gaps)
    await watermark.note(_kept)
    assert (watermark.end, await inbox.last_watermark("discord")) == (9, "9")


async def test_a_message_that_could_not_be_stored_blocks_it_until_it_is() -> None:
    inbox = SqlInbox(memory_database())
    watermark = await _watermark(inbox)
    for order in (5, 6, 7):
        watermark.at(order)
    watermark.lost(7)
    watermark.lost(6)
    await watermark.note(_kept)
    assert (watermark.end, await inbox.last_watermark("discord")) == (5, "5")
    watermark.kept(6)
    assert watermark.end == 6
    watermark.gap()
    watermark.at(9)
    assert watermark.end == 6
    watermark.gap_filled(watermark.gaps)
    assert watermark.end == 9


async def test_a_new_place_records_its_start_and_reads_nothing_before_it() -> None:
    inbox = SqlInbox(memory_database())
    watermark = await _watermark(inbox, whole=False)
    assert (watermark.end, await inbox.last_watermark("discord")) == (0, "3")
    assert (await _watermark(inbox, whole=False)).end == 3
