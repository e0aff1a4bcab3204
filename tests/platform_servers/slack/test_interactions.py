"""Commands, buttons and shortcuts with the real slack_bolt: acknowledgements, response_urls, what is seen by whom."""

import json
from typing import Any

import aiohttp
import pytest
from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.platform_servers.slack.interactions import Interaction
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import calling, running
from tests.platform_servers.slack.world import Json, Message


def _with_buttons(*labels: str) -> list[Json]:
    buttons = [
        {"type": "button", "action_id": f"do:{one}", "value": one, "text": {"type": "plain_text", "text": one}}
        for one in labels
    ]
    feedback = {
        "type": "feedback_buttons",
        "action_id": "feedback",
        "positive_button": {"text": {"type": "plain_text", "text": "Good"}, "value": "good"},
        "negative_button": {"text": {"type": "plain_text", "text": "Bad"}, "value": "bad"},
    }
    return [
        {"type": "section", "text": {"type": "mrkdwn", "text": "Choose"}},
        {"type": "actions", "elements": buttons},
        {"type": "context_actions", "elements": [feedback]},
    ]


async def _posted(server: SlackServer, club: Club, **more: Any) -> Message:
    async with calling(server) as client:
        await client.chat_postMessage(
            channel=club.channel.id, text="Choose", blocks=_with_buttons("sources", "page"), **more
        )
    return server.by_bot(club.channel)[-1]


async def _say(interaction: Interaction, **body: Any) -> int:
    async with aiohttp.ClientSession() as session:
        return (await AsyncWebhookClient(interaction.response_url, session=session).send_dict(body)).status_code


async def test_a_command_is_answered_to_its_user_alone(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:

        @trial.app.command("/thusfar")
        async def answer(ack: Any, command: Json) -> None:
            await ack(f"you said {command['text']} in {command['channel_name']}")

        used = await slack_server.responded(
            slack_server.slash("/thusfar", "setpage 120", user=club.ada, channel=club.channel)
        )
    assert [one.content for one in used.messages] == ["you said setpage 120 in books"]
    assert slack_server.seen_by(club.ada, club.channel) == used.messages
    assert club.channel.texts == []
    assert used.ack_seconds is not None
    assert used.ack_seconds < 3


async def test_a_command_works_where_the_app_is_not(slack_server: SlackServer, club: Club) -> None:
    away = slack_server.add_channel("away", club.ada, with_bot=False)
    async with running(slack_server) as trial:

        @trial.app.command("/thusfar")
        async def answer(ack: Any, respond: Any) -> None:
            await ack()
            await respond("late, but here", response_type="in_channel")

        await slack_server.responded(slack_server.slash("/thusfar", user=club.ada, channel=away))
    assert away.texts == ["late, but here"]


async def test_a_response_url_takes_five_answers(slack_server: SlackServer, club: Club) -> None:
    used = slack_server.slash("/thusfar", user=club.ada, channel=club.channel)
    statuses = [await _say(used, text=str(number)) for number in range(6)]
    assert statuses == [200] * 5 + [404]
    assert slack_server.calls_of("response_url")[-1].error == "used_url"
    assert [one.content for one in used.messages] == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"text": ""}, "no_text"),
        ({"text": "x" * 40_001}, "msg_too_long"),
        ({"text": "x", "blocks": [{"type": "header"}]}, "invalid_blocks"),
    ],
)
async def test_an_answer_that_slack_refuses(slack_server: SlackServer, club: Club, body: Json, error: str) -> None:
    used = slack_server.slash("/thusfar", user=club.ada, channel=club.channel)
    assert await _say(used, **body) == 404
    assert slack_server.calls_of("response_url")[-1].error == error


async def test_a_response_url_ends_after_half_an_hour(slack_server: SlackServer, club: Club) -> None:
    used = slack_server.slash("/thusfar", user=club.ada, channel=club.channel, expired=True)
    assert await _say(used, text="too late") == 404
    assert slack_server.calls_of("response_url")[-1].error == "expired_url"


async def test_a_button_tells_its_message_and_its_value(slack_server: SlackServer, club: Club) -> None:
    asked = slack_server.say(club.channel, club.ada, "?")
    message = await _posted(slack_server, club, thread_ts=asked.ts)
    pressed: list[Json] = []
    async with running(slack_server) as trial:

        @trial.app.action("do:sources")
        async def answer(ack: Any, body: Json, respond: Any) -> None:
            await ack()
            pressed.append(body)
            await respond("page 12", replace_original=False)

        used = await slack_server.responded(slack_server.press("do:s", message=message, user=club.ben))
    (body,) = pressed
    assert body["actions"][0]["value"] == "sources"
    assert body["container"]["thread_ts"] == body["message"]["thread_ts"] == asked.ts
    assert (body["user"]["id"], body["channel"]["id"]) == (club.ben.id, club.channel.id)
    assert used.messages[0].private_to is club.ben


@pytest.mark.parametrize("choice", ["good", "bad"])
async def test_feedback_buttons_differ_by_their_value(slack_server: SlackServer, club: Club, choice: str) -> None:
    message = await _posted(slack_server, club)
    told: list[str] = []
    async with running(slack_server) as trial:

        @trial.app.action("feedback")
        async def answer(ack: Any, action: Json) -> None:
            told.append(action["value"])
            await ack()

        slack_server.press(f"feedback={choice}", message=message, user=club.ada)
        await slack_server.settled()
    assert told == [choice]


async def test_an_answer_replaces_or_removes_the_message_of_the_button(slack_server: SlackServer, club: Club) -> None:
    message = await _posted(slack_server, club)
    used = slack_server.press("do:page", message=message, user=club.ada)
    assert await _say(used, text="chosen", replace_original=True) == 200
    assert message.contents == ["Choose", "chosen"]
    assert await _say(used, delete_original=True) == 200
    assert club.channel.texts == []


async def test_an_ephemeral_message_is_pressed_by_its_reader_alone(slack_server: SlackServer, club: Club) -> None:
    async with calling(slack_server) as client:
        await client.chat_postEphemeral(
            channel=club.channel.id, user=club.ada.id, text="x", blocks=_with_buttons("show")
        )
    (message,) = slack_server.seen_by(club.ada, club.channel)
    with pytest.raises(AssertionError, match="seen by its reader alone"):
        slack_server.press("do:show", message=message, user=club.ben)
    used = slack_server.press("do:show", message=message, user=club.ada)
    assert "message" not in used.payload
    assert used.payload["container"]["is_ephemeral"]
    assert await _say(used, text="shown", replace_original=True) == 200
    assert message.content == "shown"


async def test_a_button_that_is_not_there_is_a_slip_of_the_test(slack_server: SlackServer, club: Club) -> None:
    message = await _posted(slack_server, club)
    with pytest.raises(AssertionError, match="do:nothing: there are"):
        slack_server.press("do:nothing", message=message, user=club.ada)


async def test_a_message_shortcut_works_in_a_thread(slack_server: SlackServer, club: Club) -> None:
    asked = slack_server.say(club.channel, club.ada, "?")
    reply = slack_server.reply(asked, club.ben, "page 120")
    told: list[Json] = []
    async with running(slack_server) as trial:

        @trial.app.shortcut("set_page")
        async def answer(ack: Any, shortcut: Json) -> None:
            await ack()
            told.append(shortcut)

        used = slack_server.shortcut("set_page", message=reply, user=club.ben)
        await slack_server.wait_for(lambda: used.is_acked)
    (shortcut,) = told
    assert (shortcut["message"]["text"], shortcut["message"]["thread_ts"]) == ("page 120", asked.ts)
    assert shortcut["message_ts"] == reply.ts


async def test_words_in_the_acknowledgement_of_a_button_fail_the_test() -> None:
    with pytest.raises(AssertionError, match="Slack ignores what stands in the acknowledgement"):
        async with SlackServer() as server, running(server) as trial:

            @trial.app.action("do:page")
            async def answer(ack: Any) -> None:
                await ack({"text": "hello"})

            club = server.add_club()
            server.press("do:page", message=await _posted(server, club), user=club.ada)
            await server.settled()


async def test_a_lost_acknowledgement_of_a_command_is_a_timeout_for_its_user(
    slack_server: SlackServer, club: Club
) -> None:
    slack_server.lose_acks()
    async with running(slack_server) as trial:

        @trial.app.command("/thusfar")
        async def answer(ack: Any) -> None:
            await ack("never seen")

        used = slack_server.slash("/thusfar", user=club.ada, channel=club.channel)
        await slack_server.wait_for(lambda: used.is_timed_out)
    assert used.messages == []
    assert json.dumps(used.payload)
