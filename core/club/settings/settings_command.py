"""`settings`: how a club reads, with buttons for what can be changed; the rarer commands stand behind it."""

from core.answering.threads import ThreadService
from core.club.commands.values import Choice, Command, CommandRequest, CommandResponse, Who
from core.domain.errors import ThusfarError
from core.domain.position import Pace, PageControl

_PACES = {
    Pace.THREAD: "I go by the page that was set, even if someone is behind.",
    Pace.SLOWEST: "I wait for the slowest reader who has spoken in the last two weeks.",
}
_CONTROLS = {
    PageControl.ANYONE: "Anyone may move the page.",
    PageControl.ORGANISERS: "Only organisers move the page.",
}
_OTHER_PACE = {
    Pace.THREAD: Choice(label="Wait for the slowest", command=".pace", text=Pace.SLOWEST),
    Pace.SLOWEST: Choice(label="Don't wait", command=".pace", text=Pace.THREAD),
}
_OTHER_CONTROL = {
    PageControl.ANYONE: Choice(
        label="Only organisers move the page", command=".pagecontrol", text=PageControl.ORGANISERS
    ),
    PageControl.ORGANISERS: Choice(label="Anyone moves the page", command=".pagecontrol", text=PageControl.ANYONE),
}


class SettingsCommand:
    """Shows what is set; each button runs the command that would be said."""

    def __init__(self, *, threads: ThreadService) -> None:
        self._threads = threads

    def commands(self) -> list[Command]:
        """Return the command."""
        return [
            Command(words="settings", who=Who.ORGANISERS, help="see and change how this club reads", run=self._settings)
        ]

    async def _settings(self, request: CommandRequest) -> CommandResponse:
        reading = await self._threads.reading(request.thread)
        if reading is None:
            raise ThusfarError(await self._threads.why_no_book(request.thread))
        forget = "thread" if request.thread.thread else "club"
        return CommandResponse(
            text=(
                f"{_CONTROLS[reading.page_control]}\n{_PACES[reading.pace]}\nDifferent edition for "
                "everyone? Press *Our copy*."
            ),
            choices=(
                _OTHER_CONTROL[reading.page_control],
                _OTHER_PACE[reading.pace],
                Choice(label="Our copy", command=".edition-club"),
                Choice(label="Usage", command=".usage"),
                Choice(label=f"Forget this {forget}", command=f".ask-forget-{forget}"),
            ),
        )
