"""The connection to the browser: how plain functions wait for asynchronous results, and what JavaScript offers to
Python."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

try:
    from pyodide.ffi import can_run_sync, run_sync
except ImportError:  # under CPython there is no browser
    run_sync = None


def can_wait() -> bool:
    """Whether a plain function can wait here: the browser has stack switching, and JavaScript called Python
    accordingly."""
    return run_sync is not None and can_run_sync()


def wait(work: Awaitable[Any]) -> Any:
    """Waits for a JavaScript promise."""
    return run_sync(work)


def offer(name: str, thing: object) -> None:
    """Makes `from js import name` return this value. Does nothing under CPython."""
    if run_sync is not None:
        import js

        setattr(js, name, thing)
