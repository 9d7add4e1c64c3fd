"""Shapes of files whose tools follow rules of the project itself: its own registry, decorators or records."""

from .foreign_shapes import case

# Registered under a name, by a call that only the application makes
case("own_registered_in_main", ["Shout"], """class Executor:
    def __init__(self):
        self.handlers = {}
    def register_tool(self, name, func, description):
        self.handlers[name] = (func, description)
def shout(text: str) -> str:
    return text.upper()
def main():
    desk = Executor()
    desk.register_tool("Shout", shout, "Write in capitals.")
    print(desk.run(input("> ")))
if __name__ == "__main__":
    main()
""", [("Shout", {"text": "a"}, "A")])
case("own_registered_with_keywords", ["shout", "count"], """from engine import Factory, ToolRegistry
def shout_text(text: str) -> str:
    return text.upper()
def count_words(text):
    return len(text.split())
def make_registry():
    registry = ToolRegistry()
    registry.register_function(name="shout", description="Write in capitals.", func=shout_text)
    Factory.current().create_tool(name="count", description="Count words.", func=count_words)
    return registry
""", [("shout", {"text": "a"}, "A"), ("count", {"text": "a b"}, 2)])
case("own_registered_methods", ["sort_mail", "urgency"], """class MailServer:
    def __init__(self):
        self.tools = {}
        self._setup()
    def register_tool(self, name: str, function):
        self.tools[name] = function
    def _setup(self):
        self.register_tool("sort_mail", self.sort_mail)
        self.register_tool("urgency", self._urgency_of)
    async def sort_mail(self, text: str, sender: str) -> str:
        '''Sort a mail.'''
        return f"{sender}: {text}"
    def _urgency_of(self, text: str) -> int:
        '''How urgent a mail is.'''
        return text.count("!")
""", [("sort_mail", {"text": "t", "sender": "s"}, "s: t"), ("urgency", {"text": "a!!"}, 2)])
case("own_registered_with_schema", ["digest"], """from agent_core import tools
@tools.register(
    "digest",
    "The digest of a project.",
    {"type": "object", "properties": {"hours": {"type": "integer", "default": 24}}},
)
def make_digest(hours: int = 24) -> str:
    return f"{hours} h"
""", [("digest", {"hours": 2}, "2 h"), ("digest", {}, "24 h")])
case("own_registered_with_tags", ["weight"], """from gantry import Gantry
tools = Gantry()
@tools.register(tags=["chemistry"])
def weight(formula: str) -> int:
    '''The weight of a compound.'''
    return len(formula)
""", [("weight", {"formula": "H2O"}, 3)])
# Controls: other things have names, too, and programs for drawing have tools.
case("own_registered_others", [], """import atexit
from app import parsers, signals
def close(code: int = 0) -> None:
    '''Close.'''
def parse(text: str) -> str:
    return text
atexit.register(close)
parsers.register("plain", parse)
signals.register("closed", close)
""")
case("own_registered_in_a_toolbar", [], """from PyQt5.QtWidgets import QMainWindow
class Window(QMainWindow):
    def build(self):
        self.toolbar.add_tool("Zoom", self.zoom)
    def zoom(self, factor: float) -> None:
        '''Zoom in.'''
""")
case("own_registered_in_tests", [], """class Fake:
    def register_tool(self, name, function):
        self.name = name
def double(x: int) -> int:
    return x * 2
def test_register():
    Fake().register_tool("double", double)
""")

# Dicts from names to descriptions with functions
case("own_dict_of_descriptions", ["add", "sales"], """def tool_add(args):
    return args["a"] + args["b"]
def _sales(args: dict) -> int:
    return args["month"] * 100
TOOLS = {
    "add": {
        "description": "Add two numbers.",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a", "b"]},
        "handler": tool_add,
    },
    "sales": {
        "pack": "core",
        "schema": {"name": "sales", "description": "Sales of a month.", "parameters": {"type": "object", "properties": {"month": {"type": "integer"}}, "required": ["month"]}},
        "run": _sales,
    },
}
""", [("add", {"a": 1, "b": 2}, 3), ("sales", {"month": 3}, 300)])

# Records of a class of the file
case("own_records_of_functions", ["search_web", "price"], """from dataclasses import dataclass
from typing import Callable
@dataclass
class Tool:
    name: str
    description: str
    function: Callable
class PricedTool:
    def __init__(self, name, description, func):
        self.name, self.description, self.func = name, description, func
def _search(query: str) -> str:
    return f"found {query}"
def get_search_tool() -> Tool:
    return Tool(name="search_web", description="Search.", function=_search)
def agent_tool(func):
    return PricedTool(func.__name__, func.__doc__, func)
@agent_tool
def price(item: str) -> int:
    '''The price of an item.'''
    return len(item)
""".replace("PricedTool", "FunctionTool"), [("search_web", {"query": "q"}, "found q"), ("price", {"item": "tea"}, 3)])
case("own_list_of_mcp_tools", ["config", "names"], """from mcp.types import TextContent, Tool
def get_tool_definitions() -> list[Tool]:
    return [
        Tool(name="config", description="The config.", inputSchema={"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}),
        Tool(name="names", description="The names.", inputSchema={"type": "object", "properties": {}}),
    ]
async def handle_config(arguments):
    return [TextContent(type="text", text=arguments["id"])]
async def handle_tool_call(tool_name: str, arguments: dict):
    handlers = {"config": handle_config}
    return await handlers[tool_name](arguments)
""", [("config", {"id": "a"}, "a")])

# A decorator of the file itself whose name says that it marks tools
MARK = """
def tool(func):
    func.is_tool = True
    return func
"""
case('own_mark', ['add'], MARK + """
@tool
def add(a, b):
    'The sum.'
    return a + b
def helper(a: int) -> int:
    'No tool.'
    return a
""", [('add', {'a': 1, 'b': 2}, 3)])
case('own_mark_with_options', ['plus'], """
def ai_tool(name=None, description=None):
    def decorate(func):
        func.spec = (name, description)
        return func
    return decorate
@ai_tool(name="plus", description="The sum.")
def add(a: int, b: int) -> int:
    return a + b
""", [('plus', {'a': 1, 'b': 2}, 3)])
case('own_mark_of_methods', ['greet'], MARK + """
class Desk:
    def __init__(self):
        self.word = "Hello"
    @tool
    def greet(self, who: str) -> str:
        'Greet.'
        return f"{self.word}, {who}"
    def close(self, now: bool) -> bool:
        'No tool.'
        return now
""", [('greet', {'who': 'A'}, 'Hello, A')])
case('own_mark_as_fallback', ['add'], """
try:
    from absent_agents import tool
except ImportError:
    def tool(func):
        return func
@tool
def add(a: int, b: int) -> int:
    'The sum.'
    return a + b
""", [('add', {'a': 1, 'b': 2}, 3)])
# Control: decorators of other names, and the decorator itself
case('own_decorator_of_another_name', [], MARK.replace("tool", "logged") + """
@logged
def add(a: int, b: int) -> int:
    'The sum.'
    return a + b
""")

# A registry that a function fills and returns
REGISTRY = """
class ToolBox:
    def __init__(self, label):
        self.label, self.held = label, {}
    def add(self, name, handler, description, parameters):
        self.held[name] = {"name": name, "handler": handler, "description": description, "parameters": parameters}
def _make_lister(folder):
    def handler(given):
        return f"{folder}/{given['path']}"
    return handler
"""
ADDED = '("list", _make_lister("root"), "List.", {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})'
case('own_registry_of_a_function', ['list'], REGISTRY + f"""
def default_tools():
    box = ToolBox("files")
    box.add{ADDED}
    return box
""", [('list', {'path': 'a'}, 'root/a')])
# What only the application knows is not needed to list the tools
case('own_registry_of_a_function_with_values', ['list'], REGISTRY + f"""
def default_tools(label):
    box = ToolBox("root")
    box.add{ADDED}
    box.label = label
    return box
""", [('list', {'path': 'a'}, 'root/a')])
# Control: a function that runs the application adds no tools
case('own_registry_of_the_application', [], REGISTRY + f"""
def main():
    ToolBox("main").add{ADDED}
""")
# Functions that a dispatcher calls with what only the application has, and with all arguments as one dict
case("dispatched_with_a_session", ["read", "count", "write"], """from typing import Any, Dict
from absent_database import Session
async def read_rows(session: Session, params: Dict) -> str:
    return f"{params['table']} {int(params.get('limit', 10))}"
async def count_rows(db, args):
    return 3
async def write_row(session: Session, params: Dict, user: str) -> str:
    session.add(params["row"])
    return user
TOOL_MAP = {"read": read_rows, "count": count_rows, "write": write_row}
async def execute_tool(session: Session, tool_name: str, params: Dict[str, Any]) -> Any:
    return await TOOL_MAP[tool_name](session, params)
""", [("read", {"table": "a"}, "a 10"), ("count", {}, 3)])
case("described_in_another_dict", ["add", "double"], """import json
def add_numbers(a: int, b: int) -> int:
    return a + b
def double(a: int) -> int:
    "Help."
    return a * 2
TOOLS = {"add": add_numbers, "double": double}
TOOL_ICONS = {"add": "+", "double": "2"}
TOOL_INFO = {"add": {"description": "Add two numbers.", "params": {"a": "int REQUIRED", "b": "int REQUIRED"}}}
TOOL_DESCRIPTIONS = {"double": "Double a number."}
""", [("add", {"a": 1, "b": 2}, 3)])
case("described_with_a_session", ["read"], """from absent_database import Session
TOOLS = [{"name": "read", "description": "Read.", "input_schema": {"type": "object", "properties": {"table": {"type": "string"}}, "required": ["table"]}}]
async def read(session: Session, params: dict) -> str:
    return params["table"]
""", [("read", {"table": "a"}, "a")])
