"""The fixed sentences of the bot, names and counts as they stand in them, and how an error becomes words."""

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
"""Said alike of a name that comes later and of one that never comes."""

NOT_BEGUN: Final = sentence("I don't see that chapter in the pages you've read.")
"""Said alike of a chapter that comes later and of one that the book has not."""

_TELL_NOTHING: Final = (CANNOT_SAY, NOT_FOUND, _TRY, NOT_MET, NOT_BEGUN)

HERE_FOR_THE_BOOK: Final = sentence("Happy to talk about the book! Ask me about anything you've read.")
"""In answer to small talk where no model may; it hangs on what a member said alone, and so tells nothing."""

IN_THE_BOOKS_LANGUAGE: Final = sentence("(I can only answer in the book's own language.)")
"""Said with an answer to a question in another one; it hangs on what a member said and on the pages read alone."""

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
"""In answer to a mention that says nothing, and to a message without a word in it."""

ONLY_WORDS: Final = sentence(
    "I only read words, not forwards, stickers, polls or voice clips. Write me your question instead."
)
"""In answer to a message that shows something and says nothing."""

WELCOME: Final = sentence(
    "Hello, I'm Thusfar. I talk with you about the book you read together, and only as far as you've read."
    "\n`/book use sample` opens a short mystery to try me with. `/book add` brings a book of your own.\n"
    "`/setpage 18` tells me how far you've all read. Then mention me and ask: “Who is Hallam?”"
)
"""Said once where the bot comes to a server or a channel."""

WELCOME_ALONE: Final = sentence(
    "Hello, I'm Thusfar. It's just the two of us here: read a book with me, and I only talk about what "
    "you've read.\n`/book use sample` opens a short mystery to try me with, or send me a book as a file.\n"
    "`/setpage 18` tells me how far you've read. Then just ask: “Who is Hallam?” or “What happened just "
    "now?”"
)
"""Said once where somebody first opens a talk with the bot alone."""

PROMPTS: Final = (
    sentence("What happened just now?"),
    sentence("Who have we met so far?"),
    sentence("Where did I stop reading?"),
)
"""What can be asked of any book, where a platform offers questions to press."""

CUT_SHORT: Final = sentence("(My answer was cut short here.)")
GIVEN_UP: Final = sentence(
    "I tried more than once and couldn't answer that. The person who runs this bot can find out why."
)
STORE_AWAY: Final = sentence("I can't reach my notes right now. Try again in a minute.")
"""Said when the database is away; what a StorageError says is for the person who runs the bot."""

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
    LLMErrorCode.UNAVAILABLE: sentence("I can't reach my AI model right now. Try again in a minute."),
}


def plain_name(name: str) -> str:
    """Return a display name or a title as it may stand in a line of ours: clean, and in one line."""
    return " ".join(clean(name).split())


def off_topic(title: str) -> str:
    """Return the short reply to what is none of a book club's business."""
    return _OFF_TOPIC.format(title=title)


def is_off_topic(text: str) -> bool:
    """Whether a message is that short reply, for whichever book."""
    return text.startswith(_BEFORE_TITLE)


def for_reader(reply: str) -> str:
    """Return a reply in its reader's language, as far as it is ours; until it is shown, it is kept in English."""
    if is_off_topic(reply) and reply.endswith(_AFTER_TITLE):
        return say(_OFF_TOPIC, title=reply.removeprefix(_BEFORE_TITLE).removesuffix(_AFTER_TITLE))
    return "\n\n".join(say(part) if part in _IN_REPLIES else part for part in reply.split("\n\n"))


def answers_nothing(text: str) -> bool:
    """Whether a reply is one to what asks nothing of the book: there is nothing in it to come back to."""
    return text in {HERE_FOR_THE_BOOK, HOW_TO_ASK} or is_off_topic(text)


def describe(error: Exception) -> str:
    """Return one friendly sentence for a member; the cause belongs in the log."""
    if isinstance(error, LLMError):
        return say(_MODEL_TROUBLE[error.code])
    if isinstance(error, StorageError):
        return say(STORE_AWAY)
    if isinstance(error, ThusfarError):
        return str(error)
    return say(WENT_WRONG)


def is_fixed(text: str) -> bool:
    """Whether a sentence is, word for word, one that is said alike of what comes later and of what never does."""
    return folded(" ".join(text.split())) in map(folded, _TELL_NOTHING)


def says_nobody_asked(draft: str) -> bool:
    """Whether a model says, in the words that it was given for that, that a message asks nothing of it."""
    return _NOBODY_ASKED.fullmatch(draft) is not None


def ask_position(*, alone: bool) -> str:
    """Return what is asked where nobody has said how far is read; `alone` where one person talks with the bot."""
    return ASK_POSITION_ALONE if alone else ASK_POSITION


def thread_is_at(page: str) -> str:
    """Return what is said to a member who is behind a thread; it gives nothing away of where they are."""
    return say("This thread is at p. {page}.", page=page)


def asks_position(text: str) -> bool:
    """Whether the bot has asked how far is read, in English or in the language of its readers."""
    return text.endswith((ASK_POSITION, ASK_POSITION_ALONE, say(ASK_POSITION), say(ASK_POSITION_ALONE)))


def opens_thread(text: str) -> bool:
    """Whether the bot tells that somebody opens a thread, in the language of its readers."""
    return max(_VALUE.split(say(OPENS_THREAD)), key=len) in text


def no_book(removed_title: str | None, *, alone: bool = False) -> str:
    """Return what is said where a club reads nothing: there never was a book, or it is gone."""
    if removed_title is None:
        return say(NO_BOOK_ALONE if alone else NO_BOOK)
    return say("We talked about {title} here, but that book has been removed.", title=removed_title)


def counted(number: int, what: str) -> str:
    """Return a number with its noun, which is given as it is of one: "1 page", "2 pages", "0 pages"."""
    return f"{number} {what}{'' if number == 1 else 's'}"
