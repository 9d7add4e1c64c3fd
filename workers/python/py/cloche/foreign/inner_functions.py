"""Remembers inner functions, which the function around them may pass to an agent as tools: Agent(tools=[search]).

Used by `source_reader`, which visits a function before the statements that use it.
"""

from __future__ import annotations

import ast


class InnerFunctions:
    """The inner functions of one file, and the variables that hold lists of them, by the function around them."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = {}

    def add(self, name: str, function: str) -> None:
        if function and not function.startswith("test_"):
            self._names.setdefault(function, set()).add(name)

    def lists(self, value: ast.expr, function: str) -> bool:
        """Whether a list of tools, or the variable that holds it, has an inner function of this function."""
        listed = value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]
        return any(getattr(item, "id", "") in self._names.get(function, ()) for item in listed)

    def add_appended(self, call: ast.Call, function: str) -> None:
        """Adds the variable of a call such as tools.append(search)."""
        variable = getattr(getattr(call.func, "value", None), "id", "")
        if variable and self.lists(ast.List(call.args), function):
            self.add(variable, function)
