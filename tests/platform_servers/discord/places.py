"""How a test builds its world: guilds with channels and members, and what the bot may do in them."""

from dataclasses import dataclass

from tests.platform_servers.discord import payloads
from tests.platform_servers.discord.connection import Intent
from tests.platform_servers.discord.platform import Platform
from tests.platform_servers.discord.rights import BOT_RIGHTS, READERS_RIGHTS, Overwrite, Right
from tests.platform_servers.discord.routes_guilds import dm_with
from tests.platform_servers.discord.world import Channel, ChannelKind, Guild, Member, Person, Role


@dataclass(slots=True, frozen=True, kw_only=True)
class Club:
    """A guild as most tests want it: one channel, an organiser who may manage threads, and two readers."""

    guild: Guild
    channel: Channel
    organiser: Person
    ada: Person
    ben: Person


class Places:
    """Makes guilds, channels and people, before or after the bot has come."""

    platform: Platform

    def add_club(self, name: str = "Club") -> Club:
        guild = self.add_guild(name)
        return Club(
            guild=guild,
            channel=self.add_channel(guild, "books"),
            organiser=self.add_person("Olga", guild, rights=Right.MANAGE_THREADS | Right.MANAGE_MESSAGES),
            ada=self.add_person("Ada", guild),
            ben=self.add_person("Ben", guild),
        )

    def add_guild(self, name: str, *, bot_rights: Right = BOT_RIGHTS) -> Guild:
        """A guild that the bot is a member of; everybody's rights come from the role of the readers."""
        make = self.platform.snowflakes.now
        key = make()
        bot = self.platform.bot
        guild = Guild(
            id=key,
            name=name,
            owner=self.platform.owner,
            everyone=Role(id=key, name="@everyone", rights=Right.NONE),
            readers=Role(id=make(), name="Readers", rights=READERS_RIGHTS),
            bot_role=Role(id=make(), name=bot.name, rights=bot_rights, managed=True),
        )
        guild.roles = {role.id: role for role in (guild.readers, guild.bot_role)}
        guild.members = {
            bot.id: Member(person=bot, roles=[guild.bot_role]),
            guild.owner.id: Member(person=guild.owner, roles=[guild.readers]),
        }
        self.platform.guilds[key] = guild
        self.platform.gateway.publish("GUILD_CREATE", lambda intents: self._guild(guild, intents))
        return guild

    def remove_guild(self, guild: Guild) -> None:
        """The bot is thrown out."""
        del self.platform.guilds[guild.id]
        del guild.members[self.platform.bot.id]
        self.platform.gateway.publish("GUILD_DELETE", lambda _: {"id": str(guild.id)})

    def hold_back(self, guild: Guild) -> None:
        """The next sessions are told that the guild is there, but not what is in it, until `hand_over`."""
        self.platform.held_back.add(guild.id)

    def hand_over(self, guild: Guild) -> None:
        """The guild comes, later than the others."""
        self.platform.held_back.discard(guild.id)
        self.platform.gateway.publish(
            "GUILD_CREATE", lambda intents: self.platform.guild_payload(guild, intents) | {"unavailable": False}
        )

    def remove_channel(self, channel: Channel) -> None:
        """Somebody deletes a channel, and with it its threads, of which nothing is told."""
        self._tell("CHANNEL_DELETE", channel)
        for one in [one for one in self.platform.channels.values() if channel in (one, one.parent)]:
            del self.platform.channels[one.id]

    def take_back(self, guild: Guild) -> None:
        """The bot is invited again."""
        bot = self.platform.bot
        guild.members[bot.id] = Member(person=bot, roles=[guild.bot_role])
        self.platform.guilds[guild.id] = guild
        self.platform.gateway.publish("GUILD_CREATE", lambda intents: self._guild(guild, intents))

    def add_channel(self, guild: Guild, name: str, *, kind: ChannelKind = ChannelKind.TEXT) -> Channel:
        channel = Channel(id=self.platform.snowflakes.now(), kind=kind, name=name, guild=guild)
        self.platform.channels[channel.id] = channel
        self._tell("CHANNEL_CREATE", channel)
        return channel

    def add_person(self, name: str, *guilds: Guild, rights: Right = Right.NONE, is_bot: bool = False) -> Person:
        """Somebody, a member of these guilds, with rights above those of a reader."""
        person = Person(id=self.platform.snowflakes.now(), name=name, is_bot=is_bot)
        self.platform.people[person.id] = person
        for guild in guilds:
            roles = [guild.readers]
            if rights:
                role = Role(id=self.platform.snowflakes.now(), name=f"Of {name}", rights=rights)
                guild.roles[role.id] = role
                roles.append(role)
                self._tell_role("GUILD_ROLE_CREATE", guild, role)
            guild.members[person.id] = Member(person=person, roles=roles)
        return person

    def dm(self, person: Person) -> Channel:
        """The DM between somebody and the bot."""
        return dm_with(self.platform, person.id)

    def set_bot_rights(self, guild: Guild, rights: Right) -> None:
        guild.bot_role.rights = rights
        self._tell_role("GUILD_ROLE_UPDATE", guild, guild.bot_role)

    def deny(self, channel: Channel, rights: Right, person: Person | None = None) -> None:
        """Take rights in one channel away, from the bot or from somebody else."""
        who = person or self.platform.bot
        channel.overwrites[who.id] = Overwrite(is_member=True, deny=rights)
        self._tell("CHANNEL_UPDATE", channel)

    def _guild(self, guild: Guild, intents: Intent) -> object:
        return self.platform.guild_payload(guild, intents) if Intent.GUILDS in intents else None

    def _tell(self, event: str, channel: Channel) -> None:
        self.platform.tell(channel, event, Intent.GUILDS, Intent.GUILDS, lambda _: payloads.channel(channel))

    def _tell_role(self, event: str, guild: Guild, role: Role) -> None:
        value = {"guild_id": str(guild.id), "role": payloads.role(role)}
        self.platform.gateway.publish(event, lambda intents: value if Intent.GUILDS in intents else None)
