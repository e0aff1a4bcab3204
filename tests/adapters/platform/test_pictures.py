"""The picture of `/progress`: it has a description, and if it cannot be posted, the text is posted alone."""

from collections.abc import Sequence
from io import BytesIO

import pytest
from PIL import Image

from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage
from tests.platform_servers.discord.rights import Right

_WORDS = "▓▓▓▓▓░░░░░ p. 2 of 4 (50 %)"
_DESCRIBED = "A bar for the 4 pages of the book. Read: up to p. 2 (50 %)."


def _pictures(stage: Stage, messages: Sequence[Message]) -> list[tuple[bytes, str]]:
    """Return the files of messages, with their descriptions."""
    if stage.name == "discord":
        return [(file.data, file.description) for each in messages for file in each.attachments]
    return [(file.data, file.alt_text) for each in messages for file in each.files]


def _check(pictures: list[tuple[bytes, str]], described: str = _DESCRIBED) -> None:
    ((png, description),) = pictures
    assert description == described
    with Image.open(BytesIO(png)) as image:
        assert (image.format, image.width) == ("PNG", 1200)


async def test_it_is_posted_with_the_public_text(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.running() as bot:
        stage.use("progress", "here")
        await stage.wait_for(lambda: _pictures(stage, stage.public()))
        await bot.settled()
        assert [each.content for each in stage.public() if each.content] == [_WORDS]
        _check(_pictures(stage, stage.public()))


async def test_only_the_asker_sees_their_own_page(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        own = stage.use("mypage", "3")
        await stage.wait_for(lambda: [each for each in own.messages if each.content])
        used = stage.use("progress")
        shown = await stage.wait_for(lambda: [each for each in used.messages if each.content])
    assert shown[-1].content.startswith(_WORDS)
    assert stage.public() == []
    if stage.name == "discord":
        _check(_pictures(stage, shown), f"{_DESCRIBED} You: up to p. 3 (75 %).")
    else:
        # Slack has no private files in a channel.
        assert _pictures(stage, shown) == []


async def test_without_the_right_only_the_text_is_posted(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    if stage.name == "discord":
        stage.server.deny(stage.club.channel, Right.ATTACH_FILES)
    else:
        stage.server.grant(without=["files:write"])
    await _words_alone(stage)
    if stage.name == "slack":
        assert not stage.server.calls_of("files.getUploadURLExternal")


@pytest.mark.parametrize("step", ["files.getUploadURLExternal", "upload", "files.completeUploadExternal"])
async def test_a_refused_picture_leaves_the_text(stage: Stage, read_book: ReadBook, step: str) -> None:
    await read_book()
    if stage.name == "discord":
        stage.fail("post", stage.faults.refused(403, 50013, "Missing Permissions"))
    elif step == "upload":
        stage.server.fail_next(step, stage.faults.broken(500))
    else:
        stage.server.fail_next(step, stage.faults.refused("restricted_action"))
    await _words_alone(stage)


async def _words_alone(stage: Stage) -> None:
    async with stage.running() as bot:
        used = stage.use("progress", "here")
        await stage.wait_for(lambda: [each for each in stage.public() if each.content])
        await bot.settled()
        assert [each.content for each in stage.public()] == [_WORDS]
        assert _pictures(stage, stage.public()) == []
        assert [each.content for each in used.messages if each.content] == []
