"""Compares a tool's schema with its handler's signature: certain differences are warnings; uncertain ones are
ignored."""

from __future__ import annotations

import functools
import inspect
import sys
from inspect import Parameter
from types import FunctionType
from typing import Any, NamedTuple

from .agreement import Hints, agree
from .handlers import function_of, name_of
from .lint_types import type_faults
from .problems import Fault, warning
from .specs import ToolSpec
from .wording import nearest, shown

_EMPTY = Parameter.empty
_GIVEN = object()
_NAMED = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
# Keywords with which properties may be defined elsewhere.
_ELSEWHERE = ("$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "not", "dependentSchemas", "patternProperties")
_AT = ("parameters", "properties")


class _Taken(NamedTuple):
    """A parameter of the handler."""

    by_name: bool
    default: object


class _Signature(NamedTuple):
    taken: dict[str, _Taken]
    takes_any: bool


def lint(spec: ToolSpec, found: list[Fault]) -> list[Fault]:
    """Warnings about a valid spec. `found`: its faults so far, from which faults of a misspelt property are removed."""
    properties = spec.parameters.get("properties")
    if not isinstance(properties, dict):
        properties = {}
    hints: Hints | None = None
    if type(spec.handler) is FunctionType and not spec.handler.__dict__:
        hints = Hints(spec.handler)
        if agree(spec, properties, spec.handler, hints):
            return []
    faults: list[Fault] = []
    signature = _read_signature(spec.handler)
    if signature is not None:
        misspelt = {} if signature.takes_any else _find_misspelt(properties, signature)
        _leave_out_required(spec, misspelt, found)
        _compare(spec, properties, signature, hints, misspelt, faults)
    _warn_of_undescribed(properties, faults)
    return faults


def _find_misspelt(properties: dict[str, Any], signature: _Signature) -> dict[str, str]:
    """Properties that the handler does not take, each with the parameter that is probably meant."""
    free = [name for name, taken in signature.taken.items() if taken.by_name and name not in properties]
    found: dict[str, str] = {}
    for name in properties:
        near = nearest(name, free) if name not in signature.taken else None
        if near:
            found[name] = near
            free.remove(near)
    return found


def _leave_out_required(spec: ToolSpec, misspelt: dict[str, str], found: list[Fault]) -> None:
    """Removes faults about a required parameter without a property, if that property is misspelt."""
    required = spec.parameters.get("required")
    listed = required if isinstance(required, list) else []
    places = {("parameters", "required", index) for index, name in enumerate(listed) if name in misspelt.values()}
    found[:] = [one for one in found if one.code != "required-unknown" or one.path not in places]


def _compare(
    spec: ToolSpec,
    properties: dict[str, Any],
    signature: _Signature,
    hints: Hints | None,
    misspelt: dict[str, str],
    faults: list[Fault],
) -> None:
    """Compares the properties of the schema with the parameters of the handler. Adds warnings."""
    called = f"{name_of(spec.handler)}()"
    required = spec.parameters.get("required")
    required = required if isinstance(required, list) else []
    function = function_of(spec.handler)
    if hints is None and isinstance(function, FunctionType):
        hints = Hints(function)
    for name, schema in properties.items():
        taken = signature.taken.get(name)
        if taken is None:
            if not signature.takes_any:
                faults.append(_untaken_fault(name, called, misspelt.get(name)))
        elif not taken.by_name:
            if taken.default is _EMPTY or not signature.takes_any:
                faults.append(_positional_only_fault(name, called))
        else:
            _compare_need(name, taken, required, called, faults)
            if hints is not None:
                faults.extend(type_faults(name, schema, spec.parameters, hints.of(name), taken.default is None))
    if not any(key in spec.parameters for key in _ELSEWHERE):
        for name, taken in signature.taken.items():
            if name not in properties and name not in misspelt.values() and not (name == "context" and spec.takes_context):
                _warn_of_missing_property(name, taken, called, faults)


def _untaken_fault(name: str, called: str, near: str | None) -> Fault:
    hint = f"Did you mean {shown(near)}?" if near else f"Remove it, or give {called} a parameter of this name."
    message = f"{shown(name)} is in the schema, but {called} has no such parameter: a call with it fails"
    return warning("parameter-not-taken", (*_AT, name), message, f"parameters of {called}", hint)


def _positional_only_fault(name: str, called: str) -> Fault:
    message = f"{called} takes {shown(name)} by position only, but arguments are passed by name: every call with it fails"
    hint = "Remove the / from the signature."
    return warning("positional-only", (*_AT, name), message, "a parameter that can be passed by name", hint)


def _warn_of_missing_property(name: str, taken: _Taken, called: str, faults: list[Fault]) -> None:
    """Warns of a parameter that the schema does not have, if calls fail without it or the model is meant to set it."""
    at = ("parameters",)
    if taken.default is _EMPTY:
        message = f"{called} needs {shown(name)}, which is not in the schema: every call that follows the schema fails"
        hint = f"Describe {shown(name)} in properties and list it in required, or give it a default."
        faults.append(warning("parameter-not-in-schema", at, message, f"every parameter of {called}", hint))
    # A parameter for tests or other code has a default that is not JSON, or a name that starts with _.
    elif taken.by_name and not name.startswith("_") and type(taken.default) in (str, int, float, bool):
        message = f"{called} has a parameter {shown(name)} that is not in the schema: no model can set it"
        hint = f"Describe {shown(name)} in properties, or start its name with _ if models should not set it."
        faults.append(warning("parameter-not-in-schema", at, message, f"every parameter of {called}", hint))


def _compare_need(name: str, taken: _Taken, required: list[Any], called: str, faults: list[Fault]) -> None:
    """Warns if the schema and the handler disagree on whether a parameter may be left out."""
    if name in required:
        if taken.default is not _EMPTY:
            message = f"{shown(name)} is required, but {called} has a default for it, which is never used"
            hint = f"Remove {shown(name)} from required, or the default from the signature."
            at = ("parameters", "required", required.index(name))
            faults.append(warning("required-has-default", at, message, "a default or required, not both", hint))
    elif taken.default is _EMPTY:
        message = f"{shown(name)} is not required, but {called} has no default for it: a call without it fails"
        hint = f"List {shown(name)} in required, or give it a default in the signature."
        faults.append(warning("not-required", (*_AT, name), message, "a default, or an entry in required", hint))


def _warn_of_undescribed(properties: dict[str, Any], faults: list[Fault]) -> None:
    """Warns of parameters without a description."""
    bare = [name for name, schema in properties.items() if _is_undescribed(schema)]
    if not bare:
        return
    named = ", ".join(shown(name) for name in bare[:5]) + (f" and {len(bare) - 5} more" if len(bare) > 5 else "")
    message = f"{named} {'has' if len(bare) == 1 else 'have'} no description"
    hint = 'Add "description": its meaning, unit and format. The model relies on it.'
    faults.append(warning("no-description", (*_AT, bare[0]), message, "a description for every parameter", hint))


_CHOICES = ("allOf", "anyOf", "oneOf")


def _is_undescribed(schema: object) -> bool:
    if not isinstance(schema, dict) or "const" in schema:
        return False
    if "description" not in schema and _may_say_elsewhere(schema):
        return False
    text = schema.get("description")
    return not (isinstance(text, str) and text.strip())


def _may_say_elsewhere(schema: dict[str, Any]) -> bool:
    if "$ref" in schema:
        return True
    choices = [choice for key in _CHOICES for choice in _listed(schema.get(key)) if isinstance(choice, dict)]
    return any(key in choice for choice in choices for key in ("description", "$ref", *_CHOICES))


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _read_signature(handler: Any) -> _Signature | None:
    """The parameters of the handler; None if they cannot be determined or do not describe how it is called."""
    if type(handler) is FunctionType and not handler.__dict__:
        return _of_function(handler)
    function = function_of(handler)
    if not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        return None  # not written in Python, or behind a decorator, which may add or take arguments
    if type(handler) is FunctionType:
        return _of_function(handler)
    try:
        # Annotations need not be evaluated: only names and defaults are used.
        if sys.version_info >= (3, 14):
            from annotationlib import Format

            parameters = inspect.signature(handler, annotation_format=Format.STRING).parameters
        else:
            parameters = inspect.signature(handler).parameters
    except Exception:  # no signature, or an object that raises when it is inspected
        return None
    # Parameters that a partial has already set need not be in the schema.
    given = handler.keywords if isinstance(handler, functools.partial) else {}
    taken = {
        one.name: _Taken(one.kind in _NAMED, _GIVEN if one.name in given else one.default)
        for one in parameters.values()
        if one.kind in _NAMED or one.kind is Parameter.POSITIONAL_ONLY
    }
    return _Signature(taken, any(one.kind is Parameter.VAR_KEYWORD for one in parameters.values()))


def _of_function(function: FunctionType) -> _Signature:
    """The same as in inspect, but faster: a folder may have thousands of tools."""
    code = function.__code__
    names = code.co_varnames
    taken: dict[str, _Taken] = {}
    defaults = function.__defaults__ or ()
    first = code.co_argcount - len(defaults)
    for index in range(code.co_argcount):
        default = defaults[index - first] if index >= first else _EMPTY
        taken[names[index]] = _Taken(index >= code.co_posonlyargcount, default)
    only = function.__kwdefaults__ or {}
    for name in names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]:
        taken[name] = _Taken(True, only.get(name, _EMPTY))
    return _Signature(taken, bool(code.co_flags & inspect.CO_VARKEYWORDS))
