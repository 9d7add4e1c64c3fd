"""Shapes of files whose tools depend on objects, texts and functions of missing files."""

from .foreign_shapes import case

# Decorators of objects that the file makes with a class of a missing file
case("missing_registry_object", ["low"], "from absent_kit import ToolRegistry\nregistry = ToolRegistry()\n@registry.tool\ndef low(text: str) -> str:\n    return text.lower()\ndef other(text: str) -> str:\n    return text\n", [("low", {"text": "A"}, "a")])
case("missing_registry_built", ["low", "double"], """from absent_kit.registry import Registry
from absent_kit.tasks import Tasks
def create_registry(tasks: Tasks) -> Registry:
    registry = Registry(name="texts")
    def clean(text: str) -> str:
        return text.strip()
    @registry.tool(name="low", description="Lower case.")
    async def lower(text: str) -> str:
        return clean(text).lower()
    @registry.tool()
    def double(x: int) -> int:
        return x * 2
    return registry
""", [("low", {"text": " A"}, "a"), ("double", {"x": 2}, 4)])
# If a part of a list, a schema or a text comes from a missing file, the rest is kept.
SHELF = '{"name": "shelf", "description": "Find a shelf.", "input_schema": {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}}'
case("missing_part_of_list", ["shelf", "row"], f"""from .more import EXTRA, LATER
TOOLS = [{SHELF}]
TOOLS = TOOLS + EXTRA + [{SHELF.replace("shelf", "row")}]
TOOLS += LATER.tools
def run_tool(name: str, tool_input: dict):
    return name + tool_input["code"]
""", [("shelf", {"code": "4"}, "shelf4"), ("row", {"code": "2"}, "row2")])
case("missing_part_of_schema", ["sort"], """from absent_store.kinds import Kind, DESCRIPTION
TOOLS = [{"name": "sort", "description": f"At most {Kind.LIMIT:,}.", "parameters": {"type": "object", "properties": {
    "kind": {"type": "string", "enum": [one.value for one in Kind], "description": DESCRIPTION}}, "required": ["kind"]}}]
def sort(kind):
    return kind
""", [("sort", {"kind": "by size"}, "by size")])
case("missing_schema", ["weigh"], """from absent_store.models import Weigh
TOOLS = [{"name": "weigh", "description": "Weigh.", "input_schema": Weigh.model_json_schema()}]
def weigh(grams: float, unit: str = "g") -> str:
    return f"{grams} {unit}"
""", [("weigh", {"grams": 2}, "2 g")])
# A server or an agent that cannot be made as the file says still marks its tools.
case("server_with_missing_text", ["stock"], """from fastmcp import FastMCP
mcp = FastMCP("x", instructions=open("absent/readme.txt").read())
@mcp.tool()
def stock(item: str) -> str:
    return item
""", [("stock", {"item": "nails"}, "nails")])
case("agent_of_failing_function", ["stock", "order"], """import json
from pathlib import Path
from pydantic_ai import Agent, RunContext
def build() -> Agent:
    return Agent(json.loads(Path("absent.json").read_text())["model"])
def other():
    return Agent(json.loads(Path("absent.json").read_text())["model"])

agent = build()
buyer = other()
@agent.tool
def stock(ctx: RunContext, item: str) -> str:
    return item
@buyer.tool_plain
def order(item: str, count: int = 1) -> str:
    return f"{count} {item}"
""", [("stock", {"item": "nails"}, "nails"), ("order", {"item": "saw"}, "1 saw")])
case("supplied_variables", ["greet"], """from .registry import register_tool
@register_tool("greet")
def greet(name: str, context_variables: dict) -> str:
    return f"{name} {type(context_variables).__name__}"
""", [("greet", {"name": "Ada"}, "Ada dict")])
case("missing_base_class", ["stock"], """from mcp.server.fastmcp import FastMCP
from absent_store.servers import StoreServer
class Shop(StoreServer):
    def __init__(self):
        super().__init__()
        self.mcp = FastMCP("shop")
        self._add()
    def _add(self):
        @self.mcp.tool()
        async def stock(item: str, count: int = 1) -> str:
            return f"{count} {item}"
if __name__ == "__main__":
    Shop().run()
""", [("stock", {"item": "nails"}, "1 nails")])
case("missing_base_class_with_server", ["stock"], """from mcp.types import TextContent
from absent_store.servers import StoreServer
class Shop(StoreServer):
    def __init__(self):
        super().__init__("shop")
        @self.mcp.tool()
        async def stock(item: str) -> str:
            return item
shop = Shop()
""", [("stock", {"item": "nails"}, "nails")])
# A wrapper that converts what a missing file defines is not a tool.
case("missing_wrapped", ["own"], """from fastmcp import FastMCP
from absent_store.tools import Find, Order
class Shop:
    def __init__(self):
        self.mcp = FastMCP("shop")
        for one in (Find(), Order()):
            self._add(one)
        @self.mcp.tool
        def own(x: str) -> str:
            return x
    def _add(self, one):
        @self.mcp.tool(name=one.name, description=one.description)
        async def run(**kwargs):
            return await one.execute(kwargs)
""", [("own", {"x": "a"}, "a")])
# A function of a missing file is a tool only if this file says what it does.
case("missing_functions_added", ["own"], """from fastmcp import FastMCP
from absent_store.tools import find, order
mcp = FastMCP("shop")
mcp.add_tool(find)
class Shop:
    def __init__(self):
        self.mcp = FastMCP("shop")
        self.mcp.add_tool(order)
@mcp.tool
def own(x: str) -> str:
    return x
""", [("own", {"x": "a"}, "a")])
case("missing_functions_registered", [], """from fastmcp import FastMCP
from absent_store.tools import find
NAMES = ("find",)
def register_tools(mcp: FastMCP, names=NAMES) -> None:
    "Register them."
    for name in names:
        mcp.add_tool(find, name=name)
__all__ = ["NAMES", "register_tools"]
""")
case("missing_function_described", ["Find"], """from langchain.tools import Tool
from absent_store.tools import find
tools = [Tool(name="Find", func=find.run, description="Find an item.")]
""")
# Records of a class of a missing file, with the function that they describe
case("missing_records", ["find", "order"], """from absent_store.registry import registry, Tool
def look(item: str, limit: int = 3) -> str:
    return f"{item} {limit}"
def take(item: str, count: int = 1) -> str:
    return f"{count} {item}"
registry.register(Tool(name="find", description="Find an item.", parameters={"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}, handler=look))
ORDER = Tool(name="order", description="Order an item.", run=take)
""", [("find", {"item": "saw"}, "saw 3"), ("order", {"item": "saw", "count": 2}, "2 saw")])
case("missing_records_in_function", ["find"], """from __future__ import annotations
from .registry import ToolSpec, Registry
def _look(item: str) -> str:
    return item
def register(registry: Registry, config) -> None:
    registry.register(ToolSpec(name="find", description=f"Find an item of {config.store}.", run=_look))
""", [("find", {"item": "saw"}, "saw")])
case("missing_records_of_methods", ["find"], """from absent_store.agents import StoreAgent, Tool, ToolParameter
class Clerk(StoreAgent):
    def register_tools(self) -> None:
        self.registry.register(Tool(name="find", description="Find.", handler=self._find, parameters=[
            ToolParameter("item", "string", "An item"), ToolParameter("limit", "integer", "At most", required=False)]))
    def _find(self, item: str, limit: int = 2, store: str = "main") -> str:
        return f"{item} {limit} {store}"
""", [("find", {"item": "saw"}, "saw 2 main")])
# Controls: a record of another kind, and one without a function of this file
case("missing_records_of_others", [], """from absent_store.jobs import Job, Tool
from absent_store.tools import look
def run() -> str:
    return "x"
JOBS = [Job(name="run", description="Run.", handler=run), Tool(name="look", description="Look.", handler=look)]
""")
# A function of a missing file that is registered with a description and a schema; controls without these
case("missing_functions_described", ["find"], """from absent_store.agents import Clerk
from absent_store.tools import find_item, count, look
class Helper(Clerk):
    def __init__(self):
        super().__init__(name="helper")
        self.register_tool(name="find", description="Find an item.", handler=find_item,
            input_schema={"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]})
        self.register_tool(name="count", description="Count.", handler=count)
        self.register_tool("look", look)
""")
# Records that a method returns, and a method that runs them by name; the base class is missing. Controls without a handler,
# and with values of the application
case("missing_modules_with_handler", ["lamp_set"], """from typing import Any
from mcp.types import TextContent, Tool
from ..base_module import Module
class Lamp(Module):
    @property
    def name(self) -> str:
        return "lamp"
    def get_tools(self) -> list[Tool]:
        return [Tool(name="lamp_set", description="Set " "a lamp.", inputSchema={"type": "object", "properties": {"value": {"type": "integer"}}, "required": ["value"]})]
    async def handle_tool_call(self, tool_name: str, arguments: Any):
        if tool_name == "lamp_set":
            return [TextContent(type="text", text=f"{arguments['value']}")]
        return [TextContent(type="text", text=f"Unknown tool: {tool_name}")]
""", [("lamp_set", {"value": 3}, "3")])
case("missing_modules_without_handler", [], """from mcp.types import Tool
from ..base_module import Module
class Lamp(Module):
    def get_tools(self) -> list[Tool]:
        return [Tool(name="lamp_set", description="Set a lamp.", inputSchema={"type": "object", "properties": {"value": {"type": "integer"}}})]
class Other(Module):
    def get_tools(self, shop) -> list[Tool]:
        return [Tool(name=shop.name, description="Look.", inputSchema={"type": "object", "properties": {"value": {"type": "integer"}}})]
""")
# A class without a base class that gives its schema with a method
case("tool_with_schema_method", ["add"], """from absent_rlm.tools.base import ToolContext, ToolOutcome
class AddTool:
    name = "add"
    def schema(self) -> dict:
        return {"type": "function", "function": {"name": "add", "description": "Add two integers.", "parameters": {"type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}}}
    def execute(self, args: dict, context: ToolContext) -> str:
        return str(args["a"] + args["b"])
class ShapeTool:
    name = "shape"
    def schema(self) -> str:
        return "public"
    def draw(self, args: dict) -> str:
        return "x"
""", [("add", {"a": 2, "b": 3}, "5")])
# The file catches the failed import of a package, but its classes need names from the package.
case("needed_although_optional", ["scrape", "plain"], """from crewai.tools import BaseTool, tool
try:
    from absent_scraper import Scraper
    from absent_scraper.models import Params
    CAN_SCRAPE = True
except ImportError:
    CAN_SCRAPE = False
try:
    import absent_speed
except ImportError:
    absent_speed = None
@tool
def plain(text: str) -> str:
    'Plain.'
    return f"{text} {absent_speed}"
class ScrapeTool(BaseTool):
    name: str = "scrape"
    description: str = "Scrape."
    args_schema: type = Params
    def _run(self, url: str, params: Params = None) -> str:
        return url
""", [("scrape", {"url": "a"}, "a"), ("plain", {"text": "a"}, "a None")])
