"""The status line under a thread shows the current step, and disappears with the answer."""

from core.domain.chat_event import TokenUsageEvent, ToolInvocationEvent, ToolResultEvent
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import Running
from tests.builders import a_passage
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

SEARCH = ToolInvocationEvent(tool_name="search_book", arguments={"query": "lamp"})
FOUND = ToolResultEvent(query="lamp", result_count=1, results=[a_passage(page=97)])


class SteppingAnswers(ScriptedAnswers):
    """Emits one event after another, each when the test says so."""

    def tell(self, event: ToolInvocationEvent | ToolResultEvent | TokenUsageEvent) -> None:
        assert self.sink is not None
        self.sink(event)


async def test_the_line_changes_with_the_current_step(slack_server: SlackServer, club: Club, settling: Running) -> None:
    answers = SteppingAnswers(held=["Who?"])
    async with settling(answers):
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await answers.was_asked()
        told: list[str] = []
        for event, words in (
            (SEARCH, "is searching the pages read so far …"),
            (FOUND, "is reading p. 97 …"),
            (TokenUsageEvent(input_tokens=1, output_tokens=1), "is checking what it wrote …"),
        ):
            answers.tell(event)
            told = await slack_server.wait_for(
                lambda: [
                    one
                    for one in slack_server.platform.statuses.get((club.channel.id, asked.ts), [])
                    if one == words  # noqa: B023
                ]
            )
        assert told == ["is checking what it wrote …"]
        answers.release("Who?")
        await slack_server.answer_to(asked)
