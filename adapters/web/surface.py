"""The browser as a surface: posts become parts of an entry, with real buttons."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Final

from typing_extensions import override

from adapters.platform.buttons import answer_choices
from adapters.platform.due import in_own_time
from adapters.platform.sealing import ButtonSeal
from adapters.platform.solo import SoloSurface
from adapters.platform.surface import Picture, Post, ProgressReport
from adapters.web.talk import EntryPart, PartKind, TalkEntry
from core.answering.given_answers import PostableAnswer
from core.club.commands.values import Choice, Command
from core.domain.conversation import Author
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread

THREAD: Final = Thread(scope=LOCAL_SCOPE, place="browser", thread="talk")
READER: Final = Author(member_id="local:browser", display_name="You")
NOT_SENT: Final = ".chapters"
"""The button that would show all chapter titles; unread titles are never sent to a browser."""
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~&])")


class WebSurface(SoloSurface):
    """Writes into one entry; `changed` is called after each change.

    Attributes:
        reaches: the read page up to which the current text may tell.
        moves: whether the page is being moved; that line tells nothing about the book.
        opens: whether it opens a book.
        asks: whether it is a question, which changes neither book nor page.
        pressed: the button that was pressed, if any.
    """

    not_here: ClassVar[frozenset[str]] = SoloSurface.not_here | {NOT_SENT}

    def __init__(
        self,
        entry: TalkEntry,
        changed: Callable[[TalkEntry], None],
        *,
        thread: Thread,
        reaches: int,
        seal: ButtonSeal,
        folder: Path,
    ) -> None:
        super().__init__(ref=entry.entry_id, thread=thread, reader=READER, seal=seal, folder=folder)
        self.reaches = reaches
        self.moves = False
        self.opens = False
        self.asks = False
        self.pressed: Choice | None = None
        self._entry = entry
        self._changed = changed
        self._written: list[EntryPart] = []

    @override
    def escape(self, text: str) -> str:
        return _MARKUP.sub(r"\\\1", text)

    @override
    def begins(self, command: Command) -> None:
        self.moves = command.moves_page
        self.opens = command.opens_book

    @override
    async def post(self, post: Post) -> str:
        kind, choices = PartKind.ANSWER if post.footer else PartKind.LINE, post.choices or answer_choices(post)
        self._add(kind, post.text, await self.sealed(choices), footer=post.footer, reaches=0 if self.moves else None)
        return post.ref

    @override
    async def post_hidden(self, answer: PostableAnswer, *, turn_id: int, asker: Author, ref: str) -> None:
        self._add(PartKind.PRIVATE, answer.text, (), footer=answer.footer)

    @override
    async def tell(self, text: str, choices: Sequence[Choice] = (), *, picture: Picture | None = None) -> bool:
        self._add(PartKind.PRIVATE, text, await self.sealed(choices))
        return True

    @override
    def say_no(self, sentence: str) -> None:
        self._add(PartKind.REFUSAL, sentence, (), reaches=0)

    @override
    async def report(self, text: str) -> ProgressReport | None:
        """Return None: the page has a progress bar."""
        return None

    @override
    async def retire_buttons(self, stays: Callable[[str], bool]) -> None:
        for part in self._entry.parts:
            if self.pressed is not None and _same(self.pressed, part.choices):
                part.choices = tuple(one for one in part.choices if stays(one.command))
        self._changed(self._entry)

    @override
    async def hide_answers(self, footers: frozenset[str]) -> str:
        """Do nothing: the page shows only what the current page allows."""
        return ""

    @override
    async def put_away(self, turn_id: int, line: str, choices: Sequence[Choice]) -> bool:
        for part in self._entry.parts:
            if self.pressed is not None and _same(self.pressed, part.choices):
                part.text, part.footer = line, ""
                part.choices = self.fitting(await self.sealed(choices))
                self._changed(self._entry)
                return True
        return False

    @override
    def show(self, state: str) -> None:
        """Show a state, unless it is already the latest."""
        if state not in self._entry.states[-1:]:
            self._entry.states.append(state)
            self._changed(self._entry)

    def answered(self, text: str, *, footer: str, reaches: int) -> None:
        """Write an answer that was given at a page."""
        self._add(PartKind.ANSWER, text, (), footer=footer, reaches=reaches)

    def told_up_to(self, position: int) -> None:
        """Set the page up to which the written text tells, if that is known only afterwards."""
        kind = PartKind.PRIVATE if self.moves else PartKind.ANSWER
        for part in self._written:
            if part.kind is kind:
                part.reaches = position

    def _add(
        self, kind: PartKind, text: str, choices: Sequence[Choice], *, footer: str = "", reaches: int | None = None
    ) -> None:
        reached = self.reaches if reaches is None else reaches
        self._written.append(
            EntryPart(kind=kind, text=in_own_time(text), reaches=reached, footer=footer, choices=self.fitting(choices))
        )
        self._entry.parts.append(self._written[-1])
        self._changed(self._entry)


def _same(pressed: Choice, choices: Sequence[Choice]) -> bool:
    return any((one.command, one.text) == (pressed.command, pressed.text) for one in choices)
