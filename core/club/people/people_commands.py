"""`who` and `cast`: one character or all of them, from the pages the asker has read; only the asker sees the reply.

An organiser can set an alias (`cast I = Jim Hawkins`); it shows from the organiser's current page on.
"""

import re
from typing import Final

from core.answering.extracts.cast import cast, places
from core.answering.extracts.character_card import listed, portrait
from core.answering.extracts.people import Mentions, find_known, find_mentions, near_names
from core.catalogue.sentences import say, sentence
from core.club.commands.open_books import OpenBook, OpenBooks
from core.club.commands.values import Choice, Command, CommandRequest, CommandResponse, Option, Suggestion
from core.club.recap.club_drafts import ClubDrafts
from core.domain.alias import Alias, visible
from core.domain.errors import NotPermittedError, ThusfarError
from core.domain.folding import folded
from core.domain.messages import NOT_MET, plain_name
from core.ports.aliases import AliasRepository

_VERB: Final = re.compile(r"^(?:is|are|was|were)\s+", re.IGNORECASE)
_DESCRIPTION: Final = re.compile(r"(?:the|an?) (?:\w+ )?[a-z]+", re.IGNORECASE)
_WHO: Final = ".who"
_MORE: Final = ".cast"
_PER_PAGE: Final = 12
_MOST_PLACES: Final = 6
_MOST_SIMILAR: Final = 3
_NO_CAST: Final = sentence("The pages you've read name no one yet.")
_WHO_SEES_IT: Final = sentence(
    "`/who` and `/cast` show that to anyone who has read this far. `/cast {name} =` undoes it."
)
_LONGEST_NAME: Final = 60
_MOST_OFFERED: Final = 25
_MOST_ALIASES: Final = 30
_ALIAS_FORM: Final = sentence("Use `/cast I = Jim Hawkins`. `/cast I =` undoes it.")
_ORGANISERS_ONLY: Final = sentence("Only organisers can set aliases.")
_TOO_MANY: Final = sentence("There are already {most} aliases. Remove one with `/cast I =` first.")


class PeopleCommands:
    """`who NAME`, `cast`, and their buttons: a similar name, and more of the cast."""

    def __init__(self, open_books: OpenBooks, *, aliases: AliasRepository, drafts: ClubDrafts) -> None:
        self._open_books = open_books
        self._drafts = drafts
        self._aliases = aliases

    def commands(self) -> list[Command]:
        """Return the commands; those behind buttons come last."""
        return [
            Command(
                words="who",
                takes=Option(name="name", hint=sentence("NAME"), suggest=self._suggest),
                help=sentence("show who someone is, from the pages you've read"),
                is_long=self._drafts.has_writer,
                is_said=_is_name,
                run=self._who,
            ),
            Command(
                words="cast",
                takes=Option(name="same", hint="I = Jim Hawkins", is_optional=True),
                help=sentence("list who has come up so far; organisers can set aliases"),
                is_said=lambda text: not text or "=" in text,
                run=self._cast,
            ),
            Command(words=_WHO, run=self._who),
            Command(words=_MORE, run=self._more),
        ]

    async def _who(self, request: CommandRequest) -> CommandResponse:
        """Show a character; a name from later pages and one that is not in the book get the same answer."""
        name = _VERB.sub("", " ".join(request.text.split())).strip("?!.,“”\"'")
        if not name:
            raise ThusfarError(say("`/who` needs a name."))
        opened = await self._open_books.for_member(request)
        aliases = visible(opened.club.aliases, opened.position)
        alias = next((each for each in aliases if each.key == folded(name)), None)
        mentions = find_known(opened.read, name if alias is None else alias.stands_for)
        if mentions is None:
            return CommandResponse(text=opened.labelled(say(NOT_MET)), choices=_similar_names(opened, name))
        card = portrait(opened.read, mentions, told=await self._drafts.person(opened, request, mentions))
        parts = (*_alias_lines(aliases, mentions, alias), card.text)
        return CommandResponse(text=opened.labelled("\n\n".join(parts)))

    async def _cast(self, request: CommandRequest) -> CommandResponse:
        if request.text.strip():
            return await self._alias(request)
        opened = await self._open_books.for_member(request)
        found = cast(opened.read, most=_PER_PAGE)
        if not found:
            return CommandResponse(text=opened.labelled(say(_NO_CAST)))
        named = places(opened.read, most=_MOST_PLACES)
        aliases = "\n".join(_alias_line(each) for each in visible(opened.club.aliases, opened.position))
        people = say("Who has come up so far:\n{names}", names=listed(found, await self._drafts.about(opened, found)))
        parts = (people, aliases, say("Places:\n{names}", names=listed(named)) if named else "")
        return CommandResponse(text=opened.labelled("\n\n".join(filter(None, parts))), choices=_more(opened, _PER_PAGE))

    async def _alias(self, request: CommandRequest) -> CommandResponse:
        """Set or remove an alias; the organiser must have read both names.

        It shows from the organiser's own page or the thread's, whichever is further: others may not know it yet.

        Raises:
            NotPermittedError: the member is not an organiser.
            ThusfarError: the text is not in a known form.
        """
        name, stands_for = _parse_alias(request.text)
        if not request.is_organiser:
            raise NotPermittedError(say(_ORGANISERS_ONLY))
        opened = await self._open_books.for_member(request)
        page = max(opened.position, opened.club.page_of_all or 0)
        reading_id = opened.club.reading_id
        if not stands_for:
            await self._aliases.remove(reading_id, name, up_to=page)
            return CommandResponse(text=opened.labelled(say("“{name}” is no longer an alias.", name=name)))
        known = find_known(opened.read, stands_for)
        if known is None or find_mentions(opened.read, name) is None:
            unmet = say("I don't find “{name}” in the pages you've read.", name=stands_for if known is None else name)
            return CommandResponse(text=opened.labelled(unmet))
        alias = Alias(name=name, stands_for=known.name, page=page)
        if len(opened.club.aliases) >= _MOST_ALIASES:
            raise ThusfarError(say(_TOO_MANY, most=_MOST_ALIASES))
        await self._aliases.put(reading_id, alias)
        return CommandResponse(text=opened.labelled(f"{_alias_line(alias)} {say(_WHO_SEES_IT, name=name)}"))

    async def _more(self, request: CommandRequest) -> CommandResponse:
        """Show the next twelve, up to the member's current page."""
        shown = int(request.text)
        opened = await self._open_books.for_member(request)
        found = cast(opened.read, skipping=shown, most=_PER_PAGE)
        text = listed(found, await self._drafts.about(opened, found)) or say("That's everyone so far.")
        return CommandResponse(text=opened.labelled(text), choices=_more(opened, shown + _PER_PAGE))

    async def _suggest(self, request: CommandRequest) -> list[Suggestion]:
        """Return the characters so far whose names contain what was typed."""
        opened = await self._open_books.for_member(request)
        typed = folded(request.text)
        names = (each.name for each in cast(opened.read, most=4 * _MOST_OFFERED))
        return [Suggestion(label=name, text=name) for name in names if typed in folded(name)][:_MOST_OFFERED]


def _parse_alias(text: str) -> tuple[str, str]:
    """Return a name and what it stands for, "" to remove the alias. Raises ThusfarError for any other form."""
    name, equals, stands_for = (_plain(each) for each in text.partition("="))
    if not equals or not name or "=" in stands_for or max(len(name), len(stands_for)) > _LONGEST_NAME:
        raise ThusfarError(say(_ALIAS_FORM))
    if folded(name) == folded(stands_for):
        raise ThusfarError(say(_ALIAS_FORM))
    return name, stands_for


def _plain(name: str) -> str:
    """Return a name that is safe inside a message."""
    return " ".join(plain_name(name.replace("`", "")).split())


def _alias_line(alias: Alias) -> str:
    """Return the line about an alias; it names the organisers as its source, not the book."""
    # Note: keep "(p. {page})" as it is; it is replaced by the printed page number.
    return say(
        "“{name}” is **{stands_for}**, as an organiser said (p. {page}).",
        name=alias.name,
        stands_for=alias.stands_for,
        page=alias.page,
    )


def _alias_lines(aliases: list[Alias], shown: Mentions, alias: Alias | None) -> list[str]:
    """Return the lines about the alias that was asked for, and about all aliases of the character."""
    return [_alias_line(each) for each in aliases if each is alias or folded(each.stands_for) == folded(shown.name)]


def _is_name(text: str) -> bool:
    """Whether the text after `who` is a name or a description; `who is Hallam?` is a question."""
    words = text.split()
    return "?" not in text and (all(word[0].isupper() for word in words) or _DESCRIPTION.fullmatch(text) is not None)


def _similar_names(opened: OpenBook, name: str) -> tuple[Choice, ...]:
    """Return buttons for the read names that are closest to a misspelt one."""
    near = near_names(opened.read, name, most=_MOST_SIMILAR)
    return tuple(Choice(label=f"{each}?", command=_WHO, text=each) for each in near if len(each) <= _LONGEST_NAME)


def _more(opened: OpenBook, shown: int) -> tuple[Choice, ...]:
    """Return the button for the rest of the cast after the `shown` ones; empty if there are no more."""
    others = cast(opened.read, skipping=shown, most=1)
    return (Choice(label=say("More"), command=_MORE, text=str(shown)),) if others else ()
