"""Tools that keep state, run beside each other, never end, and produce too much output."""

from __future__ import annotations

import asyncio

import js

count = 0
here: list[str] = []


def step():
    """Counts the calls of its interpreter."""
    global count
    count += 1
    return count


def spin():
    """Never ends."""
    while True:
        pass


async def wait(seconds: float):
    """Waits."""
    print("waits")
    await asyncio.sleep(seconds)
    return "waited"


async def hold(seconds: float):
    """Waits, and must not be interrupted."""
    await asyncio.sleep(seconds)
    return "held"


async def hog(seconds: float):
    """Ignores its cancellation."""
    for _ in range(int(seconds * 100)):
        try:
            await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            pass
    return "hogged"


async def meet(name: str):
    """Ends when another call to this tool runs beside it."""
    print("begins", name)
    here.append(name)
    for _ in range(1_000):
        if len(here) > 1:
            break
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    print("ends", name)
    here.remove(name)
    return name


async def choosy(name: str, safe: bool):
    """Overlaps if its arguments say so."""
    here.append(name)
    before = len(here)
    await asyncio.sleep(0.5)
    seen = max(before, len(here))
    here.remove(name)
    return seen


def suspended(seconds: float):
    """A plain function that waits by stack switching, if the browser has it."""
    here.append("suspended")

    async def rest():
        await asyncio.sleep(seconds)

    asyncio.run(rest())
    here.remove("suspended")
    return len(here)


def work(rounds: int):
    """Keeps a core busy."""
    total = 0
    for number in range(rounds):
        total += number * number
    return total


def pour(count: int):
    """Yields numbers."""
    for number in range(count):
        yield number


def shout(megabytes: int):
    """Prints."""
    line = "x" * 999
    for _ in range(megabytes * 1_000):
        print(line)
    return "printed"


def devour():
    """Allocates until it dies, in JavaScript's memory too."""
    kept = []
    while True:
        try:
            kept.append(bytearray(16_000_000))
        except MemoryError:
            break
    return len(kept) > 5


def rain(count: int):
    """Raw messages."""
    for _ in range(count):
        js.postMessage("rain")
    return "rained"


NUMBER = {"type": "number"}


def spec(handler, properties=None, **options):
    return {
        "name": f"interpreters:{handler.__name__}",
        "description": handler.__doc__,
        "parameters": {"type": "object", "properties": properties or {}},
        "handler": handler,
        **options,
    }


TOOL_SPECS = [
    spec(step),
    spec(spin),
    spec(wait, {"seconds": NUMBER}),
    spec(hold, {"seconds": NUMBER}, interrupt="block"),
    spec(hog, {"seconds": NUMBER}),
    spec(meet, {"name": {"type": "string"}}),
    spec(
        choosy,
        {"name": {"type": "string"}, "safe": {"type": "boolean"}},
        concurrency_safe=lambda arguments: arguments["safe"],
    ),
    spec(suspended, {"seconds": NUMBER}),
    spec(work, {"rounds": {"type": "integer"}}, stateless=True),
    spec(pour, {"count": {"type": "integer"}}),
    spec(shout, {"megabytes": {"type": "integer"}}),
    spec(devour),
    spec(rain, {"count": {"type": "integer"}}),
]
