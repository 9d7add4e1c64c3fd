"""Reads a program as models write it: in a Markdown fence, with `asyncio.run(…)`, or with a `return` at the top level."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Collection, Iterator

RESULT = "__program_result__"
RETURNED = "__program_returned__"
AWAITED = "__program_awaited__"

_LINE_CHARACTERS = 200
_FENCED = re.compile(r"^[ \t]*(```|~~~)[\w+-]*[ \t]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
# Invisible characters, which are no part of Python outside of texts.
_INVISIBLE = {0xA0: " ", 0x202F: " ", 0xFEFF: None, 0x200B: None, 0x200C: None, 0x2060: None}


def parse_program(code: str, file: str) -> tuple[str, ast.Module]:
    """Returns the text that is run, whose lines have the numbers of those of `code`, and its tree.

    Raises SyntaxError, with notes that say what to write instead.
    """
    fault: SyntaxError | None = None
    for text in _readings(code):
        try:
            return text, ast.parse(text, file)
        except SyntaxError as error:
            fault = fault or error
    assert fault is not None
    raise explained(fault.with_traceback(None), code) from None


def _readings(code: str) -> Iterator[str]:
    """The text, and then without what surrounds or indents a program without being part of it."""
    yield code
    text = code
    for step in (lambda one: one.translate(_INVISIBLE), _unfenced, textwrap.dedent):
        before, text = text, step(text)
        if text != before:
            yield text


def _unfenced(text: str) -> str:
    found = list(_FENCED.finditer(text))
    if len(found) != 1:  # it is not clear which of several is meant
        return text
    return "\n" * text.count("\n", 0, found[0].start(2)) + found[0].group(2)


def explained(fault: SyntaxError, code: str) -> SyntaxError:
    """The fault with the line in which it is, and what to write instead, as notes."""
    lines = code.split("\n")
    line = lines[fault.lineno - 1].strip() if fault.lineno and fault.lineno <= len(lines) else ""
    if line:
        fault.add_note(f"Line {fault.lineno}: {line[:_LINE_CHARACTERS]}")
    advice = _advice(fault.msg, line, code)
    if advice:
        fault.add_note(advice)
    return fault


def _advice(message: str, line: str, code: str) -> str:
    if "outside async function" in message:
        return "Write `async def` instead of `def` or `lambda`, and `await` the function where it is called."
    if "line continuation" in message and "\\n" in code:
        return "The program has a backslash and an n where lines should end. Write line breaks."
    if "```" in code or line.startswith(">>>"):
        return "Write only the program: without Markdown, prompts and explanations."
    if re.match(r"[!%]\w", line):
        return "Commands of shells and notebooks do not run here. Write Python."
    if any(quote in line for quote in "“”‘’"):
        return "Write straight quotes."
    if re.search(r"\b[\w-]+:\w+\(", line):
        return "Write a dot between module and tool: `await module.tool(…)`."
    return ""


def as_run(tree: ast.Module, file: str, modules: Collection[str]) -> ast.Module:
    """The program as it is run.

    The value of its last line is stored. At its top level, `return` ends it, `asyncio.run(…)` awaits, and calls of
    tools and asynchronous functions that are statements are awaited. `modules` are the names by which tools are reached.
    Raises SyntaxError.
    """
    asynchronous = {node.name for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef)}
    tree = _TopLevel(file, set(modules), asynchronous).visit(tree)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        target = ast.Name(RESULT, ast.Store())
        tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
    return ast.fix_missing_locations(tree)


class _TopLevel(ast.NodeTransformer):
    """Rewrites what is in no function."""

    def __init__(self, file: str, modules: set[str], asynchronous: set[str]) -> None:
        self._file = file
        self._modules = modules
        self._asynchronous = asynchronous

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        raised = ast.Call(ast.Name(RETURNED, ast.Load()), [node.value or ast.Constant(None)], [])
        return ast.copy_location(ast.Raise(raised, None), node)

    def visit_Try(self, node: ast.Try) -> ast.AST:
        returns = any(isinstance(one, ast.Return) for part in node.body for one in ast.walk(part))
        self.generic_visit(node)
        if returns and node.handlers:  # `except:` would catch the return
            passing = ast.ExceptHandler(ast.Name(RETURNED, ast.Load()), None, [ast.Raise(None, None)])
            node.handlers.insert(0, ast.copy_location(passing, node.handlers[0]))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if node.args and isinstance(function, ast.Attribute) and _runs(function):
            return ast.copy_location(ast.Await(node.args[0]), node)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Call) and self._is_asynchronous(node.value.func):
            awaited = ast.Await(ast.Call(ast.Name(AWAITED, ast.Load()), [node.value], []))
            node.value = ast.copy_location(awaited, node.value)
        return node

    def _is_asynchronous(self, function: ast.expr) -> bool:
        if isinstance(function, ast.Name):
            return function.id in self._asynchronous
        first: ast.expr = function
        while isinstance(first, (ast.Attribute, ast.Subscript)):
            first = first.value
        return isinstance(first, ast.Name) and first.id in self._modules

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        target = node.target
        if isinstance(target, ast.Name) and target.id in self._modules and node.value is None:
            where = (self._file, node.lineno, node.col_offset + 1, None)
            raise SyntaxError("a tool is called with a dot, not with a colon", where)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node


def _runs(function: ast.Attribute) -> bool:
    """Whether the function is `asyncio.run`, or `run_until_complete` of a loop."""
    of = function.value
    if function.attr == "run":
        return isinstance(of, ast.Name) and of.id == "asyncio"
    return function.attr == "run_until_complete"
