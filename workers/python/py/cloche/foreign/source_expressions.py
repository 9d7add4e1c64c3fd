"""Writes Python expressions that convert JSON values to the annotated types of a function, and its results to JSON."""

from __future__ import annotations

import builtins
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import pathlib
import re
import types
import typing
import uuid
from typing import Any

from .annotations import hints_of, union_members, without_extras
from .conversion import is_plain
from .fields import model_fields

_LISTS = (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection, collections.abc.MutableSequence)
_SETS = (set, frozenset, collections.abc.Set, collections.abc.MutableSet)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_DATES = (datetime.datetime, datetime.date, datetime.time)
_DEPTH = 6


class Unwritable(Exception):
    """A conversion that cannot be written as an expression. The text says which."""


def unnamed(value: Any) -> Unwritable:
    """The reason why no text of the file can name a value, such as a function inside another one."""
    outer, is_inner, _ = str(getattr(value, "__qualname__", "")).partition(".<locals>")
    if is_inner:
        return Unwritable(f"it is defined inside {outer}(). Move it to the top level of the file, with the values that it uses")
    return Unwritable(f"{getattr(value, '__name__', '') or repr(value)} has no name in this file. Define it with def or class at the top level")


class Expressions:
    """Writes expressions for a module, with the names that it has."""

    def __init__(self, module: types.ModuleType, unit: str) -> None:
        self._names = vars(module)
        self._unit = unit
        self.functions: dict[str, str] = {}  # functions that make objects, by their names
        self.imports: dict[str, None] = {}  # modules that the expressions need

    def name_of(self, value: Any) -> str:
        """The name of a class or function in the file. Raises Unwritable."""
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
        for one in inner:
            found = getattr(found, one, None)
        if found is value and inner:
            return value.__qualname__  # type: ignore[no-any-return]
        raise unnamed(value)

    def from_json(self, value: str, annotation: Any, depth: int = 0) -> str:
        """The expression for a JSON value as its annotated type; `value` itself if nothing has to be converted."""
        if is_plain(annotation):
            return value
        if depth > _DEPTH:
            raise Unwritable("the type is nested too deeply")
        members = union_members(annotation)
        if len(members) > 1:
            others = [one for one in members if one is not type(None)]
            if len(others) > 1:
                raise Unwritable("the type is a choice of several types that have to be converted")
            return self._unless_none(value, self.from_json(value, others[0], depth + 1))
        inner = without_extras(annotation)
        origin, arguments = typing.get_origin(inner), typing.get_args(inner)
        if origin is typing.Literal:
            raise Unwritable("the type is a Literal of enum members")
        if origin is not None and not isinstance(origin, type):
            return value
        if origin is not None:
            return self._generic(value, origin, arguments, depth)
        return self._class(value, inner, depth) if isinstance(inner, type) else value

    def assignment(self, holder: str, name: str, annotation: Any, is_required: bool, depth: int = 0) -> list[str]:
        """The lines that convert one member of a dict; none if it need not be converted."""
        given = f'{holder}["{name}"]'
        members = union_members(annotation)
        may_be_none = type(None) in members and len(members) == 2
        kind = next(one for one in members if one is not type(None)) if may_be_none else annotation
        made = self.from_json(given, kind, depth)
        if made == given:
            return []
        condition = "" if is_required else f'if "{name}" in {holder}:'
        if may_be_none:
            condition = f'if {holder}.get("{name}") is not None:'
        inner = self._unit if condition else ""
        lines = [f"{inner}{given} = {made}"]
        if len(lines[0]) > 90 and made[0] in "[{(":
            lines = [f"{inner}{given} = {made[0]}", f"{inner}{self._unit}{made[1:-1]}", f"{inner}{made[-1]}"]
        return [condition, *lines] if condition else lines

    def free(self, name: str) -> str:
        """A name that the file and what is written do not have yet."""
        while name in self._names or name in self.functions:
            name += "_"
        return name

    def to_json(self, value: str, annotation: Any, depth: int = 0) -> str:
        """The expression for a result as JSON; `value` itself if its annotation shows no need."""
        if is_plain(annotation) or depth > _DEPTH:
            return value
        members = [one for one in union_members(annotation) if one is not type(None)]
        if len(members) != 1:
            return value
        inner = without_extras(members[0])
        origin, arguments = typing.get_origin(inner), typing.get_args(inner)
        made = value
        if origin in _LISTS or origin in _SETS or origin is tuple:
            item = arguments[0] if arguments and (origin is not tuple or arguments[1:] == (Ellipsis,)) else Any
            each = self.to_json("one", item, depth + 1)
            if each != "one":
                made = f"[{each} for one in {value}]"
            elif origin in _SETS:
                made = f"[*{value}]"
        elif origin in _MAPPINGS and len(arguments) == 2:
            each = self.to_json("one", arguments[1], depth + 1)
            made = value if each == "one" else f"{{key: {each} for key, one in {value}.items()}}"
        elif isinstance(inner, type):
            made = self._plain_of(value, inner, depth)
        return made if made == value or len(union_members(annotation)) == 1 else self._unless_none(value, made)

    def _unless_none(self, value: str, made: str) -> str:
        return value if made == value else f"None if {value} is None else {made}"

    def _generic(self, value: str, origin: type, arguments: tuple[Any, ...], depth: int) -> str:
        """The expression that converts a value to a type with arguments, such as list[int]."""
        if origin is tuple and arguments[1:] != (Ellipsis,):
            items = [self.from_json(f"{value}[{index}]", one, depth + 1) for index, one in enumerate(arguments)]
            plain = all(one == f"{value}[{index}]" for index, one in enumerate(items))
            return f"(*{value},)" if plain else f"({', '.join(items)},)"
        item = self.from_json("one", arguments[0], depth + 1) if arguments else "one"
        if origin is tuple:
            return f"(*{value},)" if item == "one" else f"(*({item} for one in {value}),)"
        if origin in _SETS:
            made = f"{{*{value}}}" if item == "one" else f"{{{item} for one in {value}}}"
            return f"{self.name_of(frozenset)}({made})" if origin is frozenset else made
        if origin in _LISTS:
            return value if item == "one" else f"[{item} for one in {value}]"
        if origin in _MAPPINGS and len(arguments) == 2:
            key = f"{self.name_of(int)}(key)" if arguments[0] is int else self.from_json("key", arguments[0], depth + 1)
            one = self.from_json("one", arguments[1], depth + 1)
            return value if (key, one) == ("key", "one") else f"{{{key}: {one} for key, one in {value}.items()}}"
        if origin is collections.deque:
            return f"{self.name_of(collections.deque)}({value})"
        return self._class(value, origin, depth)

    def _class(self, value: str, kind: type, depth: int) -> str:
        """The expression that converts a value to a class; `value` itself if it stays as it is."""
        if issubclass(kind, enum.Enum):
            return f"{self.name_of(kind)}({value})"
        if issubclass(kind, decimal.Decimal):
            return f"{self.name_of(kind)}({self.name_of(str)}({value}))"
        if issubclass(kind, datetime.timedelta):
            return f"{self._function('_timedelta_of', 'given', self._duration(kind))}({value})"
        if issubclass(kind, _DATES):
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
            return self._object(value, kind, f"{self.name_of(kind)}(**{{}})", depth)
        if typing.is_typeddict(kind):
            return self._object(value, kind, "{}", depth)
        if issubclass(kind, (set, frozenset, tuple)):
            return f"{self.name_of(kind)}({value})"
        return value

    def _object(self, value: str, kind: type, form: str, depth: int) -> str:
        """The call that makes an object of a dict: of a function, if members have to be converted."""
        optional = _with_default(kind) if dataclasses.is_dataclass(kind) else getattr(kind, "__optional_keys__", ())
        lines = []
        # A NamedTuple takes its members as they are.
        for name, annotation in hints_of(kind).items() if not issubclass(kind, tuple) else ():
            lines.extend(self.assignment("given", name, annotation, name not in optional, depth + 1))
        if not lines:
            return form.replace("{}", value)
        body = [f"{self._unit}{one}" for one in ("given = dict(given)", *lines, f"return {form.replace('{}', 'given')}")]
        return f"{self._function(f'_{kind.__name__.lower()}_of', 'given', body)}({value})"

    def _plain_of(self, value: str, kind: type, depth: int) -> str:
        """The expression that turns an object of a class into JSON values; `value` itself if JSON has such values."""
        if model_fields(kind) is not None:
            return f"{value}.model_dump(mode=\"json\")" if hasattr(kind, "model_dump") else f"{value}.dict()"
        if dataclasses.is_dataclass(kind):
            return self._dict_of(value, kind, f"{self._imported(dataclasses.asdict, 'dataclasses')}({{}})", depth)
        if issubclass(kind, enum.Enum):
            return f"{value}.value"
        if issubclass(kind, datetime.timedelta):
            return f"{value}.total_seconds()"
        if issubclass(kind, _DATES):
            return f"{value}.isoformat()"
        if issubclass(kind, (decimal.Decimal, uuid.UUID, pathlib.PurePath)):
            return f"{self.name_of(str)}({value})"
        if issubclass(kind, (set, frozenset)):
            return f"[*{value}]"
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return self._dict_of(value, kind, "{}._asdict()", depth)
        return value

    def _dict_of(self, value: str, kind: type, form: str, depth: int) -> str:
        """The call that makes a dict of an object: of a function, if members have to be converted."""
        lines = []
        for name, annotation in hints_of(kind).items():
            made = self.to_json(f"value.{name}", annotation, depth + 1)
            if made != f"value.{name}":
                lines.append(f'members["{name}"] = {made}')
        if not lines:
            return form.replace("{}", value)
        body = [f"{self._unit}{one}" for one in (f"members = {form.replace('{}', 'value')}", *lines, "return members")]
        return f"{self._function(f'_members_of_{kind.__name__.lower()}', 'value', body)}({value})"

    def _function(self, name: str, parameter: str, body: list[str]) -> str:
        """The name of a function with this body, which is written once."""
        text = "\n".join([f"({parameter}):", *body, ""])
        known = next((one for one, whole in self.functions.items() if whole.endswith(text)), "")
        if not known:
            known = self.free(name)
            self.functions[known] = f"def {known}{text}"
        return known

    def _duration(self, kind: type) -> list[str]:
        """The body of a function that reads an ISO 8601 duration."""
        body = [
            f'parts = {self._imported(re.fullmatch, "re")}(r"(-?)P(?:(\\d+)D)?(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:([\\d.]+)S)?)?", given)',
            "if parts is None:",
            f'{self._unit}raise ValueError(f"{{given!r}} is not an ISO 8601 duration such as PT1H30M")',
            "days, hours, minutes, seconds = (float(one or 0) for one in parts.groups()[1:])",
            f"length = {self.name_of(kind)}(days=days, hours=hours, minutes=minutes, seconds=seconds)",
            "return -length if parts[1] else length",
        ]
        return [f"{self._unit}{one}" for one in body]

    def _imported(self, value: Any, module: str) -> str:
        try:
            return self.name_of(value)
        except Unwritable:
            self.imports[module] = None
            return f"{module}.{value.__name__}"


def _with_default(kind: Any) -> list[str]:
    missing = dataclasses.MISSING
    return [one.name for one in dataclasses.fields(kind) if one.default is not missing or one.default_factory is not missing]
