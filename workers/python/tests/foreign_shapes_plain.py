"""Shapes of files for Open WebUI, and of plain files without a framework."""

from .foreign_shapes import ADD, ADDED, case

case('owui_env', ['web_search'], '''
"""
title: Web Search
author: x
requirements: aiohttp
"""
import os, requests, json
from datetime import datetime
from typing import Callable, Any, Literal
from fastapi import Request
from pydantic import BaseModel, Field
import aiohttp
from open_webui.models.users import Users
class HelpFunctions:
    def get_base_url(self, url): return url
class EventEmitter:
    def __init__(self, event_emitter: Callable[[dict], Any] = None):
        self.event_emitter = event_emitter
    async def emit(self, description="x", status="in_progress", done=False):
        if self.event_emitter:
            await self.event_emitter({"type": "status", "data": {"status": status, "description": description, "done": done}})
class Tools:
    class Valves(BaseModel):
        URL: str = Field(default="https://example.com", description="u")
        N: int = Field(default=3, ge=1)
        mode: Literal["a", "b"] = "a"
        pass
    def __init__(self):
        self.valves = self.Valves(**{k: os.getenv(k, v.default) for k, v in self.Valves.model_fields.items()})
        self.headers = {"User-Agent": "x"}
    async def web_search(self, query: str, __event_emitter__: Callable[[dict], Any] = None, __user__: dict = {}, __request__: Request = None) -> str:
        """
        Search the web and get the content.
        :param query: Web Query used.
        :return: The content in json format.
        """
        emitter = EventEmitter(__event_emitter__)
        await emitter.emit(f"Searching {query}")
        return json.dumps({"q": query, "n": self.valves.N, "u": __user__.get("name")})
''', [('web_search',{'query':'x'},'{"q": "x", "n": 3, "u": "User"}')])
case('owui_valves', ['conv'], '''
"""
title: Conv
"""
from pydantic import BaseModel, Field
import requests
class Tools:
    class Valves(BaseModel):
        key: str = Field("", description="k")
    class UserValves(BaseModel):
        metric: bool = Field(default=True)
    def __init__(self):
        self.valves = self.Valves()
        self.user_valves = self.UserValves()
    def conv(self, n: float, __user__: dict) -> str:
        """
        Convert.
        :param n: number
        """
        return f"{n} {__user__['valves'].metric}"
    def _priv(self): pass
''', [('conv',{'n':2},'2 True')])
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
case("plain_all_typed", ["add"], f"__all__ = ['add']\n{ADD}\ndef _hidden(x: int) -> int:\n    return x\n", ADDED)
case("plain_registry", [], "REGISTRY = {}\ndef register(f):\n    REGISTRY[f.__name__] = f\n    return f\n@register\ndef a(x: int) -> int:\n    '''A.'''\n    return x\n")
case("argparse_script", [], "import argparse\ndef main():\n    p = argparse.ArgumentParser()\n    p.add_argument('x')\n    print(p.parse_args().x)\nif __name__ == '__main__':\n    main()\n")
case("models_only", [], "from pydantic import BaseModel\nclass A(BaseModel):\n    x: int\n")
case("flask_app", [], "from flask import Flask\napp = Flask(__name__)\n@app.route('/')\ndef index() -> str:\n    return 'x'\n")
case('not_tools1', [], '''
import numpy as np
from dataclasses import dataclass
def norm(x: list[float]) -> float:
    """Norm."""
    return float(np.linalg.norm(x))
''')
case('helper_models', [], '''
from pydantic import BaseModel, Field
class User(BaseModel):
    name: str
''')
# Lists of dicts that have the functions of their tools
case("listed_with_functions", ["square", "shout", "halve"], """import json
def _square(args):
    return args["x"] ** 2
def shout(text: str) -> str:
    return text.upper()
class Desk:
    def halve(self, params: dict) -> float:
        return params["x"] / 2
PROPERTIES = {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}
TOOLS = [
    {"name": "square", "description": "Square.", "parameters": PROPERTIES, "function": _square},
    {"name": "shout", "description": "Shout.", "func": shout},
    {"name": "halve", "description": "Halve.", "input_schema": PROPERTIES, "handler": Desk().halve},
]
""", [("square", {"x": 3}, 9), ("shout", {"text": "a"}, "A"), ("halve", {"x": 3}, 1.5)])
case("returned_with_functions", ["note", "count"], """def get_settings():
    return [{"name": "size", "description": "Size.", "callback": lambda: 1}]
def get_tools():
    return [
        {"name": "note", "description": "Note.", "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}}, "executor": lambda inputs: inputs["text"] + "!"},
        {"name": "count", "description": "Count.", "run": _count},
    ]
def _count(text: str) -> int:
    return len(text)
""", [("note", {"text": "a"}, "a!"), ("count", {"text": "abc"}, 3)])
case("returned_without_schemas", ["count"], """def make_tools():
    return [{"name": "count", "description": "Count.", "func": lambda text: len(text)}]
""", [("count", {"text": "abc"}, 3)])
# Control: the commands of a menu, and what a function returns that only the application calls
case("commands_of_a_menu", [], """def _help(text: str) -> str:
    return text
COMMANDS = [{"name": "help", "description": "Help.", "handler": _help}]
def get_tools(user):
    return [{"name": "note", "description": "Note.", "run": _help}]
""")
CACHED = '''
from functools import lru_cache
@lru_cache(maxsize=8)
def rate(currency: str) -> str:
    """The rate of a currency."""
    return currency.upper()
'''
RATED = [('rate', {'currency': 'eur'}, 'EUR')]
case('cached_list', ['rate'], CACHED + 'TOOLS = [rate]\n', RATED)
case('cached_dict', ['rate'], CACHED + 'TOOLS = {"rate": rate}\n', RATED)
case('cached_entry', ['rate'], CACHED + 'TOOLS = {"rate": {"function": rate, "description": "Rate."}}\n', RATED)
case('cached_agent', ['rate'], CACHED + 'from absent_agents import Agent\nagent = Agent(tools=[rate])\n', RATED)
case('cached_marked', ['rate'], 'from langchain_core.tools import tool\n' + CACHED.replace('@lru_cache', '@tool\n@lru_cache'), RATED)
case('cached_missing', ['rate'], 'from absent_agents import tool\n' + CACHED.replace('@lru_cache', '@tool\n@lru_cache'), RATED)
case('cached_exported', [], CACHED + '__all__ = ["rate"]\n')

# Names that only a type checker imports, and named tuples
case("checked_names", ["when", "meet"], """from __future__ import annotations
from typing import TYPE_CHECKING, NamedTuple
import datetime as dt
if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal
    from missing_module import Missing
class Slot(NamedTuple):
    day: dt.date
    at: dt.time
def when(days: Sequence[str], price: Decimal, other: Missing = None) -> str:
    '''When.'''
    return f"{days} {type(price).__name__} {other}"
def meet(slot: Slot) -> str:
    '''Meet.'''
    return f"{slot.day:%d.%m.} {slot.at:%H}"
__all__ = ["when", "meet"]
""", [("when", {"days": ["a"], "price": 2}, "['a'] Decimal None"), ("meet", {"slot": {"day": "2024-05-01", "at": "10:30"}}, "01.05. 10")])
