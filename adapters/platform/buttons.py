"""Buttons that survive a restart: their id holds the command, and core checks it when they are pressed."""

import re
from typing import Final

from adapters.platform.commands import CommandFlow
from adapters.platform.services import PlatformServices
from adapters.platform.surface import Post, RefusedError, Surface
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice, CommandResponse
from core.club.questions.question_commands import under_every_answer, under_the_text
from core.domain.errors import BookError, PositionError, ThusfarError

_PATTERN: Final = re.compile(
    r"tf1(?:@(?P<about>\d{1,20}))?:(?P<command>\.[a-z-]+):(?P<text>.*?)(?::(?P<seal>[\w-]{12}))?", re.DOTALL | re.ASCII
)

SHOW: Final = ".post"
"""The command that shows a private answer to everyone; the only button command not handled by core alone."""
THUMBS: Final = {"👍": sentence("This answer helped"), "👎": sentence("This answer didn't help")}
"""The feedback buttons' labels, with their meaning in words."""
_UNDER_ANSWERS: Final = {"👍": ".up", "👎": ".down"}
"""The feedback buttons under every public answer that rests on the book: label and command."""
NOT_VALID: Final = sentence("That button isn't valid any more. Ask me again, or type the command.")
_STAYS_PRIVATE: Final = sentence("I can't write here, so only you see the answer.")


def button_id(choice: Choice, *, longest: int, about: int | None = None) -> str:
    """Return the id of a button.

    Raises:
        ValueError: it is longer than the platform allows.
    """
    made = f"tf1{'' if about is None else f'@{about}'}:{choice.command}:{choice.text}:{choice.seal}"
    if len(made) > longest:
        raise ValueError(f"A button id cannot hold {made}.")
    return made


def pressed_in(made: object) -> tuple[Choice, int | None] | None:
    """Return an id's choice and the number after its `@`, both unchecked; None if it is no button id."""
    found = _PATTERN.fullmatch(made) if isinstance(made, str) else None
    if found is None:
        return None
    about = found["about"]
    choice = Choice(label="", command=found["command"], text=found["text"], seal=found["seal"] or "")
    return choice, None if about is None else int(about)


def answer_choices(post: Post) -> tuple[Choice, ...]:
    """Return the buttons under a public answer; none if no turn was stored.

    An answer that doesn't rest on the book can only be saved for later, and reported if a model wrote it.
    """
    if post.turn_id is None or post.answers_nothing:
        return ()
    last = under_every_answer(post.turn_id, by_model=post.by_model)
    if not post.rests_on_book:
        return tuple(last)
    more = under_the_text(post.turn_id, has_more=post.has_more)
    under = (Choice(label=label, command=command, text=str(post.turn_id)) for label, command in _UNDER_ANSWERS.items())
    return (*more, *under, *last)


class ButtonFlow:
    """Runs a button's command for the member who pressed it."""

    def __init__(self, services: PlatformServices, commands: CommandFlow) -> None:
        self._services = services
        self._commands = commands

    async def press(
        self, surface: Surface, choice: Choice, *, typed: str | None = None, again: bool = False
    ) -> Exception | None:
        """Run a button's command if its signature is valid; otherwise tell the member in one private sentence.

        `typed` is the text of the button's form, if it has one. `again` means that an earlier process may have run it.
        Returns the error, which the member was told, or None.
        """
        if not await surface.proves(choice):
            forged = ThusfarError(say(NOT_VALID))
            await surface.refuse(forged, str(forged))
            return forged
        if typed is not None:
            return await self._commands.run(surface, choice.command, typed, again=again)
        command, text = choice.command, choice.text
        if command == SHOW:
            failed = await self._commands.carry_out(surface, lambda: self._show_to_all(surface, int(text)))
        else:
            failed = await self._commands.run(surface, command, text, again=again)
        stays = self._services.commands.stays
        if not stays(command) and (failed is None or isinstance(failed, (PositionError, BookError))):
            await surface.retire_buttons(stays)
        return failed

    async def _show_to_all(self, surface: Surface, turn_id: int) -> CommandResponse:
        """Post a member's private answer publicly; pressing twice posts it once.

        Raises:
            ThusfarError: it isn't theirs, it is gone, or the bot may not write there.
        """
        request = await self._commands.request(surface)
        asker = request.member
        answer = await self._services.answers.postable(turn_id, thread=request.thread, member_id=asker.member_id)
        ref = f"shown:{turn_id}"
        try:
            if answer.goes_beyond:
                await surface.post_hidden(answer, turn_id=turn_id, asker=asker, ref=ref)
            else:
                await surface.post(
                    Post(
                        text=shown_text(answer.question, answer.text, asker.display_name, surface),
                        ref=ref,
                        footer=answer.footer,
                        again=True,
                    )
                )
        except RefusedError:
            raise ThusfarError(say(_STAYS_PRIVATE)) from None
        return CommandResponse(text=say("Everyone can see it here now."))


def shown_text(question: str, answer: str, asker: str, surface: Surface) -> str:
    """Return a private answer, with its question, as everyone may read it."""
    asked = say("**{name} asked:** {question}", name=surface.escape(asker), question=surface.quoted(question))
    return f"{asked}\n\n{answer}"
