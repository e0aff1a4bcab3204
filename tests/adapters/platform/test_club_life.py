"""The commands of a club's life on every platform: used or said, only the asker sees them, at their own page."""

import pytest

from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage


@pytest.mark.parametrize(
    ("words", "text", "begins"),
    [
        ("who", "Marrable", "**Marrable** 2 times"),
        ("who", "Nobody", "I have met nobody of that name"),
        ("cast", "", "Nobody has come up by name"),
        ("recap", "", "**The story so far** (p. 1 to p. 2):"),
        ("discuss", "", "**1.**\n> "),
        ("progress", "", "▓▓▓▓▓░░░░░ p. 2 of 4 (50 %)"),
        ("recap", "ch 1", "**Chapter 1**"),
    ],
)
@pytest.mark.parametrize("way", ["used", "said"])
async def test_only_the_asker_sees_it(
    stage: Stage, read_book: ReadBook, words: str, text: str, begins: str, way: str
) -> None:
    await read_book()
    ada = stage.club.ada
    async with stage.running() as bot:
        if way == "said":
            stage.ask(f"{words} {text}".strip())
            shown = (await stage.wait_for(lambda: stage.told(ada)))[-1].content
        else:
            used = stage.use(words, text)
            shown = (await stage.wait_for(lambda: [each for each in used.messages if each.content]))[-1].content
        await bot.settled()
    assert shown.startswith(begins)
    assert shown.endswith("(up to p. 2)") or words == "progress"
    assert stage.public() == []
