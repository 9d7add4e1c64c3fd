"""Parameters of tools whose frameworks describe them beside the function."""

from .host import HostCase

PLACE = """from __future__ import annotations
from typing import Annotated
from typing_extensions import NotRequired, TypedDict
from agents import function_tool
class Place(TypedDict):
    lat: Annotated[float, "Latitude"]
    name: NotRequired[str]
@function_tool
def look(place: Place) -> str:
    'Look.'
    return f"{place['lat']} {place.get('name')}"
"""
PARTIAL = """from functools import partial
from langchain_core.tools import StructuredTool
def power(base: int, exponent: int) -> int:
    'Raise a number to a power.'
    return base ** exponent
square = StructuredTool.from_function(partial(power, exponent=2), name="square")
"""
OBJECT = """import dspy
class Place:
    def __init__(self, end: str):
        self.end = end
    def __call__(self, town: str, limit: int = 2) -> str:
        'Find a place.'
        return town * limit + self.end
place = dspy.Tool(Place("!"), name="place", desc="Find.")
"""
PROPERTY = """from abc import ABC, abstractmethod
class BaseTool(ABC):
    @property
    @abstractmethod
    def parameters(self) -> dict: ...
    @abstractmethod
    def execute(self, **given): ...
class ReadTool(BaseTool):
    name = "read"
    description = "Read."
    @property
    def parameters(self) -> dict:
        return {"type": "object", "properties": {"path": {"type": "string", "description": "The file."}}, "required": ["path"]}
    def execute(self, path: str, **given) -> str:
        return path
"""
NAMED = """from typing import NamedTuple, Optional
from smolagents import tool
class Point(NamedTuple):
    x: int
    y: int = 0
@tool
def move(to: Optional[Point] = None) -> str:
    'Move.'
    return f"{to.x} {to.y}" if to else "home"
"""
RECORDS = """from dataclasses import dataclass, field
from typing import Any, Callable
@dataclass
class ToolParameter:
    name: str
    type: str
    description: str
    required: bool = True
    default: Any = None
@dataclass
class Tool:
    name: str
    description: str
    parameters: list[ToolParameter] = field(default_factory=list)
    func: Callable[..., Any] | None = None
def _find(pattern, path=".", deep=False):
    return f"{pattern} {path} {deep}"
find = Tool("find", "Find.", [ToolParameter("pattern", "string", "What"), ToolParameter("path", "str", "Where", required=False, default="."), ToolParameter("deep", "boolean", "", required=False)], _find)
"""
GRIPTAPE = """from griptape.artifacts import TextArtifact
from griptape.tools import BaseTool
from griptape.utils.decorators import activity
from schema import Literal, Optional, Schema
class ShopTool(BaseTool):
    @activity(config={"description": "Search.", "schema": Schema({Literal("query", description="What to find."): str, Optional("limit", default=5): int})})
    def search(self, query: str, limit: int = 5) -> TextArtifact:
        return TextArtifact(query * limit)
"""
TEXT = {"type": "string"}


class ForeignParametersTest(HostCase):
    def check(self, text, properties, required, arguments, result):
        host = self.open(text)
        (tool,) = host.inspect("t.py")["tools"]
        self.assertEqual(tool["parameters"], {"type": "object", "properties": properties, "required": required})
        self.assertEqual(host.call(tool["name"], arguments)["content"][0]["text"], result)
        return tool

    def test_a_typed_dict_of_typing_extensions_has_its_members(self):
        place = {"type": "object", "properties": {"lat": {"type": "number", "description": "Latitude"}, "name": TEXT}, "required": ["lat"]}
        self.check(PLACE, {"place": place}, ["place"], {"place": {"lat": 1}}, "1 None")

    def test_a_partial_function_has_the_annotations_and_the_docstring_of_its_function(self):
        tool = self.check(PARTIAL, {"base": {"type": "integer"}, "exponent": {"type": "integer", "default": 2}}, ["base"], {"base": 3}, "9")
        self.assertEqual(tool["description"], "Raise a number to a power.")

    def test_an_object_that_can_be_called_has_the_annotations_of_its_method(self):
        self.check(OBJECT, {"town": TEXT, "limit": {"type": "integer", "default": 2}}, ["town"], {"town": "a"}, "aa!")

    def test_a_property_describes_the_parameters(self):
        self.check(PROPERTY, {"path": {**TEXT, "description": "The file."}}, ["path"], {"path": "p"}, "p")

    def test_a_schema_of_griptape_describes_named_parameters(self):
        described = {"query": {**TEXT, "description": "What to find."}, "limit": {"type": "integer", "default": 5}}
        self.check(GRIPTAPE, described, ["query"], {"query": "a"}, "aaaaa")

    def test_a_named_tuple_that_may_be_left_out_is_made_from_an_object(self):
        host = self.open(NAMED)
        self.assertTrue(host.inspect("t.py")["tools"])
        for arguments, result in (({"to": {"x": 1}}, "1 0"), ({"to": None}, "home"), ({}, "home")):
            self.assertEqual(host.call("t:move", arguments)["content"][0]["text"], result)

    def test_a_dict_with_an_empty_default_describes_a_parameter_that_may_be_left_out(self):
        text = RECORDS.replace('ToolParameter("deep", "boolean", "", required=False)', '{"name": "deep", "type": "boolean", "default": None}')
        self.assertNotEqual(text, RECORDS)
        self.check(text, {"pattern": {**TEXT, "description": "What"}, "path": {**TEXT, "description": "Where", "default": "."}, "deep": {"type": "boolean"}}, ["pattern"], {"pattern": "a"}, "a . False")

    def test_records_of_a_class_of_the_file_describe_parameters(self):
        described = {"pattern": {**TEXT, "description": "What"}, "path": {**TEXT, "description": "Where", "default": "."}, "deep": {"type": "boolean"}}
        self.check(RECORDS, described, ["pattern"], {"pattern": "a"}, "a . False")
