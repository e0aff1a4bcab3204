"""What a member may type after `/setpage`: its forms, and what people say in their place (ADR 8).

Reading a form needs no book; `core.domain.position_meaning` finds the page it means. A form is read as a whole or not
at all: a word that belongs to none of them (a `not`, a question mark) is no filler, so what is misread moves no page. A
message to the bot that says how far is read, and nothing else, needs no command (`names_place`).
"""

import re
from fractions import Fraction
from typing import Final

from core.catalogue.sentences import say
from core.domain.book_places import LEVEL_WORDS, NAMED, SHORT
from core.domain.errors import PositionError
from core.domain.numbers import fold_form, page_label, read_number
from core.domain.position_requests import (
    NOT_A_POSITION,
    BegunRequest,
    EitherRequest,
    EndRequest,
    FollowRequest,
    MorePagesRequest,
    PageRequest,
    PercentRequest,
    PlaceRequest,
    PositionRequest,
    ResetRequest,
    Step,
    ThisChapterRequest,
    UndoRequest,
    chapter_request,
)
from core.understanding.copy_forms import in_copy, without_app

_WHOLE: Final = Fraction(100)
_HALF: Final = Fraction(50)
_NONE: Final = Fraction(0)
_MOST_PARTS: Final = 12
"""`3/4` is a share of the book, `20/300` a page of so many: up to here it is the one, from here on the other."""

_I = r"(?:(?:i am|i'm|im|i have|i've|ive|i|we are|we're|were|we have|we've|weve|we|all of us are|everybody is|have) )?"
_ADVERB = r"(?:just|now|currently|already|only|still|about(?! to)|around|roughly|approximately|approx|circa)"
_SET = r"(?:/?setpage |(?:please )?set (?:(?:it|us|me|the page|page|the thread) )?to )?"
_LEAD: Final = re.compile(
    rf"{_SET}(?:(?:ok|okay|so|well|hi|hey|yes|yep|um|uh) )*{_I}(?:all (?!of))?(?:{_ADVERB} )*(?:~ ?)?"
)
_TAIL: Final = re.compile(
    r"(?:(?: (?:so far|now|already|please|pls|thanks|thank you|today|tonight|at the moment|right now))+)?[.!]?$"
)

_BOOK = r"(?:(?:the|this|my|our) )?(?:whole |entire |full )?(?:book|novel|story)"
_DONE = r"(?:finished(?: with| reading)?|done(?: with| reading)?|completed?|through with|read(?: through)?)"
_OF_IT = rf"(?: (?:of the )?way)?(?: (?:done|read|in|there|point))?(?: (?:of|through|into|in))?(?: {_BOOK}| it)?"
_NUMBER = r"(?:(?:the )?[a-z0-9]+(?:(?: |-)[a-z]+){0,4}?)"
_COUNT = rf"(?:(?!the ){_NUMBER}(?<!st)(?<!nd)(?<!rd)(?<!th))"

_BEGUN: Final = re.compile(
    rf"(?:(?:from|at|before) )?(?:the )?(?:very )?(?:start|beginning)(?: of {_BOOK})?"
    rf"|(?:(?:haven't|havent|have not|not|not yet) )?(?:started|begun)(?: {_BOOK}| it)?(?: yet)?"
    rf"|(?:about to start|starting|begin|beginning)(?: {_BOOK}| it)?|no(?:thing|ne)(?: yet| read| read yet)?|zero"
)
_END: Final = re.compile(
    rf"(?:(?:at|to|until|up to|reached|got to|made it to) )?(?:the )?(?:very )?(?:end|last page)(?: of {_BOOK})?"
    rf"|{_DONE} (?:{_BOOK}|all of it|it all|everything|the (?:whole|entire) thing)|{_BOOK} (?:is )?{_DONE}"
    rf"|all of (?:it|{_BOOK})|(?:the )?(?:whole|entire|full) (?:book|novel|story|thing)"
)
_ALL_DONE: Final = re.compile(rf"(?:all )?(?!read$){_DONE}(?: it)?")
_HALFWAY: Final = re.compile(rf"(?:in |at )?(?:the )?(?:(?:first )?half(?:[ -]?way)?|mid-?way|middle){_OF_IT}")
_SHARE: Final = re.compile(
    rf"(?P<count>an?|one|two|three|four|[1-4])[ -](?P<part>half|third|quarter|fourth|fifth)s?{_OF_IT}"
)
_COUNTS: Final = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}
_PARTS: Final = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5}
_PERCENT: Final = re.compile(
    rf"(?:at |up to )?(?:(?P<whole>[0-9]+)(?:[.,](?P<part>[0-9]+))?|(?P<words>{_NUMBER})) ?(?:%|percent|per cent|pct)"
    rf"(?: (?:finished|complete))?{_OF_IT}"
)

_LEVEL = rf"(?:{LEVEL_WORDS})s?"
_NAMED = "|".join(NAMED)
_STEP: Final = re.compile(
    rf"(?:the )?(?:(?P<word>{_LEVEL})[ .:#]*(?:(?:no\.?|number) )?(?P<number>{_NUMBER})"
    rf"|(?P<ordinal>{_NUMBER}(?:st|nd|rd|th|first|second|third)) (?P<level>{_LEVEL})|(?P<named>{_NAMED}))"
)
_NEXT_STEP: Final = re.compile(rf"(?<!\bthe),? (?=(?:the )?{_LEVEL}(?:[ .:#]*[0-9]|[ .:#]+[a-z])|(?:{_NAMED})$)")
_WITHIN: Final = re.compile(r" (?:of|in) | ?/ ?")
_PLACE = r"(?P<place>.+?)"
_CHAPTERS_TO = rf"(?:chapters?|chs?)[ .]*(?P<from>{_NUMBER}) ?(?:-|to|through|thru|and|&) ?(?P<number>{_NUMBER})"
_READ_TO_ITS_END = (
    rf"(?:{_DONE}|through|thru|read through|(?:(?:up )?to |until |at |reached )?(?:the )?end(?: of)?|after|past|all of"
    r"|(?:the )?last page of|(?:up to and|up to,) including|through the end of)"
)
_IS_READ = r"(?: is| -|,|:)? ?(?:done|finished|completed?|read|end|ended|over|included|inclusive)"
_BEFORE_IT = (
    r"(?:(?:(?:up )?to |until |at )?(?:the )?(?:start|beginning) of|start(?:ed|ing)?(?: with)?|beg[iu]n(?:ning)?"
    r"|(?:about )?to (?:start|begin)|on to|onto|on|at|in|into|reading|reached|got to|made it to|before|next(?: is| up)?"
    r"|haven't started|havent started|have not started|not started)"
)
_IS_BEGUN = r",? (?:start(?:ed)?|beg[iu]n(?:ning)?|next|not started|in progress)"
_UNSURE = r"(?:up to|until|till?|to|by|read to|read up to|read until)"
_THE_HALF = r"(?:in |at )?(?:the )?(?:half(?:[ -]?way)?|mid(?:-?way)?|middle)(?: (?:through|of|in|into|point of))?"
_IS_HALF = r",? (?:is )?half(?:[ -]?way)?(?: (?:done|read|through|in))?"
_DONE_PLACE: Final = re.compile(rf"{_READ_TO_ITS_END} {_PLACE}(?: of {_BOOK})?")
_PLACE_DONE: Final = re.compile(rf"{_PLACE}{_IS_READ}")
_CHAPTERS: Final = re.compile(rf"(?:{_READ_TO_ITS_END} )?{_CHAPTERS_TO}(?:{_IS_READ})?")
_HALF_PLACE: Final = re.compile(rf"{_THE_HALF} {_PLACE}")
_PLACE_HALF: Final = re.compile(rf"{_PLACE}{_IS_HALF}")
_BEGUN_PLACE: Final = re.compile(rf"(?:{_BEFORE_IT} )?{_PLACE}(?:{_IS_BEGUN})?(?: yet)?")
_SOME_PLACE: Final = re.compile(rf"{_UNSURE} {_PLACE}")
_FINISHED: Final = re.compile(rf"finished (?P<number>{_NUMBER})")
_THIS = r"(?:the|this|that|current|the current|my) chapter"
_THIS_DONE: Final = re.compile(rf"{_READ_TO_ITS_END} {_THIS}|(?:{_THIS}|chapter){_IS_READ}")
_THIS_HALF: Final = re.compile(rf"{_THE_HALF} {_THIS}")

_PAGES = r"(?:p(?:p|gs?|ages?)?)"
_MORE: Final = re.compile(
    rf"(?:\+|plus|add|forward|ahead) ?(?P<plus>{_COUNT})(?: ?{_PAGES}\.?)?"
    rf"|(?:read )?another (?P<another>{_COUNT})(?: more)? {_PAGES}"
    rf"|(?P<further>{_COUNT}) {_PAGES} (?:more|further|ahead|later|on)"
    rf"|(?:read )?(?P<more>{_COUNT}) (?:more|further|additional|extra)(?: {_PAGES})?"
)
_SO_MANY_PAGES: Final = re.compile(rf"(?:(?:read|done) )?(?P<number>{_COUNT}) {_PAGES}(?: (?:done|read))?")
_SO_MANY_IN: Final = re.compile(
    rf"(?P<in>[0-9]+) {_PAGES} (?:in|into (?:it|{_BOOK}))|(?:the )?first (?P<first>[0-9]+) {_PAGES}"
)
_STANDS_AT = r"(?:on|at|is|reading|got to|gotten to|made it to|reached|stop(?:ped|ping)? (?:at|on))"
_READ_TO = (
    r"(?:to|up to|until|till?|through|thru|read(?: up)?(?: to| until| through)?|after|past"
    r"|finished(?: with| reading)?|done(?: with| reading)?)"
)
_AT_PAGE = rf"(?:{_STANDS_AT}|{_READ_TO})"
_PAGE_WORD = r"(?:p(?:p|gs?|ages?)?(?: ?(?:no\.?|nr\.?|number))?|no|nr|number)"
_LABEL = r"(?:[a-z]-?[0-9]+|[0-9]+[a-z]?|[ivxlcdm]+)"
_OF = r"(?: ?/ ?| of | out of )(?:the )?(?P<of>[0-9]+)(?: pages?)?"
_PAGE: Final = re.compile(
    rf"(?:{_AT_PAGE} )?(?:the )?"
    rf"(?:(?:{_PAGE_WORD}[ .:=#]*|# ?)(?P<label>{_LABEL})|(?P<place>[0-9]+(?:st|nd|rd|th)) page)"
    rf"(?:{_OF})?(?: (?:done|read|finished))?"
)
_SPELLED_PAGE: Final = re.compile(rf"(?:{_AT_PAGE} )?(?:page (?P<number>{_NUMBER})|(?:the )?(?P<place>{_NUMBER}) page)")
_BARE: Final = re.compile(rf"(?:{_STANDS_AT} )?(?P<label>{_LABEL})(?: of (?:the )?(?P<of>[0-9]+)(?: pages?)?)?")
_SPELLED: Final = re.compile(rf"(?![ivxlcdm]+$)(?=[a-z]){_COUNT}")
_OUT_OF: Final = re.compile(r"(?:on |at )?(?P<count>[0-9]{1,9}) ?(?:/|out of) ?(?P<of>[0-9]{1,9})(?: pages)?")
_PAGE_OR_CHAPTER: Final = re.compile(
    rf"{_READ_TO} (?P<number>{_COUNT})|(?P<done>{_COUNT})(?: is)? (?:done|finished|read)"
)


def parse_position(text: str, *, titles: bool = False) -> PositionRequest:
    """Read what a member typed as a position, whatever its case, its outer white space or the width of its digits.

    With `titles`, any other text is read as the title of a place in the book.

    Raises:
        PositionError: anything else; one sentence that shows the forms and repeats nothing of the text.
    """
    form = re.sub(r"[,;] ", " ", fold_form(text))
    form = without_app(_TAIL.sub("", form, count=1))
    for said in dict.fromkeys((form, form[_begin(form) :])):
        for read in _READERS:
            if (request := read(said)) is not None:
                return request
    if titles and (request := _titled(form[_begin(form) :]) or _titled(form)):
        return request
    raise PositionError(say(NOT_A_POSITION))


def _begin(form: str) -> int:
    lead = _LEAD.match(form)
    return lead.end() if lead else 0


def _word(form: str) -> PositionRequest | None:
    """Read what names no number."""
    words: dict[str, PositionRequest] = {"reset": ResetRequest(), "follow": FollowRequest(), "undo": UndoRequest()}
    if form in words:
        return words[form]
    if _BEGUN.fullmatch(form):
        return BegunRequest()
    if _ALL_DONE.fullmatch(form):
        return EitherRequest(readings=(EndRequest(), ThisChapterRequest(percent=_WHOLE)))
    return EndRequest() if _END.fullmatch(form) else None


def _share(form: str) -> PositionRequest | None:
    if _HALFWAY.fullmatch(form):
        return PercentRequest(percent=_HALF)
    if match := _SHARE.fullmatch(form):
        parts, count = _PARTS[match["part"]], match["count"]
        whole = int(count) if count.isdecimal() else _COUNTS[count]
        return PercentRequest(percent=whole * _WHOLE / parts) if whole < parts else None
    return _percent(form)


def _percent(form: str) -> PercentRequest | None:
    match = _PERCENT.fullmatch(form)
    if match is None:
        return None
    if match["whole"]:
        return PercentRequest(percent=Fraction(f"{match['whole']}.{match['part'] or 0}"))
    number = read_number(match["words"])
    return None if number is None else PercentRequest(percent=Fraction(number))


def _this_chapter(form: str) -> PositionRequest | None:
    if _THIS_DONE.fullmatch(form):
        return ThisChapterRequest(percent=_WHOLE)
    return ThisChapterRequest(percent=_HALF) if _THIS_HALF.fullmatch(form) else None


def _place(form: str) -> PositionRequest | None:
    for pattern, percent in (
        (_FINISHED, _WHOLE),
        (_DONE_PLACE, _WHOLE),
        (_PLACE_DONE, _WHOLE),
        (_HALF_PLACE, _HALF),
        (_PLACE_HALF, _HALF),
        (_BEGUN_PLACE, _NONE),
        (_CHAPTERS, _WHOLE),
    ):
        if (match := pattern.fullmatch(form)) and (found := _place_in(match, percent)):
            return found
    match = _SOME_PLACE.fullmatch(form)
    begun, done = (match and _place_in(match, percent) for percent in (_NONE, _WHOLE))
    return EitherRequest(readings=(begun, done)) if begun and done else None


def _place_in(match: re.Match[str], percent: Fraction) -> PlaceRequest | None:
    said = match.groupdict()
    if "place" not in said:
        number = read_number(said["number"])
        return None if number is None else chapter_request(number, percent=percent)
    *above, last = reversed(_WITHIN.split(said["place"]))
    of = int(above.pop(0)) if above and above[0].isdecimal() else None
    steps = tuple(_step(piece) for each in (*above, last) for piece in _NEXT_STEP.split(each))
    return None if None in steps else PlaceRequest(steps=tuple(filter(None, steps)), percent=percent, of=of)


def _step(text: str) -> Step | None:
    match = _STEP.fullmatch(text)
    if match is None or match["named"]:
        return Step(word=match["named"]) if match else None
    number = read_number(match["number"] or match["ordinal"])
    word = (match["word"] or match["level"]).removesuffix("s")
    return None if number is None else Step(word=SHORT.get(word, word), number=number)


def _titled(form: str) -> PlaceRequest | None:
    """Read a title, or a title and a number in it: `end of the quay`, `purgatorio 3`."""
    kinds = ((_DONE_PLACE, _WHOLE), (_PLACE_DONE, _WHOLE), (_BEGUN_PLACE, _NONE))
    for match, percent in ((pattern.fullmatch(form), percent) for pattern, percent in kinds):
        if match:
            title, _, last = match["place"].rpartition(" ")
            number = read_number(last) if title else None
            whole = (Step(title=match["place"]),)
            steps = whole if number is None else (Step(title=title), Step(number=number))
            return PlaceRequest(steps=steps, percent=percent)
    return None


def _more(form: str) -> PositionRequest | None:
    """Read pages that are counted from where the page stands, and those that may be."""
    if (match := _MORE.fullmatch(form)) and (number := _number_in(match)) is not None:
        return MorePagesRequest(pages=number)
    if (match := _SO_MANY_IN.fullmatch(form)) and (number := _number_in(match)) is not None:
        return _page_request(str(number))
    if (match := _SO_MANY_PAGES.fullmatch(form)) and (number := _number_in(match)) is not None:
        page = _page_request(str(number))
        more = MorePagesRequest(pages=number)
        return EitherRequest(readings=(page, more)) if isinstance(page, PageRequest) else page
    return None


def _page(form: str) -> PositionRequest | None:
    if match := _OUT_OF.fullmatch(form):
        return _out_of(int(match["count"]), int(match["of"]))
    if match := _PAGE.fullmatch(form):
        return _page_request(match["label"] or match["place"][:-2], of=match["of"])
    if (match := _SPELLED_PAGE.fullmatch(form)) and (number := _number_in(match)) is not None:
        return _page_request(str(number))
    if match := _BARE.fullmatch(form):
        return _page_request(match["label"], of=match["of"], is_bare=True)
    if _SPELLED.fullmatch(form) and (number := read_number(form)) is not None:
        return _page_request(str(number))
    return _page_or_chapter(form)


def _page_or_chapter(form: str) -> PositionRequest | None:
    """Read `7 done`, `up to 7`: a number that may be a page's or a chapter's."""
    match = _PAGE_OR_CHAPTER.fullmatch(form)
    number = _number_in(match) if match else None
    if number is None:
        return None
    page = _page_request(str(number))
    return (
        EitherRequest(readings=(page, chapter_request(number, percent=_WHOLE)))
        if isinstance(page, PageRequest)
        else page
    )


def _out_of(count: int, of: int) -> PositionRequest | None:
    if of == 0 or count > of:
        return None
    page = _page_request(str(count), of=str(of))
    if of > _MOST_PARTS or not isinstance(page, PageRequest):
        return page
    share = PercentRequest(percent=count * _WHOLE / of)
    return EitherRequest(readings=(page, share, chapter_request(count, percent=_WHOLE, of=of)))


def _page_request(label: str, *, of: str | None = None, is_bare: bool = False) -> PageRequest | BegunRequest | None:
    found = page_label(label)
    if found is None:
        return None
    if found == "0":
        return BegunRequest()
    return PageRequest(label=found, of=int(of) if of else None, is_bare=is_bare)


def _number_in(match: re.Match[str]) -> int | None:
    """Return the one number of a match that is not how many there are; None where it is no number."""
    said = (text for name, text in match.groupdict().items() if text and name not in {"of", "from"})
    return read_number(next(said, ""))


_READERS: Final = (_word, _share, _more, _this_chapter, in_copy, _place, _page)
