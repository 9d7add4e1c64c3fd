"""Remembers the functions of a file that make tools when they are called, and those that add tools to a server.

Used by `source_reader`. `function` names a function as `walk_functions` does: "outer.inner" inside a nested function.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping


class MakingFunctions:
    """The functions of one file. `parameters`: the parameters of its functions at the top level."""

    def __init__(self, parameters: Mapping[str, Collection[str]]) -> None:
        self._parameters = parameters
        self.first = ""
        self.names: dict[str, bool] = {}  # outermost functions that make tools, and whether they define a list_tools
        self.made_at: dict[int, bool] = {}  # the lines that make these tools, and whether they define a list_tools
        self.server_parameters: dict[str, str] = {}  # functions that add tools to a server, with the parameter for it

    def note(self, function: str, line: int, *, lists: bool = False) -> None:
        """Notes a function that makes a tool at a line. `lists`: it defines a list_tools there."""
        self.made_at[line] = lists
        self.first = self.first or function
        outer = function.partition(".")[0]
        self.names[outer] = lists or self.names.get(outer, False)

    def note_server(self, node: ast.expr | None, function: str) -> None:
        """Notes the parameter to which a function adds tools, such as mcp in register_tools(mcp)."""
        outer, server = function.partition(".")[0], getattr(node, "id", "")
        if server in self._parameters.get(outer, ()):
            self.server_parameters.setdefault(outer, server)
