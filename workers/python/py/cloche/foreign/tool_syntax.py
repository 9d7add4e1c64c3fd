"""Recognises in the syntax tree of a file the patterns by which files declare tools: names of lists and dicts,
decorators, calls that make a tool or add one to a server, classes that describe a tool.

Each function looks at one node. `source_reader` visits the nodes. `called`: the last name of what a call calls, such as add_tool
for self.mcp.add_tool(f).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from .syntax import (
    Function,
    assigned_names,
    constant_text,
    decorator_name,
    is_attribute_of,
    list_methods,
    list_needed_parameters,
    list_parameters,
)

# Names of variables, attributes and arguments for a list of tools.
TOOL_LISTS = ("tools", "functions", "tool_list", "toolset")
_TOOL_DICT = re.compile(r"(^|_)tools?(_|$)|^(available_functions|functions?_map)$")
# Names of classes whose objects hold tools by name.
REGISTRY = re.compile(r"tool.*(registry|manager|box|kit|collection|set)s?$|^(function|skill)registry$", re.IGNORECASE)
# Names of classes whose objects describe a tool: ToolDefinition(name="…", description="…", handler=f).
_RECORD = re.compile(r"^(Agent|Local|My)?(Tool|Function|FunctionTool)(Def(inition)?|Spec|Info|Entry|Record)?$")
# Methods and properties of a class that is a tool, which return its name, description and schema.
# The names of the first group say that the class is a tool.
TOOL_DEFINITION_MEMBERS = (
    *("tool_definition", "get_tool_definition", "tool_schema", "get_tool_schema", "tool_spec", "get_tool_spec"),
    *("to_openai_tool", "get_openai_tool", "to_openai_function", "function_schema", "get_function_schema"),
    *("openai_schema", "get_openai_schema", "to_openai_schema"),
)
DEFINITION_MEMBERS = (*TOOL_DEFINITION_MEMBERS, "definition", "get_definition", "spec", "get_spec", "get_info", "get_schema", "to_schema", "schema")
# Keys for the function of a tool, in a dict or a record that describes the tool.
RUNNER_KEYS = ("function", "func", "fn", "handler", "callable", "execute", "run", "call", "executor", "implementation")
# Keys for the schema of a tool, in a dict that describes the tool.
SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema")
# Names of functions that run a tool and take its name as their first argument.
DISPATCHERS = frozenset(
    ("process_tool_call", "handle_tool_call", "execute_tool", "execute_tool_call", "call_tool", "run_tool", "dispatch")
    + ("execute_function", "dispatch_tool", "dispatch_tool_call", "invoke_tool", "process_tool", "handle_tool")
)
# Names of functions that return tools.
_GIVES_TOOLS = re.compile(r"(^|\.)_?(get|as|to|make|build|create|load)_(\w+_)?(tools|tools?_(list|functions))$")
# Names of functions that run the application. They may build tools on the way, and do more.
_RUNS_APPLICATION = re.compile(r"^_*(a?main|a?run|test|demo|example|start|cli|chat)(_|$)")
# Decorators that mark tools, and those that can also be called with a function.
_NAMED_DECORATORS = ("agent_tool", "ai_tool", "llm_tool")  # wherever they are defined
MARKING_DECORATORS = ("tool", "tool_plain", "function_tool", "kernel_function", "sk_function", "register_tool", *_NAMED_DECORATORS)
REGISTERING_DECORATORS = ("register_for_llm", *MARKING_DECORATORS)
# Decorators that mark tools if the file defines them itself.
OWN_DECORATORS = ("tool", "function_tool", *_NAMED_DECORATORS)
# Decorators that mark tools if they are attributes of a missing object.
ATTRIBUTE_DECORATORS = ("tool", *_NAMED_DECORATORS)
# Decorators of missing files that mark tools if they describe the function: @registry.register(description="…").
DESCRIBING_DECORATORS = ("register", "skill")
_SERVERS = ("mcp", "fastmcp", "mcp_server", "server")
# What makes a tool from a function when it is called: classes and functions; methods; methods of a server's client.
_MAKES_TOOL = ("FunctionTool", "StructuredTool", "Tool", "function_tool", "create_tool_from_function")
_METHOD_MAKES_TOOL = ("from_function", "from_defaults")
CLIENT_MAKES_TOOL = ("create_from_function", "upsert_from_function")
_METHOD_MAKES_DECLARATION = ("from_func", "from_callable")  # of FunctionDeclaration
# Functions and methods that register a tool: register_tool(…), addTool(…); and tools.register(…).
_REGISTERS_TOOL = re.compile(r"^_?((register|add|create|define)_?tool|(register|add)_?function)$", re.IGNORECASE)
_REGISTERS_ANYTHING = ("register", "add")

# Gradio: classes, functions and events whose function is served. FastAPI: methods that define a route.
_GRADIO_SHOWS = frozenset(("Interface", "api", "click", "submit", "change", "load", "select", "input", "then", "success", "upload"))
_ROUTES = ("get", "post", "put", "delete", "patch")

# Open WebUI: its class Tools has no base class and no decorator.
_WEB_UI_CLASSES = ("Valves", "UserValves")
_WEB_UI_ATTRIBUTES = ("valves", "user_valves", "citation", "file_handler")
_WEB_UI_FIELDS = (":param", ":return")


def is_tool_list(name: str) -> bool:
    """Whether a variable of this name, such as search_tools, is a list of tools."""
    plain = name.lower().strip("_")
    return plain in TOOL_LISTS or plain.endswith(("_tools", "_functions"))


def is_tool_dict(name: str) -> bool:
    """Whether a variable of this name, such as TOOL_HANDLERS, maps names to tools if it is a dict."""
    return _TOOL_DICT.search(name.lower().strip("_")) is not None


def is_tool_record(name: str) -> bool:
    """Whether a class of this name, such as ToolDefinition, describes a tool."""
    return _RECORD.search(name) is not None


def is_registry(name: str, defined: Iterable[str]) -> bool:
    """Whether a class holds tools. A class named only Registry may, if `defined`, the names of its file, has records of tools."""
    return REGISTRY.search(name) is not None or (name.endswith("Registry") and any(map(is_tool_record, defined)))


def runs_application(name: str) -> bool:
    """Whether a function of this name, such as main, runs the application."""
    return _RUNS_APPLICATION.search(name) is not None


def gives_tools(name: str) -> bool:
    """Whether a function of this name, such as get_search_tools, returns tools."""
    return _GIVES_TOOLS.search(name) is not None


def may_be_tool(function: Function) -> bool:
    """Whether a top-level function could be a tool: it is public, and has annotations or a docstring."""
    parameters = list_parameters(function)
    typed = all(parameter.annotation is not None for parameter in parameters) and (bool(parameters) or function.returns is not None)
    return not function.name.startswith("_") and function.name != "main" and (typed or ast.get_docstring(function) is not None)


def marks_tool(decorator: ast.expr) -> bool:
    """Whether a decorator such as @mcp.tool() marks its function as a tool."""
    return decorator_name(decorator) in MARKING_DECORATORS or _describes_function(decorator)


def seems_to_make_tool(decorator: ast.expr) -> bool:
    """Whether the decorator of an inner function seems to make a tool from it."""
    name = decorator_name(decorator)
    return name in REGISTERING_DECORATORS or ("tool" in ast.unparse(decorator)[:200].lower() and name != "wraps")


def _describes_function(decorator: ast.expr) -> bool:
    """Whether a decorator such as @registry.register(description="…") or @skill(description="…") describes its function as a tool."""
    if not isinstance(decorator, ast.Call) or decorator_name(decorator) not in DESCRIBING_DECORATORS:
        return False
    keys = [keyword.arg for keyword in decorator.keywords]
    dicts = [argument for argument in decorator.args if isinstance(argument, ast.Dict)]
    keys += [key.value for argument in dicts for key in argument.keys if isinstance(key, ast.Constant)]
    return "description" in keys


def registers_tool(node: ast.expr) -> bool:
    """Whether a call or a decorator seems to register a tool: register_tool(…), addTool(…), @tools.register, or a
    FunctionSchema(…) of Pipecat."""
    called = decorator_name(node)
    if called in _REGISTERS_ANYTHING:
        root = node.func if isinstance(node, ast.Call) else node
        return isinstance(root, ast.Attribute) and "tool" in decorator_name(root.value).lower()
    if called.endswith("FunctionSchema"):
        return isinstance(node, ast.Call) and any(keyword.arg in ("handler", "properties") for keyword in node.keywords)
    return _REGISTERS_TOOL.search(called) is not None


def describes_tool(kind: ast.ClassDef) -> bool:
    """Whether a class gives itself a name and a description, as tools of many frameworks do."""
    members = {method.name for method in list_methods(kind)}
    members.update(name for statement in kind.body if isinstance(statement, (ast.Assign, ast.AnnAssign)) for name in assigned_names(statement))
    is_based_on_tool = any(decorator_name(base).endswith("Tool") for base in kind.bases)
    if {"name", "description"} <= members or members & {"tool_name", "Tool_Name", *TOOL_DEFINITION_MEMBERS}:
        return True
    return (is_based_on_tool and not members.isdisjoint(("name", "__init__", *DEFINITION_MEMBERS))) or (kind.name.endswith("Tool") and {"name", "schema"} <= members)


def makes_tool(call: ast.Call, called: str) -> bool:
    """Whether a call makes a tool from a function, wherever it is: FunctionTool(f), Tool.from_function(f)."""
    if called in _MAKES_TOOL or not isinstance(call.func, ast.Attribute):
        return called in _MAKES_TOOL
    makes_declaration = called in _METHOD_MAKES_DECLARATION and decorator_name(call.func.value) == "FunctionDeclaration"
    return called in _METHOD_MAKES_TOOL or makes_declaration


def makes_tool_record(call: ast.Call) -> bool:
    """Whether a call makes a record such as Tool(name="…", description="…", handler=f), which describes f as a tool."""
    keys = {keyword.arg for keyword in call.keywords}
    return {"name", "description"} <= keys and not keys.isdisjoint(RUNNER_KEYS) and "tool" in decorator_name(call).lower()


def wraps_method(node: ast.expr) -> bool:
    """Whether a call makes a tool from nothing but a method: Tool(self.find)."""
    if not isinstance(node, ast.Call) or node.keywords or len(node.args) != 1:
        return False
    return decorator_name(node).endswith("Tool") and is_attribute_of(node.args[0], "self")


def adds_to_server(call: ast.Call) -> bool:
    """Whether a call of add_tool() is one of a server: mcp.add_tool(f), self.mcp.add_tool(f) or self.app.add_tool(self.f)."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    if isinstance(owner, ast.Name):
        return owner.id != "self"
    if not isinstance(owner, ast.Attribute):
        return False
    adds_function = any(isinstance(argument, ast.Name) for argument in call.args)
    return (owner.attr.strip("_") in _SERVERS and adds_function) or any(is_attribute_of(argument, "self") for argument in call.args)


def find_gradio_function(call: ast.Call, called: str) -> str:
    """The function that Gradio serves as a tool: gr.Interface(fn), button.click(fn, …), gr.api(fn); empty for other calls."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    is_hidden = any(isinstance(flag := named.get(key), ast.Constant) and flag.value is False for key in ("show_api", "api_name"))
    function = named.get("fn", call.args[0] if call.args else None)
    return function.id if called in _GRADIO_SHOWS and isinstance(function, ast.Name) and not is_hidden else ""


def list_route_names(function: Function) -> list[tuple[str, str]]:
    """The name and the description of each route of FastAPI that a function is; FastAPI-MCP serves routes as tools."""
    found = []
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and decorator_name(decorator) in _ROUTES:
            named = {keyword.arg: constant_text(keyword.value) for keyword in decorator.keywords}
            found.append((named.get("operation_id", ""), named.get("description", "")))
    return found


def list_dict_functions(value: ast.Dict) -> list[tuple[str, tuple[str, str]]]:
    """The functions in a dict from names, such as {"add": add_numbers}: each with its name as a tool, and no description."""
    items = [(item.id, (constant_text(key), "")) for key, item in zip(value.keys, value.values) if isinstance(item, ast.Name)]
    return [(function, given) for function, given in items if given[0]]


def list_dict_methods(value: ast.Dict) -> list[tuple[str, str]]:
    """The methods in a dict from names, such as {"add": self.add_numbers}: the names as tools, each with "self." and the method."""
    items = [(constant_text(key), f"self.{item.attr}") for key, item in zip(value.keys, value.values) if is_attribute_of(item, "self")]
    return [(name, method) for name, method in items if name]


def describes_tools(value: ast.List) -> tuple[bool, bool]:
    """Whether a list describes tools as data or as records of MCP, and whether it has what the Python code must add: their
    functions, or the records."""
    calls = [item for item in value.elts if isinstance(item, ast.Call)]
    if any({"name", "inputSchema"} <= {keyword.arg for keyword in call.keywords} for call in calls):
        return True, True
    dicts = [item for item in value.elts if isinstance(item, ast.Dict)]
    keys = {constant_text(key) for item in dicts for key in item.keys}
    has_runner = not keys.isdisjoint(RUNNER_KEYS)
    return not keys.isdisjoint(("function", *SCHEMA_KEYS)) or ("name" in keys and has_runner), has_runner


def find_own_attributes(value: ast.expr) -> set[str]:
    """The names of the attributes of `self` in an expression."""
    return {node.attr for node in ast.walk(value) if is_attribute_of(node, "self")}


def find_registered_methods(kind: ast.ClassDef) -> tuple[str, ...]:
    """The methods that the constructor of a class registers, or puts into a list of tools."""
    constructor = next((method for method in list_methods(kind) if isinstance(method, ast.FunctionDef) and method.name == "__init__"), None)
    if constructor is None:
        return ()
    methods = {method.name for method in list_methods(kind)}
    found: dict[str, None] = {}
    for node in ast.walk(constructor):
        listed: list[ast.expr] = []
        if isinstance(node, ast.keyword) and node.arg in TOOL_LISTS:
            listed = getattr(node.value, "elts", [])
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and any(is_tool_list(name) for name in assigned_names(node)):
            listed = getattr(node.value, "elts", [])
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("register", "append", "add_tool"):
            listed = node.args
        for item in listed:
            if is_attribute_of(item, "self") and item.attr in methods:
                found[item.attr] = None
    return tuple(found)


def find_listed_methods(tree: ast.Module, listed: list[tuple[str, int]]) -> dict[str, tuple[str, ...]]:
    """The methods that each top-level class lists as tools. `listed`: names of methods, and the lines that list them."""
    found: dict[str, tuple[str, ...]] = {}
    for kind in tree.body:
        if isinstance(kind, ast.ClassDef):
            names = {name for name, line in listed if kind.lineno < line <= (kind.end_lineno or 0)}
            methods = tuple(method.name for method in list_methods(kind) if method.name in names)
            if methods:
                found[kind.name] = methods
    return found


def find_making_methods(tree: ast.Module, made_at: dict[int, bool]) -> dict[str, dict[str, bool]]:
    """The methods of each top-level class that make tools, and whether they define a list_tools.

    `made_at`: the lines that make tools, and whether they define a list_tools.
    """
    found: dict[str, dict[str, bool]] = {}
    for kind in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for method in list_methods(kind):
            inside = [lists for line, lists in made_at.items() if method.lineno < line <= (method.end_lineno or 0)]
            if inside:
                found.setdefault(kind.name, {})[method.name] = any(inside)
    return found


def is_web_ui_class(kind: ast.ClassDef, is_alone: bool) -> bool:
    """Whether a class Tools is one of Open WebUI: it has settings, sets what Open WebUI reads, or takes what Open WebUI
    supplies.

    `is_alone`: the file uses no other framework. The style of Open WebUI's docstrings is enough then.
    """
    if any(isinstance(statement, ast.ClassDef) and statement.name in _WEB_UI_CLASSES for statement in kind.body):
        return True
    methods = list_methods(kind)
    if any(method.name == "__init__" and len(list_needed_parameters(method)) > 1 for method in methods):
        return False  # Open WebUI makes its object without arguments
    if any(_is_reserved(parameter.arg) for method in methods for parameter in (*method.args.args, *method.args.kwonlyargs)):
        return True
    stored = (node.attr for node in ast.walk(kind) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
    if any(name in _WEB_UI_ATTRIBUTES for name in stored):
        return True
    texts = [ast.get_docstring(method) or "" for method in methods if not method.name.startswith("_")]
    return is_alone and not kind.bases and bool(texts) and all(any(field in text for field in _WEB_UI_FIELDS) for text in texts)


def _is_reserved(name: str) -> bool:
    return len(name) > 4 and name.startswith("__") and name.endswith("__")
