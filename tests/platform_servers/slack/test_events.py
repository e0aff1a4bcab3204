"""What people do comes to the real slack_bolt as Slack's events, where the app is subscribed and in the channel."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.platform import EVENT_SCOPES, SCOPES
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import TrialApp, running
from tests.platform_servers.slack.world import ChannelKind, Json


async def test_a_mention_comes_twice_with_two_event_ids(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:
        said = slack_server.mention(club.channel, club.ada, "hello")
        await slack_server.settled()
    assert sorted(trial.kinds) == [("app_mention", None), ("message", None)]
    assert len({one.body["event_id"] for one in trial.heard}) == 2
    assert {one.event["ts"] for one in trial.heard} == {said.ts}
    by_type = {one.event["type"]: one.event for one in trial.heard}
    assert "channel_type" not in by_type["app_mention"]
    assert by_type["message"]["text"] == f"<@{slack_server.bot.id}> hello"


@pytest.mark.parametrize("kind", list(ChannelKind))
async def test_every_kind_of_channel_is_heard(slack_server: SlackServer, club: Club, kind: ChannelKind) -> None:
    places = {
        ChannelKind.PUBLIC: lambda: club.channel,
        ChannelKind.PRIVATE: lambda: slack_server.add_channel("secret", club.ada, kind=ChannelKind.PRIVATE),
        ChannelKind.GROUP_DM: lambda: slack_server.group_dm(club.ada, club.ben),
        ChannelKind.DM: lambda: slack_server.dm(club.ada),
    }
    async with running(slack_server) as trial:
        slack_server.mention(places[kind](), club.ada, "hello")
        await slack_server.settled()
    heard = {one.event["type"]: one.event.get("channel_type") for one in trial.heard}
    assert heard["message"] == kind.value
    assert ("app_mention" in heard) is (kind is not ChannelKind.DM)


async def test_a_reply_names_its_thread_and_the_first_author(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:
        said = slack_server.say(club.channel, club.ada, "first")
        reply = slack_server.reply(said, club.ben, "second")
        slack_server.say(club.channel, club.ben, "third", reply.ts)
        await slack_server.settled()
    assert [one.event.get("thread_ts") for one in trial.heard] == [None, said.ts, said.ts]
    assert trial.heard[1].event["parent_user_id"] == club.ada.id


Do = Callable[[SlackServer, Club], object]


def _edit(server: SlackServer, club: Club) -> None:
    server.edit(server.say(club.channel, club.ada, "helo"), "hello")


def _preview(server: SlackServer, club: Club) -> None:
    server.unfurl(server.say(club.channel, club.ada, "https://example.org"))


def _delete(server: SlackServer, club: Club) -> None:
    server.delete(server.say(club.channel, club.ada, "oops"))


def _delete_the_first_of_a_thread(server: SlackServer, club: Club) -> None:
    said = server.say(club.channel, club.ada, "oops")
    server.reply(said, club.ben, "what?")
    server.delete(said)


def _share(server: SlackServer, club: Club) -> None:
    server.say(club.channel, club.ada, "a book", files=[server.upload("a.txt", b"x", owner=club.ada)])


@pytest.mark.parametrize(
    ("do", "kinds"),
    [
        (_edit, [("message", None), ("message", "message_changed")]),
        (_preview, [("message", None), ("message", "message_changed")]),
        (_delete, [("message", None), ("message", "message_deleted")]),
        (_delete_the_first_of_a_thread, [("message", None)] * 2 + [("message", "message_changed")]),
        (_share, [("message", "file_share"), ("file_shared", None)]),
        (
            lambda server, club: server.join(club.channel, server.add_person("Cleo"), inviter=club.ada),
            [("member_joined_channel", None), ("message", "channel_join")],
        ),
        (lambda server, club: server.leave(club.channel, club.ben), [("member_left_channel", None)]),
        (lambda server, club: server.say_as_bot(club.channel, server.add_bot("Poll"), "vote!"), [("message", None)]),
        (
            lambda server, club: server.say_as_bot(club.channel, server.add_bot("Old"), "vote!", classic=True),
            [("message", "bot_message")],
        ),
        (lambda server, club: server.open_home(club.ada), [("app_home_opened", None)]),
        (lambda server, club: server.archive(club.channel), [("channel_archive", None)]),
    ],
)
async def test_what_people_do_comes_as_an_event(
    slack_server: SlackServer, club: Club, do: Do, kinds: list[tuple[str, str | None]]
) -> None:
    async with running(slack_server) as trial:
        do(slack_server, club)
        await slack_server.settled()
    assert sorted(trial.kinds, key=str) == sorted(kinds, key=str)


async def test_an_edit_tells_both_texts_and_a_preview_is_no_edit(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:
        _edit(slack_server, club)
        _preview(slack_server, club)
        await slack_server.settled()
    edit, preview = [one.event for one in trial.heard if one.event.get("subtype") == "message_changed"]
    assert (edit["previous_message"]["text"], edit["message"]["text"]) == ("helo", "hello")
    assert edit["message"]["edited"]["user"] == club.ada.id
    assert "edited" not in preview["message"]
    assert preview["message"]["text"] == preview["previous_message"]["text"]


async def test_a_deletion_tells_what_was_there(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:
        said = slack_server.say(club.channel, club.ada, "oops")
        slack_server.delete(said)
        await slack_server.settled()
    gone = trial.heard[-1].event
    assert (gone["deleted_ts"], gone["previous_message"]["text"]) == (said.ts, "oops")
    assert gone["ts"] != said.ts
    assert club.channel.texts == []


async def test_the_first_message_of_a_thread_becomes_a_tombstone(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:
        _delete_the_first_of_a_thread(slack_server, club)
        await slack_server.settled()
    changed: Json = trial.heard[-1].event
    assert (changed["message"]["subtype"], changed["message"]["user"]) == ("tombstone", "USLACKBOT")
    assert club.channel.texts == ["This message was deleted.", "what?"]


async def test_the_apps_own_messages_and_reactions_come_back(slack_server: SlackServer, club: Club) -> None:
    async def answer(trial: TrialApp, event: Json) -> None:
        if event["type"] == "app_mention":
            await trial.client.reactions_add(channel=event["channel"], timestamp=event["ts"], name="eyes")
            await trial.client.chat_postMessage(channel=event["channel"], text="hi", thread_ts=event["ts"])

    async with running(slack_server, on=answer) as trial:
        asked = slack_server.mention(club.channel, club.ada, "hello")
        reply = await slack_server.answer_to(asked)
        await slack_server.settled()
    own = [one.event for one in trial.heard if one.event.get("user") == slack_server.bot.id]
    assert {one["type"] for one in own} == {"reaction_added", "message"}
    assert [one["bot_id"] for one in own if one["type"] == "message"] == [slack_server.bot.bot_id]
    assert (reply.content, reply.thread_ts, asked.reactions) == ("hi", asked.ts, {"eyes": [slack_server.bot.id]})


async def test_where_the_app_is_not_nothing_is_heard(slack_server: SlackServer, club: Club) -> None:
    away = slack_server.add_channel("away", club.ada, with_bot=False)
    async with running(slack_server) as trial:
        slack_server.mention(away, club.ada, "hello?")
        slack_server.say(club.channel, club.ada, "old", at=datetime(2026, 1, 1, tzinfo=UTC))
        slack_server.say(club.channel, club.ada, "here")
        slack_server.remove_bot(club.channel)
        slack_server.say(club.channel, club.ada, "gone?")
        await slack_server.settled()
    assert [one.event.get("text") for one in trial.heard] == ["here", None]
    assert club.channel.texts == ["old", "here", "gone?"]


@pytest.mark.parametrize(
    ("scopes", "events", "heard"),
    [
        (SCOPES, ["app_mention"], ["app_mention"]),
        (SCOPES, ["message.channels"], ["message"]),
        (SCOPES, ["message.groups"], []),
        (SCOPES - {"channels:history"}, EVENT_SCOPES, ["app_mention"]),
        (SCOPES - {"app_mentions:read"}, EVENT_SCOPES, ["message"]),
    ],
)
async def test_an_event_needs_its_subscription_and_its_scope(
    scopes: frozenset[str], events: list[str], heard: list[str]
) -> None:
    async with SlackServer(scopes=scopes, events=events) as server, running(server):
        club = server.add_club()
        server.mention(club.channel, club.ada, "hello")
        await server.settled()
        assert [one.name for one in server.deliveries] == heard
