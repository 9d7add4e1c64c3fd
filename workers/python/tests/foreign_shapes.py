"""Short files in the shapes that users write: for each, the names of its tools, and calls with results."""

CASES = {}


def case(name, expected, text, calls=()):
    CASES[name] = (expected, text, calls)


case('smol_app', ['get_weather','shout'], '''
import os
import yaml
import requests
from smolagents import CodeAgent, HfApiModel, DuckDuckGoSearchTool, load_tool, tool, Tool
from Gradio_UI import GradioUI
from typing import Any, Dict

@tool
def get_weather(city: str, days: int = 1) -> Dict[str, Any]:
    """Get a forecast.
    Args:
        city: The city.
        days: Number of days,
            at most 10.
    """
    return {"city": city, "days": days}

class Shout(Tool):
    name = "shout"
    description = """Shouts."""
    inputs = {"text": {"type": "string", "description": "t"}, "opts": {"type": "object", "description": "o", "nullable": True}}
    output_type = "string"
    def __init__(self, api_key=None, **kwargs):
        super().__init__(**kwargs)
        self.api_key = api_key or os.getenv("X_KEY")
    def forward(self, text: str, opts: dict | None = None) -> str:
        return text.upper()

model = HfApiModel(max_tokens=2096, temperature=0.5)
image_generation_tool = load_tool("agents-course/text-to-image", trust_remote_code=True)
with open("prompts.yaml", "r") as stream:
    prompt_templates = yaml.safe_load(stream)
agent = CodeAgent(model=model, tools=[get_weather, Shout()], max_steps=6, prompt_templates=prompt_templates)
GradioUI(agent).launch()
''', [('get_weather',{'city':'Oslo'},{'city':'Oslo','days':1}),('shout',{'text':'a'},'A')])
case('lc_many', ['search_docs','custom','multiply','Weather','add','divide'], '''
from typing import Annotated, Optional, Type, TypedDict, List
import os, json
from dotenv import load_dotenv
from langchain_openai import ChatOpenAI
from langchain_core.messages import HumanMessage
from langchain.agents import AgentExecutor, create_openai_tools_agent
from langchain.tools import BaseTool, StructuredTool, Tool, tool
from langgraph.graph import StateGraph, START, END
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode, create_react_agent
from langchain.pydantic_v1 import BaseModel, Field
load_dotenv()

class State(TypedDict):
    messages: Annotated[list, add_messages]

class SearchInput(BaseModel):
    query: str = Field(description="should be a search query")
    k: Optional[int] = Field(default=4, ge=1, le=10)

@tool("search_docs", args_schema=SearchInput, return_direct=True)
def search(query: str, k: int = 4) -> str:
    """Look up things."""
    return f"{query} {k}"

class CustomTool(BaseTool):
    name = "custom"
    description = ("first "
                   "second")
    args_schema: Type[BaseModel] = SearchInput
    def _run(self, query: str, k: int = 4, run_manager=None) -> str:
        return query
    async def _arun(self, query: str) -> str:
        raise NotImplementedError("no async")

def multiply(a: int, b: int) -> int:
    """Multiply two numbers."""
    return a * b
async def amultiply(a: int, b: int) -> int:
    return a * b
multiply_tool = StructuredTool.from_function(func=multiply, coroutine=amultiply)
weather = Tool(name="Weather", func=lambda q: f"sunny {q}", description="weather of a city")

def add(a: float, b: float) -> float:
    """Adds."""
    return a + b
def divide(a: float, b: float) -> float:
    """Divides."""
    return a / b
llm = ChatOpenAI(model="gpt-4o").bind_tools([add, divide])
def agent_node(state: State):
    return {"messages": [llm.invoke(state["messages"])]}
graph = StateGraph(State)
graph.add_node("agent", agent_node)
graph.add_edge(START, "agent")
app = graph.compile()
chain = prompt | llm if False else llm | (lambda x: x)
if __name__ == "__main__":
    print(app.invoke({"messages": [HumanMessage(content="hi")]}))
''', [('search_docs',{'query':'x'},'x 4'),('custom',{'query':'q'},'q'),('multiply',{'a':3,'b':4},12),('Weather',{'q':'Oslo'},'sunny Oslo'),('add',{'a':1,'b':2},3)])
case('lc_lazy', ['now'], '''
from langchain_core.tools import tool
@tool
def now(fmt: str = "iso") -> str:
    """Now."""
    from langchain_core.messages import HumanMessage
    from datetime import datetime
    return HumanMessage(content=fmt).content
''', [('now',{},'iso')])
case('oai_raw', ['process_user','fetch'], '''
from typing import Any
from pydantic import BaseModel
from typing_extensions import TypedDict
import json
from agents import FunctionTool, RunContextWrapper, Agent, Runner, function_tool, ModelSettings
class FunctionArgs(BaseModel):
    username: str
    age: int
async def run_function(ctx: RunContextWrapper[Any], args: str) -> str:
    parsed = FunctionArgs.model_validate_json(args)
    return f"{parsed.username} {parsed.age}"
tool = FunctionTool(name="process_user", description="Processes", params_json_schema=FunctionArgs.model_json_schema(), on_invoke_tool=run_function)
class Location(TypedDict):
    lat: float
    long: float
@function_tool
async def fetch(location: Location) -> str:
    """Fetch the weather.

    Args:
        location: Where.
    """
    return json.dumps(location)
agent = Agent(name="A", tools=[tool, fetch], model_settings=ModelSettings(tool_choice="auto"))
''', [('process_user',{'username':'a','age':3},'a 3'),('fetch',{'location':{'lat':1,'long':2}},'{"lat": 1, "long": 2}')])
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
case('owui_env', ['web_search'], '''
"""
title: Web Search
author: x
requirements: aiohttp
"""
import os, requests, json
from datetime import datetime
from typing import Callable, Any, Literal
from fastapi import Request
from pydantic import BaseModel, Field
import aiohttp
from open_webui.models.users import Users
class HelpFunctions:
    def get_base_url(self, url): return url
class EventEmitter:
    def __init__(self, event_emitter: Callable[[dict], Any] = None):
        self.event_emitter = event_emitter
    async def emit(self, description="x", status="in_progress", done=False):
        if self.event_emitter:
            await self.event_emitter({"type": "status", "data": {"status": status, "description": description, "done": done}})
class Tools:
    class Valves(BaseModel):
        URL: str = Field(default="https://example.com", description="u")
        N: int = Field(default=3, ge=1)
        mode: Literal["a", "b"] = "a"
        pass
    def __init__(self):
        self.valves = self.Valves(**{k: os.getenv(k, v.default) for k, v in self.Valves.model_fields.items()})
        self.headers = {"User-Agent": "x"}
    async def web_search(self, query: str, __event_emitter__: Callable[[dict], Any] = None, __user__: dict = {}, __request__: Request = None) -> str:
        """
        Search the web and get the content.
        :param query: Web Query used.
        :return: The content in json format.
        """
        emitter = EventEmitter(__event_emitter__)
        await emitter.emit(f"Searching {query}")
        return json.dumps({"q": query, "n": self.valves.N, "u": __user__.get("name")})
''', [('web_search',{'query':'x'},'{"q": "x", "n": 3, "u": "User"}')])
case('agno_kit', ['get_price','history'], '''
import json
from typing import Any, Dict, List, Optional
from agno.agent import Agent
from agno.models.openai import OpenAIChat
from agno.tools import Toolkit
from agno.utils.log import log_debug, logger
try:
    import yfinance as yf
except ImportError:
    raise ImportError("`yfinance` not installed. Please install using `pip install yfinance`.")
class FinTools(Toolkit):
    def __init__(self, api_key: Optional[str] = None, **kwargs):
        self.key = api_key
        if not self.key:
            raise ValueError("set KEY")
        tools: List[Any] = [self.get_price, self.history]
        super().__init__(name="fin", tools=tools, **kwargs)
    def get_price(self, symbol: str) -> str:
        """Use this function to get the price.

        Args:
            symbol (str): The symbol.

        Returns:
            str: price
        """
        return symbol
    def history(self, symbol: str, period: str = "1mo") -> str:
        """History.

        Args:
            symbol (str): The symbol.
            period (str): Period.
        """
        return period
''')
case('agno_agent', ['get_top', 'ask'], '''
from agno.agent import Agent
from agno.tools import tool
from agno.run import RunContext
def get_top(num: int = 10) -> str:
    """Top stories.

    Args:
        num (int): How many.
    """
    return str(num)
@tool(name="ask", description="Asks", requires_user_input=True, user_input_fields=["who"], stop_after_tool_call=True)
def ask_it(run_context: RunContext, subject: str, who: str) -> str:
    return subject
agent = Agent(tools=[get_top, ask_it], markdown=True)
agent.print_response("Summarize", stream=True)
''', [('get_top',{},'10')])
case('pyd_toolset', ['roll_dice','get_name','sum_all','point'], '''
from __future__ import annotations
import random
from pydantic import BaseModel
from pydantic_ai import Agent, RunContext, Tool, FunctionToolset
class Foobar(BaseModel):
    """A foobar."""
    x: int
    y: str = "a"
agent = Agent("x", deps_type=str, system_prompt="a")
@agent.tool_plain(docstring_format="google", require_parameter_descriptions=True)
def roll_dice() -> str:
    """Roll."""
    return "4"
@agent.tool(retries=2)
def get_name(ctx: RunContext[str]) -> str:
    """Get the player's name."""
    return ctx.deps
@agent.system_prompt
def sp(ctx: RunContext[str]) -> str:
    return ""
ts = FunctionToolset()
@ts.tool
def sum_all(ctx, numbers: list[int]) -> int:
    """Sums.

    Args:
        numbers: them
    """
    return sum(numbers)
@agent.tool_plain
def point(foobar: Foobar) -> str:
    """Point."""
    return f"{foobar.x}{foobar.y}"
''', [('sum_all',{'numbers':[1,2]},3),('point',{'x':1},'1a')])
case('crew_static', ['Search the internet','calc'], '''
import json, os
import requests
from langchain.tools import tool
class SearchTools():
  @tool("Search the internet")
  def search_internet(query):
    """Useful to search the internet about a given topic."""
    return "r " + query
  @tool("calc")
  def calculate(operation):
    """Calc."""
    return eval(operation)
''', [('Search the internet',{'query':'a'},'r a'),('calc',{'operation':'1+1'},2)])
case('crew_agents', ['My tool'], '''
from crewai import Agent, Crew, Process, Task
from crewai.project import CrewBase, agent, crew, task
from crewai_tools import SerperDevTool, ScrapeWebsiteTool
from crewai.tools import BaseTool
from pydantic import BaseModel, Field
from typing import Type
class In(BaseModel):
    argument: str = Field(..., description="Desc")
class MyTool(BaseTool):
    name: str = "My tool"
    description: str = ("Clear")
    args_schema: Type[BaseModel] = In
    def _run(self, argument: str) -> str:
        return argument
@CrewBase
class X():
    agents_config = "config/agents.yaml"
    @agent
    def researcher(self) -> Agent:
        return Agent(config=self.agents_config["researcher"], tools=[SerperDevTool(), MyTool()])
    @crew
    def crew(self) -> Crew:
        return Crew(agents=self.agents, tasks=self.tasks, process=Process.sequential)
search = SerperDevTool()
''', [('My tool',{'argument':'z'},'z')])
case('autogen_new', ['web_search','stock'], '''
import asyncio
from autogen_agentchat.agents import AssistantAgent
from autogen_core import CancellationToken
from autogen_core.tools import BaseTool, FunctionTool
from autogen_ext.models.openai import OpenAIChatCompletionClient
from pydantic import BaseModel, Field
async def web_search(query: str) -> str:
    """Find information."""
    return "ok"
agent = AssistantAgent(name="a", model_client=OpenAIChatCompletionClient(model="gpt-4o"), tools=[web_search])
class A(BaseModel):
    ticker: str = Field(description="t")
class R(BaseModel):
    price: float
class StockTool(BaseTool[A, R]):
    def __init__(self):
        super().__init__(A, R, "stock", "Get the stock price")
    async def run(self, args: A, cancellation_token: CancellationToken) -> R:
        return R(price=len(args.ticker))
async def main() -> None:
    await agent.run(task="x")
asyncio.run(main())
''', [('stock',{'ticker':'ab'},{'price':2.0}),('web_search',{'query':'x'},'ok')])
case('autogen_old', ['calculator','current'], '''
from typing import Annotated, Literal
from autogen import ConversableAgent, register_function, AssistantAgent, UserProxyAgent
Operator = Literal["+", "-"]
def calculator(a: int, b: int, operator: Annotated[Operator, "operator"]) -> int:
    return a + b if operator == "+" else a - b
assistant = ConversableAgent(name="A", llm_config={"config_list": []})
user_proxy = UserProxyAgent("u")
register_function(calculator, caller=assistant, executor=user_proxy, name="calculator", description="A calculator")
@user_proxy.register_for_execution()
@assistant.register_for_llm(description="Currency")
def current(amount: Annotated[float, "Amount"], base: Literal["USD","EUR"] = "USD") -> str:
    return f"{amount} {base}"
user_proxy.initiate_chat(assistant, message="x")
''', [('calculator',{'a':1,'b':2,'operator':'+'},3),('current',{'amount':1.5},'1.5 USD')])
case('adk_rel', ['get_time'], '''
from google.adk.agents import Agent, LlmAgent
from google.adk.tools import FunctionTool, google_search
from google.adk.tools.agent_tool import AgentTool
from google.genai import types
from google.adk.models.lite_llm import LiteLlm
from . import prompt
from .helpers import zone
def get_time(city: str) -> dict:
    """Time in a city.

    Args:
        city (str): The city.
    """
    return {"t": zone(city)}
root_agent = Agent(name="x", model=LiteLlm(model="x"), instruction=prompt.TEXT, tools=[get_time, google_search, AgentTool(agent=LlmAgent(name="y"))], generate_content_config=types.GenerateContentConfig(temperature=0.1))
''', [('get_time',{'city':'a'},{'t':'aZ'})])
case('sk_old', ['get_lights','change_state'], '''
from typing import Annotated, TypedDict
import asyncio
from semantic_kernel import Kernel
from semantic_kernel.functions import kernel_function
from semantic_kernel.connectors.ai.open_ai import AzureChatCompletion
class LightModel(TypedDict):
    id: int
    name: str
    is_on: bool | None
class LightsPlugin:
    lights: list[LightModel] = [{"id": 1, "name": "Table", "is_on": False}]
    @kernel_function
    async def get_lights(self) -> list[LightModel]:
        """Gets a list of lights."""
        return self.lights
    @kernel_function
    async def change_state(self, change_state: LightModel) -> LightModel | None:
        """Changes the state."""
        return change_state
kernel = Kernel()
kernel.add_plugin(LightsPlugin(), plugin_name="Lights")
''', [('get_lights',{},[{'id':1,'name':'Table','is_on':False}]),('change_state',{'change_state':{'id':1,'name':'x','is_on':True}},{'id':1,'name':'x','is_on':True})])
case('haystack_tool_cls', ['weather_tool','add'], '''
from haystack.tools import Tool, create_tool_from_function, Toolset
from haystack.components.generators.chat import OpenAIChatGenerator
def get_weather(city: str) -> str:
    return "w " + city
weather = Tool(name="weather_tool", description="W", parameters={"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}, function=get_weather)
def add(a: int, b: int) -> int:
    """Adds."""
    return a + b
add_tool = create_tool_from_function(add)
''', [('weather_tool',{'city':'x'},'w x'),('add',{'a':1,'b':1},2)])
case('swarm_fn', ['send_email','transfer'], '''
from swarm import Swarm, Agent
from swarm.types import Result
def send_email(recipient, subject, body="", context_variables=None):
    """Sends."""
    return f"{recipient} {subject}"
def transfer():
    """Transfer."""
    return sales
sales = Agent(name="S")
agent = Agent(name="A", instructions="x", functions=[send_email, transfer])
''', [('send_email',{'recipient':'a','subject':'b'},'a b')])
case('openai_loop', ['get_current_weather'], '''
from openai import OpenAI
import json
client = OpenAI()
def get_current_weather(location, unit="fahrenheit"):
    """Get"""
    return json.dumps({"location": location, "unit": unit})
def run_conversation():
    messages = [{"role": "user", "content": "x"}]
    tools = [{"type": "function", "function": {"name": "get_current_weather", "description": "d", "parameters": {"type": "object", "properties": {"location": {"type": "string"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}}, "required": ["location"]}}}]
    response = client.chat.completions.create(model="gpt-4o", messages=messages, tools=tools)
    for c in response.choices[0].message.tool_calls:
        args = json.loads(c.function.arguments)
print(run_conversation())
''', [('get_current_weather',{'location':'x'},'{"location": "x", "unit": "fahrenheit"}')])
case('openai_top', ['calc'], '''
import os, json, sys
from openai import OpenAI
client = OpenAI(api_key=os.environ["OPENAI_API_KEY"])
TOOLS = [{"type": "function", "name": "calc", "description": "d", "parameters": {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"], "additionalProperties": False}, "strict": True}]
def calc(a): return a * 2
''')
case('anthropic_disp', ['calculator','get_x'], '''
import anthropic, re
client = anthropic.Anthropic()
tools = [{"name": "calculator", "description": "A", "input_schema": {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]}},
 {"name": "get_x", "description": "A", "input_schema": {"type": "object", "properties": {}}}]
def calculate(expression):
    return str(eval(expression))
def process_tool_call(tool_name, tool_input):
    if tool_name == "calculator":
        return calculate(tool_input["expression"])
    elif tool_name == "get_x":
        return "x"
''', [('calculator',{'expression':'2*3'},'6'),('get_x',{},'x')])
case('strands_tool', ['word_count'], '''
from strands import Agent, tool
from strands_tools import calculator
@tool
def word_count(text: str) -> int:
    """Count words in text.

    Args:
        text: the text
    """
    return len(text.split())
agent = Agent(tools=[calculator, word_count])
agent("How many?")
''', [('word_count',{'text':'a b'},2)])
case('llama', ['multiply'], '''
from llama_index.core.tools import FunctionTool
from llama_index.core.agent import ReActAgent
from llama_index.llms.openai import OpenAI
def multiply(a: int, b: int) -> int:
    """Multiply two integers."""
    return a * b
multiply_tool = FunctionTool.from_defaults(fn=multiply)
agent = ReActAgent.from_tools([multiply_tool], llm=OpenAI(model="x"), verbose=True)
''', [('multiply',{'a':2,'b':3},6)])
case('qwen', ['my_image_gen'], '''
import json, json5, urllib.parse
from qwen_agent.tools.base import BaseTool, register_tool
@register_tool('my_image_gen')
class MyImageGen(BaseTool):
    description = 'AI painting'
    parameters = [{'name': 'prompt', 'type': 'string', 'description': 'Detailed', 'required': True}]
    def call(self, params: str, **kwargs) -> str:
        prompt = json.loads(params)['prompt']
        return json.dumps({'image_url': prompt})
''', [('my_image_gen',{'prompt':'a'},'{"image_url": "a"}')])
case('llm_ex', ['hash_text','Memory_set','Memory_get'], '''
import llm
import hashlib
from typing import Optional
def hash_text(text: str, algo: Optional[str] = None) -> str:
    "Hash"
    return hashlib.sha256(text.encode()).hexdigest()[:4]
class Memory(llm.Toolbox):
    _memory = None
    def _get_memory(self):
        if self._memory is None:
            self._memory = {}
        return self._memory
    def set(self, key: str, value: str):
        "Set something as a key"
        self._get_memory()[key] = value
    def get(self, key: str):
        "Get"
        return self._get_memory().get(key) or ""
@llm.hookimpl
def register_tools(register):
    register(hash_text, name="hash_text")
    register(Memory)
''', [('Memory_set',{'key':'a','value':'b'},None),('Memory_get',{'key':'a'},'b')])
case('not_tools1', [], '''
import numpy as np
from dataclasses import dataclass
def norm(x: list[float]) -> float:
    """Norm."""
    return float(np.linalg.norm(x))
''')
case('helper_models', [], '''
from pydantic import BaseModel, Field
class User(BaseModel):
    name: str
''')
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
case('lg_inject', ['save','look','cmd'], '''
from typing import Annotated, Any
from langchain_core.tools import tool, InjectedToolCallId, InjectedToolArg
from langchain_core.messages import ToolMessage
from langgraph.prebuilt import InjectedState, InjectedStore
from langgraph.store.base import BaseStore
from langgraph.types import Command
from langchain.tools import ToolRuntime
@tool
def save(memory: str, store: Annotated[BaseStore, InjectedStore()], state: Annotated[dict, InjectedState]) -> str:
    """Save."""
    store.put(("a",), "k", {"m": memory})
    return str(store.get(("a",), "k").value)
@tool
def look(q: str, runtime: ToolRuntime) -> str:
    """Look."""
    return q + str(len(runtime.state["messages"]))
@tool
def cmd(x: int, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command:
    """Cmd."""
    return Command(update={"messages": [ToolMessage(f"ok {x}", tool_call_id=tool_call_id)]})
''', [('save',{'memory':'m'},"{'m': 'm'}"),('look',{'q':'a'},'a0')])
case('lc_community', ['brave_search'], '''
from __future__ import annotations
from typing import Any, Optional
from langchain_core.callbacks import CallbackManagerForToolRun
from langchain_core.tools import BaseTool
from pydantic import Field, SecretStr
from langchain_community.utilities.brave_search import BraveSearchWrapper
class BraveSearch(BaseTool):
    name: str = "brave_search"
    description: str = "a search engine"
    search_wrapper: BraveSearchWrapper = Field(default_factory=BraveSearchWrapper)
    @classmethod
    def from_api_key(cls, api_key: str, **kwargs: Any) -> BraveSearch:
        return cls(search_wrapper=BraveSearchWrapper(api_key=api_key), **kwargs)
    def _run(self, query: str, run_manager: Optional[CallbackManagerForToolRun] = None) -> str:
        """Use the tool."""
        return "r"
''', [('brave_search',{'query':'x'},'r')])
case('lc_needs', ['doc_search'], '''
from langchain_core.tools import BaseTool
from langchain.tools.retriever import create_retriever_tool
class Doc(BaseTool):
    name: str = "doc_search"
    description: str = "d"
    index_path: str
    def _run(self, q: str) -> str:
        return q
''')
case('lc_schema_dict', ['weather'], '''
from langchain.tools import tool
schema = {"type": "object", "properties": {"location": {"type": "string"}}, "required": ["location"]}
@tool("weather", args_schema=schema, description="W")
def get_weather(location: str) -> str:
    return location
''', [('weather',{'location':'a'},'a')])
case('owui_valves', ['conv'], '''
"""
title: Conv
"""
from pydantic import BaseModel, Field
import requests
class Tools:
    class Valves(BaseModel):
        key: str = Field("", description="k")
    class UserValves(BaseModel):
        metric: bool = Field(default=True)
    def __init__(self):
        self.valves = self.Valves()
        self.user_valves = self.UserValves()
    def conv(self, n: float, __user__: dict) -> str:
        """
        Convert.
        :param n: number
        """
        return f"{n} {__user__['valves'].metric}"
    def _priv(self): pass
''', [('conv',{'n':2},'2 True')])
case('agno_reg', ['search','count'], '''
from typing import Optional
from agno.tools import Toolkit
from agno.utils.log import logger
class DB(Toolkit):
    def __init__(self, path: Optional[str] = None):
        super().__init__(name="db")
        self.path = path
        self.register(self.search)
        self.register(self.count)
    def search(self, q: str, limit: int = 3) -> str:
        """Search.
        Args:
            q (str): query
            limit (int, optional): The max. Defaults to 3.
        """
        logger.info("x")
        return q
    def count(self) -> str:
        """Count."""
        return "1"
''', [('search',{'q':'a'},'a')])
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
case('missing_math', ['area'], '''
import numpy as np
import torch
import torch.nn as nn
from smolagents import tool
X = np.array([1, 2]) / 2 + 1
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
class Net(nn.Module):
    def forward(self, x): return x
net = Net()
print(f"{X.mean():.2f}")
@tool
def area(r: float) -> float:
    """Area.

    Args:
        r: radius
    """
    return r * 2
''', [('area',{'r':2},4)])
case('adk_mod', ['get_weather','say_hello'], '''
import os
from zoneinfo import ZoneInfo
from google.adk.agents import Agent
from google.adk.tools.tool_context import ToolContext
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.genai import types as genai_types
MODEL = "gemini-2.0-flash"
def get_weather(city: str, tool_context: ToolContext) -> dict:
    """Retrieves weather.

    Args:
        city (str): c
    """
    tool_context.state["last"] = city
    return {"status": "success", "report": tool_context.state.get("last")}
def say_hello(name: str = None) -> str:
    """Hi."""
    return f"Hello {name or 'there'}"
greeting = Agent(model=MODEL, name="g", tools=[say_hello])
root_agent = Agent(name="w", model=MODEL, tools=[get_weather], sub_agents=[greeting])
runner = Runner(agent=root_agent, app_name="x", session_service=InMemorySessionService())
''', [('get_weather',{'city':'a'},{'status':'success','report':'a'}),('say_hello',{},'Hello there')])
case('pyd_tools_kw', ['get_player','roll'], '''
import random
from pydantic_ai import Agent, RunContext, Tool
from pydantic_ai.models.openai import OpenAIModel
def roll() -> str:
    """Roll a six-sided die."""
    return "3"
def get_player(ctx: RunContext[str]) -> str:
    """Name."""
    return ctx.deps
agent_a = Agent("x", deps_type=str, tools=[get_player, roll])
agent_b = Agent("x", deps_type=str, tools=[Tool(roll, takes_ctx=False), Tool(get_player, takes_ctx=True)])
result = agent_a.run_sync("hi", deps="Anne")
print(result.output)
''', [('roll',{},'3')])
case('oai_typed', ['get_weather','lookup'], '''
from __future__ import annotations
import asyncio
from dataclasses import dataclass
from pydantic import BaseModel
from agents import Agent, Runner, RunContextWrapper, function_tool, input_guardrail, GuardrailFunctionOutput
class Weather(BaseModel):
    city: str
    conditions: str
@dataclass
class Info:
    name: str
@function_tool
def get_weather(city: str) -> Weather:
    """Get the current weather."""
    return Weather(city=city, conditions="Sunny")
@function_tool(failure_error_function=None, name_override="lookup")
async def _lookup(wrapper: RunContextWrapper[Info], q: str, limit: int = 5) -> str:
    """Looks up.

    Args:
        q: The query.
    """
    return q
@input_guardrail
async def guard(ctx, agent, input) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(output_info=None, tripwire_triggered=False)
agent = Agent[Info](name="A", instructions="x", tools=[get_weather, _lookup], input_guardrails=[guard])
''', [('get_weather',{'city':'Oslo'},{'city':'Oslo','conditions':'Sunny'}),('lookup',{'q':'a'},'a')])
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
case('sk_kernel', ['GetX'], '''
from typing import Annotated
from semantic_kernel.functions.kernel_function_decorator import kernel_function
from semantic_kernel.kernel_pydantic import KernelBaseModel
from semantic_kernel import Kernel
from semantic_kernel.functions import KernelArguments
class P(KernelBaseModel):
    limit: int = 3
    @kernel_function(description="D", name="GetX")
    def get_x(self, q: Annotated[str, "The q"], kernel: Kernel = None, n: Annotated[int | None, "N"] = None) -> Annotated[str, "out"]:
        return f"{q}{self.limit}{n}"
''', [('GetX',{'q':'a'},'a3None')])
case('dict_of_tools', ['add'], '''
def add(a: int, b: int) -> int:
    return a + b
TOOL_REGISTRY = {"add": {"function": add, "schema": {"type": "function", "function": {"name": "add", "description": "Add", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}}}}}
TOOLS = [t["schema"] for t in TOOL_REGISTRY.values()]
''', [('add',{'a':1,'b':2},3)])
case('old_functions', ['get_n_day'], '''
import openai, json
functions = [{"name": "get_n_day", "description": "N", "parameters": {"type": "object", "properties": {"location": {"type": "string"}, "num_days": {"type": "integer"}}, "required": ["location", "num_days"]}}]
def get_n_day(location, num_days): return f"{location} {num_days}"
''', [('get_n_day',{'location':'a','num_days':2},'a 2')])
case('class_no_owner', ['shout'], '''
from smolagents.tools import Tool
class Shout(Tool):
    name: str = "shout"
    description: str = "S"
    inputs: dict = {"text": {"type": "string", "description": "t"}}
    output_type: str = "string"
    def forward(self, text):
        return text.upper()
shout_tool = Shout()
''', [('shout',{'text':'a'},'A')])

case('made_inside', ['look_up','count'], '''
from langchain_core.tools import StructuredTool
from llama_index.core.tools import FunctionTool
async def _find(key: str) -> str:
    """Find."""
    return key
def count(text: str) -> int:
    """Count."""
    return len(text)
def build_tools() -> list:
    return [
        StructuredTool.from_function(coroutine=_find, name="look_up", description="Looks up."),
        FunctionTool.from_defaults(fn=count),
    ]
''', [('look_up',{'key':'a'},'a'),('count',{'text':'abc'},3)])
case('adk_decorator', ['plot'], '''
from google.adk.tools import tool
@tool
def plot(values: list[float]) -> float:
    """Plots."""
    return sum(values)
''', [('plot',{'values':[1,2]},3)])
case('camel_toolkit', ['add','sub'], '''
from typing import List
from camel.toolkits import FunctionTool
from camel.toolkits.base import BaseToolkit
from camel.utils import MCPServer
@MCPServer()
class MathToolkit(BaseToolkit):
    def add(self, a: float, b: float) -> float:
        """Adds."""
        return a + b
    def sub(self, a: float, b: float) -> float:
        """Subtracts."""
        return a - b
    def other(self) -> int:
        return 1
    def get_tools(self) -> List[FunctionTool]:
        return [FunctionTool(self.add), FunctionTool(self.sub)]
''', [('add',{'a':1,'b':2},3)])
case('llm_made', ['version','say'], '''
import llm
@llm.hookimpl
def register_tools(register):
    register(llm.Tool(name="version", description="The version", input_schema={}, implementation=lambda: "1"))
    @register()
    def say(text: str) -> str:
        """Says."""
        return text
''', [('version',{},'1'),('say',{'text':'a'},'a')])
case('qwen_files', ['Runner'], '''
from qwen_agent.tools.base import BaseToolWithFileAccess, register_tool
@register_tool('Runner', allow_overwrite=True)
class Runner(BaseToolWithFileAccess):
    description = 'Runs'
    parameters = {"type": "object", "properties": {"code": {"type": "string", "description": "c"}}, "required": ["code"]}
    def call(self, params, files=None, timeout=50, **kwargs) -> str:
        import json
        return json.loads(params)["code"]
''', [('Runner',{'code':'x'},'x')])
case('agent_package', ['weather','ask'], '''
from google.adk.agents import LlmAgent
from google.adk.tools import ToolContext, google_search, AgentTool, LongRunningFunctionTool
from . import absent_prompt
from .sub_agents.other import other_agent
from ...core import settings
def weather(city: str, tool_context: ToolContext) -> dict:
    """Weather."""
    tool_context.state["last"] = city
    return {"city": city}
def ask(purpose: str) -> dict:
    """Asks."""
    return {"status": purpose}
root_agent = LlmAgent(model="g", instruction=absent_prompt.TEXT, tools=[weather, LongRunningFunctionTool(func=ask), google_search, AgentTool(agent=other_agent)], sub_agents=[other_agent])
''', [('weather',{'city':'Oslo'},{'city':'Oslo'}),('ask',{'purpose':'x'},{'status':'x'})])

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
case('structured_class', ['align'], '''
from typing import Any, Dict
from langchain.tools import StructuredTool
from pydantic import BaseModel, Field, field_validator
class Args(BaseModel):
    content: str = Field(..., description="The content")
class AlignTool(StructuredTool):
    name: str = "align"
    description: str = "Aligns."
    args_schema: type[BaseModel] = Args
    path: str = Field("x", description="Path")
    def _run(self, content: str) -> Dict[str, Any]:
        return {"content": content, "path": self.path}
''', [('align',{'content':'a'},{'content':'a','path':'x'})])
case('livekit_agent', ['look_up','weather'], '''
from livekit import agents
from livekit.agents import Agent, AgentSession, function_tool, RunContext
from livekit.plugins import openai, silero
class Assistant(Agent):
    def __init__(self) -> None:
        super().__init__(instructions="x")
    @function_tool()
    async def look_up(self, context: RunContext, query: str) -> str:
        """Look up."""
        return query
@function_tool
async def weather(context: RunContext, city: str) -> str:
    """Weather."""
    return city
async def entrypoint(ctx: agents.JobContext):
    session = AgentSession(llm=openai.LLM())
if __name__ == "__main__":
    agents.cli.run_app(agents.WorkerOptions(entrypoint_fnc=entrypoint))
''', [('look_up',{'query':'a'},'a'),('weather',{'city':'Oslo'},'Oslo')])
case('absent_schema', ['submit'], '''
from typing import Any
from langchain.tools import tool
from absent_tools.common import Envelope, dispatch
@tool(args_schema=Envelope)
def submit(text: str = "x", **request: Any) -> dict[str, Any]:
    """Submit."""
    return {"text": text}
''', [('submit',{'text':'a'},{'text':'a'})])
case('single_quotes', ['find'], '''
import ollama
def find(q: str):
    return q
TOOLS = [{'type': 'function', 'function': {'name': 'find', 'description': 'F', 'parameters': {'type': 'object', 'properties': {'q': {'type': 'string'}}, 'required': ['q']}}}]
def run_agent(prompt):
    return ollama.chat(model="x", tools=TOOLS)
''', [('find',{'q':'a'},'a')])
case('claude_sdk', ['greet','add'], '''
from claude_agent_sdk import tool, create_sdk_mcp_server
from typing import Any
@tool("greet", "Greet a user", {"name": str})
async def greet_user(args: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": f"Hello, {args['name']}"}]}
@tool("add", "Add", {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]})
def add(args):
    return {"content": [{"type": "text", "text": str(args["a"] + 1)}]}
server = create_sdk_mcp_server(name="my-tools", tools=[greet_user, add])
''', [('greet',{'name':'A'},'Hello, A'),('add',{'a':1},'2')])
case('other_decorators', ['weather_tool','look','roll'], '''
from typing import Annotated
from agent_framework import ai_function, ChatAgent
from anthropic import beta_tool
from controlflow import tool
from pydantic import Field
@ai_function(name="weather_tool", description="Weather")
def get_weather(location: Annotated[str, Field(description="The location")]) -> str:
    return location
@beta_tool
def look(place: str) -> str:
    """Look."""
    return place
@tool
def roll(n: int) -> int:
    """Roll."""
    return n
''', [('weather_tool',{'location':'a'},'a'),('look',{'place':'b'},'b'),('roll',{'n':3},3)])

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
