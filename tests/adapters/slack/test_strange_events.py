"""Malformed events from Slack: no handler breaks, each is acknowledged, and the next question is answered."""

import copy

import pytest

from adapters.slack.manifest import SHORTCUT
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import Running
from tests.adapters.strange import strange_versions
from tests.platform_servers.slack.delivery import Delivery
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

_TOKENS = frozenset({"token", "trigger_id", "response_url", "event_id", "api_app_id"})


async def test_no_missing_or_wrong_part_of_what_slack_sends_breaks_a_handler(
    slack_server: SlackServer,
    club: Club,
    running: Running,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server, answers = slack_server, ScriptedAnswers("To {asked}")
    server.platform.deliveries.retry_after = []
    async with running(answers) as client:
        root = server.mention(club.channel, club.ada, f"Who? <#{club.channel.id}> <!here>")
        await server.answer_to(root)
        server.edit(server.reply(root, club.ben, "And then?"), "And now?")
        server.unfurl(root)
        server.delete(server.reply(root, club.ben, "Oh"))
        server.say(server.dm(club.ada), club.ada, "Who, in a DM?")
        server.open_home(club.ada)
        form = server.slash("/thusfar", "setpage", user=club.ada, channel=club.channel)
        view = await server.wait_for(lambda: form.modal)
        server.submit(view, {"text": "1"}, user=club.ada)
        server.shortcut(SHORTCUT, message=root, user=club.ada)
        await server.settled()
        sent = [copy.deepcopy(one) for one in ((each.kind, each.payload) for each in server.deliveries)]
        await client.settled()
        for kind, payload in sent:
            for path, changed in strange_versions(payload, spared=_TOKENS, every=47):
                event = changed.get("event")
                if isinstance(event, dict) and path != ("event", "ts") and "ts" in event:
                    event["ts"] = server.platform.ids.ts()
                server.platform.deliveries.hand_over(Delivery(kind=kind, payload=changed))
        await server.settled()
        await client.settled()
        await server.answer_to(server.mention(club.channel, club.ada, "Still there?"))
    assert [one for one in server.deliveries if one.is_event and one.is_given_up] == []
    assert [one.getMessage() for one in caplog.records if one.exc_info] == []
