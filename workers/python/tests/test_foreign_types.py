"""Types of pydantic in inferred schemas, with the real package and with the stand-in."""

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
        installed = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "pydantic"}
        self.addCleanup(sys.modules.update, installed)
        with mock.patch.object(sys, "path", [one for one in sys.path if "-packages" not in one]):
            self.assertEqual(self.types_of(), expected)

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
