"""Reads a file before it runs: the framework that it was written for, and the tools that its source declares."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from .browser_limits import Obstacle
from .frameworks import LIBRARIES, Framework, framework_of
from .source_nodes import (
    GUARD,
    LISTS,
    REGISTRY,
    RUNNERS,
    adds_to_server,
    building_methods,
    decorator_name,
    describes_function,
    describes_tool,
    is_own,
    is_tool_dict,
    is_tool_list,
    listed_methods,
    makes_record,
    may_be_tool,
    needed_parameters,
    own_attributes,
    registered_methods,
    targets,
    walk,
)
from .source_uses import Uses
from .web_ui import is_marked

_NODES = 400_000
# Classes are compared instead of calling isinstance, which takes most of the time in the browser.
_VISITED = frozenset(
    (
        *(ast.Name, ast.Import, ast.ImportFrom, ast.Call, ast.List, ast.Assign, ast.AnnAssign, ast.FunctionDef),
        *(ast.AsyncFunctionDef, ast.ClassDef, ast.Attribute, ast.Subscript, ast.Return),
    )
)
_MARKS = ("tool", "tool_plain", "function_tool", "kernel_function", "register_tool")
_REGISTERS = ("register_for_llm", *_MARKS)  # decorators that can also be called with a function
_MAKERS = ("FunctionTool", "StructuredTool", "Tool", "function_tool", "create_tool_from_function")
_CLIENT_MAKERS = ("create_from_function", "upsert_from_function")
_SHOWN = frozenset(("Interface", "api", "click", "submit", "change", "load", "select", "input", "then", "success", "upload"))
_GIVES_TOOLS = re.compile(r"(^|\.)_?(get|as|to|make|build|create|load)_(\w+_)?tools$")
_REGISTER = ("register", "add_", "setup", "attach")
_FRONT_MATTER = re.compile(r"^title:", re.MULTILINE)


class Reading(NamedTuple):
    """The facts that the source of a file shows without running it."""

    frameworks: tuple[Framework, ...]  # in the order of their imports
    imports: dict[str, int]  # modules and their lines, those in functions included
    guarded: frozenset[int]  # lines of imports whose failure the file handles
    late: bool  # whether a function imports a module of a framework when it is called
    defined: dict[str, int]  # functions and classes at the top level, with their lines
    exported: tuple[str, ...]  # names in __all__
    listed: tuple[str, ...]  # functions that tools=[…] or TOOLS names, wherever it stands
    builder: str  # the first function or method that defines tools inside it; empty if there is none
    is_script: bool  # whether it reads command-line arguments
    is_web_ui: bool  # whether its class Tools is one of Open WebUI
    has_schemas: bool  # whether it seems to describe tools as data
    described: tuple[object, ...]  # lists inside functions that describe tools as data
    giving: tuple[str, ...]  # functions that return such a list, with the functions of the tools
    relative: dict[str, int]  # modules that it imports with leading dots, with their lines
    registered: dict[str, tuple[str, ...]]  # methods that the constructor of a class lists, by class
    functions: tuple[str, ...]  # public top-level functions with annotations or a docstring, which could be tools
    asks_at: int  # the line at the top level that waits for input; 0 if there is none
    interrupts: dict[str, bool]  # what interrupt_on says: tools that wait for the user (True), variables with such a dict (False)
    names_web_ui: bool  # whether it imports Open WebUI, or begins with its front matter
    obstacles: tuple[Obstacle, ...]  # calls that fail in a browser
    reads: dict[str, set[str]]  # the names that each outermost function or method reads
    variables: dict[str, str]  # environment variables that it reads anywhere, with their defaults
    methods: dict[str, str]  # methods of top-level classes, with their classes
    wrapped: dict[str, tuple[str, str]]  # functions of which a function makes tools, with names and descriptions; may be empty
    needed: dict[str, tuple[str, ...]]  # parameters without a default of top-level functions
    described_in: str  # the function that returns descriptions of tools as data; empty if there is none
    marks_tools: bool  # whether a function has a decorator such as @mcp.tool(), wherever mcp comes from
    registering: dict[str, str]  # functions that add tools to a server, by name, with the parameter for the server
    bound: dict[str, str]  # names that imports bind, with what they stand for: Popen → subprocess.Popen
    coroutines: frozenset[str]  # asynchronous functions at the top level
    has_registry: bool  # whether it defines a class such as ToolRegistry
    builders: dict[str, bool]  # top-level functions that make tools inside them, and whether they define a list_tools; also GUARD
    made_at: tuple[int, ...]  # the lines of functions that make tools
    server_classes: dict[str, dict[str, bool]]  # top-level classes with methods that do, and these methods
    passed: dict[str, tuple[str, ast.Call]]  # calls of functions and classes with values, and the functions that make them
    class_lists: dict[str, tuple[str, ...]]  # methods that a top-level class lists as tools: tools=[self.search]
    class_served: dict[str, tuple[str, ...]]  # methods that it adds to a server: self.mcp.tool()(self.search)

    @property
    def is_recognised(self) -> bool:
        """Whether the file can be expected to have tools, or parts of them."""
        libraries = any(name.partition(".")[0] in LIBRARIES for name in self.imports)
        return bool(self.frameworks or self.is_web_ui or self.listed or self.exported or self.has_schemas or self.giving or self.marks_tools or self.registering or self.wrapped or self.has_registry or libraries)

    @property
    def framework(self) -> Framework | None:
        """The framework that the file was written for; a framework of API clients only if there is no other."""
        clients = ("openai", "anthropic", "google-genai", "ollama", "tau-bench")
        chosen = [one for one in self.frameworks if one.id not in clients]
        return (chosen or list(self.frameworks) or [None])[0]


def read_source(text: str) -> Reading | None:
    """Reads a file's source; returns None if it cannot be parsed, or is too large."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _Reader(tree, text).read()


class _Reader:
    def __init__(self, tree: ast.Module, text: str) -> None:
        self._tree = tree
        self._serves_gradio = "gradio" in text and re.search(r"\bmcp_server\s*=\s*True", text) is not None
        self._text = text
        self._uses = Uses()
        self._listed: dict[str, None] = {}
        self._served: list[tuple[str, int]] = []  # methods that a server gets, with their lines
        self._own_listed: list[tuple[str, int, str]] = []  # methods in lists of tools, with lines, and attributes that must be handed on
        self._defined: dict[str, int] = {}
        self._handed: set[str] = set()  # attributes that something gets as its tools: Agent(tools=self.chosen_tools)
        self._builder = ""
        self._builders: dict[str, bool] = {}
        self._built_at: dict[int, bool] = {}  # lines inside functions that make tools, and whether that is a list_tools
        self._functions: list[str] = []
        self._decorated: set[str] = set()
        self._described: list[object] = []
        self._giving: list[str] = []
        self._methods: dict[str, str] = {}
        self._needed: dict[str, tuple[str, ...]] = {}
        self._described_in = ""
        self._marks_tools = False
        self._describes = False  # whether a class describes a tool, or a dict lists some
        self._wrapped: dict[str, tuple[str, str]] = {}
        self._interrupts: dict[str, bool] = {}
        self._registering: dict[str, str] = {}
        self._parameters: dict[str, set[str]] = {}  # of top-level functions

    def read(self) -> Reading | None:
        """Visits every node once. Returns None for a file with too many nodes."""
        uses = self._uses
        defined, exported = self._top_level()
        left = _NODES
        for node, function, guarded in walk(self._tree):
            left -= 1
            if left < 0:
                return None
            if type(node) in _VISITED:
                self._visit(node, function, guarded)
        found = dict.fromkeys(one for name in uses.imports if (one := framework_of(name)) is not None)
        builders = {name: lists for name, lists in self._builders.items() if name in self._parameters or name == GUARD}
        server_classes = building_methods(self._tree, self._built_at)
        return Reading(
            frameworks=tuple(found),
            imports=uses.imports,
            guarded=frozenset(uses.guarded),
            late=uses.late,
            defined=defined,
            exported=exported,
            listed=tuple(name for name in self._listed if name in defined),
            builder=self._builder,
            is_script=uses.reads_arguments,
            is_web_ui=self._is_web_ui(alone=not found),
            has_schemas=self._describes
            or any(f"{mark}{key}{mark}" in self._text for mark in "\"'" for key in ("input_schema", "inputSchema", "parameters")),
            described=tuple(self._described),
            giving=tuple(self._giving),
            relative=uses.relative,
            registered={one.name: registered_methods(one) for one in self._tree.body if isinstance(one, ast.ClassDef)},
            # In the file of a framework, the decorator says what the function is.
            functions=tuple(name for name in self._functions if not (found and name in self._decorated)),
            asks_at=uses.asks_at,
            interrupts=self._interrupts,
            names_web_ui=self._names_web_ui(),
            obstacles=tuple(uses.obstacles(defined, {*self._registering, *self._builders})),
            reads=uses.reads,
            variables=dict(uses.variables()),
            methods=self._methods,
            wrapped={name: said for name, said in self._wrapped.items() if name in defined},
            needed=self._needed,
            described_in=self._described_in,
            marks_tools=self._marks_tools,
            registering=self._registering,
            bound=uses.bound,
            coroutines=frozenset(one.name for one in self._tree.body if isinstance(one, ast.AsyncFunctionDef)),
            has_registry=any(isinstance(one, ast.ClassDef) and REGISTRY.search(one.name) for one in self._tree.body),
            builders=builders,
            made_at=tuple(self._built_at),
            server_classes=server_classes,
            passed=uses.passing(defined if builders or server_classes or self._registering else ()),
            class_lists=listed_methods(self._tree, [(name, line) for name, line, held_by in self._own_listed if not held_by or held_by in self._handed]),
            class_served=listed_methods(self._tree, self._served),
        )

    def _top_level(self) -> tuple[dict[str, int], tuple[str, ...]]:
        """Notes what the file defines at its top level. Returns the lines of functions and classes, and the names in
        __all__."""
        defined = self._defined
        exported: tuple[str, ...] = ()
        for node in self._tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                defined[node.name] = node.lineno
                if not isinstance(node, ast.ClassDef):
                    self._needed[node.name] = needed_parameters(node)
                    self._parameters[node.name] = {one.arg for one in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]}
                else:
                    self._describes = self._describes or describes_tool(node) or any(isinstance(one, ast.ClassDef) and one.name == "Tools" for one in node.body)
                    self._methods.update((one.name, node.name) for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)))
                if not isinstance(node, ast.ClassDef) and may_be_tool(node):
                    self._functions.append(node.name)
                    if node.decorator_list:
                        self._decorated.add(node.name)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                names = targets(node)
                self._describes = self._describes or (isinstance(node.value, ast.Dict) and any(map(is_tool_dict, names)))
                if isinstance(node.value, ast.List) and any(isinstance(one, ast.Dict) for one in node.value.elts):
                    self._describes = self._describes or any(is_tool_list(name) or is_tool_dict(name) for name in names)
                if "__all__" in names and isinstance(node.value, (ast.List, ast.Tuple)):
                    exported = tuple(one.value for one in node.value.elts if isinstance(one, ast.Constant) and isinstance(one.value, str))
        return defined, exported

    def _visit(self, node: ast.AST, function: str, guarded: bool) -> None:
        """Notes what one node shows. `function`: the function that it is in; empty at the top level."""
        uses = self._uses
        if type(node) is ast.Name:
            if function:
                uses.take_name(node.id, function)
        elif type(node) is ast.Import:
            uses.take_import(node, function, guarded)
        elif type(node) is ast.ImportFrom:
            uses.take_import_from(node, function, guarded)
        elif type(node) is ast.Call:
            self._take_call(node, function)
        elif type(node) is ast.Return and node.value is not None and _GIVES_TOOLS.search(function):
            self._handed.update(own_attributes(node.value))
            for one in ast.walk(node.value):
                if isinstance(one, ast.List):
                    self._take_listed(one)
        elif type(node) is ast.List and function and len(self._described) < 20:
            self._take_described(node, function)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            names = [name for name in targets(node, attributes=True) if is_tool_list(name)]
            if names:
                known = targets(node) or any(name.lower().strip("_") in LISTS for name in names)
                self._take_listed(node.value, "" if known else names[0])
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._marks_tools = self._marks_tools or any(decorator_name(one) in _MARKS or describes_function(one) for one in node.decorator_list)
            if not function and "fastapi_mcp" in self._uses.imports:
                self._take_route(node)
            if function and any(_makes_tool(one) for one in node.decorator_list):
                self._take_builder(function, node.lineno, any(decorator_name(one) == "list_tools" for one in node.decorator_list))
        elif type(node) is ast.ClassDef:
            self._marks_tools = self._marks_tools or any(decorator_name(one) in _MARKS for one in node.decorator_list)
            if function and not self._builder and any(decorator_name(one).endswith("Tool") for one in node.bases):
                self._builder = function
        elif type(node) is ast.Attribute:
            uses.take_attribute(node, function)
            if node.attr == "tool":
                self._take_server(node.value, function)
        elif type(node) is ast.Subscript:
            uses.take_subscript(node)

    def _take_call(self, node: ast.Call, function: str) -> None:
        """Notes the tools that a call gets, makes or adds to a server."""
        for one in node.keywords:
            if one.arg in LISTS:
                self._take_listed(one.value)
                self._handed.update(own_attributes(one.value))
            elif one.arg == "interrupt_on":
                self._take_interrupts(one.value)
        self._uses.take_call(node, function)
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called == "add_tool":
            self._take_server(getattr(node.func, "value", None), function)
        elif "tool" in called and called.startswith(_REGISTER) and node.args:
            self._take_server(node.args[0], function)  # a helper that gets the server: register_tool(mcp, function)
        if function and called == "add_tool" and adds_to_server(node):
            self._take_builder(function, node.lineno)
        makes = decorator_name(node.func) if type(node.func) is ast.Call else called
        if function and makes == "list_tools" != called:  # server.list_tools()(self.list_tools)
            self._take_builder(function, node.lineno, True)
        elif function and makes in _REGISTERS and (makes != called or any(map(is_own, node.args))):
            # server.tool(…)(function), or server.tool(self.method)
            self._marks_tools = True
            self._take_builder(function, node.lineno)
            self._served += [(one.attr, node.lineno) for one in node.args if isinstance(one, ast.Attribute)]
        if makes_record(node) and called not in self._defined:
            self._marks_tools = True
            if function:
                self._take_builder(function, node.lineno)
        if called in _CLIENT_MAKERS or (function and (called in _MAKERS or (isinstance(node.func, ast.Attribute) and called in ("from_function", "from_defaults")))):
            self._take_made(node, function)
        elif function and self._marks_known(node, called):
            self._take_made(node, function)
        if called in ("bind_tools", "ToolNode", "create_react_agent", "with_tools") and node.args:
            for one in node.args:
                self._take_listed(one)
                self._handed.update(own_attributes(one))
        if self._serves_gradio:
            self._take_shown(node, called)

    def _marks_known(self, node: ast.Call, called: str) -> bool:
        """Whether this makes a tool of a function at the top level: tool(search), mcp.tool(search), or AutoGen's
        register_function(search)."""
        registers = called == "register_function" and any(name.partition(".")[0] in ("autogen", "ag2") for name in self._uses.imports)
        return (registers or called in _MARKS) and bool(node.args) and getattr(node.args[0], "id", "") in self._parameters

    def _take_shown(self, node: ast.Call, called: str) -> None:
        """A function that Gradio serves as a tool: gr.Interface(fn), button.click(fn, …), gr.api(fn)."""
        named = {one.arg: one.value for one in node.keywords}
        hidden = any(isinstance(one := named.get(key), ast.Constant) and one.value is False for key in ("show_api", "api_name"))
        given = named.get("fn", node.args[0] if node.args else None)
        if called in _SHOWN and isinstance(given, ast.Name) and not hidden:
            self._listed[given.id] = None

    def _take_route(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """A route of FastAPI that FastAPI-MCP serves as a tool, named after its operation."""
        for one in node.decorator_list:
            if isinstance(one, ast.Call) and decorator_name(one) in ("get", "post", "put", "delete", "patch"):
                named = {each.arg: each.value.value for each in one.keywords if isinstance(each.value, ast.Constant)}
                name, text = (named.get(key) for key in ("operation_id", "description"))
                self._wrapped.setdefault(node.name, (str(name or ""), str(text or "")))

    def _take_server(self, node: ast.expr | None, function: str) -> None:
        """Notes the parameter to which a function adds tools, such as mcp in register_tools(mcp)."""
        outer, server = function.partition(".")[0], getattr(node, "id", "")
        if server in self._parameters.get(outer, ()):
            self._registering.setdefault(outer, server)

    def _take_made(self, node: ast.Call, function: str) -> None:
        """A call inside a function that makes a tool of a function. The tools of a test are none of the file."""
        if function.startswith("test_"):
            return
        named = {one.arg: one.value for one in node.keywords}
        given = [*node.args[:1], *(named[key] for key in ("func", "fn", "function", "coroutine") if key in named)]
        said = [named.get(key) for key in ("name", "description")]
        name, text = (str(one.value) if isinstance(one, ast.Constant) and isinstance(one.value, str) else "" for one in said)
        for one in given:
            if isinstance(one, ast.Name):
                self._wrapped.setdefault(one.id, (name, text))
        if given or "on_invoke_tool" in named:
            self._take_builder(function, node.lineno)

    def _take_builder(self, function: str, line: int, lists: bool = False) -> None:
        self._built_at[line] = lists
        self._builder = self._builder or function
        outer = function.partition(".")[0]
        self._builders[outer] = lists or self._builders.get(outer, False)

    def _take_interrupts(self, value: ast.expr) -> None:
        if isinstance(value, ast.Name):
            self._interrupts.setdefault(value.id, False)
        for key, said in zip(value.keys, value.values) if isinstance(value, ast.Dict) else ():
            never = isinstance(said, ast.Constant) and said.value in (False, None)
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and not never:
                self._interrupts[key.value] = True

    def _take_described(self, node: ast.List, function: str) -> None:
        keys = {key.value for one in node.elts if isinstance(one, ast.Dict) for key in one.keys if isinstance(key, ast.Constant)}
        if keys & {"function", "parameters", "input_schema"} or ("name" in keys and not keys.isdisjoint(RUNNERS)):
            self._described_in = self._described_in or function
            try:
                self._described.append(ast.literal_eval(node))
            except (ValueError, TypeError, RecursionError):  # not only plain values
                if self._needed.get(function) == () and "tool" in function.lower() and not keys.isdisjoint(RUNNERS):
                    self._giving.append(function)

    def _take_listed(self, value: ast.expr, attribute: str = "") -> None:
        """`attribute`: the attribute that holds the list, if its name alone does not say that these are tools."""
        if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
            for one in value.elts:
                if isinstance(one, ast.Name) and not attribute:
                    self._listed[one.id] = None
                elif is_own(one):
                    self._own_listed.append((one.attr, one.lineno, attribute))

    def _is_web_ui(self, alone: bool) -> bool:
        kind = next((one for one in self._tree.body if isinstance(one, ast.ClassDef) and one.name == "Tools"), None)
        return kind is not None and (self._names_web_ui() or is_marked(kind, alone))

    def _names_web_ui(self) -> bool:
        return any(name.partition(".")[0] == "open_webui" for name in self._uses.imports) or _FRONT_MATTER.search(ast.get_docstring(self._tree) or "") is not None


def _makes_tool(decorator: ast.expr) -> bool:
    """Whether the decorator of an inner function seems to make a tool of it."""
    name = decorator_name(decorator)
    return name in _REGISTERS or ("tool" in ast.unparse(decorator)[:200].lower() and name != "wraps")
