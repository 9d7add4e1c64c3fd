"""Shapes of files for AutoGen, ADK, Semantic Kernel, Haystack, LlamaIndex, Strands, DSPy and other frameworks."""

from .foreign_shapes import ADD, ADDED, case

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
case("autogen_team", ["add"], f"import asyncio\nfrom autogen_agentchat.agents import AssistantAgent\nfrom autogen_agentchat.teams import RoundRobinGroupChat\nfrom autogen_ext.models.openai import OpenAIChatCompletionClient\nasync {ADD.strip()}\nagent = AssistantAgent('a', model_client=OpenAIChatCompletionClient(model='gpt-4o'), tools=[add])\nteam = RoundRobinGroupChat([agent])\n", ADDED)
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
case('adk_decorator', ['plot'], '''
from google.adk.tools import tool
@tool
def plot(values: list[float]) -> float:
    """Plots."""
    return sum(values)
''', [('plot',{'values':[1,2]},3)])
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
case("haystack_deco", ["add"], f"from typing import Annotated\nfrom haystack.tools import tool, Toolset\nfrom haystack.components.agents import Agent\n@tool\n{ADD.strip()}\ntools = Toolset([add])\nagent = Agent(chat_generator=None, tools=tools)\n", ADDED)
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
# Strands: a schema inside json. FastAPI-MCP: the fields of the body are the parameters
case("strands_json_schema", ["draw"], """from strands import tool
@tool(name="draw", description="Draw.", inputSchema={"json": {"type": "object", "properties": {"deck": {"type": "string"}, "count": {"type": "integer"}}, "required": ["deck"]}})
def draw_cards(deck, count=1):
    return f"{count} of {deck}"
""", [("draw", {"deck": "tarot"}, "1 of tarot")])
case("fastapi_body", ["order"], """from fastapi import FastAPI
from fastapi_mcp import FastApiMCP
from pydantic import BaseModel
app = FastAPI()
class Order(BaseModel):
    item: str
    amount: int = 1
@app.post("/orders", operation_id="order")
async def create(order: Order):
    return f"{order.amount} {order.item}"
FastApiMCP(app).mount()
""", [("order", {"item": "tea"}, "1 tea")])
