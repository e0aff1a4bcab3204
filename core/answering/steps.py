"""What a turn is seen to do while it runs: searching, reading, checking.

A step names pages read, and words of the question; never a word of the model's own, which may know what is unread.
Once a draft is made nothing more is seen, so that a draft that stood looks like one that was replaced.
"""

from core.catalogue.sentences import say
from core.domain.chat_event import ChatEvent, DraftMadeEvent, ToolInvocationEvent, ToolResultEvent, TurnBegunEvent
from core.language.words import content_stems


class TurnSteps:
    """The steps of a turn, in order; the last is under way."""

    def __init__(self) -> None:
        self._asked = ""
        self._is_drafted = False
        self.steps = [say("Searching the pages read so far")]

    def take(self, event: ChatEvent) -> bool:
        """Follow the turn by an event; return whether the steps have changed."""
        if self._is_drafted:
            return False
        match event:
            case TurnBegunEvent(asked=asked):
                self._asked = asked
            case ToolInvocationEvent(arguments={"query": str(query)}) if words := shared_words(self._asked, query):
                return self._add(say("Searching for “{words}”", words=words))
            case ToolResultEvent(results=[first, *_]):
                return self._add(say("Reading p. {page}", page=first.start_page))
            case DraftMadeEvent():
                self._is_drafted = True
                return self._add(say("Checking what I wrote"))
        return False

    def _add(self, step: str) -> bool:
        is_new = step not in self.steps
        if is_new:
            self.steps.append(step)
        return is_new


def shared_words(asked: str, query: str) -> str:
    """Return the longest run of the question's words that a query has too; small words count only inside it."""
    wanted = content_stems(query)
    best: list[str] = []
    run: list[str] = []
    for word in asked.split():
        stems = content_stems(word)
        run = [*run, word] if stems <= wanted and (run or stems) else []
        if stems and len(run) > len(best):
            best = run
    return " ".join(best).strip(".,;:!?\"'“”‘’()[]*_|")
