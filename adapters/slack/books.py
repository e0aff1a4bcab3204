"""`book add` with a file: taken from Slack's own hosts with the bot's token, its progress told in a DM."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from adapters.platform.books import BookShelf, OfferedFile, ProgressMessage
from adapters.platform.fetching import FileHost
from adapters.platform.replies import sentence_for
from adapters.slack.blocks import Spot, body_of, parts_of
from adapters.slack.calls import LOST, RefusedError
from adapters.slack.private import Interaction, tell
from adapters.slack.texts import escaped
from adapters.slack.workspace import Workspace
from core.app.commands.values import Choice
from core.domain.errors import ThusfarError

_log = logging.getLogger(__name__)

_HOSTS: Final = frozenset({"files.slack.com"})
_MOST_IN_EDIT: Final = 3_900
"""`chat.update` takes less than `chat.postMessage`."""
_ONE_BY_ONE: Final = "That was the first of {files} files; please give me the others one by one."
_NOT_GIVEN: Final = "Slack did not give me that file; please share it again."


class BookUploads:
    """Takes books in, and tells whoever gave them how it goes and what chapters they have."""

    def __init__(self, workspace: Workspace, shelf: BookShelf, *, pause: float = 1.5) -> None:
        self._workspace = workspace
        self._shelf = shelf
        self._pause = pause
        self._host = file_host(workspace.options.api_base, token=workspace.options.bot_token)

    async def add(self, used: Interaction, file_ids: Sequence[str], title: str) -> bool:
        """Import the first of an organiser's files; return whether that failed, which they are told."""
        shown = _Shown(used)
        progress: ProgressMessage | None = None
        failed = False
        try:
            request = used.request()
            self._workspace.services.book_commands.check_may_add(request)
            offered = await self._offered(file_ids)
            self._shelf.check(offered, request)
            progress = ProgressMessage(escaped(offered.name), shown.edit, pause=self._pause)
            await shown.begin(progress.beginning)
            progress.begin()
            response = await self._shelf.take(offered, request, host=self._host, title=title or None, progress=progress)
            text, choices = response.text, response.choices
        except Exception as error:  # noqa: BLE001 (whatever it is, the organiser hears a sentence)
            text, choices, failed = sentence_for(used.ref, error), (), True
        if progress is not None:
            await progress.end()
        if len(file_ids) > 1:
            text = f"{text}\n\n{_ONE_BY_ONE.format(files=len(file_ids))}"
        await shown.end(text, choices)
        return failed

    async def _offered(self, file_ids: Sequence[str]) -> OfferedFile:
        """Ask what the file is: an event may tell of it less than everything."""
        calls = self._workspace.calls
        try:
            file: dict[str, Any] = (await calls.ask(calls.client.files_info, file=file_ids[0])).get("file") or {}
        except RefusedError as error:
            _log.warning("A file cannot be looked at: %s", error)
            raise ThusfarError(_NOT_GIVEN) from None
        url = file.get("url_private_download") or file.get("url_private")
        if not url:
            raise ThusfarError(_NOT_GIVEN)
        return OfferedFile(name=str(file.get("name") or "book"), size=int(file.get("size") or 0), url=str(url))


def file_host(api_base: str | None, *, token: str) -> FileHost:
    """Return where Slack keeps what is shared; without the token it gives a login page."""
    return FileHost(
        hosts=_HOSTS,
        own=api_base,
        refused="I take files from Slack itself alone; please share it here.",
        not_given=_NOT_GIVEN,
        headers={"Authorization": f"Bearer {token}"},
        html_is_refusal=True,
    )


class _Shown:
    """One message in the organiser's DM that is edited as the work goes on."""

    def __init__(self, used: Interaction) -> None:
        self._used = used
        self._calls = used.workspace.calls
        self._at: tuple[str, str] | None = None

    async def begin(self, text: str) -> None:
        """Show that the work has begun."""
        with suppress(*LOST, RefusedError):
            opened = await self._calls.ask(self._calls.client.conversations_open, users=self._used.user_id)
            channel = str(opened["channel"]["id"])
            posting = self._used.workspace.posting
            (ts, *_) = (await posting.post(Spot(channel=channel), text, ref=f"{self._used.ref}:progress")).messages
            self._at = channel, ts

    async def edit(self, text: str, choices: Sequence[Choice] = ()) -> bool:
        """Put another text in its place."""
        if self._at is None:
            return False
        channel, ts = self._at
        (part, *_) = parts_of(text, about=self._used.spot, choices=choices)
        body = {name: value for name, value in body_of(part).items() if not name.startswith("unfurl")}
        try:
            await self._calls.ask(self._calls.client.chat_update, channel=channel, ts=ts, **body)
        except (*LOST, RefusedError) as error:
            _log.info("The progress of %s cannot be shown: %s", self._used.ref, error)
            return False
        return True

    async def end(self, text: str, choices: Sequence[Choice]) -> None:
        """Put the outcome in place of the progress; without one, tell it where the file was given."""
        first, *others = parts_of(text, about=self._used.spot, limit=_MOST_IN_EDIT)
        if not await self.edit(first.text, () if others else choices):
            await tell(self._used, text, choices=choices)
        elif others:
            await tell(self._used, "\n\n".join(part.text for part in others), choices=choices)
