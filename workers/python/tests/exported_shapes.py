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
    "model_that_runs": ("""
from typing import List

import langroid as lr
from langroid.agent.tool_message import ToolMessage
from langroid.pydantic_v1 import BaseModel, Field


class Point(BaseModel):
    x: int = Field(..., description="Across")


class Near(ToolMessage):
    request: str = "near"
    purpose: str = "To find what is near a <point>"
    point: Point

    @classmethod
    def examples(cls) -> List[ToolMessage]:
        return [cls(point=Point(x=1))]

    def handle(self) -> str:
        return f"{self.point.x}"
""", """
from pydantic import BaseModel, Field


class Point(BaseModel):
    x: int = Field(..., description="Across")


class Near(BaseModel):
    point: Point

    def handle(self) -> str:
        return f"{self.point.x}"


def _call_near(**arguments):
    return Near(**arguments).handle()
"""),
    "handler_with_callback": ("""
from pipecat.adapters.schemas.function_schema import FunctionSchema
from pipecat.adapters.schemas.tools_schema import ToolsSchema
from pipecat.services.llm_service import FunctionCallParams


async def fetch(params: FunctionCallParams):
    await params.result_callback(params.arguments["place"])


async def wait(function_name, tool_call_id, args, llm, context, result_callback):
    await result_callback(args["n"])


fetch_schema = FunctionSchema(name="fetch", description="Fetch.", properties={"place": {"type": "string"}}, required=["place"])
wait_schema = FunctionSchema(name="wait", description="Wait.", properties={"n": {"type": "integer"}}, required=["n"])
tools = ToolsSchema(standard_tools=[fetch_schema, wait_schema])
""", """
async def fetch(params):
    await params.result_callback(params.arguments["place"])


async def wait(function_name, tool_call_id, args, llm, context, result_callback):
    await result_callback(args["n"])


class _Call:
    \"\"\"The arguments of a call, with a function that takes its result.\"\"\"

    def __init__(self, function_name, arguments):
        self.function_name, self.arguments = function_name, arguments
        self.tool_call_id, self.result = "", None

    async def result_callback(self, result=None, **options):
        self.result = result


async def _call_fetch(**arguments):
    call = _Call("fetch", arguments)
    result = await fetch(call)
    return call.result if result is None else result


async def _call_wait(**arguments):
    call = _Call("wait", arguments)
    result = await wait("wait", "", arguments, None, None, call.result_callback)
    return call.result if result is None else result
"""),
    "action": ("""
from typing import Type

from pydantic import BaseModel
from vocode.streaming.action.base_action import BaseAction
from vocode.streaming.models.actions import ActionConfig, ActionInput, ActionOutput


class NoteConfig(ActionConfig, type="note_down"):
    pass


class NoteParameters(BaseModel):
    text: str


class NoteResponse(BaseModel):
    saved: str


class Note(BaseAction[NoteConfig, NoteParameters, NoteResponse]):
    description: str = "Note something down."
    parameters_type: Type[NoteParameters] = NoteParameters
    response_type: Type[NoteResponse] = NoteResponse

    async def run(self, action_input: ActionInput[NoteParameters]) -> ActionOutput[NoteResponse]:
        text = action_input.params.text
        return ActionOutput(
            action_type=action_input.action_config.type,
            response=NoteResponse(saved=text),
        )
""", """
import types
from pydantic import BaseModel


class NoteParameters(BaseModel):
    text: str


class NoteResponse(BaseModel):
    saved: str


class Note:
    async def run(self, action_input):
        text = action_input.params.text
        return NoteResponse(saved=text)


_note = Note()


async def _call_run(**arguments):
    result = await _note.run(types.SimpleNamespace(params=NoteParameters.model_validate(arguments)))
    return result.model_dump(mode="json")
"""),
}
