"""`export`: what a club did with its book, for an organiser; `export me`: what is kept of a member, for them alone."""

import json
from typing import Final

from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice, Command, CommandGroup, CommandRequest, CommandResponse, HandedFile, Who
from core.club.progress.club_archive import archive_json, archive_text, file_name
from core.domain.messages import plain_name
from core.domain.scopes import is_private
from core.ports.club_record import ClubRecord

EXPORT: Final = ".export"
_FORGET: Final = ".ask-forget-club"
_OF_ONE: Final = sentence(
    "Here's what you did with *{title}*: one file to read, one for programs. They leave out private messages and "
    "sealed predictions. I keep everything until you ask me to forget it."
)
_OF_ALL: Final = sentence(
    "Here's what everyone did with *{title}*: one file to read, one for programs. They leave out private messages and "
    "sealed predictions. I keep everything until you ask me to forget it."
)
_GROUP: Final = CommandGroup(name="export", help=sentence("get what I keep"))


class ExportCommands:
    """`export`, and the button of `finish` that does the same."""

    def __init__(self, *, threads: ThreadService, record: ClubRecord) -> None:
        self._threads = threads
        self._record = record

    def commands(self) -> list[Command]:
        """Return the commands, that of the button last."""
        organisers = Who.ORGANISERS
        return [
            Command(
                words="export",
                who=organisers,
                help=sentence("get what this club did with the book, as files"),
                group=_GROUP,
                slash="export club",
                is_repeatable=True,
                run=self._export,
            ),
            Command(
                words="export me",
                help=sentence("get what I keep about you here, as a file"),
                group=_GROUP,
                run=self._export_me,
            ),
            Command(words=EXPORT, who=organisers, is_repeatable=True, stays=True, run=self._export),
        ]

    async def _export(self, request: CommandRequest) -> CommandResponse:
        """Hand over what was before all, up to the thread's page, and offer to forget it here."""
        club = await self._threads.club(request.thread, request.member.member_id)
        title = club.book.title
        archive = (await self._record.archive(club.reading_id)).up_to(club.page_of_all or 0)
        name, told = file_name(title), _OF_ONE if is_private(request.thread.scope) else _OF_ALL
        return CommandResponse(
            text=say(told, title=plain_name(title)),
            files=(
                HandedFile(name=f"{name}.md", data=archive_text(title, archive).encode()),
                HandedFile(name=f"{name}.json", data=archive_json(title, archive).encode()),
            ),
            choices=(Choice(label=say("Forget this club"), command=_FORGET),),
        )

    async def _export_me(self, request: CommandRequest) -> CommandResponse:
        """Hand over what is kept of the member in this scope, to them alone."""
        kept = await self._record.of_member(scope=request.thread.scope, member_id=request.member.member_id)
        if not kept:
            return CommandResponse(text=say("I don't keep anything about you here."))
        data = json.dumps(kept, ensure_ascii=False, indent=1).encode()
        return CommandResponse(
            text=say(
                "Here's what I keep about you here, with your private questions. Only you get this file. "
                "`/forget me` deletes it."
            ),
            files=(HandedFile(name="about-you.json", data=data),),
        )
