"""A mock context and a mock tool, for tests of tools and of code that calls tools."""

from __future__ import annotations

from typing import Any

from ..mock import MockContext

_ANY = {"type": "object"}


def mock_context(*, approvals: tuple[bool, ...] | list[bool] = (), **values: object) -> MockContext:
    """A call context that records `updates`, `logs` and `questions`; keyword arguments set its keys.

    `approvals` are the answers of `approve`, in order; further answers are True.
    """
    return MockContext(approvals=approvals, **values)


class MockTool(dict):
    """A tool spec whose handler records its calls: `tool.calls` lists their arguments."""

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
        self.calls: list[dict[str, object]] = []


def mock_tool(
    name: str = "mock:tool",
    *,
    returns: object = None,
    raises: BaseException | None = None,
    parameters: dict[str, Any] | None = None,
    **keys: object,
) -> MockTool:
    """A tool spec whose handler returns `returns` or raises `raises`, and records its calls.

    `returns` may be a callable that takes the arguments. `keys` are further keys of the spec.

    >>> tool = mock_tool("weather:now", returns={"c": 9})
    >>> tool["handler"](place="Oslo")
    {'c': 9}
    >>> tool.calls
    [{'place': 'Oslo'}]
    """

    def handler(**arguments: object) -> object:
        tool.calls.append(arguments)
        if raises is not None:
            raise raises
        return returns(**arguments) if callable(returns) else returns

    spec = {"name": name, "description": "A mock tool.", "parameters": parameters or _ANY, "handler": handler}
    tool = MockTool({**spec, **keys})
    return tool
