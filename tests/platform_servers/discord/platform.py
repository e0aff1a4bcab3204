"""The state of the loopback Discord, and what changes it: each change is told to the gateway as Discord would."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.platform_servers.discord import message_payloads, payloads
from tests.platform_servers.discord.connection import Intent, Session
from tests.platform_servers.discord.gateway import Gateway
from tests.platform_servers.discord.interactions import Interaction
from tests.platform_servers.discord.rights import Right, rights_in
from tests.platform_servers.discord.world import (
    HAS_THREAD,
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Json,
    Message,
    MessageKind,
    Person,
    Snowflakes,
)

_CONTENT_GRANTED = 1 << 18 | 1 << 19
_MEMBERS_GRANTED = 1 << 14 | 1 << 15


@dataclass(slots=True, kw_only=True)
class Draft:
    """What somebody is about to post."""

    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    nonce: str | None = None
    allowed_mentions: Json | None = None
    reply_to: Message | None = None
    reference: Json | None = None


class Platform:
    """One application, seen from Discord's side."""

    def __init__(self, *, token: str, changed: Callable[[], None]) -> None:
        self.snowflakes = Snowflakes()
        self.token = token
        self.bot = Person(id=self.snowflakes.now(), name="Thusfar", is_bot=True)
        self.owner = Person(id=self.snowflakes.now(), name="Otto")
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.people: dict[int, Person] = {self.bot.id: self.bot, self.owner.id: self.owner}
        self.commands: dict[int | None, list[Json]] = {None: []}
        self.interactions: dict[str, Interaction] = {}
        self.files: dict[str, Attachment] = {}
        self.typing: list[Channel] = []
        self.held_back: set[int] = set()
        self.changed = changed
        self.gateway = Gateway(token=token, greet=self._greeting, changed=changed)
        self.url = ""

    @property
    def flags(self) -> int:
        """The application's flags, which tell the privileged intents that it was granted."""
        content = _CONTENT_GRANTED if Intent.MESSAGE_CONTENT in self.gateway.allowed else 0
        return content | (_MEMBERS_GRANTED if Intent.GUILD_MEMBERS in self.gateway.allowed else 0)

    def rights(self, channel: Channel) -> Right:
        return rights_in(channel, self.bot)

    def store_file(
        self, filename: str, data: bytes, content_type: str, channel_id: int, description: str = ""
    ) -> Attachment:
        key = self.snowflakes.now()
        path = f"/attachments/{channel_id}/{key}/{filename}"
        self.files[path] = Attachment(
            id=key,
            filename=filename,
            data=data,
            content_type=content_type,
            url=f"{self.url}{path}?ex=0&is=0&hm=0",
            description=description,
        )
        return self.files[path]

    # Messages.

    def post(self, channel: Channel, author: Person, draft: Draft, **more: Any) -> Message:
        """Put a message into a channel and tell of it; a post brings an archived thread back."""
        message = self.compose(channel, author, draft, **more)
        if channel.archived:
            channel.archived = False
            self.tell_thread("THREAD_UPDATE", channel)
        if channel.is_thread:
            channel.joined.add(author.id)
        channel.messages[message.id] = message
        self.tell_message("MESSAGE_CREATE", message)
        return message

    def compose(
        self,
        channel: Channel,
        author: Person,
        draft: Draft,
        *,
        kind: MessageKind | None = None,
        at: datetime | None = None,
        **more: Any,
    ) -> Message:
        """Make a message that nobody is told of, as an ephemeral one."""
        default = MessageKind.REPLY if draft.reference is not None else MessageKind.DEFAULT
        return Message(
            id=self.snowflakes.at(at) if at else self.snowflakes.now(),
            channel=channel,
            author=author,
            contents=[draft.content],
            kind=default if kind is None else kind,
            reference=draft.reference,
            reply_to=draft.reply_to,
            attachments=draft.attachments,
            embeds=draft.embeds,
            components=draft.components,
            flags=draft.flags,
            nonce=draft.nonce,
            allowed_mentions=draft.allowed_mentions,
            **more,
        )

    def erase(self, message: Message) -> None:
        message.is_deleted = True
        message.channel.messages.pop(message.id, None)
        gone = {"id": str(message.id), "channel_id": str(message.channel.id), **_guild_id(message.channel)}
        self.tell(message.channel, "MESSAGE_DELETE", Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES, lambda _: gone)

    def react(self, message: Message, person: Person, key: str) -> None:
        by = message.reactions.setdefault(key, [])
        if person.id not in by:
            by.append(person.id)
            self._tell_reaction("MESSAGE_REACTION_ADD", message, person, key)

    def unreact(self, message: Message, person: Person, key: str) -> None:
        by = message.reactions.get(key, [])
        if person.id in by:
            by.remove(person.id)
            if not by:
                del message.reactions[key]
            self._tell_reaction("MESSAGE_REACTION_REMOVE", message, person, key)

    # Threads.

    def open_thread(
        self,
        parent: Channel,
        owner: Person,
        name: str,
        *,
        starter: Message | None = None,
        kind: ChannelKind = ChannelKind.PUBLIC_THREAD,
        auto_archive: int = 1440,
    ) -> Channel:
        """Open a thread; one that begins at a message has that message's id, and shows it as its first entry."""
        thread = Channel(
            id=starter.id if starter else self.snowflakes.now(),
            kind=kind,
            name=name,
            guild=parent.guild,
            parent=parent,
            owner_id=owner.id,
            auto_archive=auto_archive,
            joined={owner.id},
        )
        self.channels[thread.id] = thread
        self.tell_thread("THREAD_CREATE", thread, newly_created=True)
        if starter is not None:
            starter.thread = thread
            starter.flags |= HAS_THREAD
            self.tell_message("MESSAGE_UPDATE", starter)
            reference = {"type": 0, "message_id": str(starter.id), "channel_id": str(parent.id)} | _guild_id(parent)
            shown = Draft(reference=reference, reply_to=starter)
            self.post(thread, starter.author, shown, kind=MessageKind.THREAD_STARTER)
        elif parent.kind is not ChannelKind.FORUM and kind is ChannelKind.PUBLIC_THREAD:
            reference = {"type": 0, "channel_id": str(thread.id)} | _guild_id(parent)
            self.post(parent, owner, Draft(content=name, reference=reference), kind=MessageKind.THREAD_CREATED)
        return thread

    # What the gateway is told.

    def tell(
        self, channel: Channel, event: str, in_guild: Intent, in_dm: Intent, payload: Callable[[Intent], Json]
    ) -> None:
        """Publish an event of a channel to the sessions that asked for its kind, where the bot may see the channel."""
        wanted = in_dm if channel.guild is None else in_guild
        if Right.VIEW_CHANNEL in self.rights(channel):
            self.gateway.publish(event, lambda intents: payload(intents) if wanted in intents else None)
        self.changed()

    def tell_message(self, event: str, message: Message) -> None:
        def payload(intents: Intent) -> Json:
            with_content = Intent.MESSAGE_CONTENT in intents
            value = message_payloads.message(message, bot=self.bot, with_content=with_content) | _guild_id(
                message.channel
            )
            guild = message.channel.guild
            member = guild.members.get(message.author.id) if guild else None
            return value | ({"member": payloads.member(member, with_user=False)} if member else {})

        self.tell(message.channel, event, Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES, payload)

    def forget_thread(self, thread: Channel) -> None:
        del self.channels[thread.id]
        assert thread.guild is not None
        assert thread.parent is not None
        gone = {
            "id": str(thread.id),
            "guild_id": str(thread.guild.id),
            "parent_id": str(thread.parent.id),
            "type": int(thread.kind),
        }
        self.tell(thread, "THREAD_DELETE", Intent.GUILDS, Intent.GUILDS, lambda _: gone)

    def tell_thread(self, event: str, thread: Channel, *, newly_created: bool = False) -> None:
        value = payloads.thread(thread, viewer=self.bot) | ({"newly_created": True} if newly_created else {})
        self.tell(thread, event, Intent.GUILDS, Intent.GUILDS, lambda _: value)

    def _tell_reaction(self, event: str, message: Message, person: Person, key: str) -> None:
        value: Json = {
            "user_id": str(person.id),
            "channel_id": str(message.channel.id),
            "message_id": str(message.id),
            "emoji": message_payloads.emoji(key),
            "type": 0,
            "burst": False,
        } | _guild_id(message.channel)
        guild = message.channel.guild
        if guild is not None and person.id in guild.members and event == "MESSAGE_REACTION_ADD":
            value["member"] = payloads.member(guild.members[person.id])
        in_guild, in_dm = Intent.GUILD_MESSAGE_REACTIONS, Intent.DIRECT_MESSAGE_REACTIONS
        self.tell(message.channel, event, in_guild, in_dm, lambda _: value)

    def guild_payload(self, guild: Guild, intents: Intent) -> Json:
        with_members = Intent.GUILD_MEMBERS in intents
        return payloads.guild(guild, list(self.channels.values()), self.bot, with_members=with_members)

    def _greeting(self, session: Session) -> list[tuple[str, Any]]:
        ready = {
            "v": 10,
            "user": payloads.user(self.bot),
            "session_id": session.id,
            "resume_gateway_url": self.gateway.url,
            "guilds": [{"id": str(key), "unavailable": True} for key in self.guilds],
            "application": {"id": str(self.bot.id), "flags": self.flags},
        }
        guilds = self.guilds.values() if Intent.GUILDS in session.intents else ()
        # Only a guild that READY called unavailable says that it no longer is; one that is joined later says nothing.
        loaded = [
            self.guild_payload(one, session.intents) | {"unavailable": False}
            for one in guilds
            if one.id not in self.held_back
        ]
        return [("READY", ready), *(("GUILD_CREATE", one) for one in loaded)]


def _guild_id(channel: Channel) -> Json:
    return {"guild_id": str(channel.guild.id)} if channel.guild is not None else {}
