"""The bot's fixed sentences, names and counts for them, and the sentences for errors."""

import re
from typing import Final

from core.catalogue.sentences import say, sentence
from core.domain.clean_text import clean
from core.domain.errors import LLMError, LLMErrorCode, StorageError, ThusfarError
from core.domain.folding import folded

NOT_FOUND: Final = sentence("I don't find that in the pages you've read.")
_TRY: Final = "Try asking who someone is, or for a recap."
CANNOT_SAY: Final = sentence("I don't find that in the pages you've read. Try asking who someone is, or for a recap.")
"""Used for everything the bot cannot say yet: ahead, never said, or blocked. They must not differ (ADR 15)."""

NOT_MET: Final = sentence("I haven't met anyone by that name yet.")
"""The same for a name on unread pages and for one that is not in the book."""

NOT_BEGUN: Final = sentence("I don't see that chapter in the pages you've read.")
"""The same for an unread chapter and for one that the book does not have."""

_TELL_NOTHING: Final = (CANNOT_SAY, NOT_FOUND, _TRY, NOT_MET, NOT_BEGUN)

HERE_FOR_THE_BOOK: Final = sentence("Happy to talk about the book! Ask me about anything you've read.")
"""The answer to small talk without a model. It depends only on the member's message, so it reveals nothing."""

IN_THE_BOOKS_LANGUAGE: Final = sentence("(I can only answer in the book's own language.)")
"""Added to an answer in another language. It depends only on the member's message and on read pages."""

ASK_POSITION: Final = sentence(
    "How far have you all read? Tell me with `/setpage 120` (a page), `/setpage ch 7 done` or `45%`."
)
ASK_OWN_POSITION: Final = sentence("For just yourself, use `/mypage 120`.")
NO_BOOK: Final = sentence(
    "There's no book here yet. An organiser adds one with `/book add`, or tries `/book use sample`."
)
NO_BOOK_ALONE: Final = sentence(
    "You aren't reading a book with me yet. Send me one as a file, or try `/book use sample`."
)
OF_YOUR_CLUBS: Final = sentence("Or read one of your clubs' books on your own:")
ASK_POSITION_ALONE: Final = sentence(
    "How far have you read? Tell me with `/setpage 120` (a page), `/setpage ch 7 done` or `45%`."
)
OPENS_THREAD: Final = sentence("{name} opens a thread about {title}.")
GONE_MEANWHILE: Final = sentence("I've lost track of that. Please ask again.")
HOW_TO_ASK: Final = sentence(
    "Ask me anything about the pages you've read: mention me and write your question, like “Who is the man "
    "at the door?”\n`/setpage 120` tells me how far you've all read. `/help` shows what else I can do."
)
"""The answer to a mention without text, and to a message without words."""

ONLY_WORDS: Final = sentence(
    "I only read words, not forwards, stickers, polls or voice clips. Write me your question instead."
)
"""The answer to a message that has only attachments."""

WELCOME: Final = sentence(
    "Hello, I'm Thusfar. I talk with you about the book you read together, and only as far as you've read."
    "\n`/book use sample` opens a short mystery to try me with. `/book add` brings a book of your own.\n"
    "`/setpage 18` tells me how far you've all read. Then mention me and ask: “Who is Hallam?”"
)
"""Posted once when the bot joins a server or a channel."""

WELCOME_ALONE: Final = sentence(
    "Hello, I'm Thusfar. It's just the two of us here: read a book with me, and I only talk about what "
    "you've read.\n`/book use sample` opens a short mystery to try me with, or send me a book as a file.\n"
    "`/setpage 18` tells me how far you've read. Then just ask: “Who is Hallam?” or “What happened just "
    "now?”"
)
"""Posted once when a member first opens a direct conversation with the bot."""

PROMPTS: Final = (
    sentence("What happened just now?"),
    sentence("Who have we met so far?"),
    sentence("Where did I stop reading?"),
)
"""Questions that fit any book, for platforms that suggest prompts."""

CUT_SHORT: Final = sentence("(My answer was cut short here.)")
GIVEN_UP: Final = sentence(
    "I tried more than once and couldn't answer that. The person who runs this bot can find out why."
)
STORE_AWAY: Final = sentence("I can't reach my notes right now. Try again in a minute.")
"""Posted when the database cannot be reached; a StorageError's own text is for the person who runs the bot."""

WENT_WRONG: Final = sentence("Something went wrong on my side. The person who runs this bot can find out what.")

_VALUE: Final = re.compile(r"\{\w+\}")
_NOBODY_ASKED: Final = re.compile(r"\W*nobody\s+asked\W*", re.IGNORECASE)
_OFF_TOPIC: Final = sentence("I only talk about {title}. Ask me anything about the pages you've read.")
_BEFORE_TITLE, _AFTER_TITLE = _OFF_TOPIC.split("{title}")
_IN_REPLIES: Final = frozenset(
    {*_TELL_NOTHING, HERE_FOR_THE_BOOK, HOW_TO_ASK, ASK_POSITION, ASK_POSITION_ALONE, IN_THE_BOOKS_LANGUAGE, CUT_SHORT}
)
_MODEL_TROUBLE: Final = {
    LLMErrorCode.AUTH: sentence(
        "I can't reach my AI model: its key isn't accepted. The person who runs this bot can fix it."
    ),
    LLMErrorCode.RATE_LIMITED: sentence("My AI model is busy. Try again in a minute."),
    LLMErrorCode.OVERLOADED: sentence("My AI model is overloaded. Try again in a few minutes."),
    LLMErrorCode.TIMEOUT: sentence("My AI model took too long. Please ask again."),
    LLMErrorCode.CONTEXT_TOO_LONG: sentence("That's too long for me. Fewer words, please?"),
    LLMErrorCode.REFUSED: sentence("My AI model won't answer that one."),
    LLMErrorCode.BAD_RESPONSE: sentence("My AI model gave no usable answer. Please ask again."),
    LLMErrorCode.ITERATION_LIMIT: sentence("I couldn't find an answer. Could you be more specific?"),
    LLMErrorCode.BUDGET_SPENT: sentence("Today's AI budget is used up. Until tomorrow I'll answer with quotations."),
    LLMErrorCode.MONTH_SPENT: sentence(
        "This month's AI budget is used up. Until next month I'll answer with quotations."
    ),
    LLMErrorCode.UNAVAILABLE: sentence("I can't reach my AI model right now. Try again in a minute."),
}


def plain_name(name: str) -> str:
    """Return a display name or a title that is safe in the bot's sentences: clean and on one line."""
    return " ".join(clean(name).split())


def off_topic(title: str) -> str:
    """Return the short reply to an off-topic message."""
    return _OFF_TOPIC.format(title=title)


def is_off_topic(text: str) -> bool:
    """Whether a message is the short reply to an off-topic message, for any book."""
    return text.startswith(_BEFORE_TITLE)


def for_reader(reply: str) -> str:
    """Return a reply with the bot's own sentences in the reader's language; stored replies are in English."""
    if is_off_topic(reply) and reply.endswith(_AFTER_TITLE):
        return say(_OFF_TOPIC, title=reply.removeprefix(_BEFORE_TITLE).removesuffix(_AFTER_TITLE))
    return "\n\n".join(say(part) if part in _IN_REPLIES else part for part in reply.split("\n\n"))


def answers_nothing(text: str) -> bool:
    """Whether a reply answers a message that asks nothing about the book."""
    return text in {HERE_FOR_THE_BOOK, HOW_TO_ASK} or is_off_topic(text)


def describe(error: Exception) -> str:
    """Return a friendly sentence for a member about an error; the cause belongs in the log."""
    if isinstance(error, LLMError):
        return say(_MODEL_TROUBLE[error.code])
    if isinstance(error, StorageError):
        return say(STORE_AWAY)
    if isinstance(error, ThusfarError):
        return str(error)
    return say(WENT_WRONG)


def is_fixed(text: str) -> bool:
    """Whether a sentence is exactly one of the fixed sentences that are the same for unread and unknown things."""
    return folded(" ".join(text.split())) in map(folded, _TELL_NOTHING)


def says_nobody_asked(draft: str) -> bool:
    """Whether a model's draft is the agreed phrase that nobody asked the bot."""
    return _NOBODY_ASKED.fullmatch(draft) is not None


def ask_position(*, alone: bool) -> str:
    """Return the question how far has been read; `alone` for a direct conversation of one person."""
    return ASK_POSITION_ALONE if alone else ASK_POSITION


def thread_is_at(page: str) -> str:
    """Return the sentence for a member whose page is behind the thread's, without their own page."""
    return say("This thread is at p. {page}.", page=page)


def asks_position(text: str) -> bool:
    """Whether a text is the bot's question how far has been read, in English or in the readers' language."""
    return text.endswith((ASK_POSITION, ASK_POSITION_ALONE, say(ASK_POSITION), say(ASK_POSITION_ALONE)))


def opens_thread(text: str) -> bool:
    """Whether a text is the bot's line that a member opens a thread, in the readers' language."""
    return max(_VALUE.split(say(OPENS_THREAD)), key=len) in text


def no_book(removed_title: str | None, *, alone: bool = False) -> str:
    """Return the sentence for a club without a book: it never had one, or its book was removed."""
    if removed_title is None:
        return say(NO_BOOK_ALONE if alone else NO_BOOK)
    return say("We talked about {title} here, but that book has been removed.", title=removed_title)


def counted(number: int, what: str) -> str:
    """Return a number with its noun, given in the singular: "1 page", "2 pages", "0 pages"."""
    return f"{number} {what}{'' if number == 1 else 's'}"
