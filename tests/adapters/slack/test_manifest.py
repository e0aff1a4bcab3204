"""The manifest matches the code: scopes, events, commands, shortcut."""

from adapters.slack.manifest import COMMANDS, EVENTS, IN_MENU, SCOPES, SHORTCUT, manifest
from core.club.sealed.quote_commands import QUOTE_THIS
from tests.platform_servers.slack.platform import EVENT_SCOPES


def test_the_manifest_requests_exactly_the_scopes_that_the_code_explains() -> None:
    assert manifest()["oauth_config"]["scopes"]["bot"] == sorted(SCOPES)


def test_every_event_that_is_subscribed_to_has_a_listener() -> None:
    subscribed = manifest()["settings"]["event_subscriptions"]["bot_events"]
    assert {one.partition(".")[0] for one in subscribed} == set(EVENTS)


def test_every_event_has_the_scope_that_it_needs() -> None:
    for event in manifest()["settings"]["event_subscriptions"]["bot_events"]:
        assert not EVENT_SCOPES[event] or set(EVENT_SCOPES[event]) & SCOPES.keys(), event


def test_every_command_and_shortcut_has_a_listener() -> None:
    features = manifest()["features"]
    assert tuple(one["command"] for one in features["slash_commands"]) == COMMANDS
    assert {one["callback_id"] for one in features["shortcuts"]} == {SHORTCUT, *IN_MENU}
    assert {one["type"] for one in features["shortcuts"]} == {"message"}
    named = {one["callback_id"]: one["name"] for one in features["shortcuts"]}
    assert {words: named[shortcut] for shortcut, words in IN_MENU.items()} == {QUOTE_THIS: "Quote this"}
    assert features["app_home"]["home_tab_enabled"]
    assert features["app_home"]["messages_tab_enabled"]
    assert not features["app_home"]["messages_tab_read_only_enabled"]
    assert manifest()["settings"]["interactivity"]["is_enabled"]
    assert manifest()["settings"]["socket_mode_enabled"]
