"""Reads what an extension's functions return. Anything unexpected raises, so that a guard fails closed.

`READERS` has a reader for each kind of function: it takes the returned value, and returns what the page gets. Texts may be of
subclasses of str with methods of their own, so `str.__str__` makes plain ones of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from .actions import Action
from .explicit import RESULT_KEYS
from .extension_blocks import read_blocks
from .extension_models import read_messages
from .json_text import encode_strict


def as_event_handler(
    is_wanted: Callable[..., Any] | None, handle: Callable[..., Any]
) -> Callable[[dict[str, Any]], Any]:
    """A handler that calls `handle` for the events that the filter `is_wanted` accepts; without a filter, for all events.

    It returns None for other events. Both functions may be plain or async.
    """
    if is_wanted is None:
        return handle

    def run(event: dict[str, Any]) -> Any:
        passes = is_wanted(event)
        if inspect.isawaitable(passes):
            return _handle_if(passes, handle, event)
        return handle(event) if passes else None

    return run


async def _handle_if(passes: Awaitable[Any], handle: Callable[..., Any], event: dict[str, Any]) -> Any:
    if not await passes:
        return None
    returned = handle(event)
    return await returned if inspect.isawaitable(returned) else returned


def _read_before(returned: object) -> object:
    """The decision of a guard: None lets the call run, `refuse` gives the reason, `arguments` replaces those of the call."""
    if returned is None or returned is True:
        return None
    if returned is False:
        return {"refuse": ""}
    if isinstance(returned, str):
        return {"refuse": str.__str__(returned)}
    if isinstance(returned, dict) and isinstance(returned.get("arguments"), dict) and len(returned) == 1:
        return {"arguments": encode_strict(returned["arguments"], "arguments")}
    raise TypeError(
        f'before must return True, False, a reason or {{"arguments": {{…}}}}, not {type(returned).__name__}'
    )


def _read_after(returned: object) -> object:
    """The result that replaces that of the call; None keeps the call's own result."""
    if returned is None:
        return None
    if isinstance(returned, str):
        text = str.__str__(returned)
        return {"text_result_for_llm": text, "content": [{"type": "text", "text": text}]}
    if not isinstance(returned, dict):
        raise TypeError(f"after must return a result, a text or None, not {type(returned).__name__}")
    return {key: returned[key] for key in RESULT_KEYS if key in returned}


def _read_message(returned: object) -> object:
    """The context that a message hook adds to the turn; empty if it adds none."""
    if returned is None or isinstance(returned, str):
        return {"text": str.__str__(returned or "")}
    raise TypeError(f"on_message must return a text, not {type(returned).__name__}")


def _read_completions(returned: object) -> object:
    """The arguments that a command suggests: the first 100, each cut to 1,000 characters."""
    if isinstance(returned, (list, tuple)) and all(isinstance(one, str) for one in returned):
        return [str.__str__(one)[:1_000] for one in returned[:100]]
    raise TypeError(f"complete must return a list of str, not {type(returned).__name__}")


def _read_action(returned: object) -> object:
    """The action that the page performs; None if there is none."""
    if returned is None or isinstance(returned, Action):
        return returned
    raise TypeError(
        f"a handler must return one action, such as actions.notify(text), or None, not {type(returned).__name__}"
    )


READERS: dict[str, Callable[[Any], Any]] = {
    "before": _read_before,
    "after": _read_after,
    "message": _read_message,
    "complete": _read_completions,
    "action": _read_action,
    "once": _read_action,  # the function of an action, which is forgotten when it has run
    "messages": read_messages,
    "stream": lambda returned: None,  # the function has sent its events while it ran
    "blocks": read_blocks,
}
