"""`export`: the club's archive, for organisers; `export me`: a member's own data, for them alone."""

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
_FOR_ONE: Final = sentence(
    "Here's what you did with *{title}*: one file to read, one for programs. They leave out private messages and "
    "sealed predictions. I keep everything until you ask me to forget it."
)
_FOR_ALL: Final = sentence(
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
        """Return the commands; the one behind the button comes last."""
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
        """Return what was public up to the thread's page as files, and offer to forget the club."""
        club = await self._threads.club(request.thread, request.member.member_id)
        title = club.book.title
        archive = (await self._record.archive(club.reading_id)).up_to(club.page_of_all or 0)
        name, template = file_name(title), _FOR_ONE if is_private(request.thread.scope) else _FOR_ALL
        return CommandResponse(
            text=say(template, title=plain_name(title)),
            files=(
                HandedFile(name=f"{name}.md", data=archive_text(title, archive).encode()),
                HandedFile(name=f"{name}.json", data=archive_json(title, archive).encode()),
            ),
            choices=(Choice(label=say("Forget this club"), command=_FORGET),),
        )

    async def _export_me(self, request: CommandRequest) -> CommandResponse:
        """Return the member's data in this scope as a file, to them alone."""
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
