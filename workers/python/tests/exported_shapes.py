"""Files of frameworks before and after their export, one idea each. The specs at the end are left out."""

EXPORTED = {}


def export(name, before, after):
    EXPORTED[name] = (before.lstrip("\n"), after)


export("attributes", """
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
""")
export("asynchronous", """
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
""")
export("inherited", """
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
""")
export("toolkit", """
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
""")
export("context", """
# /// script
# dependencies = ["mcp[cli]>=1.2", "numpy"]
# ///
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("Search")


@mcp.tool()
async def search(ctx: Context, words: list[str], limit: int = 3) -> str:
    '''Search.'''
    await ctx.info(f"{len(words)} words")
    for index, word in enumerate(words, 1):
        await ctx.report_progress(index, total=len(words), message=word)
        if not word:
            await ctx.warning(
                f"{ctx.request_id}: an empty word"
            )
    return " ".join(words[:limit])


if __name__ == "__main__":
    mcp.run()
""", """
# /// script
# dependencies = ["numpy"]
# ///


async def search(context, words: list[str], limit: int = 3) -> str:
    '''Search.'''
    context.log(f"{len(words)} words")
    for index, word in enumerate(words, 1):
        context.update({"progress": index, "total": len(words), "message": word})
        if not word:
            context.log(
                f"{context.call_id}: an empty word", "warning"
            )
    return " ".join(words[:limit])
""")
export("emitter", """
from typing import Any, Awaitable, Callable


class Tools:
    async def fetch(self, url: str, __event_emitter__: Callable[[dict], Awaitable[Any]] = None) -> str:
        '''
        Fetch.
        :param url: The address
        '''
        if __event_emitter__ is not None:
            await __event_emitter__({"type": "status", "data": {"description": f"Reading {url}", "done": False}})
        await __event_emitter__({"type": "citation", "data": {"document": [url]}})
        return url
""", """
class Tools:
    async def fetch(self, url: str, context=None) -> str:
        '''
        Fetch.
        :param url: The address
        '''
        if context is not None:
            context.update({"message": f"Reading {url}", "done": False})
        context.update({"type": "citation", "data": {"document": [url]}})
        return url


_tools = Tools()
""")
export("state", """
from google.adk.agents import Agent
from google.adk.tools import ToolContext


def remember(text: str, tool_context: ToolContext) -> int:
    '''Remember a text.'''
    notes = tool_context.state.setdefault("notes", [])
    notes.append(text)
    return len(notes)


root_agent = Agent(name="notes", model="gemini-2.0-flash", tools=[remember])
""", """
def remember(text: str) -> int:
    '''Remember a text.'''
    notes = _state.setdefault("notes", [])
    notes.append(text)
    return len(notes)


_state = {}
""")
export("errors", """
from agents import RunContextWrapper, function_tool
from pydantic_ai import Agent, ModelRetry, RunContext

agent = Agent("openai:gpt-5")


@agent.tool
def half(ctx: RunContext[None], number: int) -> int:
    '''Half.'''
    if number % 2:
        raise ModelRetry(f"{number} is odd")
    return number // 2


@function_tool
def double(wrapper: RunContextWrapper, number: int) -> int:
    '''Double.'''
    return number * 2
""", """
def half(number: int, *, context) -> int:
    '''Half.'''
    if number % 2:
        raise context.error(f"{number} is odd", recoverable=True)
    return number // 2


def double(number: int) -> int:
    '''Double.'''
    return number * 2
""")
export("results", """
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
""")
