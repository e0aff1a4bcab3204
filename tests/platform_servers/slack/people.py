"""What people do on the loopback Slack: write, mention, edit, delete, share files, join and react.

Everything here returns at once; what the app does about it is waited for with `SlackServer.wait_for`.
"""

import time
from collections.abc import Sequence
from datetime import datetime

from tests.platform_servers.slack.acting import Acting
from tests.platform_servers.slack.world import Channel, ChannelKind, File, Json, Message, Person


class People(Acting):
    """Acts on a platform as people do; what they use (commands, buttons, forms) is in `Acting`."""

    def say(
        self,
        channel: Channel,
        author: Person,
        text: str,
        thread_ts: str | None = None,
        *,
        files: Sequence[File] = (),
        broadcast: bool = False,
        at: datetime | None = None,
    ) -> Message:
        """Write a message; `thread_ts` for a reply in a thread, `at` for one of another time, of which nobody is told.

        A message that names the app comes to it twice, as `app_mention` and as `message`. Files make it a `file_share`.
        """
        assert author in channel.members, f"{author.name} is not in {channel.name or channel.id}"
        assert not channel.is_archived, f"{channel.name} is archived"
        if thread_ts is not None:
            assert thread_ts in channel.messages, f"there is no message {thread_ts}"
            thread_ts = channel.messages[thread_ts].root_ts
        subtype = "file_share" if files else "thread_broadcast" if broadcast else None
        for file in files:
            file.channels.append(channel)
        message = self.platform.post(
            channel,
            author,
            {"text": text},
            at=at,
            thread_ts=thread_ts,
            files=list(files),
            subtype=subtype,
            broadcast=broadcast,
            client_msg_id=None if author.is_bot else f"{self.platform.ids.new('M').lower()}-client",
        )
        for file in files:
            self._tell_shared(file, channel, author)
        return message

    def mention(self, channel: Channel, author: Person, text: str, thread_ts: str | None = None) -> Message:
        """Write to the app: `@Thusfar text`."""
        return self.say(channel, author, f"{self.platform.bot.mention} {text}", thread_ts)

    def reply(self, message: Message, author: Person, text: str) -> Message:
        """Write in the thread of a message."""
        return self.say(message.channel, author, text, message.root_ts)

    def say_as_bot(
        self, channel: Channel, bot: Person, text: str, thread_ts: str | None = None, *, classic: bool = False
    ) -> Message:
        """Another app's post; `classic`: with the subtype bot_message and without a user, as old integrations."""
        subtype = "bot_message" if classic else None
        return self.platform.post(channel, bot, {"text": text}, thread_ts=thread_ts, subtype=subtype)

    def edit(self, message: Message, text: str) -> None:
        self.platform.change(message, {"text": text})

    def unfurl(self, message: Message) -> None:
        """What Slack does by itself shortly after a link: a message_changed with an attachment, and no edit."""
        attachment = {"from_url": "https://example.org", "title": "Example", "fallback": "Example"}
        self.platform.change(message, message.body | {"attachments": [attachment]}, is_edit=False)

    def delete(self, message: Message) -> None:
        """Delete a message; one that has replies becomes a tombstone instead."""
        self.platform.erase(message)

    def react(self, message: Message, person: Person, name: str) -> None:
        self.platform.react(message, person, name)

    def unreact(self, message: Message, person: Person, name: str) -> None:
        self.platform.unreact(message, person, name)

    def join(self, channel: Channel, person: Person, *, inviter: Person | None = None) -> Message:
        """Come into a channel, as the app itself too: a channel_join message and member_joined_channel."""
        channel.members.append(person)
        event: Json = {
            "type": "member_joined_channel",
            "user": person.id,
            "channel": channel.id,
            "channel_type": "C" if channel.kind is ChannelKind.PUBLIC else "G",
            "team": self.platform.team_id,
        }
        self.platform.tell(
            "member_joined_channel", event | ({"inviter": inviter.id} if inviter else {}), channel=channel
        )
        said = {"text": f"{person.mention} has joined the channel"}
        return self.platform.post(channel, person, said, subtype="channel_join")

    def leave(self, channel: Channel, person: Person) -> None:
        channel.members.remove(person)
        event = {"type": "member_left_channel", "user": person.id, "channel": channel.id, "channel_type": "C"}
        self.platform.tell("member_left_channel", event, channel=channel)

    def upload(
        self,
        filename: str,
        data: bytes,
        mimetype: str = "text/plain",
        *,
        owner: Person,
        size: int | None = None,
        access: str = "visible",
    ) -> File:
        """A file for `say`; its url is on loopback and wants the app's token. `size` is what Slack says of it."""
        key = self.platform.ids.new("F")
        path = f"/files-pri/{self.platform.team_id}-{key}/{filename}"
        file = File(
            id=key,
            name=filename,
            data=data,
            mimetype=mimetype,
            owner=owner,
            path=path,
            url=f"{self.platform.url}{path}",
            created=int(time.time()),
            access=access,
            size=len(data) if size is None else size,
        )
        self.platform.files[key] = file
        return file

    def _tell_shared(self, file: File, channel: Channel, person: Person) -> None:
        event = {
            "type": "file_shared",
            "file_id": file.id,
            "user_id": person.id,
            "file": {"id": file.id},
            "channel_id": channel.id,
        }
        self.platform.tell("file_shared", event, channel=channel)
