"""Makes the handler of a tool, which calls the function with the model's arguments as the framework would."""

from __future__ import annotations

import functools
import inspect
import keyword
from collections.abc import Callable
from types import CodeType
from typing import Any

from .annotations import hints_of
from .conversion import convert
from .inference import Parameters, default_value
from .injection import Call
from .marks import Mark
from .results import failure, tool_result

_ABSENT = object()
Instance = Callable[[], Any]


def make_handler(mark: Mark, name: str, parameters: Parameters, instance: Instance | None) -> Callable[..., Any]:
    """Returns the handler of a tool named `name`. `instance` returns the object that the function is bound to."""
    runner = _Runner(mark, name, parameters, instance)
    handler = _shaped(runner, _is_async(mark), parameters)
    target = inspect.unwrap(mark.target)
    handler.__wrapped__ = target  # the source of the tool's code
    handler.__doc__ = getattr(target, "__doc__", None)
    return handler


class _Runner:
    def __init__(self, mark: Mark, name: str, parameters: Parameters, instance: Instance | None) -> None:
        self.mark, self.name, self.parameters, self.instance = mark, name, parameters, instance
        self.as_text = mark.framework != "plain"
        self.has_artifact = bool(mark.flags.get("artifact"))

    def run(self, arguments: dict[str, Any], context: Any) -> Any:
        """Calls the function, and returns its result, or an awaitable of it."""
        try:
            value = self._call(arguments, context)
        except Exception as raised:
            raise failure(raised) from raised.__cause__
        if inspect.isgenerator(value) or inspect.isasyncgen(value):
            return value
        return self._awaited(value) if inspect.isawaitable(value) else self._result(value)

    async def run_async(self, arguments: dict[str, Any], context: Any) -> Any:
        """Calls an asynchronous function, and returns its result."""
        value = self.run(arguments, context)
        return await value if inspect.isawaitable(value) else value

    async def _awaited(self, value: Any) -> Any:
        try:
            return self._result(await value)
        except Exception as raised:
            raise failure(raised) from raised.__cause__

    def _result(self, value: Any) -> Any:
        return tool_result(value, self.has_artifact, self.as_text)

    def _call(self, arguments: dict[str, Any], context: Any) -> Any:
        """Calls the function of the tool with converted arguments, defaults, and the values that its framework supplies."""
        parameters = self.parameters
        given = {name: value for name, value in arguments.items() if value is not _ABSENT}
        if parameters.whole:
            annotation = hints_of(inspect.unwrap(self.mark.target))[parameters.whole]
            given = {parameters.whole: convert(given, annotation)}
        else:
            for name, annotation in parameters.conversions.items():
                if name in given:
                    given[name] = _converted(name, given[name], annotation)
            for name, default in parameters.defaults.items():
                if name not in given:
                    given[name] = default_value(default)
        for name, supply in parameters.supplied.items():
            given[name] = supply(Call(context, self.name, name, self.mark.owner))
        star = given.pop(parameters.star, []) if parameters.star else []
        positional = [given.pop(name) for name in parameters.positional if name in given]
        if self.instance is not None:
            bound = self.instance()
            if self.mark.call is not None:
                return self.mark.call(bound, **given)
            return self.mark.target(bound, *positional, *star, **given)
        target = self.mark.call or self.mark.target
        return target(*positional, *star, **given)


def _converted(name: str, value: Any, annotation: Any) -> Any:
    try:
        return convert(value, annotation)
    except (ValueError, TypeError) as fault:
        raise ValueError(f"{name}: {fault}") from None


def _is_async(mark: Mark) -> bool:
    target = mark.call or inspect.unwrap(mark.target)
    return inspect.iscoroutinefunction(target)


def _shaped(runner: _Runner, is_async: bool, parameters: Parameters) -> Any:
    """Compiles a function with the tool's own parameters, so that Python words the errors of wrong arguments."""
    properties = parameters.schema.get("properties")
    names = list(properties) if isinstance(properties, dict) else []
    required = parameters.schema.get("required")
    needed = [name for name in names if isinstance(required, list) and name in required]
    optional = [name for name in names if name not in needed]
    own_context = "context" in names
    usable = all(name.isidentifier() and not keyword.iskeyword(name) and name not in ("_run", "_ABSENT") for name in names)
    listed = [*needed, *(f"{name}=_ABSENT" for name in optional)] if usable and len(names) < 250 else []
    head = ", ".join(listed)
    if not listed and names:
        head = "**_given" if own_context else "*, context, **_given"
    elif not own_context:
        head = f"{head}, *, context" if head else "*, context"
    body = "_given" if not listed and names else f"{{{', '.join(f'{name!r}: {name}' for name in names)}}}"
    passed = "None" if own_context else "context"
    called = f"await _run({body}, {passed})" if is_async else f"_run({body}, {passed})"
    source = f"{'async ' if is_async else ''}def handler({head}):\n    return {called}\n"
    space: dict[str, Any] = {"_run": runner.run_async if is_async else runner.run, "_ABSENT": _ABSENT}
    exec(_compiled(source), space)
    handler = space["handler"]
    name = getattr(inspect.unwrap(runner.mark.target), "__qualname__", runner.name)
    handler.__name__ = handler.__qualname__ = name if isinstance(name, str) else runner.name
    handler.__signature__ = _signature(source)
    return handler


# Many tools have the same parameters, so their handlers share code and signature.
@functools.lru_cache(maxsize=256)
def _compiled(source: str) -> CodeType:
    return compile(source, __file__, "exec")


@functools.lru_cache(maxsize=256)
def _signature(source: str) -> inspect.Signature:
    space: dict[str, Any] = {"_ABSENT": _ABSENT}
    exec(_compiled(source), space)
    return inspect.signature(space["handler"])
