"""Tools for the tests of sessions: good, failing, endless, verbose and dangerous ones."""

from __future__ import annotations

import asyncio
import base64

here: list[str] = []
count = 0
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def weather(city: str) -> dict:
    """The weather in a city."""
    return {"city": city, "sky": "clear"}


async def meet(name: str) -> str:
    """Ends when another call to this tool runs beside it."""
    here.append(name)
    for _ in range(1_000):
        if len(here) > 1:
            break
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    here.remove(name)
    return f"{name} has met somebody" if len(here) < 2 else name


def fail(why: str) -> None:
    """Fails."""
    raise RuntimeError(f"It failed since {why}")


async def endless(step: int = 1):
    """Counts endlessly."""
    n = 0
    while True:
        n += step
        yield {"counted": n}
        await asyncio.sleep(0.05)


async def patient(seconds: float) -> str:
    """Must be waited for."""
    await asyncio.sleep(seconds)
    return "waited for"


def long_text(lines: int) -> str:
    """A text longer than a model gets at once."""
    return "\n".join(f"line {n} of the long text" for n in range(lines))


def picture() -> bytes:
    """A picture of one pixel."""
    return PIXEL


def remove(path: str) -> str:
    """Removes what is at a path."""
    return f"removed {path}"


def rare(word: str) -> str:
    """Reverses a word."""
    return word[::-1]


def step() -> int:
    """Counts its calls."""
    global count
    count += 1
    return count


def _spec(handler, properties: dict, **more):
    return {
        "name": f"session_tools:{handler.__name__}",
        "description": handler.__doc__,
        "parameters": {
            "type": "object",
            "properties": properties,
            "required": list(properties),
        },
        "handler": handler,
        **more,
    }


TEXT = {"type": "string"}
NUMBER = {"type": "number"}
TOOL_SPECS = [
    _spec(
        weather,
        {"city": TEXT},
        background_safe=True,
        prompt_hint="Ask for one city at a time.",
        prompt_guides=["Say the sky in one word."],
    ),
    _spec(meet, {"name": TEXT}),
    _spec(fail, {"why": TEXT}),
    _spec(endless, {}),
    _spec(patient, {"seconds": NUMBER}, interrupt="block"),
    _spec(long_text, {"lines": NUMBER}),
    _spec(picture, {}),
    _spec(remove, {"path": TEXT}, requires_approval=True),
    _spec(rare, {"word": TEXT}, deferred=True),
    _spec(step, {}),
]
