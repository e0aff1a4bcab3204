"""The Home tab with the real slack_bolt: it is published, pressed and chosen in."""

from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import TrialApp, calling, running
from tests.platform_servers.slack.world import Json


def _plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


_HOME: Json = {
    "type": "home",
    "blocks": [{"type": "actions", "elements": [{"type": "button", "action_id": "edit", "text": _plain("Set page")}]}],
}
_FORM: Json = {"type": "modal", "callback_id": "set_page", "title": _plain("Set page"), "blocks": [{"type": "divider"}]}


async def test_what_is_chosen_in_the_home_tab_is_told(slack_server: SlackServer, club: Club) -> None:
    option = {"text": _plain("Moby Dick"), "value": "b_1"}
    select = {"type": "static_select", "action_id": "book", "options": [option]}
    async with running(slack_server) as trial:
        told: list[str] = []

        @trial.app.action("book")
        async def take(ack: Any, action: Json) -> None:
            told.append(action["selected_option"]["value"])
            await ack()

        await trial.client.views_publish(
            user_id=club.ada.id, view={"type": "home", "blocks": [{"type": "actions", "elements": [select]}]}
        )
        slack_server.choose(slack_server.platform.homes[club.ada.id], "book", option, user=club.ada)
        await slack_server.settled()
    assert told == ["b_1"]


async def test_the_home_tab_is_published_and_its_buttons_open_forms(slack_server: SlackServer, club: Club) -> None:
    async def publish(trial: TrialApp, event: Json) -> None:
        await trial.client.views_publish(user_id=event["user"], view=_HOME)

    async with running(slack_server, on=publish) as trial:

        @trial.app.action("edit")
        async def edit(ack: Any, body: Json) -> None:
            await ack()
            await trial.client.views_open(trigger_id=body["trigger_id"], view=_FORM)

        slack_server.open_home(club.ada)
        home = await slack_server.wait_for(lambda: slack_server.platform.homes.get(club.ada.id))
        pressed = await slack_server.responded(slack_server.press_in(home, "edit", user=club.ada))
        slack_server.open_home(club.ada)
        await slack_server.wait_for(lambda: len(home.versions) == 2)
    assert pressed.modal is not None
    assert pressed.modal.callback_id == "set_page"
    assert "response_url" not in pressed.payload
    assert trial.heard[-1].event["view"]["id"] == home.id


async def test_nobody_but_people_have_a_home(slack_server: SlackServer) -> None:
    async with calling(slack_server) as client:
        with pytest.raises(SlackApiError, match="invalid_arguments"):
            await client.views_publish(user_id=slack_server.bot.id, view=_HOME)
