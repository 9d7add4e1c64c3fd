"""Reads the source of a file before it runs: the framework that it was written for, and the tools that it declares.

The text goes in, a `Reading` comes out; no code of the file runs. Used before each import of a file without TOOL_SPECS.
"""

from __future__ import annotations

import ast
import re

from .definitions import Definitions
from .frameworks import framework_of
from .inner_functions import InnerFunctions
from .reading import Reading
from .source_uses import SourceUses
from .syntax import (
    FUNCTIONS,
    GUARD,
    Function,
    assigned_names,
    constant_text,
    decorator_name,
    is_attribute_of,
    list_methods,
)
from .syntax_walk import walk_functions
from .tool_syntax import (
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
    find_building_methods,
    find_gradio_function,
    find_listed_methods,
    find_own_attributes,
    find_registered_methods,
    gives_tools,
    is_registry,
    is_tool_dict,
    is_tool_list,
    is_tool_record,
    is_web_ui_class,
    list_dict_functions,
    list_route_names,
    makes_tool_record,
    marks_tool,
    registers_tool,
    seems_to_make_tool,
    wraps_method,
)

_NODES = 400_000
_DESCRIBED = 20  # lists that describe tools inside functions
_NAMES_REGISTRY = re.compile(r"tool|registry", re.IGNORECASE)  # functions that make a registry, such as default_registry()
# A file that registers functions, but has none of these words, registers them for something other than a model.
_NAMES_MODEL = re.compile(r"tool|agent|llm|assistant|openai|anthropic|claude|gemini|pipecat", re.IGNORECASE)
# Classes are compared instead of calling isinstance, which takes most of the time in the browser.
_VISITED = {
    *(ast.Name, ast.Import, ast.ImportFrom, ast.Call, ast.List, ast.Assign, ast.AnnAssign, ast.FunctionDef),
    *(ast.AsyncFunctionDef, ast.ClassDef, ast.Attribute, ast.Subscript, ast.Return),
}
# Classes and functions that make a tool from a function, and methods that do so for the client of a server.
_MAKERS = ("FunctionTool", "StructuredTool", "Tool", "function_tool", "create_tool_from_function")
_MAKING_METHODS = ("from_function", "from_defaults")
_CLIENT_MAKERS = ("create_from_function", "upsert_from_function")
_DECLARING_METHODS = ("from_func", "from_callable")  # of FunctionDeclaration
_TOOL_ARGUMENTS = (*TOOL_LISTS, "standard_tools")
# Calls whose arguments are tools or lists of tools.
_TAKES_TOOLS = ("bind_tools", "ToolNode", "create_react_agent", "create_agent", "with_tools", "FunctionToolset")
# Calls that add tools to a server, if "tool" is in their names.
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
    """Visits the nodes of one file, and notes what each shows. `_make_reading` turns the notes into a `Reading`."""

    def __init__(self, tree: ast.Module, text: str) -> None:
        self._tree, self._text = tree, text
        self._serves_gradio = "gradio" in text and re.search(r"\bmcp_server\s*=\s*True", text) is not None
        self._uses = SourceUses()
        self._definitions = Definitions(tree)
        # Tools that the file marks or lists
        self._marks_tools = False
        self._registers = False
        self._listed: dict[str, None] = {}
        self._wrapped: dict[str, tuple[str, str]] = {}
        self._named_inside: dict[str, str] = {}
        self._served: list[tuple[str, int]] = []  # methods that a server gets, with their lines
        # Methods in lists of tools, with their lines. The attribute that holds such a list must be passed on, unless it is empty.
        self._listed_methods: list[tuple[str, int, str]] = []
        self._passed_attributes: set[str] = set()  # passed as tools: Agent(tools=self.chosen_tools)
        self._interrupts: dict[str, bool] = {}
        # Tools that the file describes as data
        self._described: list[object] = []
        self._described_in = ""
        self._giving: list[str] = []
        self._giving_records: dict[str, None] = {}
        # Tools that functions make
        self._builder = ""
        self._builders: dict[str, bool] = {}
        self._built_at: dict[int, bool] = {}  # lines inside functions that make tools, and whether that is a list_tools
        self._registering: dict[str, str] = {}
        self._inner = InnerFunctions()

    def read(self) -> Reading | None:
        """Visits every node once. Returns None for a file with too many nodes."""
        left = _NODES
        for node, function, guarded in walk_functions(self._tree):
            left -= 1
            if left < 0:
                return None
            if type(node) in _VISITED:
                self._visit(node, function, guarded)
        return self._make_reading()

    def _make_reading(self) -> Reading:
        uses, definitions, classes = self._uses, self._definitions, [node for node in self._tree.body if isinstance(node, ast.ClassDef)]
        frameworks = dict.fromkeys(found for module in uses.imports if (found := framework_of(module)) is not None)
        builders = {name: lists for name, lists in self._builders.items() if name in definitions.needed or name == GUARD}
        defined = definitions.lines
        server_classes = find_building_methods(self._tree, self._built_at)
        listed_methods = [(name, line) for name, line, held_by in self._listed_methods if not held_by or held_by in self._passed_attributes]
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
            listed=tuple(name for name in self._listed if name in defined),
            wrapped={name: wrapper for name, wrapper in self._wrapped.items() if name in defined},
            named_inside=self._named_inside,
            listed_imports=tuple(uses.bound[name] for name in definitions.in_tool_lists if name in uses.bound),
            registered={kind.name: find_registered_methods(kind) for kind in classes},
            class_lists=find_listed_methods(self._tree, listed_methods),
            class_served=find_listed_methods(self._tree, self._served),
            has_registry=any(REGISTRY.search(kind.name) for kind in classes),
            is_web_ui=self._is_web_ui(is_alone=not frameworks),
            names_web_ui=self._names_web_ui(),
            has_schemas=definitions.describe_tools or any(f"{mark}{key}{mark}" in self._text for mark in "\"'" for key in SCHEMA_KEYS),
            described=tuple(self._described),
            described_in=self._described_in,
            giving=tuple(self._giving),
            giving_records=tuple(name for name in self._giving_records if name in definitions.needed),
            registers=self._registers and _NAMES_MODEL.search(self._text) is not None,
            builder=self._builder,
            builders=builders,
            made_at=tuple(self._built_at),
            server_classes=server_classes,
            registering=self._registering,
            passed=uses.find_calls_with_values(defined if builders or server_classes or self._registering else ()),
            is_script=uses.reads_arguments,
            asks_at=uses.asks_at,
            variables=dict(uses.find_variables()),
            obstacles=tuple(uses.find_obstacles(defined, {*self._registering, *self._builders})),
            reads=uses.find_reads(self._tree),
            interrupts=self._interrupts,
        )

    def _visit(self, node: ast.AST, function: str, guarded: bool) -> None:
        """Notes what one node shows. `function`: the function that it is in; empty at the top level."""
        if type(node) is ast.Name:
            if function:
                self._uses.add_name(node.id, function)
        elif type(node) is ast.Import:
            self._uses.add_import(node, function, guarded)
        elif type(node) is ast.ImportFrom:
            self._uses.add_import_from(node, function, guarded)
        elif type(node) is ast.Call:
            self._visit_call(node, function)
        elif type(node) is ast.Return:
            self._visit_return(node, function)
        elif type(node) is ast.List:
            self._visit_list(node, function)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            self._visit_assignment(node, function)
        elif isinstance(node, FUNCTIONS):
            self._visit_function(node, function)
        elif type(node) is ast.ClassDef:
            self._visit_class(node, function)
        elif type(node) is ast.Attribute:
            self._uses.add_attribute(node, function)
            if node.attr in ("tool", "tool_plain"):
                self._note_server(node.value, function)
        elif type(node) is ast.Subscript:
            self._uses.add_subscript(node, function)

    def _visit_return(self, node: ast.Return, function: str) -> None:
        """Notes the tools that a function such as get_tools() returns."""
        if node.value is None or not gives_tools(function):
            return
        self._passed_attributes.update(find_own_attributes(node.value))
        if self._inner.lists(node.value, function):
            self._note_builder(function, node.lineno)
        for inner in ast.walk(node.value):
            if isinstance(inner, ast.List):
                self._note_listed(inner)

    def _visit_list(self, node: ast.List, function: str) -> None:
        """Notes a list inside a function that describes tools as data."""
        if not function or len(self._described) >= _DESCRIBED:
            return
        describes, needs_call = describes_tools(node)
        if not describes:
            return
        self._described_in = self._described_in or function
        try:
            self._described.append(ast.literal_eval(node))
        except (ValueError, TypeError, RecursionError):  # the list has more than plain values
            if not needs_call or "tool" not in function.lower():
                return
            if function not in self._definitions.needed:  # it is a method
                kinds = [kind for kind in self._tree.body if isinstance(kind, ast.ClassDef)]
                owners = [kind.name for kind in kinds if any(method.name == function for method in list_methods(kind))]
                self._giving.extend(f"{owner}.{function}" for owner in owners)
            elif self._definitions.needed[function] == ():
                self._giving.append(function)

    def _visit_assignment(self, node: ast.Assign | ast.AnnAssign, function: str) -> None:
        if function and isinstance(node.value, ast.Dict):
            are_tools = any(map(is_tool_dict, assigned_names(node))) or function.strip("_") in DISPATCHERS
            for name, wrapper in list_dict_functions(node.value):
                self._named_inside.setdefault(wrapper[0], name)
                if are_tools:
                    self._wrapped.setdefault(name, wrapper)
        names = [name for name in assigned_names(node, attributes=True) if is_tool_list(name)]
        if node.value is not None and names:
            is_certain = assigned_names(node) or any(name.lower().strip("_") in TOOL_LISTS for name in names)
            self._note_listed(node.value, "" if is_certain else names[0])
            if self._inner.lists(node.value, function):
                for name in assigned_names(node):
                    self._inner.add(name, function)

    def _visit_function(self, node: Function, function: str) -> None:
        self._inner.add(node.name, function)
        self._marks_tools = self._marks_tools or any(map(marks_tool, node.decorator_list))
        self._registers = self._registers or (not function and node.name in OWN_DECORATORS) or any(map(registers_tool, node.decorator_list))
        if not function and "fastapi_mcp" in self._uses.imports:
            for route_name in list_route_names(node):
                self._wrapped.setdefault(node.name, route_name)
        if function and any(seems_to_make_tool(decorator) for decorator in node.decorator_list):
            self._note_builder(function, node.lineno, lists=any(decorator_name(decorator) == "list_tools" for decorator in node.decorator_list))

    def _visit_class(self, node: ast.ClassDef, function: str) -> None:
        self._marks_tools = self._marks_tools or any(decorator_name(decorator) in MARKING_DECORATORS for decorator in node.decorator_list)
        self._registers = self._registers or any(decorator_name(one) in MARKING_DECORATORS or registers_tool(one) for one in node.decorator_list)
        if function and not self._builder and any(decorator_name(base).endswith("Tool") for base in node.bases):
            self._builder = function

    def _visit_call(self, node: ast.Call, function: str) -> None:
        """Notes the tools that a call gets, makes or adds to a server."""
        self._uses.add_call(node, function)
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        # A call without arguments registers nothing, and `register` is the function of an extension.
        registers = registers_tool(node) and bool(node.args or node.keywords) and function != "register"
        self._registers = self._registers or registers or wraps_method(node)
        self._note_tool_arguments(node, called, function)
        self._note_server_call(node, called, function)
        self._note_registration(node, called, function)
        if makes_tool_record(node) and called not in self._definitions.lines:
            self._marks_tools = True
            if function and function.rpartition(".")[2] not in DEFINITION_MEMBERS:
                self._note_builder(function, node.lineno)
        elif "tool" in function.lower() and (makes_tool_record(node) or (called in self._definitions.lines and is_tool_record(called))):
            self._giving_records[function] = None
        elif called in self._definitions.lines and is_registry(called, self._definitions.lines) and _NAMES_REGISTRY.search(function):
            self._giving_records[function] = None
        if self._makes_tool(node, called, function):
            self._note_wrapped(node, function)
        if self._serves_gradio and (shown := find_gradio_function(node, called)):
            self._listed[shown] = None

    def _note_tool_arguments(self, node: ast.Call, called: str, function: str) -> None:
        """Notes the tools that a call gets as arguments, such as Agent(tools=[…]) or bind_tools([…])."""
        given = [keyword.value for keyword in node.keywords if keyword.arg in _TOOL_ARGUMENTS]
        given += node.args if called in _TAKES_TOOLS else []
        for value in given:
            self._note_listed(value)
            self._passed_attributes.update(find_own_attributes(value))
            if self._inner.lists(value, function):
                self._note_builder(function, node.lineno)
        if called == "append":
            self._inner.add_appended(node, function)
        for keyword in node.keywords:
            if keyword.arg == "interrupt_on":
                self._note_interrupts(keyword.value)

    def _note_server_call(self, node: ast.Call, called: str, function: str) -> None:
        """Notes a call that adds a tool to a server: mcp.add_tool(f), or register_tool(mcp, f) of a helper."""
        if called == "add_tool":
            self._note_server(getattr(node.func, "value", None), function)
            if function and adds_to_server(node):
                self._note_builder(function, node.lineno)
        elif "tool" in called and called.startswith(_ADDS_TOOLS) and node.args:
            self._note_server(node.args[0], function)

    def _note_registration(self, node: ast.Call, called: str, function: str) -> None:
        """Notes a decorator that is called with a function: server.tool(…)(f), server.tool(self.f), server.list_tools()(f)."""
        name = decorator_name(node.func) if type(node.func) is ast.Call else called
        if function and name == "list_tools" and called != "list_tools":
            self._note_builder(function, node.lineno, lists=True)
        elif function and name in REGISTERING_DECORATORS and (name != called or any(is_attribute_of(argument, "self") for argument in node.args)):
            self._marks_tools = True
            self._note_builder(function, node.lineno)
            self._served += [(argument.attr, node.lineno) for argument in node.args if isinstance(argument, ast.Attribute)]

    def _makes_tool(self, node: ast.Call, called: str, function: str) -> bool:
        """Whether a call makes a tool from a function: FunctionTool(f), Tool.from_function(f), mcp.tool(f) for a function at
        the top level, or AutoGen's register_function(f)."""
        if called in _CLIENT_MAKERS:
            return True
        if not function:
            return False
        is_making_method = isinstance(node.func, ast.Attribute) and (
            called in _MAKING_METHODS or (called in _DECLARING_METHODS and decorator_name(node.func.value) == "FunctionDeclaration")
        )
        is_autogen = called == "register_function" and any(module.partition(".")[0] in ("autogen", "ag2") for module in self._uses.imports)
        marks = (is_autogen or called in MARKING_DECORATORS) and bool(node.args)
        return called in _MAKERS or is_making_method or (marks and getattr(node.args[0], "id", "") in self._definitions.needed)

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
            self._note_builder(function, node.lineno)

    def _note_server(self, node: ast.expr | None, function: str) -> None:
        """Notes the parameter to which a function adds tools, such as mcp in register_tools(mcp)."""
        outer, server = function.partition(".")[0], getattr(node, "id", "")
        if server in self._definitions.parameters.get(outer, ()):
            self._registering.setdefault(outer, server)

    def _note_builder(self, function: str, line: int, *, lists: bool = False) -> None:
        """Notes a function that makes a tool at a line. `lists`: it defines a list_tools."""
        self._built_at[line] = lists
        self._builder = self._builder or function
        outer = function.partition(".")[0]
        self._builders[outer] = lists or self._builders.get(outer, False)

    def _note_listed(self, value: ast.expr, attribute: str = "") -> None:
        """Notes the functions and methods in a list of tools. `attribute`: the attribute that holds the list, if its
        name alone does not say that these are tools."""
        if not isinstance(value, (ast.List, ast.Tuple, ast.Set)):
            return
        for item in value.elts:
            if isinstance(item, ast.Name) and not attribute:
                self._listed[item.id] = None
            elif is_attribute_of(item, "self"):
                self._listed_methods.append((item.attr, item.lineno, attribute))

    def _note_interrupts(self, value: ast.expr) -> None:
        """Notes the tools in interrupt_on={…} that wait for the user, or the variable with such a dict."""
        if isinstance(value, ast.Name):
            self._interrupts.setdefault(value.id, False)
        elif isinstance(value, ast.Dict):
            for key, item in zip(value.keys, value.values):
                is_never = isinstance(item, ast.Constant) and item.value in (False, None)
                if constant_text(key) and not is_never:
                    self._interrupts[constant_text(key)] = True

    def _is_web_ui(self, is_alone: bool) -> bool:
        kind = next((node for node in self._tree.body if isinstance(node, ast.ClassDef) and node.name == "Tools"), None)
        return kind is not None and (self._names_web_ui() or is_web_ui_class(kind, is_alone))

    def _names_web_ui(self) -> bool:
        imports_it = any(module.partition(".")[0] == "open_webui" for module in self._uses.imports)
        return imports_it or _FRONT_MATTER.search(ast.get_docstring(self._tree) or "") is not None
