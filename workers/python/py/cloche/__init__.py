"""Cloche's Python side: imports tool files, checks their specs and runs their handlers."""

from .helpers import bool_arg, int_arg, string_arg, text_result

__all__ = ["bool_arg", "int_arg", "string_arg", "text_result"]
