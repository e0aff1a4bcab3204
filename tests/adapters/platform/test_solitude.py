"""Exclusive work: nothing else runs beside it."""

import asyncio

from adapters.platform.services import ExclusiveGate
from tests.patience import PATIENCE_S


async def test_exclusive_work_waits_for_others_and_others_wait_for_it() -> None:
    exclusive, log, go_on = ExclusiveGate(), list[str](), asyncio.Event()

    async def beside(name: str, wait: asyncio.Event | None = None) -> None:
        async with exclusive.beside_others():
            log.append(f"{name} begins")
            if wait is not None:
                await wait.wait()
            log.append(f"{name} ends")

    async def alone(name: str) -> None:
        async with exclusive.alone():
            log.append(f"{name} begins")
            await asyncio.sleep(0)
            log.append(f"{name} ends")

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
        group.create_task(beside("first", go_on))
        group.create_task(beside("second"))
        await asyncio.sleep(0)
        group.create_task(alone("third"))
        group.create_task(alone("fourth"))
        await asyncio.sleep(0)
        group.create_task(beside("fifth"))
        await asyncio.sleep(0)
        go_on.set()
    names = ("third", "fourth", "fifth")
    assert log[:4] == ["first begins", "second begins", "second ends", "first ends"]
    assert log[4:] == [f"{name} {what}" for name in names for what in ("begins", "ends")]
