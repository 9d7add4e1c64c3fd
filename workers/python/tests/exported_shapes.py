"""Files of frameworks before and after their export, by how their tools are written. The specs at the end are left out."""

EXPORTED_SHAPES = {
    "attributes": ("""
from typing import Type

from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field


class Input(BaseModel):
    weight: float


class Price(BaseTool):
    name: str = "price"
    description: str = "A price."
    args_schema: Type[BaseModel] = Input
    per_kilo: float = Field(40.0, description="In kroner")
    tags = ["mail"]

    def _run(self, weight: float) -> float:
        return self.per_kilo * weight * len(self.tags)
""", """
class Price:
    per_kilo: float = 40.0
    tags = ["mail"]

    def _run(self, weight: float) -> float:
        return self.per_kilo * weight * len(self.tags)


_price = Price()
"""),
    "asynchronous": ("""
from langchain_core.tools import BaseTool


class Slow(BaseTool):
    name: str = "slow"
    description: str = "Slow."

    def _run(self, text: str) -> str:
        raise NotImplementedError("asynchronous only")

    async def _arun(self, text: str) -> str:
        return text
""", """
class Slow:
    def _run(self, text: str) -> str:
        raise NotImplementedError("asynchronous only")

    async def _arun(self, text: str) -> str:
        return text


_slow = Slow()
"""),
    "inherited": ("""
from smolagents import Tool


class First(Tool):
    name = "first"
    description = "First."
    inputs = {"x": {"type": "string", "description": "Text"}}
    output_type = "string"
    mark = "!"

    def forward(self, x: str) -> str:
        return x + self.mark


class Second(First):
    name = "second"
    mark = "?"
""", """
class First:
    mark = "!"

    def forward(self, x: str) -> str:
        return x + self.mark


class Second(First):
    mark = "?"


_first = First()
_second = Second()
"""),
    "toolkit": ("""
import json
from typing import Any, List

from agno.tools import Toolkit
from agno.utils.log import log_debug, logger


class Stars(Toolkit):
    def __init__(self, limit: int = 3, **kwargs):
        self.limit = limit

        tools: List[Any] = []
        if limit:
            tools.append(self.count)
        super().__init__(name="stars", tools=tools, **kwargs)
        self.register(self.best)

    def count(self, name: str) -> str:
        '''Counts stars.'''
        log_debug(f"Counting {name}")
        return json.dumps({"stars": self.limit})

    def best(self) -> str:
        '''The best.'''
        logger.info("Looking")
        return "Vega"
""", """
import json


class Stars:
    def __init__(self, limit: int = 3, **kwargs):
        self.limit = limit

    def count(self, name: str) -> str:
        '''Counts stars.'''
        print(f"Counting {name}")
        return json.dumps({"stars": self.limit})

    def best(self) -> str:
        '''The best.'''
        print("Looking")
        return "Vega"


_stars = Stars()
"""),
    "results": ("""
from agno.tools import tool
from agno.tools.function import ToolResult


@tool
def names(count: int = 2) -> ToolResult:
    '''Names.'''
    if count > 2:
        return ToolResult("too many")
    return ToolResult(
        content=", ".join(["Ada", "Bo"][:count]),
    )
""", """
def names(count: int = 2):
    '''Names.'''
    if count > 2:
        return "too many"
    return ", ".join(["Ada", "Bo"][:count])
"""),
    "low_level": ("""
import mcp.types as types
from mcp.server import Server

server = Server("x")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [types.Tool(name="join", description="Join.", inputSchema={"type": "object", "properties": {"parts": {"type": "array"}}})]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
    if name == "join":
        return [types.TextContent(type="text", text=" ".join(arguments["parts"]))]
    raise ValueError(name)
""", """
async def call_tool(name: str, arguments: dict):
    if name == "join":
        return " ".join(arguments["parts"])
    raise ValueError(name)


async def _join(**arguments):
    return await call_tool("join", arguments)
"""),
    "command": ("""
from autogpt.agents import Agent
from autogpt.command_decorator import command
from forge.agent.protocols import CommandProvider


@command("echo", "Echo.", {"text": {"type": "string", "description": "A text", "required": True}})
def echo(text: str, agent: Agent) -> str:
    return text


class Desk(CommandProvider):
    def get_commands(self):
        yield self.double

    @command(names=["double"], description="Double.")
    def double(self, x: int) -> int:
        return x * 2
""", """
def echo(text: str) -> str:
    return text


class Desk:
    def double(self, x: int) -> int:
        return x * 2


_desk = Desk()
"""),
    "described": ("""
from typing import Any

from .base import ToolContext
from .registry import register_tool


@register_tool("find", description="Find.", input_schema={"type": "object", "properties": {"text": {"type": "string"}}}, cost=1)
async def find(args: dict[str, Any], ctx: ToolContext) -> str:
    return args["text"]
""", """
from typing import Any

async def find(args: dict[str, Any], ctx: "ToolContext") -> str:
    return args["text"]


async def _find(**arguments):
    return await find(arguments, ctx=None)
"""),
    "made_tool": ("""
from inspect_ai.tool import Tool, tool


@tool
def add(scale: int = 1) -> Tool:
    async def execute(x: int) -> int:
        '''Add.'''
        return x * scale
    return execute
""", """
def add(scale: int = 1):
    async def execute(x: int) -> int:
        '''Add.'''
        return x * scale
    return execute


_add = add()
"""),
}
