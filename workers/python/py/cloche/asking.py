"""What running code asks of the page: its answers, waited for in either way."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Generator
from typing import Any

from .browser import can_wait, wait
from .streams import sink

Ask = Callable[[int, str], Awaitable[Any]]

_ask: Ask | None = None
_dumps = json.dumps
_loads = json.loads
_ERRORS: dict[str, type[Exception]] = {
    "PermissionError": PermissionError,
    "ConnectionError": ConnectionError,
    "TimeoutError": TimeoutError,
    "ValueError": ValueError,
}


def connect(ask: Ask | None) -> None:
    """Takes the way to the page: `ask(call_id, text)`, an awaitable of JSON text or of an object with `to_bytes`."""
    global _ask
    _ask = ask


def current_call() -> int:
    """The id of the call whose code is running; 0 where none is, or where it has ended."""
    output = sink.get()
    return 0 if getattr(output, "closed", True) else getattr(output, "call_id", 0)


def ask(question: dict[str, object]) -> Awaitable[Any]:
    """Asks on behalf of the call whose code is running, when what this returns is awaited.

    The answer is a dict, or the bytes of a body's piece. Awaiting raises what the page refuses with: PermissionError,
    ConnectionError, TimeoutError, ValueError or RuntimeError.
    """
    return _Answer(current_call(), _dumps(question))


def ask_and_wait(question: dict[str, object], instead: str) -> Any:
    """Asks, and waits in plain code. Raises as `ask` does, and RuntimeError where plain code cannot wait.

    `instead` says what a tool's author can do then.
    """
    call = current_call()
    asked = _connected(call)
    if not can_wait():
        raise RuntimeError(f"a plain function cannot wait for the page in this browser, or at this point: {instead}")
    return _decoded(wait(asked(call, _dumps(question))))


def tell(call: int, question: dict[str, object]) -> None:
    """Asks on behalf of a call whatever has no answer that matters. Never raises."""
    if _ask is not None and call == current_call():
        _ask(call, _dumps(question))


class _Answer:
    """An awaitable that asks when it is awaited, on behalf of whoever made it."""

    def __init__(self, call: int, text: str) -> None:
        self._call = call
        self._text = text

    def __await__(self) -> Generator[Any, None, Any]:
        asked = _connected(self._call)
        return _decoded((yield from asked(self._call, self._text).__await__()))


def _connected(call: int) -> Ask:
    if _ask is None or call == 0:
        raise PermissionError("the network and the user can be reached only during a call")
    return _ask


def _decoded(answer: Any) -> Any:
    if isinstance(answer, bytes):
        return answer
    if not isinstance(answer, str):
        return answer.to_bytes()
    decoded = _loads(answer)
    if decoded["answer"] == "refused":
        raise _ERRORS.get(decoded["error"], RuntimeError)(decoded["message"])
    return decoded
