"""Stubs: functions with a handler's signature and no body, so that Python itself reports wrong arguments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType, MethodType

_SIGNATURE_FLAGS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
_LRU_CACHE = type(functools.lru_cache(lambda: None))

Stub = Callable[..., None]


def make_stub(handler: Callable[..., object]) -> Stub | None:
    """A callable that accepts what `handler` accepts, raises the same TypeError otherwise, and does nothing.

    None if there is no Python code to take the signature from (builtins, classes): the call itself raises then.
    """
    if isinstance(handler, functools.partial):
        inner = make_stub(handler.func)
        return None if inner is None else functools.partial(inner, *handler.args, **handler.keywords)
    if isinstance(handler, MethodType):
        inner = make_stub(handler.__func__)
        return None if inner is None else MethodType(inner, handler.__self__)
    if isinstance(handler, staticmethod):
        return make_stub(handler.__func__)
    if isinstance(handler, _LRU_CACHE):
        return make_stub(handler.__wrapped__)
    if isinstance(handler, FunctionType):
        return _of_function(handler)
    # The handler is looked up as the class defines it: a bound static method looks like any other
    # function.
    called = None if isinstance(handler, type) else inspect.getattr_static(type(handler), "__call__", None)
    if isinstance(called, staticmethod):
        return make_stub(called.__func__)
    return MethodType(_of_function(called), handler) if isinstance(called, FunctionType) else None


def _of_function(function: FunctionType) -> Stub:
    """A function that does nothing, with the parameters, the defaults and the name of another one."""
    code = function.__code__
    names = code.co_argcount + code.co_kwonlyargcount
    # The names of *args and **kwargs follow those of the other parameters.
    for has_one in (inspect.CO_VARARGS, inspect.CO_VARKEYWORDS):
        if code.co_flags & has_one:
            names += 1
    empty = _nothing.__code__
    stub = FunctionType(
        empty.replace(
            co_argcount=code.co_argcount,
            co_posonlyargcount=code.co_posonlyargcount,
            co_kwonlyargcount=code.co_kwonlyargcount,
            co_nlocals=names,
            co_varnames=code.co_varnames[:names],
            co_flags=empty.co_flags & ~_SIGNATURE_FLAGS | code.co_flags & _SIGNATURE_FLAGS,
            co_name=code.co_name,
            # Python 3.10, where cloche_test.py runs too, has no `co_qualname`.
            **({"co_qualname": code.co_qualname} if hasattr(code, "co_qualname") else {}),
        ),
        {},
        function.__name__,
        function.__defaults__,
    )
    stub.__kwdefaults__ = function.__kwdefaults__
    stub.__qualname__ = function.__qualname__
    return stub


def _nothing() -> None:
    return None
