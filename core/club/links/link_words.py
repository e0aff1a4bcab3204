"""The text that both organisers see before they agree: the book, and the page of both clubs."""

from collections.abc import Callable
from typing import Final

from core.catalogue.sentences import say, sentence
from core.club.commands.values import SEPARATOR, Choice
from core.domain.book import Book
from core.domain.club_link import Offer, Terms, where
from core.domain.messages import plain_name

AGREE: Final = ".club-agree"
JOIN: Final = ".club-join"
DECLINE: Final = ".club-decline"
WHAT_IS_ONE: Final = sentence(
    "You would share the book, the page and the schedule: anyone who can move the page in one club moves "
    "it in both. Each club gets a copy of what you read together, and keeps it when you part. Messages, "
    "members, members' own pages, quotes and predictions stay where they are."
)


OfferWords = Callable[[Offer, Terms, Book, Callable[[int], str]], tuple[str, tuple[Choice, ...]]]
"""Says what an organiser reads of an offer about a book, whose pages have names, with what they may say to it."""


def taken_up(offer: Offer, terms: Terms, book: Book, name: Callable[[int], str]) -> tuple[str, tuple[Choice, ...]]:
    """Return the question to the organiser who used a code, with its buttons."""
    told = [
        say(
            "That's the code of a club {where}. Together you would read {book}.",
            where=where(offer.giver.scope),
            book=_named(book),
        )
    ]
    if terms.taker_title:
        told.append(say("It replaces {title} here, which I keep.", title=plain_name(terms.taker_title)))
    told.append(_page(terms.taker_page, terms, name))
    if terms.has_dates:
        told.append(say("Their schedule would become yours, too."))
    told.append(say(WHAT_IS_ONE))
    told.append(say("Do you want that? Then I'll ask the person who gave you the code once more."))
    return " ".join(told), _choices(AGREE, offer, terms)


def asked(offer: Offer, terms: Terms, book: Book, name: Callable[[int], str]) -> tuple[str, tuple[Choice, ...]]:
    """Return the question to the organiser who gave the code, once the other side has agreed."""
    told = (
        say(
            "An organiser of a club {where} used your code, and would read {book} together with your club.",
            where=where("" if offer.taker is None else offer.taker.scope),
            book=_named(book),
        ),
        _page(terms.giver_page, terms, name),
        say(WHAT_IS_ONE),
        say("If you didn't give them the code, say no."),
    )
    return " ".join(told), _choices(JOIN, offer, terms)


def _choices(yes: str, offer: Offer, terms: Terms) -> tuple[Choice, ...]:
    return (
        Choice(label=say("Read together"), command=yes, text=f"{offer.offer_id}{SEPARATOR}{terms.mark}"),
        Choice(label=say("No"), command=DECLINE, text=str(offer.offer_id)),
    )


def _named(book: Book) -> str:
    title = plain_name(book.title)
    return say("{title} by {author}", title=title, author=plain_name(book.author)) if book.author else title


def _page(own: int | None, terms: Terms, name: Callable[[int], str]) -> str:
    """Return the sentence with the page of both clubs, and what that means for the reading club."""
    if terms.page is None:
        return say("Neither club has set a page in it yet.")
    page = name(terms.page)
    if own is None or own == terms.page:
        return say("Both clubs would be at p. {page}.", page=page)
    return say(
        "Both clubs would be at p. {page}, the lower of your two pages. Yours is p. {own} now.",
        page=page,
        own=name(own),
    )
