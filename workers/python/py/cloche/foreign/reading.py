"""The record of what the source of a file shows without running it.

`source_reader.read_source` makes it before the file is imported. It decides whether stand-ins are needed, and later
steps use it to find tools and to word messages.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from .browser_limits import Obstacle
from .frameworks import LIBRARIES, Framework

# Frameworks that only call the API of a model: a file may use one of them beside another framework.
_CLIENTS = ("openai", "anthropic", "google-genai", "ollama", "tau-bench")


class Reading(NamedTuple):
    """The facts that the source of a file shows. “Function” includes methods; `GUARD` is the name of the main block."""

    # Imports
    frameworks: tuple[Framework, ...]  # in the order of their imports
    imports: dict[str, int]  # modules and their lines, also of imports in functions
    relative: dict[str, int]  # modules that are imported with leading dots, with their lines
    guarded: frozenset[int]  # lines of imports whose failure the file handles
    imports_framework_late: bool  # whether a function imports a framework when it is called
    bound: dict[str, str]  # names that imports bind, with what they stand for: Popen → subprocess.Popen

    # Definitions at the top level
    defined: dict[str, int]  # functions and classes, with their lines
    exported: tuple[str, ...]  # names in __all__
    functions: tuple[str, ...]  # public functions with annotations or a docstring, which could be tools
    coroutines: frozenset[str]  # asynchronous functions
    needed: dict[str, tuple[str, ...]]  # functions, with their parameters without a default
    methods: dict[str, str]  # methods, with their classes

    # Tools that the file marks or lists
    marks_tools: bool  # whether a function has a decorator such as @mcp.tool(), wherever mcp comes from
    listed: tuple[str, ...]  # functions in a list of tools, such as tools=[…] or TOOLS, wherever it stands
    wrapped: dict[str, tuple[str, str]]  # functions from which a function makes tools, with names and descriptions, which may be empty
    named_inside: dict[str, str]  # functions, or methods as self.add, by their names in dicts inside functions: handlers = {"add": add_numbers}
    listed_imports: tuple[str, ...]  # what imports bring into a list or dict of tools at the top level: .shop.add for TOOLS = [add]
    registered: dict[str, tuple[str, ...]]  # classes, with the methods that their constructors list
    class_lists: dict[str, tuple[str, ...]]  # classes, with the methods that they list as tools: tools=[self.search]
    class_served: dict[str, tuple[str, ...]]  # classes, with the methods that they add to a server: self.mcp.tool()(self.search)
    has_registry: bool  # whether it defines a class such as ToolRegistry
    registers: bool  # whether a call or a decorator seems to register a tool: tools.register("add", add)
    is_web_ui: bool  # whether its class Tools is one of Open WebUI
    names_web_ui: bool  # whether it imports Open WebUI, or begins with its front matter

    # Tools that the file describes as data
    has_schemas: bool  # whether it seems to describe tools as data
    described: tuple[object, ...]  # lists of such descriptions inside functions
    json_files: tuple[str, ...]  # names of JSON files in the source, which may describe tools
    described_in: str  # the first function with such a list; empty if there is none
    functions_giving_lists: tuple[str, ...]  # functions and methods that return such a list, with the functions of the tools
    functions_giving_records: tuple[str, ...]  # functions such as get_search_tool() that return records or a registry, whose class is in the file

    # Tools that functions make when they are called
    first_maker: str  # the first function or method that makes tools; empty if there is none
    makers: dict[str, bool]  # top-level functions that make tools, also GUARD, and whether they define a list_tools
    made_at: tuple[int, ...]  # the lines inside functions that make tools
    server_classes: dict[str, dict[str, bool]]  # top-level classes, with their methods that make tools, as in `makers`
    server_parameters: dict[str, str]  # functions that add tools to a server, with the parameter for the server
    passed: dict[str, tuple[str, ast.Call]]  # functions and classes, with the first call that passes values, and its function

    # What the file needs to run
    is_script: bool  # whether it reads command-line arguments
    asks_at: int  # the line at the top level that waits for input; 0 if there is none
    variables: dict[str, str]  # environment variables that it reads anywhere, with their defaults
    obstacles: tuple[Obstacle, ...]  # calls that fail in a browser
    reads: dict[str, set[str]]  # the names that each outermost function or method reads, and those that make each variable
    interrupts: dict[str, bool]  # names in interrupt_on: True for a tool that waits for the user, False for a variable with such a dict

    @property
    def is_recognised(self) -> bool:
        """Whether the file can be expected to have tools, or parts of them."""
        return bool(
            self.frameworks
            or self.relative
            or self.is_web_ui
            or self.listed
            or self.exported
            or self.has_schemas
            or self.functions_giving_lists
            or self.functions_giving_records
            or self.marks_tools
            or self.server_parameters
            or self.wrapped
            or self.has_registry
            or self.registers
            or any(module.partition(".")[0] in LIBRARIES for module in self.imports)
        )

    @property
    def framework(self) -> Framework | None:
        """The framework that the file was written for. A framework of API clients counts only if there is no other."""
        others = [framework for framework in self.frameworks if framework.id not in _CLIENTS]
        return (others or list(self.frameworks) or [None])[0]

    @property
    def list_framework(self) -> str:
        """The framework whose rules apply to functions in a list of tools."""
        framework = self.framework.id if self.framework else "plain"
        return "plain" if framework in ("openai", "anthropic") else framework
