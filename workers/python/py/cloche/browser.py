"""The edge to the browser: how plain code waits for something asynchronous, and what the realm offers to Python."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

try:
    from pyodide.ffi import can_run_sync, run_sync
except ImportError:  # under CPython there is no browser
    run_sync = None


def can_wait() -> bool:
    """Whether plain code may wait here: the browser has stack switching, and JavaScript let Python in that way."""
    return run_sync is not None and can_run_sync()


def wait(work: Awaitable[Any]) -> Any:
    """Waits for what JavaScript promised."""
    return run_sync(work)


def offer(name: str, thing: object) -> None:
    """Makes `from js import name` give this. Does nothing under CPython."""
    if run_sync is not None:
        import js

        setattr(js, name, thing)
