"""`ThreadPoolExecutor` without threads: a submitted function runs at once, in the code that submits it.

Results, failures and their order are those of a pool, but nothing runs at the same time. Work that waits for work
submitted later waits forever; the call's time limit ends it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from concurrent.futures.thread import BrokenThreadPool, ThreadPoolExecutor
from typing import Any


_plain_init = ThreadPoolExecutor.__init__


def install() -> None:
    """Makes pools work in the browser. Does nothing outside it."""
    if sys.platform == "emscripten":
        ThreadPoolExecutor.__init__ = _init  # type: ignore[method-assign]
        ThreadPoolExecutor.submit = submit  # type: ignore[method-assign]


def _init(
    pool: Any,
    max_workers: int | None = None,
    thread_name_prefix: str = "",
    initializer: Callable[..., object] | None = None,
    initargs: Iterable[Any] = (),
    **more: Any,
) -> None:
    prepare(pool, initializer, initargs)
    _plain_init(pool, max_workers, thread_name_prefix, initializer, tuple(initargs), **more)


def prepare(pool: Any, initializer: Callable[..., object] | None, initargs: Iterable[Any]) -> None:
    """Remembers what to run before the first work."""
    pool.cloche_initializer = (initializer, tuple(initargs))


def submit(pool: Any, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
    """Runs the work and returns its finished future. Raises like a pool that is broken or shut down."""
    if pool._broken:
        raise BrokenThreadPool(pool._broken)
    if pool._shutdown:
        raise RuntimeError("cannot schedule new futures after shutdown")
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    try:
        _initialize(pool)
        future.set_result(function(*args, **kwargs))
    except BaseException as thrown:
        future.set_exception(thrown)
    return future


def _initialize(pool: Any) -> None:
    """Runs the initializer of a pool before its first work. If it raises, the pool is broken."""
    initializer, arguments = pool.cloche_initializer
    if initializer is None:
        return
    pool.cloche_initializer = (None, ())
    try:
        initializer(*arguments)
    except BaseException as thrown:
        pool._broken = "A thread initializer failed, the thread pool is not usable anymore"
        raise BrokenThreadPool(pool._broken) from thrown
