"""Remembers inner functions, which the function around them may pass to an agent as tools: Agent(tools=[search]).

Used by `source_reader`, which visits a function before the statements that use it. If an agent gets an
inner function, `source_reader` takes the function around it for one that makes tools.
"""

from __future__ import annotations

import ast


class InnerFunctions:
    """The inner functions of one file, and the variables that hold lists of them, by the function around them."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = {}

    def add(self, name: str, function: str) -> None:
        """Adds an inner function, or a variable with a list of them. `function`: the function around it; empty at the top level.
        What a test makes is no tool.
        """
        if function and not function.startswith("test_"):
            self._names.setdefault(function, set()).add(name)

    def lists(self, value: ast.expr, function: str) -> bool:
        """Whether a list or a dict of tools, or the variable that holds it, has an inner function of this function. The
        function may be in a tuple with its name: ("search", search)."""
        own = self._names.get(function, ())
        return any(getattr(item, "id", "") in own for item in _list_items(value)) if own else False

    def add_appended(self, call: ast.Call, function: str) -> None:
        """Adds the variable of a call such as tools.append(search)."""
        variable = getattr(getattr(call.func, "value", None), "id", "")
        if variable and self.lists(ast.List(call.args), function):
            self.add(variable, function)


def _list_items(value: ast.expr) -> list[ast.expr]:
    """The items of a list or a dict, and those of the tuples in it; other expressions are items themselves."""
    listed = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", [value])
    return [part for item in listed for part in (item.elts if isinstance(item, ast.Tuple) else [item])]
