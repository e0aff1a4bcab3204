"""What Slack refuses in blocks and views, one case a rule."""

import pytest

from tests.platform_servers.slack.blocks import check_message, view_problems
from tests.platform_servers.slack.calls import RefusedError
from tests.platform_servers.slack.world import Json


def _plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def _button(**more: object) -> Json:
    return {"type": "button", "action_id": "a", "text": _plain("Press")} | more


def _actions(*elements: Json) -> Json:
    return {"type": "actions", "elements": list(elements)}


def _option(text: str = "One", value: str = "1") -> Json:
    return {"text": _plain(text), "value": value}


@pytest.mark.parametrize(
    ("block", "problem"),
    [
        ({"type": "poem"}, "unsupported type: poem"),
        ({"type": "input", "label": _plain("x"), "element": {"type": "plain_text_input"}}, "unsupported type: input"),
        ({"type": "section"}, "missing required field"),
        ({"type": "section", "text": {"type": "markdown", "text": "x"}}, "must be a text object"),
        ({"type": "section", "fields": [_plain("x")] * 11}, "no more than 10 items"),
        ({"type": "section", "fields": [_plain("x" * 2001)]}, "less than 2001 characters"),
        ({"type": "section", "text": _plain("x"), "accessory": {"type": "plain_text_input"}}, "unsupported type"),
        ({"type": "section", "text": _plain("x"), "block_id": "x" * 256}, "less than 256 characters"),
        ({"type": "header", "text": _plain("x" * 151)}, "less than 151 characters"),
        ({"type": "header", "text": {"type": "mrkdwn", "text": "x"}}, "must be a text object"),
        ({"type": "context", "elements": []}, "must have 1 to 10 items"),
        ({"type": "context", "elements": [{"type": "mrkdwn", "text": "x" * 2001}]}, "less than 2001 characters"),
        (_actions(), "must have 1 to 25 items"),
        (_actions(_button(), _button()), "`action_id` already exists"),
        (_actions(_button(text=_plain("x" * 76))), "less than 76 characters"),
        (_actions(_button(value="x" * 2001)), "less than 2001 characters"),
        (_actions(_button(action_id="x" * 256)), "less than 256 characters"),
        (_actions(_button(style="loud")), "must be primary or danger"),
        (_actions(_button(confirm={"title": _plain("?"), "confirm": _plain("x" * 31), "deny": _plain("No")})), "31"),
        (_actions({"type": "static_select", "action_id": "s", "options": []}), "must have 1 to 100 items"),
        (_actions({"type": "static_select", "action_id": "s", "options": [_option("x" * 76)]}), "76 characters"),
        (_actions({"type": "static_select", "action_id": "s", "options": [_option("x", "x" * 151)]}), "151 characters"),
        ({"type": "markdown", "text": ""}, "missing required field: text"),
        ({"type": "context_actions", "elements": [_button()]}, "unsupported type: button"),
    ],
)
def test_a_block_that_slack_refuses_in_a_message(block: Json, problem: str) -> None:
    with pytest.raises(RefusedError) as refused:
        check_message([block])
    assert refused.value.error == "invalid_blocks"
    (told,) = refused.value.body["response_metadata"]["messages"]
    assert problem in told


def test_two_blocks_with_one_name_are_refused() -> None:
    with pytest.raises(RefusedError, match="invalid_blocks"):
        check_message([{"type": "divider", "block_id": "a"}, {"type": "divider", "block_id": "a"}])


def test_unnamed_blocks_get_names_and_markdown_blocks_lose_theirs() -> None:
    named = check_message([{"type": "divider"}, {"type": "markdown", "text": "x", "block_id": "mine"}])
    assert all(one["block_id"] for one in named)
    assert named[1]["block_id"] != "mine"


_INPUT: Json = {"type": "input", "label": _plain("Page"), "element": {"type": "plain_text_input", "action_id": "p"}}


def _modal(*blocks: Json, **more: object) -> Json:
    return {"type": "modal", "title": _plain("Set page"), "submit": _plain("Set"), "blocks": list(blocks)} | more


@pytest.mark.parametrize(
    ("view", "problem"),
    [
        (_modal(_INPUT), None),
        ({"type": "home", "blocks": [{"type": "divider"}]}, None),
        (_modal(), "missing required field: blocks"),
        (_modal(_INPUT, type="window"), "unsupported type: window"),
        (_modal(_INPUT, title=_plain("x" * 25)), "less than 25 characters"),
        (_modal(_INPUT, private_metadata="x" * 3001), "less than 3001 characters"),
        (_modal({"type": "markdown", "text": "x"}), "unsupported type: markdown"),
        ({"type": "modal", "title": _plain("x"), "blocks": [_INPUT]}, "missing required field: submit"),
        (_modal(_INPUT | {"element": _button()}), "unsupported type: button"),
        (_modal(*[{"type": "divider"}] * 101), "no more than 100 items"),
    ],
)
def test_a_view_that_slack_refuses(view: Json, problem: str | None) -> None:
    told = list(view_problems(view))
    assert (not told) if problem is None else (len(told) == 1 and problem in told[0])
