"""What every platform's adapter is given by the wiring: core's services, and the emoji that show what goes on."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Self

from adapters.platform.own_inbox import OwnInbox
from adapters.platform.pace import Pace
from adapters.platform.solitude import Solitude
from core.app.allowance import Allowance
from core.app.answer_message import AnswerMessage
from core.app.answers import Answers
from core.app.commands.book_commands import BookCommands
from core.app.commands.registry import CommandRegistry
from core.app.due import Due
from core.app.hear_message import HearMessage
from core.app.left_servers import LeftServers
from core.app.member_clubs import MemberClubs
from core.app.thread_titles import ThreadTitles
from core.app.watching import PostWatch
from core.ports.inbox import Inbox
from core.ports.work import WorkQueue


@dataclass(frozen=True, slots=True, kw_only=True)
class Emoji:
    """The reactions on the asker's message, as the platform names them."""

    searching: str
    found: str
    found_nothing: str
    answered: str
    failed: str
    waiting: str
    thanked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformServices:
    """Core's services, as every platform uses them."""

    answer_message: AnswerMessage
    hear_message: HearMessage
    commands: CommandRegistry
    book_commands: BookCommands
    answers: Answers
    member_clubs: MemberClubs
    thread_titles: ThreadTitles
    inbox: Inbox
    allowance: Allowance
    due: Due
    watch: PostWatch
    left_servers: LeftServers
    set_aside_index: Callable[[], None]
    """Search without the index of vectors from now on: a process may have died of it."""
    work: WorkQueue | None = None
    """Where the questions go that other processes answer; None where this one answers them itself."""
    turns_at_once: int = 32
    """So many questions are answered side by side, and of one channel half as many."""
    solitude: Solitude = field(default_factory=Solitude)
    pace: Pace = field(default_factory=Pace)
    crashed: bool = False
    """Whether the process before this one ended by its own fault, as far as it could still note that."""
    bot: Callable[[], str] = str
    """Which bot hears and answers; "" before it has logged in."""

    def heard_by(self, bot: Callable[[], str]) -> Self:
        """Return the services as one of several bots uses them."""
        return replace(self, inbox=OwnInbox(self.inbox, bot), bot=bot)
