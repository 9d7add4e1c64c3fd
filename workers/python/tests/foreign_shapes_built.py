"""Shapes of files whose tools are made by functions that nothing calls."""

from .foreign_shapes import case

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
# Inner functions that a function or a method passes to an agent, or returns, as tools
case("built_inner_functions", ["find", "keep"], """from langchain.agents import create_agent
from absent_store import open_store
def build_agent(model, path):
    store = open_store(path)
    def find(text: str) -> str:
        return store.find(text)
    async def keep(text: str, label: str = "note") -> str:
        return f"{label}: {text}"
    def helper(text: str) -> str:
        return text
    chosen_tools = [find]
    chosen_tools.append(keep)
    return create_agent(model, tools=chosen_tools)
""", [("keep", {"text": "a"}, "note: a")])
case("built_inner_toolset", ["find"], """def make_toolset(store=None):
    if store is None:
        from absent_store import Store
        store = Store()
    def find(text: str) -> str:
        return text.upper()
    from pydantic_ai.toolsets import FunctionToolset
    return FunctionToolset([find])
""", [("find", {"text": "a"}, "A")])
case("built_inner_returned", ["find"], """from langgraph.graph import StateGraph
class Desk:
    def __init__(self, store):
        self.store = store
    def get_tools(self):
        def find(text: str) -> str:
            return text.upper()
        return [find]
""", [("find", {"text": "a"}, "A")])
# Control: what a function returns beside its server, or calls itself, is no tool
case("built_beside_returned", ["add"], """from fastmcp import FastMCP
def create_server():
    server = FastMCP("desk")
    @server.tool()
    def add(a: int, b: int = 1) -> int:
        return a + b
    def cleanup(path: str) -> str:
        'Delete a folder.'
        return path
    return server, cleanup
""", [("add", {"a": 2}, 3)])
case("built_helpers_returned", ["pack"], """from fastmcp import FastMCP
mcp = FastMCP("desk")
def register_tools(mcp):
    @mcp.tool()
    def pack(text: str) -> str:
        return text
    def drop(text: str) -> str:
        'Drop everything.'
        return text
    return [drop]
""", [("pack", {"text": "a"}, "a")])
case("built_tools_beside_returned", [], """from langgraph.graph import StateGraph
def build_tools(store):
    def find(text: str) -> str:
        return text.upper()
    def cleanup(path: str) -> str:
        return path
    tools = [find]
    return tools, cleanup
""")
# Control: a function that builds an agent is no tool, even if the file exports it
case("built_exported", [], """from langgraph.graph import StateGraph
__all__ = ["create_graph"]
def create_graph(state, tools):
    return StateGraph(state)
""")
# Vertex AI: a constructor declares methods, and a function declares a function
case("vertex_declared_methods", ["stop", "search"], """from vertexai.generative_models import FunctionDeclaration, GenerativeModel, Tool
class Assistant:
    def __init__(self, town: str = "Bern") -> None:
        self.town = town
        stop, search = FunctionDeclaration.from_func(self.stop), FunctionDeclaration.from_func(self.search)
        self.model = GenerativeModel("gemini", tools=[Tool(function_declarations=[stop, search])])
    def stop(self, name: str):
        "Tell about a stop."
        return f"{name} in {self.town}"
    def search(self, name: str, limit: int = 3):
        "Search for stops."
        return [name] * limit
    def chat(self, text: str):
        "Chat."
        return self.model.start_chat().send_message(text)
""", [("stop", {"name": "a"}, "a in Bern"), ("search", {"name": "a", "limit": 1}, ["a"])])
case("vertex_declared_inside", ["search"], """from google.genai import types
def search(name: str) -> str:
    "Search."
    return name
def other(name: str) -> str:
    "Helps."
    return name
def main(client):
    return types.FunctionDeclaration.from_callable(client=client, callable=search)
""", [("search", {"name": "a"}, "a")])
