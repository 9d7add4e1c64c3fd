"""Files of frameworks before and after their export, by what their tools need of a framework, or of packages that cannot be
installed. The specs at the end are left out."""

EXPORTED_DEPENDENCIES = {
    "context": ("""
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
"""),
    "emitter": ("""
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
"""),
    "state": ("""
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
"""),
    "errors": ("""
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
"""),
    "absent": ("""
from __future__ import annotations
import json
import shop_client
from shop_data import Session, open_session
from smolagents import tool


@tool
def stock(name: str) -> str:
    '''Stock.'''
    if not name:
        return "no name"
    found = shop_client.find(name)
    return json.dumps(found)


@tool
def price(name: str, session: Session = None) -> str:
    '''Price.'''
    with open_session() as opened:
        kept: Session = opened
        return kept.price(name)
""", """
from __future__ import annotations
import json


def stock(name: str) -> str:
    '''Stock.'''
    if not name:
        return "no name"
    import shop_client
    found = shop_client.find(name)
    return json.dumps(found)


def price(name: str, session: Session = None) -> str:
    '''Price.'''
    from shop_data import open_session
    with open_session() as opened:
        kept: Session = opened
        return kept.price(name)
"""),
    "absent_values": ("""
import os
from agents import function_tool
from shop_data import Row, connect, trace

db = connect(
    os.getenv("SHOP", ""),
    lazy=True,
)
rows: dict[str, Row] = {}
trace("started")


@function_tool
@trace
def ask(question: str) -> str:
    '''Ask.'''
    def inner(row: Row) -> str:
        return db.ask(question)
    return inner(rows)


if __name__ == "__main__":
    print(db.ask("x"))
""", """
import os
import functools


@functools.cache
def _db():
    from shop_data import connect
    return connect(
        os.getenv("SHOP", ""),
        lazy=True,
    )


rows = {}


def ask(question: str) -> str:
    '''Ask.'''
    from shop_data import Row

    def inner(row: Row) -> str:
        return _db().ask(question)
    return inner(rows)
"""),
    "absent_in_constructor": ("""
from agno.tools import Toolkit

try:
    from shop_client import Client
except ImportError:
    raise ImportError("install shop_client")


class Shop(Toolkit):
    def __init__(self, key: str = "", is_wide: bool = False, **kwargs):
        super().__init__(name="shop", **kwargs)
        self.client = Client(key)
        if is_wide:
            self.register(self.list_all)
        self.register(self.find)

    def find(self, name: str) -> str:
        '''Find.'''
        return self.client.find(name)

    def list_all(self) -> str:
        '''All.'''
        return ""
""", """
import functools


class Shop:
    def __init__(self, key: str = "", is_wide: bool = False, **kwargs):
        from shop_client import Client
        self.client = Client(key)

    def find(self, name: str) -> str:
        '''Find.'''
        return self.client.find(name)

    def list_all(self) -> str:
        '''All.'''
        return ""


@functools.cache
def _shop():
    return Shop()
"""),
    "missing_base": ("""
from .base import BaseTool, ToolResult


class Weigh(BaseTool):
    '''Weigh a parcel.'''

    name = "weigh"
    description = "Weigh a parcel."
    parameters = {"type": "object", "properties": {"grams": {"type": "integer"}}, "required": ["grams"]}

    def __init__(self):
        super().__init__()
        self.unit = "g"

    def run(self, grams: int) -> str:
        return f"{grams} {self.unit}"
""", """
class Weigh:
    '''Weigh a parcel.'''

    def __init__(self):
        self.unit = "g"

    def run(self, grams: int) -> str:
        return f"{grams} {self.unit}"


_weigh = Weigh()
"""),
    "one_dict": ("""
import json

from .base import BaseTool


class Weigh(BaseTool):
    '''Weigh a parcel.'''

    name = "weigh"
    description = "Weigh a parcel."
    parameters = {"type": "object", "properties": {"grams": {"type": "integer"}}, "required": ["grams"]}

    async def run(self, args: dict, ctx=None) -> str:
        return f"{args['grams']} g"


def list_tools():
    return [{"name": "half", "description": "Half.", "input_schema": {"type": "object", "properties": {"of": {"type": "number"}}}}]


def execute_tool(name, arguments):
    given = json.loads(arguments)
    return given["of"] / 2
""", """
import json


class Weigh:
    '''Weigh a parcel.'''

    async def run(self, args: dict, ctx=None) -> str:
        return f"{args['grams']} g"


def list_tools():
    return [{"name": "half", "description": "Half.", "input_schema": {"type": "object", "properties": {"of": {"type": "number"}}}}]


def execute_tool(name, arguments):
    given = json.loads(arguments)
    return given["of"] / 2


_weigh = Weigh()


async def _call_run(**arguments):
    return await _weigh.run(arguments)


def _half(**arguments):
    return execute_tool("half", json.dumps(arguments))
"""),
}
