"""Downloads MiniLM at the operator's request: Chroma's own archive, checked against its known hash."""

import hashlib
import http.client
import tarfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

from adapters.retrieval.minilm_embedding import MODEL_FILE, TOKENIZER_FILE, minilm_is_in
from core.domain.errors import StorageError, ThusfarError

MODEL_URL: Final = "https://chroma-onnx-models.s3.amazonaws.com/all-MiniLM-L6-v2/onnx.tar.gz"
MODEL_SHA256: Final = "913d7300ceae3b2dbc2c50d1de4baacab4be7b9380491c27fab7418616a16ec3"
"""From chromadb 1.5.9, chromadb/utils/embedding_functions/onnx_mini_lm_l6_v2.py."""

_FILES: Final = frozenset(
    {MODEL_FILE, TOKENIZER_FILE, "config.json", "special_tokens_map.json", "tokenizer_config.json", "vocab.txt"}
)
_MOST_BYTES: Final = 200_000_000
_AT_ONCE: Final = 1 << 18
_SECONDS: Final = 60
_PLAIN: Final = ("http://", "https://")


def fetch_minilm(
    folder: Path,
    *,
    source: str = MODEL_URL,
    sha256: str = MODEL_SHA256,
    on_progress: Callable[[int, int | None], None] = lambda _done, _total: None,
) -> None:
    """Install the model into a folder, replacing it as a whole; on failure the old folder stays.

    `source` is an address or the archive's path on this machine. `on_progress` gets the bytes received and the total.

    Raises:
        ThusfarError: the archive can't be downloaded, or isn't the known one.
        StorageError: the folder can't be written.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent, prefix=".thusfar-") as place:
            archive, made, before = (Path(place) / name for name in ("archive", "made", "before"))
            with _opened(source) as (content, total):
                _take(content, total, archive, sha256=sha256, source=source, on_progress=on_progress)
            _unpack(archive, made, source)
            if folder.exists():
                folder.rename(before)
            made.rename(folder)
    except OSError as error:
        raise StorageError(f"The folder {folder} cannot be written ({error.strerror or error}).") from error


@contextmanager
def _opened(source: str) -> Iterator[tuple[IO[bytes], int | None]]:
    """Open the archive; network errors, even later ones, become one sentence."""
    if not source.startswith(_PLAIN):
        path = Path(source).expanduser()
        if not path.is_file():
            raise ThusfarError(f"{source[:200]} is neither an address (http, https) nor a file.")
        with path.open("rb") as file:
            yield file, path.stat().st_size
        return
    try:
        with urllib.request.urlopen(source, timeout=_SECONDS) as answer:  # noqa: S310 (checked to be http or https)
            length = answer.headers.get("Content-Length", "")
            yield answer, int(length) if length.isdecimal() else None
    except urllib.error.HTTPError as error:
        raise ThusfarError(f"MiniLM cannot be downloaded from {source[:200]}: the server says {error.code}.") from error
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError, ValueError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise ThusfarError(f"MiniLM cannot be downloaded from {source[:200]}: {str(reason)[:200]}.") from error


def _take(
    content: IO[bytes],
    total: int | None,
    archive: Path,
    *,
    sha256: str,
    source: str,
    on_progress: Callable[[int, int | None], None],
) -> None:
    """Write the download to a file, and check that it is the archive."""
    digest, done = hashlib.sha256(), 0
    with archive.open("wb") as file:
        while part := content.read(_AT_ONCE):
            done += len(part)
            if done > _MOST_BYTES:
                raise ThusfarError(f"The file from {source[:200]} is far too large to be MiniLM; nothing was kept.")
            digest.update(part)
            file.write(part)
            on_progress(done, total)
    if total is not None and done < total:
        raise ThusfarError(f"The download from {source[:200]} broke off after {done} of {total} bytes; try again.")
    if digest.hexdigest() != sha256:
        raise ThusfarError(
            f"The file from {source[:200]} is not the MiniLM that is known here (its SHA-256 is another); "
            "nothing was kept."
        )


def _unpack(archive: Path, made: Path, source: str) -> None:
    """Extract only the model's own files, wherever in the archive they are."""
    made.mkdir()
    try:
        with tarfile.open(archive) as packed:
            for member in packed:
                name = Path(member.name).name
                content = packed.extractfile(member) if member.isfile() and name in _FILES else None
                if content is not None:
                    (made / name).write_bytes(content.read())
    except (tarfile.TarError, EOFError) as error:
        raise ThusfarError(f"The archive from {source[:200]} cannot be unpacked; nothing was kept.") from error
    if not minilm_is_in(made):
        raise ThusfarError(f"The archive from {source[:200]} has no model in it; nothing was kept.")
