"""The status line under a thread shows the current step, and disappears with the answer."""

from core.domain.chat_event import ChatEvent, DraftMadeEvent, ToolInvocationEvent, ToolResultEvent, TurnBegunEvent
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import Running
from tests.builders import a_passage
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

SEARCH = ToolInvocationEvent(tool_name="search_book", arguments={"query": "lamp"})
FOUND = ToolResultEvent(query="lamp", result_count=1, results=[a_passage(page=97)])


class SteppingAnswers(ScriptedAnswers):
    """Emits one event after another, each when the test says so."""

    def tell(self, event: ChatEvent) -> None:
        assert self.sink is not None
        self.sink(event)


async def test_the_line_changes_with_the_current_step(slack_server: SlackServer, club: Club, settling: Running) -> None:
    answers = SteppingAnswers(held=["Who?"])
    async with settling(answers):
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await answers.was_asked()
        answers.tell(TurnBegunEvent(asked="Who lit the lamp?"))
        told: list[str] = []
        for event, words in (
            (SEARCH, "is at work: Searching for “lamp” …"),
            (FOUND, "is at work: Reading p. 97 …"),
            (DraftMadeEvent(), "is at work: Checking what I wrote …"),
        ):
            answers.tell(event)
            told = await slack_server.wait_for(
                lambda: [
                    one
                    for one in slack_server.platform.statuses.get((club.channel.id, asked.ts), [])
                    if one == words  # noqa: B023
                ]
            )
        assert told == ["is at work: Checking what I wrote …"]
        answers.release("Who?")
        await slack_server.answer_to(asked)
