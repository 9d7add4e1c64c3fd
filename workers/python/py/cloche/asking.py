"""Sends questions of running code to the page, and waits for the answers, in plain and in asynchronous code."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Generator
from typing import Any

from .event_loops import require_browser
from .streams import sink
from .waiting import require_waiting, wait

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
    """Sets the connection to the page: `ask(call_id, text)`, an awaitable of JSON text or of an object with
    `to_bytes`."""
    global _ask
    _ask = ask


def current_call() -> int:
    """The id of the call whose code is running; 0 if there is none, or if it has ended."""
    output = sink.get()
    return 0 if getattr(output, "closed", True) else getattr(output, "call_id", 0)


def ask(question: dict[str, object]) -> Awaitable[Any]:
    """Returns an awaitable that asks the page on behalf of the call whose code is running.

    The answer is a dict, or bytes for a piece of a body. If the page refuses, awaiting raises PermissionError,
    ConnectionError, TimeoutError, ValueError or RuntimeError.
    """
    return _Answer(current_call(), _dumps(question))


def ask_and_wait(question: dict[str, object], instead: str) -> Any:
    """Asks the page, and waits in a plain function. Raises the same errors as `ask`, and RuntimeError if a plain
    function cannot wait here.

    `instead` tells the tool's author what to do in that case.
    """
    call = current_call()
    asked = _require_connection(call)
    require_waiting(instead)
    return _decoded(wait(asked(call, _dumps(question))))


def ask_now(question: dict[str, object]) -> Awaitable[Any]:
    """Asks the page at once; the answer is awaited later, or never. Raises the same errors as `ask`."""
    call = current_call()
    return _Sent(_require_connection(call)(call, _dumps(question)))


def tell(call: int, question: dict[str, object]) -> None:
    """Sends a message on behalf of a call without waiting for an answer. Never raises."""
    if _ask is not None and call == current_call():
        _ask(call, _dumps(question))


class _Answer:
    """An awaitable that asks on behalf of the call that created it."""

    def __init__(self, call: int, text: str) -> None:
        self._call = call
        self._text = text

    def __await__(self) -> Generator[Any, None, Any]:
        asked = _require_connection(self._call)
        require_browser()
        return _decoded((yield from asked(self._call, self._text).__await__()))


class _Sent:
    """The answer to a question that was sent already."""

    def __init__(self, answer: Awaitable[Any]) -> None:
        self._answer = answer

    def __await__(self) -> Generator[Any, None, Any]:
        return _decoded((yield from self._answer.__await__()))


def _require_connection(call: int) -> Ask:
    """The connection to the page. Raises PermissionError outside of a call."""
    if _ask is None or call == 0:
        raise PermissionError("the network and the user can be reached only during a call")
    return _ask


def _decoded(answer: Any) -> Any:
    """The answer as `ask` gives it. Raises the error of a refusal."""
    if isinstance(answer, bytes):
        return answer
    if not isinstance(answer, str):
        return answer.to_bytes()
    decoded = _loads(answer)
    if decoded["answer"] == "refused":
        raise _ERRORS.get(decoded["error"], RuntimeError)(decoded["message"])
    return decoded
