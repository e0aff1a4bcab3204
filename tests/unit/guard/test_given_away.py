"""What a member's own post certainly gives away: by what they have read themselves, and by nothing behind it."""

from collections.abc import Sequence

import pytest

from core.domain.book import BookText, Page
from core.domain.verdict import Signal
from core.guard.book_index import BookIndex, index_book
from core.guard.given_away import TwoPages, given_away, read_part
from core.guard.judge import Exempt
from core.guard.score import fitted_score

_PAGE, _OWN = 30, 60


def _looked(
    text: str, index: BookIndex, *, page: int = _PAGE, own_page: int = _OWN, speakers: Sequence[str] = ()
) -> Signal | None:
    pages = TwoPages(index=index, notes=None, fitted=fitted_score(), page=page, own_page=own_page)
    return given_away(text, pages, Exempt.of("Short Weight", "Thusfar contributors", None, speakers))


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("I did like Coker", Signal.NAME),
        ("Ivy Coupland in her fur coat!", Signal.NAME),
        ("and then ivy coupland turns up", Signal.NAME),
        ("Ivy is coming on Thursday", None),
        ("Alfred and Margaret are coming on Thursday", None),
        ("my sister lives in Lincoln", None),
        ("what a lovely evening that was", None),
        ("I bet Hallam did it", None),
        ("", None),
    ],
)
def test_a_name_counts_where_it_can_only_be_the_books(
    text: str, signal: Signal | None, sample_index: BookIndex
) -> None:
    assert _looked(text, sample_index) is signal


def test_eight_words_in_a_row_count_between_the_two_pages_alone(sample_text: BookText, sample_index: BookIndex) -> None:
    def words_of(page: int) -> str:
        return " ".join(sample_text.pages[page - 1].text.split()[20:32])

    found = {page: _looked(words_of(page), sample_index) for page in (10, 30, 31, 50, 60, 61, 80)}
    assert {page: signal is Signal.QUOTE for page, signal in found.items()} == {
        page: _PAGE < page <= _OWN for page in found
    }


def test_what_is_told_whole_on_a_page_between_counts_by_its_score(sample_index: BookIndex) -> None:
    text = "they found Rudd asleep in a boat with eleven pounds on him, looks bad"
    assert _looked(text, sample_index, page=18, own_page=32) is Signal.SCORE
    assert _looked(text, sample_index, page=30, own_page=40) is None


def test_a_book_that_ends_at_a_page_is_read_as_its_part_up_to_there(
    sample_text: BookText, sample_index: BookIndex
) -> None:
    part, ended = read_part(sample_index, _OWN), index_book(sample_text.pages[:_OWN])
    for word in ("hallam", "coker", "weighbridge", "the", "rhoda"):
        counted, there = part.words.numbers_of([word])[0], ended.words.numbers_of([word])[0]
        assert (part.capitals[counted], part.lowers[counted]) == (ended.capitals[there], ended.lowers[there])
    assert part.sentences == ended.sentences
    assert part.matter.tolist() == ended.matter.tolist()
    assert sorted(part.run_tokens.tolist()) == sorted(ended.run_tokens.tolist())
    for stem in map(str, ended.stems):
        mine, its = part.stems.numbers_of([stem])[0], ended.stems.numbers_of([stem])[0]
        assert (
            part.stem_sentences[part.stem_places(mine)].tolist()
            == ended.stem_sentences[ended.stem_places(its)].tolist()
        )


def test_whatever_comes_behind_the_members_page_has_no_say(sample_text: BookText, sample_index: BookIndex) -> None:
    strange = tuple(
        page if page.number <= _OWN else Page(number=page.number, text="Then Hallam and Quark met the Coker of May.")
        for page in sample_text.pages
    )
    other = index_book(strange)
    posts = [each.text.split("\n")[0] for each in sample_text.pages]
    for post in ("Hallam killed him", "Miss Dove is his sister Margaret", "Coker told me", *posts):
        assert _looked(post, sample_index) is _looked(post, other)


def test_where_every_noun_has_a_capital_a_quotation_alone_is_certain() -> None:
    pages = (
        "Am Montag ging der alte Wächter mit seiner Laterne über den Markt. Er zählte die Fenster und die Türen.",
        "Ein Mädchen verkaufte Äpfel vor dem Rathaus. Der Wächter kaufte zwei Äpfel und schwieg.",
        "In der Nacht fand er einen Regenschirm im Brunnen. Der Regenschirm gehörte dem Bürgermeister von Grünau.",
        "Am Morgen war der Bürgermeister verschwunden, und der Brunnen war trocken.",
    )
    german = index_book(Page(number=number, text=text) for number, text in enumerate(pages, 1))
    for text in ("Ich brauche einen neuen Regenschirm", "Unser Bürgermeister und sein Brunnen", "grüße aus Grünau"):
        assert _looked(text, german, page=2, own_page=4) is None
    quoted = "In der Nacht fand er einen Regenschirm im Brunnen"
    assert _looked(quoted, german, page=2, own_page=4) is Signal.QUOTE
    assert _looked(quoted, german, page=3, own_page=4) is None


def test_the_names_of_those_who_talk_there_are_theirs(sample_index: BookIndex) -> None:
    speakers = ("Ivy Brown", "Coker")
    assert _looked("I did like Coker", sample_index) is Signal.NAME
    for text in ("I did like Coker", "Ivy Brown told me so"):
        assert _looked(text, sample_index, speakers=speakers) is None


@pytest.mark.parametrize(
    "text",
    ["Dr. Smith says hi to you all", "it is Cain and Abel all over again", "my nephew is reading about Napoleon now"],
)
def test_whom_everybody_knows_is_no_name_of_the_book(text: str) -> None:
    telling = "So Mr. Smith spoke, as Cain spoke of Abel. They talked of Napoleon, and Cain, and of old Smith again. "
    plain = "They walked on over the hill, and nobody said a word to them until the evening came at last. "
    pages = [plain * 8] * _PAGE + [telling * 4] + [plain * 8] * _PAGE
    index = index_book([Page(number=n, text=each, start_offset=0) for n, each in enumerate(pages, start=1)])
    assert _looked(text, index) is None
