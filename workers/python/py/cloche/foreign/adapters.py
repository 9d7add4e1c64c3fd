"""Makes the handler of a tool, which calls the function with the model's arguments as the framework would.

`inferred_tools` puts the handler into the spec. At a call, arguments are converted, and values that the framework
supplies are added; the result or the exception of the function becomes one of Cloche.
"""

from __future__ import annotations

import functools
import inspect
import keyword
from collections.abc import Callable
from types import CodeType
from typing import Any

from .annotations import hints_of
from .conversion import convert
from .inference import Parameters, make_default
from .injected_arguments import Call
from .marks import Mark
from .results import make_error, make_result

_ABSENT = object()  # the value of an argument that is not given
_PARAMETERS = 250  # a tool with more parameters has a handler with **arguments


def make_handler(mark: Mark, name: str, parameters: Parameters, find_instance: Callable[[], Any] | None) -> Callable[..., Any]:
    """Returns the handler of a tool. `find_instance` returns the object that the function is bound to, if it is a method."""
    runner = _Runner(mark, name, parameters, find_instance)
    target = inspect.unwrap(mark.target)
    is_async = inspect.iscoroutinefunction(mark.call or target)
    source = _write_handler(parameters, is_async)
    names: dict[str, Any] = {"_run": runner.run_async if is_async else runner.run, "_ABSENT": _ABSENT}
    exec(_compile(source), names)
    handler = names["handler"]
    own_name = getattr(target, "__qualname__", name)
    handler.__name__ = handler.__qualname__ = own_name if isinstance(own_name, str) else name
    handler.__signature__ = _read_signature(source)
    handler.__wrapped__ = target  # the source of the tool's code
    handler.__doc__ = getattr(target, "__doc__", None)
    return handler


def _write_handler(parameters: Parameters, is_async: bool) -> str:
    """The source of a function with the tool's own parameters, so that Python words the errors of wrong arguments."""
    properties, required = parameters.schema.get("properties"), parameters.schema.get("required")
    names = list(properties) if isinstance(properties, dict) else []
    needed = [name for name in names if isinstance(required, list) and name in required]
    has_own_context = "context" in names  # a parameter of the tool, not the context of the call
    if len(names) < _PARAMETERS and all(map(_is_usable, names)):
        listed = [*needed, *(f"{name}=_ABSENT" for name in names if name not in needed)]
        head = [*listed, *([] if has_own_context else ["*", "context"])]
        arguments = f"{{{', '.join(f'{name!r}: {name}' for name in names)}}}"
    else:
        head = [*([] if has_own_context else ["*", "context"]), "**_given"]
        arguments = "_given"
    start, wait = ("async def", "await ") if is_async else ("def", "")
    context = "None" if has_own_context else "context"
    return f"{start} handler({', '.join(head)}):\n    return {wait}_run({arguments}, {context})\n"


def _is_usable(name: str) -> bool:
    """Whether a parameter of the handler can have this name."""
    return name.isidentifier() and not keyword.iskeyword(name) and name not in ("_run", "_ABSENT")


# Many tools have the same parameters, so their handlers share code and signature.
@functools.lru_cache(maxsize=256)
def _compile(source: str) -> CodeType:
    return compile(source, __file__, "exec")


@functools.lru_cache(maxsize=256)
def _read_signature(source: str) -> inspect.Signature:
    names: dict[str, Any] = {"_ABSENT": _ABSENT}
    exec(_compile(source), names)
    return inspect.signature(names["handler"])


class _Runner:
    """Calls the function of one tool."""

    def __init__(self, mark: Mark, name: str, parameters: Parameters, find_instance: Callable[[], Any] | None) -> None:
        self._mark, self._name, self._parameters, self._find_instance = mark, name, parameters, find_instance

    def run(self, arguments: dict[str, Any], context: Any) -> Any:
        """Calls the function, and returns its result, or an awaitable of it."""
        try:
            value = self._call(arguments, context)
        except Exception as raised:
            raise make_error(raised) from raised.__cause__
        if inspect.isgenerator(value) or inspect.isasyncgen(value):
            return value
        return self._wait(value) if inspect.isawaitable(value) else self._make_result(value)

    async def run_async(self, arguments: dict[str, Any], context: Any) -> Any:
        """Calls an asynchronous function, and returns its result."""
        value = self.run(arguments, context)
        return await value if inspect.isawaitable(value) else value

    async def _wait(self, value: Any) -> Any:
        try:
            return self._make_result(await value)
        except Exception as raised:
            raise make_error(raised) from raised.__cause__

    def _make_result(self, value: Any) -> Any:
        mark = self._mark
        return make_result(value, as_text=mark.framework != "plain", has_artifact=bool(mark.flags.get("artifact")))

    def _call(self, arguments: dict[str, Any], context: Any) -> Any:
        """Calls the function of the tool with converted arguments, defaults, and the values that its framework supplies."""
        mark, parameters = self._mark, self._parameters
        renamed = parameters.renamed
        given = self._convert({renamed.get(name, name): value for name, value in arguments.items() if value is not _ABSENT})
        for name, supply in parameters.supplied.items():
            given[name] = supply(Call(context, self._name, name, mark.owner))
        star = given.pop(parameters.star, []) if parameters.star else []
        positional = [given.pop(name) for name in parameters.positional if name in given]
        if self._find_instance is None:
            return (mark.call or mark.target)(*positional, *star, **given)
        instance = self._find_instance()
        if mark.call is not None:
            return mark.call(instance, **given)
        return mark.target(instance, *positional, *star, **given)

    def _convert(self, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments as the function takes them, with those defaults that the function itself does not have."""
        parameters = self._parameters
        if parameters.whole:
            annotation = hints_of(inspect.unwrap(self._mark.target))[parameters.whole]
            return {parameters.whole: convert(given, annotation)}
        for name, annotation in parameters.conversions.items():
            if name in given:
                given[name] = _convert_argument(name, given[name], annotation)
        for name, default in parameters.defaults.items():
            if name not in given:
                given[name] = make_default(default)
        return given


def _convert_argument(name: str, value: Any, annotation: Any) -> Any:
    try:
        return convert(value, annotation)
    except (ValueError, TypeError) as fault:
        raise ValueError(f"{name}: {fault}") from None
