"""Files that the bot shares in Slack, in the three steps that Slack wants.

https://docs.slack.dev/messaging/working-with-files#uploading_files
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import aiohttp

from adapters.platform.surface import OutOfReachError
from adapters.slack.calls import SlackCalls
from adapters.slack.render import Spot

_OK: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFile:
    """A file; `description` is for whoever cannot see a picture, `kind` the form of one."""

    name: str
    data: bytes
    description: str | None = None
    kind: str | None = None


async def upload(calls: SlackCalls, to: Spot, files: Sequence[SharedFile]) -> None:
    """Share files in one message.

    Raises:
        OutOfReachError: Slack cannot be reached.
        RefusedError: it takes none, as where the app lacks the scope for it.
    """
    client, uploaded = calls.client, []
    for file in files:
        place = await calls.ask(
            client.files_getUploadURLExternal, filename=file.name, length=len(file.data), alt_txt=file.description
        )
        await _put(calls, str(place["upload_url"]), file.data)
        uploaded.append({"id": str(place["file_id"]), "title": file.name, "highlight_type": file.kind})
    await calls.once(client.files_completeUploadExternal, files=uploaded, channel_id=to.channel, thread_ts=to.thread_ts)


async def _put(calls: SlackCalls, address: str, data: bytes) -> None:
    """Put the bytes where Slack said. Raises OutOfReachError."""
    timeout = aiohttp.ClientTimeout(total=calls.retry.one_call)
    try:
        async with calls.session.post(address, data=data, timeout=timeout, allow_redirects=False) as response:
            if response.status != _OK:
                raise OutOfReachError(f"status {response.status}")
    except (aiohttp.ClientError, OSError) as error:
        raise OutOfReachError(type(error).__name__) from error
