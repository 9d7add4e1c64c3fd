"""Asks a spec's own callable whether a call needs an approval, or may overlap with others."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context

from .driving import discard
from .limits import DECISION_SECONDS
from .specs import ToolSpec

# What holds where the spec does not say in time: needing an approval, and not being safe.
CAREFUL = {"requires_approval": True, "concurrency_safe": False}


def decide(
    spec: ToolSpec, key: str, arguments: dict[str, object], scope: Context, now: Callable[[], float]
) -> bool:
    """What the spec says at `key`, a key of CAREFUL, about a call with these arguments.

    A callable is given the arguments as one dict. Where it raises, takes too long or returns anything but a bool,
    the careful answer holds.
    """
    said = spec.given.get(key, spec.options[key])
    if not callable(said):
        return said is True
    started = now()
    try:
        answer = scope.run(said, arguments)
    except BaseException:  # a spec that cannot decide must not stop the call from being decided
        return CAREFUL[key]
    discard(answer)
    in_time = now() - started <= DECISION_SECONDS
    return answer if type(answer) is bool and in_time else CAREFUL[key]
