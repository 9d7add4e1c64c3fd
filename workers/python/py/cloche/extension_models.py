"""The part of an extension's `app` that registers compactors, providers of models, and renderers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from .extension_stream import stream_runner
from .json_text import encode_strict
from .limits import MODELS, NAME_CHARACTERS
from .wording import checked_text

_MODEL_KEYS = ("id", "name", "context", "images", "tools", "price")


class ModelRegistrations:
    """Mixed into App, which has `_add` and `_keep`."""

    _add: Callable[..., None]
    _keep: Callable[[str, Callable[..., Any]], int]

    def register_compactor(self, *, name: str, compact: Callable[..., Any], threshold: int = 0) -> None:
        """`compact(messages)` returns the messages that replace older ones. It is used when the conversation has more
        than `threshold` tokens; 0 leaves that to Cloche. Of several compactors, the last one is used."""
        if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 <= threshold < 1e9:
            raise TypeError(f"threshold must be a number of tokens, not {threshold!r}"[:200])
        self._add("compactor", name, threshold=threshold, run=self._keep("messages", compact))

    def register_provider(
        self,
        name: str,
        *,
        base_url: str = "",
        api: str = "openai-chat",
        models: list[dict[str, Any]] | tuple[dict[str, Any], ...] = (),
        headers: dict[str, str] | None = None,
    ) -> None:
        """Models at an address, or models of a stream provider of this extension, whose name is then the `api`. Each
        model is a dict with `id` and, if known, `name`, `context` (tokens), `images`, `tools` and `price`. Headers are
        not secret; a key is entered by the user."""
        self._add(
            "provider",
            name,
            base_url=checked_text("base_url", base_url, 2_000),
            api=checked_text("api", api, NAME_CHARACTERS),
            models=_read_models(models),
            headers=_read_headers(headers or {}),
        )

    def register_stream_provider(self, name: str, factory: Callable[..., Any]) -> None:
        """Models in Python: `factory(model)` returns an async generator function that gets the request and yields
        dicts with "type" "text", "reasoning", "tool_call" or "usage"."""
        if not callable(factory):
            raise TypeError(f"a function is expected, not {type(factory).__name__}")
        self._add("stream_provider", name, run=self._keep("stream", stream_runner(factory)))

    def register_renderer(self, kind: str, render: Callable[..., Any]) -> None:
        """`render(data, expanded)` returns a list of blocks for messages of this kind: dicts with "type" "text",
        "markdown", "code", "table", "image", "json" or "link"."""
        self._add("renderer", kind, run=self._keep("blocks", render))


def compact_with_circuit_breaker(
    compact: Callable[..., Any], max_fails: int = 3, cooldown: float = 600.0
) -> Callable[..., Any]:
    """A compactor that is not called for `cooldown` seconds after `max_fails` failures in a row. Meanwhile it raises
    RuntimeError, and Cloche's own compaction is used."""
    failures, off_until = 0, 0.0

    async def guarded(messages: list[dict[str, Any]]) -> object:
        nonlocal failures, off_until
        left = off_until - time.monotonic()
        if left > 0:
            raise RuntimeError(f"the compactor is off for {left:,.0f} s after {max_fails} failures")
        try:
            returned = compact(messages)
            made = await returned if hasattr(returned, "__await__") else returned
        except Exception:
            failures += 1
            if failures >= max_fails:
                failures, off_until = 0, time.monotonic() + cooldown
            raise
        failures = 0
        return made

    return guarded


def read_messages(returned: object) -> object:
    """The messages that a compactor returned, as plain data. Raises TypeError for anything else."""
    if not isinstance(returned, (list, tuple)):
        raise TypeError(f"compact must return a list of messages, not {type(returned).__name__}")
    return [_read_message(one) for one in returned]


def _read_message(one: object) -> dict[str, object]:
    if not isinstance(one, dict) or not isinstance(one.get("content"), str):
        raise TypeError('a message must be a dict with "role" and "content", which is str')
    message: dict[str, object] = {
        key: one[key] for key in ("role", "content", "tool_call_id", "name", "is_error") if key in one
    }
    calls = one.get("tool_calls")
    if calls:
        message["tool_calls"] = [_read_call(call) for call in calls]
    return message


def _read_call(call: object) -> dict[str, object]:
    if not isinstance(call, dict):
        raise TypeError(f"a call must be a dict, not {type(call).__name__}")
    arguments = call.get("arguments", {})
    text = arguments if isinstance(arguments, str) else encode_strict(arguments, "arguments")
    return {"id": call.get("id"), "name": call.get("name"), "arguments": text}


def _read_models(models: object) -> list[dict[str, object]]:
    if not isinstance(models, (list, tuple)) or len(models) > MODELS:
        raise TypeError(f"models must be a list of at most {MODELS} dicts")
    found: list[dict[str, object]] = []
    for one in models:
        if not isinstance(one, dict) or not isinstance(one.get("id"), str) or not one["id"]:
            raise TypeError('each model must be a dict with an "id"')
        unknown = [key for key in one if key not in _MODEL_KEYS]
        if unknown:
            raise ValueError(f"a model has {', '.join(_MODEL_KEYS)}, not {unknown[0]!r}"[:200])
        found.append({key: one[key] for key in _MODEL_KEYS if key in one})
    return found


def _read_headers(headers: object) -> list[list[str]]:
    if not isinstance(headers, dict) or len(headers) > 50:
        raise TypeError("headers must be a dict of at most 50 texts")
    return [
        [checked_text("a header", name, 200), checked_text("a header", value, 4_000)]
        for name, value in headers.items()
    ]
