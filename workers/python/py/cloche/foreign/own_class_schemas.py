"""Finds which arguments a tool that is a class takes, and how to pass them to the method that runs it.

`own_tool_classes` passes the schema or model that a class gives, in whichever form; if it gives none, the method shows which
arguments it takes. The schema is added to the mark, and so is a call if the method does not take its arguments by name.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import is_dataclass
from types import FunctionType
from typing import Any

from .annotation_schemas import object_schema, schema_of
from .annotations import hints_of
from .argument_dicts import ARGUMENTS, call_with_dict, list_positional, list_without_default, make_further_values
from .conversion import convert
from .docstrings import schema_of_words
from .fields import model_fields
from .inert import InertType, remove_missing
from .marks import Mark, text_of
from .read_keys import infer_schema_of_keys, is_read
from .tool_dicts import Described, complete_properties, read_description
from .unavailable import Unavailable

# Words in the description of a parameter that need not be given.
_OPTIONAL = re.compile(r"\bopt(ional)?\b|\(opc|\bdefaults?\b", re.IGNORECASE)


def add_schema(mark: Mark, method: FunctionType, given: Any, source: Any) -> bool:
    """Adds the schema to a mark, and a call if the method does not take its arguments by name.

    `given`: the schema that the class gives, or a model; `source`: what has it. Returns False if nothing says what the
    method takes.
    """
    if given is None and not _is_typed(method):
        given = _find_annotated_model(method)
    described = _describe(_complete_schema(given, method, source)) if isinstance(given, dict) else None
    if described is None and not isinstance(given, type) and not _is_typed(method):
        described = _describe(_infer_schema(method) or None)
    if described is not None:
        mark.schema = described.schema
        model = None if _is_typed(method) else _find_annotated_model(method)
        mark.call = _call_with_model(method, model) if model is not None else call_with_dict(method, described.schema, skipped=1)
        if mark.call is None and not method.__code__.co_flags & inspect.CO_VARARGS:
            # Values that the application passes besides those of the schema, such as a context
            needed = list_without_default(method, list_positional(method, skipped=1))
            mark.hidden = {name: _make_unavailable(name) for name in needed if name not in described.schema.get("properties", {})}
        return True
    if isinstance(given, type) and (hasattr(given, "model_fields") or is_dataclass(given)):
        mark.call = _call_with_model(method, given)
        mark.schema = schema_of(given) if mark.call else None
        mark.model = None if mark.call else given
        return True
    return _is_typed(method)


def takes_nothing(method: FunctionType) -> bool:
    """Whether a method takes no arguments, or **kwargs that it does not read."""
    if method.__code__.co_argcount != 1 or method.__code__.co_kwonlyargcount:
        return False
    keywords = _find_keywords_name(method)
    return not keywords or not is_read(method, keywords)


def _find_annotated_model(method: FunctionType) -> type | None:
    """The model or dataclass in which a method takes all arguments: run(self, params: SearchParams). None for other methods."""
    parameters = list_positional(method, skipped=1)
    hint = hints_of(method).get(parameters[0]) if len(parameters) == 1 else None
    return hint if isinstance(hint, type) and (model_fields(hint) is not None or is_dataclass(hint)) else None


def _describe(schema: dict[str, Any] | None) -> Described | None:
    """A description with this schema, converted from whichever format it has; None if it cannot be a schema."""
    return None if schema is None else read_description({"name": "tool", "parameters": schema})


def _complete_schema(given: dict[str, Any], method: FunctionType, source: Any) -> dict[str, Any]:
    """The schema, if the dict is one. If it has only the properties, or only a text for each, they become a schema. Required
    are those properties that say so, that a list `required` of the source names, or that the method needs."""
    given = remove_missing(given)
    texts = {name: text_of(member) for name, member in given.items()}
    are_texts = bool(given) and all(texts.values()) and "type" not in given
    are_properties = bool(given) and all(isinstance(member, dict) and "type" in member for member in given.values())
    if not are_texts and not are_properties:
        return given
    if any(isinstance(member, dict) and isinstance(member.get("required"), bool) for member in given.values()):
        return complete_properties(given, method)
    hints = hints_of(method)
    properties = {name: _make_property(text, hints.get(name)) for name, text in texts.items()} if are_texts else given
    listed = getattr(source, "required", None)
    if isinstance(listed, (list, tuple)):
        required = [name for name in listed if name in given]
    elif are_texts and hints.keys().isdisjoint(given):
        required = [name for name, text in texts.items() if not _OPTIONAL.search(text)]
    else:
        required = list_without_default(method, given)
    return object_schema(properties, required)


def _make_property(text: str, hint: Any) -> dict[str, Any]:
    """A parameter of which only a word for its type, or a description, is given, and perhaps an annotation."""
    typed = schema_of_words(text)
    return typed or {**(schema_of(hint) if hint is not None else {}), "description": text}


def _infer_schema(method: FunctionType) -> dict[str, Any] | None:
    """The schema of the keys that a method reads from the only parameter that has the arguments: a dict, or **kwargs."""
    code, positional = method.__code__, list_positional(method, skipped=1)
    if code.co_kwonlyargcount or (positional and positional[0] not in ARGUMENTS):
        return None
    name = positional[0] if positional else _find_keywords_name(method)
    return infer_schema_of_keys(method, name) if name else None


def _find_keywords_name(method: FunctionType) -> str:
    """The name of **kwargs; empty if a method has none."""
    code = method.__code__
    at = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
    return code.co_varnames[at] if code.co_flags & inspect.CO_VARKEYWORDS else ""


def _call_with_model(method: FunctionType, model: type) -> Callable[..., Any] | None:
    """The function that calls a method whose first parameter takes all arguments; None for other methods.

    Further parameters get placeholders for values that only the application has.
    """
    parameters = list_positional(method, skipped=1)
    if not parameters or parameters[0] in getattr(model, "model_fields", {}):
        return None
    hint = hints_of(method).get(parameters[0])
    hint = model if isinstance(hint, InertType) else hint  # the annotation is a class of a missing file
    further = make_further_values(method, parameters)
    return lambda tool, **named: method(tool, convert(named, hint) if isinstance(hint, type) else named, **further)


def _is_typed(method: FunctionType) -> bool:
    """Whether a method has an annotation for each parameter, and is not one that runs other tools: run(name, arguments)."""
    code, hints = method.__code__, hints_of(method)
    parameters = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    runs_others = len(parameters) > 1 and parameters[1] in ARGUMENTS
    return bool(parameters) and parameters[0] not in ARGUMENTS and not runs_others and all(name in hints for name in parameters)


def _make_unavailable(name: str) -> Callable[[Any], Any]:
    """The supply of a value that only the application has."""
    return lambda call: Unavailable(name)
