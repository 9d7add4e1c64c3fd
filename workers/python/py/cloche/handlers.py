"""The kind of callable that a handler is, where it is defined, and which arguments it takes besides the declared ones."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType, MethodType
from typing import Any, TypeGuard

_KINDS = {
    inspect.CO_ASYNC_GENERATOR: "async-generator",
    inspect.CO_COROUTINE: "async",
    inspect.CO_GENERATOR: "generator",
}
_KINDS_OF_CODE = inspect.CO_ASYNC_GENERATOR | inspect.CO_COROUTINE | inspect.CO_GENERATOR
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_VAR_KEYWORD = inspect.Parameter.VAR_KEYWORD


def kind_of(handler: Callable[..., object]) -> str:
    """The kind: "function", "async", "generator" or "async-generator"."""
    target = function_of(handler)
    if _is_bare(target):
        flags = target.__code__.co_flags & _KINDS_OF_CODE
        return _KINDS[flags] if flags in _KINDS else "function"
    try:
        if inspect.isasyncgenfunction(target):
            return "async-generator"
        if inspect.iscoroutinefunction(target):
            return "async"
        return "generator" if inspect.isgeneratorfunction(target) else "function"
    except Exception:  # an object whose attributes cannot be read
        return "function"


def name_of(handler: Callable[..., object]) -> str:
    """The qualified name of the function behind the handler, or else the name of its type."""
    try:
        name = getattr(function_of(handler), "__qualname__", None)
    except Exception:  # its __getattr__ raises something other than AttributeError
        name = None
    return name if isinstance(name, str) else type(handler).__name__


def code_of(handler: Callable[..., object]) -> CodeType | None:
    """The code that the user wrote for the handler (below its decorators); None if it is not written in Python."""
    if _is_bare(handler):
        return handler.__code__
    target = function_of(handler)
    try:
        code = getattr(function_of(inspect.unwrap(target)), "__code__", None)
    except Exception:  # wrappers in a cycle, or an object whose __getattr__ raises
        return None
    return code if isinstance(code, CodeType) else None


def parameters_of(handler: Callable[..., object], wrapped: bool = True) -> Mapping[str, inspect.Parameter]:
    """The parameters of a handler, by default as seen through functools.wraps.

    If the object's `__getattr__` raises, these are the parameters of its `__call__`, including `self`. Raises
    TypeError or ValueError if they cannot be determined (builtins).
    """
    try:
        return inspect.signature(handler, follow_wrapped=wrapped).parameters
    except (TypeError, ValueError):
        raise
    except Exception:
        return inspect.signature(function_of(handler), follow_wrapped=wrapped).parameters


def takes_context(handler: Callable[..., object]) -> bool:
    """Whether the handler has a parameter named `context` that accepts a keyword argument (seen through
    functools.wraps)."""
    if _is_bare(handler):
        code = handler.__code__
        named = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
        return "context" in named
    try:
        declared = parameters_of(handler).get("context")
        if declared is None or declared.kind not in _NAMED:
            return False
        outermost = parameters_of(handler, wrapped=False)
    except Exception:  # builtins without a signature, objects whose attributes cannot be read
        return False
    own = outermost.get("context")
    if own is not None and own.kind in _NAMED:
        return True
    return any(parameter.kind is _VAR_KEYWORD for parameter in outermost.values())


def takes_more(handler: Callable[..., object]) -> bool:
    """Whether the handler takes arguments that it does not name: it has `**kwargs` (seen through functools.wraps), or
    its parameters cannot be determined."""
    if _is_bare(handler):
        return bool(handler.__code__.co_flags & inspect.CO_VARKEYWORDS)
    try:
        return any(parameter.kind is _VAR_KEYWORD for parameter in parameters_of(handler).values())
    except Exception:  # builtins without a signature, objects whose attributes cannot be read
        return True


def _is_bare(handler: object) -> TypeGuard[FunctionType]:
    """Whether the handler is a function without attributes, which cannot wrap another one. Its code object then says
    what `inspect` would find out more slowly."""
    return type(handler) is FunctionType and not handler.__dict__


def function_of(handler: Any) -> Any:
    """The function behind partials, bound methods, static methods and objects with __call__; otherwise the handler
    itself."""
    if type(handler) is FunctionType:
        return handler
    for _ in range(100):
        if isinstance(handler, functools.partial):
            handler = handler.func
        elif isinstance(handler, (MethodType, staticmethod)):
            handler = handler.__func__
        elif isinstance(handler, (FunctionType, type)) or inspect.isbuiltin(handler):
            return handler
        else:
            called = getattr(type(handler), "__call__", None)
            if not isinstance(called, FunctionType):
                return handler
            return called
    return handler
