"""Carries out what members ask for by a command, a button or a form, and shows what comes of it."""

import logging
from collections.abc import Awaitable, Callable, Sequence

from adapters.platform.replies import public_line, sentence_for
from adapters.slack.blocks import Spot, answer_choices
from adapters.slack.calls import LOST, RefusedError
from adapters.slack.listening import ref_of, thread_of
from adapters.slack.private import Interaction, tell
from adapters.slack.texts import as_typed_in_threads, escaped
from core.app.commands.values import CommandRequest, CommandResponse
from core.domain.question import IncomingMessage

_log = logging.getLogger(__name__)

_FEW: dict[str, str] = {
    "not_in_channel": "I am not a member of this channel: please /invite me.",
    "channel_not_found": "I am not a member of this channel: please /invite me.",
}
Act = Callable[[], Awaitable[CommandResponse]]
Told = Callable[[Exception], bool] | None


async def run(used: Interaction, words: str, text: str, *, again: bool = False, told: Told = None) -> Exception | None:
    """Run one of core's commands and show what comes of it; return what went wrong, which the member was told."""
    if words == "chat":
        return await carry_out(used, lambda: open_thread(used, text), told=told)
    commands = used.workspace.services.commands
    return await carry_out(used, lambda: commands.run(words, used.request(text)), again=again, told=told)


async def carry_out(used: Interaction, act: Act, *, again: bool = False, told: Told = None) -> Exception | None:
    """Do what was asked and show what comes of it.

    Args:
        used: by whom, and where.
        act: what was asked.
        again: an earlier attempt may have shown it.
        told: tells the member what went wrong in a better place; False where it cannot.
    """
    try:
        await _show(used, await act(), again=again)
    except Exception as error:  # noqa: BLE001 (whatever it is, the member hears a sentence)
        if told is None or not told(error):
            await tell(used, sentence_for(used.ref, error))
        return error
    if used.is_organiser and not used.direct:
        notices = used.workspace.notices.take(used.workspace.me.team_id)
        if notices:
            await tell(used, "\n".join(notices))
    return None


async def _show(used: Interaction, response: CommandResponse, *, again: bool) -> None:
    """Post the public line with its buttons; where it cannot stand in the channel, the member has it all."""
    choices, private = response.choices, response.text
    if response.announcement:
        why_not = await _announce(used, response, again=again)
        if why_not is None:
            choices = ()
        else:
            private = f"{response.announcement}\n({why_not} So only you see this.)\n\n{private}".strip()
    if private:
        await tell(used, private, choices=choices)


async def _announce(used: Interaction, response: CommandResponse, *, again: bool) -> str | None:
    """Post what all may read; return why that is not possible."""
    line = public_line(response.announcement, used.member.display_name, escaped) + _links(used, response.names)
    if used.spot.thread_ts is not None:
        line = as_typed_in_threads(line, used.workspace.me.name)
    try:
        await used.workspace.posting.post(used.spot, line, ref=used.ref, choices=response.choices, again=again)
    except RefusedError as error:
        _log.warning("No public line in channel %s: %s", used.spot.channel, error)
        return _FEW.get(error.code, "I may not write in this channel.")
    except LOST as error:
        _log.warning("No public line in channel %s: %s", used.spot.channel, error)
        return "I could not reach this channel."
    return None


def _links(used: Interaction, threads: Sequence[str]) -> str:
    """Return the threads that an announcement is about as links: on Slack a thread has no name."""
    links = [
        f"[{number}]({used.workspace.link_to(used.spot.channel, ts)})" for number, ts in enumerate(threads, start=1)
    ]
    return f" ({', '.join(links)})" if links else ""


async def open_thread(used: Interaction, question: str) -> CommandResponse:
    """Begin a thread where the command was used, say in it where everybody stands, or answer a question at once."""
    workspace, services = used.workspace, used.workspace.services
    response = await services.commands.run("chat", used.request(question))
    line = public_line(response.announcement, used.member.display_name, escaped)
    channel = Spot(channel=used.spot.channel)
    try:
        (begun, *_) = (await workspace.posting.post(channel, line, ref=used.ref)).messages
    except RefusedError as error:
        return CommandResponse(text=_FEW.get(error.code, "I may not write in this channel."))
    spot = Spot(channel=used.spot.channel, thread_ts=begun)
    request = CommandRequest(
        thread=thread_of(workspace.me.team_id, spot.channel, begun, user_id=used.user_id, direct=used.direct),
        member=used.member,
        is_organiser=used.is_organiser,
    )
    if question.strip():
        await _answer(used, spot, request, question)
    else:
        where = await services.commands.run("where", request)
        text = as_typed_in_threads(where.announcement, workspace.me.name)
        await workspace.posting.post(spot, text, ref=f"{used.ref}:where")
    return CommandResponse()


async def _answer(used: Interaction, spot: Spot, request: CommandRequest, question: str) -> None:
    """Repeat the question for all to see, and answer it as if it had been asked in the thread."""
    posting = used.workspace.posting
    line = public_line(f"{used.member.display_name} asks: {question}", used.member.display_name, escaped)
    (asked, *_) = (await posting.post(spot, line, ref=f"{used.ref}:asked")).messages
    ref = ref_of(used.workspace.me.team_id, spot.channel, asked)
    reply = await used.workspace.services.answer_message.execute(
        IncomingMessage(thread=request.thread, author=request.member, text=question, ref=ref)
    )
    await posting.post(
        spot,
        as_typed_in_threads(reply.text, used.workspace.me.name),
        ref=ref,
        footer=reply.footer,
        choices=answer_choices(reply.turn_id) if reply.turn_id is not None else (),
        turn_id=reply.turn_id,
    )
