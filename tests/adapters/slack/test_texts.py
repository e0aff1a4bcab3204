"""Texts between Slack and core: members' text as they see it, and core's text in Slack's format."""

import json
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.listening import order_of, ts_of
from adapters.slack.render import (
    MOST_IN_MESSAGE,
    MOST_IN_SECTION,
    OWN_LINK,
    Spot,
    as_typed,
    body_of,
    escaped,
    fallback,
    harmless,
    mrkdwn,
    parts_of,
    without_bot,
)
from tests.platform_servers.slack.mentions import pings

_PIECES = st.lists(
    st.sampled_from(
        ["<", ">", "!", "@", "#", "&", "|", "here", "channel", "everyone", "U0A1", "subteam^S1", "\\", "`", "*", " ",
         "\n", "&lt;", "```", "||", "http://x.y", "a word"],
    ),
    max_size=60,
).map("".join)  # fmt: skip


@given(_PIECES)
def test_no_text_pings_whatever_it_is_made_of(text: str) -> None:
    for part in parts_of(text, about=Spot(channel="C1")):
        for in_sections in (False, True):
            body = body_of(part, in_sections=in_sections)
            assert pings(body, {}) == set()


@given(_PIECES.map(lambda text: text * 200))
def test_every_part_fits(text: str) -> None:
    for part in parts_of(text, about=Spot(channel="C1")):
        assert len(body_of(part)["blocks"][0]["text"]) <= MOST_IN_MESSAGE
        sections = body_of(part, in_sections=True)["blocks"]
        assert all(len(block["text"]["text"]) <= MOST_IN_SECTION for block in sections)
        assert len(sections) <= 50


@given(_PIECES, st.booleans())
def test_a_notification_says_no_more_than_the_message(text: str, in_sections: bool) -> None:
    for part in parts_of(text, about=Spot(channel="C1")):
        body = body_of(part, in_sections=in_sections)
        shown = unescape(unescape(json.dumps(body["blocks"], ensure_ascii=False)))
        assert [word for word in re.findall(r"\w+", unescape(unescape(body["text"]))) if word not in shown] == []


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<@U0BOT> Who?", "Who?"),
        ("<@U0BOT|thusfar>, who?", ", who?"),
        ("Ask <@U0ADA>", "Ask <@U0ADA>"),
        ("<#C123|books> and <#C124>", "#books and #channel"),
        ("<!here> <!channel|everybody> <!subteam^S1|@readers> <!subteam^S1>", "@here everybody @readers @somebody"),
        ("<https://x.y/z|there> <https://x.y/z> <mailto:a@b.c|a@b.c>", "there https://x.y/z a@b.c"),
        ("&lt;b&gt; &amp;amp;", "<b> &amp;"),
        ("<!date^1700000000^{date}|yesterday>", "yesterday"),
    ],
)
def test_members_text_is_read_as_they_see_it(written: str, read: str) -> None:
    assert without_bot(written, "U0BOT") == read


def test_text_is_left_alone_where_nothing_in_it_is_dangerous() -> None:
    text = "# A *line* with `code`, a < b & c > d, me@example.org, @ada and **bold**.\n\n> quoted"
    assert harmless(text) == text
    assert fallback(text).count("&amp;") == 1


def test_a_link_in_a_book_is_not_clickable_and_shows_its_target() -> None:
    assert harmless("[here](https://x.y/archives/C01/p17) <https://x.y|here>") == (
        "[here]\u200b(https://x.y/archives/C01/p17) <\u200bhttps://x.y|here>"
    )


def test_our_own_links_stay_clickable() -> None:
    (part,) = parts_of(f"[1]{OWN_LINK}(https://x.y/1)", about=Spot(channel="C01"))
    body = body_of(part)
    assert [block["text"] for block in body["blocks"]] == ["[1](https://x.y/1)"]
    assert body["text"] == "1"
    assert mrkdwn(part.text) == "1 (https://x.y/1)"


def test_a_name_is_shown_unchanged() -> None:
    assert escaped("*Eve*_|~`[x](y)") == "\\*Eve\\*\\_\\|\\~\\`\\[x\\](y)"
    assert fallback(escaped("*Eve*_x")) == "*Eve*_x"


def test_commands_are_shown_as_they_are_typed_in_a_thread() -> None:
    text = "Tell me with `/setpage 120` or `/book use sample`, as in a/setpage."
    assert as_typed(text, "thusfar", in_thread=True) == (
        "Tell me with `@thusfar setpage 120` or `@thusfar book use sample`, as in a/setpage."
    )
    assert as_typed(text, "thusfar", in_thread=False) == (
        "Tell me with `/setpage 120` or `/thusfar book use sample`, as in a/setpage."
    )


@pytest.mark.parametrize("ts", ["1700000000.000100", "1700000000.123456", "0000000001.000000"])
def test_a_ts_converts_to_a_number_and_back(ts: str) -> None:
    assert order_of(ts_of(order_of(ts))) == order_of(ts)
    assert order_of("1700000000.000200") > order_of("1700000000.000100")
