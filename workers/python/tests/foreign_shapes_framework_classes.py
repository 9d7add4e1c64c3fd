"""Shapes of files with classes of Instructor, Griptape, smolagents and LangChain, described less fully than usual."""

from .foreign_shapes import case

# A model of Instructor with a method that runs it; the others only describe answers
case('instructor_schema', ['Resize', 'Rotate'], """
from instructor import OpenAISchema
from pydantic import BaseModel, Field
class Resize(OpenAISchema):
    'Resize an image.'
    width: int = Field(..., description='The width')
    def run(self):
        return f"{self.width} px"
class Rotate(OpenAISchema):
    'Rotate an image.'
    degrees: int = 90
    def take_picture(self):
        return 1
    def __call__(self):
        return f"{self.degrees} degrees"
class Answer(OpenAISchema):
    'An answer.'
    text: str
class Scored(OpenAISchema):
    'An answer with points.'
    text: str
    def run(self, points):
        return points
rotate_schema = {'name': 'Rotate', 'description': 'Rotate an image.', 'parameters': {'type': 'object', 'properties': {'degrees': {'type': 'integer'}}}}
""", [('Resize', {'width': 3}, '3 px'), ('Rotate', {}, '90 degrees')])
case('instructor_function', ['area'], """
from instructor import openai_function
@openai_function
def area(width: int) -> int:
    'The area.'
    return width * width
""", [('area', {'width': 3}, 9)])
case('griptape_without_schema', ['list_all', 'get'], """
from attrs import define, field
from griptape.artifacts import TextArtifact
from griptape.tools import BaseTool
from griptape.utils.decorators import activity
from schema import Literal, Schema
@define
class Shelf(BaseTool):
    label: str = field(default="x", kw_only=True)
    @activity(config={"description": "List all."})
    def list_all(self, params: dict) -> str:
        return f"all {params['values']}"
    @activity(config={"description": "Get one.", "schema": Schema({Literal("name"): str})})
    def get(self, params: dict) -> str:
        return params["values"]["name"]
""", [('list_all', {}, 'all {}'), ('get', {'name': 'a'}, 'a')])
case('smolagents_without_inputs', ['solve'], """
from smolagents import Tool
class Solver(Tool):
    name = "solve"
    description = "Solve."
    input = {"state": {"type": "string", "description": "The state"}}
    output_type = "string"
    def forward(self, state: str) -> str:
        return state[::-1]
""", [('solve', {'state': 'ab'}, 'ba')])
case('langchain_run', ['align'], """
from langchain.tools import StructuredTool
from pydantic import BaseModel, Field
class AlignArgs(BaseModel):
    content: str = Field(..., description="The content")
class AlignTool(StructuredTool):
    name: str = "align"
    description: str = "Align."
    args_schema: type[BaseModel] = AlignArgs
    def run(self, content: str) -> str:
        return content.upper()
""", [('align', {'content': 'a'}, 'A')])
# LlamaIndex's metadata and schema beside the function; what wraps any tool is no tool itself
case('llama_metadata', ['repeat', 'say', 'join', 'ask', 'look_up'], """
from llama_index.core import VectorStoreIndex
from llama_index.core.tools import FunctionTool, QueryEngineTool, ToolMetadata
from pydantic import BaseModel, Field
class Given(BaseModel):
    text: str = Field(description='Any text.')
    times: int = 2
def do(text, times):
    return text * times
tool = FunctionTool(fn=do, metadata=ToolMetadata(name='repeat', description='Repeat.', fn_schema=Given))
def speak(text: str) -> str:
    return text
other = FunctionTool.from_defaults(speak, tool_metadata=ToolMetadata('Say.', 'say'))
def join(text, times):
    return [text] * times
print(FunctionTool.from_defaults(fn=join, fn_schema=Given).metadata.name)
engine = VectorStoreIndex.from_documents([]).as_query_engine()
asks = [QueryEngineTool(engine, ToolMetadata(name='ask', description='Ask.'))]
looks = QueryEngineTool.from_defaults(query_engine=engine, name='look_up', description='Look up.')
def wrap(original: FunctionTool) -> FunctionTool:
    def wrapped(*values, **named):
        return str(original.fn(*values, **named))
    return FunctionTool.from_defaults(fn=wrapped, tool_metadata=original.metadata)
""", [('repeat', {'text': 'a'}, 'aa'), ('say', {'text': 'b'}, 'b'), ('join', {'text': 'c', 'times': 1}, ['c'])])
case("kernel_model", ["day"], """from pydantic import Field
from semantic_kernel.functions import kernel_function
from semantic_kernel.kernel_pydantic import KernelBaseModel
class DayPlugin(KernelBaseModel):
    prefix: str = Field(default="day")
    @kernel_function
    def day(self, number: int) -> str:
        'Day.'
        return f"{self.prefix} {number}"
""", [("day", {"number": 1}, "day 1")])
case("fastmcp_mixin", ["first", "second"], """from fastmcp import FastMCP
from fastmcp.contrib.mcp_mixin import MCPMixin, mcp_resource, mcp_tool
class Desk(MCPMixin):
    def __init__(self, end: str = "!"):
        self.end = end
    @mcp_tool
    def first(self, text: str) -> str:
        'First.'
        return text + self.end
    @mcp_tool(name="second", description="Second.")
    def other(self, number: int = 1) -> int:
        return number
    @mcp_resource(uri="desk://all")
    def all(self) -> dict:
        return {}
Desk().register_all(FastMCP("x"))
""", [("first", {"text": "a"}, "a!"), ("second", {}, 1)])
