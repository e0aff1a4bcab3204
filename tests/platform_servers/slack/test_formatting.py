"""Whom a message pings, what it shows, and whether its links get previews."""

import pytest

from tests.platform_servers.slack.mentions import pings
from tests.platform_servers.slack.world import Json

_USER = "<@U0A00000001>"
_BUTTON = {"type": "button", "action_id": "a", "text": {"type": "plain_text", "text": "<!channel>"}}
_RICH = {
    "type": "rich_text",
    "elements": [
        {
            "type": "rich_text_section",
            "elements": [
                {"type": "text", "text": "<!here> "},
                {"type": "user", "user_id": "U0A00000001"},
                {"type": "broadcast", "range": "channel"},
            ],
        }
    ],
}


def _blocks(kind: str, text: str) -> Json:
    if kind == "markdown":
        return {"text": "", "blocks": [{"type": "markdown", "text": text}]}
    if kind == "context":
        return {"text": "", "blocks": [{"type": "context", "elements": [{"type": "mrkdwn", "text": text}]}]}
    if kind == "fields":
        return {"text": "", "blocks": [{"type": "section", "fields": [{"type": "mrkdwn", "text": text}]}]}
    if kind == "text":
        return {"text": text}
    return {"text": "", "blocks": [{"type": "section", "text": {"type": kind, "text": text}}]}


@pytest.mark.parametrize("kind", ["text", "mrkdwn", "markdown", "context", "fields"])
@pytest.mark.parametrize(
    ("text", "pinged"),
    [
        (f"hello {_USER}", {"U0A00000001"}),
        ("hello <@U0A00000001|ada>", {"U0A00000001"}),
        ("<!channel>", {"channel"}),
        ("<!here|here> and <!everyone>", {"here", "everyone"}),
        ("<!subteam^S0A00000001|@readers>", {"S0A00000001"}),
        ("`<!channel>`", {"channel"}),
        ("&lt;!channel&gt; and &lt;@U0A00000001&gt;", set()),
        ("<#C0A00000001> <https://example.org|@ada> mail@channel.org", set()),
    ],
)
def test_a_mention_pings_in_every_kind_of_text(kind: str, text: str, pinged: set[str]) -> None:
    assert pings(_blocks(kind, text), {}) == pinged


@pytest.mark.parametrize(
    ("body", "options", "pinged"),
    [
        (_blocks("text", "@here @channel"), {}, set()),
        (_blocks("text", "@here @channel"), {"link_names": True}, {"here", "channel"}),
        (_blocks("text", "@everyone"), {"parse": "full"}, {"everyone"}),
        (_blocks("markdown", "@here"), {}, {"here"}),
        (_blocks("plain_text", "<!channel> @here"), {}, set()),
        ({"text": "<!channel>", "blocks": [{"type": "markdown", "text": "quiet"}]}, {}, {"channel"}),
        ({"text": "", "blocks": [{"type": "actions", "elements": [_BUTTON]}]}, {}, set()),
        ({"text": "", "blocks": [_RICH]}, {}, {"U0A00000001", "channel"}),
        ({"text": "", "attachments": [{"fallback": "<!here>"}]}, {}, {"here"}),
        (_blocks("text", "<!channel>"), {"mrkdwn": False}, set()),
    ],
)
def test_where_else_a_ping_may_hide(body: Json, options: Json, pinged: set[str]) -> None:
    assert pings(body, options) == pinged
