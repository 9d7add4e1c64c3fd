"""Decides whether a class named Tools is written for Open WebUI, whose class of tools has no base class or decorator."""

from __future__ import annotations

import ast

from .source_nodes import needed_parameters

_SETTINGS = ("Valves", "UserValves")
_ATTRIBUTES = ("valves", "user_valves", "citation", "file_handler")
_FIELDS = (":param", ":return")


def is_marked(kind: ast.ClassDef, alone: bool) -> bool:
    """Whether the class has settings, sets what Open WebUI reads, or takes what Open WebUI supplies.

    `alone`: the file uses no other framework. The style of Open WebUI's docstrings is enough then.
    """
    if any(isinstance(one, ast.ClassDef) and one.name in _SETTINGS for one in kind.body):
        return True
    methods = [one for one in kind.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if any(one.name == "__init__" and len(needed_parameters(one)) > 1 for one in methods):
        return False  # Open WebUI makes its object without arguments
    if any(_is_reserved(one.arg) for method in methods for one in (*method.args.args, *method.args.kwonlyargs)):
        return True
    if any(isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) and one.attr in _ATTRIBUTES for one in ast.walk(kind)):
        return True
    texts = [ast.get_docstring(one) or "" for one in methods if not one.name.startswith("_")]
    return alone and not kind.bases and bool(texts) and all(any(field in text for field in _FIELDS) for text in texts)


def _is_reserved(name: str) -> bool:
    return len(name) > 4 and name.startswith("__") and name.endswith("__")
