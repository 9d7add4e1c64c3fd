"""Gives functions Cloche's context in place of what their framework supplies, as the author would write it.

`spec_handlers` asks for it before it writes a handler. The changes go to `SourceEdits`.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Collection, Iterator
from types import FunctionType, ModuleType
from typing import Any

from ..framework_names.tool_contexts import tool_context
from ..injected_arguments import emitter
from ..syntax import FUNCTIONS, Function
from .conversion_code import Unwritable
from .source_edits import Edit, SourceEdits

_LEVELS = ("debug", "info", "warning", "error")
_PROGRESS = ("progress", "total", "message")


class PlainContexts:
    """Changes the functions of one file. Raises Unwritable where a function needs its framework, and says why."""

    def __init__(self, module: ModuleType, edits: SourceEdits) -> None:
        self._module, self._edits = module, edits
        self.state = ""  # the name of the dict that tools keep between calls, if one does
        self._functions: dict[str, list[Function]] = {}
        self._called: dict[str, int] = {}  # names of called functions and methods, with a line
        self._parents: dict[ast.AST, ast.AST] = {}
        for node in ast.walk(edits.tree):
            self._parents.update((child, node) for child in ast.iter_child_nodes(node))
            if isinstance(node, FUNCTIONS):
                self._functions.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)) and not self._is_decorator(node):
                self._called[node.func.id if isinstance(node.func, ast.Name) else node.func.attr] = node.lineno

    # Parameters

    def replace_supplied(self, function: FunctionType, name: str, supply: Any) -> str:
        """Rewrites a parameter that the framework supplies. Returns the name of the argument that the function gets:
        "context" for Cloche's context, or nothing if the parameter is gone."""
        node = self._find_definition(function)
        uses = [one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id == name]
        if not uses:
            self._keep(node, [])
            self._leave_out(node, name)
            return ""
        if supply is tool_context:
            self._replace_state(node, name, uses)
            return ""
        if getattr(supply, "__name__", "") == "Context":
            edits = [edit for use in uses for edit in self._replace_mcp_context(use)]
        elif supply is emitter:
            edits = [edit for use in uses for edit in self._replace_emitter(use)]
        else:
            raise Unwritable(f"it uses {name}")
        self._keep(node, [*edits, self._rename_to_context(node, name)])
        return "context"

    def share_state(self) -> str:
        """The name of a dict that lives as long as the interpreter."""
        self.state = self.state or self._find_free_name("_state")
        return self.state

    def _replace_state(self, node: Function, name: str, uses: list[ast.Name]) -> None:
        """Replaces the state of ADK's context by a dict of the file, and removes the parameter."""
        state = self.state or self._find_free_name("_state")
        edits = []
        for use in uses:
            holder = self._parent_of(use)
            if not isinstance(holder, ast.Attribute) or holder.attr != "state":
                raise Unwritable(f"it uses {name}")
            edits.append(self._edits.edit_of(holder, state))
        self._leave_out(node, name)
        self._keep(node, edits)
        self.state = state

    def _rename_to_context(self, node: Function, name: str) -> Edit:
        names = _list_parameter_names(node) | {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        if "context" in names - {name}:
            raise Unwritable("it has another parameter named context")
        parameter, default = _find_parameter(node, name)
        text = "context" if default is None else f"context={self._edits.source(default)}"
        return Edit(self._edits.start(parameter), self._edits.end(default or parameter), text)

    def _replace_mcp_context(self, use: ast.Name) -> Iterator[Edit]:
        """The edits for one use of MCP's context."""
        if self._is_condition(use):
            yield self._edits.edit_of(use, "context")
            return
        member = self._parent_of(use)
        if not isinstance(member, ast.Attribute):
            raise Unwritable(f"it passes {use.id} on")
        if member.attr in ("request_id", "session_id"):
            yield self._edits.edit_of(member, "context.call_id" if member.attr == "request_id" else "context.session_id")
            return
        call = self._parent_of(member)
        awaited = self._parent_of(call)
        if not isinstance(call, ast.Call) or not isinstance(awaited, ast.Await):
            raise Unwritable(f"it uses {use.id}.{member.attr}")
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        if member.attr in _LEVELS and len(call.args) == 1 and not named:
            yield Edit(self._edits.start(awaited), self._edits.end(member), "context.log")
            if member.attr != "info":
                at = self._edits.end(call.args[0])
                yield Edit(at, at, f', "{member.attr}"')
        elif member.attr == "report_progress" and set(named) <= set(_PROGRESS):
            given = {**dict(zip(_PROGRESS, call.args)), **named}
            members = ", ".join(f'"{key}": {self._edits.source(value)}' for key, value in given.items())
            yield self._edits.edit_of(awaited, f"context.update({{{members}}})")
        else:
            raise Unwritable(f"it uses {use.id}.{member.attr}")

    def _replace_emitter(self, use: ast.Name) -> Iterator[Edit]:
        """The edits for one use of Open WebUI's event emitter."""
        if self._is_condition(use):
            yield self._edits.edit_of(use, "context")
            return
        call = self._parent_of(use)
        awaited = self._parent_of(call)
        if not isinstance(call, ast.Call) or call.func is not use or len(call.args) != 1 or call.keywords or not isinstance(awaited, ast.Await):
            raise Unwritable(f"it passes {use.id} on")
        yield Edit(self._edits.start(awaited), self._edits.end(use), "context.update")
        event = call.args[0]
        fields = _read_dict(event)
        kind, data = fields.get("type"), _read_dict(fields.get("data"))
        if isinstance(kind, ast.Constant) and kind.value == "status" and set(data) == {"description", "done"}:
            done, message = (self._edits.source(data[key]) for key in ("done", "description"))
            yield self._edits.edit_of(event, f'{{"message": {message}, "done": {done}}}')

    # Errors and results

    def rewrite_errors(self, function: FunctionType, has_context: bool) -> bool:
        """Lets a function raise context.error(…) in place of its framework's errors.

        `has_context`: the function takes the context already. Returns whether it does so now.
        """
        node = self._find_definition(function)
        edits = []
        for one in ast.walk(node):
            call = one.exc if isinstance(one, ast.Raise) else None
            if isinstance(call, ast.Call) and self._is_recoverable_error(call.func):
                if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
                    return has_context
                at = self._edits.end(call.args[0])
                edits += [self._edits.edit_of(call.func, "context.error"), Edit(at, at, ", recoverable=True")]
        if not edits:
            return has_context
        if not has_context:
            if "context" in _list_parameter_names(node) or node.args.kwarg or node.args.kwonlyargs or node.args.vararg:
                return False
            edits.append(self._add_context(node))
        with contextlib.suppress(Unwritable):
            self._keep(node, edits)
            return True
        return has_context

    def _is_recoverable_error(self, kind: ast.expr) -> bool:
        """Whether this names an error of the framework that the model may recover from."""
        if not isinstance(kind, ast.Name) or not self._edits.is_framework(kind):
            return False
        return bool(getattr(vars(self._module).get(kind.id), "__cloche_recoverable__", False))

    def _add_context(self, node: Function) -> Edit:
        """The edit that adds a parameter for the context."""
        parameters = [*node.args.posonlyargs, *node.args.args]
        opening = self._edits.find("(", self._edits.find(node.name, self._edits.start(node)))
        at = max(map(self._edits.end, (*parameters, *node.args.defaults)), default=opening + 1)
        return Edit(at, at, ", *, context" if parameters else "context")

    def rewrite_results(self, function: FunctionType) -> None:
        """Lets a function return the content of a ToolResult that has nothing else, without the framework's annotation."""
        node = self._find_definition(function)
        if node.returns is not None and any(self._edits.is_framework(one) for one in ast.walk(node.returns) if isinstance(one, ast.Name)):
            start = self._edits.find("->", max(map(self._edits.end, _list_parts(node)), default=self._edits.start(node)))
            self._edits.replace(self._edits.before_spaces(start), self._edits.end(node.returns), "")
        edits = []
        for one in ast.walk(node):
            value = one.value if isinstance(one, ast.Return) else None
            content = self._find_text_content(value)
            if content is None and self._is_tool_result(value):
                content = _find_only_content(value)  # type: ignore[arg-type]
                if content is None:
                    return  # the result has more
            if value is not None and content is not None:
                edits.append(Edit(self._edits.start(value), self._edits.start(content), ""))
                edits.append(Edit(self._edits.end(content), self._edits.end(value), ""))
        with contextlib.suppress(Unwritable):  # another function needs the ToolResult
            self._keep(node, edits)

    def _find_text_content(self, value: ast.expr | None) -> ast.expr | None:
        """The text of a result that is one TextContent of MCP; None for other results."""
        only = value.elts[0] if isinstance(value, ast.List) and len(value.elts) == 1 else None
        if not isinstance(only, ast.Call) or only.args or not self._edits.is_framework(only.func):
            return None
        name = only.func.attr if isinstance(only.func, ast.Attribute) else getattr(only.func, "id", "")
        named = {keyword.arg: keyword.value for keyword in only.keywords}
        return named["text"] if name == "TextContent" and set(named) == {"type", "text"} else None

    def _is_tool_result(self, value: ast.expr | None) -> bool:
        return isinstance(value, ast.Call) and self._edits.is_framework(value.func) and getattr(value.func, "id", "") == "ToolResult"

    def unwrap_outputs(self, function: FunctionType, kind: str, member: str) -> None:
        """Lets a function return a member of a framework's output, such as the response of an ActionOutput, in place of the output."""
        node = self._find_definition(function)
        edits = []
        for one in ast.walk(node):
            value = one.value if isinstance(one, ast.Return) else None
            if isinstance(value, ast.Call) and self._edits.is_framework(value.func) and getattr(value.func, "id", "") == kind:
                content = next((keyword.value for keyword in value.keywords if keyword.arg == member), None)
                if content is None:
                    raise Unwritable(f"it returns {kind}(…) without {member}=…")
                edits.append(Edit(self._edits.start(value), self._edits.start(content), ""))
                edits.append(Edit(self._edits.end(content), self._edits.end(value), ""))
        self._keep(node, edits)

    def expect_uses(self, function: FunctionType, name: str, attributes: Collection[str], ignored: str = "") -> None:
        """Raises Unwritable if a function uses more of an object that its framework passes than these attributes.

        `ignored`: the keyword of arguments that the export leaves out.
        """
        node = self._find_definition(function)
        gone = {part for one in ast.walk(node) if isinstance(one, ast.keyword) and one.arg == ignored for part in ast.walk(one)}
        for use in ast.walk(node):
            if not isinstance(use, ast.Name) or use.id != name or use in gone:
                continue
            member = self._parent_of(use)
            if not isinstance(member, ast.Attribute):
                raise Unwritable(f"it passes {name} on, which only its framework can make. Pass only the values that are needed")
            if member.attr not in attributes:
                raise Unwritable(f"it uses {name}.{member.attr}, which only its framework has. Write it without {name}.{member.attr}")

    # Changes, and questions about nodes

    def _keep(self, node: Function, edits: list[Edit]) -> None:
        """Keeps the edits of a function, unless the file calls it: other code needs it as it is."""
        if node.name in self._called:
            raise Unwritable(f"line {self._called[node.name]} calls {node.name}()")
        ordered = sorted(edits)
        if any(edit.end > following.start for edit, following in zip(ordered, ordered[1:])):
            raise Unwritable("a use of its framework is inside another one")
        self._edits.add(ordered)

    def _leave_out(self, node: Function, name: str) -> None:
        parameter, _ = _find_parameter(node, name)
        if parameter not in node.args.args or node.args.posonlyargs:
            raise Unwritable(f"{name} cannot be left out")
        self._edits.leave_out(node.args, parameter)

    def _find_definition(self, function: FunctionType) -> Function:
        line = function.__code__.co_firstlineno
        for node in self._functions.get(function.__name__, ()):
            if line in (node.lineno, *(decorator.lineno for decorator in node.decorator_list)):
                return node
        raise Unwritable(f"{function.__name__}() is not in this file")

    def _is_decorator(self, node: ast.expr) -> bool:
        return node in getattr(self._parent_of(node), "decorator_list", ())

    def _is_condition(self, use: ast.Name) -> bool:
        """Whether a name is only checked, as in `if ctx:` or `ctx is not None`."""
        above = self._parent_of(use)
        if isinstance(above, (ast.If, ast.IfExp, ast.While)):
            return above.test is use
        is_compared = isinstance(above, ast.Compare) and len(above.ops) == 1 and isinstance(above.ops[0], (ast.Is, ast.IsNot))
        return isinstance(above, ast.BoolOp) or is_compared or (isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not))

    def _parent_of(self, child: ast.AST) -> ast.AST:
        return self._parents.get(child, self._edits.tree)

    def _find_free_name(self, name: str) -> str:
        while name in vars(self._module):
            name += "_"
        return name


def _list_parameter_names(node: ast.AST) -> set[str]:
    """The names of the parameters of a function, and of functions inside it."""
    return {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}


def _find_parameter(node: Function, name: str) -> tuple[ast.arg, ast.expr | None]:
    """A parameter with its default."""
    positional = [*node.args.posonlyargs, *node.args.args]
    missing = [None] * (len(positional) - len(node.args.defaults))
    pairs = [*zip(positional, [*missing, *node.args.defaults]), *zip(node.args.kwonlyargs, node.args.kw_defaults)]
    found = next((pair for pair in pairs if pair[0].arg == name), None)
    if found is None:
        raise Unwritable(f"it has no parameter {name}")
    return found


def _list_parts(node: Function) -> list[ast.expr | ast.arg]:
    """The parameters and defaults of a function."""
    parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
    return [part for part in (*parameters, *node.args.defaults, *node.args.kw_defaults) if part is not None]


def _find_only_content(result: ast.Call) -> ast.expr | None:
    """The content of a ToolResult that has nothing else; None for others."""
    given = [*result.args, *(keyword.value for keyword in result.keywords if keyword.arg == "content")]
    return given[0] if len(given) == 1 and len(result.args) + len(result.keywords) == 1 else None


def _read_dict(node: ast.expr | None) -> dict[str, ast.expr]:
    """The items of a dict whose keys are texts; empty for other expressions."""
    pairs = zip(node.keys, node.values) if isinstance(node, ast.Dict) else ()
    return {key.value: value for key, value in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str)}
