"""`club`: links two clubs, on one platform or two, to read together once an organiser of each has agreed."""

from typing import Final

from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.commands.values import SEPARATOR, Command, CommandRequest, CommandResponse, Option, Who
from core.club.links.link_words import AGREE, DECLINE, JOIN, OfferWords, asked, taken_up
from core.domain.club_link import CODE_HOLDS, Code, Offer, Terms, new_secret, read_code, where
from core.domain.errors import NotPermittedError, ThusfarError
from core.domain.messages import plain_name
from core.domain.position import page_names
from core.domain.scopes import is_private
from core.domain.thread import Thread
from core.ports.books import BookTexts
from core.ports.clock import Clock
from core.ports.club_links import ClubLinks

_LINK: Final = "link"
_UNLINK: Final = "unlink"
_FORM: Final = sentence("Use `/club`, `/club link`, `/club link` with the other club's code, or `/club unlink`.")
_ALONE: Final = sentence(
    "Only channels can read together, on Discord or in Slack. There, an organiser says `/club link`."
)
_BY_ITSELF: Final = sentence(
    "This club reads on its own. To read together with a club elsewhere, on Discord or in Slack, an "
    "organiser says `/club link` and gives the code to an organiser there."
)
_NO_CODE: Final = sentence("That code isn't valid. Codes work once, for 15 minutes.")
_OWN_CODE: Final = sentence("That's this club's own code. Use it in the other club.")
_LINKED: Final = sentence("This club already reads together with another one. `/club unlink` ends that.")
_NOT_ANY_MORE: Final = sentence(
    "That's out of date: the book or a page changed, or it took too long. `/club link` gives you a new code."
)
_NO_BOOK: Final = sentence("Choose a book first. The other club gets the one you read here.")


class LinkCommands:
    """`club`, `club link`, `club link CODE`, `club unlink`, and the yes and no of two organisers."""

    def __init__(self, *, links: ClubLinks, threads: ThreadService, books: BookTexts, clock: Clock) -> None:
        self._links = links
        self._threads = threads
        self._books = books
        self._clock = clock

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        organisers = Who.ORGANISERS
        return [
            Command(
                words="club",
                takes=Option(name="what", hint=sentence("link, link and a code, or unlink"), is_optional=True),
                help=sentence("read together with a club elsewhere: one book, page and schedule"),
                is_said=_is_said,
                run=self._club,
            ),
            Command(words=AGREE, who=organisers, run=self._agree),
            Command(words=JOIN, who=organisers, run=self._join),
            Command(words=DECLINE, who=organisers, run=self._decline),
        ]

    async def _club(self, request: CommandRequest) -> CommandResponse:
        """Show which club this one reads with, or link or unlink clubs; only organisers may."""
        if is_private(request.thread.scope):
            return CommandResponse(text=say(_ALONE))
        word, _, rest = request.text.strip().partition(" ")
        wanted = word.lower()
        if wanted and not request.is_organiser:
            raise NotPermittedError(say("Only organisers can link or unlink clubs."))
        if wanted == _LINK:
            return await (self._take(request, rest) if rest.strip() else self._offer(request))
        if wanted == _UNLINK and not rest:
            return await self._part(request)
        if wanted:
            raise ThusfarError(say(_FORM))
        return await self._show(request)

    async def _show(self, request: CommandRequest) -> CommandResponse:
        place = _place(request)
        link = await self._links.link_of(place)
        if link is not None:
            since = f"{link.since.day} {link.since:%B %Y}"
            told = say(
                "This club reads together with one {where}, since {since}. You share the book, the page and the "
                "schedule. Everything else stays here.",
                where=where(link.other.scope),
                since=since,
            )
            if request.is_organiser:
                told = " ".join((told, say("`/club unlink` ends it. Then each club reads on from there.")))
            return CommandResponse(text=told)
        offer = await self._links.offer_of(place, now=self._clock.now()) if request.is_organiser else None
        if offer is None:
            return CommandResponse(text=say(_BY_ITSELF))
        if offer.terms is None:
            return CommandResponse(text=say("No one has used this club's code yet. `/club link` gives you a new one."))
        is_giver = offer.giver == place
        if is_giver and not offer.agreed:
            return CommandResponse(text=say("The other club has used this club's code but hasn't confirmed yet."))
        if offer.agreed and not is_giver:
            return CommandResponse(text=say("You said yes. I've asked the person who gave you the code."))
        return await self._shown(offer, offer.terms, asked if is_giver else taken_up)

    async def _offer(self, request: CommandRequest) -> CommandResponse:
        """Give a code to the organiser alone. Raises ThusfarError if the club has no book."""
        place = _place(request)
        await self._check_by_itself(place)
        reading = await self._threads.reading(place)
        if reading is None:
            raise ThusfarError(say(_NO_BOOK))
        secret, book = new_secret(), await self._books.get(reading.book_id)
        number = await self._links.offer(
            place,
            made_by=request.member.member_id,
            secret_hash=Code(offer_id=0, secret=secret).hashed,
            now=self._clock.now(),
        )
        return CommandResponse(
            text=say(
                "Your code: `{code}`\nGive it to an organiser of the other club and no one else. There they say "
                "`/club link` and the code, once, within {minutes} minutes. I'll ask you again before anything "
                "changes: the other club would read {title} with yours.",
                code=Code(offer_id=number, secret=secret),
                minutes=CODE_HOLDS.seconds // 60,
                title=plain_name(book.title),
            )
        )

    async def _take(self, request: CommandRequest, typed: str) -> CommandResponse:
        """Use a code and ask for agreement. Raises ThusfarError if the code is not valid, without saying why."""
        place, code = _place(request), read_code(typed)
        await self._check_by_itself(place)
        own = await self._links.offer_of(place, now=self._clock.now())
        if code is None:
            raise ThusfarError(say(_NO_CODE))
        if own is not None and own.offer_id == code.offer_id and own.giver == place:
            raise ThusfarError(say(_OWN_CODE))
        offer = await self._links.take(place, code, now=self._clock.now())
        if offer is None or offer.terms is None:
            raise ThusfarError(say(_NO_CODE))
        return await self._shown(offer, offer.terms, taken_up)

    async def _agree(self, request: CommandRequest) -> CommandResponse:
        offer_id, mark = _pressed(request)
        if await self._links.agree(_place(request), offer_id, mark=mark, now=self._clock.now()) is None:
            raise ThusfarError(say(_NOT_ANY_MORE))
        return CommandResponse(
            text=say(
                "Thank you. I'll ask the person who gave you the code. When they say yes too, I'll tell everyone here."
            )
        )

    async def _join(self, request: CommandRequest) -> CommandResponse:
        offer_id, mark = _pressed(request)
        joined = await self._links.join(
            _place(request), offer_id, mark=mark, member_id=request.member.member_id, now=self._clock.now()
        )
        if joined is None:
            raise ThusfarError(say(_NOT_ANY_MORE))
        return CommandResponse(text=say("You're reading together now. I'll tell everyone in both clubs in a moment."))

    async def _decline(self, request: CommandRequest) -> CommandResponse:
        await self._links.decline(_place(request), int(request.text))
        return CommandResponse(text=say("Nothing has changed. Each club reads on its own."))

    async def _part(self, request: CommandRequest) -> CommandResponse:
        ended = await self._links.end(_place(request))
        if ended is None:
            raise ThusfarError(say("This club already reads on its own."))
        return CommandResponse(
            announcement=say(
                "{name} ended it. This club and the one {where} each read on from where they are. Everything stays "
                "here.",
                name=plain_name(request.name),
                where=where(ended.other.scope),
            )
        )

    async def _shown(
        self,
        offer: Offer,
        terms: Terms,
        words: OfferWords,
    ) -> CommandResponse:
        book = await self._books.get(terms.book_id)
        text, choices = words(offer, terms, book, page_names(await self._books.outline(terms.book_id)))
        return CommandResponse(text=text, choices=choices)

    async def _check_by_itself(self, place: Thread) -> None:
        if await self._links.link_of(place) is not None:
            raise ThusfarError(say(_LINKED))


def _is_said(text: str) -> bool:
    """Whether the text after `club` is for this command. Anything that looks like a code is."""
    words = text.lower().split()
    if words[:1] == [_LINK]:
        return len(words) <= len(("link", "code")) or words[1][0].isdigit()
    return not words or words == [_UNLINK]


def _place(request: CommandRequest) -> Thread:
    return Thread(scope=request.thread.scope, place=request.thread.place, thread="")


def _pressed(request: CommandRequest) -> tuple[int, str]:
    offer_id, _, mark = request.text.partition(SEPARATOR)
    return int(offer_id), mark
