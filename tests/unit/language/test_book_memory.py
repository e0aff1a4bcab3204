"""What is held of all books together stays within its bound; what was used longest ago goes first."""

from core.language.book_memory import BookMemory, Held


def _numbers(kilobytes: int) -> bytes:
    return bytes(kilobytes * 1_000)


def test_kinds_share_the_room_and_the_oldest_goes_whatever_its_kind() -> None:
    memory = BookMemory(10_500)
    indexes, pages = Held[bytes]("indexes", memory), Held[bytes]("pages", memory)
    indexes.keep("a", _numbers(4))
    pages.keep("a", _numbers(4))
    assert indexes.find("a") is not None
    indexes.keep("b", _numbers(2))
    assert set(memory.by_kind()) == {"indexes", "pages"}
    indexes.keep("c", _numbers(3))
    assert ("a" in pages, "a" in indexes, "b" in indexes, "c" in indexes) == (False, True, True, True)
    assert sum(memory.by_kind().values()) <= 10_500


def test_what_takes_anothers_place_or_is_dropped_is_counted_no_longer() -> None:
    memory = BookMemory()
    held = Held[bytes]("indexes", memory)
    held.keep("a", _numbers(5))
    held.keep("a", _numbers(1))
    assert memory.by_kind()["indexes"] < 1_200
    held.drop("a")
    held.drop("a")
    assert memory.by_kind() == {}
    assert held.find("a") is None
