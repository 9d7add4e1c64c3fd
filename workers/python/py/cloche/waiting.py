"""Lets plain functions wait for asynchronous results of the browser, and makes values importable from `js`."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import cache
from typing import Any

try:
    from pyodide.ffi import can_run_sync, run_sync
except ImportError:  # under CPython there is no browser
    run_sync = None


def require_waiting(instead: str) -> None:
    """Raises RuntimeError if a plain function cannot wait here: the browser has no stack switching, or JavaScript did
    not call Python accordingly.

    `instead` tells the tool's author what to do.
    """
    if run_sync is not None and can_run_sync():
        return
    raise RuntimeError(f"a plain function cannot wait {_cause()}: {instead}")


@cache
def has_stack_switching() -> bool:
    """Whether plain functions can wait in this browser at all."""
    import js

    return hasattr(js.WebAssembly, "Suspending")


def _cause() -> str:
    if run_sync is not None and not has_stack_switching():
        return "in this browser, which has no WebAssembly stack switching"
    return "at this point"


def wait(work: Awaitable[Any]) -> Any:
    """Waits for a JavaScript promise."""
    return run_sync(work)


def offer(name: str, thing: object) -> None:
    """Makes `from js import name` return this value. Does nothing under CPython."""
    if run_sync is not None:
        import js

        setattr(js, name, thing)
