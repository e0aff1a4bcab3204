"""WordLlama's vectors are read offline from its package's files, without its code and without log lines."""

import subprocess
import sys
from pathlib import Path

import pytest

from adapters.retrieval.wordllama_vectors import WordLlamaVectors, wordllama_is_installed

pytestmark = pytest.mark.skipif(not wordllama_is_installed(), reason="no wheel for this Python")

_QUIET = """
import logging, socket, sys

def refuse(*_args, **_kwargs):
    raise OSError("no network")

socket.socket.connect = refuse
socket.getaddrinfo = refuse
from adapters.retrieval.wordllama_vectors import WordLlamaVectors

print(WordLlamaVectors().rows([0, 31_999]).shape, logging.getLogger().handlers, "wordllama" in sys.modules)
"""
_BY_THE_PACKAGE = """
import pathlib, wordllama

model = wordllama.WordLlama.load(cache_dir=pathlib.Path(wordllama.__file__).parent, disable_download=True)
pieces = model.tokenizer.encode("weighbridge", add_special_tokens=False).ids
print(pieces, model.embedding[pieces[0]][:3].tolist())
"""


def _printed(program: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=False,
        text=True,
        cwd=Path(__file__).parents[3],
        timeout=60,
    )
    assert (run.stderr, run.returncode) == ("", 0)
    return run.stdout


def test_they_load_without_a_network_without_a_line_in_the_log_and_without_the_packages_code() -> None:
    assert _printed(_QUIET) == "(2, 256) [] False\n"


def test_they_equal_the_packages_own_vectors() -> None:
    vectors = WordLlamaVectors()
    (pieces,) = vectors.pieces(["weighbridge"])
    assert _printed(_BY_THE_PACKAGE) == f"{pieces} {vectors.rows(pieces)[0][:3].tolist()}\n"
