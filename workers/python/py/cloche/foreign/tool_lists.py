"""Remembers which functions and methods a file lists as tools, and which tools wait for the user.

Used by `source_reader`, which finds the lists.
"""

from __future__ import annotations

import ast

from .syntax import constant_text, is_attribute_of
from .tool_syntax import find_own_attributes


class ToolLists:
    """The lists of tools of one file."""

    def __init__(self) -> None:
        self.functions: dict[str, None] = {}
        self.interrupts: dict[str, bool] = {}  # names in interrupt_on, and whether each is a tool that waits for the user
        # Methods with their lines, and the attribute of `self` that holds the list. Such a list counts only if the attribute is
        # passed on as tools, as in Agent(tools=self.chosen). Without an attribute, it always counts.
        self._methods: list[tuple[str, int, str]] = []
        self._passed: set[str] = set()

    @property
    def methods(self) -> list[tuple[str, int]]:
        """The methods in lists that count, with their lines."""
        return [(name, line) for name, line, attribute in self._methods if not attribute or attribute in self._passed]

    def note(self, value: ast.expr, attribute: str = "") -> None:
        """Notes the functions and methods in a list of tools. `attribute`: the attribute of `self` that holds the list, if
        its name alone does not say that these are tools."""
        if not isinstance(value, (ast.List, ast.Tuple, ast.Set)):
            return
        for item in value.elts:
            if isinstance(item, ast.Name) and not attribute:
                self.functions[item.id] = None
            elif is_attribute_of(item, "self"):
                self._methods.append((item.attr, item.lineno, attribute))

    def note_passed(self, value: ast.expr) -> None:
        """Notes the attributes of `self` that are passed on as tools."""
        self._passed.update(find_own_attributes(value))

    def note_interrupts(self, value: ast.expr) -> None:
        """Notes the tools in interrupt_on={…} that wait for the user, or the variable with such a dict."""
        if isinstance(value, ast.Name):
            self.interrupts.setdefault(value.id, False)
        elif isinstance(value, ast.Dict):
            for key, item in zip(value.keys, value.values):
                is_never = isinstance(item, ast.Constant) and item.value in (False, None)
                if constant_text(key) and not is_never:
                    self.interrupts[constant_text(key)] = True
