"""Arguments that LangChain and LangGraph inject into tools: states, stores, runtimes, callback managers.

The attribute `__cloche_injected__` (INJECTED) of a class is a function that gets the call and returns the argument.
"""

from __future__ import annotations

from typing import Any

from .marking import INJECTED, Record, make_injected


def list_injected() -> dict[str, Any]:
    """The names that mark such arguments, or are their classes."""
    manager = make_injected(_Manager, "CallbackManagerForToolRun")
    return {
        "CallbackManagerForToolRun": manager,
        "AsyncCallbackManagerForToolRun": manager,
        "InjectedToolArg": InjectedToolArg,
        "InjectedToolCallId": InjectedToolCallId,
        "InjectedState": InjectedState,
        "InjectedStore": InjectedStore,
        "RunnableConfig": type("RunnableConfig", (dict,), {INJECTED: staticmethod(lambda call: {"configurable": {}, "metadata": {}})}),
        "ToolRuntime": make_injected(_make_runtime, "ToolRuntime"),
        "Runtime": make_injected(_make_runtime, "Runtime"),
    }


def _make_refusal(what: str) -> Any:
    """The supply of a value that only the application has."""

    def supply(call: Any) -> Any:
        raise RuntimeError(
            f"{call.parameter} is supplied by the application ({what}), which does not run here: give the parameter a default to try the tool"
        )

    return supply


class InjectedToolArg:
    """Marks a parameter that the application supplies."""

    __cloche_injected__ = staticmethod(_make_refusal("InjectedToolArg"))

    def __init__(self, *values: Any, **named: Any) -> None:
        """Accepts all arguments: files use the class, or an object of it, in an annotation."""


class InjectedToolCallId(InjectedToolArg):
    """Marks the parameter that gets the id of the call."""

    __cloche_injected__ = staticmethod(lambda call: call.id)


class InjectedState(InjectedToolArg):
    """Marks the parameter that gets the state of a graph; here it is empty."""

    __cloche_injected__ = staticmethod(lambda call: {"messages": []})


class InjectedStore(InjectedToolArg):
    """Marks the parameter that gets the store of a graph."""

    __cloche_injected__ = staticmethod(lambda call: call.memory(_Store))


class _Store:
    """A store that lives as long as the interpreter."""

    def __init__(self) -> None:
        self._items: dict[Any, Any] = {}

    def put(self, namespace: Any, key: str, value: Any, **named: Any) -> None:
        self._items[tuple(namespace), key] = Record(value=value, key=key, namespace=tuple(namespace))

    def get(self, namespace: Any, key: str, **named: Any) -> Any:
        """A stored value, or None."""
        return self._items.get((tuple(namespace), key))

    def search(self, namespace: Any, **named: Any) -> list[Any]:
        wanted = tuple(namespace)
        return [item for (where, _), item in self._items.items() if where[: len(wanted)] == wanted]

    def delete(self, namespace: Any, key: str) -> None:
        self._items.pop((tuple(namespace), key), None)


def _make_runtime(call: Any) -> Any:
    """The runtime of LangGraph, with the state, the store and the stream of a run."""
    return Record(
        state={"messages": []},
        context=None,
        config={"configurable": {}, "metadata": {}},
        store=call.memory(_Store),
        stream_writer=call.update,
        tool_call_id=call.id,
    )


class _Manager:
    """A callback manager whose texts go to the log of the call."""

    def __init__(self, call: Any) -> None:
        self._call = call

    def on_text(self, text: Any, **named: Any) -> None:
        self._call.log(str(text))

    def get_child(self, *given: Any) -> Any:
        return self

    get_sync = get_child

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *values, **named: None
