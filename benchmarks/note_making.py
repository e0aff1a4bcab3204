"""What making a novel's notes takes of our own processor, against a scripted model that answers after 20 ms.

    python -m benchmarks.note_making

The novel has 600 pages where labelled books are at hand, else it is the sample.
The model is a server in a process of its own behind OpenAI's wire: it notes five sentences of each page it is shown.
CPU is that of this process alone, from the first call to the last note kept; the book is imported before.
"""

import argparse
import asyncio
import json
import multiprocessing
import re
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from aiohttp import web

from benchmarks.turn_books import long_book, sample
from bot.settings import Settings
from bot.wiring import build

_ANSWERS_AFTER_S = 0.02
_MOST_CPU_S = 20.0
_NOTES_A_PAGE = 5
_PAGE = re.compile(r"^\[p\. (\d+)\]\n(.*?)(?=\n\n\[p\. |\Z)", re.MULTILINE | re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def _notes(text: str) -> list[str]:
    sentences = [one for one in _SENTENCE.split(" ".join(text.split())) if 4 <= len(one.split()) <= 40]
    return [f"It is told here that {one}" for one in sentences[:_NOTES_A_PAGE]]


async def _complete(request: web.Request) -> web.Response:
    began = time.monotonic()
    body: dict[str, Any] = await request.json()
    shown = _PAGE.findall(str(body["messages"][-1]["content"]))
    content = json.dumps({"pages": [{"page": int(page), "notes": _notes(text)} for page, text in shown]})
    await asyncio.sleep(max(0.0, _ANSWERS_AFTER_S - (time.monotonic() - began)))
    message = {"role": "assistant", "content": content}
    return web.json_response(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 2_000, "completion_tokens": 800, "total_tokens": 2_800},
        }
    )


def _serve(pipe: Connection) -> None:
    async def serving() -> None:
        application = web.Application(client_max_size=4_000_000)
        application.router.add_post("/v1/chat/completions", _complete)
        runner = web.AppRunner(application)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        pipe.send(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(serving())


async def _measure(url: str, folder: Path) -> None:
    settings = Settings(
        thusfar_home=folder / "home", openai_base_url=url, model="scripted-1", provider="openai", embeddings="none"
    )
    thusfar = build(settings)
    try:
        path = (long_book() or sample()).write(folder)
        book = (await thusfar.library.add(path, scope="local", title="A Novel")).book
        maker = thusfar.noted().maker
        if maker is None:
            raise RuntimeError("There is no model.")
        wall, cpu = time.perf_counter(), time.process_time()
        made = await maker.make(book)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    finally:
        await thusfar.close()
    summary = made.summary
    verdict = "ok" if cpu < _MOST_CPU_S else "TOO MUCH"
    print(f"{book.pages} pages: {summary.notes} notes on {summary.pages} pages")
    print(f"own CPU {cpu:.1f} s of at most {_MOST_CPU_S:.0f} ({verdict}); {wall:.1f} s by the clock")


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    pipe, child = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(child,), daemon=True)
    server.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(_measure(f"http://127.0.0.1:{pipe.recv()}/v1", Path(folder)))
    finally:
        server.terminate()
        server.join()


if __name__ == "__main__":
    main()
