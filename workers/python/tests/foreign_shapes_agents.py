"""Shapes of files for smolagents, CrewAI, Agno and Pydantic AI."""

from .foreign_shapes import case

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
# Functions with a ToolContext, whose agent another file makes; callbacks are not tools.
case("adk_tools_file", ["count", "forget"], """from typing import Optional
from google.adk.tools import ToolContext, BaseTool
def count(step: int, tool_context: ToolContext) -> dict:
    "Count on."
    tool_context.state["n"] = tool_context.state.get("n", 0) + step
    return {"n": tool_context.state["n"]}
def forget(tool_context: Optional[ToolContext] = None) -> str:
    "Forget the number."
    return "done"
def reset(state: dict) -> dict:
    "Called by the application."
    return {}
def before_tool_callback(tool: BaseTool, args: dict, tool_context: ToolContext) -> None:
    "Log a call."
def check(tool: BaseTool, args: dict, tool_context: ToolContext) -> None:
    "Check a call."
""", [("count", {"step": 2}, {"n": 2}), ("forget", {}, "done")])
# Letta: a tool inside a function that gets its client from the code that runs the application
case("letta_client_passed", ["label"], """import os
from letta_client import Letta
def create_label_tool(client: Letta):
    def label(text: str, size: int = 2) -> str:
        "Print a label."
        return text * size
    made = client.tools.upsert_from_function(func=label, tags=["shop"])
    return made.id
def main():
    client = Letta(token=os.environ["SHOP_KEY"])
    client.agents.tools.attach(tool_id=create_label_tool(client))
if __name__ == "__main__":
    main()
""", [("label", {"text": "a"}, "aa")])
# llmio: the application supplies the state
case("llmio_state", ["add", "remember"], '''from dataclasses import dataclass
from llmio import Agent, OpenAIClient
@dataclass
class User:
    name: str
agent = Agent(instruction="Help.", client=OpenAIClient(api_key="x"))
@agent.tool
async def add(num1: float, num2: float) -> float:
    """Add numbers."""
    return num1 + num2
@agent.tool(strict=True)
async def remember(text: str, _state: User) -> str:
    """Remember a text."""
    return text
@agent.on_message
async def show(message: str):
    """Show a message."""
    print(message)
''', [("add", {"num1": 1, "num2": 2.5}, 3.5), ("remember", {"text": "a"}, "a")])
# Pydantic AI: a function adds tools to an agent that it gets
case("pydantic_added_tools", ["now", "name"], """from pydantic_ai import RunContext
def add_tools(agent) -> None:
    @agent.tool_plain
    def now() -> str:
        "Tell the time."
        return "noon"
    @agent.tool
    def name(ctx: RunContext[str], style: str = "short") -> str:
        "Tell the name."
        return style
""", [("now", {}, "noon"), ("name", {"style": "long"}, "long")])
case("pydantic_from_schema", ["total"], """from pydantic_ai import Agent, Tool
def add(**given) -> int:
    return given["a"] + given["b"]
number = {"type": "integer"}
total = Tool.from_schema(add, "total", "Add two numbers.", {"type": "object", "properties": {"a": number, "b": number}, "required": ["a", "b"]})
agent = Agent("test", tools=[total])
""", [("total", {"a": 1, "b": 2}, 3)])
