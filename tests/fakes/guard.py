"""A guard that judges by what a test tells it: words that leak, are in doubt, or rest on nothing; what is quoted."""

from collections.abc import Collection, Sequence

from core.domain.book import Book
from core.domain.note import Note, NotePlace
from core.domain.position import Position
from core.domain.verdict import Judgement, Reason, ReasonKind, SentenceVerdict, Signal
from core.language.sentences import sentences
from core.ports.guard import Guard


class MarkedGuard(Guard):
    """Trusts every sentence but those that hold a marked word; `judged` keeps every text that it was given.

    `leaking` maps a word to the page that reveals it: a sentence that holds it leaks before that page. The evidence is
    the whole sentence, or with `tells_word` the leaking word. `looked_at` are the posts that it was asked about.
    """

    def __init__(
        self,
        *,
        leaking: dict[str, int] | None = None,
        doubtful: Collection[str] = (),
        ungrounded: Collection[str] = (),
        verbatim: Collection[str] = (),
        strict: bool = False,
        tells_word: bool = False,
    ) -> None:
        self.leaking = dict(leaking or {})
        self.doubtful = set(doubtful)
        self.ungrounded = set(ungrounded)
        self.verbatim = set(verbatim)
        self._strict = strict
        self._tells_word = tells_word
        self.judged: list[tuple[str, str | None]] = []
        self.looked_at: list[str] = []

    async def judge(
        self,
        text: str,
        *,
        book: Book,
        position: Position,
        question: str | None = None,
        speakers: Collection[str] = (),
        any_language: bool = False,
    ) -> Judgement:
        self.judged.append((text, question))
        return Judgement(sentences=tuple(self._verdict(sentence, position or 0) for sentence in sentences(text)))

    async def is_background(self, text: str, *, book: Book, position: Position, question: str) -> bool:
        return not self._told(text)

    async def revealed_page(self, text: str, *, book: Book, position: Position) -> int | None:
        pages = [page for word, page in self.leaking.items() if word in text and page > (position or 0)]
        return max(pages, default=None)

    async def gives_away(
        self, text: str, *, book: Book, position: Position, own_page: int, speakers: Collection[str] = ()
    ) -> Signal | None:
        self.looked_at.append(text)
        told = [page for page in self._told(text) if (position or 0) < page <= own_page]
        return Signal.NAME if told else None

    async def place_notes(self, notes: Sequence[Note], *, book: Book) -> list[NotePlace]:
        return [NotePlace(page=max([note.page, *self._told(note.text)])) for note in notes]

    async def notes_to_show(self, notes: Sequence[Note], *, book: Book, position: Position) -> list[Note]:
        read = position or 0
        return [
            note for note in notes if not note.moved and max([note.page, *self._told(note.text)], default=0) <= read
        ]

    def _told(self, text: str) -> list[int]:
        return [page for word, page in self.leaking.items() if word in text]

    def _verdict(self, sentence: str, position: int) -> SentenceVerdict:
        ahead = [page for word, page in self.leaking.items() if word in sentence and page > position]
        in_doubt = any(word in sentence for word in self.doubtful)
        grounded = not ahead and not any(word in sentence for word in self.ungrounded)
        unsupported = self._strict and not grounded and not ahead
        kind: ReasonKind = "ungrounded" if unsupported else "name"
        pages: list[int | None] = [*ahead] if ahead else [None] * unsupported
        return SentenceVerdict(
            text=sentence,
            score=0.9 if ahead else 0.5 if in_doubt else 0.1,
            leaks=bool(ahead) or unsupported,
            doubtful=in_doubt and not ahead,
            grounded=grounded,
            verbatim=sentence in self.verbatim,
            reasons=tuple(Reason(kind=kind, page=page, evidence=self._evidence(sentence)) for page in pages),
        )

    def _evidence(self, sentence: str) -> str:
        return next(filter(sentence.__contains__, self.leaking), sentence) if self._tells_word else sentence
