"""What people do on the loopback Discord: they make guilds and channels, write, react, and use commands and buttons.

Everything here returns at once; what the bot does about it is waited for with `DiscordServer.wait_for`.
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime

from tests.platform_servers.discord import message_payloads
from tests.platform_servers.discord.components import find, walk
from tests.platform_servers.discord.interactions import Interaction, InteractionKind
from tests.platform_servers.discord.platform import Draft, Platform
from tests.platform_servers.discord.rights import Right, rights_in
from tests.platform_servers.discord.typed import Value, chosen_on, typed
from tests.platform_servers.discord.world import Attachment, Channel, ChannelKind, Json, Message, MessageKind, Person


class People:
    """Acts on a platform as people do, with rights where Discord's own app would check them."""

    platform: Platform

    def upload(self, filename: str, data: bytes, content_type: str = "text/plain") -> Attachment:
        """A file for `say` or for a command's option; its url is on loopback."""
        return self.platform.store_file(filename, data, content_type, channel_id=self.platform.snowflakes.now())

    def say(
        self,
        channel: Channel,
        author: Person,
        text: str,
        *,
        reply_to: Message | None = None,
        ping: bool = True,
        attachments: Sequence[Attachment] = (),
        kind: MessageKind | None = None,
        as_webhook: bool = False,
        at: datetime | None = None,
    ) -> Message:
        """Write a message; `kind` for system messages, `at` for one of another time, `ping` for a reply's author."""
        needed = Right.SEND_MESSAGES_IN_THREADS if channel.is_thread else Right.SEND_MESSAGES
        rights = rights_in(channel, author)
        assert as_webhook or needed in rights, f"{author.name} may not write in {channel.name}"
        locked = channel.locked and Right.MANAGE_THREADS not in rights
        assert not locked, f"{channel.name} is locked"
        reference: Json | None = None
        if reply_to is not None:
            reference = {"type": 0, "message_id": str(reply_to.id), "channel_id": str(channel.id)}
            reference |= {"guild_id": str(channel.guild.id)} if channel.guild else {}
        draft = Draft(
            content=text,
            attachments=list(attachments),
            reply_to=reply_to,
            reference=reference,
            allowed_mentions=None if ping else {"parse": ["users", "roles", "everyone"], "replied_user": False},
        )
        webhook = self.platform.snowflakes.now() if as_webhook else None
        return self.platform.post(channel, author, draft, kind=kind, at=at, webhook_id=webhook)

    def mention(self, channel: Channel, author: Person, text: str, *, reply_to: Message | None = None) -> Message:
        """Write to the bot."""
        return self.say(channel, author, f"{self.platform.bot.mention} {text}", reply_to=reply_to)

    def edit(self, message: Message, text: str) -> None:
        message.contents.append(text)
        message.is_edited = True
        self.platform.tell_message("MESSAGE_UPDATE", message)

    def unfurl(self, message: Message) -> None:
        """What Discord does by itself shortly after a link: an update with an embed, and no edit."""
        message.embeds.append({"type": "link", "url": "https://example.org", "title": "Example"})
        self.platform.tell_message("MESSAGE_UPDATE", message)

    def delete(self, message: Message) -> None:
        self.platform.erase(message)

    def react(self, message: Message, person: Person, emoji: str) -> None:
        self.platform.react(message, person, emoji)

    def unreact(self, message: Message, person: Person, emoji: str) -> None:
        self.platform.unreact(message, person, emoji)

    # Threads.

    def create_thread(
        self,
        parent: Channel,
        owner: Person,
        name: str,
        *,
        starter: Message | None = None,
        private: bool = False,
        with_bot: bool = False,
    ) -> Channel:
        """Open a thread; a private one is seen by the bot only with `with_bot`."""
        kind = ChannelKind.PRIVATE_THREAD if private else ChannelKind.PUBLIC_THREAD
        thread = self.platform.open_thread(parent, owner, name, starter=starter, kind=kind)
        if with_bot:
            self.add_bot_to(thread)
        return thread

    def create_post(self, forum: Channel, owner: Person, name: str, text: str) -> Message:
        """Open a forum post: a thread whose first message has the thread's own id."""
        assert forum.kind is ChannelKind.FORUM
        thread = self.platform.open_thread(forum, owner, name)
        message = self.platform.compose(thread, owner, Draft(content=text))
        message.id = thread.id
        thread.messages[message.id] = message
        self.platform.tell_message("MESSAGE_CREATE", message)
        return message

    def add_bot_to(self, thread: Channel) -> None:
        thread.joined.add(self.platform.bot.id)
        self.platform.tell_thread("THREAD_CREATE", thread)

    def archive(self, thread: Channel) -> None:
        thread.archived = True
        self.platform.tell_thread("THREAD_UPDATE", thread)

    def lock(self, thread: Channel) -> None:
        """Close and lock, as Discord's app does it: only moderators can reopen it."""
        thread.archived = thread.locked = True
        self.platform.tell_thread("THREAD_UPDATE", thread)

    def delete_thread(self, thread: Channel) -> None:
        self.platform.forget_thread(thread)

    # Interactions.

    def slash(
        self,
        command: str,
        options: Mapping[str, Value] | None = None,
        *,
        user: Person,
        channel: Channel,
        permissions: Right | None = None,
        unchecked: bool = False,
        too_late: bool = False,
    ) -> Interaction:
        """Use a command: `slash("book use", {"title": "x"}, user=ada, channel=club.channel)`.

        Only what the bot has registered can be used, unless `unchecked` (as from a client that has an old list).
        `permissions` stand for the member's own; `too_late`: the three seconds are over before the bot answers.
        """
        rights = rights_in(channel, user) if permissions is None else permissions
        if unchecked:
            data: Json = {"id": str(self.platform.snowflakes.now()), "name": command, "type": 1, "options": []}
        else:
            data = typed(self.platform, command, options or {}, channel=channel, rights=rights)
        return self._interact(InteractionKind.COMMAND, data, user, channel, rights=rights, too_late=too_late)

    def use_on(self, name: str, *, message: Message, user: Person) -> Interaction:
        """Use a command out of the menu of a message, as the bot has registered it."""
        channel, rights = message.channel, rights_in(message.channel, user)
        assert not message.is_deleted, "the message is gone"
        data = chosen_on(self.platform, name, message, channel=channel, rights=rights)
        return self._interact(InteractionKind.COMMAND, data, user, channel, rights=rights)

    def autocomplete(
        self, command: str, options: Mapping[str, Value], *, focused: str, user: Person, channel: Channel
    ) -> Interaction:
        """Type into an option that offers choices: `focused` is the option, its value what was typed so far."""
        rights = rights_in(channel, user)
        data = typed(self.platform, command, options, channel=channel, rights=rights, focused=focused)
        return self._interact(InteractionKind.AUTOCOMPLETE, data, user, channel, rights=rights)

    def press(self, custom_id: str, *, message: Message, user: Person, too_late: bool = False) -> Interaction:
        """Press a button that the message has; the custom id may be its beginning, where only one begins so."""
        found = [one for one in walk(message.components) if one.get("custom_id", "").startswith(custom_id)]
        exact = find(message.components, custom_id)
        assert exact or len(found) == 1, f"{custom_id}: there are {[one.get('custom_id') for one in found]}"
        button = exact or found[0]
        assert not button.get("disabled"), f"{custom_id} is disabled"
        assert not message.is_deleted, "the message is gone"
        assert not message.is_ephemeral or message.asked_by is user, "an ephemeral message is seen by its asker alone"
        data = {"custom_id": button["custom_id"], "component_type": button["type"]}
        rights = rights_in(message.channel, user)
        kind = InteractionKind.COMPONENT
        return self._interact(kind, data, user, message.channel, rights=rights, source=message, too_late=too_late)

    def submit(self, interaction: Interaction, values: Mapping[str, str]) -> Interaction:
        """Fill in and send the form that an interaction opened; `values` by custom id."""
        form = interaction.modal
        assert form is not None, "no form was opened"
        rows = []
        for row in form["components"]:
            inside = [row["component"]] if "component" in row else row.get("components", [])
            filled = [{"type": 4, "custom_id": one["custom_id"], "value": values[one["custom_id"]]} for one in inside]
            rows.append(
                {"type": row["type"], "component": filled[0]}
                if "component" in row
                else {"type": 1, "components": filled}
            )
        data = {"custom_id": form["custom_id"], "components": rows}
        user, channel = interaction.user, interaction.channel
        rights = rights_in(channel, user)
        return self._interact(InteractionKind.MODAL, data, user, channel, rights=rights, source=interaction.source)

    def _interact(
        self,
        kind: InteractionKind,
        data: Json,
        user: Person,
        channel: Channel,
        *,
        rights: Right,
        source: Message | None = None,
        too_late: bool = False,
    ) -> Interaction:
        platform = self.platform
        token = secrets.token_urlsafe(32)
        interaction = Interaction(
            id=platform.snowflakes.now(),
            token=token,
            kind=kind,
            data=data,
            user=user,
            channel=channel,
            source=source,
            is_too_late=too_late,
        )
        platform.interactions[token] = interaction
        payload = message_payloads.interaction(interaction, bot=platform.bot, rights=rights)
        platform.gateway.publish("INTERACTION_CREATE", lambda _: payload)
        return interaction
