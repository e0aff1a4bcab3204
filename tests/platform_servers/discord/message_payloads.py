"""How messages and interactions look on Discord's wire, and what of them a bot without message content is shown."""

from datetime import UTC, datetime

from tests.platform_servers.discord import payloads
from tests.platform_servers.discord.interactions import Interaction
from tests.platform_servers.discord.rights import Right, rights_in
from tests.platform_servers.discord.world import Json, Message, Person

PERMITTED_FILE = 10 * 1024 * 1024


def emoji(key: str) -> Json:
    """The object of a reaction's key: a Unicode emoji, or name:id."""
    name, _, number = key.partition(":")
    return {"id": number or None, "name": name}


def message(one: Message, *, bot: Person, with_content: bool = True) -> Json:
    """A message as the bot is shown it; `thread` and `message_reference` are absent, never null."""
    shown = with_content or shows_content(one, bot)
    value: Json = {
        "id": str(one.id),
        "channel_id": str(one.channel.id),
        "author": payloads.user(one.author),
        "content": one.contents[-1] if shown else "",
        "timestamp": payloads.timestamp(one.id),
        "edited_timestamp": datetime.now(UTC).isoformat() if one.is_edited else None,
        "tts": False,
        "type": int(one.kind),
        "flags": one.flags,
        "mention_everyone": one.mentions_everyone,
        "mentions": mentions(one),
        "mention_roles": [str(key) for key in one.mentioned_roles],
        "attachments": [payloads.attachment(file) for file in one.attachments] if shown else [],
        "embeds": one.embeds if shown else [],
        "components": one.components if shown else [],
        "pinned": False,
    }
    if one.reactions:
        value["reactions"] = [
            {
                "emoji": emoji(key),
                "count": len(by),
                "me": bot.id in by,
                "count_details": {"burst": 0, "normal": len(by)},
            }
            for key, by in one.reactions.items()
        ]
    return value | _where_from(one, bot=bot, with_content=with_content)


def shows_content(one: Message, bot: Person) -> bool:
    """Whether the text is shown to a bot without the message content intent."""
    return one.channel.guild is None or one.author is bot or bot.id in {int(m["id"]) for m in mentions(one)}


def mentions(one: Message) -> list[Json]:
    """The people a message mentions, the author of what it replies to included."""
    guild = one.channel.guild
    people = {key: entry.person for key, entry in guild.members.items()} if guild else {}
    people |= {person.id: person for person in one.channel.recipients}
    found = [people[key] for key in one.mentioned if key in people]
    if one.reply_to is not None and one.reply_to.author not in found and _pings_the_author(one):
        found.append(one.reply_to.author)
    values = []
    for person in found:
        entry = guild.members.get(person.id) if guild else None
        values.append(payloads.user(person) | ({"member": payloads.member(entry, with_user=False)} if entry else {}))
    return values


def _pings_the_author(one: Message) -> bool:
    return one.allowed_mentions is None or bool(one.allowed_mentions.get("replied_user", False))


def _where_from(one: Message, *, bot: Person, with_content: bool) -> Json:
    value: Json = {}
    if one.nonce is not None:
        value["nonce"] = one.nonce
    if one.webhook_id is not None:
        value["webhook_id"] = str(one.webhook_id)
    if one.reference is not None:
        value["message_reference"] = one.reference
        replied = one.reply_to
        gone = replied is None or replied.is_deleted
        value["referenced_message"] = None if gone or replied is None else _referenced(replied, bot, with_content)
    if one.asked_by is not None:
        value["application_id"] = str(bot.id)
        value["interaction_metadata"] = {
            "id": str(one.interaction_id),
            "type": 2,
            "user": payloads.user(one.asked_by),
            "authorizing_integration_owners": {},
        }
    if one.thread is not None:
        value["thread"] = payloads.thread(one.thread)
    return value


def _referenced(one: Message, bot: Person, with_content: bool) -> Json:
    value = message(one, bot=bot, with_content=with_content)
    value.pop("referenced_message", None)
    return value


def interaction(one: Interaction, *, bot: Person, rights: Right) -> Json:
    """INTERACTION_CREATE; unlike a message of the channel it always shows the text of its source."""
    place = one.channel
    value: Json = {
        "id": str(one.id),
        "application_id": str(bot.id),
        "type": int(one.kind),
        "token": one.token,
        "version": 1,
        "data": one.data,
        "channel_id": str(place.id),
        "channel": payloads.channel(place) | {"permissions": str(int(rights))},
        "locale": "en-US",
        "entitlements": [],
        "authorizing_integration_owners": {},
        "attachment_size_limit": PERMITTED_FILE,
        "app_permissions": str(int(rights_in(place, bot))),
    }
    if one.source is not None:
        value["message"] = message(one.source, bot=bot)
    if place.guild is None:
        return value | {"user": payloads.user(one.user), "context": 1}
    who = payloads.member(place.guild.members[one.user.id]) | {"permissions": str(int(rights))}
    where = {"id": str(place.guild.id), "locale": "en-US", "features": []}
    return value | {
        "member": who,
        "guild_id": str(place.guild.id),
        "guild": where,
        "guild_locale": "en-US",
        "context": 0,
    }
