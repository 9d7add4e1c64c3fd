"""Reads what a file defines at its top level: functions, classes, and variables that export or describe tools.

Used by `source_reader`, before it visits all nodes.
"""

from __future__ import annotations

import ast

from .syntax import DEFINITIONS, FUNCTIONS, Function, assigned_names, list_methods, list_needed_parameters, list_parameters
from .tool_syntax import describes_tool, is_tool_dict, is_tool_list, may_be_tool


class Definitions:
    """The definitions at the top level of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self.lines: dict[str, int] = {}  # functions and classes, with their lines
        self.exported: tuple[str, ...] = ()  # names in __all__
        self.functions: list[str] = []  # public functions that could be tools
        self.decorated: set[str] = set()  # those of them that have a decorator
        self.parameters: dict[str, set[str]] = {}  # functions, with their parameters
        self.needed: dict[str, tuple[str, ...]] = {}  # functions, with their parameters without a default
        self.methods: dict[str, str] = {}  # methods, with their classes
        self.describe_tools = False  # whether a class describes a tool, or a dict lists some
        self.in_tool_lists: list[str] = []  # names that variables such as TOOLS or TOOL_HANDLERS list
        for node in tree.body:
            if isinstance(node, DEFINITIONS):
                self.lines[node.name] = node.lineno
            if isinstance(node, FUNCTIONS):
                self._read_function(node)
            elif isinstance(node, ast.ClassDef):
                self.methods.update((method.name, node.name) for method in list_methods(node))
                has_inner_tools = any(isinstance(inner, ast.ClassDef) and inner.name == "Tools" for inner in node.body)
                self.describe_tools = self.describe_tools or describes_tool(node) or has_inner_tools
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                self._read_variable(assigned_names(node), node.value)

    def _read_function(self, node: Function) -> None:
        self.needed[node.name] = list_needed_parameters(node)
        self.parameters[node.name] = {parameter.arg for parameter in list_parameters(node)}
        if may_be_tool(node):
            self.functions.append(node.name)
            if node.decorator_list:
                self.decorated.add(node.name)

    def _read_variable(self, names: list[str], value: ast.expr | None) -> None:
        """Notes a variable that describes tools, and the names in __all__."""
        if isinstance(value, (ast.Dict, ast.DictComp)):
            self.describe_tools = self.describe_tools or any(map(is_tool_dict, names))
        elif isinstance(value, ast.List) and any(isinstance(item, ast.Dict) for item in value.elts):
            self.describe_tools = self.describe_tools or any(is_tool_list(name) or is_tool_dict(name) for name in names)
        if any(is_tool_list(name) or is_tool_dict(name) for name in names):
            items = value.values if isinstance(value, ast.Dict) else value.elts if isinstance(value, (ast.List, ast.Tuple)) else []
            self.in_tool_lists += [inner.id for item in items for inner in ast.walk(item) if isinstance(inner, ast.Name)]
        if "__all__" in names and isinstance(value, (ast.List, ast.Tuple)):
            self.exported = tuple(item.value for item in value.elts if isinstance(item, ast.Constant) and isinstance(item.value, str))
