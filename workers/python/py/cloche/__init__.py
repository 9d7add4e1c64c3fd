"""Cloche's Python side: imports tool files, checks their specs and runs their handlers."""

from typing import Any

from .helpers import bool_arg, int_arg, string_arg, text_result

__all__ = ["bool_arg", "compact_with_circuit_breaker", "int_arg", "string_arg", "text_result"]


def __getattr__(name: str) -> Any:
    if name == "compact_with_circuit_breaker":
        # Only extensions need it, and its module may arrive later.
        from .extension_models import compact_with_circuit_breaker

        return compact_with_circuit_breaker
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
