"""Shapes of files whose own modules are missing, or whose top level does not run to its end."""

from .foreign_shapes import case

# Names that a missing module would bring
case("star_config", ["ask"], """from shop_config import *
from smolagents import tool
client = Client(API_KEY)
@tool
def ask(question: str) -> str:
    '''Ask.'''
    return question + "?"
""", [("ask", {"question": "why"}, "why?")])
case("star_framework", ["shout", "low"], """from langchain.tools import *
from langchain_core.pydantic_v1 import *
class Given(BaseModel):
    text: str = Field(description="Any text")
@tool(args_schema=Given)
def shout(text: str) -> str:
    '''Shout.'''
    return text.upper()
class Low(BaseTool):
    name = "low"
    description = "Whisper."
    def _run(self, text: str) -> str:
        return text.lower()
""", [("shout", {"text": "a"}, "A"), ("low", {"text": "A"}, "a")])
case("star_real", ["root"], """from math import *
from shop_config import *
from smolagents import tool
@tool
def root(n: float) -> float:
    '''Root.'''
    return sqrt(n)
""", [("root", {"n": 9}, 3.0)])
case("dotted", ["up", "low"], """import crewai
import langchain
class Up(crewai.tools.BaseTool):
    name: str = "up"
    description: str = "Up."
    def _run(self, text: str) -> str:
        return text.upper()
@langchain.tools.tool
def low(text: str) -> str:
    '''Low.'''
    return text.lower()
""", [("up", {"text": "a"}, "A"), ("low", {"text": "B"}, "b")])
case("decorator_of_missing_file", ["price", "sum_up", "half"], """from shop.registry import tool, function_tool, register_tool
@register_tool(name="half", description="Halve.", category="Numbers")
def half_of(n: float) -> float:
    return n / 2
@register_tool
class Kept:
    pass
@tool
def price(item: str) -> int:
    '''Price.'''
    return len(item)
@function_tool(name="sum_up", description="Add.")
def add(a: int, b: int) -> int:
    return a + b
@tool
class Ignored:
    pass
""", [("price", {"item": "egg"}, 3), ("sum_up", {"a": 1, "b": 2}, 3)])
case("pipeline_of_web_ui", ["shout"], """from blueprints.function_calling_blueprint import Pipeline as Blueprint
class Pipeline(Blueprint):
    class Valves(Blueprint.Valves):
        MARK: str = "!"
    class Tools:
        def __init__(self, pipeline) -> None:
            self.pipeline = pipeline
        def shout(self, text: str) -> str:
            \"\"\"
            Shout.
            :param text: Any text.
            \"\"\"
            return text.upper() + self.pipeline.valves.MARK
    def __init__(self):
        super().__init__()
        self.valves = self.Valves(**{**self.valves.model_dump(), "pipelines": ["*"]})
        self.tools = self.Tools(self)
""", [("shout", {"text": "a"}, "A!")])
case("helper_with_server", ["near", "far"], """from fastmcp import FastMCP
from shop.registry import register_tool, WORDS
def make(api):
    async def near(place: str, km: int = 1) -> str:
        '''Near.'''
        return f"{place} {km}"
    async def far(place: str) -> str:
        return api().far(place)
    return {"near": near, "far": far}
def register_tools(mcp: FastMCP, api) -> None:
    for name, function in make(api).items():
        register_tool(mcp, function, name=name, description=WORDS[name])
""", [("near", {"place": "x"}, "x 1")])
case("values_of_application", ["send", "count"], """def register_tools(mcp, utils, db):
    send_command = utils["send"]
    table = db.tables.users
    with db.session() as session:
        rows = [row for row in session]
    @mcp.tool()
    def send(text: str) -> str:
        '''Send.'''
        return send_command(text)
    @mcp.tool()
    def count() -> int:
        '''Count.'''
        return len(rows)
""", [("count", {}, 0)])

case("functions_from_elsewhere", ["Search", "Look", "known"], """from langchain.agents import Tool
from langchain_community.utilities import SerpAPIWrapper
from langchain_core.tools import StructuredTool
from pydantic import BaseModel
from shop.search import find
class Query(BaseModel):
    q: str
search = SerpAPIWrapper()
tools = [
    Tool(name="Search", func=search.run, description="Search the web."),
    Tool(name="Look", func=find, description="Look."),
    StructuredTool.from_function(func=find, name="known", description="Known.", args_schema=Query),
    StructuredTool.from_function(func=find, name="unknown", description="Unknown."),
]
""")
case("optional_block_with_framework", ["look"], """try:
    from langchain.tools import StructuredTool
    from shop.registry import register
    HAS = True
except ImportError:
    HAS = False
def look(q: str) -> str:
    '''Look.'''
    return q
if HAS:
    register(StructuredTool.from_function(look))
""", [("look", {"q": "a"}, "a")])

# Statements that fail
case("stops_in_the_middle", ["first", "second"], """import warnings
from shop.database import get_db, Old
from smolagents import tool
@tool
def first(a: int) -> int:
    '''First.'''
    return a
warnings.filterwarnings("ignore", category=Old.Warnings)
db = next(get_db())
total: int = 1 / 0
@tool
def second(a: int) -> int:
    '''Second.'''
    return -a
""", [("first", {"a": 1}, 1), ("second", {"a": 1}, -1)])
case("stops_for_annotations", ["pick"], """from __future__ import annotations
from smolagents import tool
from pydantic import BaseModel
open("not-there.json")
class Item(BaseModel):
    next: Item | None = None
    name: str
@tool
def pick(item: Item) -> str:
    '''Pick.'''
    return item.name
""", [("pick", {"item": {"name": "x"}}, "x")])
case("exits_without_a_key", ["look"], """import os, sys
from agents import function_tool
if not os.getenv("SHOP_KEY_THAT_IS_MISSING") == "right":
    print("no key")
    sys.exit(1)
@function_tool
def look(q: str) -> str:
    '''Look.'''
    return q
""", [("look", {"q": "a"}, "a")])
case("asks_in_a_loop", ["now"], """from swarm import Swarm, Agent
def now(zone):
    'Now.'
    return zone
agent = Agent(functions=[now])
while True:
    text = input("> ")
""", [("now", {"zone": "UTC"}, "UTC")])

# Classes and dicts that describe tools by themselves
case("base_of_missing_file", ["plan"], """from shop.tools.base import BaseTool
class PlanTool(BaseTool):
    name: str = "plan"
    description: str = "Plan a trip."
    parameters: dict = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}
    async def execute(self, *, city: str, days: int = 1, **rest) -> str:
        return f"{city} {days}"
""", [("plan", {"city": "Bern"}, "Bern 1")])
case("base_with_properties", ["read_note"], """from shop.tools.base import Tool
class ReadNote(Tool):
    def __init__(self, folder=None):
        self.folder = folder
    @property
    def name(self) -> str:
        return "read_note"
    @property
    def description(self) -> str:
        return "Read a note."
    @property
    def parameters(self):
        return {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    def execute(self, params: dict) -> str:
        return params["path"]
""", [("read_note", {"path": "a.md"}, "a.md")])
case("base_of_this_file", ["echo", "area"], """from abc import ABC, abstractmethod
from pydantic import BaseModel
class BaseTool(ABC):
    name: str = ""
    description: str = ""
    @abstractmethod
    def run(self, **given): ...
class EchoTool(BaseTool):
    name = "echo"
    description = "Echo."
    def run(self, text: str) -> str:
        return text
class Sides(BaseModel):
    a: float
    b: float = 2
class AreaTool(BaseTool):
    name = "area"
    description = "Area."
    args_schema = Sides
    def run(self, a, b):
        return a * b
class Agent:
    name = "agent"
    description = "Not a tool."
    def run(self, task: str) -> str:
        return task
""", [("echo", {"text": "x"}, "x"), ("area", {"a": 3, "b": 2}, 6.0)])
case("bases_that_are_no_tools", ["up"], """class BaseTool:
    name = "Unnamed"
    description = "No description."
    def run(self, text: str) -> str:
        raise NotImplementedError("Write run().")
class UpTool(BaseTool):
    name = "up"
    description = "Up."
    def run(self, text: str) -> str:
        return text.upper()
""", [("up", {"text": "a"}, "A")])
case("dict_of_functions", ["add", "minus"], """def plus(a: int, b: int) -> int:
    '''Add.'''
    return a + b
def minus(a: int, b: int) -> int:
    return a - b
def helper(a: int) -> int:
    return a
TOOLS = {"add": plus, "minus": {"function": minus, "description": "Subtract."}}
FORMATS = {"helper": helper}
""", [("add", {"a": 1, "b": 2}, 3), ("minus", {"a": 3, "b": 2}, 1)])
case("own_registry", ["add"], """TOOL_REGISTRY = {}
def tool(function):
    TOOL_REGISTRY[function.__name__] = function
    return function
@tool
def add(a: int, b: int) -> int:
    '''Add.'''
    return a + b
""", [("add", {"a": 1, "b": 2}, 3)])
case("dispatcher_with_more", ["find", "drop"], """TOOLS = [
    {"name": "find", "description": "Find.", "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}},
    {"name": "drop", "description": "Drop.", "input_schema": {"type": "object", "properties": {}}},
]
def execute_tool(tool_name, tool_input, user_id, limit=3):
    return f"{tool_name} {tool_input.get('q')} {limit}" if tool_name == "find" else user_id.name
""", [("find", {"q": "x"}, "find x 3")])
case("methods_for_a_list", ["find", "other"], """SCHEMAS = [
    {"name": "find", "description": "Find.", "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}},
    {"name": "other", "description": "Other.", "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}}},
]
class Assistant:
    def find(self, q):
        return q * 2
    def handle_tool(self, name, arguments):
        return arguments["n"] + 1
""", [("find", {"q": "x"}, "xx"), ("other", {"n": 1}, 2)])
case("registry_by_name", ["check"], """CHECK = {"name": "check", "description": "Check.", "input_schema": {"type": "object", "properties": {"spec": {"type": "object"}}, "required": ["spec"]}}
async def _check(params: dict) -> dict:
    return params["spec"]
HANDLERS = {"check": _check}
""", [("check", {"spec": {"a": 1}}, {"a": 1})])
case("cards", [], """CARDS = [{"name": "Writing Bot", "description": "An agent.", "input_schema": {"type": "object", "properties": {}}}]
def execute_tool(name, arguments):
    return name
""")
# Decorators whose name says that they mark tools, of a missing file or an object of one
case("missing_named_decorators", ["low", "up", "swap"], """from absent_bot.tools import ai_tool, agent_tool
from absent_bot import Bot
bot = Bot()
@ai_tool
def low(text: str) -> str:
    return text.lower()
@agent_tool(name="up", description="Upper case.")
def upper(text: str) -> str:
    return text.upper()
@bot.llm_tool()
def swap(text: str) -> str:
    return text.swapcase()
@bot.command("x")
def other(text: str) -> str:
    return text
""", [("low", {"text": "A"}, "a"), ("up", {"text": "a"}, "A"), ("swap", {"text": "aB"}, "Ab")])
# A skill of a missing file is a tool if its decorator describes it
case("missing_described_skills", ["read_receipt"], """from absent_bot.registry import skill
@skill(name="read_receipt", description="Read a receipt.")
def read(path: str, kind: str = "paper") -> str:
    return f"{kind} {path}"
@skill(r"open (.+)")
def open_(match, brain):
    return match
@skill
def other(text: str) -> str:
    return text
""", [("read_receipt", {"path": "a"}, "paper a")])
# Classes with keywords, whose base class is missing or a model
case("missing_base_with_keywords", ["save", "keep"], """from absent_bot import BaseTool
from langchain_core.tools import tool
from langchain_core.pydantic_v1 import BaseModel
class Save(BaseTool, group="notes"):
    name = "save"
    description = "Save a note."
    def run(self, text: str) -> str:
        return text
class Note(BaseModel, extra="allow"):
    text: str
@tool
def keep(text: str, mood: str = "") -> str:
    "Keep a note."
    return str(Note(text=text, mood=mood).mood)
""", [("save", {"text": "a"}, "a"), ("keep", {"text": "a", "mood": "b"}, "b")])
# Names of the package itself, which is missing: they may be classes, decorators and types
case("missing_names_of_the_package", ["save"], """from typing import Optional
from . import BaseTool, Row, register
@register("x")
class Loader(BaseTool):
    def load(self, rows: list[Row]) -> Row | None:
        return None
class Save(BaseTool):
    name = "save"
    description = "Save a text."
    def run(self, text: str, row: Optional[Row] = None) -> str:
        return text
""", [("save", {"text": "a"}, "a")])
# Control: functions of an interpreter, of a database, and of a registry that no model uses
case("functions_registered_for_other_programs", [], """import sqlite3
from absent_language import Runtime
def lower(text: str) -> str:
    "Lower case."
    return text.lower()
def connect(path: str):
    connection = sqlite3.connect(path)
    connection.create_function("lower", 1, lower)
    return connection
def register_texts(runtime: Runtime) -> None:
    "Register functions for texts."
    runtime.register_function("lower", lower)
""")
case("functions_of_a_database", ["find"], """import sqlite3
from langchain_core.tools import tool
def lower(text: str) -> str:
    "Lower case."
    return text.lower()
connection = sqlite3.connect(":memory:")
connection.create_function("lower_case", 1, lower)
@tool
def find(text: str) -> str:
    "Find a text."
    return connection.execute("select lower_case(?)", (text,)).fetchone()[0]
""", [("find", {"text": "A"}, "a")])
