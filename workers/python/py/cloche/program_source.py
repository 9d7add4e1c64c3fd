"""Reads a program as models write it: in a Markdown fence, with `asyncio.run(…)`, or with a `return` at the top level."""

from __future__ import annotations

import ast
import keyword
import re
import textwrap
from collections.abc import Collection, Iterator

RESULT = "__program_result__"
RETURNED = "__program_returned__"
AWAITED = "__program_awaited__"

_LINE_CHARACTERS = 200
_FENCED = re.compile(r"^[ \t]*(```|~~~)[\w+-]*[ \t]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
# A name before `=` in a call that is not valid in Python, such as `from` or `start-date`.
_ODD_PARAMETER = re.compile(rf"(?:^|[(,])\s*((?:{'|'.join(keyword.kwlist)})(?=\s*=[^=])|\w+(?:-\w+)+(?=\s*=[^=]))")
# Functions that read all of what they are given, so that a list works as well.
_READERS = frozenset("dict enumerate frozenset list max min set sorted sum tuple".split())
# Invisible characters, which are no part of Python outside of texts.
_INVISIBLE = {0xA0: " ", 0x202F: " ", 0xFEFF: None, 0x200B: None, 0x200C: None, 0x2060: None}


def parse_program(code: str, file: str) -> tuple[str, ast.Module]:
    """Returns the text that is run, whose lines have the numbers of those of `code`, and its tree.

    Raises SyntaxError, with notes that say what to write instead.
    """
    fault: SyntaxError | None = None
    for text in _list_readings(code):
        try:
            return text, ast.parse(text, file)
        except SyntaxError as error:
            fault = fault or error
    assert fault is not None
    raise explain_syntax_error(fault.with_traceback(None), code) from None


def _list_readings(code: str) -> Iterator[str]:
    """The text, and then without what surrounds or indents a program without being part of it."""
    yield code
    text = code
    for step in (lambda one: one.translate(_INVISIBLE), _remove_fence, textwrap.dedent):
        before, text = text, step(text)
        if text != before:
            yield text


def _remove_fence(text: str) -> str:
    found = list(_FENCED.finditer(text))
    if len(found) != 1:  # it is not clear which of several is meant
        return text
    return "\n" * text.count("\n", 0, found[0].start(2)) + found[0].group(2)


def explain_syntax_error(fault: SyntaxError, code: str) -> SyntaxError:
    """The fault with the line in which it is, and what to write instead, as notes."""
    lines = code.split("\n")
    line = lines[fault.lineno - 1].strip() if fault.lineno and fault.lineno <= len(lines) else ""
    if line:
        fault.add_note(f"Line {fault.lineno}: {line[:_LINE_CHARACTERS]}")
    advice = _advise(fault.msg, line, code)
    if advice:
        fault.add_note(advice)
    return fault


def _advise(message: str, line: str, code: str) -> str:
    """What to write instead; empty if that is not clear."""
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
    odd = _ODD_PARAMETER.search(line)
    if odd:
        return f"Write `{_spell(odd[1])}=` for the parameter `{odd[1]}`."
    if re.search(r"\b[\w-]+:\w+\(", line):
        return "Write a dot between module and tool: `await module.tool(…)`."
    return ""


def _spell(parameter: str) -> str:
    """The name with which a program gives a parameter whose name is not valid in Python."""
    return f"{parameter}_" if keyword.iskeyword(parameter) else parameter.replace("-", "_")


def as_run(tree: ast.Module, file: str, modules: Collection[str]) -> ast.Module:
    """The program as it is run.

    The value of its last line is stored, also if that is in the block of an `if`, a `try` or a `with`. At its top level,
    `return` ends it. There and in asynchronous functions, `asyncio.run(…)` becomes `await`, and calls of tools and of
    asynchronous functions are awaited if they are statements, or are in a generator that is read at once. `modules` are
    the names by which tools are reached. Raises SyntaxError.
    """
    tree = _Awaiting(file, set(modules), tree).visit(tree)
    _store_last(tree.body)
    return ast.fix_missing_locations(tree)


def _store_last(body: list[ast.stmt]) -> None:
    """Stores the value of the last statement as the result, also that of each block in it."""
    last = body[-1] if body else None
    if isinstance(last, ast.Expr):
        target = ast.Name(RESULT, ast.Store())
        body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
    elif isinstance(last, (ast.If, ast.With, ast.AsyncWith, ast.Try)):
        handlers = [handler.body for handler in last.handlers] if isinstance(last, ast.Try) else []
        for block in (last.body, *handlers, getattr(last, "orelse", [])):
            _store_last(block)


class _Awaiting(ast.NodeTransformer):
    """Rewrites what is at the top level or in an asynchronous function, where `await` can be written."""

    def __init__(self, file: str, modules: set[str], tree: ast.Module) -> None:
        self._file = file
        self._modules = modules
        self._asynchronous: set[str] = set()
        # The names of `asyncio` and of `asyncio.run`.
        self._library, self._run = {"asyncio"}, set[str]()
        self._in_function = False
        for node in ast.walk(tree):
            if isinstance(node, ast.AsyncFunctionDef):
                self._asynchronous.add(node.name)
            elif isinstance(node, ast.Import):
                self._library |= {one.asname or one.name for one in node.names if one.name == "asyncio"}
            elif isinstance(node, ast.ImportFrom) and node.module == "asyncio":
                self._run |= {one.asname or one.name for one in node.names if one.name == "run"}

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if self._in_function:
            return node
        raised = ast.Call(ast.Name(RETURNED, ast.Load()), [node.value or ast.Constant(None)], [])
        return ast.copy_location(ast.Raise(raised, None), node)

    def visit_Try(self, node: ast.Try) -> ast.AST:
        returns = any(isinstance(one, ast.Return) for part in node.body for one in ast.walk(part))
        self.generic_visit(node)
        if returns and node.handlers and not self._in_function:  # `except:` would catch the return
            passing = ast.ExceptHandler(ast.Name(RETURNED, ast.Load()), None, [ast.Raise(None, None)])
            node.handlers.insert(0, ast.copy_location(passing, node.handlers[0]))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not node.args:
            return node
        function, first = node.func, node.args[0]
        if self._runs(function):
            return ast.copy_location(ast.Await(first), node)
        if isinstance(first, ast.GeneratorExp) and _reads(function) and _awaits(first):
            node.args[0] = ast.copy_location(ast.ListComp(first.elt, first.generators), first)
        return node

    def _runs(self, function: ast.expr) -> bool:
        """Whether the function is `asyncio.run`, or `run_until_complete` of a loop."""
        if not isinstance(function, ast.Attribute):
            return isinstance(function, ast.Name) and function.id in self._run
        of = function.value
        if function.attr == "run":
            return isinstance(of, ast.Name) and of.id in self._library
        return function.attr == "run_until_complete"

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
        is_module = isinstance(target, ast.Name) and target.id in self._modules
        if is_module and node.value is None and not self._in_function:
            where = (self._file, node.lineno, node.col_offset + 1, None)
            raise SyntaxError("a tool is called with a dot, not with a colon", where)
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        outer, self._in_function = self._in_function, True
        self.generic_visit(node)
        self._in_function = outer
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        methods = (ast.AsyncFunctionDef, ast.ClassDef)
        node.body = [self.visit(one) if isinstance(one, methods) else one for one in node.body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node


def _reads(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr == "join"
    return isinstance(function, ast.Name) and function.id in _READERS


def _awaits(generator: ast.GeneratorExp) -> bool:
    is_async = any(one.is_async for one in generator.generators)
    return is_async or any(isinstance(one, ast.Await) for one in ast.walk(generator))
