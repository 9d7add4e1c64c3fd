"""Shapes of files in public repositories, one idea each: for each, the names of its tools, and calls with results."""

from .foreign_shapes import case

ADD = '''
def add(a: int, b: int = 1) -> int:
    """Add two numbers.

    Args:
        a: The first.
        b: The second.
    """
    return a + b
'''
ADDED = [("add", {"a": 2}, 3)]


def inner(text, by=4):
    return "\n".join(" " * by + line if line else "" for line in text.strip().splitlines())


# Servers of MCP
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
# LangChain and LangGraph
case("lc_agent_file", ["add"], f"from langchain_core.tools import tool\nfrom langchain_openai import ChatOpenAI\nfrom langgraph.prebuilt import create_react_agent\nfrom langgraph.checkpoint.memory import MemorySaver\n@tool\n{ADD.strip()}\nllm = ChatOpenAI(model='gpt-4o', temperature=0)\nllm_with_tools = llm.bind_tools([add])\nagent = create_react_agent(llm, [add], checkpointer=MemorySaver())\nfor chunk in agent.stream({{'messages': []}}):\n    print(chunk)\n", ADDED)
case("lc_parse", ["add"], f"from langchain.tools import tool\n@tool(parse_docstring=True, return_direct=True)\n{ADD.strip()}\n", ADDED)
case("lc_schema_cls", ["search-tool"], """from pydantic import BaseModel, Field
from langchain.tools import tool
class SearchInput(BaseModel):
    query: str = Field(description="should be a search query")
    k: int = Field(5, ge=1, le=10)
@tool("search-tool", args_schema=SearchInput)
def search(query: str, k: int = 5) -> str:
    '''Look up things online.'''
    return f"{query} {k}"
""", [("search-tool", {"query": "a"}, "a 5")])
case("lc_base_async", ["slow"], """from typing import Type, Optional
from langchain_core.tools import BaseTool
from langchain_core.callbacks import AsyncCallbackManagerForToolRun, CallbackManagerForToolRun
from pydantic import BaseModel
class In(BaseModel):
    text: str
class Slow(BaseTool):
    name: str = "slow"
    description: str = "Slow."
    args_schema: Type[BaseModel] = In
    def _run(self, text: str, run_manager: Optional[CallbackManagerForToolRun] = None) -> str:
        raise NotImplementedError("async only")
    async def _arun(self, text: str, run_manager: Optional[AsyncCallbackManagerForToolRun] = None) -> str:
        return text[::-1]
""", [("slow", {"text": "ab"}, "ba")])
case("lc_from_function", ["Calculator"], f"from langchain_core.tools import StructuredTool\n{ADD}\ncalculator = StructuredTool.from_function(func=add, name='Calculator', description='Adds')\n", [("Calculator", {"a": 1, "b": 5}, 6)])
case("lc_tool_old", ["Search"], """from langchain.agents import Tool, initialize_agent, AgentType
from langchain.llms import OpenAI
def search(q: str) -> str:
    return "found " + q
tools = [Tool(name="Search", func=search, description="useful for when you need to answer questions")]
agent = initialize_agent(tools, OpenAI(temperature=0), agent=AgentType.ZERO_SHOT_REACT_DESCRIPTION, verbose=True)
agent.run("hi")
""", [("Search", {"q": "x"}, "found x")])
case("lg_interrupt", ["book"], """from langchain_core.tools import tool
from langgraph.types import interrupt, Command
@tool
def book(hotel: str) -> str:
    '''Book a hotel.'''
    return f"booked {hotel}"
""", [("book", {"hotel": "h"}, "booked h")])
case("lc_list_dict", ["add"], f"from langchain_core.tools import tool\n@tool\n{ADD.strip()}\ntools = [add]\ntools_by_name = {{t.name: t for t in tools}}\nnode = {{'add': tools_by_name['add'].invoke}}\n", ADDED)
case("lc_toolkit", ["first", "second"], """from langchain_core.tools import BaseTool, BaseToolkit
class First(BaseTool):
    name: str = "first"
    description: str = "F."
    def _run(self, x: str) -> str:
        return x
class Second(First):
    name: str = "second"
class Kit(BaseToolkit):
    def get_tools(self):
        return [First(), Second()]
""", [("second", {"x": "a"}, "a")])
# OpenAI, Anthropic and bare loops
case("oai_map", ["get_weather"], """import json, os
from openai import OpenAI
client = OpenAI(api_key=os.environ["OPENAI_API_KEY"])
def get_weather(location, unit="celsius"):
    return json.dumps({"location": location, "unit": unit})
tools = [{"type": "function", "function": {"name": "get_weather", "description": "W.", "parameters": {"type": "object", "properties": {"location": {"type": "string"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}}, "required": ["location"]}}}]
available_functions = {"get_weather": get_weather}
def run_conversation():
    return client.chat.completions.create(model="gpt-4o", messages=[], tools=tools)
print(run_conversation())
""", [("get_weather", {"location": "Oslo"}, '{"location": "Oslo", "unit": "celsius"}')])
case("oai_no_function", [], """from openai import OpenAI
client = OpenAI()
tools = [{"type": "function", "function": {"name": "get_horoscope", "parameters": {"type": "object", "properties": {"sign": {"type": "string"}}}}}]
print(client.chat.completions.create(model="m", messages=[], tools=tools).choices[0].message.tool_calls)
""")
case("oai_responses", ["get_sign"], """from openai import OpenAI
client = OpenAI()
tools = [{"type": "function", "name": "get_sign", "description": "S.", "parameters": {"type": "object", "properties": {"sign": {"type": "string"}}, "required": ["sign"], "additionalProperties": False}, "strict": True}]
def get_sign(sign):
    return f"{sign}: luck"
response = client.responses.create(model="m", tools=tools, input=[])
for item in response.output:
    if item.type == "function_call":
        print(item.name)
""", [("get_sign", {"sign": "Leo"}, "Leo: luck")])
case("anthropic_loop", ["get_stock"], """import anthropic
client = anthropic.Anthropic()
TOOLS = [{"name": "get_stock", "description": "Price.", "input_schema": {"type": "object", "properties": {"ticker": {"type": "string"}}, "required": ["ticker"]}}]
def get_stock(ticker: str) -> float:
    return 1.5
def process_tool_call(name, tool_input):
    if name == "get_stock":
        return get_stock(**tool_input)
""", [("get_stock", {"ticker": "A"}, 1.5)])
case("ollama_fn", ["add"], f"import ollama\n{ADD}\nresponse = ollama.chat('llama3.1', messages=[], tools=[add])\n", ADDED)
case("gemini_fn", ["add"], f"from google import genai\nfrom google.genai import types\n{ADD}\nclient = genai.Client()\nconfig = types.GenerateContentConfig(tools=[add])\nr = client.models.generate_content(model='g', contents='x', config=config)\nprint(r.text)\n", ADDED)
# OpenAI Agents SDK
case("agents_ctx", ["read"], """from dataclasses import dataclass
from agents import Agent, Runner, RunContextWrapper, function_tool
@dataclass
class User:
    name: str
@function_tool
async def read(wrapper: RunContextWrapper[User], path: str) -> str:
    '''Read a file.

    Args:
        path: The path.
    '''
    return path
agent = Agent[User](name="A", instructions="x", tools=[read], model="gpt-4.1")
async def main():
    print((await Runner.run(agent, "hi")).final_output)
if __name__ == "__main__":
    import asyncio
    asyncio.run(main())
""", [("read", {"path": "a"}, "a")])
case("agents_rename", ["fetch_data"], """from typing_extensions import TypedDict
from agents import function_tool
class Place(TypedDict):
    lat: float
    long: float
@function_tool(name_override="fetch_data", strict_mode=False)
def fetch(place: Place) -> str:
    '''Fetch.'''
    return str(place["lat"])
""", [("fetch_data", {"place": {"lat": 1.5, "long": 2}}, "1.5")])
case("agents_handoff", ["add"], f"from agents import Agent, handoff, function_tool, InputGuardrail, GuardrailFunctionOutput, set_default_openai_key\nset_default_openai_key('x')\n@function_tool\n{ADD.strip()}\nother = Agent(name='O')\nmain = Agent(name='M', handoffs=[handoff(other), other], tools=[add, other.as_tool(tool_name='o', tool_description='d')])\n", ADDED)
# smolagents, CrewAI, agno, Pydantic AI
case("smol_init", ["count"], """from smolagents import Tool
class Count(Tool):
    name = "count"
    description = "Counts."
    inputs = {"text": {"type": "string", "description": "The text"}}
    output_type = "integer"
    def setup(self):
        self.base = 1
    def forward(self, text: str) -> int:
        return len(text)
""", [("count", {"text": "abc"}, 3)])
case("crew_model", ["Add numbers"], """from crewai.tools import BaseTool
from typing import Type
from pydantic import BaseModel, Field
class AddInput(BaseModel):
    '''Input.'''
    a: int = Field(..., description="First")
    b: int = Field(default=1, description="Second")
class AddTool(BaseTool):
    name: str = "Add numbers"
    description: str = (
        "Adds "
        "numbers."
    )
    args_schema: Type[BaseModel] = AddInput
    def _run(self, a: int, b: int = 1) -> str:
        return str(a + b)
""", [("Add numbers", {"a": 2}, "3")])
case("crew_base", ["Ask"], """from crewai import Agent, Crew, Process, Task
from crewai.project import CrewBase, agent, crew, task
from crewai.tools import tool
@tool("Ask")
def ask(question: str) -> str:
    '''Ask a question.'''
    return question + "?"
@CrewBase
class Team:
    agents_config = "config/agents.yaml"
    @agent
    def researcher(self) -> Agent:
        return Agent(config=self.agents_config["researcher"], tools=[ask])
    @crew
    def crew(self) -> Crew:
        return Crew(agents=self.agents, tasks=self.tasks, process=Process.sequential)
""", [("Ask", {"question": "a"}, "a?")])
case("agno_init", ["hot"], """from agno.agent import Agent
from agno.models.openai import OpenAIChat
from agno.tools import Toolkit
from agno.utils.log import logger
class News(Toolkit):
    def __init__(self, limit: int = 3, **kwargs):
        self.limit = limit
        super().__init__(name="news", tools=[self.hot], **kwargs)
    def hot(self, topic: str) -> str:
        '''Hot stories.

        Args:
            topic (str): The topic.
        '''
        logger.info("x")
        return f"{topic} {self.limit}"
agent = Agent(model=OpenAIChat(id="gpt-4o"), tools=[News()], markdown=True)
agent.print_response("x", stream=True)
""", [("hot", {"topic": "a"}, "a 3")])
case("pyd_deps", ["roll", "name"], """import random
from pydantic_ai import Agent, RunContext
from pydantic_ai.models.openai import OpenAIModel
agent = Agent("openai:gpt-4o", deps_type=str, system_prompt=("x"), result_type=str)
@agent.tool_plain
def roll() -> str:
    '''Roll.'''
    return "4"
@agent.tool(retries=2)
def name(ctx: RunContext[str]) -> str:
    '''Name.'''
    return ctx.deps
@agent.system_prompt
def extra(ctx: RunContext[str]) -> str:
    return ctx.deps
@agent.output_validator
def check(ctx, out: str) -> str:
    return out
""", [("roll", {}, "4")])
# AutoGen, ADK, LlamaIndex, Haystack, Semantic Kernel, Strands, DSPy
case("autogen_team", ["add"], f"import asyncio\nfrom autogen_agentchat.agents import AssistantAgent\nfrom autogen_agentchat.teams import RoundRobinGroupChat\nfrom autogen_ext.models.openai import OpenAIChatCompletionClient\nasync {ADD.strip()}\nagent = AssistantAgent('a', model_client=OpenAIChatCompletionClient(model='gpt-4o'), tools=[add])\nteam = RoundRobinGroupChat([agent])\n", ADDED)
case("adk_root", ["get_weather"], """import datetime
from zoneinfo import ZoneInfo
from google.adk.agents import Agent, LlmAgent
from google.adk.tools import google_search, AgentTool
def get_weather(city: str) -> dict:
    '''Get the weather.

    Args:
        city (str): The city.

    Returns:
        dict: status and result.
    '''
    return {"status": "success", "city": city}
searcher = LlmAgent(name="s", tools=[google_search])
root_agent = Agent(name="root", model="gemini-2.0-flash", tools=[get_weather, AgentTool(agent=searcher)], sub_agents=[])
""", [("get_weather", {"city": "a"}, {"status": "success", "city": "a"})])
case("llama_workflow", ["add"], f"from llama_index.core.agent.workflow import FunctionAgent\nfrom llama_index.llms.openai import OpenAI\n{ADD}\nworkflow = FunctionAgent(tools=[add], llm=OpenAI(model='x'), system_prompt='y')\n", ADDED)
case("llama_spec", ["draft", "send"], """from llama_index.core.tools.tool_spec.base import BaseToolSpec
class MailSpec(BaseToolSpec):
    spec_functions = ["draft", ("send", "asend")]
    def draft(self, text: str) -> str:
        '''Draft.'''
        return text
    def send(self, to: str) -> str:
        '''Send.'''
        return to
    async def asend(self, to: str) -> str:
        '''Send.'''
        return to
    def hidden(self) -> str:
        '''No tool.'''
        return ""
""", [("draft", {"text": "a"}, "a"), ("send", {"to": "b"}, "b")])
case("haystack_deco", ["add"], f"from typing import Annotated\nfrom haystack.tools import tool, Toolset\nfrom haystack.components.agents import Agent\n@tool\n{ADD.strip()}\ntools = Toolset([add])\nagent = Agent(chat_generator=None, tools=tools)\n", ADDED)
case("sk_async", ["get_state"], """from typing import Annotated
from semantic_kernel import Kernel
from semantic_kernel.functions import kernel_function
class Lights:
    @kernel_function(name="get_state", description="State.")
    async def state(self, id: Annotated[int, "The id"]) -> Annotated[str, "the output"]:
        return f"on {id}"
kernel = Kernel()
kernel.add_plugin(Lights(), plugin_name="Lights")
""", [("get_state", {"id": 1}, "on 1")])
case("strands_spec", ["shout"], """from typing import Any
from strands.types.tools import ToolResult, ToolUse
TOOL_SPEC = {"name": "shout", "description": "Shouts.", "inputSchema": {"json": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}}
def shout(tool: ToolUse, **kwargs: Any) -> ToolResult:
    return {"toolUseId": tool["toolUseId"], "status": "success", "content": [{"text": tool["input"]["text"].upper()}]}
""", [("shout", {"text": "a"}, "A")])
case("strands_ctx", ["note"], """from strands import Agent, tool, ToolContext
@tool(context=True)
def note(text: str, tool_context: ToolContext) -> dict:
    '''Note.

    Args:
        text: The text.
    '''
    return {"status": "success", "content": [{"text": text}]}
agent = Agent(tools=[note], callback_handler=None)
agent("Save")
""")
case("dspy_react", ["add"], f"import dspy\ndspy.configure(lm=dspy.LM('openai/gpt-4o-mini'))\n{ADD}\nreact = dspy.ReAct('question -> answer: float', tools=[add])\nprint(react(question='1+1').answer)\n", ADDED)
case("dspy_tool", ["add"], f"import dspy\n{ADD}\nt = dspy.Tool(add)\n", ADDED)
case("mira_llm", ["add"], f"from mirascope import llm\n@llm.tool()\n{ADD.strip()}\n@llm.call(provider='openai', model='m', tools=[add])\ndef ask(q: str) -> str:\n    return q\n", ADDED)
case("langroid_msg", ["square"], """import langroid as lr
from langroid.agent.tool_message import ToolMessage
class Square(ToolMessage):
    request: str = "square"
    purpose: str = "To square a <number>"
    number: int
    def handle(self) -> str:
        return str(self.number ** 2)
""", [("square", {"number": 3}, "9")])
case("atomic", ["Calc"], """from pydantic import Field
from atomic_agents.lib.base.base_io_schema import BaseIOSchema
from atomic_agents.lib.base.base_tool import BaseTool, BaseToolConfig
class CalcInput(BaseIOSchema):
    '''Adds.'''
    a: int = Field(..., description="First")
class CalcOutput(BaseIOSchema):
    '''The result.'''
    result: int
class Calc(BaseTool):
    input_schema = CalcInput
    output_schema = CalcOutput
    def __init__(self, config: BaseToolConfig = BaseToolConfig()):
        super().__init__(config)
    def run(self, params: CalcInput) -> CalcOutput:
        return CalcOutput(result=params.a + 1)
""", [("Calc", {"a": 1}, {"result": 2})])
# Open WebUI
case("owui_events", ["fetch"], '''"""
title: Fetch
author: me
version: 0.1
requirements: requests
"""
import asyncio
from typing import Any, Awaitable, Callable, Optional
from pydantic import BaseModel, Field
class EventEmitter:
    def __init__(self, event_emitter: Callable[[dict], Any] = None):
        self.event_emitter = event_emitter
    async def emit(self, description="Unknown", status="in_progress", done=False):
        if self.event_emitter:
            await self.event_emitter({"type": "status", "data": {"status": status, "description": description, "done": done}})
class Helper:
    def run(self, x: str) -> str:
        return x
class Tools:
    class Valves(BaseModel):
        LIMIT: int = Field(default=3, description="Limit")
    class UserValves(BaseModel):
        mode: str = "a"
    def __init__(self):
        self.valves = self.Valves()
        self.citation = False
    async def fetch(self, url: str, __event_emitter__: Callable[[dict], Any] = None, __user__: dict = {}, __request__: Optional[Any] = None) -> str:
        """
        Fetch a page.
        :param url: The address.
        :return: The text.
        """
        emitter = EventEmitter(__event_emitter__)
        await emitter.emit(f"Fetching {url}")
        return f"{url} {self.valves.LIMIT}"
    def _private(self) -> str:
        return ""
''', [("fetch", {"url": "u"}, "u 3")])
# Plain files
case("plain_all_typed", ["add"], f"__all__ = ['add']\n{ADD}\ndef _hidden(x: int) -> int:\n    return x\n", ADDED)
case("plain_registry", [], "REGISTRY = {}\ndef register(f):\n    REGISTRY[f.__name__] = f\n    return f\n@register\ndef a(x: int) -> int:\n    '''A.'''\n    return x\n")
case("argparse_script", [], "import argparse\ndef main():\n    p = argparse.ArgumentParser()\n    p.add_argument('x')\n    print(p.parse_args().x)\nif __name__ == '__main__':\n    main()\n")
case("models_only", [], "from pydantic import BaseModel\nclass A(BaseModel):\n    x: int\n")
case("flask_app", [], "from flask import Flask\napp = Flask(__name__)\n@app.route('/')\ndef index() -> str:\n    return 'x'\n")
case("graph_only", [], "from langgraph.graph import StateGraph, START, END\nfrom typing import TypedDict\nclass S(TypedDict):\n    x: int\ndef node(state: S) -> S:\n    return state\ng = StateGraph(S)\ng.add_node('n', node)\ng.add_edge(START, 'n')\napp = g.compile()\n")
