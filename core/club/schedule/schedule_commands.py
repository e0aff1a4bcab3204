"""`schedule make`, and the commands for a saved schedule: `show`, `shift`, `skip`, `off`, `remind`."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from core.answering.threads import ThreadService
from core.catalogue.sentences import say, say_count, sentence
from core.club.commands.values import (
    SEPARATOR,
    Choice,
    Command,
    CommandGroup,
    CommandRequest,
    CommandResponse,
    Option,
    Who,
)
from core.club.schedule.schedule_forms import parse_plan, plan_of, plan_text
from core.club.schedule.schedules import HEAD, Schedules, kept_at, lines, needed, next_one
from core.domain.club_state import ClubState
from core.domain.errors import PositionError
from core.domain.messages import plain_name
from core.domain.schedule import Plan, Reminding, Schedule, schedule_of, sections_of
from core.domain.scopes import is_private
from core.domain.understanding import Intent

_SAVE: Final = ".schedule"
_ID_LENGTH: Final = 6
"""A reading is recognised by its last characters: a button has no room for more."""
_SHIFT: Final = re.compile(r"(?P<sign>[+-]?)\s*(?P<number>\d{1,3}|a|one)\s*(?P<unit>d|days?|w|weeks?)", re.IGNORECASE)
_SHIFT_FORM: Final = sentence("Say by how much: `/schedule shift +1 week` or `/schedule shift -3 days`.")
_REMIND_FORM: Final = sentence("Use `/schedule remind on`, `/schedule remind on @role`, or `/schedule remind off`.")
_UNKNOWN_ROLE: Final = sentence("I don't know that role. `/schedule remind on` reminds you without calling a role.")
_OVER: Final = sentence("All dates of this schedule have passed. `/schedule make` proposes a new one.")
_MOVED_ON: Final = sentence("{name} moved the dates on by {time}.")
_MOVED_BACK: Final = sentence("{name} moved the dates back by {time}.")
_GROUP: Final = CommandGroup(name="schedule", help=sentence("sections of the book, with dates"))


class ScheduleCommands:
    """The schedule commands for organisers and members."""

    def __init__(self, *, threads: ThreadService, schedules: Schedules) -> None:
        self._threads = threads
        self._schedules = schedules

    def commands(self) -> list[Command]:
        """Return the commands; the one behind the button comes last."""
        organisers = Who.ORGANISERS
        return [
            Command(
                words="schedule make",
                takes=Option(name="plan", hint=sentence("6 weeks from 2 March, Sundays 19:00 Europe/Berlin")),
                who=organisers,
                help=sentence("divide the book into sections with dates"),
                group=_GROUP,
                run=self._make,
            ),
            Command(
                words="schedule show",
                takes=Option(name="where", hint="here", is_optional=True, choices=("here",)),
                help=sentence("show what we read by when; `here` shows it to everyone"),
                intents=frozenset({Intent.SCHEDULE}),
                group=_GROUP,
                run=self._show,
            ),
            Command(
                words="schedule shift",
                takes=Option(name="by", hint=sentence("+1 week")),
                who=organisers,
                help=sentence("move all coming dates"),
                group=_GROUP,
                run=self._shift,
            ),
            Command(
                words="schedule skip", who=organisers, help=sentence("skip the next date"), group=_GROUP, run=self._skip
            ),
            Command(
                words="schedule off", who=organisers, help=sentence("end the schedule"), group=_GROUP, run=self._off
            ),
            Command(
                words="schedule remind",
                takes=Option(name="how", hint=sentence("on, on @role, or off")),
                who=organisers,
                help=sentence("turn reminders here on or off"),
                group=_GROUP,
                run=self._remind,
            ),
            Command(words=_SAVE, who=organisers, run=self._save),
        ]

    async def _make(self, request: CommandRequest) -> CommandResponse:
        """Propose a schedule; nothing is saved before the button is pressed."""
        plan = parse_plan(request.text, now=self._schedules.now())
        club = await self._threads.club(request.thread, request.member.member_id)
        proposed, name = _proposed(plan, club), club.page_name
        coming = proposed.coming(self._schedules.now())
        if not coming:
            raise PositionError(say("All of these dates have passed. Say `from` with the day you begin."))
        last = say("Nothing is saved yet.") if club.schedule is None else say("It replaces your current schedule.")
        if past := len(proposed.sections) - len(coming):
            passed = say_count(
                "The first date has already passed.", "The first {number} dates have already passed.", past
            )
            last = f"{last} {passed}"
        text = [say("**This is how I would divide the book:**"), *lines(proposed, name), kept_at(proposed), last]
        held = f"{plan_text(plan)}{SEPARATOR}{club.reading_id[-_ID_LENGTH:]}"
        return CommandResponse(text="\n".join(text), choices=(Choice(label=say("Keep"), command=_SAVE, text=held),))

    async def _save(self, request: CommandRequest) -> CommandResponse:
        """Save the proposed schedule, and show it to everyone; the reminder setting stays as it was."""
        plan, _, of_reading = request.text.rpartition(SEPARATOR)
        club = await self._threads.club(request.thread, request.member.member_id)
        if not club.reading_id.endswith(of_reading):
            raise PositionError(say("The club is reading another book now. Please use `/schedule make` again."))
        proposed, name, before = _proposed(plan_of(plan), club), club.page_name, club.schedule
        kept = replace(proposed, reminding=before.reminding if before else None)
        await self._schedules.keep(request.thread, club.reading_id, kept)
        hint = say("Saved. `/section open` opens a thread for the next section.")
        if kept.reminding is None:
            hint = " ".join((hint, say("I remind no one unless you say `/schedule remind on`.")))
        if is_private(request.thread.scope):
            hint = say("Saved. I won't remind you unless you say `/schedule remind on`.")
        return CommandResponse(text=hint, announcement="\n".join((say(HEAD), *lines(kept, name), kept_at(kept))))

    async def _show(self, request: CommandRequest) -> CommandResponse:
        wanted = request.text.strip().lower()
        if wanted not in {"", "here"}:
            raise PositionError(say("Use `/schedule show`, or `/schedule show here` to show it to everyone."))
        club, kept = await self._kept(request)
        name = club.page_name
        shown = [say(HEAD), *lines(kept, name, now=self._schedules.now()), kept_at(kept)]
        if wanted:
            return CommandResponse(announcement="\n".join(shown))
        is_over = not kept.coming(self._schedules.now())
        return CommandResponse(text="\n".join((*shown, say(_OVER) if is_over else _reminder_line(kept))))

    async def _shift(self, request: CommandRequest) -> CommandResponse:
        days, by = _shift_of(request.text)
        moved = _MOVED_BACK if days < 0 else _MOVED_ON
        news = say(moved, name=plain_name(request.name), time=by)
        return await self._moved(request, lambda kept: kept.shifted(days, self._schedules.now()), news)

    async def _skip(self, request: CommandRequest) -> CommandResponse:
        news = say(
            "{name} skipped the next date. Each coming section is due one date later.", name=plain_name(request.name)
        )
        return await self._moved(request, lambda kept: kept.skipping(self._schedules.now()), news)

    async def _off(self, request: CommandRequest) -> CommandResponse:
        club, _ = await self._kept(request)
        await self._schedules.drop(request.thread, club.reading_id)
        return CommandResponse(
            announcement=say(
                "{name} ended the schedule. There are no more dates or reminders.", name=plain_name(request.name)
            )
        )

    async def _remind(self, request: CommandRequest) -> CommandResponse:
        """Turn reminders in this thread on, or off; a reminder never moves a page."""
        club, kept = await self._kept(request)
        name = club.page_name
        word, _, role_text = request.text.strip().partition(" ")
        match word.lower():
            case "on":
                role = await request.role_of(role_text.strip()) if role_text.strip() else ""
                if role is None:
                    raise PositionError(say(_UNKNOWN_ROLE))
                reminding = Reminding(thread=request.thread.thread, role=role, wanted_by=request.member.member_id)
                kept = replace(kept, reminding=reminding)
            case "off" if not role_text:
                kept = replace(kept, reminding=None)
            case _:
                raise PositionError(say(_REMIND_FORM))
        await self._schedules.keep(request.thread, club.reading_id, kept)
        parts = (_reminder_line(kept), next_one(kept, name, self._schedules.now()) if kept.reminding else "")
        return CommandResponse(text=" ".join(filter(None, parts)))

    async def _moved(self, request: CommandRequest, move: Callable[[Schedule], Schedule], news: str) -> CommandResponse:
        """Save other dates for the coming sections, and announce them.

        Raises:
            PositionError: all dates have passed, or a coming date would be in the past.
        """
        club, kept = await self._kept(request)
        name = club.page_name
        now = self._schedules.now()
        coming = kept.coming(now)
        if not coming:
            raise PositionError(say(_OVER))
        try:
            moved = move(kept)
        except OverflowError:
            raise PositionError(say(_SHIFT_FORM)) from None
        if len(moved.coming(now)) < len(coming):
            raise PositionError(
                say("Then section {number} would already have been due. Nothing has changed.", number=coming[0].number)
            )
        await self._schedules.keep(request.thread, club.reading_id, moved)
        return CommandResponse(announcement=" ".join((news, next_one(moved, name, now))))

    async def _kept(self, request: CommandRequest) -> tuple[ClubState, Schedule]:
        """Return the club and its schedule. Raises ThusfarError without one."""
        club = await self._threads.club(request.thread, request.member.member_id)
        return club, needed(club)


def _proposed(plan: Plan, club: ClubState) -> Schedule:
    return schedule_of(plan, sections_of(club.outline.all_at(club.page_of_all)[-1], plan.sections))


def _shift_of(text: str) -> tuple[int, str]:
    """Return the number of days to move by, and the same in words, without the sign."""
    found = _SHIFT.fullmatch(text.strip())
    if found is None:
        raise PositionError(say(_SHIFT_FORM))
    number = int(found["number"]) if found["number"].isdecimal() else 1
    if number == 0:
        raise PositionError(say(_SHIFT_FORM))
    in_weeks = found["unit"].lower().startswith("w")
    if in_weeks:
        days, by = 7 * number, say_count("{number} week", "{number} weeks", number)
    else:
        days, by = number, say_count("{number} day", "{number} days", number)
    return (-days if found["sign"] == "-" else days), by


def _reminder_line(kept: Schedule) -> str:
    """Return the sentence about reminders."""
    if kept.reminding is None:
        return say("Reminders are off.")
    if kept.reminding.role:
        return say(
            "Reminders are on. I post once when a section is due, and call the role you named. I never move the page "
            "myself."
        )
    return say(
        "Reminders are on. I post once when a section is due, without calling anyone. I never move the page myself."
    )
