"""Long-running work: an async handler, a generator and an async generator, all of which report progress.

`context.update(value)` and `yield` stream updates while the call runs. A generator's result is its return value, or
the last value that it yields. An async handler can be cancelled at each `await`, a generator at each `yield`. A plain
function cannot be cancelled: its interpreter has to be ended.
"""

import asyncio
import math
import random
from collections.abc import AsyncIterator, Generator
from typing import Any

BLOCK = 100_000


def count_primes(limit: int) -> Generator[dict, None, dict]:
    """Counts the primes below a limit, block by block."""
    if not 0 <= limit <= 20_000_000:
        raise ValueError(f"limit is from 0 to 20,000,000, not {limit:,}")
    small = _primes_up_to(math.isqrt(max(0, limit - 1)) + 1)
    count, largest = 0, None
    for start in range(0, limit, BLOCK):
        end = min(start + BLOCK, limit)
        block = bytearray(b"\1") * (end - start)
        block[: max(0, 2 - start)] = bytes(min(end, max(0, 2 - start)))  # 0 and 1
        for prime in small:
            first = max(prime * prime, -(-start // prime) * prime)
            block[first - start :: prime] = bytes(len(range(first, end, prime)))
        count += sum(block)
        if (last := block.rfind(1)) >= 0:
            largest = start + last
        yield {"done": end / limit, "found": count}
    return {"count": count, "largest": largest}


def _primes_up_to(limit: int) -> list[int]:
    return [n for n in range(2, limit + 1) if all(n % d for d in range(2, math.isqrt(n) + 1))]


async def estimate_project(tasks: list[dict], runs: int = 10_000, seed: int | None = None, *, context: Any) -> dict:
    """How long a series of tasks takes, with probabilities from many simulations."""
    wrong = [task["name"] for task in tasks if not 0 <= task["best"] <= task["likely"] <= task["worst"]]
    if wrong or not tasks:
        which = ", ".join(wrong) or "tasks must not be empty"
        raise ValueError(f"each task needs best <= likely <= worst, from 0 on: {which}")
    chance = random.Random(seed)
    totals: list[float] = []
    for run in range(runs):
        totals.append(sum(chance.triangular(task["best"], task["worst"], task["likely"]) for task in tasks))
        if run % 1_000 == 999:
            context.update({"done": (run + 1) / runs})
            await asyncio.sleep(0)  # gives a cancellation the chance to arrive
    totals.sort()
    context.log(f"played {runs:,} times, between {totals[0]:.1f} and {totals[-1]:.1f} days")
    certain = {f"{percent}%": round(totals[math.ceil(runs * percent / 100) - 1], 1) for percent in (50, 80, 95)}
    return {"mean_days": round(math.fsum(totals) / runs, 1), "done_within_days": certain}


async def wait(seconds: float, steps: int = 10) -> AsyncIterator[dict]:
    """Waits, and reports the remaining time."""
    for step in range(steps):
        yield {"seconds_left": round(seconds * (1 - step / steps), 3)}
        await asyncio.sleep(seconds / steps)
    yield {"waited_seconds": seconds}


DAYS = {"type": "number", "minimum": 0}

TOOL_SPECS = [
    {
        "name": "long_jobs:count_primes",
        "label": "Count primes",
        "description": "Counts the primes below a limit and finds the largest. Takes some seconds for ten million.",
        "parameters": {
            "type": "object",
            "properties": {
                "limit": {"type": "integer", "minimum": 0, "maximum": 20_000_000, "description": "Exclusive upper limit"}
            },
            "required": ["limit"],
        },
        "handler": count_primes,
        "examples": [{"limit": 2_000_000}],
        "timeout_s": 120,
        "background_safe": True,
        "stateless": True,
        "deferred": True,
    },
    {
        "name": "long_jobs:estimate_project",
        "label": "Estimate a project",
        "description": "Estimates how many days a project of consecutive tasks takes: the mean, and the number of "
        "days that is enough with 50, 80 and 95 % certainty (Monte Carlo, triangular distributions).",
        "parameters": {
            "type": "object",
            "properties": {
                "tasks": {
                    "type": "array",
                    "minItems": 1,
                    "description": "The tasks, each with three estimates in days",
                    "items": {
                        "type": "object",
                        "properties": {
                            "name": {"type": "string", "description": "Name of the task"},
                            "best": {**DAYS, "description": "Days in the best case"},
                            "likely": {**DAYS, "description": "Days in the most likely case"},
                            "worst": {**DAYS, "description": "Days in the worst case"},
                        },
                        "required": ["name", "best", "likely", "worst"],
                    },
                },
                "runs": {
                    "type": "integer",
                    "minimum": 100,
                    "maximum": 200_000,
                    "default": 10_000,
                    "description": "Number of simulations",
                },
                "seed": {
                    "type": ["integer", "null"],
                    "default": None,
                    "description": "The same seed gives the same estimate",
                },
            },
            "required": ["tasks"],
        },
        "handler": estimate_project,
        "examples": [{"tasks": [{"name": "Build", "best": 5, "likely": 8, "worst": 20}], "seed": 1}],
        "timeout_s": 120,
        "background_safe": True,
        "stateless": True,
    },
    {
        "name": "long_jobs:wait",
        "label": "Wait",
        "description": "Waits for some seconds. Use it before you check again on something that takes time.",
        "parameters": {
            "type": "object",
            "properties": {
                "seconds": {"type": "number", "minimum": 0, "maximum": 50, "description": "How long to wait"},
                "steps": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "Number of updates"},
            },
            "required": ["seconds"],
        },
        "handler": wait,
        "examples": [{"seconds": 3}],
        "background_safe": True,
        "stateless": True,
    },
]
