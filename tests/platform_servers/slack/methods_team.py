"""auth.test, apps.connections.open, and what the app may know of people and bots."""

from tests.platform_servers.slack import payloads
from tests.platform_servers.slack.calls import Call, MethodTable, RefusedError
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import Json

table = MethodTable()


@table.on("auth.test")
def auth_test(platform: Platform, call: Call) -> Json:
    return {
        "url": f"{platform.url}/",
        "team": platform.team_name,
        "user": platform.bot.name.lower(),
        "team_id": platform.team_id,
        "user_id": platform.bot.id,
        "bot_id": platform.bot.bot_id,
        "is_enterprise_install": False,
    }


@table.on("apps.connections.open", takes_app_token=True)
def connections_open(platform: Platform, call: Call) -> Json:
    return {"url": platform.sockets.issue()}


@table.on("users.info", "user include_locale", scopes="users:read")
def users_info(platform: Platform, call: Call) -> Json:
    person = platform.people.get(call.text("user"))
    if person is None:
        raise RefusedError("user_not_found")
    value = payloads.user(person, platform.team_id)
    return {"user": value | ({"locale": person.locale} if call.flag("include_locale") else {})}
