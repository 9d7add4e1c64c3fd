"""Shapes of files that make an MCP server."""

from .foreign_shapes import case

case('mcp_lifespan', ['query','image','boom','big'], '''
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
import httpx
from mcp.server.fastmcp import FastMCP, Context, Image
from mcp.server.fastmcp.prompts import base
from mcp.types import TextContent, ToolAnnotations
from pydantic import BaseModel, Field
@dataclass
class AppContext:
    db: str
@asynccontextmanager
async def app_lifespan(server: FastMCP) -> AsyncIterator[AppContext]:
    yield AppContext(db="x")
mcp = FastMCP("My App", lifespan=app_lifespan, dependencies=["pandas"], log_level="ERROR", host="0.0.0.0", port=8050)
class Weather(BaseModel):
    temperature: float = Field(description="in C")
    tags: list[str] = []
@mcp.tool(annotations=ToolAnnotations(title="Query it", readOnlyHint=True))
async def query(ctx: Context, sql: str, limit: int | None = None) -> Weather:
    """Runs a query."""
    await ctx.report_progress(0.5, 1.0)
    ctx.request_context.lifespan_context.db
    return Weather(temperature=1.5)
@mcp.tool()
def image(n: int) -> Image:
    """Image"""
    return Image(data=b"\\x89PNG\\r\\n\\x1a\\n", format="png")
@mcp.tool()
def boom() -> list[TextContent]:
    """B"""
    return [TextContent(type="text", text="t")]
@mcp.tool()
async def big(url: str) -> str:
    """Needs httpx"""
    async with httpx.AsyncClient() as c:
        r = await c.get(url)
        return r.text
@mcp.prompt()
def review(code: str) -> list[base.Message]:
    return [base.UserMessage(code)]
@mcp.resource("config://app")
def cfg() -> str:
    return "x"
mcp.run()
''', [('query',{'sql':'s'},{'temperature':1.5,'tags':[]}),('boom',{},'t')])
case('mcp_class', ['hello','bye'], '''
from mcp.server.fastmcp import FastMCP
class Srv:
    def __init__(self):
        self.mcp = FastMCP("x")
        self.mcp.tool()(self.hello)
        self.mcp.add_tool(self.bye, name="bye")
    def hello(self, name: str) -> str:
        """Hello."""
        return "hi " + name
    def bye(self) -> str:
        """Bye."""
        return "bye"
srv = Srv()
''', [('hello',{'name':'a'},'hi a')])
case('mcp_factory', ['hello'], '''
from fastmcp import FastMCP
def create_server():
    mcp = FastMCP("x")
    @mcp.tool
    def hello(name: str) -> str:
        """Hello."""
        return name
    return mcp
if __name__ == "__main__":
    create_server().run()
''')
case('mcp_factory_called', ['hello'], '''
from fastmcp import FastMCP
def create_server():
    mcp = FastMCP("x")
    @mcp.tool
    def hello(name: str) -> str:
        """Hello."""
        return name
    return mcp
mcp = create_server()
''', [('hello',{'name':'x'},'x')])
case('mcp_low_enum', ['get_current_time','convert_time'], '''
from enum import Enum
import json, asyncio, logging
from typing import Sequence
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import Tool, TextContent, ImageContent, EmbeddedResource
import mcp.types as types
from mcp.shared.exceptions import McpError
from pydantic import BaseModel
class TimeTools(str, Enum):
    GET = "get_current_time"
    CONVERT = "convert_time"
class Conv(BaseModel):
    source: str
    time: str = "12:00"
app = Server("mcp-time")
@app.list_resources()
async def list_resources() -> list[types.Resource]:
    return []
@app.list_tools()
async def list_tools() -> list[Tool]:
    return [Tool(name=TimeTools.GET.value, description="Get", inputSchema={"type":"object","properties":{"timezone":{"type":"string"}},"required":["timezone"]}),
            types.Tool(name=TimeTools.CONVERT, description="Conv", inputSchema=Conv.model_json_schema())]
@app.call_tool()
async def call_tool(name: str, arguments: dict) -> Sequence[TextContent | ImageContent]:
    match name:
        case TimeTools.GET.value:
            r = {"tz": arguments.get("timezone")}
        case TimeTools.CONVERT.value:
            r = Conv(**arguments).model_dump()
        case _:
            raise ValueError(f"Unknown {name}")
    return [TextContent(type="text", text=json.dumps(r))]
''', [('get_current_time',{'timezone':'x'},'{"tz": "x"}'),('convert_time',{'source':'a'},'{"source": "a", "time": "12:00"}')])
case('mcp_low_v2', ['roll'], '''
from mcp.server.lowlevel import Server
from mcp.server import ServerRequestContext
from mcp.types import Tool, TextContent, ListToolsResult, CallToolResult, CallToolRequestParams, PaginatedRequestParams
async def handle_list(ctx: ServerRequestContext, params: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=[Tool(name="roll", description="Roll", input_schema={"type":"object","properties":{"n":{"type":"integer"}}})])
async def handle_call(ctx: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=str(params.arguments["n"]))])
server = Server("x", on_list_tools=handle_list, on_call_tool=handle_call)
''', [('roll',{'n':3},'3')])
case('mcp_serve_inner', ['git_status'], '''
from mcp.server import Server
from mcp.types import Tool, TextContent
async def serve(repo) -> None:
    server = Server("mcp-git")
    @server.list_tools()
    async def list_tools() -> list[Tool]:
        return [Tool(name="git_status", description="d", inputSchema={"type": "object", "properties": {}})]
    @server.call_tool()
    async def call_tool(name: str, arguments: dict) -> list[TextContent]:
        return []
''')
case("mcp_enum_doc", ["pick"], """from enum import Enum
from typing import Annotated
from pydantic import Field
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("pick", dependencies=["httpx"], log_level="ERROR")
class Size(str, Enum):
    SMALL = "small"
    BIG = "big"
@mcp.tool(description="Pick a size.")
async def pick(size: Annotated[Size, Field(description="Which")] = Size.SMALL) -> str:
    return size.value
if __name__ == "__main__":
    mcp.run(transport="stdio")
""", [("pick", {"size": "big"}, "big"), ("pick", {}, "small")])
case("mcp_model_result", ["find"], """from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel
mcp = FastMCP("x", instructions="y", stateless_http=True, json_response=True)
class Hit(BaseModel):
    title: str
    score: float = 1.0
class Hits(BaseModel):
    hits: list[Hit]
@mcp.tool()
def find(query: str, limit: int | None = None) -> Hits:
    '''Find.'''
    return Hits(hits=[Hit(title=query)])
@mcp.resource("config://app")
def config() -> str:
    return "x"
@mcp.prompt()
def ask(topic: str) -> str:
    return topic
""", [("find", {"query": "a"}, {"hits": [{"title": "a", "score": 1.0}]})])
case("mcp_lib_client", ["weather"], """import httpx
from typing import Any
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("weather")
API = "https://example.org"
async def make_request(url: str) -> dict[str, Any] | None:
    async with httpx.AsyncClient() as client:
        return (await client.get(url)).json()
@mcp.tool()
async def weather(state: str) -> str:
    '''Get alerts.

    Args:
        state: Two letters
    '''
    return state.upper()
def main():
    mcp.run(transport='stdio')
if __name__ == "__main__":
    main()
""", [("weather", {"state": "ca"}, "CA")])
case("mcp_decorated_twice", ["safe"], """import functools
from fastmcp import FastMCP
mcp = FastMCP("x")
def handle_errors(f):
    @functools.wraps(f)
    async def wrapper(*args, **kwargs):
        try:
            return await f(*args, **kwargs)
        except ValueError as e:
            return f"Error: {e}"
    return wrapper
@mcp.tool
@handle_errors
async def safe(n: int) -> str:
    '''Be safe.'''
    if n < 0:
        raise ValueError("no")
    return str(n)
""", [("safe", {"n": -1}, "Error: no")])
case("mcp_class_self", ["look"], """from fastmcp import FastMCP
class Service:
    def __init__(self, mcp: FastMCP):
        self.store = {"a": "1"}
        mcp.tool(self.look)
    def look(self, key: str) -> str:
        '''Look.'''
        return self.store[key]
mcp = FastMCP("svc")
service = Service(mcp)
""", [("look", {"key": "a"}, "1")])
case("mcp_mounted", ["ping"], """from fastmcp import FastMCP
main = FastMCP("main")
sub = FastMCP("sub")
@sub.tool
def ping() -> str:
    '''Ping.'''
    return "pong"
main.mount(sub, prefix="s")
""", [("ping", {}, "pong")])
case("mcp_low_dict", ["roll"], """from mcp.server import Server
import mcp.types as types
server = Server("dice")
TOOLS = {"roll": types.Tool(name="roll", description="Roll.", inputSchema={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})}
@server.list_tools()
async def handle_list_tools() -> list[types.Tool]:
    return list(TOOLS.values())
@server.call_tool()
async def handle_call_tool(name: str, arguments: dict | None) -> list[types.TextContent | types.ImageContent]:
    if name != "roll":
        raise ValueError(name)
    return [types.TextContent(type="text", text=str(arguments["n"]))]
""", [("roll", {"n": 3}, "3")])
case('fastmcp_v2', ['search_items','items','img'], '''
from typing import Annotated, Literal
from pydantic import Field
from fastmcp import FastMCP, Context
from fastmcp.exceptions import ToolError
from fastmcp.tools.tool import ToolResult
from fastmcp.utilities.types import Image
from fastmcp.server.dependencies import get_http_headers
from mcp.types import TextContent
mcp: FastMCP = FastMCP(name="Demo", instructions="x", on_duplicate_tools="error")
@mcp.tool(name="search_items", tags={"a"}, annotations={"readOnlyHint": True, "title": "Search"}, meta={"v": 1})
async def search(query: Annotated[str, "What"], limit: Annotated[int, Field(ge=1, le=50, description="Max")] = 10, sort: Literal["a", "b"] = "a", ctx: Context | None = None) -> dict:
    """Search."""
    if not query:
        raise ToolError("empty")
    await ctx.report_progress(progress=1, total=2, message="half")
    return {"q": query, "n": limit}
@mcp.tool
def items() -> ToolResult:
    """Items"""
    return ToolResult(content=[TextContent(type="text", text="s")], structured_content={"a": 1})
@mcp.tool()
def img() -> Image:
    """I"""
    return Image(data=b"\\x89PNG", format="png")
@mcp.resource("data://{x}")
def res(x: str) -> str: return x
@mcp.prompt
def p(x: str) -> str: return x
if __name__ == "__main__":
    mcp.run(transport="http", port=8000)
''', [('search_items',{'query':'a'},{'q':'a','n':10}),('items',{},'s')])
case('server_elsewhere', ['add','sub'], '''
from absent_server import mcp, agent
@mcp.tool()
def add(a: int, b: int = 1) -> int:
    """Adds."""
    return a + b
@agent.tool
def sub(a: int, b: int) -> int:
    """Subtracts."""
    return a - b
''', [('add',{'a':1},2),('sub',{'a':3,'b':1},2)])
case('server_beside', ['shout'], '''
from server_of_folder import mcp
@mcp.tool(name="shout")
def loud(text: str) -> str:
    """Shouts."""
    return text.upper()
''', [('shout',{'text':'a'},'A')])
case('typer_cli_mcp', ['ping'], '''
import typer, uvicorn, threading
from fastapi import FastAPI
from mcp.server.fastmcp import FastMCP
app = FastAPI()
cli = typer.Typer()
mcp = FastMCP("p", stateless_http=True)
@app.get("/health")
async def health():
    return {}
@mcp.tool(description="Ping it")
def ping(times: int = 1) -> str:
    return "pong" * times
@cli.command()
def main(port: int = typer.Option(8000, help="Port")):
    uvicorn.run(app, port=port)
app.mount("/", mcp.streamable_http_app())
if __name__ == "__main__":
    cli()
''', [('ping',{},'pong')])
case('env_raise', ['get_x'], '''
import os, sys, logging
from dotenv import load_dotenv
from mcp.server.fastmcp import FastMCP
load_dotenv()
logging.basicConfig(level=logging.INFO, stream=sys.stderr)
API_KEY = os.getenv("MY_API_KEY")
if not API_KEY:
    raise ValueError("MY_API_KEY environment variable is required")
BASE = os.getenv("BASE_URL", "https://api.example.com")
mcp = FastMCP("x")
@mcp.tool()
async def get_x(a: str) -> str:
    """X."""
    return BASE + a
''', [('get_x',{'a':'/1'},'https://api.example.com/1')])
case('env_exit', ['get_y'], '''
import os, sys
from mcp.server.fastmcp import FastMCP
if not os.environ.get("TOKEN"):
    print("Set TOKEN", file=sys.stderr)
    sys.exit(1)
mcp = FastMCP("x")
@mcp.tool()
def get_y() -> str:
    """Y."""
    return "y"
''', [('get_y',{},'y')])
case('absent_data', ['search','first'], '''
import string
import absent_stemmer
from absent_folding import fold_to_ascii
from absent_items import products
from mcp.server.fastmcp import FastMCP
stemmer = absent_stemmer.Stemmer('english')
all_trans = {**fold_to_ascii, **{ord(p): ' ' for p in string.punctuation}}
mcp = FastMCP("search-server", stateless_http=True)
products['a'] = absent_stemmer.index(products['name'], tokenizer=lambda t: t)
del products['name']
n, total = len(products), products['n'].sum() + 1
for column in products:
    print(column)
if n > 5 and total >= 2 and 'x' in products:
    print("many")
with products as opened:
    share = opened * 2 / total - 1
@mcp.tool()
def search(query: str, top: int = 5) -> list[dict]:
    """Search."""
    return [{"query": query}][:top]
@mcp.tool()
def first(name: str) -> str:
    """First."""
    try:
        return products[name]
    except ModuleNotFoundError as fault:
        return str(fault)
''', [('search',{'query':'x'},[{'query':'x'}]),('first',{'name':'x'},'this tool needs the module absent_items, which is not installed here; the name of its package is unknown.')])
case("register_tool_decorates", ["look"], """from fastmcp import FastMCP
mcp = FastMCP("x")
@mcp.register_tool(name="look")
def inner(path: str) -> str:
    return path
""", [("look", {"path": "p"}, "p")])
case("built_with_starred_values", ["x-n"], """from fastmcp import FastMCP
def create_server(first, name="n"):
    server = FastMCP("y")
    @server.tool(name=f"x-{name}")
    def look(path: str) -> str:
        return path
    return server
if __name__ == "__main__":
    create_server(*[1, 2], "other")
""", [("x-n", {"path": "p"}, "p")])
