"""Pictures in Slack: shared beside a text where all who see it may see them, as files with a text for whoever cannot.

Slack shows no file to one member of a channel alone, so that a picture stands in channels, threads and DMs only
(https://docs.slack.dev/messaging/working-with-files#uploading_files).
"""

import logging
from typing import Final

import aiohttp

from adapters.platform.surface import OutOfReachError, Picture, RefusedError
from adapters.slack.calls import SlackCalls
from adapters.slack.render import Spot

_log = logging.getLogger(__name__)

SCOPE: Final = "files:write"
_OK: Final = 200


async def share(calls: SlackCalls, to: Spot, picture: Picture) -> None:
    """Share a picture; where Slack does not take it, the log is told, and the text stands alone."""
    try:
        await _share(calls, to, picture)
    except (OutOfReachError, RefusedError) as error:
        _log.info("A picture was not taken, so the text stands alone: %s", error)


async def _share(calls: SlackCalls, to: Spot, picture: Picture) -> None:
    client = calls.client
    place = await calls.ask(
        client.files_getUploadURLExternal,
        filename=picture.name,
        length=len(picture.png),
        alt_txt=picture.description,
    )
    await _upload(calls, str(place["upload_url"]), picture)
    await calls.once(
        client.files_completeUploadExternal,
        files=[{"id": str(place["file_id"]), "title": picture.name, "highlight_type": "png"}],
        channel_id=to.channel,
        thread_ts=to.thread_ts,
    )


async def _upload(calls: SlackCalls, address: str, picture: Picture) -> None:
    """Put the bytes where Slack said. Raises OutOfReachError."""
    timeout = aiohttp.ClientTimeout(total=calls.retry.one_call)
    try:
        async with calls.session.post(address, data=picture.png, timeout=timeout, allow_redirects=False) as response:
            if response.status != _OK:
                raise OutOfReachError(f"status {response.status}")
    except (aiohttp.ClientError, OSError) as error:
        raise OutOfReachError(type(error).__name__) from error
