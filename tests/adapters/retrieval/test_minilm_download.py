"""MiniLM is downloaded whole or not at all, here from a local server."""

import hashlib
import io
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from adapters.retrieval.minilm_download import fetch_minilm
from adapters.retrieval.minilm_embedding import minilm_is_in
from core.domain.errors import ThusfarError
from tests.tiny_minilm import make_tiny_minilm


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An archive of the form of Chroma's: its files in a folder of their own."""
    return _packed(make_tiny_minilm(tmp_path_factory.mktemp("models") / "onnx", ["a lamp and a lock"]))


def _packed(folder: Path, *, only: str = "*") -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as packed:
        for path in sorted(folder.glob(only)):
            packed.add(path, f"../../onnx/{path.name}")
    return content.getvalue()


@contextmanager
def _serving(content: bytes, *, status: int = 200, sent: int | None = None) -> Iterator[str]:
    """Give the address of a server that has this content, and sends only so much of it."""

    class _Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[:sent])

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), _Server) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/onnx.tar.gz"
        finally:
            server.shutdown()
            thread.join()


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.parent.iterdir()) if folder.parent.is_dir() else []


def test_it_is_put_into_its_folder_whole(archive: bytes, tmp_path: Path) -> None:
    folder, told = tmp_path / "cache" / "deep" / "onnx", []
    with _serving(archive) as address:
        fetch_minilm(
            folder, source=address, sha256=_hash(archive), on_progress=lambda done, total: told.append((done, total))
        )
    assert minilm_is_in(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["model.onnx", "tokenizer.json"]
    assert _left(folder) == ["onnx"]
    assert told[-1] == (len(archive), len(archive))


@pytest.mark.parametrize(
    ("status", "sent", "sentence"),
    [(200, None, "SHA-256 is another"), (200, 100, "broke off after 100 of"), (404, None, "the server says 404")],
)
def test_a_failure_is_one_sentence_and_leaves_nothing(
    archive: bytes, tmp_path: Path, status: int, sent: int | None, sentence: str
) -> None:
    folder = tmp_path / "cache" / "onnx"
    right = "0" * 64 if sent is None else _hash(archive)
    with _serving(archive, status=status, sent=sent) as address, pytest.raises(ThusfarError, match=sentence):
        fetch_minilm(folder, source=address, sha256=right)
    assert _left(folder) == []


def test_an_existing_copy_is_replaced_only_on_success(archive: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "onnx"
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"half a model")
    with _serving(archive) as address:
        with pytest.raises(ThusfarError):
            fetch_minilm(folder, source=address, sha256="0" * 64)
        assert (folder / "model.onnx").read_bytes() == b"half a model"
        fetch_minilm(folder, source=address, sha256=_hash(archive))
    assert minilm_is_in(folder)
    assert _left(folder) == ["onnx"]


@pytest.mark.parametrize("content", [b"no archive", b""])
def test_an_invalid_archive_leaves_nothing(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "archive"
    path.write_bytes(content)
    with pytest.raises(ThusfarError, match="cannot be unpacked"):
        fetch_minilm(tmp_path / "cache" / "onnx", source=str(path), sha256=_hash(content))
    assert _left(tmp_path / "cache" / "onnx") == []
