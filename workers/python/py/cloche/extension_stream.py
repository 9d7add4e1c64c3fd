"""Runs the stream provider of an extension: sends what it yields to the page, which sets the pace."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any

from . import asking
from .json_text import encode_strict
from .limits import BREATH_SECONDS, STREAM_BATCH_CHARACTERS, STREAM_BATCH_ITEMS, STREAM_ITEM_CHARACTERS

_COUNTS = ("input", "output", "cached", "reasoning")


def stream_runner(factory: Callable[..., Any]) -> Callable[..., Awaitable[object]]:
    """Returns a function that answers one request with the async generator function that `factory(model)` returns."""

    async def run(model: str, request: dict[str, Any]) -> object:
        function = factory(model)
        if inspect.isawaitable(function):
            function = await function
        if not callable(function):
            raise TypeError(f"the factory must return an async generator function, not {type(function).__name__}")
        generator = function(request)
        if not hasattr(generator, "__anext__"):
            raise TypeError(f"the factory must return an async generator function; it returned {type(generator).__name__}")
        sender = _Sender()
        try:
            async for part in generator:
                await sender.put(read_part(part))
            await sender.flush()
        finally:
            close = getattr(generator, "aclose", None)
            if close is not None:
                await close()
        return None

    return run


def read_part(part: object) -> str:
    """One part of an answer as JSON text. Raises TypeError or ValueError if it is none."""
    if isinstance(part, str):
        part = {"type": "text", "text": part}
    if not isinstance(part, dict):
        raise TypeError(f"a stream provider yields dicts or str, not {type(part).__name__}")
    kind = part.get("type")
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        raise ValueError(f'the "type" of a part is "text", "reasoning", "tool_call" or "usage", not {kind!r}'[:200])
    written = encode_strict({"type": kind, **read(part)}, "part")
    if len(written) > STREAM_ITEM_CHARACTERS:
        raise ValueError(f"a part has more than {STREAM_ITEM_CHARACTERS:,} characters: yield it in pieces")
    return written


def _text(part: dict[str, Any]) -> dict[str, object]:
    text = part.get("text")
    if not isinstance(text, str):
        raise TypeError(f'the "text" of a part must be str, not {type(text).__name__}')
    # An instance of a subclass of str becomes a plain str, without its own methods being called.
    return {"text": str.__str__(text)}


def _tool_call(part: dict[str, Any]) -> dict[str, object]:
    name, arguments, call_id = part.get("name"), part.get("arguments", {}), part.get("id", "")
    if not isinstance(name, str) or not name:
        raise TypeError('a tool_call needs the "name" of a tool')
    if not isinstance(call_id, str):
        raise TypeError(f'the "id" of a tool_call must be str, not {type(call_id).__name__}')
    if not isinstance(arguments, (str, dict)):
        raise TypeError(f'the "arguments" of a tool_call must be a dict, not {type(arguments).__name__}')
    text = arguments if isinstance(arguments, str) else encode_strict(arguments, "arguments")
    return {"id": call_id, "name": name, "arguments": text}


def _usage(part: dict[str, Any]) -> dict[str, object]:
    counts: dict[str, object] = {}
    for key in _COUNTS:
        value = part.get(key, part.get(f"{key}_tokens"))
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e12:
            raise TypeError(f'"{key}" of usage must be a number of tokens, not {value!r}'[:200])
        counts[key] = value
    return counts


_READERS: dict[str, Callable[[dict[str, Any]], dict[str, object]]] = {
    "text": _text,
    "reasoning": _text,
    "tool_call": _tool_call,
    "usage": _usage,
}


class _Sender:
    """Sends one batch at a time, and collects the next one meanwhile."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._characters = 0
        self._sending: asyncio.Task[None] | None = None
        self._breath = time.monotonic()

    async def put(self, part: str) -> None:
        self._waiting.append(part)
        self._characters += len(part)
        is_full = len(self._waiting) >= STREAM_BATCH_ITEMS or self._characters >= STREAM_BATCH_CHARACTERS
        if self._sending is not None and (is_full or self._sending.done()):
            await self._sending  # raises if the page has refused
            self._sending = None
        is_new = self._sending is None
        if is_new:
            self._sending = asyncio.ensure_future(self._send())
        # A new batch is sent while this waits. A generator that never awaits would also block incoming messages.
        now = time.monotonic()
        if is_new or now - self._breath >= BREATH_SECONDS:
            self._breath = now
            await asyncio.sleep(0)

    async def flush(self) -> None:
        if self._sending is not None:
            await self._sending
        if self._waiting:
            await self._send()

    async def _send(self) -> None:
        batch, self._waiting, self._characters = self._waiting, [], 0
        action = f'{{"action":"stream","items":[{",".join(batch)}]}}'
        await asking.ask({"ask": "app", "action": action})
