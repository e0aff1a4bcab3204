"""The form of answers: Markdown blocks, split at sensible places, without pings, with the whole text as fallback."""

import pytest

from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import labels, pinged
from tests.platform_servers.slack.faults import refused
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message

PINGS = [
    "<!channel>",
    "<!here>",
    "<!everyone>",
    "<!channel|channel>",
    "<!subteam^S0123456>",
    "<!subteam^S0123456|@readers>",
    "<@U0A00000006>",
    "<@U0A00000006|ada>",
    "<@W0A00000006>",
    "<#C0A00000008>",
    "@here",
    "@channel",
    "@everyone",
    "@Here and @CHANNEL",
    "`@here` and `<!channel>`",
    "```\n<!channel> @here <@U0A00000006>\n```",
    "> <!here>",
    "**<!channel>**",
    "<<!channel>>",
    "&lt;!channel&gt;",
    "\\<!channel\\>",
    "\\\\<!channel>",
]


async def _answers(server: SlackServer, club: Club, count: int = 1) -> list[Message]:
    asked = server.mention(club.channel, club.ada, "Who?")
    await server.wait_for(lambda: len(server.replies_to(asked)) >= count)
    return server.replies_to(asked)


@pytest.mark.parametrize("in_sections", [False, True], ids=["markdown", "sections"])
async def test_no_text_pings_anyone(
    slack_server: SlackServer, club: Club, settling: Running, in_sections: bool
) -> None:
    said = "\n\n".join(f"Listen, {text}, all of you." for text in PINGS)
    async with settling(ScriptedAnswers(said)):
        if in_sections:
            slack_server.fail_next("chat.postMessage", refused("invalid_blocks"))
        (answer,) = await _answers(slack_server, club)
    kinds = {block["type"] for block in answer.blocks}
    assert ("markdown" in kinds) is not in_sections
    assert answer.pings == set()
    assert answer.options["link_names"] is False


async def test_an_answer_has_its_footer_and_its_buttons(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        (answer,) = await _answers(slack_server, club)
        other = slack_server.mention(club.channel, club.ada, "Who lit the lamp?")
        found = await slack_server.answer_to(other)
    assert answer.content.endswith("\n(up to p. 2)")
    assert labels(found) == ["More here", "More passages", "Keep for later", "Set page", "👍", "👎"]
    assert "\n&gt; Marrable the keeper" in found.text
    assert found.text.endswith("(up to p. 2)")
    assert found.blocks[0]["type"] == "markdown"
    assert "\n> Marrable the keeper" in found.blocks[0]["text"]


async def test_a_long_answer_is_split_and_each_part_has_its_whole_fallback(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    paragraphs = [f"Paragraph {number}. " + "A word and another. " * 50 for number in range(40)]
    said = "\n\n".join(paragraphs)
    async with settling(ScriptedAnswers(said)):
        parts = await _answers(slack_server, club, 4)
    markdown = [str(block["text"]) for part in parts for block in part.blocks if block["type"] == "markdown"]
    assert all(len(one) <= 12_000 for one in markdown)
    assert "".join(markdown).replace("\n", "").replace(" ", "") == said.replace("\n", "").replace(" ", "")
    assert all(part.text.startswith(one) for part, one in zip(parts, markdown, strict=True))
    assert [labels(part) for part in parts[:-1]] == [[]] * (len(parts) - 1)
    assert labels(parts[-1])
    assert all(one.startswith("Paragraph") for one in markdown)


async def test_if_markdown_is_refused_the_answer_uses_sections_from_then_on(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    said = (
        "# Who\n\n**Marrable** & <b>Ines</b>, see [there](https://example.org).\n\n> quoted\n\n"
        + "A word & more. " * 500
    )
    async with settling(ScriptedAnswers(said)):
        slack_server.fail_next("chat.postMessage", refused("invalid_blocks"))
        (answer,) = await _answers(slack_server, club)
        (again,) = await _answers(slack_server, club)
    sections = [block["text"] for block in answer.blocks if block["type"] == "section"]
    assert all(section["type"] == "mrkdwn" and len(section["text"]) <= 3_000 for section in sections)
    whole = "\n".join(section["text"] for section in sections)
    assert whole.startswith(
        "*Who*\n\n*Marrable* &amp; &lt;b&gt;Ines&lt;/b&gt;, see [there]\u200b(https://example.org).\n\n> quoted"
    )
    assert whole.count("A word &amp; more.") == 500
    assert answer.text.count("A word &amp; more.") == 500
    assert len(slack_server.calls_of("chat.postMessage")) == 3
    assert again.content == answer.content


@pytest.mark.parametrize("code", ["msg_too_long", "msg_blocks_too_long"])
async def test_a_message_that_slack_finds_too_long_is_posted_in_shorter_parts(
    slack_server: SlackServer, club: Club, settling: Running, code: str
) -> None:
    said = "A word and another. " * 500
    async with settling(ScriptedAnswers(said)):
        slack_server.fail_next("chat.postMessage", refused(code))
        parts = await _answers(slack_server, club, 3)
    assert sum(part.content.count("A word") for part in parts) == 500
    assert [bool(labels(part)) for part in parts] == [False] * (len(parts) - 1) + [True]
    assert pinged(parts) == set()


async def test_the_status_line_is_shown_until_the_answer_is_posted(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    async with settling(answers):
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.wait_for(lambda: slack_server.status_of(asked))
        answers.release("Who?")
    assert slack_server.status_of(asked) == ""


@pytest.mark.parametrize("way_out", ["an error", "a refused post", "a stop"])
async def test_the_status_line_is_removed_however_the_turn_ends(
    slack_server: SlackServer, club: Club, running: Running, way_out: str
) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    async with running(answers) as client:
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.wait_for(lambda: slack_server.status_of(asked))
        if way_out == "an error":
            answers.fail_with(RuntimeError("broken"))
        elif way_out == "a refused post":
            slack_server.fail_next("chat.postMessage", refused("restricted_action"))
        if way_out != "a stop":
            answers.release("Who?")
            await client.settled()
        else:
            await client.finish(within=0.05)
    assert slack_server.status_of(asked) == ""
