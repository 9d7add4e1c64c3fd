"""Shapes of files whose tools follow rules of the project itself: its own base class, registry or records."""

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

# Classes whose decorator says their name
case("own_class_decorators", ["speak", "look_up", "read_note"], """from core.tool import ToolBase, tool
from core.tools import register_tool
from core.registry import tools
@tool(name="speak")
class Speak(ToolBase):
    description = "Speak a text."
    parameters = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    async def execute(self, *, text: str, folder: str = "", **kwargs) -> str:
        return text + folder
@register_tool("look_up")
class LookUp(ToolBase):
    def run(self, query):
        return f"found {query}"
@tools.register("read_note")
class ReadNote:
    risk = "low"
    async def __call__(self, path: str, limit: int = 10) -> str:
        return path[:limit]
""", [("speak", {"text": "a"}, "a"), ("look_up", {"query": "q"}, "found q"), ("read_note", {"path": "abc", "limit": 2}, "ab")])

# Classes with a method that gives the whole definition
case("own_definition_methods", ["song", "weather", "price", "bond"], """from assistant.plugin import Plugin
from assistant.tools import BaseTool, ToolInfo, ToolParameter
class SongPlugin(Plugin):
    def __init__(self, player):
        self.player = player
    @property
    def name(self) -> str:
        return "song"
    def get_tool_schema(self) -> dict:
        properties = {"title": {"type": "string", "description": "The title."}}
        return {"type": "function", "function": {"name": self.name, "description": "Play a song.", "parameters": {"type": "object", "properties": properties, "required": ["title"]}}}
    async def execute(self, query: str = "", **kwargs) -> str:
        return kwargs["title"]
class WeatherTool(BaseTool):
    def get_info(self) -> ToolInfo:
        return ToolInfo(name="weather", description="The weather.", parameters=[ToolParameter(name="city", type="string", description="The city.", required=True)])
    async def execute(self, city: str) -> str:
        return f"{city}: sunny"
class PriceTool(BaseTool):
    def __init__(self, url: str, tool_name: str = "price"):
        self._url, self._name = url.rstrip("/"), tool_name
    @property
    def name(self) -> str:
        return self._name
    def get_definition(self):
        return ToolInfo(name=self._name, description="The price.", parameters={"item": {"type": "string"}}, required=["item"])
    async def execute(self, request) -> str:
        return request.arguments["item"]
class Bond(Plugin):
    name = "Bond of a company"
    description = "What a bond pays."
    def tool_schema(self) -> dict:
        return {"name": "bond", "description": self.description, "input_schema": {"type": "object", "properties": {"ticker": {"type": "string"}}, "required": ["ticker"]}}
    def execute(self, ticker: str) -> dict:
        return {"ticker": ticker}
""", [("weather", {"city": "Rome"}, "Rome: sunny"), ("bond", {"ticker": "X"}, {"ticker": "X"})])
case("own_prefixed_names", ["clean", "greet", "pay"], """from tools.base import BaseTool, DynamicTool
class CleanTool(BaseTool):
    @property
    def tool_name(self) -> str:
        return "clean"
    @property
    def description(self) -> str:
        return "Clean a folder."
    @property
    def parameters(self):
        return {"folder": {"type": "string"}, "preview": {"type": "boolean", "default": True}}
    def execute(self, **kwargs):
        return kwargs.get("folder")
class GreetTool(DynamicTool):
    tool_name = "greet"
    tool_description = "Greet someone."
    def run(self, person: str) -> str:
        return f"Hello {person}"
class Pay(BaseTool):
    Tool_Name = "pay"
    Tool_Description = "Says who pays."
    def execute(self) -> str:
        return "you"
""", [("clean", {"folder": "f"}, "f"), ("greet", {"person": "Ann"}, "Hello Ann"), ("pay", {}, "you")])

# Classes with a schema in fewer words
case("own_short_schemas", ["teach", "recall"], """from tools.base import BaseTool
class TeachTool(BaseTool):
    def __init__(self):
        super().__init__(
            name="teach",
            description="Learn a skill.",
            args_schema={"skill": "A short name.", "steps": "The steps, one a line."},
        )
    def execute(self, kwargs):
        return kwargs["skill"] + kwargs.get("steps", "")
class Recall(BaseTool):
    name = "recall"
    description = "Search earlier talks."
    args_schema = {"query": "what to search for", "limit": "(optional) how many"}
    required = ("query",)
    def run(self, args, ctx):
        return f"{args['query']} {args.get('limit') or 8}"
""", [("teach", {"skill": "a", "steps": "b"}, "ab"), ("recall", {"query": "q"}, "q 8")])
case("own_class_of_another_name", ["build"], """from os_layer.skills import Skill
class BuildSkill(Skill):
    name = "build"
    description = "Build an image."
    schema = {"type": "object", "properties": {"action": {"type": "string"}}, "required": ["action"]}
    async def run(self, **kwargs):
        return kwargs["action"]
class Motor(Skill):
    name = "motor"
    description = "Changes the model."
    triggers = ["which model"]
    def run(self, text: str, ctx) -> str:
        return text
""", [("build", {"action": "iso"}, "iso")])
case("own_keys_of_kwargs", ["book"], """from .base import Tool, ToolResult
class Book(Tool):
    name = "book"
    description = "Book a room."
    def run(self, **kwargs):
        city = kwargs.get("city", "")
        return f"{kwargs['hotel']} {city}"
""", [("book", {"hotel": "h", "city": "c"}, "h c"), ("book", {"hotel": "h"}, "h ")])
case("own_arguments_second", ["read"], """from agent.tool import BaseTool
class ReadTool(BaseTool):
    def name(self) -> str:
        return "read"
    def description(self) -> str:
        return "Read a file."
    def parameters(self) -> dict:
        return {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    async def execute(self, tool_call_id: str, params: dict, on_update=None):
        return params["path"]
""", [("read", {"path": "p"}, "p")])

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
# A value of the application, and all arguments as keywords
case('own_class_with_keywords', ['answer'], """
class AnswerTool:
    name = "answer"
    description = "Answers."
    parameters = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    def execute(self, user: int, **given):
        return given["text"].upper()
""", [('answer', {'text': 'a'}, 'A')])
# A class without a name, whose method gives the whole description
case('own_class_with_openai_schema', ['note'], """
import os
class NoteTool:
    def __init__(self, path: str = "notes/all.md"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    def execute(self, text: str, loud: bool = False) -> str:
        return text.upper() if loud else text
    def get_openai_schema(self) -> dict:
        properties = {"text": {"type": "string"}, "loud": {"type": "boolean"}}
        parameters = {"type": "object", "properties": properties, "required": ["text"]}
        return {"type": "function", "function": {"name": "note", "description": "Note it.", "parameters": parameters}}
""", [('note', {'text': 'a', 'loud': True}, 'A')])
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
