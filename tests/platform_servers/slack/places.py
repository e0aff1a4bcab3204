"""How a test builds its world: channels and DMs with people in them, and what the app may do there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import Channel, ChannelKind, Person


@dataclass(slots=True, frozen=True, kw_only=True)
class Club:
    """A channel as most tests want it: the app, an organiser who is an admin of the workspace, and two readers."""

    channel: Channel
    organiser: Person
    ada: Person
    ben: Person


class Places:
    """Makes channels and people, before or after the app has come."""

    platform: Platform

    def add_club(self, name: str = "books", *, kind: ChannelKind = ChannelKind.PUBLIC) -> Club:
        olga, ada, ben = self.add_person("Olga", is_admin=True), self.add_person("Ada"), self.add_person("Ben")
        channel = self.add_channel(name, olga, ada, ben, kind=kind)
        return Club(channel=channel, organiser=olga, ada=ada, ben=ben)

    def add_channel(
        self, name: str, *members: Person, kind: ChannelKind = ChannelKind.PUBLIC, with_bot: bool = True
    ) -> Channel:
        """A channel, public or private; the app is in it unless told otherwise."""
        assert kind in (ChannelKind.PUBLIC, ChannelKind.PRIVATE), "use dm() or group_dm()"
        bot = [self.platform.bot] if with_bot else []
        channel = Channel(
            id=self.platform.ids.new("C"),
            kind=kind,
            name=name,
            members=[*members, *bot],
            creator=members[0] if members else None,
        )
        self.platform.channels[channel.id] = channel
        return channel

    def add_person(self, name: str, *channels: Channel, **more: Any) -> Person:
        """Somebody, who is a member of these channels; `more` as `Person` has it (is_admin, display_name ...)."""
        person = Person(id=self.platform.ids.new("U"), name=name, display_name=more.pop("display_name", ""), **more)
        self.platform.people[person.id] = person
        for channel in channels:
            channel.members.append(person)
        return person

    def add_bot(self, name: str, *channels: Channel) -> Person:
        """Another app's bot."""
        person = self.platform.bot_person(name)
        self.platform.people[person.id] = person
        for channel in channels:
            channel.members.append(person)
        return person

    def dm(self, person: Person) -> Channel:
        """The DM between somebody and the app."""
        return self.platform.dm_with(person)

    def group_dm(self, *people: Person) -> Channel:
        """A DM of several people with the app."""
        assert len(people) > 1, "a group has more than one person beside the app"
        return self.platform.dm_with(*people)

    def archive(self, channel: Channel) -> None:
        channel.is_archived = True
        who = self.platform.people[channel.members[0].id]
        self.platform.tell("channel_archive", {"type": "channel_archive", "channel": channel.id, "user": who.id})

    def remove_bot(self, channel: Channel) -> None:
        """Somebody removes the app from a channel."""
        channel.members.remove(self.platform.bot)
        self.platform.tell(
            "channel_left", {"type": "channel_left", "channel": channel.id, "actor_id": self._first(channel)}
        )

    def grant(self, *, scopes: Sequence[str] = (), without: Sequence[str] = ()) -> None:
        """The app is installed anew with more or fewer scopes."""
        self.platform.scopes = (self.platform.scopes | set(scopes)) - set(without)

    def _first(self, channel: Channel) -> str:
        return next((one.id for one in channel.members), self.platform.slackbot.id)
