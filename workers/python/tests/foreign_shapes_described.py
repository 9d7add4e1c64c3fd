"""Shapes of files whose tools are classes that describe themselves: with a definition, with methods or in the constructor."""

from .foreign_shapes import case

# Classes that describe themselves with a definition
case("definition", ["plan", "weigh"], """from agent.base import Parameter, Tool, ToolDefinition
class Plan(Tool):
    def definition(self):
        return ToolDefinition(name="plan", description="Plan.", params=[])
    def execute(self, **given) -> str:
        return "planned"
class Weigh(Tool):
    @property
    def definition(self) -> ToolDefinition:
        return ToolDefinition(name="weigh", description="Weigh.", parameters=[
            Parameter(name="item", type="string", description="What"),
            Parameter(name="times", type="integer", description="How often", required=False),
        ])
    async def execute(self, item: str, times: int = 1) -> str:
        return item * times
""", [("plan", {}, "planned"), ("weigh", {"item": "a", "times": 2}, "aa")])
case("definition_dict", ["weigh"], """class Base:
    pass
class WeighTool(Base):
    def __init__(self, scale):
        self.scale = scale
    def get_definition(self):
        return {"type": "function", "function": {"name": "weigh", "description": "Weigh.", "parameters": {"type": "object", "properties": {"item": {"type": "string"}}}}}
    def run(self, arguments: dict) -> str:
        return arguments["item"]
tool = WeighTool(1)
""", [("weigh", {"item": "a"}, "a")])
case("described_elsewhere", ["extract"], """from cascade.base import BaseTool, register_tool
from cascade.texts import TEXTS
@register_tool("extract")
class Extract(BaseTool):
    \"\"\"Reads a page.\"\"\"
    description = TEXTS["extract"]["description"]
    parameters = {"type": "object", "properties": {"url": {"type": "string", "description": TEXTS["url"]}}, "required": ["url"]}
    def call(self, params: dict, **rest) -> str:
        return params["url"]
""", [("extract", {"url": "u"}, "u")])
case("schema_and_context", ["cast"], """from ..base import Context, ToolInterface
class CastTool(ToolInterface):
    name = "cast"
    description = "Get a cast."
    parameters_schema = {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}
    async def execute(self, params: dict, context: Context) -> str:
        return params["url"]
""", [("cast", {"url": "u"}, "u")])
case("adk_class", ["run_code", "count"], """from google.adk.tools import BaseTool
from google.genai.types import FunctionDeclaration, Schema, Type
from app.repl import Repl
class Code(BaseTool):
    def __init__(self, repl: Repl, *, limit: int = 3):
        super().__init__(name="run_code", description="Run code.")
        self.repl = repl
    def _get_declaration(self):
        code = Schema(type=Type.STRING, description="Code")
        return FunctionDeclaration(name=self.name, description=self.description, parameters=Schema(type=Type.OBJECT, properties={"code": code}, required=["code"]))
    async def run_async(self, *, args, tool_context):
        return self.repl.run(args["code"])
class Count(BaseTool):
    def __init__(self):
        super().__init__(name="count", description="Count.")
    def _get_declaration(self):
        return FunctionDeclaration(name=self.name, description=self.description)
    async def run_async(self, *, args, tool_context):
        tool_context.state["n"] = tool_context.state.get("n", 0) + 1
        return tool_context.state["n"]
""", [("count", {}, 1), ("count", {}, 2)])

case("described_by_methods", ["forecast", "tide"], """from interfaces.tool import ITool
class ForecastTool(ITool):
    def __init__(self, service):
        self._service = service
    def name(self) -> str:
        return "forecast"
    def description(self) -> str:
        return "A forecast."
    def parameters_schema(self) -> dict:
        return {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}
    def execute(self, **given) -> str:
        return self._service.of(given["day"])
class TideTool(ITool):
    def __init__(self, place="Bergen"):
        self._place = place
    @property
    def name(self) -> str:
        return "tide"
    @property
    def description(self) -> str:
        return f"The tide in {self._place}."
    @property
    def parameters(self) -> dict:
        return {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}
    def execute(self, day: str) -> str:
        return self._place + day
""", [("tide", {"day": " 1"}, "Bergen 1")])

# Classes that get their name, description and parameters in their constructor
case("named_by_constructor", ["search", "keep", "given"], """from abc import ABC, abstractmethod
from dataclasses import dataclass, field
@dataclass
class ToolSpec:
    name: str
    description: str
    parameters: dict = field(default_factory=dict)
class BaseTool(ABC):
    def __init__(self, spec):
        self.spec = spec
    @abstractmethod
    async def execute(self, **given): ...
class Search(BaseTool):
    def __init__(self):
        super().__init__(ToolSpec(name="search", description="Search.", parameters={"query": {"type": "string"}, "limit": {"type": "integer"}}))
    async def execute(self, query: str, limit: int = 3, **rest) -> str:
        return query * limit
class NamedTool:
    def __init__(self, name, description):
        self.name, self.description = name, description
class Keep(NamedTool):
    def __init__(self, place="here"):
        super().__init__("keep", "Keep.")
        self.place = place
    def run(self, text: str) -> str:
        return text + self.place
class Given(NamedTool):
    def __init__(self, store):
        super().__init__("given", "Given.")
    def run(self, text: str) -> str:
        return text
class Fails(NamedTool):
    def __init__(self):
        raise OSError
    def run(self, text: str) -> str:
        return text
""", [("search", {"query": "a"}, "aaa"), ("keep", {"text": "a "}, "a here")])
# Records in a dict, and a dict that a comprehension makes
case("records_in_dict", ["read", "list_all"], """from dataclasses import dataclass
from typing import Callable
@dataclass
class ToolDef:
    name: str
    description: str
    input_schema: dict
    handler: Callable
async def _read(path):
    return path
TOOLS = {tool.name: tool for tool in [
    ToolDef("read", "Read.", {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}, _read),
    ToolDef("list_all", "List.", {"type": "object", "properties": {}}, lambda: "all"),
]}
""", [("read", {"path": "p"}, "p"), ("list_all", {}, "all")])
# A dict that has a model beside each function, for models that OpenAI's SDK describes
case("described_models_with_functions", ["Rain", "sun"], """import openai
from pydantic import BaseModel
class Rain(BaseModel):
    '''Rain.'''
    town: str
def find_rain(args: Rain):
    return args.town.upper()
def find_sun(town):
    return town
tools = [openai.pydantic_function_tool(Rain), openai.pydantic_function_tool(Rain, name="sun")]
HANDLERS = {"Rain": (Rain, find_rain), "sun": {"model": Rain, "function": find_sun}}
def answer(call):
    model, function = HANDLERS[call.name]
    return function(model.model_validate_json(call.arguments))
""", [("Rain", {"town": "a"}, "A"), ("sun", {"town": "a"}, "a")])
# Descriptions in a class, whose constructor maps the names to methods
case("described_in_class", ["search_notes", "add_note"], """from openai import OpenAI
class NoteAgent:
    TOOLS = [
        {"type": "function", "function": {"name": "search_notes", "description": "Search.", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}},
        {"type": "function", "function": {"name": "add_note", "description": "Add.", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}},
    ]
    def __init__(self, client=None):
        self.client = client or OpenAI()
        self.handlers = {"search_notes": self._search, "add_note": self._add}
    def _search(self, text, limit=2):
        return text * limit
    def _add(self, arguments):
        return arguments["text"] + "!"
    def answer(self, call):
        return self.handlers[call.name](**call.arguments)
""", [("search_notes", {"text": "a"}, "aa"), ("add_note", {"text": "a"}, "a!")])
# AutoGen: descriptions in the configuration of the model, and functions in a dict that a call gets
case("function_map", ["look", "count"], """from autogen import AssistantAgent, UserProxyAgent
llm_config = {"config_list": [{"model": "x"}], "functions": [{"name": "look", "description": "Look.", "parameters": {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]}}]}
def _find(key):
    return key.upper()
def count(text: str) -> int:
    'Count.'
    return len(text)
assistant = AssistantAgent("a", llm_config=llm_config)
user = UserProxyAgent(name="u", function_map={"look": _find, "count": count})
""", [("look", {"key": "a"}, "A"), ("count", {"text": "ab"}, 2)])
