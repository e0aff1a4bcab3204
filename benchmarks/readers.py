"""Reading EPUB and PDF beside LangChain's loaders, on the same files in the same run.

    pip install -e '.[bench,dev]'
    python -m benchmarks.readers [FILE ...]

Each reading runs in a fresh process, so that its time and memory are its own. CPU is that of the process with all that
it starts; loading libraries counts for nobody but for `ours, as imported`, which is all that an import does before the
database: a process with limits, its start included. Without files the samples beside the repository are read. Goals: a
novel as EPUB in under 5 s, a PDF of 600 pages in under 15 s on 2 cores, under 600 MB, no slower than LangChain. Its
EPUB loader needs pandoc and downloads; its HTML loader over the unpacked documents stands in for it.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adapters.readers.choose import reader_for
from adapters.readers.isolated import IsolatedBookReader
from adapters.readers.pdf.reader import PdfBookReader
from core.domain.book import BookText

_SAMPLES = Path(__file__).resolve().parent.parent.parent / "shared" / "samples"
_OURS = ("ours, as imported", "ours")
_PEERS = {".epub": ("BSHTMLLoader",), ".pdf": ("PyPDFLoader", "PyPDFium2Loader")}
_MEGABYTE = 1024


def _ours(path: Path) -> BookText:
    reader = reader_for(path)
    if isinstance(reader, PdfBookReader):
        reader = PdfBookReader(processes=min(2, os.cpu_count() or 1))
    return reader.read(path)


def _loaded(name: str, path: Path) -> list[Any]:
    """Return the documents of a LangChain loader."""
    from langchain_community import document_loaders

    loader = getattr(document_loaders, name)
    if path.suffix == ".pdf":
        return list(loader(str(path)).load())
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path) as archive:
        members = [archive.extract(one, folder) for one in archive.namelist() if one.endswith(("html", "htm"))]
        return [document for member in members for document in loader(member, open_encoding="utf-8").load()]


def _kept(book: BookText) -> dict[str, int]:
    return {
        "words": sum(len(page.text.split()) for page in book.pages),
        "pages": len(book.pages),
        "labels": sum(page.label is not None for page in book.pages),
        "chapters": len(book.chapters),
    }


def _work(name: str, path: Path) -> Callable[[], dict[str, int]]:
    """Return what is to be measured, with its libraries loaded."""
    if name == "ours, as imported":
        return lambda: _kept(asyncio.run(IsolatedBookReader().read(path)))
    if name == "ours":
        return lambda: _kept(_ours(path))
    from langchain_community import document_loaders

    getattr(document_loaders, name)

    def load() -> dict[str, int]:
        documents = _loaded(name, path)
        pages = len(documents) if path.suffix == ".pdf" else 0
        labels = sum("page_label" in document.metadata for document in documents)
        words = sum(len(document.page_content.split()) for document in documents)
        return {"words": words, "pages": pages, "labels": labels, "chapters": 0}

    return load


def _cpu() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def _one(name: str, path: Path) -> None:
    work = _work(name, path)
    cpu, began = _cpu(), time.perf_counter()
    kept = work()
    seconds, spent = time.perf_counter() - began, _cpu() - cpu
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(json.dumps({"seconds": seconds, "cpu": spent, "peak": peak / _MEGABYTE, **kept}))


def _measured(name: str, path: Path) -> dict[str, float] | None:
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.readers", "--one", name, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        print(f"  {name:<18} could not read it: {run.stderr.strip().splitlines()[-1][:100]}")
        return None
    measured: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return measured


def _compare(path: Path) -> None:
    print(f"{path.name}, {path.stat().st_size / 1e6:.1f} MB")
    figures: dict[str, dict[str, float]] = {}
    for name in (*_OURS, *_PEERS[path.suffix]):
        measured = _measured(name, path)
        if measured is None:
            continue
        figures[name] = measured
        kept = ", ".join(f"{measured[key]:.0f} {key}" for key in ("words", "pages", "labels", "chapters"))
        times = f"{measured['seconds']:6.2f} s, {measured['cpu']:6.2f} s CPU, {measured['peak']:4.0f} MB"
        print(f"  {name:<18} {times}; {kept}")
    for name in _PEERS[path.suffix]:
        if name in figures:
            ratios = [figures["ours"][key] / figures[name][key] for key in ("seconds", "cpu")]
            print(f"  ours / {name}: {ratios[0]:.2f} of its time, {ratios[1]:.2f} of its CPU")


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        _one(sys.argv[2], Path(sys.argv[3]))
        return
    files = [Path(one) for one in sys.argv[1:]] or sorted(_SAMPLES.glob("*.[ep][pd][uf]*"))
    for path in files:
        _compare(path)


if __name__ == "__main__":
    main()
