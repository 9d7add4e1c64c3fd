"""Writes Python expressions that convert JSON values to the annotated types of a function, and its results to JSON.

`spec_handlers` puts them into handlers. They do in the exported file what `conversion` and `plain_values` do while a
file is only loaded.
"""

from __future__ import annotations

import builtins
import collections
import dataclasses
import datetime
import decimal
import enum
import pathlib
import re
import types
import typing
import uuid
from typing import Any, NamedTuple

from ..annotations import hints_of, is_typed_dict, strip_metadata, union_members
from ..conversion import DATES, LISTS, MAPPINGS, SETS, is_plain
from ..fields import model_fields

_DEPTH = 6
_LINE = 90  # an assignment that is longer is broken into several lines


class Unwritable(Exception):
    """Something that cannot be exported. The text says what, and why."""


class SavedCode(NamedTuple):
    """The functions and imports that were needed at one time."""

    functions: dict[str, str]
    imports: dict[str, None]


def explain_unnamed(value: Any) -> Unwritable:
    """The reason why no text of the file can name a value, such as a function inside another one."""
    outer, is_inner, _ = str(getattr(value, "__qualname__", "")).partition(".<locals>")
    if is_inner:
        return Unwritable(f"it is defined inside {outer}(). Move it to the top level of the file, with the values that it uses")
    return Unwritable(f"{getattr(value, '__name__', '') or repr(value)} has no name in this file. Define it with def or class at the top level")


class ConversionWriter:
    """Writes expressions for a module, with the names that it has. `unit`: one level of indentation."""

    def __init__(self, module: types.ModuleType, unit: str) -> None:
        self._names = vars(module)
        self._unit = unit
        self.functions: dict[str, str] = {}  # functions that the expressions call, with their source
        self.imports: dict[str, None] = {}  # modules that the expressions need

    def save(self) -> SavedCode:
        """The functions and imports that are needed so far, for `restore`."""
        return SavedCode(dict(self.functions), dict(self.imports))

    def restore(self, saved: SavedCode) -> None:
        """Restores the functions and imports that `save` returned."""
        self.functions, self.imports = saved

    # Names

    def name_of(self, value: Any) -> str:
        """The expression that names a class or function in the file. Raises Unwritable."""
        own = getattr(value, "__name__", "")
        if own and self._names.get(own) is value:
            return str(own)
        if own and own not in self._names and getattr(builtins, own, None) is value:
            return str(own)
        for name, known in self._names.items():
            if known is value and name.isidentifier():
                return name
        for name, known in self._names.items():
            if isinstance(known, types.ModuleType) and name.isidentifier() and vars(known).get(own) is value:
                return f"{name}.{own}"
        outer, *inner = str(getattr(value, "__qualname__", "")).split(".")
        found = self._names.get(outer)
        for name in inner:
            found = getattr(found, name, None)
        if found is value and inner:
            return value.__qualname__  # type: ignore[no-any-return]
        raise explain_unnamed(value)

    def import_name(self, value: Any, module: str) -> str:
        """The expression that names a function of the standard library, which is imported if the file lacks it."""
        try:
            return self.name_of(value)
        except Unwritable:
            self.imports[module] = None
            return f"{module}.{value.__name__}"

    def find_free_name(self, name: str) -> str:
        """A name that neither the file nor the new functions have yet."""
        while name in self._names or name in self.functions:
            name += "_"
        return name

    # From JSON

    def write_assignment(self, holder: str, name: str, annotation: Any, is_required: bool, depth: int = 0) -> list[str]:
        """The lines that convert one member of a dict; none if it need not be converted. `holder`: the dict's name."""
        given = f'{holder}["{name}"]'
        members = union_members(annotation)
        may_be_none = type(None) in members and len(members) == 2
        kind = next(member for member in members if member is not type(None)) if may_be_none else annotation
        converted = self.from_json(given, kind, depth)
        if converted == given:
            return []
        condition = "" if is_required else f'if "{name}" in {holder}:'
        if may_be_none:
            condition = f'if {holder}.get("{name}") is not None:'
        inner = self._unit if condition else ""
        lines = [f"{inner}{given} = {converted}"]
        if len(lines[0]) > _LINE and converted[0] in "[{(":
            lines = [f"{inner}{given} = {converted[0]}", f"{inner}{self._unit}{converted[1:-1]}", f"{inner}{converted[-1]}"]
        return [condition, *lines] if condition else lines

    def from_json(self, value: str, annotation: Any, depth: int = 0) -> str:
        """The expression for a JSON value as its annotated type; `value` itself if nothing has to be converted."""
        if is_plain(annotation):
            return value
        if depth > _DEPTH:
            raise Unwritable("the type is nested too deeply")
        members = union_members(annotation)
        if len(members) > 1:
            others = [member for member in members if member is not type(None)]
            if len(others) > 1:
                raise Unwritable("the type is a choice of several types that have to be converted")
            return _unless_none(value, self.from_json(value, others[0], depth + 1))
        inner = strip_metadata(annotation)
        origin, arguments = typing.get_origin(inner), typing.get_args(inner)
        if origin is typing.Literal:
            raise Unwritable("the type is a Literal of enum members")
        if origin is None:
            return self._class_from_json(value, inner, depth) if isinstance(inner, type) else value
        return self._generic_from_json(value, origin, arguments, depth) if isinstance(origin, type) else value

    def _generic_from_json(self, value: str, origin: type, arguments: tuple[Any, ...], depth: int) -> str:
        """The expression that converts a value to a type with arguments, such as list[int]."""
        if origin is tuple and arguments[1:] != (Ellipsis,):
            return self._tuple_from_json(value, arguments, depth)
        item = self.from_json("one", arguments[0], depth + 1) if arguments else "one"
        if origin is tuple:
            return f"(*{value},)" if item == "one" else f"(*({item} for one in {value}),)"
        if origin in SETS:
            made = f"{{*{value}}}" if item == "one" else f"{{{item} for one in {value}}}"
            return f"{self.name_of(frozenset)}({made})" if origin is frozenset else made
        if origin in LISTS:
            return value if item == "one" else f"[{item} for one in {value}]"
        if origin in MAPPINGS and len(arguments) == 2:
            key = f"{self.name_of(int)}(key)" if arguments[0] is int else self.from_json("key", arguments[0], depth + 1)
            one = self.from_json("one", arguments[1], depth + 1)
            return value if (key, one) == ("key", "one") else f"{{{key}: {one} for key, one in {value}.items()}}"
        if origin is collections.deque:
            return f"{self.name_of(collections.deque)}({value})"
        return self._class_from_json(value, origin, depth)

    def _tuple_from_json(self, value: str, kinds: tuple[Any, ...], depth: int) -> str:
        """The expression that makes a tuple, whose items have these types."""
        plain = [f"{value}[{index}]" for index in range(len(kinds))]
        items = [self.from_json(item, kind, depth + 1) for item, kind in zip(plain, kinds)]
        return f"(*{value},)" if items == plain else f"({', '.join(items)},)"

    def _class_from_json(self, value: str, kind: type, depth: int) -> str:
        """The expression that converts a value to a class; `value` itself if it stays as it is."""
        if issubclass(kind, enum.Enum):
            return f"{self.name_of(kind)}({value})"
        if issubclass(kind, decimal.Decimal):
            return f"{self.name_of(kind)}({self.name_of(str)}({value}))"
        if issubclass(kind, datetime.timedelta):
            return f"{self._add_function('_timedelta_of', 'given', self._write_duration_body(kind))}({value})"
        if issubclass(kind, DATES):
            return f"{self.name_of(kind)}.fromisoformat({value})"
        if issubclass(kind, (uuid.UUID, pathlib.PurePath)) or (issubclass(kind, str) and kind is not str):
            return f"{self.name_of(kind)}({value})"
        if issubclass(kind, bytes):
            return f"{value}.encode()"
        if issubclass(kind, bytearray):
            return f"{self.name_of(bytearray)}({value}.encode())"
        if model_fields(kind) is not None:
            return f"{self.name_of(kind)}.{'model_validate' if hasattr(kind, 'model_validate') else 'parse_obj'}({value})"
        if dataclasses.is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(kind, "_fields")):
            return self._object_from_json(value, kind, f"{self.name_of(kind)}(**{{}})", depth)
        if is_typed_dict(kind):
            return self._object_from_json(value, kind, "{}", depth)
        if issubclass(kind, (set, frozenset, tuple)):
            return f"{self.name_of(kind)}({value})"
        return value

    def _object_from_json(self, value: str, kind: type, form: str, depth: int) -> str:
        """The expression that makes an object from a dict: a call of a new function, if members have to be converted.

        `form`: the expression that makes the object, with {} for the dict.
        """
        optional = _list_with_default(kind) if dataclasses.is_dataclass(kind) else getattr(kind, "__optional_keys__", ())
        lines = []
        # A NamedTuple takes its members as they are.
        members = {} if issubclass(kind, tuple) else hints_of(kind)
        for name, annotation in members.items():
            lines.extend(self.write_assignment("given", name, annotation, name not in optional, depth + 1))
        if not lines:
            return form.replace("{}", value)
        body = ["given = dict(given)", *lines, f"return {form.replace('{}', 'given')}"]
        return f"{self._add_function(f'_{kind.__name__.lower()}_of', 'given', body)}({value})"

    # To JSON

    def to_json(self, value: str, annotation: Any, depth: int = 0) -> str:
        """The expression for a result as JSON; `value` itself if its annotation shows no need."""
        if is_plain(annotation) or depth > _DEPTH:
            return value
        members = union_members(annotation)
        others = [member for member in members if member is not type(None)]
        if len(others) != 1:
            return value
        inner = strip_metadata(others[0])
        origin = typing.get_origin(inner)
        converted = value
        if origin is not None and isinstance(origin, type):
            converted = self._generic_to_json(value, origin, typing.get_args(inner), depth)
        elif isinstance(inner, type):
            converted = self._class_to_json(value, inner, depth)
        return converted if len(members) == 1 else _unless_none(value, converted)

    def _generic_to_json(self, value: str, origin: type, arguments: tuple[Any, ...], depth: int) -> str:
        """The expression for a result of a type with arguments, such as list[date]."""
        if origin in LISTS or origin in SETS or origin is tuple:
            item = arguments[0] if arguments and (origin is not tuple or arguments[1:] == (Ellipsis,)) else Any
            each = self.to_json("one", item, depth + 1)
            if each != "one":
                return f"[{each} for one in {value}]"
            return f"[*{value}]" if origin in SETS else value
        if origin in MAPPINGS and len(arguments) == 2:
            each = self.to_json("one", arguments[1], depth + 1)
            return value if each == "one" else f"{{key: {each} for key, one in {value}.items()}}"
        return value

    def _class_to_json(self, value: str, kind: type, depth: int) -> str:
        """The expression that turns an object of a class into JSON values; `value` itself if JSON has such values."""
        if model_fields(kind) is not None:
            return f"{value}.model_dump(mode=\"json\")" if hasattr(kind, "model_dump") else f"{value}.dict()"
        if dataclasses.is_dataclass(kind):
            return self._object_to_json(value, kind, f"{self.import_name(dataclasses.asdict, 'dataclasses')}({{}})", depth)
        if issubclass(kind, enum.Enum):
            return f"{value}.value"
        if issubclass(kind, datetime.timedelta):
            return f"{value}.total_seconds()"
        if issubclass(kind, DATES):
            return f"{value}.isoformat()"
        if issubclass(kind, (decimal.Decimal, uuid.UUID, pathlib.PurePath)):
            return f"{self.name_of(str)}({value})"
        if issubclass(kind, (set, frozenset)):
            return f"[*{value}]"
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return self._object_to_json(value, kind, "{}._asdict()", depth)
        return value

    def _object_to_json(self, value: str, kind: type, form: str, depth: int) -> str:
        """The expression that makes a dict from an object: a call of a new function, if members have to be converted.

        `form`: the expression that makes the dict, with {} for the object.
        """
        lines = []
        for name, annotation in hints_of(kind).items():
            converted = self.to_json(f"value.{name}", annotation, depth + 1)
            if converted != f"value.{name}":
                lines.append(f'members["{name}"] = {converted}')
        if not lines:
            return form.replace("{}", value)
        body = [f"members = {form.replace('{}', 'value')}", *lines, "return members"]
        return f"{self._add_function(f'_members_of_{kind.__name__.lower()}', 'value', body)}({value})"

    # Functions

    def _add_function(self, name: str, parameter: str, body: list[str]) -> str:
        """Adds a function, unless there is one with the same body. Returns its name."""
        text = "\n".join([f"({parameter}):", *(f"{self._unit}{line}" for line in body), ""])
        known = next((function for function, source in self.functions.items() if source.endswith(text)), "")
        if not known:
            known = self.find_free_name(name)
            self.functions[known] = f"def {known}{text}"
        return known

    def _write_duration_body(self, kind: type) -> list[str]:
        """The body of a function that reads an ISO 8601 duration."""
        return [
            f'parts = {self.import_name(re.fullmatch, "re")}(r"(-?)P(?:(\\d+)D)?(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:([\\d.]+)S)?)?", given)',
            "if parts is None:",
            f'{self._unit}raise ValueError(f"{{given!r}} is not an ISO 8601 duration such as PT1H30M")',
            "days, hours, minutes, seconds = (float(one or 0) for one in parts.groups()[1:])",
            f"length = {self.name_of(kind)}(days=days, hours=hours, minutes=minutes, seconds=seconds)",
            "return -length if parts[1] else length",
        ]


def _unless_none(value: str, converted: str) -> str:
    """The expression that converts a value unless it is None."""
    return value if converted == value else f"None if {value} is None else {converted}"


def _list_with_default(kind: Any) -> list[str]:
    """The fields of a dataclass that have a default."""
    missing = dataclasses.MISSING
    return [field.name for field in dataclasses.fields(kind) if field.default is not missing or field.default_factory is not missing]
