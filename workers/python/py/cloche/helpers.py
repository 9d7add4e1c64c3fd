"""Typed access to arguments and results, for extensions. JSON numbers may arrive as floats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def string_arg(arguments: Mapping[str, Any], name: str, default: str = "") -> str:
    """The text under `name`; `default` if it is missing or null. Raises TypeError for anything else."""
    value = arguments.get(name)
    if value is None:
        return default
    if isinstance(value, str):
        return value
    raise TypeError(f"{name} must be a text, not {type(value).__name__}")


def int_arg(arguments: Mapping[str, Any], name: str, default: int = 0) -> int:
    """The whole number under `name`, also written as 3.0; `default` if it is missing or null. Raises TypeError."""
    value = arguments.get(name)
    if value is None:
        return default
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise TypeError(f"{name} must be a whole number, not {value!r}"[:200])


def bool_arg(arguments: Mapping[str, Any], name: str, default: bool = False) -> bool:
    """The truth value under `name`; `default` if it is missing or null. Raises TypeError for anything else."""
    value = arguments.get(name)
    if value is None:
        return default
    if isinstance(value, bool):
        return value
    raise TypeError(f"{name} must be true or false, not {type(value).__name__}")


def text_result(text: str) -> dict[str, Any]:
    """A result with this text: of a tool, or from an interceptor's `after` in place of all that the call returned."""
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    emptied = {"updates": [], "log": [], "stdout": "", "stderr": "", "metadata": {}}
    return {"text_result_for_llm": text, "content": [{"type": "text", "text": text}], **emptied}
