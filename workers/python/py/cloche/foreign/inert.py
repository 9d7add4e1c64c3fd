"""Makes names of a framework that have no effect: they can be called, subclassed, awaited and used as types.

Stand-ins have them in place of everything that does not define tools, so that a file can be imported without its
framework. Lists of tools that they are called with are noted.

Classes are made by `InertType`, and their objects are `Inert`. Both have all operators, most of which first ask the
class whether the use is allowed: `check_class`, `check_object` or `check_value`. Two subclasses of `InertType` refuse uses
after the import: `_Part` here, and the one that `missing_package` has for the names of missing packages.
"""

from __future__ import annotations

import functools
import sys
from opcode import opmap
from types import FrameType, FunctionType
from typing import Any

from .frameworks import framework_of
from .marks import FUNCTIONS, current_collector, is_importing, note_tools
from .tool_syntax import ATTRIBUTE_DECORATORS

# Named values that an object keeps: the parts of a definition of a tool.
_KEPT = (
    *("name", "description", "parameters", "params", "input_schema", "inputSchema", "args_schema", "inputs"),
    *("parameter_definitions", "parameters_json_schema", "type", "required", "enum", "default"),
)
_CALLS = 20_000  # of missing functions while a file is imported: a loop at the top level that waits for one must end
_UNPACK = opmap["UNPACK_SEQUENCE"]
_JOINABLE = (list, tuple, dict, set, frozenset, str, bytes)
# Names of arguments that are lists of tools.
_TOOL_KEYWORDS = ("tools", "functions", "toolkits", "plugins", "skills")


class InertType(type):
    """The class of inert classes. Their attributes are inert too, and so are the results of calling them."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        # After `import crewai`, crewai.tools is inert; crewai.tools.BaseTool is one of the names of the stand-in.
        names = vars(sys.modules.get(cls.__module__, cls))
        known = names.get(name) if "_is_missing" in names else None  # only stand-ins have this attribute
        return known if isinstance(known, (type, FunctionType)) else make_inert(name, cls.__module__)

    def __call__(cls, *values: Any, **named: Any) -> Any:
        if "__init__" not in _list_added_members(cls):
            if cls is not Inert:  # attributes of inert objects make instances of that class
                _count_call()
            # A decorator without arguments must return the function or class.
            if len(values) == 1 and not named and may_be_decorated(values[0], sys._getframe(1)):
                return values[0]
            _note_tools_in(values, named)
            if "description" in named and "tool" in cls.__name__.lower() and is_importing():
                from .tool_objects import mark_missing_record

                mark_missing_record(cls.__module__, named)
        return type.__call__(cls, *values, **named)

    def check_object(cls) -> None:
        """Called before an object of the class is used. A missing package raises an error unless the file is being imported."""

    def check_class(cls) -> None:
        """Called before the class itself is used as a value. A missing package raises an error unless the file is being imported."""

    def check_value(cls) -> None:
        """Called before an object of the class is read, as a text, a number or a list."""
        cls.check_object()

    def make_part(cls) -> Inert:
        """Returns an attribute or an item of an object of the class, or the result of calling the object."""
        part: Inert = type.__call__(_make_part_class(cls.__name__, cls.__module__) if framework_of(cls.__module__) else Inert)
        return part

    def __getitem__(cls, item: Any) -> Any:
        return cls

    def __or__(cls, other: Any) -> Any:  # type: ignore[override]
        return other if isinstance(other, (dict, set)) else cls

    def __ror__(cls, other: Any) -> Any:  # type: ignore[override]
        return other

    def __iter__(cls) -> Any:
        return iter(())

    def __setitem__(cls, key: Any, value: Any) -> None:
        cls.check_class()

    def __delitem__(cls, key: Any) -> None:
        cls.check_class()

    def __contains__(cls, item: Any) -> bool:
        cls.check_class()
        return False

    def __len__(cls) -> int:
        return 0

    def __bool__(cls) -> bool:
        return True

    def _return_self(cls, *others: Any) -> Any:
        cls.check_class()
        return cls

    __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __and__ = __invert__ = __neg__ = _return_self
    __truediv__ = __rtruediv__ = __floordiv__ = __pow__ = __matmul__ = __rshift__ = __lshift__ = __enter__ = _return_self

    def _join(cls, other: Any) -> Any:
        """The other operand if it is a list, a dict or a text: TOOLS + MISSING is TOOLS."""
        cls.check_class()
        return other if isinstance(other, _JOINABLE) else cls

    __add__ = __radd__ = _join

    def __format__(cls, form: str) -> str:
        cls.check_class()
        return cls.__name__

    def _return_false(cls, other: Any) -> bool:
        cls.check_class()
        return False

    __lt__ = __le__ = __gt__ = __ge__ = _return_false

    def __exit__(cls, *ended: Any) -> None:
        pass

    def __int__(cls) -> int:
        cls.check_class()
        return 0

    __index__ = __int__

    def __float__(cls) -> float:
        cls.check_class()
        return 0.0


class _Part(InertType):
    """The class of what a framework's object, such as a model, would return. It can be called and passed on, but not read
    after the import."""

    def check_value(cls) -> None:
        if not is_importing():
            raise RuntimeError(f"the tool uses what {cls.__name__} of {cls.__module__} would return, but that framework does nothing here")

    def make_part(cls) -> Inert:
        part: Inert = type.__call__(cls)
        return part


@functools.lru_cache(maxsize=256)
def _make_part_class(name: str, module: str) -> type[Inert]:
    return _Part(name, (Inert,), {"__module__": module, "is_part": True})


class Inert(metaclass=InertType):
    """An object that accepts everything and does nothing. It keeps what a definition of a tool consists of."""

    def __init__(self, *values: Any, **named: Any) -> None:
        if is_importing():
            vars(self).update(((key, named[key]) for key in _KEPT if key in named), _values=values)

    def __init_subclass__(cls, **named: Any) -> None:
        """Accepts any keywords: class Hero(SQLModel, table=True)."""

    @classmethod
    def __get_pydantic_core_schema__(cls, *values: Any) -> Any:
        """Lets a field of a model have such a class as its type: the field accepts any value."""
        return {"type": "any"}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        type(self).check_object()
        if name in ("create_from_function", "upsert_from_function") and is_importing():
            return _mark_from_function
        if name in ATTRIBUTE_DECORATORS and is_importing():
            from .framework_names.marking import make_marker_in_use, make_marker_of

            if type(self) is Inert or "is_part" in vars(type(self)):  # an attribute of a missing class, such as self.mcp
                return make_marker_in_use()
            if type(self).__bases__ == (Inert,):
                return make_marker_of(type(self).__module__)
        return type(self).make_part()

    def __call__(self, *values: Any, **named: Any) -> Any:
        type(self).check_object()
        _count_call()
        if len(values) == 1 and not named and isinstance(values[0], (*FUNCTIONS, type)):
            return values[0]
        _note_tools_in(values, named)
        return type(self).make_part()

    def __getitem__(self, key: Any) -> Any:
        type(self).check_object()
        return type(self).make_part()

    def __setitem__(self, key: Any, value: Any) -> None:
        type(self).check_object()

    def __delitem__(self, key: Any) -> None:
        type(self).check_object()

    def __iter__(self) -> Any:
        parts = _count_unpacked(sys._getframe(1))
        if parts:
            type(self).check_object()
        else:
            type(self).check_value()
        return iter([type(self).make_part() for _ in range(parts)])

    def __len__(self) -> int:
        type(self).check_value()
        return 0

    def __bool__(self) -> bool:
        return True

    def __contains__(self, item: Any) -> bool:
        type(self).check_value()
        return False

    def __enter__(self) -> Any:
        type(self).check_object()
        return self

    def __exit__(self, *ended: Any) -> None:
        pass

    async def __aenter__(self) -> Any:
        type(self).check_object()
        return self

    async def __aexit__(self, *ended: Any) -> None:
        pass

    def __aiter__(self) -> Any:
        type(self).check_value()
        return self

    async def __anext__(self) -> Any:
        type(self).check_object()
        raise StopAsyncIteration

    def __await__(self) -> Any:
        type(self).check_object()
        return type(self).make_part()
        yield  # makes this a generator, as __await__ must be

    def _join(self, other: Any) -> Any:
        type(self).check_value()
        return other if isinstance(other, _JOINABLE) else self

    __add__ = __radd__ = __or__ = __ror__ = _join

    def _return_self(self, *others: Any) -> Any:
        type(self).check_object()
        return self

    __and__ = __xor__ = __rshift__ = __rrshift__ = __lshift__ = __invert__ = _return_self
    __sub__ = __rsub__ = __mul__ = __rmul__ = __matmul__ = __mod__ = __neg__ = __abs__ = _return_self
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __pow__ = __round__ = _return_self

    def _return_false(self, other: Any) -> bool:
        type(self).check_value()
        return False

    __lt__ = __le__ = __gt__ = __ge__ = _return_false

    def __int__(self) -> int:
        type(self).check_value()
        return 0

    __index__ = __int__

    def __float__(self) -> float:
        type(self).check_value()
        return 0.0

    def __format__(self, form: str) -> str:
        type(self).check_value()
        return ""

    def __str__(self) -> str:
        type(self).check_value()
        return object.__repr__(self)


def make_inert(name: str, module: str) -> type:
    """Makes an inert class for a name in a module."""
    return InertType(name, (Inert,), {"__module__": module})


def may_be_decorated(value: Any, caller: FrameType) -> bool:
    """Whether a call may be the use of a decorator. A class that the file has already defined is an argument: StateGraph(State)."""
    if isinstance(value, type):
        return value not in (caller.f_locals.get(value.__name__), caller.f_globals.get(value.__name__))
    return isinstance(value, FUNCTIONS) and value.__name__ != "<lambda>"


def _count_unpacked(caller: FrameType) -> int:
    """The number of names that a statement such as `reader, writer = value` unpacks a value into; 0 for other uses."""
    code, at = caller.f_code.co_code, caller.f_lasti
    return code[at + 1] if 0 <= at < len(code) - 1 and code[at] == _UNPACK else 0


def _count_call() -> None:
    """Counts a call of something missing while a file is imported, and ends a statement that makes too many of them."""
    collector = current_collector()
    if collector is None:
        return
    collector.idle.append(None)
    if len(collector.idle) > _CALLS:
        collector.idle.clear()  # what follows the loop may also call what is missing
        raise SystemExit("a loop waits for the application")


def _list_added_members(cls: type) -> dict[str, Any]:
    """The attributes that classes of the file add to inert classes."""
    members: dict[str, Any] = {}
    for kind in cls.__mro__:
        if kind is Inert:
            break
        members.update(vars(kind))
    return members


def _note_tools_in(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    """Notes the functions that a call of something missing gets as tools, such as Agent(tools=[search])."""
    if not is_importing():
        return
    for keyword in _TOOL_KEYWORDS:
        if keyword in named:
            note_tools(named[keyword])
    server = next((value for value in values if getattr(type(value), "__cloche_server__", False)), None)
    for value in values:
        if server is not None and isinstance(value, FUNCTIONS):
            # A helper of a missing file, such as register_tool(mcp, function, name="…").
            server.add_tool(value, **{key: named[key] for key in ("name", "description") if key in named})
        if isinstance(value, (list, tuple)) and value and all(isinstance(item, (*FUNCTIONS, type)) for item in value):
            note_tools(value)


def _mark_from_function(*values: Any, **named: Any) -> Inert:
    """A method such as client.tools.create_from_function(func=f), which makes a tool from a function."""
    from .framework_names.marking import make_marker_in_use

    make_marker_in_use()(*values, **named)
    return Inert()


def remove_missing(schema: Any) -> Any:
    """The schema without the parts that come from missing files, and without an `enum` that has no other values."""
    return _remove_missing(schema, 20, {})


def _remove_missing(value: Any, depth: int, known: dict[tuple[int, int], Any]) -> Any:
    """`known`: the results so far, by value and depth, since a part of a schema may occur many times in it."""
    if not depth or not isinstance(value, (dict, list)):
        return value
    key = id(value), depth
    if key in known:
        return known[key]
    if isinstance(value, dict):
        members = [(name, member) for name, member in dict.items(value) if not _is_missing(member)]
        kept: Any = {name: _remove_missing(member, depth - 1, known) for name, member in members if not _is_empty_enum(name, member)}
    else:
        kept = [_remove_missing(item, depth - 1, known) for item in list.copy(value) if not _is_missing(item)]
    known[key] = kept
    return kept


def _is_missing(value: Any) -> bool:
    return isinstance(value, (Inert, InertType))


def _is_empty_enum(name: Any, value: Any) -> bool:
    return name == "enum" and isinstance(value, list) and not value
