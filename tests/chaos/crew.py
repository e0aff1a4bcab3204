"""The processes that serve in a campaign: one that does all, or one that listens and several that answer."""

import asyncio
import signal
from pathlib import Path
from random import Random

from tests.bot.program import Program


class Crew:
    """Serves until it is stopped.

    Args:
        env: the processes' environment.
        workers: how many answer beside one that listens; 0 for one that does all.
        lease: for how many seconds a worker has a turn.
        log: the file that takes what they have to say.
    """

    def __init__(self, env: dict[str, str], *, workers: int, lease: int, log: Path) -> None:
        self._env = env
        self._log = log
        answering = [("work", "--lease", str(lease))] * workers
        self._words = [("serve", "--gateway"), *answering] if workers else [("serve",)]
        self._programs = [self._started(words) for words in self._words]

    def choose(self, chance: Random) -> int:
        """Choose one of them."""
        return chance.randrange(len(self._programs))

    def listens(self, number: int) -> bool:
        """Whether it is the one that the platform talks to."""
        return self._words[number][0] == "serve"

    def kill(self, number: int) -> None:
        """Kill it, and wait until it is dead."""
        self._programs[number].close()

    def stall(self, number: int, *, seconds: float) -> None:
        """Let it stand still for so long, as on a machine that swaps, unless it is killed meanwhile."""
        program = self._programs[number]
        program.send_signal(signal.SIGSTOP)
        asyncio.get_running_loop().call_later(seconds, program.send_signal, signal.SIGCONT)

    def start(self, number: int) -> None:
        """Start another in place of the one that was killed."""
        self._programs[number] = self._started(self._words[number])

    def stop(self) -> str:
        """Let all of them end, and return what they and those before them had to say."""
        for program in self._programs:
            program.send_signal(signal.SIGCONT)
            program.send_signal(signal.SIGTERM)
        for program in self._programs:
            program.wait()
        return self._log.read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        """End what has not ended."""
        for program in self._programs:
            program.close()

    def _started(self, words: tuple[str, ...]) -> Program:
        """Start one whose log is a file: nobody reads a pipe meanwhile, and one that is full would hold it up."""
        with self._log.open("ab") as log:
            return Program(*words, env=self._env, stderr=log.fileno())
