"""Modals with the real slack_bolt: triggers, what is filled in, what is answered, and the options of selects."""

from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from tests.platform_servers.slack.interactions import Interaction
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import TrialApp, calling, running
from tests.platform_servers.slack.world import Json


def _plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def _input(action_id: str, element: Json, **more: Any) -> Json:
    return {
        "type": "input",
        "block_id": f"of-{action_id}",
        "label": _plain(action_id),
        "element": element | {"action_id": action_id},
    } | more


_FORM: Json = {
    "type": "modal",
    "callback_id": "set_page",
    "private_metadata": "thread 1",
    "notify_on_close": True,
    "title": _plain("Set page"),
    "submit": _plain("Set"),
    "blocks": [
        _input("page", {"type": "plain_text_input", "max_length": 5}),
        _input("title", {"type": "external_select", "min_query_length": 1}),
        _input("note", {"type": "plain_text_input", "initial_value": "none"}, optional=True),
    ],
}
_FILLED = {"page": "120", "title": "b_1"}


async def _opened(server: SlackServer, club: Club, trial: TrialApp) -> Interaction:
    @trial.app.command("/setpage")
    async def answer(ack: Any, command: Json) -> None:
        await ack()
        await trial.client.views_open(trigger_id=command["trigger_id"], view=_FORM)

    return await server.responded(server.slash("/setpage", user=club.ada, channel=club.channel))


async def test_a_form_is_opened_filled_in_and_sent(slack_server: SlackServer, club: Club) -> None:
    told: list[Json] = []
    async with running(slack_server) as trial:

        @trial.app.view("set_page")
        async def take(ack: Any, view: Json) -> None:
            told.append(view)
            await ack()

        form = (await _opened(slack_server, club, trial)).modal
        assert form is not None
        sent = slack_server.submit(form, _FILLED)
        await slack_server.wait_for(lambda: sent.is_acked)
    (view,) = told
    assert view["private_metadata"] == "thread 1"
    values = view["state"]["values"]
    assert values["of-page"]["page"] == {"type": "plain_text_input", "value": "120"}
    assert values["of-title"]["title"]["selected_option"]["value"] == "b_1"
    assert values["of-note"]["note"]["value"] == "none"
    assert (sent.response_action, form.is_closed) == (None, True)


@pytest.mark.parametrize(
    ("answer", "is_closed", "titles"),
    [
        ({"response_action": "errors", "errors": {"of-page": "There are 100 pages."}}, False, ["Set page"]),
        ({"response_action": "clear"}, True, ["Set page"]),
        ({"response_action": "update", "view": _FORM | {"title": _plain("Again")}}, False, ["Again"]),
        ({"response_action": "push", "view": _FORM | {"title": _plain("Sure?")}}, False, ["Set page", "Sure?"]),
    ],
)
async def test_what_a_sent_form_is_answered_with(
    slack_server: SlackServer, club: Club, answer: Json, is_closed: bool, titles: list[str]
) -> None:
    async with running(slack_server) as trial:

        @trial.app.view("set_page")
        async def take(ack: Any) -> None:
            await ack(answer)

        form = (await _opened(slack_server, club, trial)).modal
        assert form is not None
        sent = await slack_server.responded(slack_server.submit(form, _FILLED))
    assert form.is_closed is is_closed
    assert sent.errors == answer.get("errors", {})
    assert [one.content["title"]["text"] for one in (form, *sent.opened)] == titles


async def test_slacks_app_asks_for_what_is_required(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:
        form = (await _opened(slack_server, club, trial)).modal
    assert form is not None
    with pytest.raises(AssertionError, match=r"asks for \['title'\] first"):
        slack_server.submit(form, {"page": "120"})
    with pytest.raises(AssertionError, match="stops at max_length"):
        slack_server.submit(form, _FILLED | {"page": "123456"})
    with pytest.raises(AssertionError, match="nothing to fill in"):
        slack_server.submit(form, _FILLED | {"colour": "blue"})


async def test_an_external_select_is_told_what_was_typed(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:

        @trial.app.options("title")
        async def offer(ack: Any, payload: Json) -> None:
            await ack(options=[{"text": _plain(f"{payload['value']}..."), "value": "b_1"}])

        form = (await _opened(slack_server, club, trial)).modal
        assert form is not None
        typed = await slack_server.responded(slack_server.suggest(form, "title", "Mob", user=club.ada))
        with pytest.raises(AssertionError, match="so few letters"):
            slack_server.suggest(form, "title", "", user=club.ada)
    assert typed.options is not None
    assert [one["text"]["text"] for one in typed.options] == ["Mob..."]


async def test_too_many_options_fail_the_test() -> None:
    with pytest.raises(AssertionError, match="too_many_options"):
        async with SlackServer() as server, running(server) as trial:

            @trial.app.options("title")
            async def offer(ack: Any) -> None:
                await ack(options=[{"text": _plain("x"), "value": str(number)} for number in range(101)])

            club = server.add_club()
            form = (await _opened(server, club, trial)).modal
            assert form is not None
            await server.responded(server.suggest(form, "title", "x", user=club.ada))


async def test_a_trigger_is_good_once_and_for_three_seconds(slack_server: SlackServer, club: Club) -> None:
    used = slack_server.slash("/setpage", user=club.ada, channel=club.channel)
    late = slack_server.slash("/setpage", user=club.ada, channel=club.channel, expired=True)
    async with calling(slack_server) as client:
        await client.views_open(trigger_id=used.trigger_id, view=_FORM)
        for trigger, error in (
            (used.trigger_id, "exchanged_trigger_id"),
            (late.trigger_id, "expired_trigger_id"),
            ("1.2.3", "invalid_trigger_id"),
        ):
            with pytest.raises(SlackApiError, match=error):
                await client.views_open(trigger_id=trigger, view=_FORM)
        with pytest.raises(SlackApiError, match="invalid_arguments"):
            await client.views_open(trigger_id=late.trigger_id, view=_FORM | {"title": _plain("x" * 25)})


async def test_an_update_needs_the_hash_that_it_names(slack_server: SlackServer, club: Club) -> None:
    used = slack_server.slash("/setpage", user=club.ada, channel=club.channel)
    async with calling(slack_server) as client:
        view = (await client.views_open(trigger_id=used.trigger_id, view=_FORM))["view"]
        await client.views_update(view_id=view["id"], view=_FORM, hash=view["hash"])
        with pytest.raises(SlackApiError, match="hash_conflict"):
            await client.views_update(view_id=view["id"], view=_FORM, hash=view["hash"])
        with pytest.raises(SlackApiError, match="not_found"):
            await client.views_update(view_id="V0NOWHERE", view=_FORM)
    assert used.modal is not None
    assert len(used.modal.versions) == 2


async def test_forms_are_stacked_three_high(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:
        form = (await _opened(slack_server, club, trial)).modal
        assert form is not None
        button = {"type": "button", "action_id": "edit", "text": _plain("Set page")}
        form.versions.append(_FORM | {"blocks": [{"type": "actions", "elements": [button]}]})
        for error in (None, None, "push_limit_reached"):
            pressed = slack_server.press_in(form, "edit", user=club.ada)
            if error is None:
                await trial.client.views_push(trigger_id=pressed.trigger_id, view=_FORM)
                assert pressed.opened[0].previous_id == form.id
            else:
                with pytest.raises(SlackApiError, match=error):
                    await trial.client.views_push(trigger_id=pressed.trigger_id, view=_FORM)


async def test_a_form_that_is_closed_is_told_where_the_app_asked_for_it(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:
        closed: list[str] = []

        @trial.app.view_closed("set_page")
        async def take(ack: Any, view: Json) -> None:
            closed.append(view["id"])
            await ack()

        form = (await _opened(slack_server, club, trial)).modal
        assert form is not None
        slack_server.close(form, user=club.ada)
        await slack_server.settled()
    assert closed == [form.id]
