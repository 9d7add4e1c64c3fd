"""Shapes of files for the APIs and SDKs of model providers, and of loops that call functions by their names."""

from .foreign_shapes import ADD, ADDED, case

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
case("anthropic_loop", ["get_stock"], """import anthropic
client = anthropic.Anthropic()
TOOLS = [{"name": "get_stock", "description": "Price.", "input_schema": {"type": "object", "properties": {"ticker": {"type": "string"}}, "required": ["ticker"]}}]
def get_stock(ticker: str) -> float:
    return 1.5
def process_tool_call(name, tool_input):
    if name == "get_stock":
        return get_stock(**tool_input)
""", [("get_stock", {"ticker": "A"}, 1.5)])
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
case('old_functions', ['get_n_day'], '''
import openai, json
functions = [{"name": "get_n_day", "description": "N", "parameters": {"type": "object", "properties": {"location": {"type": "string"}, "num_days": {"type": "integer"}}, "required": ["location", "num_days"]}}]
def get_n_day(location, num_days): return f"{location} {num_days}"
''', [('get_n_day',{'location':'a','num_days':2},'a 2')])
case('dict_of_tools', ['add'], '''
def add(a: int, b: int) -> int:
    return a + b
TOOL_REGISTRY = {"add": {"function": add, "schema": {"type": "function", "function": {"name": "add", "description": "Add", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}}}}}
TOOLS = [t["schema"] for t in TOOL_REGISTRY.values()]
''', [('add',{'a':1,'b':2},3)])
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
case("ollama_fn", ["add"], f"import ollama\n{ADD}\nresponse = ollama.chat('llama3.1', messages=[], tools=[add])\n", ADDED)
case("gemini_fn", ["add"], f"from google import genai\nfrom google.genai import types\n{ADD}\nclient = genai.Client()\nconfig = types.GenerateContentConfig(tools=[add])\nr = client.models.generate_content(model='g', contents='x', config=config)\nprint(r.text)\n", ADDED)
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
# Declarations of Google in annotations, which are evaluated when the class is made
case("google_declaration_in_annotation", ["find"], """from google.adk.tools import BaseTool, ToolContext
from google.genai import types
class FindTool(BaseTool):
    def __init__(self, schema: types.Schema | None = None):
        super().__init__(name="find", description="Find.")
    def _get_declaration(self) -> types.FunctionDeclaration | None:
        key = types.Schema(type=types.Type.STRING)
        return types.FunctionDeclaration(name=self.name, description=self.description, parameters=types.Schema(type=types.Type.OBJECT, properties={"key": key}))
    async def run_async(self, *, args: dict, tool_context: ToolContext) -> dict | types.Tool:
        return {"found": args["key"]}
""", [("find", {"key": "a"}, {"found": "a"})])
