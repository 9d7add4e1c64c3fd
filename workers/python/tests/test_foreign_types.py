"""Types of pydantic in inferred schemas, with the real package and with the stand-in."""

import contextlib
import importlib.util
import json
import os
import sys
from unittest import mock

from .host import HostCase

FILE = """from pydantic import AnyUrl, AwareDatetime, BaseModel, EmailStr, FutureDate, HttpUrl, IPvAnyAddress, NonNegativeInt, UUID1
from smolagents import tool
class Page(BaseModel):
    home: HttpUrl
    other: AnyUrl | None = None
@tool
def visit(url: HttpUrl, mail: EmailStr, at: AwareDatetime, on: FutureDate, ip: IPvAnyAddress, n: NonNegativeInt, key: UUID1, page: Page) -> str:
    '''Visit.'''
    return str(url)
"""
ARGUMENTS = {
    **{"url": "https://example.org/", "mail": "a@example.org", "ip": "1.1.1.1", "n": 1, "page": {"home": "https://example.org"}},
    **{"at": "2030-01-01T00:00:00Z", "on": "2030-01-01", "key": "5ba1e7b4-9d3e-11ee-8c90-0242ac120002"},
}


MODELS = """from typing import Annotated, Any, Literal, Union
from fastmcp import FastMCP
from langchain_core.tools import tool
from pydantic import AliasChoices, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic_settings import BaseSettings, SettingsConfigDict
mcp = FastMCP("x")
class Base(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
class Update(Base):
    model_config = ConfigDict(extra="forbid")
    user_name: str
    last: str = Field(validation_alias="last-name", serialization_alias="lastName")
    amount: float = Field(validation_alias=AliasChoices("a", "b"), serialization_alias="a")
class Circle(BaseModel):
    kind: Literal["circle"]
    radius: float = 1.0
class Box(BaseModel):
    kind: Literal["box"]
    side: float = 3.0
class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="SHOP_")
    limit: int = 10
    debug: bool = False
settings = Settings()
@tool(args_schema=Update)
def update(**given: Any) -> dict:
    '''Update.'''
    return Update(**given).model_dump(by_alias=True)
@mcp.tool
def area(shape: Annotated[Union[Circle, Box], Field(discriminator="kind")]) -> str:
    '''Area.'''
    return f"{type(shape).__name__} {getattr(shape, 'radius', None) or shape.side}"
@tool
def limit() -> str:
    '''Limit.'''
    return f"{type(settings.limit).__name__} {settings.limit} {settings.debug}"
"""


ROOT = """from typing import Optional
from fastmcp import FastMCP
from pydantic import BaseModel, Field, RootModel
mcp = FastMCP("x")
class Names(RootModel[list[str]]):
    pass
class Place(BaseModel):
    names: Names
@mcp.tool
def find(names: Names, place: Optional[Place] = None, more: Optional[Names] = None) -> Names:
    'Find.'
    return Names(names.root + (place.names.root if place else []) + (more.root if more else []))
"""


CLIENT = """from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field
class Settings(BaseModel):
    model: BaseChatModel | None = None
    limit: int = Field(3, description="How many")
class LimitTool(BaseTool):
    name: str = "limit"
    description: str = "Limit."
    settings: Settings = Field(default_factory=Settings)
    def _run(self, text: str) -> str:
        return text * self.settings.limit
"""
VERSION_1 = """from langchain.tools import tool
from pydantic.v1 import BaseModel, Field
class Place(BaseModel):
    lat: float = Field(..., description="The latitude", ge=-90)
    name: str = Field("home", description="The name")
@tool(args_schema=Place)
def look(lat: float, name: str = "home") -> str:
    'Look.'
    return f"{lat} {name}"
"""


@contextlib.contextmanager
def without_pydantic():
    """A context in which pydantic and its settings are not installed."""
    installed = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0].startswith("pydantic")}
    try:
        with mock.patch.object(sys, "path", [one for one in sys.path if "-packages" not in one]):
            yield
    finally:
        sys.modules.update(installed)


class ForeignTypesTest(HostCase):
    def types_of(self):
        host = self.open(FILE)
        (tool,) = host.inspect("t.py")["tools"]
        self.assertTrue(host.call("t:visit", ARGUMENTS)["ok"])
        properties = tool["parameters"]["properties"]
        return {name: one["type"] for name, one in {**properties, **properties["page"]["properties"]}.items() if name != "page"}

    def test_types_that_json_has_no_word_for_are_texts(self):
        texts = dict.fromkeys(("url", "mail", "at", "on", "ip", "key", "home"), "string")
        expected = {**texts, "n": "integer", "other": ["string", "null"]}
        self.assertEqual(self.types_of(), expected)
        with without_pydantic():
            self.assertEqual(self.types_of(), expected)

    def check_models(self):
        host = self.open(MODELS)
        found = {one["name"]: list(one["parameters"]["properties"]) for one in host.inspect("t.py")["tools"]}
        self.assertEqual(found, {"t:update": ["userName", "last-name", "a"], "t:area": ["shape"], "t:limit": []})
        calls = [
            ("t:update", {"userName": "x", "last-name": "y", "a": 2}, {"userName": "x", "lastName": "y", "a": 2.0}),
            ("t:area", {"shape": {"kind": "circle"}}, "Circle 1.0"),
            ("t:area", {"shape": {"kind": "box", "side": 2}}, "Box 2.0"),
            ("t:area", {"shape": {"kind": "box"}}, "Box 3.0"),
            ("t:limit", {}, "int 20 True"),
        ]
        for tool, arguments, expected in calls:
            with self.subTest(tool):
                result = host.call(tool, arguments)
                self.assertTrue(result["ok"], result)
                (part,) = result["content"]
                self.assertEqual(json.loads(part["text"]) if part["type"] == "json" else part["text"], expected)

    def test_models_convert_names_numbers_and_variables(self):
        with mock.patch.dict(os.environ, {"SHOP_LIMIT": "20", "shop_debug": "yes"}):
            if importlib.util.find_spec("pydantic") and importlib.util.find_spec("pydantic_settings"):
                self.check_models()
            with without_pydantic():
                self.check_models()

    def check_client(self):
        host = self.open(CLIENT)
        self.assertEqual([tool["name"] for tool in host.inspect("t.py")["tools"]], ["t:limit"])
        self.assertEqual(host.call("t:limit", {"text": "a"})["content"][0]["text"], "aaa")

    def test_a_field_of_a_model_may_have_a_class_of_a_framework_as_its_type(self):
        if importlib.util.find_spec("pydantic"):
            self.check_client()
        with without_pydantic():
            self.check_client()

    def check_version_1(self):
        host = self.open(VERSION_1)
        (tool,) = host.inspect("t.py")["tools"]
        lat = {"type": "number", "minimum": -90, "description": "The latitude"}
        self.assertEqual(tool["parameters"]["properties"], {"lat": lat, "name": {"type": "string", "default": "home", "description": "The name"}})
        self.assertEqual(host.call("t:look", {"lat": 1.5})["content"][0]["text"], "1.5 home")

    def test_fields_of_version_1_have_their_descriptions_and_bounds(self):
        if importlib.util.find_spec("pydantic"):
            self.check_version_1()
        with without_pydantic():
            self.check_version_1()

    def check_root(self):
        host = self.open(ROOT)
        (tool,) = host.inspect("t.py")["tools"]
        names = {"type": "array", "items": {"type": "string"}}
        place = {"type": ["object", "null"], "properties": {"names": names}, "required": ["names"]}
        found = tool["parameters"]["properties"]
        self.assertEqual(found, {"names": names, "place": place, "more": {**names, "type": ["array", "null"]}})
        (part,) = host.call("t:find", {"names": ["a"], "place": {"names": ["b"]}, "more": ["c"]})["content"]
        self.assertEqual(json.loads(part["text"]), ["a", "b", "c"])

    def test_a_root_model_is_its_value(self):
        if importlib.util.find_spec("pydantic"):
            self.check_root()
        with without_pydantic():
            self.check_root()

    def test_lists_and_alternatives_of_a_schema_of_literals_have_types(self):
        text = """from griptape.tools import BaseTool
from griptape.utils.decorators import activity
from schema import Literal, Or, Schema
class Shop(BaseTool):
    @activity(config={"description": "Order.", "schema": Schema({Literal("items"): [], "sizes": [int], "name": Or(str, int), "key": Or(str, str)})})
    def order(self, params: dict) -> str:
        return "x"
"""
        (tool,) = self.open(text).inspect("t.py")["tools"]
        types = {"items": {"type": "array"}, "sizes": {"type": "array", "items": {"type": "integer"}}, "key": {"type": "string"}}
        self.assertEqual(tool["parameters"]["properties"], {**types, "name": {"anyOf": [{"type": "string"}, {"type": "integer"}]}})
