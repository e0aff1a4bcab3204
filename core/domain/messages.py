"""The fixed sentences of the bot, names and counts as they stand in them, and how an error becomes words."""

import re
from typing import Final

from core.domain.clean_text import clean
from core.domain.errors import LLMError, LLMErrorCode, StorageError, ThusfarError
from core.domain.folding import folded

_NOT_FOUND: Final = "I don't find that in the pages you've read."
_TRY: Final = "Try asking who someone is, or for a recap."
CANNOT_SAY: Final = f"{_NOT_FOUND} {_TRY}"
"""Used for everything the bot cannot say yet: ahead, never said, or blocked. They must not differ (ADR 15)."""

NOT_MET: Final = "I haven't met anyone by that name yet."
"""Said alike of a name that comes later and of one that never comes."""

NOT_BEGUN: Final = "I don't see that chapter in the pages you've read."
"""Said alike of a chapter that comes later and of one that the book has not."""

_TELL_NOTHING: Final = (CANNOT_SAY, _NOT_FOUND, _TRY, NOT_MET, NOT_BEGUN)

HERE_FOR_THE_BOOK: Final = "Happy to talk about the book! Ask me about anything you've read."
"""In answer to small talk where no model may; it hangs on what a member said alone, and so tells nothing."""

IN_THE_BOOKS_LANGUAGE: Final = "(I can only answer in the book's own language.)"
"""Said with an answer to a question in another one; it hangs on what a member said and on the pages read alone."""

ASK_POSITION: Final = "How far have you all read? Tell me with `/setpage 120` (a page), `/setpage ch 7 done` or `45%`."
NO_BOOK: Final = "There's no book here yet. An organiser adds one with `/book add`, or tries `/book use sample`."
NO_BOOK_ALONE: Final = "You aren't reading a book with me yet. Send me one as a file, or try `/book use sample`."
OF_YOUR_CLUBS: Final = "Or read one of your clubs' books on your own:"
ASK_POSITION_ALONE: Final = (
    "How far have you read? Tell me with `/setpage 120` (a page), `/setpage ch 7 done` or `45%`."
)
GONE_MEANWHILE: Final = "I've lost track of that. Please ask again."
HOW_TO_ASK: Final = (
    "Ask me anything about the pages you've read: mention me and write your question, like “Who is the man "
    "at the door?”\n`/setpage 120` tells me how far you've all read. `/help` shows what else I can do."
)
"""In answer to a mention that says nothing, and to a message without a word in it."""

ONLY_WORDS: Final = "I only read words, not forwards, stickers, polls or voice clips. Write me your question instead."
"""In answer to a message that shows something and says nothing."""

WELCOME: Final = (
    "Hello, I'm Thusfar. I talk with you about the book you read together, and only as far as you've read."
    "\n`/book use sample` opens a short mystery to try me with. `/book add` brings a book of your own.\n"
    "`/setpage 18` tells me how far you've all read. Then mention me and ask: “Who is Hallam?”"
)
"""Said once where the bot comes to a server or a channel."""

WELCOME_ALONE: Final = (
    "Hello, I'm Thusfar. It's just the two of us here: read a book with me, and I only talk about what "
    "you've read.\n`/book use sample` opens a short mystery to try me with, or send me a book as a file.\n"
    "`/setpage 18` tells me how far you've read. Then just ask: “Who is Hallam?” or “What happened just "
    "now?”"
)
"""Said once where somebody first opens a talk with the bot alone."""

PROMPTS: Final = ("What happened just now?", "Who have we met so far?", "Where did I stop reading?")
"""What can be asked of any book, where a platform offers questions to press."""

CUT_SHORT: Final = "(My answer was cut short here.)"
GIVEN_UP: Final = "I tried more than once and couldn't answer that. The person who runs this bot can find out why."
STORE_AWAY: Final = "I can't reach my notes right now. Try again in a minute."
"""Said when the database is away; what a StorageError says is for the person who runs the bot."""

WENT_WRONG: Final = "Something went wrong on my side. The person who runs this bot can find out what."

_NOBODY_ASKED: Final = re.compile(r"\W*nobody\s+asked\W*", re.IGNORECASE)
_BEYOND_ME: Final = "I only talk about "
_MODEL_TROUBLE: Final = {
    LLMErrorCode.AUTH: "I can't reach my AI model: its key isn't accepted. The person who runs this bot can fix it.",
    LLMErrorCode.RATE_LIMITED: "My AI model is busy. Try again in a minute.",
    LLMErrorCode.OVERLOADED: "My AI model is overloaded. Try again in a few minutes.",
    LLMErrorCode.TIMEOUT: "My AI model took too long. Please ask again.",
    LLMErrorCode.CONTEXT_TOO_LONG: "That's too long for me. Fewer words, please?",
    LLMErrorCode.REFUSED: "My AI model won't answer that one.",
    LLMErrorCode.BAD_RESPONSE: "My AI model gave no usable answer. Please ask again.",
    LLMErrorCode.ITERATION_LIMIT: "I couldn't find an answer. Could you be more specific?",
    LLMErrorCode.BUDGET_SPENT: "Today's AI budget is used up. Until tomorrow I'll answer with quotations.",
    LLMErrorCode.UNAVAILABLE: "I can't reach my AI model right now. Try again in a minute.",
}


def plain_name(name: str) -> str:
    """Return a display name or a title as it may stand in a line of ours: clean, and in one line."""
    return " ".join(clean(name).split())


def off_topic(title: str) -> str:
    """Return the short reply to what is none of a book club's business."""
    return f"{_BEYOND_ME}{title}. Ask me anything about the pages you've read."


def is_off_topic(text: str) -> bool:
    """Whether a message is that short reply, for whichever book."""
    return text.startswith(_BEYOND_ME)


def answers_nothing(text: str) -> bool:
    """Whether a reply is one to what asks nothing of the book: there is nothing in it to come back to."""
    return text in {HERE_FOR_THE_BOOK, HOW_TO_ASK} or is_off_topic(text)


def describe(error: Exception) -> str:
    """Return one friendly sentence for a member; the cause belongs in the log."""
    if isinstance(error, LLMError):
        return _MODEL_TROUBLE[error.code]
    if isinstance(error, StorageError):
        return STORE_AWAY
    if isinstance(error, ThusfarError):
        return str(error)
    return WENT_WRONG


def is_fixed(sentence: str) -> bool:
    """Whether a sentence is, word for word, one that is said alike of what comes later and of what never does."""
    return folded(" ".join(sentence.split())) in map(folded, _TELL_NOTHING)


def says_nobody_asked(draft: str) -> bool:
    """Whether a model says, in the words that it was given for that, that a message asks nothing of it."""
    return _NOBODY_ASKED.fullmatch(draft) is not None


def ask_position(*, alone: bool) -> str:
    """Return what is asked where nobody has said how far is read; `alone` where one person talks with the bot."""
    return ASK_POSITION_ALONE if alone else ASK_POSITION


def thread_is_at(page: str) -> str:
    """Return what is said to a member who is behind a thread; it gives nothing away of where they are."""
    return f"This thread is at p. {page}."


def asks_position(text: str) -> bool:
    """Whether the bot has asked how far is read."""
    return text.endswith((ASK_POSITION, ASK_POSITION_ALONE))


def no_book(removed_title: str | None, *, alone: bool = False) -> str:
    """Return what is said where a club reads nothing: there never was a book, or it is gone."""
    if removed_title is None:
        return NO_BOOK_ALONE if alone else NO_BOOK
    return f"We talked about {removed_title} here, but that book has been removed."


def counted(number: int, what: str) -> str:
    """Return a number with its noun, which is given as it is of one: "1 page", "2 pages", "0 pages"."""
    return f"{number} {what}{'' if number == 1 else 's'}"
