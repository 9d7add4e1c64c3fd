"""Cloche's Python side: imports tool files, checks their specs and runs their handlers."""

from .extension_models import compact_with_circuit_breaker
from .helpers import bool_arg, int_arg, string_arg, text_result

__all__ = ["bool_arg", "compact_with_circuit_breaker", "int_arg", "string_arg", "text_result"]
