"""Runs a program that a model or a user wrote: Python with `await` at the top level, which calls tools."""

from __future__ import annotations

import ast
import asyncio
import builtins
import inspect
import json
import linecache
from typing import Any

from .content import Part, data_part, write_part
from .explicit import ToolResult
from .folder import Folder
from .program_tools import File, ToolError, tool_names

_NAME = "program.py"
_RESULT = "__program_result__"
_RETURNED = "__program_returned__"


class _Returned(BaseException):
    """Carries the value of a `return` at the top level."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class Programs:
    """Runs programs one after the other, and keeps the variables of the last one."""

    def __init__(self, folder: Folder) -> None:
        self._file = f"{folder.root}/{_NAME}"
        self._kept: dict[str, Any] = {}

    async def run(self, code: str, keep: bool, tools: list[dict[str, Any]]) -> object:
        """Runs the program. Returns what it returns, or the value of its last line; raises what it raises.

        `keep`: it starts with the variables of the program before it.
        """
        own = self._kept if keep else {}
        own.update({"__name__": "__main__", "__builtins__": builtins, "asyncio": asyncio, "json": json})
        own.update({"ToolError": ToolError, _RETURNED: _Returned, **tool_names(tools)})
        self._kept = own
        # Tracebacks show its lines.
        linecache.cache[self._file] = (len(code), None, code.splitlines(True), self._file)
        tree = _with_result(ast.parse(code, self._file))
        compiled = compile(tree, self._file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        own.pop(_RESULT, None)
        try:
            running = eval(compiled, own)
            if inspect.iscoroutine(running):
                await running
        except _Returned as returned:
            value = returned.value
        else:
            value = own.pop(_RESULT, None)
        if inspect.isawaitable(value):  # the last line is a call without `await`
            value = await value
        return _handed_on(value)


def _with_result(tree: ast.Module) -> ast.Module:
    """The program with the value of its last line stored, and a `return` at its top level allowed."""
    tree = _Returns().visit(tree)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        target = ast.Name(_RESULT, ast.Store())
        tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
    return ast.fix_missing_locations(tree)


class _Returns(ast.NodeTransformer):
    """Replaces `return`, except in functions."""

    def visit_Return(self, node: ast.Return) -> ast.AST:
        carrier = ast.Name(_RETURNED, ast.Load())
        raised = ast.Call(carrier, [node.value or ast.Constant(None)], [])
        return ast.copy_location(ast.Raise(raised, None), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node


def _handed_on(value: object) -> object:
    """Files and images become parts of the result, alone or in a list; any other value stays as it is."""
    if isinstance(value, File):
        return ToolResult([_part(value)], {})
    if isinstance(value, (list, tuple)) and any(isinstance(one, File) for one in value):
        return ToolResult([_part(one) for one in value], {})
    return value


def _part(value: object) -> Part:
    return data_part(bytes(value), value.media_type) if isinstance(value, File) else write_part(value)
