"""Runs core's commands, whether typed, written in a message or chosen by a button, and shows their results."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import replace
from typing import Final

from adapters.platform.replies import answer, post_of, public_line, sentence_for
from adapters.platform.services import PlatformServices
from adapters.platform.surface import OutOfReachError, Picture, Post, RefusedError, Surface
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice, CommandRequest, CommandResponse, HandedFile, Suggestion, Who
from core.domain.errors import NotPermittedError, StorageError, ThusfarError
from core.domain.messages import asks_position
from core.domain.progress import ProgressChart
from core.domain.question import IncomingMessage
from core.domain.scopes import LOCAL_SCOPE

_log = logging.getLogger(__name__)

_TO_OFFER_S: Final = 2.0
NOT_HERE: Final = sentence("I'm not set up to speak in this channel.")
_NO_FILES: Final = sentence("I couldn't send the files here. The person who runs this bot can get them for you.")
_NOT_REACHED: Final = sentence("I couldn't reach this channel.")

Act = Callable[[], Awaitable[CommandResponse]]


class CommandFlow:
    """Runs commands in the place where they were used; a failure becomes one sentence to the member.

    `changed` is called after each successful command, since it may change what is shown elsewhere. Questions asked
    before a page was set are then answered, each in its thread; `answer_waiting` replaces that.
    """

    def __init__(
        self,
        services: PlatformServices,
        notices: "OrganiserNotices",
        *,
        answer_waiting: Callable[[Surface], Awaitable[None]] | None = None,
    ) -> None:
        self._services = services
        self._answer_waiting = answer_waiting or self._answer_in_threads
        self._notices = notices
        self.changed: Callable[[], None] = _nothing_else_changes

    async def request(self, surface: Surface, text: str = "", *, words: str = "") -> CommandRequest:
        """Return core's request for what was used.

        Raises:
            NotPermittedError: the operator does not let the bot speak there.
        """
        if not surface.is_allowed:
            raise NotPermittedError(say(NOT_HERE))
        person, command = await surface.person(), self._services.commands.get(words)
        of_server = command is not None and command.who is Who.SERVER_ORGANISERS
        return CommandRequest(
            thread=surface.thread,
            member=person.author,
            is_organiser=person.everywhere if of_server else person.is_organiser,
            text=text,
            ref=None if surface.thread.scope == LOCAL_SCOPE else surface.ref,
            scopes=surface.scopes,
            role_of=surface.role_of,
            typed_as=person.typed_as,
            can_be_asked=surface.can_be_asked,
        )

    async def run(self, surface: Surface, words: str, text: str, *, again: bool = False) -> Exception | None:
        """Run a command and show its result; return the error, which the member was told, or None."""

        async def act() -> CommandResponse:
            return await self._services.commands.run(words, await self.request(surface, text, words=words))

        if "forget" in words:  # a button can forget too; forgotten questions are not asked again
            self._services.addressing.waiting.take(surface.thread)
        return await self.carry_out(surface, act, again=again)

    async def suggestions(self, surface: Surface, words: str, typed: str) -> list[Suggestion]:
        """Return completions for the typed text; an empty list if core refuses or takes longer than two seconds."""
        try:
            async with asyncio.timeout(_TO_OFFER_S):
                request = await self.request(surface, typed, words=words)
                return await self._services.commands.suggest(words, request)
        except (ThusfarError, TimeoutError) as error:
            _log.debug("No suggestions for %s: %s", words, error)
            return []

    async def carry_out(self, surface: Surface, act: Act, *, again: bool = False) -> Exception | None:
        """Run `act` and show its result; `again` means that an earlier attempt may have shown it."""
        try:
            await self._show(surface, await act(), again=again)
        except Exception as error:  # noqa: BLE001 (every failure becomes a sentence to the member)
            await surface.refuse(error, sentence_for(surface.ref, error))
            failed: Exception | None = error
        else:
            failed = None
            self.changed()
            await self._answer_waiting(surface)
        await self._tell_notices(surface)
        return failed

    async def _show(self, surface: Surface, response: CommandResponse, *, again: bool) -> None:
        """Post the public line with its buttons; if it can't be posted, the member gets it privately."""
        if response.opens:
            response = await self._open_thread(surface, response, again=again)
        if response.waits is not None:
            self._services.addressing.waiting.add(response.waits)
        private, choices = response.text, response.choices
        if response.announcement:
            why_not = await self._announce(surface, response, again=again)
            if why_not is None:
                choices = ()
            else:
                only_you = say("({why_not} So only you see this.)", why_not=why_not)
                private = f"{response.announcement}\n{only_you}\n\n{private}".strip()
        choices = (*choices, *response.offers)
        await self._tell_member(surface, response, private, choices)
        if response.told_in_place:
            await self._post_in_channel(surface, response.told_in_place, again=again)

    async def _tell_member(
        self, surface: Surface, response: CommandResponse, private: str, choices: Sequence[Choice]
    ) -> None:
        """Show the member's own part of a response, if there is one."""
        if response.files:
            await self._hand_over(surface, private, response.files, choices)
        elif private:
            await _tell(surface, private, choices, response)
        else:
            await surface.finish()

    async def _hand_over(
        self, surface: Surface, text: str, files: Sequence[HandedFile], choices: Sequence[Choice]
    ) -> None:
        """Send files to the member alone; say so if the platform takes none."""
        try:
            await surface.hand_over(text, files, choices)
        except (RefusedError, OutOfReachError) as error:
            _log.warning("%s: %s", surface.ref, error)
            await surface.tell(say(_NO_FILES))

    async def _post_in_channel(self, surface: Surface, text: str, *, again: bool) -> None:
        """Post a text in the channel that the thread belongs to, if possible."""
        try:
            place = await surface.in_thread("")
            await place.post(Post(text=place.escape(text), ref=f"{surface.ref}:place", again=again))
        except (RefusedError, OutOfReachError) as error:
            _log.info("The change was not posted in %s: %s", surface.thread.place, error)

    async def _announce(self, surface: Surface, response: CommandResponse, *, again: bool) -> str | None:
        """Post the public line; return None, or the reason why it could not be posted."""
        line = public_line(response.announcement, (await surface.author()).display_name, surface.escape)
        line += surface.links_to(response.names)
        try:
            if response.hides and (told := await _hide_answers(surface, response.hides)):
                line += f" {told}"
            if response.puts_away is not None and await surface.put_away(response.puts_away, line, response.choices):
                return None
            picture = await _picture(surface, response, to_all=True)
            post = Post(text=line, ref=surface.ref, choices=response.choices, again=again, picture=picture)
            await surface.post(post)
        except (RefusedError, OutOfReachError) as error:
            _log.warning("The public line could not be posted in %s: %s", surface.thread.place, error)
            return say(error.sentence if isinstance(error, RefusedError) else _NOT_REACHED)
        return None

    async def _open_thread(self, surface: Surface, response: CommandResponse, *, again: bool) -> CommandResponse:
        """Open a thread, within the member's quota; ask the question in it, or post its first line."""
        request = await self.request(surface)
        name = request.member.display_name
        if not again:
            self._services.quota.open_thread(surface.thread, request.member.member_id)
        await self._services.addressing.opened_thread(surface.thread, request.member.member_id)
        line = public_line(response.announcement, name, surface.escape)
        thread = await surface.begin_thread(response.opens, line, again=again)
        if response.asks:
            await self._ask(thread, replace(request, thread=thread.thread, text=response.asks), surface.ref, again)
        else:
            first = response.begins or Choice(label="", command="where")
            there = replace(request, thread=thread.thread, text=first.text)
            said = await self._services.commands.run(first.command, there)
            await thread.post(Post(text=said.announcement, ref=f"{surface.ref}:where", again=again))
        return CommandResponse(text=surface.leads_to(thread))

    async def _ask(self, thread: Surface, request: CommandRequest, ref: str, again: bool) -> None:  # noqa: FBT001
        """Repeat a question publicly in the thread, and answer it there."""
        name = request.member.display_name
        asked = public_line(say("{name} asks: {question}", name=name, question=request.text), name, thread.escape)
        message_ref = await thread.post(Post(text=asked, ref=f"{ref}:asked", again=again))
        message = IncomingMessage(thread=request.thread, author=request.member, text=request.text, ref=message_ref)
        await answer(thread, message, services=self._services, again=again)

    async def _answer_in_threads(self, surface: Surface) -> None:
        """Answer the questions that waited for a page, each in its thread, if a page is set now."""

        async def answered(message: IncomingMessage) -> bool:
            try:
                reply = await self._services.answer_message.execute(message)
            except StorageError:
                raise
            except Exception:  # noqa: BLE001 (it would fail again)
                _log.exception("%s could not be answered.", message.ref)
                return True
            if asks_position(reply.text):
                return False
            try:
                there = surface
                if message.thread != surface.thread:
                    there = await surface.in_thread(message.thread.thread)
                self._services.addressing.answered(message, reply.text)
                await there.post(post_of(reply, ref=f"{message.ref}:waited"))
            except (RefusedError, OutOfReachError) as error:
                _log.info("The waiting question in thread %s could not be answered: %s", message.thread.thread, error)
            return True

        try:
            await self._services.addressing.answer_waiting(surface.thread, answered)
        except StorageError as error:
            # The command succeeded and must not run again; waiting questions are answered after the next command.
            _log.warning("The waiting questions in %s are not answered yet: %s", surface.ref, error)

    async def _tell_notices(self, surface: Surface) -> None:
        """If the member is an organiser, tell them about missing permissions and a budget that is nearly used."""
        club = surface.club
        if club is not None and (warning := await self._services.quota.warning()):
            self._notices.add(warning, of=club)
        if club is None or not self._notices.has(club) or not (await surface.person()).is_organiser:
            return
        if notices := self._notices.take(club):
            await surface.tell("\n".join(map(say, notices)))


class OrganiserNotices:
    """Notices for the organisers of each server or workspace: missing permissions, a budget that is nearly used.

    Each notice is kept until an organiser uses a command, and told once per process.
    """

    def __init__(self) -> None:
        self._all: dict[Hashable, list[str]] = {}
        self._told: set[tuple[Hashable, str]] = set()

    def add(self, sentence: str, *, of: Hashable = None) -> None:
        """Add a notice for the organisers of one server; for those of every server if `of` is None."""
        self._all.setdefault(of, []).append(sentence)

    def has(self, of: Hashable) -> bool:
        """Whether there are notices that the organisers of a server have not been told."""
        return bool(self._new(of))

    def take(self, of: Hashable) -> list[str]:
        """Return the new notices for the organisers of a server, and mark them as told."""
        new = self._new(of)
        self._told.update((of, each) for each in new)
        return new

    def _new(self, of: Hashable) -> list[str]:
        sentences = dict.fromkeys([*self._all.get(None, []), *self._all.get(of, [])])
        return [each for each in sentences if (of, each) not in self._told]


async def _hide_answers(surface: Surface, footers: frozenset[str]) -> str:
    """Hide answers that go beyond the current page; return a notice for everyone, or "" on failure."""
    try:
        return await surface.hide_answers(footers)
    except (OutOfReachError, RefusedError) as error:
        _log.warning("The answers in %s cannot be hidden: %s", surface.thread.place, error)
        return ""


async def _tell(surface: Surface, text: str, choices: Sequence[Choice], response: CommandResponse) -> None:
    if response.is_aside:
        await surface.aside(text, choices)
        return
    picture = None if response.announcement else await _picture(surface, response, to_all=False)
    await surface.tell(text, choices, picture=picture)


async def _picture(surface: Surface, response: CommandResponse, *, to_all: bool) -> Picture | None:
    """Return the picture of a response; None if there is none, or it can't be shown or drawn."""
    chart = response.chart
    if chart is None or not surface.shows_pictures(to_all=to_all):
        return None
    try:
        png = await asyncio.to_thread(_draw, chart)
    except (ImportError, OSError) as error:
        _log.warning("The picture could not be drawn: %s", error)
        return None
    return None if png is None else Picture(name="progress.png", png=png, description=chart.description)


def _draw(chart: ProgressChart) -> bytes | None:
    """Draw the chart; the drawing library is imported only when needed, since it loads slowly."""
    from adapters.platform.chart import drawn

    return drawn(chart)


def _nothing_else_changes() -> None:
    """Do nothing: nothing else has to be updated."""
