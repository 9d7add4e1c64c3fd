"""Gives functions Cloche's context in place of what their framework supplies, as the author would write it."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from .injection import emitter
from .modules.contexts import tool_context
from .source_edits import Edit, SourceEdits
from .source_expressions import Unwritable

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_LEVELS = ("debug", "info", "warning", "error")
_PROGRESS = ("progress", "total", "message")


class PlainContexts:
    """Changes the functions of one file. Raises Unwritable where a function needs its framework, and says why."""

    def __init__(self, module: ModuleType, edits: SourceEdits) -> None:
        self._module, self._edits = module, edits
        self.state = ""  # the name of the dict that tools keep between calls, if one does
        self._nodes: dict[str, list[_Function]] = {}
        self._called: dict[str, int] = {}  # names of called functions and methods, with a line
        self._parents: dict[ast.AST, ast.AST] = {}
        for node in ast.walk(edits.tree):
            self._parents.update((one, node) for one in ast.iter_child_nodes(node))
            if isinstance(node, _FUNCTIONS):
                self._nodes.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)) and not self._is_decorator(node):
                self._called[node.func.id if isinstance(node.func, ast.Name) else node.func.attr] = node.lineno

    def supply(self, function: FunctionType, name: str, given: Any) -> str:
        """Rewrites a parameter that the framework supplies. Returns what the function is called with: "context" for
        Cloche's context, another expression, or nothing if the parameter is gone."""
        node = self._node_of(function)
        uses = [one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id == name]
        edits: list[Edit] = []
        if not uses:
            self._keep(node, [])
            self._leave_out(node, name)
            return ""
        if given is tool_context:
            state = self.state or self._free("_state")
            for use in uses:
                holder = self._parent(use)
                if not isinstance(holder, ast.Attribute) or holder.attr != "state":
                    raise Unwritable(f"it uses {name}")
                edits.append(Edit(self._edits.start(holder), self._edits.end(holder), state))
            self._leave_out(node, name)
            self._keep(node, edits)
            self.state = state
            return ""
        if getattr(given, "__name__", "") == "Context":
            edits = [edit for use in uses for edit in self._of_mcp(use)]
        elif given is emitter:
            edits = [edit for use in uses for edit in self._of_emitter(use)]
        else:
            raise Unwritable(f"it uses {name}")
        taken = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} | {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
        if "context" in taken - {name}:
            raise Unwritable("it has another parameter named context")
        parameter, default = _parameter(node, name)
        text = "context" if default is None else f"context={self._edits.source(default)}"
        self._keep(node, [*edits, Edit(self._edits.start(parameter), self._edits.end(default or parameter), text)])
        return "context"

    def shared_state(self) -> str:
        """The name of a dict that lives as long as the interpreter."""
        self.state = self.state or self._free("_state")
        return self.state

    def rewrite_errors(self, function: FunctionType, has_context: bool) -> bool:
        """Lets a function raise context.error(…) in place of its framework's errors. Returns whether it takes the context
        now."""
        node = self._node_of(function)
        edits = []
        for one in ast.walk(node):
            call = one.exc if isinstance(one, ast.Raise) else None
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or not self._edits.is_framework(call.func):
                continue
            if not getattr(vars(self._module).get(call.func.id), "__cloche_recoverable__", False):
                continue
            if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
                return has_context
            edits.append(Edit(self._edits.start(call.func), self._edits.end(call.func), "context.error"))
            edits.append(Edit(self._edits.end(call.args[0]), self._edits.end(call.args[0]), ", recoverable=True"))
        if not edits:
            return has_context
        taken = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
        if not has_context:
            if "context" in taken or node.args.kwarg or node.args.kwonlyargs or node.args.vararg:
                return False
            listed = [*node.args.posonlyargs, *node.args.args]
            opening = self._edits.find("(", self._edits.find(node.name, self._edits.start(node)))
            at = max(map(self._edits.end, (*listed, *node.args.defaults)), default=opening + 1)
            edits.append(Edit(at, at, ", *, context" if listed else "context"))
        with contextlib.suppress(Unwritable):
            self._keep(node, edits)
            return True
        return has_context

    def rewrite_results(self, function: FunctionType) -> None:
        """Lets a function return the content of a ToolResult that has nothing else, without the framework's annotation."""
        node = self._node_of(function)
        edits = []
        if node.returns is not None and any(self._edits.is_framework(one) for one in ast.walk(node.returns) if isinstance(one, ast.Name)):
            start = self._edits.find("->", max(map(self._edits.end, _parts_of(node)), default=self._edits.start(node)))
            self._edits.replace([Edit(self._edits.before_spaces(start), self._edits.end(node.returns), "")])
        for one in ast.walk(node):
            call = one.value if isinstance(one, ast.Return) else None
            text = self._text_content(call)
            if call is not None and text is not None:
                edits.append(Edit(self._edits.start(call), self._edits.start(text), ""))
                edits.append(Edit(self._edits.end(text), self._edits.end(call), ""))
                continue
            if not isinstance(call, ast.Call) or not self._edits.is_framework(call.func) or getattr(call.func, "id", "") != "ToolResult":
                continue
            given = [*call.args, *(key.value for key in call.keywords if key.arg == "content")]
            if len(given) != 1 or len(call.args) + len(call.keywords) != 1:
                return
            edits.append(Edit(self._edits.start(call), self._edits.start(given[0]), ""))
            edits.append(Edit(self._edits.end(given[0]), self._edits.end(call), ""))
        with contextlib.suppress(Unwritable):  # another function needs the ToolResult
            self._keep(node, edits)

    def _text_content(self, value: ast.expr | None) -> ast.expr | None:
        """The text of a result that is one TextContent of MCP."""
        only = value.elts[0] if isinstance(value, ast.List) and len(value.elts) == 1 else None
        if not isinstance(only, ast.Call) or only.args or not self._edits.is_framework(only.func):
            return None
        name = only.func.attr if isinstance(only.func, ast.Attribute) else getattr(only.func, "id", "")
        named = {one.arg: one.value for one in only.keywords}
        return named["text"] if name == "TextContent" and set(named) == {"type", "text"} else None

    def _of_mcp(self, use: ast.Name) -> Iterator[Edit]:
        """The changes for one use of MCP's context."""
        member = self._parent(use)
        if self._is_condition(use):
            yield Edit(self._edits.start(use), self._edits.end(use), "context")
            return
        if not isinstance(member, ast.Attribute):
            raise Unwritable(f"it passes {use.id} on")
        if member.attr in ("request_id", "session_id"):
            key = "call_id" if member.attr == "request_id" else member.attr
            yield Edit(self._edits.start(member), self._edits.end(member), f"context.{key}")
            return
        call = self._parent(member)
        awaited = self._parent(call)
        if not isinstance(call, ast.Call) or not isinstance(awaited, ast.Await):
            raise Unwritable(f"it uses {use.id}.{member.attr}")
        start, end = self._edits.start(awaited), self._edits.end(member)
        named = {one.arg: one.value for one in call.keywords}
        if member.attr in _LEVELS and len(call.args) == 1 and not named:
            yield Edit(start, end, "context.log")
            if member.attr != "info":
                at = self._edits.end(call.args[0])
                yield Edit(at, at, f', "{member.attr}"')
        elif member.attr == "report_progress" and set(named) <= set(_PROGRESS):
            given = {**dict(zip(_PROGRESS, call.args)), **named}
            members = ", ".join(f'"{key}": {self._edits.source(one)}' for key, one in given.items())
            yield Edit(start, self._edits.end(awaited), f"context.update({{{members}}})")
        else:
            raise Unwritable(f"it uses {use.id}.{member.attr}")

    def _of_emitter(self, use: ast.Name) -> Iterator[Edit]:
        """The changes for one use of Open WebUI's event emitter."""
        if self._is_condition(use):
            yield Edit(self._edits.start(use), self._edits.end(use), "context")
            return
        call = self._parent(use)
        awaited = self._parent(call)
        if not isinstance(call, ast.Call) or call.func is not use or len(call.args) != 1 or call.keywords or not isinstance(awaited, ast.Await):
            raise Unwritable(f"it passes {use.id} on")
        yield Edit(self._edits.start(awaited), self._edits.end(use), "context.update")
        event = call.args[0]
        members = _members(event)
        data = members.get("data")
        status = members.get("type")
        if isinstance(status, ast.Constant) and status.value == "status" and data is not None and set(_members(data)) == {"description", "done"}:
            said = _members(data)
            done, text = (self._edits.source(said[key]) for key in ("done", "description"))
            yield Edit(self._edits.start(event), self._edits.end(event), f'{{"message": {text}, "done": {done}}}')

    def _is_decorator(self, node: ast.expr) -> bool:
        return node in getattr(self._parent(node), "decorator_list", ())

    def _is_condition(self, use: ast.Name) -> bool:
        above = self._parent(use)
        if isinstance(above, (ast.If, ast.IfExp, ast.While)):
            return above.test is use
        is_compared = isinstance(above, ast.Compare) and len(above.ops) == 1 and isinstance(above.ops[0], (ast.Is, ast.IsNot))
        return isinstance(above, ast.BoolOp) or is_compared or (isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not))

    def _keep(self, node: _Function, edits: list[Edit]) -> None:
        if node.name in self._called:
            raise Unwritable(f"line {self._called[node.name]} calls {node.name}()")
        ordered = sorted(edits)
        if any(one.end > other.start for one, other in zip(ordered, ordered[1:])):
            raise Unwritable("a use of its framework is inside another one")
        self._edits.replace(ordered)

    def _leave_out(self, node: _Function, name: str) -> None:
        parameter, _ = _parameter(node, name)
        if parameter not in node.args.args or node.args.posonlyargs:
            raise Unwritable(f"{name} cannot be left out")
        self._edits.leave_out(node.args, parameter)

    def _node_of(self, function: FunctionType) -> _Function:
        line = function.__code__.co_firstlineno
        for one in self._nodes.get(function.__name__, ()):
            if line in (one.lineno, *(by.lineno for by in one.decorator_list)):
                return one
        raise Unwritable(f"{function.__name__}() is not in this file")

    def _parent(self, child: ast.AST) -> ast.AST:
        return self._parents.get(child, self._edits.tree)

    def _free(self, name: str) -> str:
        while name in vars(self._module):
            name += "_"
        return name


def _parameter(node: _Function, name: str) -> tuple[ast.arg, ast.expr | None]:
    """A parameter with its default."""
    listed = [*node.args.posonlyargs, *node.args.args]
    missing = [None] * (len(listed) - len(node.args.defaults))
    pairs = [*zip(listed, [*missing, *node.args.defaults]), *zip(node.args.kwonlyargs, node.args.kw_defaults)]
    found = next((pair for pair in pairs if pair[0].arg == name), None)
    if found is None:
        raise Unwritable(f"it has no parameter {name}")
    return found


def _parts_of(node: _Function) -> list[ast.expr | ast.arg]:
    """The parameters and defaults of a function."""
    listed = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
    return [one for one in (*listed, *node.args.defaults, *node.args.kw_defaults) if one is not None]


def _members(node: ast.expr) -> dict[str, ast.expr]:
    pairs = zip(node.keys, node.values) if isinstance(node, ast.Dict) else ()
    return {key.value: one for key, one in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str)}
