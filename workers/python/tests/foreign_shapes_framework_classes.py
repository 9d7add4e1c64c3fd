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
