"""One member's message from the inbox to the posted answer: where to, what core says to it, how it is shown."""

import logging
from typing import Any, Final

from adapters.platform.intake.arrivals import Arrival, PendingAnswer
from adapters.platform.reactions import Reactions
from adapters.platform.replies import reply_to
from adapters.slack.blocks import Spot, answer_choices
from adapters.slack.books import BookUploads
from adapters.slack.calls import LOST, RefusedError
from adapters.slack.command_flow import run
from adapters.slack.listening import MemberMessage, place_of, said_by, thread_of
from adapters.slack.people import PLATFORM, Person
from adapters.slack.private import Interaction, tell
from adapters.slack.reactions import SlackMarkedMessage
from adapters.slack.status import StatusLine
from adapters.slack.texts import as_typed_in_threads, people_in, with_names
from adapters.slack.workspace import Workspace
from core.app.listening import opens_thread
from core.domain.errors import ThusfarError
from core.domain.question import IncomingMessage
from core.domain.thread import Thread

_log = logging.getLogger(__name__)

SlackTurn = PendingAnswer[MemberMessage, Spot]


class SlackAnswering:
    """Decides about messages and answers them."""

    not_reached: Final = LOST

    def __init__(self, workspace: Workspace, *, reactions: Reactions, uploads: BookUploads) -> None:
        self._workspace = workspace
        self._services = workspace.services
        self._reactions = reactions
        self._uploads = uploads
        self._status = StatusLine(workspace.calls)
        self._me = workspace.me

    def key_of(self, said: MemberMessage) -> str:
        """Return the thread that a message belongs to; a mention in a channel is about to open one."""
        if said.is_direct:
            return said.channel_id
        return place_of(said.team_id, said.channel_id, said.thread_ts or said.ts)

    async def turn_for(self, arrival: Arrival[MemberMessage]) -> SlackTurn | None:
        """Return the turn that a message asks for; None where it is not for the bot, or cannot be answered any more.

        Raises:
            OutOfReachError, TooOftenError: Slack is out of reach; it stays to be done.
        """
        if arrival.again and not await self._looked_again(arrival):
            return None
        said = arrival.said
        heard = said.heard(in_opened_thread=await self._stands_in_opened_thread(said))
        thread = self._thread(said, said.spot)
        author = f"{PLATFORM}:{said.author_id}"
        if not await self._services.hear_message.wants_answer(thread, heard, member_id=author):
            return None
        if not said.text and not said.files and not heard.mentions_bot:
            return None
        people = {user_id: await self._workspace.people.get(user_id) for user_id in people_in(said.text)}
        arrival.said = said.with_text(with_names(arrival.said.text, lambda user_id: _name(people, user_id)))
        message = SlackMarkedMessage(
            self._workspace.calls,
            channel=said.channel_id,
            ts=said.ts,
            notices=self._workspace.notices,
            team_id=self._me.team_id,
        )
        return PendingAnswer(arrival=arrival, channel=said.spot, heard=heard, reactions=self._reactions.on(message))

    async def execute(self, turn: SlackTurn) -> bool:
        """Answer; False where Slack is out of reach, so that it must be taken up again later."""
        turn.reactions.begins()
        try:
            await self._answer(turn)
        except LOST as error:
            _log.warning("The answer to %s could not be posted: %s", turn.arrival.said.ref, error)
            return False
        except RefusedError as error:
            _log.warning("The answer to %s was not taken: %s", turn.arrival.said.ref, error)
            turn.reactions.failed()
        return True

    async def _answer(self, turn: SlackTurn) -> None:
        said = turn.arrival.said
        person = await self._workspace.people.get(said.author_id)
        found = self._services.commands.said(said.text)
        if said.files and (found is None or found[0] == "book add"):
            title = found[1] if found is not None else ""
            if found is not None or said.is_direct:
                used = await self._used(turn, person)
                failed = await self._uploads.add(used, said.files, title)
                turn.reactions.failed() if failed else turn.reactions.answered()
                return
        if found is not None:
            failed_with = await run(await self._used(turn, person), *found, again=turn.arrival.again)
            turn.reactions.failed() if failed_with else turn.reactions.answered()
            return
        await self._talk(turn, person)

    async def _talk(self, turn: SlackTurn, person: Person) -> None:
        said = turn.arrival.said
        if opens_thread(turn.heard) and not turn.arrival.again:
            try:
                self._services.allowance.open_thread(self._thread(said, said.spot), person.author.member_id)
            except ThusfarError as error:
                turn.reactions.failed()
                await tell(await self._used(turn, person), str(error))
                return
        spot = Spot(
            channel=said.channel_id, thread_ts=said.thread_ts or (said.ts if opens_thread(turn.heard) else None)
        )
        async with self._status.shown(spot):
            incoming = IncomingMessage(
                thread=self._thread(said, spot), author=person.author, text=said.text, ref=said.ref
            )
            reply = await reply_to(incoming, services=self._services, reactions=turn.reactions)
            await self._workspace.posting.post(
                spot,
                as_typed_in_threads(reply.text, self._me.name),
                ref=said.ref,
                footer=reply.footer,
                choices=answer_choices(reply.turn_id) if reply.turn_id is not None else (),
                turn_id=reply.turn_id,
                again=turn.arrival.again,
                since=said.ts,
            )
        turn.reactions.posted()

    async def _used(self, turn: SlackTurn, person: Person) -> Interaction:
        """Return the message as a command that was used; outside any thread it is about the whole channel."""
        said = turn.arrival.said
        return Interaction(
            workspace=self._workspace,
            spot=said.spot,
            member=person.author,
            user_id=said.author_id,
            is_organiser=await self._workspace.people.is_organiser(said.author_id),
            ref=said.ref,
        )

    async def _stands_in_opened_thread(self, said: MemberMessage) -> bool:
        """Whether the bot opened the thread: it begins with a message of the bot's, or with a mention of it."""
        if said.thread_ts is None or said.is_direct:
            return False
        if said.parent_is_bot:
            return True
        place = place_of(said.team_id, said.channel_id, None)
        return await self._services.inbox.knows(platform=PLATFORM, place=place, message_id=said.thread_ts)

    async def _looked_again(self, arrival: Arrival[MemberMessage]) -> bool:
        """See what became of a message meanwhile; False where it is gone."""
        said, calls = arrival.said, self._workspace.calls
        window: dict[str, Any] = {"oldest": said.ts, "latest": said.ts, "inclusive": True, "limit": 2}
        try:
            if said.thread_ts is None:
                answer = await calls.ask(calls.client.conversations_history, channel=said.channel_id, **window)
            else:
                answer = await calls.ask(
                    calls.client.conversations_replies, channel=said.channel_id, ts=said.thread_ts, **window
                )
        except RefusedError as error:
            _log.info("What became of %s cannot be seen: %s", said.ref, error)
            return error.code not in ("channel_not_found", "not_in_channel", "thread_not_found", "message_not_found")
        message = next((one for one in answer.get("messages", []) if one.get("ts") == said.ts), None)
        if message is None:
            return False
        now = said_by({**message, "channel": said.channel_id}, team_id=self._me.team_id, bot_id=self._me.bot_user_id)
        if now is not None and now.text:
            arrival.said = said.with_text(now.text)
        return True

    def _thread(self, said: MemberMessage, spot: Spot) -> Thread:
        return thread_of(self._me.team_id, spot.channel, spot.thread_ts, user_id=said.author_id, direct=said.is_direct)


def _name(people: dict[str, Person], user_id: str) -> str:
    return people[user_id].name if user_id in people else "somebody"
