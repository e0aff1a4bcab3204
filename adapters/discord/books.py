"""`/book add`: the file that comes with the command, and the one private message that shows how its import goes."""

import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

import discord

from adapters.discord.buttons import choices_view
from adapters.discord.posting import rendered, retried, send_parts
from adapters.discord.private import NOT_REACHED, request_of, sentence_for, tell
from adapters.platform.books import BookShelf, OfferedFile, ProgressMessage
from adapters.platform.fetching import FileHost

if TYPE_CHECKING:
    from adapters.discord.private import Interaction

_log = logging.getLogger(__name__)

_HOSTS: Final = frozenset({"cdn.discordapp.com", "media.discordapp.net"})


class BookUploads:
    """Takes books in, and tells whoever gave them how it goes and what chapters they have."""

    def __init__(self, shelf: BookShelf, *, api_base: str | None, pause: float = 1.5) -> None:
        self._shelf = shelf
        self._pause = pause
        self._host = file_host(api_base)

    async def add(self, used: "Interaction", file: discord.Attachment, title: str | None) -> None:
        """Import an organiser's file, and tell them how it goes."""
        shown = _Shown(used)
        progress = ProgressMessage(discord.utils.escape_markdown(file.filename), shown.edit, pause=self._pause)
        try:
            request, offered = request_of(used), OfferedFile(name=file.filename, size=file.size, url=file.url)
            self._shelf.check(offered, request)
            await shown.begin(progress.beginning)
            progress.begin()
            response = await self._shelf.take(offered, request, host=self._host, title=title or None, progress=progress)
            text, view = response.text, choices_view(response.choices)
        except Exception as error:  # noqa: BLE001 (whatever it is, the organiser hears a sentence)
            text, view = sentence_for(used, error), None
        await progress.end()
        await shown.end(text, view)


def file_host(api_base: str | None) -> FileHost:
    """Return where Discord keeps what is attached."""
    return FileHost(
        hosts=_HOSTS,
        own=api_base,
        refused="I take files from Discord itself alone; please attach it to the command.",
        not_given="Discord did not give me that file; please attach it again.",
    )


class _Shown:
    """One private message that is edited as the work goes on; the end is told elsewhere where it cannot be edited."""

    def __init__(self, used: "Interaction") -> None:
        self._used = used
        self._message: discord.WebhookMessage | None = None

    async def begin(self, text: str) -> None:
        """Show that the work has begun."""
        send = partial(
            self._used.followup.send,
            text,
            ephemeral=True,
            suppress_embeds=True,
            allowed_mentions=discord.AllowedMentions.none(),
            wait=True,
        )
        with suppress(*NOT_REACHED):
            self._message = await retried(send, self._used.client.retry)

    async def edit(self, text: str, view: discord.ui.View | None = None) -> bool:
        """Put another text in its place."""
        message = self._message
        if message is None:
            return False
        edit = partial(message.edit, content=text, view=view, allowed_mentions=discord.AllowedMentions.none())
        try:
            await retried(edit, self._used.client.retry)
        except NOT_REACHED as error:
            _log.info("The progress of interaction %s cannot be shown: %s", self._used.id, error)
            return False
        return True

    async def end(self, text: str, view: discord.ui.View | None) -> None:
        """Put the outcome in place of the progress, in the channel where the interaction has ended its life."""
        first, *others = rendered(text)
        below = None if others else view
        if self._message is not None:
            shown = await self.edit(first, below)
        else:
            shown = await tell(self._used, first, view=below)
        if not shown:
            await self._tell_in_channel(text)
        elif others:
            await tell(self._used, "\n\n".join(others), view=view)

    async def _tell_in_channel(self, text: str) -> None:
        """Tell the organiser where all can read it: the first paragraph alone, since the chapters are for them."""
        channel, organiser = self._used.channel, discord.utils.escape_markdown(self._used.user.display_name)
        summary = text.partition("\n\n")[0]
        if not isinstance(channel, discord.abc.Messageable):
            return
        try:
            await send_parts(
                channel,
                f"{organiser}: {summary}",
                ref=f"interaction:{self._used.id}",
                retry=self._used.client.retry,
            )
        except NOT_REACHED as error:
            _log.warning("The outcome of interaction %s could not be told: %s", self._used.id, error)
