"""Reads annotations: evaluates those of a function or class, and takes Annotated, Optional and aliases apart.

Used by `annotation_schemas`, `inference`, `conversion` and the export.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import linecache
import sys
import types
import typing
from collections.abc import Mapping
from typing import Any

from .fields import Constraints, constraints_of, is_field_info
from .frameworks import LIBRARIES, framework_of

UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))
_WRAPPERS = tuple(
    getattr(typing, name) for name in ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar", "Unpack") if hasattr(typing, name)
)
_LAYERS = 20  # the number of aliases and wrappers such as Annotated that are taken from around a type


def hints_of(annotated: Any, names: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Returns the annotations of a function or class, evaluated one by one if they cannot be evaluated together.

    `names`: further names that annotations may use. An annotation that cannot be evaluated becomes Any.
    """
    if isinstance(annotated, functools.partial):
        annotated = annotated.func
    elif not isinstance(annotated, type) and isinstance(getattr(type(annotated), "__call__", None), types.FunctionType):
        annotated = type(annotated).__call__  # an object that is a tool, because it can be called
    try:
        return typing.get_type_hints(annotated, localns=dict(names) if names else None, include_extras=True)
    except BaseException:  # annotations are code of the file, which can raise anything
        pass
    raw: dict[str, Any] = {}
    for kind in reversed(getattr(annotated, "__mro__", (annotated,))):
        raw.update(_list_raw_annotations(kind))
    module = sys.modules.get(getattr(annotated, "__module__", None) or "")
    known = {**vars(typing), **(vars(module) if module else {}), **getattr(annotated, "__globals__", {}), **(names or {})}
    known = _Names(known, getattr(module, "__file__", None) or "")
    return {name: _evaluate(annotation, known) for name, annotation in raw.items()}


class _Names(dict[str, Any]):
    """The names that annotations of a file may use. A name that the file does not bind where the annotation is evaluated is
    one that it imports elsewhere, under `if TYPE_CHECKING:` or in a function; else it is Any, so that the rest of the
    annotation counts: RunContext[Shop] is a context, whatever a Shop is."""

    def __init__(self, known: Mapping[str, Any], file: str) -> None:
        super().__init__(known)
        self._file = file

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            return getattr(builtins, name)
        imports = _list_hidden_imports("".join(linecache.getlines(self._file))) if self._file else {}
        found = self[name] = _import_name(*imports[name]) if name in imports else Any
        return found


def _import_name(module: str, name: str) -> Any:
    """What a file imports only elsewhere: a name of a module, or the module itself if `name` is empty. Only modules of the
    standard library are loaded for this: a name of any other module that is not loaded says nothing about a value."""
    from .inert import make_inert
    from .stand_in_module import make_stand_in

    top = module.partition(".")[0]
    try:
        if module in sys.modules or top in sys.stdlib_module_names:
            found: Any = importlib.import_module(module)
        elif framework_of(module) or top in LIBRARIES:
            found = make_stand_in(module)
        else:
            return make_inert(name or module, module)
        return getattr(found, name) if name else found
    except Exception:
        return Any


@functools.lru_cache(maxsize=32)
def _list_hidden_imports(source: str) -> dict[str, tuple[str, str]]:
    """The names that imports bind below the top level of a source, each with its module and the name there."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update((alias.asname or alias.name, (node.module, alias.name)) for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update((alias.asname or alias.name.partition(".")[0], (alias.name if alias.asname else alias.name.partition(".")[0], "")) for alias in node.names)
    return found


def _list_raw_annotations(annotated: Any) -> dict[str, Any]:
    try:
        if sys.version_info >= (3, 14):
            from annotationlib import Format, get_annotations

            return dict(get_annotations(annotated, format=Format.FORWARDREF))
        return dict(vars(annotated).get("__annotations__", {}) if isinstance(annotated, type) else annotated.__annotations__)
    except BaseException:
        return {}


def _evaluate(annotation: Any, names: _Names) -> Any:
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if not isinstance(annotation, str):
        return annotation
    try:
        # As globals, too, for lambdas and generators in the annotation.
        return eval(annotation, names, names)
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


def is_typed_dict(kind: Any) -> bool:
    """Whether a class is a typed dict, also one of the package typing_extensions, which has its own TypedDict."""
    return typing.is_typeddict(kind) or (isinstance(kind, type) and issubclass(kind, dict) and hasattr(kind, "__required_keys__"))


def union_members(annotation: Any) -> tuple[Any, ...]:
    """The members of a union; for any other annotation, only the annotation itself."""
    inner = strip_metadata(annotation)
    if type(inner) is type:
        return (inner,)
    return typing.get_args(inner) if typing.get_origin(inner) in UNIONS else (inner,)
