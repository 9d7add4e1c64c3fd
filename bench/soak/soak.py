"""The tools that the ten sessions call: checkable sums, counted state, and every way to fail."""

from __future__ import annotations

import asyncio
import os

count = 0


def add(a: int, b: int):
    return a + b


def step():
    global count
    count += 1
    return count


def stream(count: int):
    for number in range(count):
        print(number)
        yield number


async def wait(seconds: float, value: int):
    await asyncio.sleep(seconds)
    return value


def work(rounds: int):
    return sum(range(rounds))


def spin():
    while True:
        pass


def late():
    while True:
        pass


def crash():
    os._exit(1)


def spec(handler, **options):
    return {
        "name": f"soak:{handler.__name__}",
        "description": "Is called very often.",
        "parameters": {"type": "object"},
        "handler": handler,
        **options,
    }


TOOL_SPECS = [
    spec(add),
    spec(step),
    spec(stream),
    spec(wait),
    spec(work, stateless=True),
    spec(spin),
    spec(late, timeout_s=1),
    spec(crash),
]
