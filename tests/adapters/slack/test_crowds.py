"""Many messages from one member delay no one else."""

from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import Running
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

_A_MINUTE = 20


async def test_a_member_who_opens_too_many_threads_is_told_in_private(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    async with settling(ScriptedAnswers()):
        asked = [slack_server.mention(club.channel, club.ada, f"Question {number}?") for number in range(_A_MINUTE + 3)]
        await slack_server.wait_for(lambda: sum("warning" in one.reactions for one in asked) == 3)
        await slack_server.answer_to(slack_server.mention(club.channel, club.ben, "And me?"))
    assert len(slack_server.by_bot(club.channel)) == _A_MINUTE + 1
    (told,) = slack_server.seen_by(club.ada, club.channel)
    assert told.content.startswith("That was a lot at once")
    assert slack_server.seen_by(club.ben, club.channel) == []
