"""Reads annotations: evaluates those of a function or class, and takes Annotated, Optional and aliases apart.

Used by `annotation_schemas`, `inference`, `conversion` and the export.
"""

from __future__ import annotations

import ast
import functools
import linecache
import sys
import types
import typing
from collections.abc import Mapping
from typing import Any

from .fields import Constraints, constraints_of, is_field_info

UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))
_WRAPPERS = tuple(
    getattr(typing, name) for name in ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar", "Unpack") if hasattr(typing, name)
)
_LAYERS = 20  # the number of aliases and wrappers such as Annotated that are taken from around a type


def hints_of(annotated: Any, names: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Returns the annotations of a function or class, evaluated one by one if they cannot be evaluated together.

    `names`: further names that annotations may use. An annotation that cannot be evaluated becomes Any.
    """
    try:
        return typing.get_type_hints(annotated, localns=dict(names) if names else None, include_extras=True)
    except BaseException:  # annotations are code of the file, which can raise anything
        pass
    raw: dict[str, Any] = {}
    for kind in reversed(getattr(annotated, "__mro__", (annotated,))):
        raw.update(_list_raw_annotations(kind))
    module = sys.modules.get(getattr(annotated, "__module__", None) or "")
    checked = _import_checked_names(module) if getattr(module, "__file__", None) else {}
    known = {**vars(typing), **checked, **(vars(module) if module else {}), **getattr(annotated, "__globals__", {}), **(names or {})}
    return {name: _evaluate(annotation, known) for name, annotation in raw.items()}


def _import_checked_names(module: types.ModuleType) -> dict[str, Any]:
    """The names that a file imports only for a type checker, under `if TYPE_CHECKING:`, from the standard library."""
    found: dict[str, Any] = {}
    for statement in _list_checked_imports("".join(linecache.getlines(module.__file__ or ""))):
        try:
            exec(statement, found)
        except Exception:
            continue
    found.pop("__builtins__", None)
    return found


@functools.lru_cache(maxsize=32)
def _list_checked_imports(source: str) -> tuple[str, ...]:
    """The imports from the standard library under `if TYPE_CHECKING:` in a source."""
    try:
        body = ast.parse(source).body if "TYPE_CHECKING" in source else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    checked = [inner for one in body if isinstance(one, ast.If) and ast.unparse(one.test).endswith("TYPE_CHECKING") for inner in one.body]
    imports = [(one, one.module if isinstance(one, ast.ImportFrom) else one.names[0].name) for one in checked if isinstance(one, (ast.Import, ast.ImportFrom))]
    return tuple(ast.unparse(one) for one, name in imports if (name or "").partition(".")[0] in sys.stdlib_module_names)


def _list_raw_annotations(annotated: Any) -> dict[str, Any]:
    try:
        if sys.version_info >= (3, 14):
            from annotationlib import Format, get_annotations

            return dict(get_annotations(annotated, format=Format.FORWARDREF))
        return dict(vars(annotated).get("__annotations__", {}) if isinstance(annotated, type) else annotated.__annotations__)
    except BaseException:
        return {}


def _evaluate(annotation: Any, names: dict[str, Any]) -> Any:
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, dict(names))
    except BaseException:
        return Any


def read_metadata(annotation: Any) -> tuple[str, Constraints]:
    """The description and the constraints that `Annotated` adds to an annotation, also inside Optional."""
    found = Constraints()
    text = ""
    for extra in _list_extras(annotation):
        if isinstance(extra, str):
            text = text or extra
        elif isinstance(getattr(extra, "documentation", None), str):
            text = text or extra.documentation
        else:
            found = found.join_with(constraints_of(extra))
    return text or found.description, found


def find_alias(annotation: Any, default: Any) -> str:
    """The name that Field(alias="…") gives to a parameter, in its annotation or as its default; empty without one."""
    fields = [extra for extra in (*_list_extras(annotation), default) if is_field_info(extra)]
    given = [key for field in fields for key in (getattr(field, "alias", None), getattr(field, "validation_alias", None))]
    return next((key for key in given if isinstance(key, str)), "")


def _list_extras(annotation: Any) -> list[Any]:
    """What Annotated[…] adds to a type, also inside wrappers such as Optional."""
    found: list[Any] = []
    if type(annotation) is type:
        return found
    for _ in range(_LAYERS):
        origin = typing.get_origin(annotation)
        if origin is typing.Annotated:
            found.extend(typing.get_args(annotation)[1:])
            annotation = typing.get_args(annotation)[0]
        elif origin in _WRAPPERS:
            annotation = typing.get_args(annotation)[0]
        elif type(annotation).__name__ == "TypeAliasType":
            annotation = annotation.__value__
        else:
            others = [member for member in union_members(annotation) if member is not type(None)] if origin in UNIONS else []
            if len(others) != 1 or typing.get_origin(others[0]) is not typing.Annotated:
                return found
            annotation = others[0]
    return found


def strip_metadata(annotation: Any) -> Any:
    """The type behind Annotated, NewType, aliases and qualifiers such as Required."""
    if type(annotation) is type:  # nothing is behind a usual class, and `get_origin` takes long to say so
        return annotation
    for _ in range(_LAYERS):
        origin = typing.get_origin(annotation)
        if origin is typing.Annotated or origin in _WRAPPERS:
            annotation = typing.get_args(annotation)[0]
        elif isinstance(annotation, typing.NewType):
            annotation = annotation.__supertype__
        elif type(annotation).__name__ == "TypeAliasType":
            annotation = annotation.__value__
        else:
            return annotation
    return Any


def union_members(annotation: Any) -> tuple[Any, ...]:
    """The members of a union; for any other annotation, only the annotation itself."""
    inner = strip_metadata(annotation)
    if type(inner) is type:
        return (inner,)
    return typing.get_args(inner) if typing.get_origin(inner) in UNIONS else (inner,)
