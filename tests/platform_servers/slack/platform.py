"""The state of the loopback Slack, and what changes it: each change is told to the app as Slack's Events API would."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from tests.platform_servers.slack import payloads
from tests.platform_servers.slack.delivery import EVENT, Deliveries, Delivery
from tests.platform_servers.slack.interactions import Interaction, View
from tests.platform_servers.slack.sockets import Sockets
from tests.platform_servers.slack.world import BOT_SLACKBOT, Channel, ChannelKind, File, Ids, Json, Message, Person

_MESSAGE_EVENTS = {
    ChannelKind.PUBLIC: "message.channels",
    ChannelKind.PRIVATE: "message.groups",
    ChannelKind.GROUP_DM: "message.mpim",
    ChannelKind.DM: "message.im",
}

# What can be subscribed to, and the scopes of which one is needed.
EVENT_SCOPES: dict[str, tuple[str, ...]] = {
    "agent_session_stopped": (),
    "app_home_opened": (),
    "app_uninstalled": (),
    "app_mention": ("app_mentions:read",),
    "channel_archive": ("channels:read",),
    "channel_left": ("channels:read",),
    "file_shared": ("files:read",),
    "member_joined_channel": ("channels:read", "groups:read"),
    "member_left_channel": ("channels:read", "groups:read"),
    "message.channels": ("channels:history",),
    "message.groups": ("groups:history",),
    "message.im": ("im:history",),
    "message.mpim": ("mpim:history",),
    "reaction_added": ("reactions:read",),
    "reaction_removed": ("reactions:read",),
    "tokens_revoked": (),
}

SCOPES = frozenset(
    [
        *("app_mentions:read", "assistant:write", "channels:history", "channels:join", "channels:read", "chat:write"),
        *(
            "commands",
            "files:read",
            "files:write",
            "groups:history",
            "groups:read",
            "im:history",
            "im:read",
            "im:write",
        ),
        *("mpim:history", "mpim:read", "mpim:write", "reactions:read", "reactions:write", "users:read"),
    ]
)


class Platform:
    """One app in one workspace, seen from Slack's side. `scopes` and `events` are what was installed."""

    def __init__(self, *, scopes: Iterable[str], events: Iterable[str], changed: Callable[[], None]) -> None:
        self.ids = Ids()
        self.changed = changed
        self.scopes = frozenset(scopes)
        self.events = frozenset(events)
        unknown = self.events - EVENT_SCOPES.keys()
        assert not unknown, f"the loopback Slack knows no events {sorted(unknown)}"
        self.team_id = self.ids.new("T")
        self.team_name = "Readers"
        self.app_id = self.ids.new("A")
        self.bot = self.bot_person("Thusfar", app_id=self.app_id)
        self.slackbot = Person(id=BOT_SLACKBOT, name="Slackbot", is_bot=True)
        self.people: dict[str, Person] = {one.id: one for one in (self.bot, self.slackbot)}
        self.channels: dict[str, Channel] = {}
        self.files: dict[str, File] = {}
        self.views: dict[str, View] = {}
        self.homes: dict[str, View] = {}
        self.interactions: list[Interaction] = []
        self.statuses: dict[tuple[str, str], list[str]] = {}
        self.sessions: dict[tuple[str, str], list[str]] = {}
        self.one_a_second = False
        self.complaints: list[str] = []
        self.deliveries = Deliveries(changed)
        self.sockets = Sockets(self.deliveries, app_id=self.app_id, changed=changed)
        self.sockets.complaints = self.complaints
        self.deliveries.transport = self.sockets
        self.url = ""

    def bot_person(self, name: str, *, app_id: str = "") -> Person:
        return Person(
            id=self.ids.new("U"), name=name, is_bot=True, bot_id=self.ids.new("B"), app_id=app_id or self.ids.new("A")
        )

    def dm_with(self, *people: Person) -> Channel:
        """The DM of the app with these people; the same one each time."""
        wanted = {self.bot, *people}
        for one in self.channels.values():
            if one.kind in (ChannelKind.DM, ChannelKind.GROUP_DM) and set(one.members) == wanted:
                return one
        kind = ChannelKind.DM if len(people) == 1 else ChannelKind.GROUP_DM
        name = "" if kind is ChannelKind.DM else "mpdm-" + "--".join(sorted(one.name.lower() for one in wanted)) + "-1"
        key = self.ids.new("D" if kind is ChannelKind.DM else "C")
        channel = self.channels[key] = Channel(id=key, kind=kind, name=name, members=[*people, self.bot])
        return channel

    # Messages.

    def post(self, channel: Channel, author: Person, body: Json, *, at: datetime | None = None, **more: Any) -> Message:
        """Put a message into a channel and tell of it; of one of another time nobody is told."""
        message = self.compose(channel, author, body, at=at, **more)
        channel.messages[message.ts] = message
        status = self.statuses.get((channel.id, message.root_ts), [""])
        if author is self.bot and status[-1]:
            # Slack takes the status line away when the app has answered.
            status.append("")
        if at is None:
            self.tell_message(message)
        self.changed()
        return message

    def compose(
        self, channel: Channel, author: Person, body: Json, *, at: datetime | None = None, **more: Any
    ) -> Message:
        """Make a message that nobody is told of, as an ephemeral one."""
        return Message(ts=self.ids.ts(at), channel=channel, author=author, versions=[body], **more)

    def whisper(self, channel: Channel, reader: Person, body: Json, **more: Any) -> Message:
        """Show a message to one person; it is not stored."""
        message = self.compose(channel, self.bot, body, private_to=reader, **more)
        channel.ephemerals.append(message)
        self.changed()
        return message

    def change(self, message: Message, body: Json, *, is_edit: bool = True) -> None:
        """Give a message another body; `is_edit` is false for what Slack itself does, as showing a link's preview."""
        before = payloads.message(message, self.team_id)
        message.versions.append(body)
        if is_edit:
            message.edited_ts = self.ids.ts()
        after = payloads.message(message, self.team_id)
        self._tell_hidden(message.channel, {"subtype": "message_changed", "message": after, "previous_message": before})

    def erase(self, message: Message) -> None:
        """Delete a message; one with replies leaves a tombstone in its place."""
        before = payloads.message(message, self.team_id)
        has_replies = "reply_count" in before
        message.is_deleted = True
        if has_replies:
            message.versions.append({"text": "This message was deleted."})
            message.subtype = "tombstone"
            message.author = self.slackbot
            stone = payloads.message(message, self.team_id) | {"hidden": True}
            change = {"subtype": "message_changed", "message": stone, "previous_message": before}
        else:
            del message.channel.messages[message.ts]
            change = {"subtype": "message_deleted", "deleted_ts": message.ts, "previous_message": before}
        self._tell_hidden(message.channel, change)

    def react(self, message: Message, person: Person, name: str) -> None:
        by = message.reactions.setdefault(name, [])
        if person.id not in by:
            by.append(person.id)
            self._tell_reaction("reaction_added", message, person, name)

    def unreact(self, message: Message, person: Person, name: str) -> None:
        by = message.reactions.get(name, [])
        if person.id in by:
            by.remove(person.id)
            if not by:
                del message.reactions[name]
            self._tell_reaction("reaction_removed", message, person, name)

    # What the app is told.

    def tell(self, subscription: str, event: Json, *, channel: Channel | None = None) -> Delivery | None:
        """Hand an event over where the app is subscribed to it, has the scope, and is in the channel."""
        needed = EVENT_SCOPES[subscription]
        is_granted = not needed or bool(self.scopes.intersection(needed))
        is_there = channel is None or self.bot in channel.members
        if subscription not in self.events or not is_granted or not is_there:
            return None
        moment = self.ids.ts()
        payload = payloads.event_callback(
            {"event_ts": moment} | event,
            event_id=self.ids.new("Ev"),
            team_id=self.team_id,
            app_id=self.app_id,
            bot=self.bot,
            at=float(moment),
        )
        return self.deliveries.hand_over(Delivery(kind=EVENT, payload=payload))

    def tell_message(self, message: Message) -> None:
        """`message`, and `app_mention` where it names the app: two events with ids of their own, for one post."""
        channel = message.channel
        where: Json = {"channel": channel.id, "event_ts": message.ts}
        value = payloads.message(message, self.team_id) | where
        self.tell(_MESSAGE_EVENTS[channel.kind], value | {"channel_type": channel.kind.value}, channel=channel)
        is_mention = re.search(rf"<@{self.bot.id}(\|[^>]*)?>", message.text) and message.author is not self.bot
        if is_mention and channel.kind is not ChannelKind.DM and message.subtype in (None, "file_share"):
            self.tell("app_mention", value | {"type": "app_mention"}, channel=channel)

    def _tell_hidden(self, channel: Channel, change: Json) -> None:
        ts = self.ids.ts()
        where: Json = {"type": "message", "hidden": True, "channel": channel.id, "channel_type": channel.kind.value}
        self.tell(_MESSAGE_EVENTS[channel.kind], where | {"ts": ts, "event_ts": ts} | change, channel=channel)
        self.changed()

    def _tell_reaction(self, event: str, message: Message, person: Person, name: str) -> None:
        value: Json = {
            "type": event,
            "user": person.id,
            "reaction": name,
            "item": {"type": "message", "channel": message.channel.id, "ts": message.ts},
            "item_user": message.author.id,
        }
        self.tell(event, value, channel=message.channel)
        self.changed()
