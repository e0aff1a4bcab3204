"""Uploads files, pictures among them, in the three steps that Slack requires.

https://docs.slack.dev/messaging/working-with-files#uploading_files

Slack can't show a file to one member of a channel, so pictures appear only in channels, threads and DMs.
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
"""The scope that the app needs to share pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFile:
    """A file; `description` is a picture's alternative text, `kind` its format."""

    name: str
    data: bytes
    description: str | None = None
    kind: str | None = None


async def upload(calls: SlackCalls, to: Spot, files: Sequence[SharedFile]) -> None:
    """Share files in one message.

    Raises:
        OutOfReachError: Slack can't be reached.
        RefusedError: Slack refuses the files, for example without the scope.
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
    """Share a picture; if Slack refuses it, log that and show only the text."""
    file = SharedFile(name=picture.name, data=picture.png, description=picture.description, kind="png")
    try:
        await upload(calls, to, [file])
    except (OutOfReachError, RefusedError) as error:
        _log.info("A picture was refused, so only the text is shown: %s", error)
