"""Whatever comes in over a border is clean text, and whatever goes out does nothing on a platform but what is ours."""

import re
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.render import harmless, rendered, with_hidden
from adapters.slack.render import fallback, mrkdwn
from adapters.web.markup import Citable, as_html
from core.club.commands.values import CommandRequest
from core.domain.book import BookText, Chapter, Page, PageSource
from core.domain.clean_text import clean
from core.domain.conversation import Author
from core.domain.question import IncomingMessage
from core.domain.thread import Thread

_THREAD = Thread(scope="local", place="x", thread="")
_BAD = st.sampled_from(
    ["\ud83d", "\0", "\u202e", "\u2066", "\u200f", "\x1b[31m", "\u200b" * 9, "9" * 5000, "e" + "\u0301" * 40, "\r"]
)
_MARKS = r"""
[click](https://evil.example) ||hidden|| ```py <@123456789012345678> <@&12> <#12> </ask:12> <:kek:12> <a:kek:12>
@everyone ~~gone~~ ` `||x||` _under_ __init__ \ \\ | ]( * <
"""
_MARKUP = st.sampled_from(_MARKS.split())
_LINES = st.sampled_from(["\n# Big", "\n> ## Big", "\n- # Big", "\n-# small"])
_ANY = st.lists(st.one_of(_BAD, _MARKUP, _LINES, st.characters(), st.text(max_size=5))).map("".join)
_TAKES_EFFECT = re.compile(
    r"(?<!\\)(?:\\\\)*(?:\]\(|\|\||```)|<[@#/]|<a?:\w+:|^[>\-*+\s]*#{1,3}\s|@everyone", re.MULTILINE
)


_CODE = re.compile(r"(?<![\\`])((?:\\\\)*)`[^`\n]+`(?!`)")


def _is_clean(text: str) -> bool:
    text.encode()
    bad = [one for one in text if unicodedata.category(one) in {"Cc", "Cs"} and one not in "\n\t"]
    return not bad and not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f]|\u200b{3}|\\d{25}", text)


@given(_ANY)
def test_every_way_in_gives_clean_text(text: str) -> None:
    author = Author(member_id="local:1", display_name=text)
    book = BookText(
        title=text, author=text, pages=(Page(number=1, text="x"),), chapters=(), page_source=PageSource.ESTIMATED
    )
    ways = [
        clean(text),
        author.display_name,
        IncomingMessage(thread=_THREAD, author=author, text=text).text,
        CommandRequest(thread=_THREAD, member=author, is_organiser=True, text=text).text,
        book.title,
        book.author or "",
    ]
    assert all(map(_is_clean, ways))
    assert clean(clean(text)) == clean(text)


@given(_ANY)
def test_no_book_holds_what_stands_for_our_own_marks(text: str) -> None:
    """Behind U+FDD1 a link of its own would come to life in Slack, and U+FDD0 would hide its words on Discord."""
    given_text = f"{text}[click]\ufdd1(https://evil.example) \ufdd0hidden\ufdd0"
    book = BookText(
        title="Book",
        author=None,
        pages=(Page(number=1, text=given_text),),
        chapters=(Chapter(number=1, title=given_text, first_page=1, last_page=1),),
        page_source=PageSource.ESTIMATED,
    )
    assert len(book.pages[0].text) == len(given_text)
    assert not re.search("[\ufdd0-\ufdef]", book.pages[0].text + book.chapters[0].title)


@given(_ANY)
def test_nothing_that_a_book_or_a_member_wrote_takes_effect_on_discord(text: str) -> None:
    shown = harmless(text.replace("\ufdd0", "").replace("\ufdd1", ""))
    assert _is_clean(shown)
    assert _TAKES_EFFECT.search(_CODE.sub("", shown)) is None
    assert all(len(part) <= 2000 for part in rendered(text))


@given(_ANY)
def test_nothing_is_called_or_turned_about_in_slack_or_in_the_browser(text: str) -> None:
    html = str(as_html(text, Citable(pages={})))
    assert "<script" not in html.lower()
    assert "<a " not in html.lower()
    for shown in (mrkdwn(text), fallback(text), html):
        assert _is_clean(shown)
        assert not re.search("<[@!#]", shown)


@pytest.mark.parametrize(
    "kept", ["**bold** and *italics*", "- one\n- two", "1. one", "> quoted\n\n`/setpage 120`", "<t:1:F>"]
)
def test_our_own_markdown_stays_as_it_is(kept: str) -> None:
    assert harmless(kept) == kept


@pytest.mark.parametrize("before", ["``x`", "`a\nb`", f"`{'a' * 101}`"])
def test_what_only_we_take_for_code_holds_nothing_that_takes_effect(before: str) -> None:
    """Discord closes the code before it, and reads the rest as its mark-up."""
    shown = harmless(f"{before} [click](https://evil.example) ||hidden|| ~~gone~~ `y")
    assert _TAKES_EFFECT.search(shown) is None


@pytest.mark.parametrize("run", ["\n", "[", "**a ", "-", "> ", "`a "])
def test_a_long_run_of_marks_is_rendered_at_once(run: str) -> None:
    text = (run * 20_000)[:20_000]
    began = time.process_time()
    rendered(text)
    mrkdwn(text)
    fallback(text)
    assert time.process_time() - began < 1


def test_what_a_writer_hid_stays_hidden_and_nothing_else() -> None:
    assert harmless(with_hidden("||he dies|| _now_")) == "||he dies|| \\_now\\_"


def test_ordinary_words_of_any_script_stay_as_they_are() -> None:
    for text in ("Wer ist Klamm?", "¿Quién es José?", "الرجل", "👩‍👩‍👧 ok", "naïve — “quoted”", "می‌خواهم"):
        assert clean(text) == text
