"""What every PollRepository does."""

import pytest

from core.domain.poll import Proposal
from core.ports.polls import PollRepository
from tests.contracts.stores import Stores

_CLUB = {"scope": "local", "place": "club"}
_OTHER = {"scope": "local", "place": "other"}
_EMMA, _DRACULA = Proposal(title="Emma", author="Jane Austen"), Proposal(title="Dracula “Æ” 🙂")


@pytest.fixture
def polls(stores: Stores) -> PollRepository:
    return stores.polls


async def test_a_member_has_one_proposal_in_a_club(polls: PollRepository) -> None:
    assert await polls.proposals(**_CLUB) == []
    await polls.propose(**_CLUB, member_id="ada", proposal=Proposal(title="Ulysses"))
    await polls.propose(**_CLUB, member_id="ada", proposal=_EMMA)
    await polls.propose(**_CLUB, member_id="bo", proposal=_DRACULA)
    await polls.propose(**_CLUB, member_id="cy", proposal=Proposal(title="EMMA"))
    await polls.propose(**_OTHER, member_id="ada", proposal=Proposal(title="Walden"))
    found = await polls.proposals(**_CLUB)
    assert [each.title.casefold() for each in found] == [_DRACULA.title.casefold(), "emma"]
    assert [each.title for each in await polls.proposals(**_OTHER)] == ["Walden"]


async def test_a_member_has_one_vote_until_the_poll_is_closed(polls: PollRepository) -> None:
    assert await polls.latest(**_CLUB) is None
    assert await polls.close(**_CLUB) is None
    poll = await polls.begin(**_CLUB, proposals=[_EMMA, _DRACULA])
    assert (poll.proposals, poll.is_open, poll.votes) == ((_EMMA, _DRACULA), True, 0)
    for member_id, option in (("ada", 0), ("bo", 1), ("ada", 1)):
        assert await polls.vote(**_CLUB, poll_id=poll.poll_id, member_id=member_id, option=option)
    for option in (2, -1):
        assert await polls.vote(**_CLUB, poll_id=poll.poll_id, member_id="cy", option=option) is None
    assert await polls.vote(**_OTHER, poll_id=poll.poll_id, member_id="cy", option=0) is None
    closed = await polls.close(**_CLUB)
    assert closed == await polls.latest(**_CLUB)
    assert closed is not None
    assert (closed.counts, closed.votes, closed.leaders, closed.is_open) == ({1: 2}, 2, (_DRACULA,), False)
    assert await polls.vote(**_CLUB, poll_id=poll.poll_id, member_id="cy", option=0) is None
    assert await polls.close(**_CLUB) is None
