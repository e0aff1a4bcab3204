"""What the bot does with a message to it that asks nothing about the book: a short reply in place, or a command.

Each is a command that nobody types: the registry finds it by what the message means.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from core.answering.running_turns import RunningTurns
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice, Command, CommandRequest, CommandResponse
from core.domain.errors import ThusfarError
from core.domain.messages import HERE_FOR_THE_BOOK, HOW_TO_ASK, off_topic, plain_name
from core.domain.reading import Listen
from core.domain.scopes import is_private
from core.domain.understanding import Intent
from core.ports.work import WorkQueue

STOP: Final = f".{Intent.QUIET}"
"""The button that stops an answer."""
_LONGEST_IN_BUTTON: Final = 40
"""In bytes: a button carries no longer text on every platform."""
_ABOUT_BOT: Final = sentence(
    "I'm Thusfar, a bot. I have the whole book, but I answer only from the pages you've read, so I can't spoil it. I "
    "keep what you ask me and what I answer; `/forget me` deletes yours."
)
_COMPLAINT: Final = sentence(
    "Sorry about that. Ask me again in other words, or name a page or a chapter, and I'll look there."
)
_WELCOME: Final = sentence("You're welcome!")
_KEEP: Final = sentence(
    "`/predict` seals a prediction, `/later` keeps a question until more has been read, and `/quote` keeps a line."
)
_SETTINGS: Final = sentence(
    "`/listen` sets what I answer here: mentions, questions or all. Organisers see everything else with `/settings`."
)
_QUIET: Final = sentence("Shall I answer only when someone mentions me here?")
_QUIET_ALONE: Final = sentence("I only write here when you write to me.")
_QUIET_IN_CHANNEL: Final = sentence("In this channel I only answer when someone mentions me.")
_STOP: Final = sentence("stop the answer that I'm working on here")
_STOPPED: Final = sentence("Stopped.")
_CLUB: Final = sentence("We're reading {title}. `/suggest` puts forward what to read next.")
_FORGET: Final = sentence("Shall I delete what you said to me here, and your own page? This can't be undone.")


class TalkCommands:
    """The replies, one an intent, and `stop`.

    Args:
        threads: finds what a thread reads.
        running: the turns that this process answers.
        work: the questions that other processes answer.
    """

    def __init__(self, *, threads: ThreadService, running: RunningTurns, work: WorkQueue) -> None:
        self._threads = threads
        self._running = running
        self._work = work

    def commands(self) -> list[Command]:
        """Return the commands."""
        told = {
            Intent.ABOUT_BOT: _ABOUT_BOT,
            Intent.COMPLAINT: _COMPLAINT,
            Intent.SMALL_TALK: HERE_FOR_THE_BOOK,
            Intent.THANKS: _WELCOME,
        }
        runs = {
            Intent.QUIET: self._quiet,
            Intent.SETTINGS: self._settings,
            Intent.KEEP: self._keep,
            Intent.FORGET: self._forget,
            Intent.CLUB: self._club,
            Intent.OFF_TOPIC: self._off_topic,
        }
        return [
            *(
                Command(words=f".{intent}", intents=frozenset({intent}), run=_telling(text))
                for intent, text in told.items()
            ),
            *(Command(words=f".{intent}", intents=frozenset({intent}), run=run) for intent, run in runs.items()),
            Command(words="stop", run=self._quiet, help=_STOP, is_repeatable=True),
        ]

    async def _quiet(self, request: CommandRequest) -> CommandResponse:
        """Stop the answer under way; where there is none, ask what the bot is to answer from now on."""
        if await self._stopped(request):
            return CommandResponse(is_aside=True, text=say(_STOPPED))
        if is_private(request.thread.scope):
            return CommandResponse(is_aside=True, text=say(_QUIET_ALONE))
        if not request.thread.thread:
            return CommandResponse(is_aside=True, text=say(_QUIET_IN_CHANNEL))
        return CommandResponse(is_aside=True, text=say(_QUIET), choices=(_only_mentions(),))

    async def _stopped(self, request: CommandRequest) -> bool:
        """Stop the answer under way, here or in another process. Raises NotPermittedError if another member asked."""
        thread, member_id = request.thread, request.member.member_id
        if self._running.stop(thread, member_id=member_id, is_organiser=request.is_organiser):
            return True
        return await self._work.drop(thread, member_id=None if request.is_organiser else member_id)

    async def _settings(self, request: CommandRequest) -> CommandResponse:
        in_thread = bool(request.thread.thread) and not is_private(request.thread.scope)
        return CommandResponse(is_aside=True, text=say(_SETTINGS), choices=(_only_mentions(),) if in_thread else ())

    async def _keep(self, request: CommandRequest) -> CommandResponse:
        """Offer to keep the words that were said, where a button can carry them."""
        words = plain_name(request.text)
        if len(words.encode()) > _LONGEST_IN_BUTTON:
            return CommandResponse(text=say(_KEEP))
        # Note: buttons that keep what a member has just said.
        question = Choice(label=say("As a question for later"), command="later", text=words)
        prediction = Choice(label=say("As a sealed prediction"), command="predict", text=words)
        return CommandResponse(text=say("Shall I keep that?"), choices=(prediction, question))

    async def _forget(self, request: CommandRequest) -> CommandResponse:
        # Without `confirms`: where nobody can be asked, nothing is deleted on a guess.
        forget = Choice(label=say("Delete it"), command="forget me", is_dangerous=True)
        return CommandResponse(text=say(_FORGET), choices=(forget,))

    async def _club(self, request: CommandRequest) -> CommandResponse:
        title = await self._title(request)
        return CommandResponse(is_aside=True, text=say(_CLUB, title=title) if title else say(HOW_TO_ASK))

    async def _off_topic(self, request: CommandRequest) -> CommandResponse:
        title = await self._title(request)
        return CommandResponse(is_aside=True, text=off_topic(title) if title else say(HOW_TO_ASK))

    async def _title(self, request: CommandRequest) -> str:
        """Return the title of the book that is open; empty where there is none."""
        try:
            return plain_name((await self._threads.club(request.thread, request.member.member_id)).book.title)
        except ThusfarError:
            return ""


def _telling(text: str) -> Callable[[CommandRequest], Awaitable[CommandResponse]]:
    async def tell(_request: CommandRequest) -> CommandResponse:
        return CommandResponse(is_aside=True, text=say(text))

    return tell


def _only_mentions() -> Choice:
    # Note: a button: answer only mentions in this thread.
    return Choice(label=say("Yes, only mentions"), command="listen", text=Listen.MENTIONS)
