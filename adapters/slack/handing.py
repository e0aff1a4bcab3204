"""Files for one member's eyes in Slack, which shows none in a channel to one person: they go to a direct message."""

from collections.abc import Sequence

import aiohttp

from adapters.platform.surface import OutOfReachError
from adapters.slack.calls import SlackCalls
from core.app.commands.values import HandedFile

_OK = 200


async def upload(calls: SlackCalls, files: Sequence[HandedFile], *, channel: str) -> None:
    """Put files into a channel (https://docs.slack.dev/messaging/working-with-files#uploading_files).

    Raises:
        OutOfReachError: Slack cannot be reached.
        RefusedError: it takes none, as where the app lacks the scope for it.
    """
    uploaded = []
    for file in files:
        answer = await calls.ask(calls.client.files_getUploadURLExternal, filename=file.name, length=len(file.data))
        await _put(calls, str(answer["upload_url"]), file.data)
        uploaded.append({"id": str(answer["file_id"]), "title": file.name})
    await calls.once(calls.client.files_completeUploadExternal, files=uploaded, channel_id=channel)


async def _put(calls: SlackCalls, address: str, data: bytes) -> None:
    timeout = aiohttp.ClientTimeout(total=calls.retry.one_call)
    try:
        async with calls.session.post(address, data=data, timeout=timeout, allow_redirects=False) as response:
            if response.status != _OK:
                raise OutOfReachError(f"status {response.status}")
    except (aiohttp.ClientError, OSError) as error:
        raise OutOfReachError(type(error).__name__) from error
