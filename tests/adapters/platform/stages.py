"""Discord and Slack behind one interface, for tests that run on both: saying, seeing, and injecting faults."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any, ClassVar

from adapters.platform.buttons import pressed_in
from adapters.platform.retry import RetryPolicy
from adapters.platform.services import Emoji, PlatformServices
from adapters.slack.manifest import manifest
from bot.wiring import Application
from core.club.timers.due import ServedPlatform
from core.domain.position import Position
from core.domain.thread import Thread
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord import conftest as on_discord
from tests.adapters.discord import using as seen_on_discord
from tests.adapters.platforms import QUICK
from tests.adapters.slack import conftest as on_slack
from tests.adapters.slack import using as seen_on_slack
from tests.platform_servers.discord import faults as discord_faults
from tests.platform_servers.discord.platform import Draft
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.typed import first_option
from tests.platform_servers.discord.world import LOADING, ChannelKind
from tests.platform_servers.slack import faults as slack_faults
from tests.platform_servers.slack.elements import walk
from tests.platform_servers.slack.server import SlackServer

_REACTION = "/channels/{channel}/messages/{message}/reactions/{emoji}/@me"

Serving = PlatformServices | ScriptedAnswers
Message = Any
"""A message of either world; both have `content`, `reactions` and `pings`."""


class Bot:
    """A running bot that can be killed or waited for (`looked`: including background checks; `reacted`: for its
    reactions)."""

    def __init__(
        self,
        settled: Callable[[], Any],
        kill: Callable[[], Any],
        served: ServedPlatform,
        *,
        looked: Callable[[], Any],
        reacted: Callable[[], Any],
    ) -> None:
        self.settled = settled
        self.looked = looked
        self.reacted = reacted
        self.served = served
        self.kill = kill


class Stage(ABC):
    """A platform with a club in it: Ada, Ben and an organiser, in one channel."""

    name: ClassVar[str]
    emoji: ClassVar[Emoji]
    faults: ClassVar[ModuleType]
    calls: ClassVar[dict[str, tuple[str, ...]]]
    """The calls of the platform's own API behind `post`, `react` and `unreact`."""
    fetches: ClassVar[tuple[tuple[str, ...], ...]]
    """The API calls that fetch members' files."""

    server: Any
    club: Any

    @asynccontextmanager
    async def running(self, services: Serving | None = None, *, retry: RetryPolicy = QUICK) -> AsyncIterator[Bot]:
        """Run the bot until it is ready, with given services, or with answers in place of core's."""
        more = {} if services is None else {"services": services}
        async with self._start(retry=retry, **more) as client:
            platform_app = client._platform_app
            yield Bot(
                self._settled_of(client),
                lambda: self._kill(client),
                client.due,
                looked=platform_app.watching.tasks.idle,
                reacted=platform_app.reactions.tasks.idle,
            )

    @asynccontextmanager
    async def settling(self, services: Serving | None = None, *, retry: RetryPolicy = QUICK) -> AsyncIterator[Bot]:
        """The same, but its end waits until nothing is left to do."""
        async with self.running(services, retry=retry) as bot:
            yield bot
            await bot.settled()

    def fail(self, call: str, fault: Any, *, times: int = 1) -> Any:
        """Make the next calls of a kind fail."""
        return self.server.fail_next(*self.calls[call], fault, times=times)

    @abstractmethod
    def expire(self, used: Any) -> None:
        """Expire the time in which an interaction can be answered in place."""

    def fetched(self) -> int:
        """How often a member's file was fetched, or asked after."""
        return sum(len(self.server.calls_of(*call)) for call in self.fetches)

    @abstractmethod
    def forget_plans(self) -> None:
        """Cancel all scheduled faults."""

    def count(self, call: str) -> int:
        """Return the number of calls of a kind."""
        return len(self.server.calls_of(*self.calls[call]))

    async def wait_for(self, true: Callable[[], object]) -> Any:
        """Wait until a condition is true."""
        return await self.server.wait_for(true)

    async def answer_to(self, message: Message) -> Message:
        """Wait for the bot's first answer to a message, wherever it is posted."""
        return await self.wait_for(lambda: next(iter(self.answers_to(message)), None))

    async def page_of(self, house: Application, thread: Message = None) -> Position:
        """Return the current page of the club, or of one of its threads."""
        return (await house.threads.club(self.place(thread))).standing.set_for_all

    @abstractmethod
    def ask(self, text: str, *, by: Any = None) -> Message:
        """Mention the bot in the club's channel, as Ada unless `by` is given."""

    @abstractmethod
    def thread(self) -> Message:
        """Return a thread that the bot opened."""

    @abstractmethod
    def chat(self, text: str, *, by: Any) -> Message:
        """Say something in the channel that is not for the bot."""

    def say_alone(self, text: str, *, by: Any) -> Message:
        """Say something in a private conversation with the bot."""
        return self.server.say(self.server.dm(by), by, text)

    @abstractmethod
    def place_of(self, channel: Any) -> Thread:
        """A channel's place, or that of a DM, as core knows it."""

    @abstractmethod
    def is_in(self, message: Message, thread: Message) -> bool:
        """Whether a message is in a thread."""

    @abstractmethod
    def say(self, thread: Message, text: str, *, by: Any = None, mention: bool = False) -> Message:
        """Say something in a thread."""

    @abstractmethod
    def share(self, thread: Message, name: str, data: bytes, *, text: str = "", by: Any = None) -> Message:
        """Share a file in a thread or in the channel; its text, if any, mentions the bot."""

    @abstractmethod
    def answers_to(self, message: Message) -> Sequence[Message]:
        """Return the bot's answers to a message."""

    @abstractmethod
    def public(self) -> Sequence[Message]:
        """Return everything that the bot said in the channel and its threads."""

    @abstractmethod
    def told(self, person: Any) -> Sequence[Message]:
        """Return the bot's private messages to a person, in the club or in a DM."""

    @abstractmethod
    def files_for(self, person: Any, used: Any) -> dict[str, bytes]:
        """Return the files that a person got in reply, by name."""

    @abstractmethod
    def labels(self, message: Message) -> list[str]:
        """Return the buttons of a message."""

    @abstractmethod
    def pressable(self, message: Message) -> list[str]:
        """Return the buttons of a message by what they run: `.vote:3|right`."""

    @abstractmethod
    async def over(self, used: Any, bot: Bot) -> None:
        """Wait until an interaction is done and its reply is shown."""

    @abstractmethod
    def sent(self) -> list[str]:
        """Return everything that the bot has sent, call by call, with files."""

    @abstractmethod
    def press(self, command: str, message: Message, *, by: Any) -> Any:
        """Press the button of a command (or of its whole id); its `messages` are what its presser sees."""

    @abstractmethod
    def plant(self, made: str, *, at: Any = None) -> Message:
        """Return a message of the bot's with a forged button of this id."""

    @abstractmethod
    def press_as(self, made: str, message: Message, *, by: Any) -> Any:
        """Press the button with exactly this id."""

    @abstractmethod
    def ids(self, message: Message) -> list[str]:
        """Return the ids of a message's buttons."""

    @abstractmethod
    async def fill(self, command: str, message: Message, text: str, *, by: Any) -> Callable[[], Sequence[Message]]:
        """Press a button that opens a form, fill it in and send it; return the reply."""

    @abstractmethod
    def use(self, words: str, text: str = "", *, by: Any = None, at: Any = None) -> Any:
        """Use a command in the club's channel, or `at` a DM; its `messages` are what its user sees."""

    @abstractmethod
    def choose(self, name: str, message: Message, *, by: Any) -> Any:
        """Choose something in the menu of a message; its `messages` are what its user sees."""

    @abstractmethod
    def place(self, thread: Message = None) -> Thread:
        """The club's place, or a thread of it, as core knows it."""

    @abstractmethod
    def elsewhere(self) -> Thread:
        """Return a channel that does not exist."""

    @abstractmethod
    def role(self) -> str:
        """Return the id of a role that can be mentioned."""

    @abstractmethod
    def down(self) -> AbstractContextManager[None]:
        """Make the platform's API fail; events still arrive."""

    @abstractmethod
    def forbid_reactions(self) -> None:
        """Take away the right to react."""

    @abstractmethod
    def newcomer(self, name: str) -> Any:
        """Return a new person in the channel."""

    @abstractmethod
    def another(self) -> "Stage":
        """Return another club, unrelated to this one."""

    @abstractmethod
    def delete_and_forget(self, message: Message) -> None:
        """Delete a message while the bot is offline."""

    @abstractmethod
    def edit(self, message: Message, text: str) -> None:
        """Edit a message to the bot."""

    _start: Callable[..., AbstractAsyncContextManager[Any]]

    @abstractmethod
    def _settled_of(self, client: Any) -> Callable[[], Any]:
        """Return a function that waits until nothing is left to do."""

    async def _kill(self, client: Any) -> None:
        """End a client like a kill: no running work goes on."""
        await client.finish(within=0)


class DiscordStage(Stage):
    """Discord, where a thread is a channel."""

    name: ClassVar[str] = "discord"
    emoji: ClassVar[Emoji] = Emoji(
        searching="🔍", found="📖", found_nothing="🤷", answered="✅", failed="⚠️", waiting="⏳", thanked="💛"
    )
    faults: ClassVar[ModuleType] = discord_faults
    calls: ClassVar[dict[str, tuple[str, ...]]] = {
        "post": ("POST", "/channels/{channel}/messages"),
        "react": ("PUT", _REACTION),
        "unreact": ("DELETE", _REACTION),
    }
    fetches: ClassVar[tuple[tuple[str, ...], ...]] = (("GET", "/attachments"),)

    def __init__(self, server: DiscordServer, club: Any, start: Any) -> None:
        self.server = server
        self.club = club
        self._start = start

    def ask(self, text: str, *, by: Any = None) -> Message:
        return self.server.say(self.club.channel, by or self.club.ada, f"{self.server.bot.mention} {text}")

    def chat(self, text: str, *, by: Any) -> Message:
        return self.server.say(self.club.channel, by, text)

    def place_of(self, channel: Any) -> Thread:
        return on_discord.place_of(channel)

    def is_in(self, message: Message, thread: Message) -> bool:
        return message.channel is thread

    def thread(self) -> Message:
        return self.server.create_thread(self.club.channel, self.server.bot, "Ours")

    def say(self, thread: Message, text: str, *, by: Any = None, mention: bool = False) -> Message:
        said = f"{self.server.bot.mention} {text}" if mention else text
        return self.server.say(thread, by or self.club.ada, said)

    def share(self, thread: Message, name: str, data: bytes, *, text: str = "", by: Any = None) -> Message:
        said = f"{self.server.bot.mention} {text}" if text else ""
        file, where = self.server.upload(name, data), thread or self.club.channel
        return self.server.say(where, by or self.club.ada, said, attachments=[file])

    def answers_to(self, message: Message) -> Sequence[Message]:
        own = self.server.by_bot(message.thread) if message.thread else []
        return [*own, *self.server.replies_to(message)]

    def public(self) -> Sequence[Message]:
        places = [one for one in self.server.platform.channels.values() if one.kind is not ChannelKind.DM]
        return [message for place in places for message in self.server.by_bot(place)]

    def told(self, person: Any) -> Sequence[Message]:
        places = [one for one in self.server.platform.channels.values() if one.kind is ChannelKind.DM]
        return [message for place in places if person in place.recipients for message in self.server.by_bot(place)]

    def files_for(self, person: Any, used: Any) -> dict[str, bytes]:
        shown = [*used.messages, *self.told(person)]
        return {file.filename: file.data for message in shown for file in message.attachments}

    def labels(self, message: Message) -> list[str]:
        return seen_on_discord.labels(message)

    def pressable(self, message: Message) -> list[str]:
        ids = [str(one["custom_id"]) for one in seen_on_discord.buttons(message)]
        return [f"{found[0].command}:{found[0].text}" for one in ids if (found := pressed_in(one))]

    async def over(self, used: Any, bot: Bot) -> None:
        def is_over() -> bool:
            original = used.original
            if original is None or original is used.source:
                # Removing the button also ends the actions beside it.
                return any(call.method == "PATCH" and used.token in call.path for call in self.server.calls)
            return original.is_deleted or not original.flags & LOADING

        await self.server.wait_for(is_over)
        await bot.settled()

    def sent(self) -> list[str]:
        return [f"{call.body} {[upload.data for upload in call.uploads]}" for call in self.server.calls]

    def press(self, command: str, message: Message, *, by: Any) -> Any:
        ids = [str(one["custom_id"]) for one in seen_on_discord.buttons(message)]
        custom_id = next(one for one in ids if f":{command}:" in f"{one}:")
        return self.server.press(custom_id, message=message, user=by)

    def plant(self, made: str, *, at: Any = None) -> Message:
        row = {"type": 1, "components": [{"type": 2, "style": 2, "label": "Press", "custom_id": made}]}
        return self.server.platform.post(at or self.club.channel, self.server.bot, Draft(content="x", components=[row]))

    def press_as(self, made: str, message: Message, *, by: Any) -> Any:
        return self.server.press(made, message=message, user=by)

    def ids(self, message: Message) -> list[str]:
        return [str(one["custom_id"]) for one in seen_on_discord.buttons(message)]

    async def fill(self, command: str, message: Message, text: str, *, by: Any) -> Callable[[], Sequence[Message]]:
        custom_id = next(str(one["custom_id"]) for one in seen_on_discord.buttons(message) if command in str(one))
        opened = await self.server.responded(self.server.press(custom_id, message=message, user=by))
        sent = self.server.submit(opened, {"text": text})
        return lambda: sent.messages

    def use(self, words: str, text: str = "", *, by: Any = None, at: Any = None) -> Any:
        channel = at or self.club.channel
        given = {first_option(self.server.platform, words, channel): text} if text else {}
        return self.server.slash(words, given, user=by or self.club.ada, channel=channel)

    def choose(self, name: str, message: Message, *, by: Any) -> Any:
        return self.server.use_on(name, message=message, user=by)

    def place(self, thread: Message = None) -> Thread:
        channel = self.club.channel
        return Thread(
            scope=f"discord:{channel.guild.id}", place=str(channel.id), thread=str(thread.id) if thread else ""
        )

    def elsewhere(self) -> Thread:
        return replace(self.place(), place="404")

    def role(self) -> str:
        return str(self.club.guild.readers.id)

    def down(self) -> AbstractContextManager[None]:
        return self.server.rest_down()  # type: ignore[no-any-return]

    def expire(self, used: Any) -> None:
        used.is_expired = True

    def forget_plans(self) -> None:
        self.server.rest.plans.clear()

    def forbid_reactions(self) -> None:
        self.fail("react", discord_faults.refused(403, 50013, "Missing Permissions"))

    def newcomer(self, name: str) -> Any:
        return self.server.add_person(name, self.club.guild)

    def another(self) -> Stage:
        return DiscordStage(self.server, self.server.add_club("Other"), self._start)

    def delete_and_forget(self, message: Message) -> None:
        self.server.delete(message)

    def edit(self, message: Message, text: str) -> None:
        self.server.edit(message, f"{self.server.bot.mention} {text}")

    def _settled_of(self, client: Any) -> Callable[[], Any]:
        return client.intake.settled  # type: ignore[no-any-return]

    async def _kill(self, client: Any) -> None:
        await super()._kill(client)
        await client.close()


class SlackStage(Stage):
    """Slack, where a thread is the replies to a message."""

    name: ClassVar[str] = "slack"
    emoji: ClassVar[Emoji] = Emoji(
        searching="mag",
        found="book",
        found_nothing="shrug",
        answered="white_check_mark",
        failed="warning",
        waiting="hourglass_flowing_sand",
        thanked="yellow_heart",
    )
    faults: ClassVar[ModuleType] = slack_faults
    calls: ClassVar[dict[str, tuple[str, ...]]] = {
        "post": ("chat.postMessage",),
        "react": ("reactions.add",),
        "unreact": ("reactions.remove",),
    }
    fetches: ClassVar[tuple[tuple[str, ...], ...]] = (("files",), ("files.info",))

    def __init__(self, server: SlackServer, club: Any, start: Any) -> None:
        self.server = server
        self.club = club
        self._start = start

    def ask(self, text: str, *, by: Any = None) -> Message:
        return self.server.mention(self.club.channel, by or self.club.ada, text)

    def chat(self, text: str, *, by: Any) -> Message:
        return self.server.say(self.club.channel, by, text)

    def place_of(self, channel: Any) -> Thread:
        return on_slack.place_of(self.server, channel)

    def is_in(self, message: Message, thread: Message) -> bool:
        return message.thread_ts == thread.ts  # type: ignore[no-any-return]

    def thread(self) -> Message:
        return self.server.platform.post(self.club.channel, self.server.bot, {"text": "Olga opens a thread."})

    def say(self, thread: Message, text: str, *, by: Any = None, mention: bool = False) -> Message:
        if mention:
            return self.server.mention(self.club.channel, by or self.club.ada, text, thread.ts)
        return self.server.reply(thread, by or self.club.ada, text)

    def share(self, thread: Message, name: str, data: bytes, *, text: str = "", by: Any = None) -> Message:
        said = f"{self.server.bot.mention} {text}" if text else ""
        who = by or self.club.ada
        file = self.server.upload(name, data, owner=who)
        return self.server.say(self.club.channel, who, said, thread.ts if thread else None, files=[file])

    def answers_to(self, message: Message) -> Sequence[Message]:
        everything = self.server.replies_to(message)
        return [one for one in everything if float(one.ts) > float(message.ts)]

    def public(self) -> Sequence[Message]:
        return self.server.by_bot(self.club.channel)  # type: ignore[no-any-return]

    def told(self, person: Any) -> Sequence[Message]:
        dm = self.server.dm(person)
        shown = [one for channel in (self.club.channel, dm) for one in self.server.seen_by(person, channel)]
        return [*shown, *self.server.by_bot(dm)]

    def files_for(self, person: Any, used: Any) -> dict[str, bytes]:
        own = [one for one in self.server.dm(person).history if one.author is self.server.bot]
        return {file.name: file.data for message in own for file in message.files}

    def labels(self, message: Message) -> list[str]:
        return seen_on_slack.labels(message)

    def pressable(self, message: Message) -> list[str]:
        ids = [str(one["action_id"]) for one, _ in walk(message.blocks) if one["type"] == "button"]
        return [f"{found[0].command}:{found[0].text}" for one in ids if (found := pressed_in(one))]

    async def over(self, used: Any, bot: Bot) -> None:
        await self.server.wait_for(lambda: used.is_acked)
        await bot.settled()

    def sent(self) -> list[str]:
        files = self.server.platform.files
        uploaded = {key: str(file.data) for key, file in files.items() if file.owner is self.server.bot}
        keys = (str(call.arguments.get("path", "")).rpartition("/")[2] for call in self.server.calls)
        return [f"{call.arguments} {uploaded.get(key)}" for call, key in zip(self.server.calls, keys, strict=True)]

    def press(self, command: str, message: Message, *, by: Any) -> Any:
        return self.server.press(f"tf1:{command}", message=message, user=by)

    def plant(self, made: str, *, at: Any = None) -> Message:
        button = {"type": "button", "action_id": made, "text": {"type": "plain_text", "text": "Press"}}
        row = {"type": "actions", "elements": [button]}
        return self.server.platform.post(at or self.club.channel, self.server.bot, {"text": "x", "blocks": [row]})

    def press_as(self, made: str, message: Message, *, by: Any) -> Any:
        return self.server.press(made, message=message, user=by)

    def ids(self, message: Message) -> list[str]:
        return [str(one["action_id"]) for one, _ in walk(message.blocks) if one["type"] == "button"]

    async def fill(self, command: str, message: Message, text: str, *, by: Any) -> Callable[[], Sequence[Message]]:
        opened = await self.server.responded(self.server.press(f"tf1:{command}", message=message, user=by))
        self.server.submit(opened.modal, {"text": text})
        return lambda: self.told(by)

    def use(self, words: str, text: str = "", *, by: Any = None, at: Any = None) -> Any:
        line = f"{words} {text}".strip()
        return self.server.slash("/thusfar", line, user=by or self.club.ada, channel=at or self.club.channel)

    def choose(self, name: str, message: Message, *, by: Any) -> Any:
        features = manifest()["features"]["shortcuts"]
        shortcut = next(one["callback_id"] for one in features if one["name"] == name)
        return self.server.shortcut(shortcut, message=message, user=by)

    def place(self, thread: Message = None) -> Thread:
        return on_slack.place_of(self.server, self.club.channel, thread.ts if thread else "")

    def elsewhere(self) -> Thread:
        return replace(self.place(), place="C0404040404")

    def role(self) -> str:
        return "S0A00000001"

    def down(self) -> AbstractContextManager[None]:
        return self.server.api_down()  # type: ignore[no-any-return]

    def expire(self, used: Any) -> None:
        used.expired = True

    def forget_plans(self) -> None:
        self.server.web_api.plans.clear()

    def forbid_reactions(self) -> None:
        self.server.grant(without=["reactions:write"])

    def newcomer(self, name: str) -> Any:
        return self.server.add_person(name, self.club.channel)

    def another(self) -> Stage:
        return SlackStage(self.server, self.server.add_club("other"), self._start)

    def delete_and_forget(self, message: Message) -> None:
        self.server.platform.erase(message)

    def edit(self, message: Message, text: str) -> None:
        self.server.edit(message, f"{self.server.bot.mention} {text}")

    def _settled_of(self, client: Any) -> Callable[[], Any]:
        return client.settled  # type: ignore[no-any-return]
