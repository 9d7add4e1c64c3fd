"""Shapes of files whose classes build a server, and of tools that objects of a file hold."""

from .foreign_shapes import case
from .foreign_shapes_built import INNER

# Classes that build a server
case("class_constructor", ["add", "twice"], """from mcp.server.fastmcp import FastMCP
class MyServer:
    def __init__(self, factor=2):
        self.factor = factor
        self.mcp = FastMCP("x")
        @self.mcp.tool()
        def add(a: int, b: int) -> int:
            return a + b
        @self.mcp.tool()
        def twice(a: int) -> int:
            return a * self.factor
    def run(self):
        self.mcp.run()
def main():
    MyServer().run()
""", [("add", {"a": 1, "b": 2}, 3), ("twice", {"a": 3}, 6)])
case("class_method", ["note.a", "ping"], f"""from fastmcp import FastMCP
class Server:
    def __init__(self, config):
        self.config = config
        self.mcp = FastMCP(config.name)
        self._setup_tools()
    def _setup_tools(self):
{INNER.format("a").replace(chr(10) + "    ", chr(10) + "        ").replace("@mcp", "@self.mcp")}
        self.mcp.tool()(self.ping)
    def ping(self, host: str) -> str:
        return host
def main(config):
    Server(config).mcp.run()
""", [("note.a", {"text": "x"}, "X"), ("ping", {"host": "h"}, "h")])
case("class_called_later", ["look"], """from fastmcp import FastMCP
class Server:
    def __init__(self):
        self.mcp = FastMCP("x")
    def register(self):
        self.mcp.add_tool(self.look)
    def look(self, path: str) -> str:
        return path
    def run(self):
        self.register()
        self.mcp.run()
server = Server()
if __name__ == "__main__":
    server.run()
""", [("look", {"path": "p"}, "p")])
case("class_low_level", ["echo"], """from mcp.server import Server
from mcp.types import TextContent, Tool
class EchoServer:
    def __init__(self):
        self.server = Server("echo")
        self._setup_handlers()
    def _setup_handlers(self):
        @self.server.list_tools()
        async def list_tools():
            return [Tool(name="echo", description="Echo.", inputSchema={"type": "object", "properties": {"text": {"type": "string"}}})]
        @self.server.call_tool()
        async def call_tool(name, arguments):
            if name == "echo":
                return self._echo(arguments)
    def _echo(self, arguments):
        return [TextContent(type="text", text=arguments["text"])]
    async def run(self):
        await self.server.run()
""", [("echo", {"text": "a"}, "a")])
# A class that asks for input is not created, and neither is one that only decorates, nor one beside other tools.
case("class_input", [], "from fastmcp import FastMCP\nclass S:\n    def __init__(self):\n        self.mcp = FastMCP(input())\n        @self.mcp.tool()\n        def f(x: str) -> str:\n            return x\n")
case("class_run", ["f"], "from fastmcp import FastMCP\nclass S:\n    def run(self):\n        mcp = FastMCP('x')\n        @mcp.tool()\n        def f(x: str) -> str:\n            return x\n        mcp.run()\n")
case("class_wraps", [], "import functools\nfrom fastmcp import FastMCP\nclass S:\n    def __init__(self):\n        raise SystemExit\n    def retry(self, f):\n        @functools.wraps(f)\n        def inner(*a):\n            return f(*a)\n        return inner\n")
case("class_beside_others", ["own"], "from fastmcp import FastMCP\napp = FastMCP('x')\n@app.tool\ndef own(x: str) -> str:\n    return x\nclass S:\n    def __init__(self):\n        @app.tool\n        def more(x: str) -> str:\n            return x\n")

# Classes that build a server with methods of their base classes, which work only together
case("class_mixins", ["add", "shout"], """from mcp.server.fastmcp import FastMCP
class MathTools:
    def register_math(self):
        @self.server.tool()
        def add(a: int, b: int) -> int:
            return a + b
class TextTools:
    def register_text(self):
        @self.server.tool()
        def shout(text: str) -> str:
            return text.upper()
class App(MathTools, TextTools):
    def __init__(self):
        self.server = FastMCP("app")
        self.register_math()
        self.register_text()
def main():
    App().server.run()
""", [("add", {"a": 1, "b": 2}, 3), ("shout", {"text": "a"}, "A")])

# Objects that the file passes to an agent, and records of its own class
case("given_to_agent", ["read", "write"], """from agno.agent import Agent
from agno.tools import Toolkit
class ShelfTools(Toolkit):
    def __init__(self, write=False, **named):
        tools = [self.read]
        if write:
            tools.append(self.write)
        super().__init__(name="shelf", tools=tools, **named)
    def read(self, key: str) -> str:
        return key
    def write(self, key: str) -> str:
        return key + "!"
agent = Agent(tools=[ShelfTools(write=True)])
""", [("write", {"key": "a"}, "a!")])
case("records", ["read_file", "twice"], """from dataclasses import dataclass
from typing import Callable
from anthropic import Anthropic
@dataclass
class ToolDefinition:
    name: str
    description: str
    input_schema: dict
    function: Callable[[dict], str]
@dataclass
class Other:
    name: str
    description: str
    function: Callable[[dict], str]
def _read(given):
    return given["path"]
def _twice(x):
    return 2 * x
READ = ToolDefinition("read_file", "Read.", {"type": "object", "properties": {"path": {"type": "string"}}}, _read)
OTHER = Other("other", "No tool.", _read)
MORE = [ToolDefinition("twice", "Double.", {"type": "object", "properties": {"x": {"type": "integer"}}}, _twice)]
""", [("read_file", {"path": "p"}, "p"), ("twice", {"x": 2}, 4)])
case("openai_models", ["deliver", "Total"], """import openai
from openai import pydantic_function_tool
from pydantic import BaseModel
class Deliver(BaseModel):
    order: str
    express: bool = False
class Total(BaseModel):
    numbers: list[int]
def deliver(args: Deliver) -> str:
    return f"{args.order} {args.express}"
def total(args: Total) -> int:
    return sum(args.numbers)
tools = [openai.pydantic_function_tool(Deliver, name="deliver"), pydantic_function_tool(Total, description="Sum.")]
FUNCTIONS = {"Total": total}
client = openai.OpenAI()
""", [("deliver", {"order": "a"}, "a False"), ("Total", {"numbers": [1, 2]}, 3)])
case("dspy_types", ["plan"], """import dspy
plan = dspy.Tool(lambda city, nights=2: f"{nights} in {city}", name="plan", desc="Plan a stay.", arg_types={"city": str, "nights": int})
""", [("plan", {"city": "a"}, "2 in a")])

# Classes that get their server or agent from the application, which passes it to the constructor or to a method
case("server_in_constructor", ["find", "note.a"], f"""from fastmcp import Context, FastMCP
from .codes import Client
class FindTool:
    def __init__(self, app: FastMCP, client: Client):
        self.app = app
        self.client = client
        self._register()
    def _register(self):
        @self.app.tool()
        async def find(ctx: Context, code: str) -> str:
            return self._found(code)
{INNER.format("a").replace(chr(10) + "    ", chr(10) + "        ").replace("@mcp", "@self.app")}
    def _found(self, code):
        return code or self.client.find(code)
""", [("find", {"code": "c"}, "c")])
case("server_in_method", ["images"], """from typing import TYPE_CHECKING
from fastmcp.utilities.logging import get_logger
if TYPE_CHECKING:
    from fastmcp import FastMCP
class ImageTools:
    def register_tools(self, mcp: "FastMCP"):
        mcp.tool()(self.images)
    def images(self, kind: str = "png") -> str:
        return kind
""", [("images", {}, "png")])
case("agent_in_constructor", ["order"], """from pydantic_ai import Agent, RunContext
class Orders:
    def __init__(self, waiter: Agent[str, str]):
        @waiter.tool
        async def order(ctx: RunContext[str], dish: str) -> str:
            return dish
""", [("order", {"dish": "d"}, "d")])

# Methods that a class lists as tools, for an agent of its own or for others
case("listed_for_agent", ["save", "search"], """from agno.agent import Agent
class Research:
    def __init__(self, key: str = ""):
        self.key = key
        self.agent = Agent(tools=[self.search, self.save])
    def search(self, query: str) -> str:
        return query + self.key
    async def save(self, text: str) -> str:
        return text
    def run(self, prompt: str):
        return self.agent.run(prompt)
""", [("search", {"query": "q"}, "q"), ("save", {"text": "t"}, "t")])
case("listed_as_attribute", ["balance"], """from pydantic_ai import Agent, RunContext
class Bank:
    def __init__(self, db):
        self.db = db
        self.tools = [self.balance]
    async def balance(self, ctx: RunContext[None], pending: bool) -> str:
        return str(pending)
""", [("balance", {"pending": True}, "True")])
case("listed_by_method", ["look", "upper"], """from google.adk.agents import Agent
from .base import Plugin
def look(path: str) -> str:
    return path
class Text(Plugin):
    def upper(self, text: str) -> str:
        return text.upper()
    def get_text_tools(self):
        return [self.upper]
def get_tools():
    return [look]
""", [("upper", {"text": "a"}, "A"), ("look", {"path": "p"}, "p")])
# Controls: the name of an attribute does not make tools of what its list holds, unless an agent gets the list.
case("listed_for_later", ["look"], """from langchain.agents import create_agent
class Desk:
    def __init__(self):
        self.closing_functions = [self.close]
        self.chosen_tools = [self.look]
        self.agent = create_agent("m", tools=self.chosen_tools)
    def look(self, path: str) -> str:
        return path
    def close(self) -> None:
        'Close it.'
""", [("look", {"path": "p"}, "p")])
case("listed_in_toolkit", ["look"], """from agno.tools import Toolkit
class Desk(Toolkit):
    def __init__(self):
        self.undone = [self.close]
        super().__init__(name="desk", tools=[self.look])
        raise ValueError("no desk")
    def look(self, path: str) -> str:
        return path
    def close(self) -> None:
        'Close it.'
""")
# Control: nothing says that these tools are tools for models.
case("listed_elsewhere", [], "import tkinter\nclass Paint:\n    def __init__(self):\n        self.tools = [self.pen]\n    def pen(self, x: int) -> None:\n        'Draw.'\n")

# A class whose constructor needs what only the application has: methods that do without it work.
case("needs_application", ["Kit_upper"], """import llm
class Kit(llm.Toolbox):
    def __init__(self, root):
        self.root = root
    def upper(self, text: str) -> str:
        return text.upper()
""", [("Kit_upper", {"text": "a"}, "A")])

# A class that lists its tools when it is used: only these are tools.
case("lists_its_own", ["upper"], """import llm
class Kit(llm.Toolbox):
    def method_tools(self):
        for one in self.client.list():
            yield llm.Tool.method(one)
def upper(text: str) -> str:
    return text.upper()
@llm.hookimpl
def register_tools(register):
    register(Kit)
    register(upper)
""", [("upper", {"text": "a"}, "A")])

# Plain values that the file passes where it runs as a program
case("literals_of_class", ["balance"], """from fastmcp import FastMCP
class Ledger:
    def __init__(self, currency: str, opening, *, digits=2):
        self.mcp = FastMCP(currency)
        @self.mcp.tool()
        def balance(extra: float) -> str:
            return f"{round(opening + extra, digits)} {currency}"
if __name__ == "__main__":
    Ledger("EUR", 5, digits=1).mcp.run()
""", [("balance", {"extra": 0.26}, "5.3 EUR")])
case("literals_of_function", ["ask"], """from fastmcp import FastMCP
def create(name, db, path):
    mcp = FastMCP(name)
    @mcp.tool()
    def ask(question: str) -> str:
        return f"{question} {name} {path}"
    return mcp
def main():
    create("shop", connect(), path="p.db").run()
""", [("ask", {"question": "a"}, "a shop p.db")])
case("server_of_missing_base", ["press"], """from .base import BaseTool
class Keyboard(BaseTool):
    def register(self):
        self.mcp.tool()(self.press)
    async def press(self, key: str) -> str:
        return key
    def other(self, key: str) -> str:
        return key
""")
# A function such as get_tools() may have several lists: the tools are in the one that it returns.
case("lists_of_get_tools", ["search"], """from langchain.agents import create_agent
def check(path: str) -> bool:
    return True
class Agent:
    def get_tools(self):
        for step in [self.reset, check]:
            step()
        return [self.search]
    def search(self, query: str) -> str:
        return query
    def reset(self) -> None:
        pass
""", [("search", {"query": "q"}, "q")])

# The schema that a decorator of a missing file gets, and a function that takes all arguments as one dict
case("described_by_decorator", ["notes.find", "count"], """from .base import Context
from .registry import register_tool
SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["query"]}
@register_tool("notes.find", description="Find notes.", input_schema=SCHEMA, category="notes")
async def find(args: dict, context: Context):
    return f"{args['query']} {args.get('limit')}"
@register_tool(name="count", description="Count.", parameters={"type": "object", "properties": {"text": {"type": "string"}}})
def count(text) -> int:
    return len(text)
""", [("notes.find", {"query": "q", "limit": 2}, "q 2"), ("count", {"text": "abc"}, 3)])
# Tools that a method of a class with a missing base makes
case("class_missing_base_makes", ["half"], """from absent_shop.base import BaseTool
from agents import function_tool
class Numbers(BaseTool):
    def __init__(self, config):
        super().__init__(config)
    def initialize(self):
        @function_tool
        def half(x: int) -> int:
            return x // 2
""", [("half", {"x": 4}, 2)])
# A class that describes a tool and registers it: the function counts that the server gets.
case("class_registers_itself", ["edit", "look"], """from mcp.server.fastmcp import Context, FastMCP
class Edit:
    name = "edit"
    description = "Edit a file."
    async def call(self, ctx: Context, **params) -> str:
        return params["path"] * params["times"]
    def register(self, mcp_server: FastMCP):
        @mcp_server.tool(name=self.name, description=self.description)
        async def edit(path: str, ctx: Context, times: int = 2) -> str:
            return await self.call(ctx, path=path, times=times)
class LookTool:
    name = "look"
    description = "Look."
    def register(self, mcp_server: FastMCP):
        @mcp_server.tool(name=self.name)
        def look(path: str) -> str:
            return path
""", [("edit", {"path": "a"}, "aa"), ("look", {"path": "b"}, "b")])
# Handlers of a low-level server that are methods
case("class_low_level_methods", ["echo"], """from mcp.server.lowlevel import Server
import mcp.types as types
class Echo:
    def __init__(self):
        self.server = Server("echo")
        self.server.list_tools()(self.tools)
        self.server.call_tool()(self.run_tool)
    async def tools(self):
        return [types.Tool(name="echo", description="Echo.", inputSchema={"type": "object", "properties": {"text": {"type": "string"}}})]
    async def run_tool(self, name, arguments):
        return [types.TextContent(type="text", text=arguments["text"])]
""", [("echo", {"text": "a"}, "a")])
# Descriptions with inputs, values beside the schema, and tools without parameters. A class that runs other tools is none.
case("class_own_tools", ["upper", "join", "now"], """from dataclasses import dataclass
@dataclass
class Definition:
    name: str
    description: str
    inputs: list
class UpperTool:
    async def execute(self, params: dict) -> str:
        return params["text"].upper()
    def get_definition(self) -> Definition:
        return Definition("upper", "Upper case.", [{"name": "text", "type": "string", "required": True}])
class JoinTool:
    name = "join"
    description = "Join two texts."
    parameters = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a", "b"]}
    def run(self, context, a: str, b: str) -> str:
        return a + b
class NowTool:
    name = "now"
    description = "The time."
    def run(self, **options) -> str:
        return "12:00"
class ToolRunner:
    name = "runner"
    description = "Runs tools."
    def run(self, name: str, arguments: dict) -> str:
        return name
""", [("upper", {"text": "a"}, "A"), ("join", {"a": "a", "b": "b"}, "ab"), ("now", {}, "12:00")])
