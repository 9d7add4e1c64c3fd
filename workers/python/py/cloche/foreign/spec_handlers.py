"""Writes the handlers of exported specs: a function that takes the arguments of a call as they are, or a small function
that converts them first."""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import NamedTuple

from .collection import Inferred


class Handler(NamedTuple):
    """The source of a handler; empty if it cannot be written. The notes say why."""

    source: str
    notes: list[str]


def handler_of(found: Inferred, module: ModuleType) -> Handler:
    """The handler of an inferred tool."""
    mark, parameters = found.mark, found.parameters
    name = getattr(mark.target, "__name__", "")
    needs = (parameters.conversions, parameters.supplied, parameters.defaults, parameters.positional, parameters.star)
    is_plain = mark.owner is None and mark.call is None and isinstance(mark.target, FunctionType)
    if is_plain and not any(needs) and vars(module).get(name) is mark.target:
        return Handler(name, [])
    return Handler("", [f"{name} cannot be a handler as it is: its arguments have to be converted"])
