"""`who` and `cast`: somebody as the read pages show them, and all who have come up so far; only the asker sees them."""

import re
from typing import Final

from core.app.commands.open_books import OpenBook, OpenBooks
from core.app.commands.values import Choice, Command, CommandRequest, CommandResponse, Suggestion, Who
from core.domain.errors import ThusfarError
from core.domain.words import NOT_MET
from core.finders.cast import cast, places
from core.finders.people import find_known, near_names
from core.finders.portraits import listed, portrait

_ASKING: Final = re.compile(r"^(?:is|are|was|were)\s+", re.IGNORECASE)
_WHO: Final = ".who"
_MORE: Final = ".cast"
_AT_ONCE: Final = 12
_PLACES: Final = 6
_MEANT: Final = 3
_NOBODY: Final = "Nobody has come up by name on the pages read so far."
_LONGEST_NAME: Final = 60
_MOST_OFFERED: Final = 25


class PeopleCommands:
    """`who NAME`, `cast`, and the buttons that show somebody else and more of them."""

    def __init__(self, open_books: OpenBooks) -> None:
        self._open_books = open_books

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        everyone = Who.EVERYONE
        return [
            Command(
                words="who",
                takes="NAME",
                who=everyone,
                help="show who somebody is, by the pages you have read",
                run=self._who,
                suggest=self._suggest,
                is_said=_is_name,
            ),
            Command(
                words="cast",
                takes="",
                who=everyone,
                help="list who has come up on the pages you have read",
                run=self._cast,
                is_said=lambda text: not text,
            ),
            Command(words=_WHO, takes="", who=everyone, help="", run=self._who),
            Command(words=_MORE, takes="", who=everyone, help="", run=self._more),
        ]

    async def _who(self, request: CommandRequest) -> CommandResponse:
        """Show somebody; a name that is not known yet and one that never comes are answered alike."""
        name = _ASKING.sub("", " ".join(request.text.split())).strip("?!.,“”\"'")
        if not name:
            raise ThusfarError("`who` needs a name.")
        opened = await self._open_books.for_member(request)
        mentions = find_known(opened.read, name)
        if mentions is None:
            return CommandResponse(text=opened.labelled(NOT_MET), choices=_meant(opened, name))
        return CommandResponse(text=opened.labelled(portrait(opened.read, mentions).text))

    async def _cast(self, request: CommandRequest) -> CommandResponse:
        opened = await self._open_books.for_member(request)
        found = cast(opened.read, most=_AT_ONCE)
        if not found:
            return CommandResponse(text=opened.labelled(_NOBODY))
        named = places(opened.read, most=_PLACES)
        parts = (f"Who has come up so far:\n{listed(found)}", f"Places:\n{listed(named)}" if named else "")
        return CommandResponse(text=opened.labelled("\n\n".join(filter(None, parts))), choices=_more(opened, _AT_ONCE))

    async def _more(self, request: CommandRequest) -> CommandResponse:
        """Show the next twelve, at the page that the member stands at now."""
        shown = int(request.text)
        opened = await self._open_books.for_member(request)
        text = listed(cast(opened.read, skipping=shown, most=_AT_ONCE)) or "That is everybody so far."
        return CommandResponse(text=opened.labelled(text), choices=_more(opened, shown + _AT_ONCE))

    async def _suggest(self, request: CommandRequest) -> list[Suggestion]:
        """Return who has come up so far and fits what was typed."""
        opened = await self._open_books.for_member(request)
        typed = request.text.strip().casefold()
        names = (each.name for each in cast(opened.read, most=4 * _MOST_OFFERED))
        return [Suggestion(label=name, text=name) for name in names if typed in name.casefold()][:_MOST_OFFERED]


def _is_name(text: str) -> bool:
    """Whether what was said behind `who` is a name: `who is Hallam?` is a question."""
    words = text.split()
    return "?" not in text and all(word[0].isupper() for word in words)


def _meant(opened: OpenBook, name: str) -> tuple[Choice, ...]:
    """Return buttons for read names that a misspelt one is near to."""
    near = near_names(opened.read, name, most=_MEANT)
    return tuple(Choice(label=f"{each}?", command=_WHO, text=each) for each in near if len(each) <= _LONGEST_NAME)


def _more(opened: OpenBook, shown: int) -> tuple[Choice, ...]:
    """Return the button for those who come up less often than so many others; none where there is nobody else."""
    others = cast(opened.read, skipping=shown, most=1)
    return (Choice(label="More", command=_MORE, text=str(shown)),) if others else ()
