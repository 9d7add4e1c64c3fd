"""Shapes of files whose tools are classes that follow rules of the project itself: its own base class or decorator."""

from .foreign_shapes import case

# Classes that get their name from a decorator
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

# Classes with a method that returns the whole definition
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

# Classes with a schema in a shorter form
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

# A value of the application, and all arguments as keywords
case('own_class_with_keywords', ['answer'], """
class AnswerTool:
    name = "answer"
    description = "Answers."
    parameters = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    def execute(self, user: int, **given):
        return given["text"].upper()
""", [('answer', {'text': 'a'}, 'A')])
# A class without a name, whose method returns the whole description
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

# A registry whose methods and tools belong to the class
case("own_class_registry", ["read", "sum_list"], """from dataclasses import dataclass, field
@dataclass(frozen=True)
class ToolSpec:
    name: str
    description: str
    func: object
    parameters: dict = field(default_factory=dict)
class ToolRegistry:
    _tools = {}
    @classmethod
    def tool(cls, name=None):
        def wrap(fn):
            cls._tools[name or fn.__name__] = ToolSpec(name or fn.__name__, fn.__doc__, fn, {"type": "object", "properties": {"value": {"type": "array"}}})
            return fn
        return wrap
@ToolRegistry.tool()
def read(value: list) -> list:
    "Read values."
    return value
@ToolRegistry.tool("sum_list")
def _sum(value: list) -> int:
    "Sum values."
    return sum(value)
""", [("read", {"value": [1]}, [1]), ("sum_list", {"value": [1, 2]}, 3)])

# Classes whose method takes all arguments as a model or a dataclass
case("own_run_with_model", ["search", "order"], """from dataclasses import dataclass
from pydantic import BaseModel
class BaseTool:
    name: str
    description: str
    def run(self, params): ...
class SearchParams(BaseModel):
    query: str
    limit: int = 5
class SearchTool(BaseTool):
    name = "search"
    description = "Search."
    params = SearchParams
    def run(self, params: SearchParams):
        return {"query": params.query, "limit": params.limit}
@dataclass
class OrderParams:
    item: str
    count: int = 1
class OrderTool(BaseTool):
    name = "order"
    description = "Order."
    def run(self, params: OrderParams):
        return params.item * params.count
""", [("search", {"query": "a"}, {"query": "a", "limit": 5}), ("order", {"item": "a", "count": 2}, "aa")])
case("own_base_with_schema_method", ["query"], """from typing import Protocol
from pydantic import BaseModel
class Store(Protocol):
    def run(self, text: str) -> str: ...
class QueryParams(BaseModel):
    sql: str
    limit: int = 5
class Tool:
    name: str = ""
    description: str = ""
    params_model: type[BaseModel]
    def schema(self) -> dict:
        return {"name": self.name, "description": self.description, "parameters": self.params_model.model_json_schema()}
    async def run(self, params):
        raise NotImplementedError
class QueryTool(Tool):
    name = "query"
    description = "Query."
    params_model = QueryParams
    def __init__(self, store: Store | None = None):
        self.store = store
    async def run(self, params: QueryParams) -> str:
        return f"{params.sql} {params.limit}"
""", [("query", {"sql": "s"}, "s 5")])
