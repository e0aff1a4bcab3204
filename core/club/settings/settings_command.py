"""`settings`: the club's settings, with buttons to change them; the rarer commands are listed under it."""

from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice, Command, CommandRequest, CommandResponse, Who
from core.domain.errors import ThusfarError
from core.domain.position import Pace, PageControl

_PACES = {
    Pace.THREAD: sentence("I go by the page that was set, even if someone is behind."),
    Pace.SLOWEST: sentence("I wait for the slowest reader who has spoken in the last two weeks."),
}
_CONTROLS = {
    PageControl.ANYONE: sentence("Anyone may move the page."),
    PageControl.ORGANISERS: sentence("Only organisers move the page."),
}
_OTHER_PACE = {
    Pace.THREAD: (sentence("Wait for the slowest"), Pace.SLOWEST),
    Pace.SLOWEST: (sentence("Don't wait"), Pace.THREAD),
}
_OTHER_CONTROL = {
    PageControl.ANYONE: (sentence("Only organisers move the page"), PageControl.ORGANISERS),
    PageControl.ORGANISERS: (sentence("Anyone moves the page"), PageControl.ANYONE),
}


class SettingsCommand:
    """Shows the settings; each button runs the command of the same name."""

    def __init__(self, *, threads: ThreadService) -> None:
        self._threads = threads

    def commands(self) -> list[Command]:
        """Return the command."""
        return [
            Command(
                words="settings",
                who=Who.ORGANISERS,
                help=sentence("see and change how this club reads"),
                run=self._settings,
            )
        ]

    async def _settings(self, request: CommandRequest) -> CommandResponse:
        reading = await self._threads.reading(request.thread)
        if reading is None:
            raise ThusfarError(await self._threads.why_no_book(request.thread))
        parts = (
            say(_CONTROLS[reading.page_control]),
            say(_PACES[reading.pace]),
            say("Different edition for everyone? Press *Our copy*."),
        )
        control, other_control = _OTHER_CONTROL[reading.page_control]
        pace, other_pace = _OTHER_PACE[reading.pace]
        if request.thread.thread:
            forget = Choice(label=say("Forget this thread"), command=".ask-forget-thread")
        else:
            forget = Choice(label=say("Forget this club"), command=".ask-forget-club")
        return CommandResponse(
            text="\n".join(parts),
            choices=(
                Choice(label=say(control), command=".pagecontrol", text=other_control),
                Choice(label=say(pace), command=".pace", text=other_pace),
                Choice(label=say("Our copy"), command=".edition-club"),
                Choice(label=say("Usage"), command=".usage"),
                forget,
            ),
        )
