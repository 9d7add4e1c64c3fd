"""Evaluates a spec's own callable: whether a call needs approval, or may overlap with others."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context

from .limits import DECISION_SECONDS
from .running_call import discard
from .specs import ToolSpec

# The answers if the spec does not decide in time: approval is needed, and calls may not overlap.
SAFE_ANSWERS = {"requires_approval": True, "concurrency_safe": False}


def decide(
    spec: ToolSpec, key: str, arguments: dict[str, object], scope: Context, now: Callable[[], float]
) -> bool:
    """The spec's answer for `key`, a key of SAFE_ANSWERS, about a call with these arguments.

    A callable gets the arguments as one dict. If it raises, takes too long or returns anything but a bool, the answer
    is that of SAFE_ANSWERS.
    """
    decision = spec.given.get(key, spec.options[key])
    if not callable(decision):
        return decision is True
    started = now()
    try:
        answer = scope.run(decision, arguments)
    except BaseException:  # an error in the spec's callable must not prevent a decision
        return SAFE_ANSWERS[key]
    discard(answer)
    in_time = now() - started <= DECISION_SECONDS
    return answer if type(answer) is bool and in_time else SAFE_ANSWERS[key]
