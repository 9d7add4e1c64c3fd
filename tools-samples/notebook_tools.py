"""A notebook: bound methods of one object, which keeps variables between the calls of a session.

With `concurrency_safe: False`, no other call of the session runs during a cell. With `interrupt: "block"`, Cloche
waits for a running cell instead of ending it, which could leave variables half changed. What a tool prints is shown
while it runs, but the model gets only the result, so the result includes the cell's output.
"""

import ast
import contextlib
import io
import sys
from types import ModuleType
from typing import Any

LONGEST = 10_000  # maximum length of a displayed value


class Notebook:
    """Runs cells of Python one after another, with shared variables."""

    def __init__(self) -> None:
        self.reset()

    def run_cell(self, code: str) -> dict:
        """Runs a cell; its value is that of its last line, if that is an expression."""
        tree = ast.parse(code, f"cell {self.cells + 1}")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        self.cells += 1
        name = f"cell {self.cells}"
        printed = Copied()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, name, "exec"), self.variables)
            value = None
            if last is not None:
                value = eval(compile(ast.Expression(last.value), name, "eval"), self.variables)
        shown = {} if value is None else {"value": _shown(value)}
        return {"cell": self.cells, "printed": printed.getvalue()[:LONGEST], **shown}

    def list_variables(self) -> list[dict]:
        """The notebook's variables as a table."""
        return [
            {"name": name, "type": type(value).__name__, "value": _summary(value)}
            for name, value in self.variables.items()
            if not name.startswith("__")
        ]

    def reset(self) -> None:
        """Forgets all variables."""
        self.cells = 0
        self.variables: dict[str, Any] = {"__name__": "__main__"}


class Copied(io.StringIO):
    """Collects what is printed, and also prints it."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = sys.stdout

    def write(self, text: str) -> int:
        self._shown.write(text)
        return super().write(text)


def _summary(value: object) -> str | None:
    # The repr of functions, classes and modules adds nothing.
    return None if callable(value) or isinstance(value, ModuleType) else _shown(value)[:100]


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"


notebook = Notebook()
NO_PARAMETERS = {"type": "object", "properties": {}}

TOOL_SPECS = [
    {
        "name": "notebook_tools:run_cell",
        "label": "Run a cell",
        "description": "Runs a cell of Python 3 with the standard library. Variables, functions and imports stay for "
        "later cells. You get its output and the value of its last line. There is no network.",
        "parameters": {
            "type": "object",
            "properties": {"code": {"type": "string", "description": "The cell; one or more lines of Python"}},
            "required": ["code"],
        },
        "handler": notebook.run_cell,
        "timeout_s": 120,
        "concurrency_safe": False,
        "interrupt": "block",
        "examples": [{"code": "numbers = [3, 1, 2]\nsorted(numbers)"}],
        "prompt_hint": "Use notebook_tools:run_cell to try things out; its variables are kept.",
        "annotations": {"readOnlyHint": False, "openWorldHint": False},
    },
    {
        "name": "notebook_tools:list_variables",
        "label": "List variables",
        "description": "The notebook's variables, with type and value.",
        "parameters": NO_PARAMETERS,
        "handler": notebook.list_variables,
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "notebook_tools:reset",
        "label": "Reset the notebook",
        "description": "Forgets all variables of the notebook.",
        "parameters": NO_PARAMETERS,
        "handler": notebook.reset,
        "concurrency_safe": False,
        "requires_approval": True,
        "annotations": {"destructiveHint": True, "idempotentHint": True},
    },
]
