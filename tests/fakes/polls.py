"""What clubs may read next, in memory."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.domain.folding import folded
from core.domain.poll import Poll, Proposal
from core.ports.polls import PollRepository

_Club = tuple[str, str]


class InMemoryPollRepository(PollRepository):
    """Proposals by club and member, polls by club, and votes by poll."""

    def __init__(self) -> None:
        self._proposals: dict[_Club, dict[str, Proposal]] = {}
        self._polls: dict[_Club, Poll] = {}
        self._votes: dict[int, dict[str, int]] = {}

    async def propose(self, *, scope: str, place: str, member_id: str, proposal: Proposal) -> None:
        self._proposals.setdefault((scope, place), {})[member_id] = proposal

    async def proposals(self, *, scope: str, place: str) -> list[Proposal]:
        by_title = dict[str, Proposal]()
        theirs = self._proposals.get((scope, place), {}).values()
        for proposal in sorted(theirs, key=lambda each: (folded(each.title), not each.author)):
            by_title.setdefault(folded(proposal.title), proposal)
        return list(by_title.values())

    async def begin(self, *, scope: str, place: str, proposals: Sequence[Proposal]) -> Poll:
        poll = Poll(poll_id=len(self._votes) + 1, proposals=tuple(proposals), is_open=True)
        self._polls[scope, place] = poll
        self._votes[poll.poll_id] = {}
        return poll

    async def latest(self, *, scope: str, place: str) -> Poll | None:
        poll = self._polls.get((scope, place))
        return poll and replace(poll, counts=dict(Counter(self._votes[poll.poll_id].values())))

    async def vote(self, *, scope: str, place: str, poll_id: int, member_id: str, option: int) -> Poll | None:
        poll = self._polls.get((scope, place))
        if poll is None or poll.poll_id != poll_id or not poll.is_open or not 0 <= option < len(poll.proposals):
            return None
        self._votes[poll_id][member_id] = option
        return await self.latest(scope=scope, place=place)

    async def close(self, *, scope: str, place: str) -> Poll | None:
        poll = self._polls.get((scope, place))
        if poll is None or not poll.is_open:
            return None
        self._polls[scope, place] = replace(poll, is_open=False)
        return await self.latest(scope=scope, place=place)

    async def withdraw(self, *, scope: str, place: str, proposal: Proposal) -> None:
        theirs = self._proposals.get((scope, place), {})
        for member_id, kept in list(theirs.items()):
            if folded(kept.title) == folded(proposal.title):
                del theirs[member_id]
