"""REST on who the bot is and where: login, the application, the gateway's address, guilds, members, channels, DMs."""

from tests.platform_servers.discord import payloads
from tests.platform_servers.discord.calls import MISSING_ACCESS, Call, RefusedError, RouteTable, channel_of, snowflake
from tests.platform_servers.discord.platform import Platform
from tests.platform_servers.discord.rights import guild_rights
from tests.platform_servers.discord.world import Channel, ChannelKind, Guild, Json

table = RouteTable()


@table.on("GET", "/users/@me")
def me(platform: Platform, _: Call) -> Json:
    return payloads.user(platform.bot)


@table.on("GET", "/oauth2/applications/@me")
@table.on("GET", "/applications/@me")
def application(platform: Platform, _: Call) -> Json:
    return payloads.application(platform.bot, platform.owner, platform.flags)


@table.on("GET", "/gateway", needs_bot=False)
def gateway(platform: Platform, _: Call) -> Json:
    return {"url": platform.gateway.url}


@table.on("GET", "/gateway/bot")
def gateway_bot(platform: Platform, _: Call) -> Json:
    limit = {"total": 1000, "remaining": 999, "reset_after": 86_400_000, "max_concurrency": 1}
    return {"url": platform.gateway.url, "shards": 1, "session_start_limit": limit}


@table.on("GET", "/users/@me/guilds")
def my_guilds(platform: Platform, _: Call) -> list[Json]:
    return [
        {
            "id": str(one.id),
            "name": one.name,
            "icon": None,
            "owner": False,
            "permissions": str(int(guild_rights(one, platform.bot))),
            "features": [],
        }
        for one in platform.guilds.values()
    ]


@table.on("POST", "/users/@me/channels")
def open_dm(platform: Platform, call: Call) -> Json:
    person = platform.people.get(snowflake(call.json.get("recipient_id"), "recipient_id"))
    if person is None:
        raise RefusedError(400, 50033, "Invalid Recipient(s)")
    return payloads.channel(dm_with(platform, person.id))


def dm_with(platform: Platform, person_id: int) -> Channel:
    """The one DM between the bot and somebody."""
    person = platform.people[person_id]
    for channel in platform.channels.values():
        if person in channel.recipients:
            return channel
    dm = Channel(id=platform.snowflakes.now(), kind=ChannelKind.DM, recipients=(platform.bot, person))
    platform.channels[dm.id] = dm
    return dm


@table.on("GET", "/guilds/{guild}")
def guild(platform: Platform, call: Call) -> Json:
    value = payloads.guild(_guild(platform, call), [], platform.bot, with_members=False)
    return {key: value[key] for key in value if key not in ("members", "channels", "threads", "voice_states")}


@table.on("GET", "/guilds/{guild}/channels")
def guild_channels(platform: Platform, call: Call) -> list[Json]:
    guild = _guild(platform, call)
    return [payloads.channel(one) for one in platform.channels.values() if one.guild is guild and not one.is_thread]


@table.on("GET", "/guilds/{guild}/members/{user}")
def member(platform: Platform, call: Call) -> Json:
    found = _guild(platform, call).members.get(snowflake(call.params["user"], "user_id"))
    if found is None:
        raise RefusedError(404, 10007, "Unknown Member")
    return payloads.member(found)


@table.on("GET", "/channels/{channel}")
def channel(platform: Platform, call: Call) -> Json:
    return payloads.channel(channel_of(platform, call))


def _guild(platform: Platform, call: Call) -> Guild:
    found = platform.guilds.get(snowflake(call.params["guild"], "guild_id"))
    if found is None:
        raise RefusedError(404, 10004, "Unknown Guild")
    if platform.bot.id not in found.members:
        raise MISSING_ACCESS
    return found
