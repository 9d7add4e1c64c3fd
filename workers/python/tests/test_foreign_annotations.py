"""Annotations whose names a file imports elsewhere than at its top level: for a type checker only, or inside a function."""

import sys

from .host import HostCase

CONFIG = """{future}
from typing import TYPE_CHECKING, Annotated, Optional
from langchain_core.tools import tool
if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig as Config
    from langgraph.prebuilt import InjectedState
@tool
def first(key: str, config: {quote}Config{quote}) -> str:
    'First.'
    return key + str(config["configurable"])
@tool
def second(key: str, config: {quote}Optional[Config]{quote} = None) -> str:
    'Second.'
    return key
@tool
def third(key: str, state: {quote}Annotated[dict, InjectedState]{quote}) -> str:
    'Third.'
    return key + str(state["messages"])
"""
SHOP = """from __future__ import annotations
import typing as t
from agents import RunContextWrapper, function_tool
if t.TYPE_CHECKING:
    import pandas as pd
    from datetime import date
    from app.shop import Context, Item, Kind, Shop
@function_tool
def find(ctx: RunContextWrapper[Shop], item: Item, kinds: list[Kind], day: date | None = None) -> str:
    'Find.'
    return f"{item} {kinds} {day}"
@function_tool
def count(context: Context, rows: list[Unknown]) -> pd.DataFrame:
    'Count.'
    return len(rows)
"""
INNER = """from __future__ import annotations
def build_agent(model: str = "openai:gpt-4o"):
    from pydantic_ai import Agent, RunContext
    from .shop import Shop
    agent = Agent(model, deps_type=Shop)
    @agent.tool
    def find(ctx: RunContext[Shop], text: str) -> str:
        'Find.'
        return text
    return agent
"""
# Since Python 3.14, annotations are evaluated when they are read, so that a name may be unknown when the function is defined.
LATE = """def build_agent(model: str = "openai:gpt-4o"):
    from pydantic_ai import Agent, RunContext
    agent = Agent(model)
    if not agent:
        Shop = None
    @agent.tool
    def find(ctx: RunContext[Shop], text: str) -> str:
        'Find.'
        return text
    return agent
"""
LOCAL = """from __future__ import annotations
def create_server():
    from dataclasses import dataclass
    from fastmcp import FastMCP
    mcp = FastMCP("x")
    @dataclass
    class Order:
        sku: str
        count: int = 1
    @mcp.tool
    def order(order: Order) -> str:
        'Order.'
        return order.sku * order.count
    return mcp
"""


class ForeignAnnotationsTest(HostCase):
    def test_a_context_that_is_imported_for_a_type_checker_only_is_supplied(self):
        for future, quote in (("from __future__ import annotations", ""), ("", '"')):
            host = self.open(CONFIG.format(future=future, quote=quote))
            with self.subTest(future):
                shown = {tool["name"]: tool["parameters"] for tool in host.inspect("t.py")["tools"]}
                text = {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]}
                self.assertEqual(shown, {"t:first": text, "t:second": text, "t:third": text})
                self.assertEqual([_text(host.call(name, {"key": "a"})) for name in shown], ["a{}", "a", "a[]"])

    def test_the_rest_of_an_annotation_counts_beside_a_name_of_a_module_that_is_not_there(self):
        host = self.open(SHOP)
        find, count = (tool["parameters"] for tool in host.inspect("t.py")["tools"])
        self.assertEqual(list(find["properties"]), ["item", "kinds", "day"])
        self.assertEqual(find["properties"]["item"], {})
        self.assertEqual(find["properties"]["kinds"], {"type": "array"})
        self.assertEqual(find["properties"]["day"]["format"], "date")
        self.assertEqual(count["properties"], {"rows": {"type": "array"}})
        self.assertEqual(_text(host.call("t:find", {"item": {"a": 1}, "kinds": ["b"]})), "{'a': 1} ['b'] None")
        self.assertEqual(_text(host.call("t:count", {"rows": [1, 2]})), "2")

    def test_a_context_that_the_function_around_a_tool_imports_is_supplied(self):
        for text in (INNER, LATE) if sys.version_info >= (3, 14) else (INNER,):
            with self.subTest(text):
                host = self.open(text)
                (tool,) = host.inspect("t.py")["tools"]
                self.assertEqual(list(tool["parameters"]["properties"]), ["text"])
                self.assertEqual(_text(host.call("t:find", {"text": "a"})), "a")

    def test_a_class_in_the_function_around_a_tool_is_the_type_of_its_parameter(self):
        host = self.open(LOCAL)
        (tool,) = host.inspect("t.py")["tools"]
        order = {"type": "object", "properties": {"sku": {"type": "string"}, "count": {"type": "integer", "default": 1}}, "required": ["sku"]}
        self.assertEqual(tool["parameters"]["properties"], {"order": order})
        self.assertEqual(_text(host.call("t:order", {"order": {"sku": "a"}})), "a")


def _text(result):
    return result["content"][0]["text"] if result["ok"] else result
