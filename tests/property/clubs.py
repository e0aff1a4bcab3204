"""What the members of a club may do in any order: commands of its life, with texts of read and of unread pages."""

from dataclasses import dataclass

from hypothesis import strategies as st

from core.domain.book import BookText, Chapter, Page, PageSource

PAGES = 8
_NAMES = ("Ambrose", "Beatrix", "Caspar", "Dorothea", "Erasmus", "Felicity", "Gideon", "Hortense")
_STRANGERS = ("Quentin", "Rosalind", "Septimus", "Theodora", "Ulric", "Verena", "Wilfred", "Xanthe")
_PLACES = ("Ashford", "Brackley", "Cheadle", "Duxford", "Evesham", "Frome", "Goole", "Hexham")
_TITLES = ("The Emma Letters by Jane Doe", "Drakula", "Middlemarsh by G. E.")
_SLIPS = ("bogus words that nobody wrote", "", "the", "?")


def words_of(page: int) -> frozenset[str]:
    """What stands on a page of `the_book` and on no other."""
    return frozenset({_NAMES[page - 1], _PLACES[page - 1]})


def line_of(page: int) -> str:
    """A line of that page."""
    return f"{_NAMES[page - 1]} told the sexton that nobody would ever leave {_PLACES[page - 1]} alive again"


def the_book(*, known_up_to: int = PAGES) -> BookText:
    """A book of eight pages and four chapters; behind a page it may be another one."""
    pages, start = [], 0
    for number in range(1, PAGES + 1):
        name = (_NAMES if number <= known_up_to else _STRANGERS)[number - 1]
        place = _PLACES[number - 1] if number <= known_up_to else "Nowhere"
        text = (
            f"{name} came over the bridge when the bells rang, and asked for {place}. "
            f"{name} told the sexton that nobody would ever leave {place} alive again. "
            f"“Why should it be so?” said {name}. The sexton laughed at that until the candle went out."
        )
        pages.append(Page(number=number, text=text, start_offset=start))
        start += len(text) + 1
    chapters = tuple(
        Chapter(
            number=number,
            title=f"Of {_NAMES[first - 1] if first <= known_up_to else 'Somebody'}",
            first_page=first,
            last_page=first + 1,
        )
        for number, first in enumerate(range(1, PAGES + 1, 2), start=1)
    )
    return BookText(
        title="The Bridge", author=None, pages=tuple(pages), chapters=chapters, page_source=PageSource.FORM_FEEDS
    )


@dataclass(frozen=True)
class Step:
    """Somebody uses a command, or presses the last button that they could (`words` is empty), or time passes."""

    member: int
    words: str
    text: str = ""
    organiser: bool = False


def steps(*, up_to: int, ahead: bool) -> st.SearchStrategy[list[Step]]:
    """Draw what is done in a club that never moves beyond a page; `ahead`: words of later pages are typed, too."""
    page = st.integers(0, up_to)
    any_page = st.sampled_from(range(1, PAGES + 1))
    read, unread = (st.sampled_from(pages).map(line_of) for pages in (range(1, up_to + 1), range(up_to + 1, PAGES + 1)))
    quoted = st.one_of(read, unread if ahead else read, st.sampled_from(_SLIPS))
    said = st.one_of(read, unread).map(lambda line: f"I say “{line}”, and what do you say?")
    texts: dict[str, st.SearchStrategy[str]] = {
        "setpage": page.map(str),
        "mypage": page.map(str),
        "predict": st.tuples(st.integers(1, 99), any_page).map(lambda one: f"It is seal{one[0]}x until p. {one[1]}"),
        "predictions": st.just(""),
        "quote": quoted,
        ".quote-this": st.one_of(said, quoted),
        "quotes": st.just(""),
        "statistics": st.just(""),
        "finish": st.just(""),
        "export": st.just(""),
        "suggest": st.sampled_from((*_TITLES, "")),
        "poll": st.sampled_from(("next", "close")),
        "recap": st.sampled_from(("", "last", "ch 1", "since p. 1")),
        "who": st.sampled_from((*_NAMES, "Nobody")),
        "cast": st.just(""),
        "discuss": st.just(""),
        "later": st.sampled_from(("", "Why is it so?", f"Who is {_NAMES[-1]}?")),
        "": st.just(""),
    }
    organised = frozenset({"statistics", "finish", "export", "poll"})

    def step(words: str) -> st.SearchStrategy[Step]:
        made = st.builds(
            Step, member=st.integers(0, 2), words=st.just(words), text=texts[words], organiser=st.booleans()
        )
        return made.map(lambda one: Step(one.member, one.words, one.text, one.words in organised or one.organiser))

    often = ["setpage", "predict", *["quote", ".quote-this", ""] * 4]
    return st.lists(st.sampled_from([*texts, *often]).flatmap(step), min_size=8, max_size=16)
