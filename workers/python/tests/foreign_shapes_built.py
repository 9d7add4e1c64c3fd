"""Shapes of files whose tools are made by functions that nothing calls, or by classes that describe themselves."""

from .foreign_shapes import ADD, ADDED, case, inner

INNER = '''
    @mcp.tool(name="note.{0}")
    def inner(text: str) -> str:
        """Write a note."""
        return text.upper()
'''

# Functions that build a server, with what only the application or a missing file has
case("built_server", ["note.a", "note.b"], f"""from .config import Settings, load
def services():
    from .gateway import Gateway
    return Gateway(load(Settings().path)), Settings()
def create_server():
    try:
        from mcp.server.fastmcp import FastMCP
    except Exception as fault:
        raise RuntimeError("mcp is required") from fault
    gateway, settings = services()
    mcp = FastMCP("notes")
    if settings.syncs:
        gateway.sync()
{INNER.format("a")}{INNER.format("b").replace("inner", "other")}
    return mcp
""", [("note.a", {"text": "x"}, "X")])
case("built_with_values", ["note.a", "look"], f"""from pathlib import Path
from fastmcp import FastMCP
from fastmcp.tools import Tool
def look(path: str) -> str:
    return path
def build(config, store):
    where = Path(config.folder).resolve()
    mcp = FastMCP(store.name)
{INNER.format("a")}
    mcp.add_tool(Tool.from_function(look))
    return mcp
""", [("note.a", {"text": "x"}, "X"), ("look", {"path": "p"}, "p")])
case("built_by_call", ["look"], """from mcp.server.fastmcp import FastMCP
def look(path: str) -> str:
    return path
def build_server(lifespan):
    server = FastMCP("x", lifespan=lifespan)
    server.tool(annotations={"readOnlyHint": True})(look)
    return server
""", [("look", {"path": "p"}, "p")])
case("built_by_input", [], f"from fastmcp import FastMCP\ndef build():\n    mcp = FastMCP(input())\n{INNER.format('a')}\n    return mcp\n")
case("built_beside_others", ["own"], f"from fastmcp import FastMCP\napp = FastMCP('x')\n@app.tool\ndef own(x: str) -> str:\n    return x\ndef build():\n    mcp = FastMCP('y')\n{INNER.format('a')}\n    return mcp\n")
case("built_low_level", ["draw"], """import asyncio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
import mcp.types as types
from drawing.api import draw
server = Server("x")
async def main():
    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name="draw", description="Draw.", inputSchema={"type": "object", "properties": {"radius": {"type": "number"}}, "required": ["radius"]})]
    @server.call_tool()
    async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
        return [types.TextContent(type="text", text=f"{name} {arguments['radius']}")]
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
if __name__ == "__main__":
    asyncio.run(main())
""", [("draw", {"radius": 2}, "draw 2")])
case("built_with_program", ["ping"], """import subprocess
from langchain_core.tools import tool
def make_tools(host):
    @tool
    def ping(name: str) -> str:
        return subprocess.run(["ping", name or host]).stdout
    return [ping]
""")
# The function of a missing registry's decorator builds tools, and is none.
case("built_for_registry", ["shout"], """from pydantic_ai.toolsets.function import FunctionToolset
from app.registry import Config, register_tool
@register_tool("shouting", Config)
def build(config: Config) -> FunctionToolset:
    toolset = FunctionToolset()
    @toolset.tool_plain
    def shout(text: str) -> str:
        return text.upper() if text else config.text
    return toolset
""", [("shout", {"text": "a"}, "A")])
case("made_for_missing_library", ["double"], """from shop.llm import Provider, create_tool_from_function
def double(number: int) -> int:
    return number * 2
def main():
    Provider().answer("x", tools=[create_tool_from_function(double)])
""", [("double", {"number": 2}, 4)])

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

# Qwen-Agent and AutoGen supply these values.
case("qwen_configured", ["paint"], """from qwen_agent.tools.base import BaseTool, register_tool
@register_tool("paint")
class Paint(BaseTool):
    description = "Paint."
    parameters = {"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]}
    def __init__(self, cfg=None):
        super().__init__(cfg)
        self.key = self.cfg.get("key") or "none"
    def call(self, params, **rest):
        return self._verify_json_format_args(params)["prompt"] + self.key
""", [("paint", {"prompt": "a "}, "a none")])
case("autogen_cancellation", ["look"], """from autogen_core import CancellationToken
from autogen_core.tools import FunctionTool
async def find(key: str, cancellation_token: CancellationToken) -> dict:
    return {"key": key, "cancelled": cancellation_token.is_cancelled()}
look = FunctionTool(find, name="look", description="Look.", strict=True)
""", [("look", {"key": "a"}, {"key": "a", "cancelled": False})])

# A described tool whose name the file compares, and then calls a function of another name
case("compared_name", ["get_details", "get_sum"], """from google.genai import types
declared = types.FunctionDeclaration(name="get_details", description="Details.", parameters={"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})
TOOLS = [{"name": "get_sum", "description": "Sum.", "input_schema": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a"]}}]
def find(champion: str) -> str:
    return champion.title()
def add(first, second=2):
    return first + second
def answer(client):
    call = client.ask().call
    if call and call.name == "get_details":
        return find(call.args["name"])
    elif "get_sum" == call.name:
        print(str(add(call.args["a"], second=call.args.get("b", 5))))
""", [("get_details", {"name": "mel"}, "Mel"), ("get_sum", {"a": 1}, 6), ("get_sum", {"a": 1, "b": 1}, 2)])

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

# Tools of OpenAI Agents whose function gets the arguments as JSON text, made by a class
case("invoked", ["update"], """import json
from agents import FunctionTool, WebSearchTool
class Documents:
    def __init__(self):
        self._tools = self._made()
    def _made(self):
        async def update(ctx, args):
            return json.loads(args)["title"]
        schema = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
        return [FunctionTool(name="update", description="Update.", params_json_schema=schema, on_invoke_tool=update), WebSearchTool()]
""", [("update", {"title": "t"}, "t")])
# Functions that convert any tool which the application passes, and tests, define no tools.
for name, made in (
    ("agents", "from agents import FunctionTool\ndef convert(spec):\n    async def call(ctx, args):\n        return spec.run(args)\n    return FunctionTool(name=spec.name, description=spec.text, params_json_schema=spec.schema, on_invoke_tool=call)\n"),
    ("langchain", "from langchain_core.tools import StructuredTool\ndef convert(spec):\n    def call(text: str) -> str:\n        return spec.run(text)\n    return StructuredTool.from_function(func=call, name=spec.name, description=spec.text)\n"),
    ("mcp", "from fastmcp import FastMCP\ndef convert(mcp: FastMCP, spec):\n    def call(text: str) -> str:\n        return spec.run(text)\n    mcp.tool(name=spec.name, description=spec.text)(call)\n"),
    ("autogen", "from autogen_core.tools import FunctionTool\ndef convert(spec):\n    def call(text: str) -> str:\n        return spec.run(text)\n    return FunctionTool(call, name=spec.name, description=spec.text)\n"),
    ("test", "from autogen_core.tools import FunctionTool\ndef fetch(url: str) -> str:\n    return url\ndef test_fetch():\n    tool = FunctionTool(fetch, description='Fetch.')\n    assert tool\n"),
):
    case(f"converted_{name}", [], made)
# Control: a name that only the application knows, with a description of the file.
case("renamed_by_application", ["call"], "from autogen_core.tools import FunctionTool\ndef make(settings):\n    def call(text: str) -> str:\n        return text\n    return FunctionTool(call, name=settings.name, description='Call.')\n", [("call", {"text": "x"}, "x")])
case("registered_by_name", ["look"], """from fastmcp import FastMCP
from fastmcp.tools import Tool
mcp = FastMCP("x")
def look(path: str) -> str:
    return path
def serve_tool(fn=None, name="look"):
    mcp.register_tool(Tool.from_function(fn or look, name=name))
    mcp.run()
""", [("look", {"path": "p"}, "p")])
case("strands_state", ["keep", "kept"], """from strands import tool, ToolContext
@tool(context=True)
def keep(text: str, tool_context: ToolContext) -> str:
    '''Keep.'''
    tool_context.agent.state.set("text", text)
    return tool_context.agent.state.get()["text"]
@tool(context=True)
def kept(tool_context=ToolContext) -> str:
    '''Kept.'''
    return tool_context.agent.state.get("text")
""", [("keep", {"text": "a"}, "a"), ("kept", {}, "a")])

# Functions that add tools to a server
case("reg_tools", ["add"], f"from mcp.server.fastmcp import FastMCP\ndef register_tools(mcp: FastMCP) -> None:\n    @mcp.tool()\n{inner(ADD)}\n", ADDED)
case("reg_untyped", ["add"], f"def register_tools(mcp) -> None:\n    @mcp.tool()\n{inner(ADD)}\n", ADDED)
case("reg_default", ["add"], f"def register(mcp_server, config: dict = None):\n    @mcp_server.tool()\n{inner(ADD)}\n", ADDED)
case("reg_needs", ["add", "load"], f"""from fastmcp import Context
def register_tools(mcp, db):
    @mcp.tool()
{inner(ADD)}
    @mcp.tool(name="load")
    async def load_it(ctx: Context, key: str) -> str:
        '''Load.'''
        return db.load(key)
""", ADDED)
case("reg_added", ["add"], f"from mcp.server.fastmcp import FastMCP\n{ADD}\ndef register_tools(mcp: FastMCP) -> None:\n    mcp.add_tool(add)\n", ADDED)
case("reg_called", ["add"], f"from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\ndef register_tools(mcp):\n    @mcp.tool()\n{inner(ADD)}\nregister_tools(mcp)\n", ADDED)
case("reg_called_inside", ["add"], f"from fastmcp import FastMCP\ndef register_tools(mcp):\n    @mcp.tool\n{inner(ADD)}\ndef create():\n    mcp = FastMCP('x')\n    register_tools(mcp)\n    return mcp\nserver = create()\n", ADDED)
case("reg_all", ["add", "bye"], f"""def register_a(app):
    @app.tool()
{inner(ADD)}
def register_b(app):
    @app.tool()
    def bye() -> str:
        '''Bye.'''
        return 'bye'
def register_all(app):
    register_a(app)
    register_b(app)
""", ADDED)
case("reg_missing", ["add"], f"from my_server.common import helper\nfrom mcp.server.fastmcp import FastMCP\ndef register_tools(mcp: FastMCP):\n    @mcp.tool()\n{inner(ADD)}\n", ADDED)
case("reg_async", ["add"], f"from fastmcp import FastMCP\nasync def setup(mcp: FastMCP):\n    @mcp.tool\n{inner(ADD)}\n", ADDED)
case("reg_typing", ["add"], f"from __future__ import annotations\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from mcp.server.fastmcp import FastMCP\ndef register(mcp: FastMCP) -> None:\n    @mcp.tool()\n{inner(ADD)}\n", ADDED)
case("reg_in_folder", ["add"], "from mcp.server.fastmcp import FastMCP\nfrom parts.numbers import register_tools\nmcp = FastMCP('x')\nregister_tools(mcp)\n", ADDED)
case("reg_empty", [], "def register_tools(mcp) -> None:\n    '''Nothing yet.'''\n")

# Functions and classes that need the application before they make tools: statements that fail are left out.
case("built_after_guards", ["get", "more", "where"], """from __future__ import annotations
from pathlib import Path
from mcp.server.fastmcp import FastMCP
def build_server(root, session):
    if not (Path(root) / "sessions.sqlite3").is_file():
        raise ValueError("A saved database is required")
    with open("/no/such/file") as file:
        text = file.read()
    store = open_store(root)
    server = FastMCP("one")
    try:
        limit = int({}["limit"])
    except KeyError:
        limit = 3
    @server.tool()
    def get(x: int = 1) -> int:
        return x + limit
    @server.tool()
    def more() -> str:
        return store.more()
    @server.tool()
    def where(name: str) -> str:
        return name or text
    return server
""", [("get", {}, 4), ("where", {"name": "n"}, "n")])
case("class_after_guards", ["get", "other"], """import os
from fastmcp import FastMCP
class Server:
    def __init__(self):
        self.key = os.environ.get("NO_SUCH_KEY")
        if not self.key:
            raise ValueError("NO_SUCH_KEY is required")
        self.db = self._connect()
        self.mcp = FastMCP("x")
        self._setup()
    def _connect(self):
        raise OSError("no")
    def _setup(self):
        self.mcp.tool()(self.get)
        self.mcp.tool()(self.other)
    def get(self, x: int) -> str:
        return f"{x} {self.key}"
    def other(self, y: str) -> str:
        return y or self.db.get(y)
def main():
    Server().mcp.run()
""", [("get", {"x": 1}, "1 None"), ("other", {"y": "y"}, "y")])
# A loop is left out as a whole, since it may not end without a part of it.
case("built_after_loop", ["get"], "def register(mcp, node):\n    while True:\n        node = {}['x']\n    @mcp.tool()\n    def get(x: str) -> str:\n        return x\n", [("get", {"x": "a"}, "a")])
# Tools of a branch that is not taken, if there are no others
case("built_in_a_mode", ["load", "keep"], """from strands import Agent
def create(mode="run"):
    extra = []
    prefix = ">"
    if mode == "edit":
        from strands import tool
        @tool
        def load(path: str) -> str:
            return prefix + path
        extra = [load]
    elif mode == "copy":
        from strands import tool
        @tool
        def keep(path: str) -> str:
            return path
        extra = [keep]
    return Agent(tools=extra)
""", [("load", {"path": "a"}, ">a"), ("keep", {"path": "b"}, "b")])
case("built_in_another_mode", ["load"], """from strands import Agent, tool
def create(mode="run"):
    @tool
    def load(path: str) -> str:
        return path
    if mode == "edit":
        @tool
        def drop(path: str) -> str:
            return path
    return Agent(tools=[load])
""")
# A server that gets its tools in a loop, with names that the loop makes
case("added_in_a_loop", ["shop_find", "shop_order"], """from fastmcp import FastMCP
from .shelves import Shelves
class Shop:
    prefix = "shop"
    def __init__(self, shelves: Shelves, supplier=None):
        self.mcp = FastMCP(self.prefix)
        self.shelves, self.supplier = shelves, supplier
        chosen = tools = [self.find, self.order]
        if supplier is not None:
            tools.append(self.deliver)
        for one in chosen:
            self.mcp.add_tool(one, name=f"{self.prefix}_{one.__name__}")
    def find(self, item: str) -> str:
        return item
    def order(self, item: str, count: int = 1) -> str:
        return f"{count} {item}"
    def deliver(self, item: str) -> str:
        return item
""", [("shop_find", {"item": "saw"}, "saw"), ("shop_order", {"item": "saw"}, "1 saw")])
# The methods that a class lists remain its tools if its constructor gives none to the server.
case("listed_for_a_server", ["find"], """from fastmcp import FastMCP
from .shelves import Shelves
class Shop:
    def __init__(self, shelves: Shelves):
        self.tools = [self.find]
        raise RuntimeError(shelves)
    def start(self, one):
        self.mcp.add_tool(one)
    def find(self, item: str) -> str:
        return item
""")
