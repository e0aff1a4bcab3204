"""Files that the bot shares in Slack, in the three steps that Slack wants; pictures among them.

https://docs.slack.dev/messaging/working-with-files#uploading_files

Slack shows no file to one member of a channel alone, so that a picture stands in channels, threads and DMs only.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from adapters.platform.surface import OutOfReachError, Picture, RefusedError
from adapters.slack.calls import SlackCalls
from adapters.slack.render import Spot

_log = logging.getLogger(__name__)

SCOPE: Final = "files:write"
"""What the app must be allowed to, so that pictures are shared at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFile:
    """A file; `description` is for people who cannot see a picture, `kind` the form of one."""

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
        await calls.post(str(place["upload_url"]), data=file.data)
        uploaded.append({"id": str(place["file_id"]), "title": file.name, "highlight_type": file.kind})
    await calls.once(client.files_completeUploadExternal, files=uploaded, channel_id=to.channel, thread_ts=to.thread_ts)


async def share(calls: SlackCalls, to: Spot, picture: Picture) -> None:
    """Share a picture; where Slack does not take it, the log is told, and the text stands alone."""
    file = SharedFile(name=picture.name, data=picture.png, description=picture.description, kind="png")
    try:
        await upload(calls, to, [file])
    except (OutOfReachError, RefusedError) as error:
        _log.info("A picture was not taken, so the text stands alone: %s", error)
