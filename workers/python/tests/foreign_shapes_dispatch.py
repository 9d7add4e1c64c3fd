"""Shapes of files with dispatchers, registries and records of their own, and of those that only seem to have tools."""

from .foreign_shapes import case

# A dict inside a function names the functions
NAMED = """def add_numbers(a: int, b: int) -> int:
    'Add.'
    return a + b
def shout(text: str) -> str:
    'Shout.'
    return text.upper()
"""
INSIDE = "    handlers = {'add': add_numbers, 'shout': shout}\n    return str(handlers[name](**json.loads(arguments)))\n"
OF_ADD = "{'name': 'add', 'description': 'Add.', 'input_schema': {'type': 'object', 'properties': {'a': {'type': 'integer'}, 'b': {'type': 'integer'}}, 'required': ['a', 'b']}}"
case("named_in_dispatcher", ["add", "shout"], f"import json\n{NAMED}def execute_tool(name: str, arguments: str) -> str:\n{INSIDE}", [("add", {"a": 1, "b": 2}, 3), ("shout", {"text": "a"}, "A")])
case("named_in_loop", ["add"], f"import json\n{NAMED}SPECS = [{OF_ADD}]\ndef chat(client, call):\n    name, arguments = call\n{INSIDE}", [("add", {"a": 1, "b": 2}, 3)])
case("named_in_both", ["add", "shout"], f"import json\n{NAMED}TOOLS = [{OF_ADD}]\ndef run_tool(name, arguments):\n{INSIDE}", [("shout", {"text": "a"}, "A")])
# Control: the dict is in another function.
case("named_elsewhere", [], f"import json\n{NAMED}TITLES = {{'input_schema': 1}}\ndef chat(name, arguments):\n{INSIDE}")
# A plugin that describes one tool, and runs it with a function of a common name. A function with other parameters does not run it.
WINDOW = "{'name': 'window', 'description': 'Move.', 'input_schema': {'type': 'object', 'properties': {'action': {'type': 'string'}, 'by': {'type': 'integer'}}, 'required': ['action']}}"
case("plugin_execute", ["window"], f"""import ctypes
user32 = ctypes.windll.user32
TOOL_SCHEMA = {WINDOW}
def _find(by):
    return by or 0
def execute(action: str, by: int = None, **kwargs) -> dict:
    return {{"action": action, "by": _find(by)}}
""", [("window", {"action": "up", "by": 2}, {"action": "up", "by": 2})])
case("plugin_run_dict", ["window"], f"tool = {WINDOW}\nasync def run(args):\n    return args['action']\n", [("window", {"action": "up"}, "up")])
case("plugin_run_other", [], f"TOOL = {WINDOW}\ndef run(prompt: str, model: str) -> str:\n    return prompt\n")
case("plugin_run_two", [], f"TOOLS = [{WINDOW}, {WINDOW.replace('window', 'door')}]\ndef run(action: str, by: int = 0) -> str:\n    return action\n")
# A dispatcher that finds the function of a tool by its name, or reads the arguments as JSON
case("own_prefixed_functions", ["depth", "fetch"], """class Diver:
    def __init__(self, boat=None):
        self.boat = boat
    async def call(self, name, arguments):
        return await getattr(self, f"_tool_{name}")(**arguments)
    async def _tool_depth(self, metres: int) -> str:
        return f"{metres} m"
def tool_definitions():
    return [
        {"name": "depth", "description": "Dive.", "inputSchema": {"type": "object", "properties": {"metres": {"type": "integer"}}, "required": ["metres"]}},
        {"name": "fetch", "description": "Fetch.", "inputSchema": {"type": "object", "properties": {"what": {"type": "string"}}}},
    ]
def tool_fetch(what: str = "nothing") -> str:
    return what
def answer(call):
    return {"fetch": lambda given: tool_fetch(given.get("what"))}[call.name](call.arguments)
""", [("depth", {"metres": 2}, "2 m"), ("fetch", {"what": "a"}, "a")])
case("own_dispatcher_of_json", ["half"], """import json
tools = [{"type": "function", "function": {"name": "half", "description": "Half.", "parameters": {"type": "object", "properties": {"of": {"type": "number"}}, "required": ["of"]}}}]
def execute_function(function_name, arguments):
    given = json.loads(arguments)
    if function_name == "half":
        return given["of"] / 2
""", [("half", {"of": 3}, 1.5)])
case("own_dict_in_function", ["area"], """import json
def area_of(width: float, height: float) -> float:
    return width * height
def answer(message):
    available_functions = {"area": area_of}
    for call in message.tool_calls:
        return available_functions[call.function.name](**json.loads(call.function.arguments))
""", [("area", {"width": 2, "height": 3}, 6.0)])
case("own_registry_of_lambdas", ["echo", "double"], """class ToolRegistry:
    def __init__(self):
        self._tools = {}
        self.register("echo", lambda text: text)
        self.register("double", lambda number: number * 2)
    def register(self, name, function):
        self._tools[name] = function
""", [("echo", {"text": "a"}, "a"), ("double", {"number": 2}, 4)])
case("own_decorated_methods", ["look", "count", "shout", "halve"], """from functools import lru_cache, wraps
def logged(function):
    @wraps(function)
    def run(*values, **named):
        return function(*values, **named)
    return run
def describe(name, kind):
    return {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
class ToolRegistry:
    def __init__(self):
        self._tools = {
            "look": {"description": "Look.", "parameters": describe("key", "string"), "handler": self.look},
            "count": {"description": "Count.", "parameters": describe("text", "string"), "handler": self.count},
            "shout": self.shout,
        }
    @lru_cache(maxsize=8)
    def look(self, key: str) -> str:
        return key.upper()
    @logged
    def count(self, text: str) -> int:
        return len(text)
    @logged
    def shout(self, text: str) -> str:
        return text + "!"
class Desk:
    @lru_cache
    def halve(self, x: float) -> float:
        return x / 2
TOOLS = [{"name": "halve", "description": "Halve.", "input_schema": describe("x", "number"), "handler": Desk().halve}]
""", [("look", {"key": "a"}, "A"), ("count", {"text": "ab"}, 2), ("shout", {"text": "a"}, "a!"), ("halve", {"x": 3}, 1.5)])
case("own_listed_methods", ["find_place"], """from agents_of_ours import BaseAgentTool, tool_registry
@tool_registry.register(name="MapTool", description="Works with maps.")
class MapTool(BaseAgentTool):
    def get_tools(self):
        return [self.find_place]
    async def find_place(self, query: str) -> str:
        '''Find a place.'''
        return query
""", [("find_place", {"query": "q"}, "q")])
case("own_listed_pens", [], """from drawing import ToolBar, Action
class PenToolBar(ToolBar):
    def __init__(self):
        self.tools = [self.pen, self.brush]
    def pen(self, event):
        return event
    def brush(self, event):
        return event
""")
case("own_records_for_methods", ["find", "order"], """from shop.mcp import Server, ServerTool
class ShopServer(Server):
    def __init__(self, store=None):
        self.store = store
        self.register_tool(
            ServerTool(name="find", description="Find.", input_schema={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}),
            self._handle_find,
        )
        self.register_tool(ServerTool(name="order", description="Order.", input_schema={"type": "object", "properties": {}}), self._handle_order)
    async def _handle_find(self, arguments: dict) -> str:
        return arguments["text"]
    async def _handle_order(self, arguments: dict) -> str:
        return "ordered"
""")
case("own_definition_by_name", ["read_note"], """from notes.base import BaseTool, ToolDefinition
class ReadNoteTool(BaseTool):
    ID = "read_note"
    @classmethod
    def get_tool_definition(cls) -> ToolDefinition:
        return ToolDefinition(
            name=cls.ID,
            implementation=cls,
            description="Read a note.",
            parameter_definitions={"note": {"description": "Its id.", "type": "str", "required": True}, "lines": {"type": "int", "required": False}},
        )
    async def call(self, parameters: dict, **kwargs):
        return parameters.get("note", "") * parameters.get("lines", 1)
""", [("read_note", {"note": "a", "lines": 2}, "aa")])
case("own_names_of_methods", ["measure"], """from workshop import AbstractTool, ToolParameter, ToolResult
class MeasureTool(AbstractTool):
    def name(self) -> str:
        return "measure"
    def parameters(self):
        return [ToolParameter(name="length", type="number", description="In metres.", required=True)]
    def run(self, **kwargs):
        return kwargs["length"] * 100
""", [("measure", {"length": 2}, 200)])
case("own_class_decorated", ["Thermometer"], """from workshop import Tool, function_tool
@function_tool
class Thermometer(Tool):
    '''Measure a temperature.'''
    def run(self, place: str, unit: str = "C") -> str:
        return place + unit
""", [("Thermometer", {"place": "here"}, "hereC")])
case("own_handler_with_application", ["spell"], """from bot.base import ToolSpec
async def _spell(app, args):
    return " ".join(args.get("word"))
TOOL = ToolSpec(name="spell", description="Spell.", parameters_json_schema={"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}, executor=_spell)
""", [("spell", {"word": "ab"}, "a b")])
case("own_context", ["store"], """from game.tools import register_tool
from game.state import ActionContext
@register_tool(tags=["store"])
def store(action_context: ActionContext, item: str) -> str:
    '''Store an item.'''
    return item
""", [("store", {"item": "a"}, "a")])
case("own_loop_at_the_end", ["step"], """import robots
robot = robots.Robot()
tools = [{"type": "function", "name": "step", "description": "Go.", "parameters": {"type": "object", "properties": {"metres": {"type": "number"}}, "required": ["metres"]}}]
def step(metres: float) -> float:
    return metres
while True:
    answer = robot.next(tools=tools)
    for call in answer.calls:
        step(**call.arguments)
""", [("step", {"metres": 2}, 2.0)])
case("crew_named_by_constructor", ["Call a lift"], """from crewai.tools import BaseTool
class LiftTool(BaseTool):
    def __init__(self, publisher):
        super().__init__(name="Call a lift", description="Calls a lift.")
        self._publisher = publisher
    def _run(self, floor: int) -> str:
        return f"floor {floor}"
class OwnBaseTool(BaseTool):
    name: str
    description: str
    def _run(self, *args, **kwargs):
        raise NotImplementedError
""")
case("registered_twice", ["recipe"], """from langchain_core.tools import tool
from kitchen import tool_registry
@tool_registry.register
@tool
def recipe(dish: str) -> str:
    '''Find a recipe.'''
    return dish
""", [("recipe", {"dish": "soup"}, "soup")])
case("strands_client_of_lambda", ["peel"], """from strands import Agent, tool
from strands.tools.mcp import MCPClient
from kitchen.client import connect
client = MCPClient(lambda: connect())
@tool
def peel(fruit: str) -> str:
    '''Peel a fruit.'''
    return fruit
agent = Agent(tools=[client, peel])
""", [("peel", {"fruit": "a"}, "a")])
case("own_functions_of_one_dict", ["add_reminder", "list_reminders", "send"], """from mac import reminders
def send(params):
    if not params:
        return "nothing"
    return params["to"]
TOOL_REGISTRY = {
    "list_reminders": lambda args: args["list"] + args.get("end", "."),
    "add_reminder": lambda args: reminders.add(
        args["list"],
        args.get("notes"),
    ),
    "send": send,
}
""", [("list_reminders", {"list": "a"}, "a."), ("send", {"params": {"to": "b"}}, "b")])
case("own_short_schemas", ["events", "send"], """import calendar_api
async def events(token: str, start: str, end: str) -> list:
    return [start, end]
def send(token: str, draft: int) -> str:
    return calendar_api.send(token, draft)
def get_tools():
    return [
        {"name": "events", "description": "List events.", "parameters": {"start": "str", "end": "str"}},
        {"name": "send", "description": "Send a draft.", "parameters": {"draft": "int"}},
    ]
TOOL_MAP = {"events": events, "send": send}
""", [("events", {"start": "a", "end": "b"}, ["a", "b"])])
# Pairs of a function and what describes it: a schema, a model or a text
case("own_pairs", ["weigh", "post", "stamp"], """from pydantic import BaseModel
class Letter(BaseModel):
    '''Post a letter.'''
    to: str
    grams: int = 20
def weigh(args):
    return args["grams"] / 1000
def post(letter: Letter) -> str:
    return f"{letter.grams} g for {letter.to}"
def stamp(country: str) -> str:
    return country[:2]
_TOOL_DEFS = {
    "weigh": (weigh, {"name": "weigh", "description": "In kilograms.", "input_schema": {"type": "object", "properties": {"grams": {"type": "integer"}}, "required": ["grams"]}}),
    "post": (Letter, post),
    "stamp": ("The stamp of a country.", stamp),
}
""", [("weigh", {"grams": 500}, 0.5), ("post", {"to": "Io"}, "20 g for Io"), ("stamp", {"country": "Chile"}, "Ch")])
case("own_models_in_dicts", ["post", "fold"], """from pydantic import BaseModel
class Letter(BaseModel):
    to: str
class Fold(BaseModel):
    times: int = 1
TOOLS = {
    "post": {"handler": lambda letter: letter.to.upper(), "description": "Post.", "args_model": Letter},
    "fold": {"handler": lambda times: 2 ** times, "description": "Fold.", "args_model": Fold},
}
""", [("post", {"to": "Io"}, "IO"), ("fold", {}, 2)])
# Descriptions without names: the keys of the dict are the names, and another dict has the functions
case("own_named_descriptions", ["sum_up", "halve"], """tools = {
    "sum_up": {"description": "Add.", "parameters": {"first": {"type": "number"}, "second": {"type": "number", "default": 1}}},
    "halve": {"description": "Halve.", "parameters": {"of": {"type": "number", "required": True}}},
}
def add_all(parameters):
    return parameters.get("first", 0) + parameters.get("second", 1)
def halve(parameters):
    return parameters["of"] / 2
handlers = {"sum_up": add_all, "halve": halve}
""", [("sum_up", {"first": 2}, 3), ("halve", {"of": 3}, 1.5)])
# A registry of records that a function fills, which needs values that only the application has
case("own_registry_of_records", ["look", "list_rooms"], """from dataclasses import dataclass
@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    parameters: dict
    execute: object
class Registry:
    def __init__(self):
        self.tools = {}
        self.hooks = {"before": print}
    def register(self, tool):
        self.tools[tool.name] = tool
ROOM = {"type": "object", "properties": {"room": {"type": "string"}}, "required": ["room"]}
def house_registry(folder, owner, *, rooms=("hall",)):
    registry = Registry()
    def look(given):
        return f"in {given['room']}"
    registry.register(Tool("look", "Look into a room.", ROOM, look))
    registry.register(Tool("list_rooms", "All rooms.", {"type": "object", "properties": {}}, lambda given: list(rooms)))
    return registry
""", [("look", {"room": "hall"}, "in hall"), ("list_rooms", {}, ["hall"])])
case("own_registry_of_anything", [], """class HandlerRegistry:
    def __init__(self):
        self.handlers = {"start": print}
def default_registry():
    registry = HandlerRegistry()
    return registry
registry = HandlerRegistry()
""")
case("own_class_with_whole_schema", ["Weigh", "wrap"], """from post_office.tools import BaseTool
class Weigher(BaseTool):
    SCHEMA = {"type": "function", "function": {"name": "Weigh", "description": "Weigh a parcel.", "parameters":
        {"type": "object", "properties": {"parcel": {"type": "string"}}, "required": ["parcel"]}}}
    unit = "kg"
    @classmethod
    async def execute(cls, parcel, **others):
        return f"{len(parcel)} {cls.unit}"
class Wrapper(BaseTool):
    schema = {"name": "wrap", "description": "Wrap a gift.", "input_schema": {"type": "object", "properties": {"paper": {"type": "string"}}}}
    def run(self, paper="plain"):
        return f"in {paper} paper"
class Shelf:
    schema = {"type": "object", "properties": {"width": {"type": "number"}}}
    def run(self):
        return 1
""", [("Weigh", {"parcel": "book"}, "4 kg"), ("wrap", {}, "in plain paper")])
case("own_schemas_of_static_methods", ["fold", "cut"], """class PaperDesk:
    unit = "cm"
    @staticmethod
    def fold(sheets: int) -> str:
        return f"{sheets} folded"
    @classmethod
    async def handle_cut(cls, width: float) -> str:
        return f"{width} {cls.unit}"
    @staticmethod
    def get_tool_definitions():
        return [
            {"type": "function", "function": {"name": "fold", "description": "Fold sheets.", "parameters":
                {"type": "object", "properties": {"sheets": {"type": "integer"}}, "required": ["sheets"]}}},
            {"type": "function", "function": {"name": "cut", "description": "Cut a sheet.", "parameters":
                {"type": "object", "properties": {"width": {"type": "number"}}, "required": ["width"]}}},
        ]
""", [("fold", {"sheets": 3}, "3 folded"), ("cut", {"width": 2.5}, "2.5 cm")])
case("own_schemas_of_class_methods", ["list_rooms", "book", "find"], """from dataclasses import dataclass
@dataclass
class Wish:
    size: int
class House:
    rooms = ["hall"]
    @classmethod
    def list_rooms(cls):
        return cls.rooms
    @classmethod
    def book(cls, args):
        return f"{args['room']} {cls.rooms}"
    @classmethod
    def find(cls, wish: Wish):
        return cls.rooms * wish.size
    @staticmethod
    def get_tool_definitions():
        return [
            {"type": "function", "function": {"name": "list_rooms", "description": "All rooms.", "parameters": {"type": "object", "properties": {}}}},
            {"type": "function", "function": {"name": "book", "description": "Book a room.", "parameters":
                {"type": "object", "properties": {"room": {"type": "string"}}, "required": ["room"]}}},
            {"type": "function", "function": {"name": "find", "description": "Find rooms.", "parameters":
                {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}}},
        ]
""", [("list_rooms", {}, ["hall"]), ("book", {"room": "attic"}, "attic ['hall']"), ("find", {"size": 2}, ["hall", "hall"])])
