"""Reads the source of a file before it runs: the framework that it was written for, and the tools that it declares.

The text goes in, a `Reading` comes out; no code of the file runs. Used before each import of a file without TOOL_SPECS.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from .definitions import Definitions
from .frameworks import framework_of
from .inner_functions import InnerFunctions
from .making_functions import MakingFunctions
from .reading import Reading
from .source_uses import SourceUses, find_json_files
from .syntax import (
    GUARD,
    Function,
    assigned_names,
    constant_text,
    decorator_name,
    is_attribute_of,
    list_methods,
)
from .syntax_walk import walk_functions
from .tool_lists import ToolLists
from .tool_syntax import (
    CLIENT_MAKES_TOOL,
    DEFINITION_MEMBERS,
    DISPATCHERS,
    MARKING_DECORATORS,
    OWN_DECORATORS,
    REGISTERING_DECORATORS,
    REGISTRY,
    SCHEMA_KEYS,
    TOOL_LISTS,
    adds_to_server,
    describes_tools,
    find_making_methods,
    find_gradio_function,
    find_listed_methods,
    find_registered_methods,
    gives_tools,
    is_registry,
    is_tool_dict,
    is_tool_list,
    is_tool_record,
    is_web_ui_class,
    list_dict_functions,
    list_dict_methods,
    list_route_names,
    makes_tool,
    makes_tool_record,
    marks_tool,
    registers_tool,
    seems_to_make_tool,
    wraps_method,
)

_MAX_NODES = 400_000
_MAX_DESCRIBED = 20  # lists inside functions that describe tools
_NAMES_REGISTRY = re.compile(r"tool|registry", re.IGNORECASE)  # functions that make a registry, such as default_registry()
# A file that registers functions, but has none of these words, registers them for something other than a model.
_NAMES_MODEL = re.compile(r"tool|agent|llm|assistant|openai|anthropic|claude|gemini|pipecat", re.IGNORECASE)
# Names of arguments that are lists of tools, and calls whose positional arguments are tools or lists of tools.
_TOOL_ARGUMENTS = (*TOOL_LISTS, "standard_tools")
_TAKES_TOOLS = ("bind_tools", "ToolNode", "create_react_agent", "create_agent", "with_tools", "FunctionToolset")
# A function whose name begins with one of these, and has "tool" in it, adds tools to a server.
_ADDS_TOOLS = ("register", "add_", "setup", "attach")
_FRONT_MATTER = re.compile(r"^title:", re.MULTILINE)


def read_source(text: str) -> Reading | None:
    """Reads a file's source; returns None if it cannot be parsed, or is too large."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _SourceReader(tree, text).read()


class _SourceReader:
    """Visits the nodes of one file, and notes what each shows. `_make_reading` turns the notes into a `Reading`.

    The argument `function` names the function around a node, as `walk_functions` does: "outer.inner" inside a nested function,
    empty at the top level.
    """

    def __init__(self, tree: ast.Module, text: str) -> None:
        self._tree, self._text = tree, text
        self._classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        self._serves_gradio = "gradio" in text and re.search(r"\bmcp_server\s*=\s*True", text) is not None
        self._uses = SourceUses()
        self._definitions = Definitions(tree)
        # Tools that the file marks or lists
        self._marks_tools = False
        self._registers = False
        self._lists = ToolLists()
        self._wrapped: dict[str, tuple[str, str]] = {}  # functions from which tools are made, with names and descriptions
        self._named_inside: dict[str, str] = {}  # functions, by their names in dicts inside functions
        self._served_methods: list[tuple[str, int]] = []  # methods that are added to a server, with the lines that do so
        # Tools that the file describes as data
        self._described: list[object] = []  # lists of such descriptions inside functions
        self._described_in = ""  # the first function with such a list
        self._functions_giving_lists: list[str] = []
        self._functions_giving_records: dict[str, None] = {}
        # Tools that functions make when they are called
        self._makers = MakingFunctions(self._definitions.parameters)
        self._inner = InnerFunctions()

    def read(self) -> Reading | None:
        """Visits every node once. Returns None for a file with too many nodes."""
        # Looked up by exact class, because isinstance would take most of the time in the browser.
        visitors: dict[type, Callable[[Any, str], None]] = {
            ast.Name: self._visit_name,
            ast.Attribute: self._visit_attribute,
            ast.Subscript: self._uses.add_subscript,
            ast.Call: self._visit_call,
            ast.List: self._visit_list,
            ast.Assign: self._visit_assignment,
            ast.AnnAssign: self._visit_assignment,
            ast.Return: self._visit_return,
            ast.FunctionDef: self._visit_function,
            ast.AsyncFunctionDef: self._visit_function,
            ast.ClassDef: self._visit_class,
        }
        left = _MAX_NODES
        for node, function, guarded in walk_functions(self._tree):
            left -= 1
            if left < 0:
                return None
            visit = visitors.get(type(node))
            if visit is not None:
                visit(node, function)
            elif type(node) is ast.Import:
                self._uses.add_import(node, function, guarded)
            elif type(node) is ast.ImportFrom:
                self._uses.add_import_from(node, function, guarded)
        return self._make_reading()

    def _make_reading(self) -> Reading:
        uses, definitions = self._uses, self._definitions
        frameworks = dict.fromkeys(found for module in uses.imports if (found := framework_of(module)) is not None)
        makers = {name: lists for name, lists in self._makers.names.items() if name in definitions.needed or name == GUARD}
        server_parameters = self._makers.server_parameters
        defined = definitions.lines
        server_classes = find_making_methods(self._tree, self._makers.made_at)
        return Reading(
            frameworks=tuple(frameworks),
            imports=uses.imports,
            relative=uses.relative,
            guarded=frozenset(uses.guarded),
            imports_framework_late=uses.imports_framework_late,
            bound=uses.bound,
            defined=defined,
            exported=definitions.exported,
            # In the file of a framework, the decorator says what the function is.
            functions=tuple(name for name in definitions.functions if not (frameworks and name in definitions.decorated)),
            coroutines=frozenset(node.name for node in self._tree.body if isinstance(node, ast.AsyncFunctionDef)),
            needed=definitions.needed,
            methods=definitions.methods,
            marks_tools=self._marks_tools,
            listed=tuple(name for name in self._lists.functions if name in defined),
            wrapped={name: wrapper for name, wrapper in self._wrapped.items() if name in defined},
            named_inside=self._named_inside,
            listed_imports=tuple(uses.bound[name] for name in definitions.in_tool_lists if name in uses.bound),
            registered={kind.name: find_registered_methods(kind) for kind in self._classes},
            class_lists=find_listed_methods(self._tree, self._lists.methods),
            class_served=find_listed_methods(self._tree, self._served_methods),
            has_registry=any(REGISTRY.search(kind.name) for kind in self._classes),
            is_web_ui=self._is_web_ui(is_alone=not frameworks),
            names_web_ui=self._names_web_ui(),
            has_schemas=definitions.describe_tools or any(f"{mark}{key}{mark}" in self._text for mark in "\"'" for key in SCHEMA_KEYS),
            described=tuple(self._described),
            json_files=tuple(dict.fromkeys(find_json_files(self._text))),
            described_in=self._described_in,
            functions_giving_lists=tuple(self._functions_giving_lists),
            functions_giving_records=tuple(name for name in self._functions_giving_records if name in definitions.needed),
            registers=self._registers and _NAMES_MODEL.search(self._text) is not None,
            first_maker=self._makers.first,
            makers=makers,
            made_at=tuple(self._makers.made_at),
            server_classes=server_classes,
            server_parameters=server_parameters,
            passed=uses.find_calls_with_values(defined if makers or server_classes or server_parameters else ()),
            is_script=uses.reads_arguments,
            asks_at=uses.asks_at,
            variables=dict(uses.find_variables()),
            obstacles=tuple(uses.find_obstacles(defined, {*server_parameters, *self._makers.names})),
            reads=uses.find_reads(self._tree),
            interrupts=self._lists.interrupts,
        )

    def _visit_name(self, node: ast.Name, function: str) -> None:
        if function:
            self._uses.add_name(node.id, function)

    def _visit_attribute(self, node: ast.Attribute, function: str) -> None:
        """Notes the use of an attribute, and the server in a decorator such as @mcp.tool."""
        self._uses.add_attribute(node, function)
        if node.attr in ("tool", "tool_plain"):
            self._makers.note_server(node.value, function)

    def _visit_return(self, node: ast.Return, function: str) -> None:
        """Notes the tools that a function such as get_tools() returns."""
        if node.value is None or not gives_tools(function):
            return
        self._lists.note_passed(node.value)
        if self._inner.lists(node.value, function):
            self._makers.note(function, node.lineno)
        for inner in ast.walk(node.value):
            if isinstance(inner, ast.List):
                self._lists.note(inner)

    def _visit_list(self, node: ast.List, function: str) -> None:
        """Notes a list inside a function that describes tools as data; or the function, if it must be called to get the list."""
        if not function or len(self._described) >= _MAX_DESCRIBED:
            return
        describes, needs_call = describes_tools(node)
        if not describes:
            return
        self._described_in = self._described_in or function
        try:
            self._described.append(ast.literal_eval(node))
        except (ValueError, TypeError, RecursionError):  # the list has more than plain values
            if needs_call and "tool" in function.lower():
                self._functions_giving_lists += self._list_callables(function)

    def _list_callables(self, function: str) -> list[str]:
        """The top-level function of this name if it needs no arguments. If there is none, the methods of this name, as Class.method."""
        if function in self._definitions.needed:
            return [] if self._definitions.needed[function] else [function]
        return [f"{kind.name}.{function}" for kind in self._classes if any(method.name == function for method in list_methods(kind))]

    def _visit_assignment(self, node: ast.Assign | ast.AnnAssign, function: str) -> None:
        """Notes the functions in a dict of tools inside a function, and those in a list of tools."""
        if function and isinstance(node.value, ast.Dict):
            are_tools = any(map(is_tool_dict, assigned_names(node))) or function.strip("_") in DISPATCHERS
            self._note_named(node.value, are_tools)
        variables = assigned_names(node)
        names = [name for name in assigned_names(node, attributes=True) if is_tool_list(name)]
        if node.value is None or not names:
            return
        is_certain = variables or any(name.lower().strip("_") in TOOL_LISTS for name in names)
        self._lists.note(node.value, "" if is_certain else names[0])
        if self._inner.lists(node.value, function):
            for name in variables:
                self._inner.add(name, function)

    def _note_named(self, value: ast.Dict, are_tools: bool) -> None:
        """Notes the functions and methods to which a dict maps names."""
        for name, (tool_name, description) in list_dict_functions(value):
            self._named_inside.setdefault(tool_name, name)
            if are_tools:
                self._wrapped.setdefault(name, (tool_name, description))
        for tool_name, method in list_dict_methods(value):
            self._named_inside.setdefault(tool_name, method)

    def _visit_function(self, node: Function, function: str) -> None:
        """Notes whether decorators make a function a tool. `function`: the function around it."""
        self._inner.add(node.name, function)
        self._marks_tools = self._marks_tools or any(map(marks_tool, node.decorator_list))
        self._registers = self._registers or (not function and node.name in OWN_DECORATORS) or any(map(registers_tool, node.decorator_list))
        if not function and "fastapi_mcp" in self._uses.imports:
            for route_name in list_route_names(node):
                self._wrapped.setdefault(node.name, route_name)
        if function and any(map(seems_to_make_tool, node.decorator_list)):
            self._makers.note(function, node.lineno, lists="list_tools" in map(decorator_name, node.decorator_list))

    def _visit_class(self, node: ast.ClassDef, function: str) -> None:
        """Notes whether decorators make a class a tool, and a function that defines a class for a tool."""
        is_marked = any(decorator_name(decorator) in MARKING_DECORATORS for decorator in node.decorator_list)
        self._marks_tools = self._marks_tools or is_marked
        self._registers = self._registers or is_marked or any(map(registers_tool, node.decorator_list))
        if function and not self._makers.first and any(decorator_name(base).endswith("Tool") for base in node.bases):
            self._makers.first = function

    def _visit_call(self, node: ast.Call, function: str) -> None:
        """Notes the tools that a call receives, adds to a server, describes or makes."""
        self._uses.add_call(node, function)
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        # A call without arguments registers nothing, and `register` is the function of an extension.
        registers = registers_tool(node) and bool(node.args or node.keywords) and function != "register"
        self._registers = self._registers or registers or wraps_method(node)
        self._note_tool_arguments(node, called, function)
        self._note_server_call(node, called, function)
        self._note_called_decorator(node, called, function)
        self._note_record(node, called, function)
        if self._makes_tool(node, called, function):
            self._note_wrapped(node, function)
        if self._serves_gradio and (shown := find_gradio_function(node, called)):
            self._lists.functions[shown] = None

    def _note_tool_arguments(self, node: ast.Call, called: str, function: str) -> None:
        """Notes the tools that a call gets as arguments, such as Agent(tools=[…]) or bind_tools([…])."""
        given = [keyword.value for keyword in node.keywords if keyword.arg in _TOOL_ARGUMENTS]
        given += node.args if called in _TAKES_TOOLS else []
        for value in given:
            self._lists.note(value)
            self._lists.note_passed(value)
            if self._inner.lists(value, function):
                self._makers.note(function, node.lineno)
        if called == "append":
            self._inner.add_appended(node, function)
        for keyword in node.keywords:
            if isinstance(keyword.value, ast.Dict) and is_tool_dict(keyword.arg or ""):  # such as function_map={"add": add}
                self._note_named(keyword.value, are_tools=True)
            if keyword.arg == "interrupt_on":
                self._lists.note_interrupts(keyword.value)

    def _note_server_call(self, node: ast.Call, called: str, function: str) -> None:
        """Notes a call that adds a tool to a server: mcp.add_tool(f), or register_tool(mcp, f) of a helper."""
        if called == "add_tool":
            self._makers.note_server(getattr(node.func, "value", None), function)
            if function and adds_to_server(node):
                self._makers.note(function, node.lineno)
        elif "tool" in called and called.startswith(_ADDS_TOOLS) and node.args:
            self._makers.note_server(node.args[0], function)

    def _note_called_decorator(self, node: ast.Call, called: str, function: str) -> None:
        """Notes a decorator that a function calls as a function: server.tool(…)(f), server.tool(self.f), server.list_tools()(f)."""
        name = decorator_name(node.func) if type(node.func) is ast.Call else called
        is_applied = name != called  # the decorator that a first call has returned is applied to a function
        if not function:
            return
        if name == "list_tools" and is_applied:
            self._makers.note(function, node.lineno, lists=True)
        elif name in REGISTERING_DECORATORS and (is_applied or any(is_attribute_of(argument, "self") for argument in node.args)):
            self._marks_tools = True
            self._makers.note(function, node.lineno)
            self._served_methods += [(argument.attr, node.lineno) for argument in node.args if isinstance(argument, ast.Attribute)]

    def _note_record(self, node: ast.Call, called: str, function: str) -> None:
        """Notes a call that describes a tool, such as ToolDefinition(…) or ToolRegistry(), or the function that returns it.

        A class of another file marks a tool when it is called. A class of this file does not: its objects count as tools if
        the name of the function says that it returns tools.
        """
        is_own_class = called in self._definitions.lines
        if makes_tool_record(node) and not is_own_class:
            self._marks_tools = True
            if function and function.rpartition(".")[2] not in DEFINITION_MEMBERS:
                self._makers.note(function, node.lineno)
            return
        makes_record = is_own_class and (makes_tool_record(node) or is_tool_record(called)) and "tool" in function.lower()
        makes_registry = is_own_class and is_registry(called, self._definitions.lines) and _NAMES_REGISTRY.search(function)
        if makes_record or makes_registry:
            self._functions_giving_records[function] = None

    def _makes_tool(self, node: ast.Call, called: str, function: str) -> bool:
        """Whether a call makes a tool from a function: inside a function, or, for the client of a server, anywhere.

        Other calls at the top level run when the file is imported, and mark their tools then. In mcp.tool(f) and AutoGen's
        register_function(f), f must be a function at the top level.
        """
        if called in CLIENT_MAKES_TOOL:
            return True
        if not function:
            return False
        if makes_tool(node, called):
            return True
        is_autogen = called == "register_function" and any(module.partition(".")[0] in ("autogen", "ag2") for module in self._uses.imports)
        marks = (is_autogen or called in MARKING_DECORATORS) and bool(node.args)
        return marks and getattr(node.args[0], "id", "") in self._definitions.needed

    def _note_wrapped(self, node: ast.Call, function: str) -> None:
        """Notes the function from which a call makes a tool. The tools of a test are not tools of the file."""
        if function.startswith("test_"):
            return
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        given = [*node.args[:1], *(named[key] for key in ("func", "fn", "function", "coroutine", "callable") if key in named)]
        name, description = (constant_text(named.get(key)) for key in ("name", "description"))
        for value in given:
            if isinstance(value, ast.Name):
                self._wrapped.setdefault(value.id, (name, description))
        if given or "on_invoke_tool" in named:
            self._makers.note(function, node.lineno)

    def _is_web_ui(self, is_alone: bool) -> bool:
        kind = next((kind for kind in self._classes if kind.name == "Tools"), None)
        return kind is not None and (self._names_web_ui() or is_web_ui_class(kind, is_alone))

    def _names_web_ui(self) -> bool:
        imports_it = any(module.partition(".")[0] == "open_webui" for module in self._uses.imports)
        return imports_it or _FRONT_MATTER.search(ast.get_docstring(self._tree) or "") is not None
