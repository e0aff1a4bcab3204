"""Pictures in Slack: shared beside a text where all who see it may see them, as files with a text for whoever cannot.

Slack shows no file to one member of a channel alone, so that a picture stands in channels, threads and DMs only.
"""

import logging
from typing import Final

from adapters.platform.surface import OutOfReachError, Picture, RefusedError
from adapters.slack.calls import SlackCalls
from adapters.slack.render import Spot
from adapters.slack.uploading import SharedFile, upload

_log = logging.getLogger(__name__)

SCOPE: Final = "files:write"


async def share(calls: SlackCalls, to: Spot, picture: Picture) -> None:
    """Share a picture; where Slack does not take it, the log is told, and the text stands alone."""
    file = SharedFile(name=picture.name, data=picture.png, description=picture.description, kind="png")
    try:
        await upload(calls, to, [file])
    except (OutOfReachError, RefusedError) as error:
        _log.info("A picture was not taken, so the text stands alone: %s", error)
