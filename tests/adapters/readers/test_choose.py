"""A path that no reader takes is refused in one true sentence, before anything is read."""

from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from core.domain.errors import BookError, BookErrorCode
from tests.adapters.readers.files import read_back


@pytest.mark.parametrize("name", ["book.docx", "book"])
def test_an_unknown_ending_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"not known, only \.txt, \.text, \.md, \.markdown can be read") as caught:
        read_back(tmp_path, "text", name)
    assert caught.value.code is BookErrorCode.UNREADABLE


@pytest.mark.parametrize("name", ["book.pdf", "book.EPUB"])
def test_what_comes_later_is_said_to_come_later(name: str, tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"PDF and EPUB cannot be read yet .*only \.txt, .* can\.") as caught:
        read_back(tmp_path, "text", name)
    assert "not known" not in str(caught.value)


@pytest.mark.parametrize("name", ["folder", "folder.txt", "folder.epub"])
def test_a_folder_is_called_one_whatever_its_ending(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(BookError, match=f"^{name} is a folder"):
        reader_for(tmp_path / name)


@pytest.mark.parametrize("name", [".", "/"])
def test_a_folder_without_a_name_of_its_own_is_called_as_it_was_given(name: str) -> None:
    with pytest.raises(BookError) as caught:
        reader_for(Path(name))
    assert str(caught.value).startswith(f"{name} is a folder")


@pytest.mark.parametrize("name", ["gone", "gone.txt", "gone.xyz", "gone/gone.txt", "go\0ne"])
def test_a_missing_file_is_missing_whatever_its_ending(name: str, tmp_path: Path) -> None:
    with pytest.raises(BookError, match="There is no file") as caught:
        reader_for(tmp_path / name)
    assert caught.value.code is BookErrorCode.NOT_FOUND


def test_a_message_stays_on_one_line_whatever_the_file_is_called(tmp_path: Path) -> None:
    with pytest.raises(BookError) as caught:
        read_back(tmp_path, "text", "a\nb\u202e.x\x1b[1m")
    assert str(caught.value).isprintable()
