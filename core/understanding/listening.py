"""When the bot speaks (ADR 22): one rule for every platform; adapters only tell it what was heard.

Rules decide what is plain by its form; of the rest, a fitted score says how likely the bot is asked something. What was
said before counts too, and is kept in memory alone, a few lines a thread.
"""

import re
from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from cachetools import FIFOCache

from core.domain.conversation import AskedAs, Line, RepliesTo
from core.domain.folding import CAPITAL
from core.domain.messages import asks_position
from core.domain.patterns import late_pattern
from core.domain.reading import Listen, ListeningRule
from core.language.words import content_stems
from core.understanding.asks_readers import asks_readers
from core.understanding.position_forms import names_place
from core.understanding.small_talk import is_thanks
from core.understanding.talk_score import chance_of, fitted_score
from core.understanding.talk_signals import LOOKED_BACK

_CALLED = late_pattern(
    r"^\W*(?:(?:hey|hi|hello|ok|okay|so|yo|oh|dear|and|but|dunno|idk|no idea)\W+)*(?:thusfar|bot)\s*(?:[,:?!]|[.–—-]\s)"
    r"|[,.!?]\s*(?:thusfar|bot)\s*[?!.]*\s*$|^\W*(?:thusfar|bot)\W*$",
    re.IGNORECASE,
)
_WHO_IS = late_pattern(
    r"\W*(?:\w+\W+){0,2}?[Ww]ho(?:['’]s| is| was| are| were) (?:the |this |that )?"
    rf"[{CAPITAL}][\w'’.]+(?: [{CAPITAL}]\w+)*(?: again)?\W*$"
)
_WHAT_IS = late_pattern(
    r"\W*(?:\w+\W+){0,2}?(?:what(?:['’]?s| is) an? [a-z-]+(?: [a-z-]+)?|what (?:does|did) [a-z-]+ mean)(?: again)?\W*$",
    re.IGNORECASE,
)
_ASKS_BACK = late_pattern(
    r"\W*(?:sure|yes|yeah|yep|yup|ok|okay|fine|deal|of course|no problem|will do|gladly)\b\W*(?:and |but )?"
    r"(?:which|what|when|where|how)(?: (?:ones?|time|day|kind|sort|many|much|place|train|colou?r))?\W*$",
    re.IGNORECASE,
)
_YES_OR_NO = late_pattern(
    r"\W*(?:yes|yeah|yep|no|nope|both|neither|either|the\s+(?:first|second|last))\b", re.IGNORECASE
)
_OTHER_BOTS_COMMAND = late_pattern(
    r"^\s*(?:[!.$%?;+~-]{1,2}[a-z][\w-]*\b(?!\s*\?)|/(?!setpage\b|thusfar\b|mypage\b)[a-z]\w*\b)"
)
_LINK = late_pattern(r"<?https?://\S+>?")
_LOOKED_AT = 500
_MANY_MARKS = late_pattern(r"([^\w\s]{8})[^\w\s]+")
_LETTER = late_pattern(r"[^\W\d_]")
_EMOJI_NAME = late_pattern(r":[\w+-]+:")

_MOST_THREADS: Final = 2_000


_ABOUT_TO_ANSWER: Final = Line(text="", is_bot=True)
"""Stands behind what the bot was asked and has not answered yet: whoever speaks next speaks after it, in effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressing:
    """What an adapter knows of a human's message: how it addresses whom, and where it stands.

    `mentions_other`: somebody else is mentioned in it. `replies_to_other`: it is a reply to another human's message.
    """

    mentions_bot: bool = False
    replies_to_bot: bool = False
    mentions_other: bool = False
    replies_to_other: bool = False
    in_thread: bool = False
    thread_opened_by_bot: bool = False
    is_direct: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressingVerdict:
    """Whether a message asks the bot something, how likely that is (0 to 1), and why, for whoever looks into it."""

    asked: AskedAs
    chance: float
    reasons: tuple[str, ...]


def opens_thread(heard: Addressing) -> bool:
    """Whether the message asks for a thread of its own: a mention outside any thread."""
    return heard.mentions_bot and not heard.in_thread and not heard.is_direct


def is_addressed(heard: Addressing) -> bool:
    """Whether something is said to the bot itself: in a direct message, by a mention, or in reply to it."""
    return heard.is_direct or heard.mentions_bot or heard.replies_to_bot


def listens(heard: Addressing, hearing: ListeningRule) -> bool:
    """Whether what is said in passing there may be for the bot: in threads that it opened, or was told to listen to."""
    return (
        heard.in_thread and hearing.listen is not Listen.MENTIONS and (heard.thread_opened_by_bot or hearing.said_here)
    )


def line_of(heard: Addressing, text: str, author: str) -> Line:
    """Return a message as a line of its thread."""
    replies_to = RepliesTo.MEMBER if heard.replies_to_other else RepliesTo.NOBODY
    return Line(
        text=text,
        author=author,
        mentions_bot=heard.mentions_bot,
        mentions_member=heard.mentions_other,
        replies_to=RepliesTo.BOT if heard.replies_to_bot else replies_to,
    )


def judge(
    line: Line, before: Sequence[Line] = (), *, listen: Listen = Listen.QUESTIONS, direct: bool = False
) -> AddressingVerdict:
    """Return whether a line asks the bot something, of a thread that it listens to; `before` is what was said there."""
    line = _in_short(line)
    plain = by_form(line, listen=listen, direct=direct)
    if plain is not None:
        return plain
    before = [_in_short(one) for one in before]
    if before and before[-1].is_bot and asks_position(before[-1].text) and names_place(line.text):
        return _plainly(AskedAs.YES, "tells how far is read, as the bot asked")
    if asks_readers(line.text):
        return _plainly(AskedAs.NO, "asks members about their reading")
    return _by_score(line, before)


def by_form(line: Line, *, listen: Listen = Listen.QUESTIONS, direct: bool = False) -> AddressingVerdict | None:
    """Return what is plain by a line's form alone; None where it is not.

    A mention, a reply to the bot and a direct message ask it, unless they only thank it. What is for a member, a bare
    link or a command of another bot's does not, whatever is listened to.
    """
    if direct or line.mentions_bot or line.replies_to is RepliesTo.BOT:
        plain = AskedAs.THANKS if is_thanks(line.text) else AskedAs.YES
        return _plainly(plain, "said to the bot itself")
    against = "only mentions are listened to" if listen is Listen.MENTIONS else _plainly_not(line)
    if against is not None:
        return _plainly(AskedAs.NO, against)
    if _CALLED.search(line.text):
        return _plainly(AskedAs.YES, "calls the bot by name")
    if line.replies_to is RepliesTo.MEMBER:
        return _plainly(AskedAs.NO, "replies to a member")
    return _plainly(AskedAs.YES, "all is listened to") if listen is Listen.ALL else None


@dataclass(frozen=True, slots=True)
class _KeptLine:
    ref: str | None
    line: Line
    is_asked: bool = False


class RecentLines:
    """What was said of late in the threads that are listened to. Where nobody spoke for longest is let go first.

    After a restart what was asked and answered is known again from what is stored; what else was said there is not.
    """

    def __init__(self) -> None:
        # Only what is said in a thread puts it last again, not that somebody looks at it.
        self._threads: FIFOCache[Hashable, deque[_KeptLine]] = FIFOCache(maxsize=_MOST_THREADS)

    def knows(self, thread: Hashable) -> bool:
        """Whether anything is known of what was said in a thread."""
        return thread in self._threads

    def before(self, thread: Hashable, ref: str | None = None) -> tuple[Line, ...]:
        """Return what was said in a thread, oldest first; before the message of a name, where it stands there."""
        said = list(takewhile(lambda kept: ref is None or kept.ref != ref, self._threads.get(thread, ())))
        lines = [kept.line for kept in said]
        # The latest that is the bot's or for it: where that is a question, the answer is still to come.
        latest = next((at for at, kept in reversed(list(enumerate(said, 1))) if kept.is_asked or kept.line.is_bot), 0)
        if latest and said[latest - 1].is_asked:
            lines.insert(latest, _ABOUT_TO_ANSWER)
        return tuple(lines)

    def ask(self, thread: Hashable, ref: str | None) -> None:
        """Note that the line of a message asks the bot something; that waits until the bot says something there."""
        kept = self._threads.get(thread)
        if kept and kept[-1].ref == ref:
            kept[-1] = replace(kept[-1], is_asked=True)

    def add(self, thread: Hashable, line: Line, *, ref: str | None = None) -> None:
        """Keep a line; a message that comes again is kept once."""
        kept = self._threads.get(thread, deque(maxlen=LOOKED_BACK + 1))
        self._threads[thread] = kept
        if ref is None or all(one.ref != ref for one in kept):
            kept.append(_KeptLine(ref, line))

    def replace_text(self, ref: str, text: str) -> None:
        """Put another text in place of a message's; an empty one where it was deleted."""
        for kept in self._threads.values():
            for number, one in enumerate(kept):
                if one.ref == ref:
                    kept[number] = replace(one, line=replace(one.line, text=text))
                    return


def _in_short(line: Line) -> Line:
    """Return a line as far as its form is looked at, which is soon done: how a long post begins and ends.

    Of marks in a row the first few count.
    """
    text = line.text
    if len(text) > 2 * _LOOKED_AT:
        text = f"{text[:_LOOKED_AT]}\n{text[-_LOOKED_AT:]}"
    return replace(line, text=_MANY_MARKS.sub(r"\1", text))


def _by_score(line: Line, before: Sequence[Line]) -> AddressingVerdict:
    if _asks_back(line, before):
        return _plainly(AskedAs.NO, "asks a member back")
    chance, reasons = chance_of(line, before)
    score = fitted_score()
    form = _likely_form(line, before) if chance < score.likely else None
    if form is not None:
        return AddressingVerdict(asked=AskedAs.LIKELY, chance=score.likely, reasons=(form, *reasons))
    if chance >= score.sure:
        asked = AskedAs.YES
    elif chance >= score.likely:
        asked = AskedAs.LIKELY
    elif chance >= score.perhaps:
        asked = AskedAs.PERHAPS
    else:
        asked = AskedAs.NO
    return AddressingVerdict(asked=asked, chance=chance, reasons=reasons)


def _likely_form(line: Line, before: Sequence[Line]) -> str | None:
    """Return by which form a line is likely for the bot, whatever its score says; None where it has none of those."""
    if _WHO_IS.match(line.text):
        return "asks who somebody is"
    if _WHAT_IS.match(line.text) and not _takes_up(line, before):
        return "asks what something is"
    return "answers the bot's question" if _answers_the_bot(line, before) else None


def _asks_back(line: Line, before: Sequence[Line]) -> bool:
    """Whether a line says yes to what a member has just said, and asks which or when: "sure, which one?"."""
    is_after_member = bool(before) and not before[-1].is_bot and before[-1].author != line.author
    return is_after_member and _ASKS_BACK.match(line.text) is not None


def _takes_up(line: Line, before: Sequence[Line]) -> bool:
    """Whether a line is about what a member has just spoken of."""
    return bool(before) and not before[-1].is_bot and bool(content_stems(line.text) & content_stems(before[-1].text))


def _answers_the_bot(line: Line, before: Sequence[Line]) -> bool:
    """Whether the bot has just asked something, and a line takes up its words, or says yes or no."""
    if not before or not before[-1].is_bot or not before[-1].text.rstrip().endswith("?"):
        return False
    return bool(content_stems(line.text) & content_stems(before[-1].text)) or _YES_OR_NO.match(line.text) is not None


def _plainly_not(line: Line) -> str | None:
    """Return why a line is plainly not for the bot, by its form; None where it is not plain."""
    if line.mentions_member:
        return "mentions a member"
    if _OTHER_BOTS_COMMAND.match(line.text):
        return "a command of another bot"
    words = _EMOJI_NAME.sub("", line.text)
    if not _LETTER.search(_LINK.sub("", words)):
        return "a bare link" if _LINK.search(words) else "no words"
    return None


def _plainly(asked: AskedAs, reason: str) -> AddressingVerdict:
    return AddressingVerdict(asked=asked, chance=float(asked not in {AskedAs.NO, AskedAs.THANKS}), reasons=(reason,))
