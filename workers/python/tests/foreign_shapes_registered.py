"""Shapes of files with functions and classes that add tools to a server, which nothing calls."""

from .foreign_shapes import ADD, ADDED, case, inner

# Functions that add tools to a server
case("reg_tools", ["add"], f"from mcp.server.fastmcp import FastMCP\ndef register_tools(mcp: FastMCP) -> None:\n    @mcp.tool()\n{inner(ADD)}\n", ADDED)
case("reg_untyped", ["add"], f"def register_tools(mcp) -> None:\n    @mcp.tool()\n{inner(ADD)}\n", ADDED)
case("reg_default", ["add"], f"def register(mcp_server, config: dict = None):\n    @mcp_server.tool()\n{inner(ADD)}\n", ADDED)
case("reg_needs", ["add", "load"], f"""from fastmcp import Context
def register_tools(mcp, db):
    @mcp.tool()
{inner(ADD)}
    @mcp.tool(name="load")
    async def load_it(ctx: Context, key: str) -> str:
        '''Load.'''
        return db.load(key)
""", ADDED)
case("reg_added", ["add"], f"from mcp.server.fastmcp import FastMCP\n{ADD}\ndef register_tools(mcp: FastMCP) -> None:\n    mcp.add_tool(add)\n", ADDED)
case("reg_called", ["add"], f"from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\ndef register_tools(mcp):\n    @mcp.tool()\n{inner(ADD)}\nregister_tools(mcp)\n", ADDED)
case("reg_called_inside", ["add"], f"from fastmcp import FastMCP\ndef register_tools(mcp):\n    @mcp.tool\n{inner(ADD)}\ndef create():\n    mcp = FastMCP('x')\n    register_tools(mcp)\n    return mcp\nserver = create()\n", ADDED)
case("reg_all", ["add", "bye"], f"""def register_a(app):
    @app.tool()
{inner(ADD)}
def register_b(app):
    @app.tool()
    def bye() -> str:
        '''Bye.'''
        return 'bye'
def register_all(app):
    register_a(app)
    register_b(app)
""", ADDED)
case("reg_missing", ["add"], f"from my_server.common import helper\nfrom mcp.server.fastmcp import FastMCP\ndef register_tools(mcp: FastMCP):\n    @mcp.tool()\n{inner(ADD)}\n", ADDED)
case("reg_async", ["add"], f"from fastmcp import FastMCP\nasync def setup(mcp: FastMCP):\n    @mcp.tool\n{inner(ADD)}\n", ADDED)
case("reg_typing", ["add"], f"from __future__ import annotations\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from mcp.server.fastmcp import FastMCP\ndef register(mcp: FastMCP) -> None:\n    @mcp.tool()\n{inner(ADD)}\n", ADDED)
case("reg_in_folder", ["add"], "from mcp.server.fastmcp import FastMCP\nfrom parts.numbers import register_tools\nmcp = FastMCP('x')\nregister_tools(mcp)\n", ADDED)
case("reg_empty", [], "def register_tools(mcp) -> None:\n    '''Nothing yet.'''\n")

# Functions and classes that need the application before they make tools: statements that fail are left out.
case("built_after_guards", ["get", "more", "where"], """from __future__ import annotations
from pathlib import Path
from mcp.server.fastmcp import FastMCP
def build_server(root, session):
    if not (Path(root) / "sessions.sqlite3").is_file():
        raise ValueError("A saved database is required")
    with open("/no/such/file") as file:
        text = file.read()
    store = open_store(root)
    server = FastMCP("one")
    try:
        limit = int({}["limit"])
    except KeyError:
        limit = 3
    @server.tool()
    def get(x: int = 1) -> int:
        return x + limit
    @server.tool()
    def more() -> str:
        return store.more()
    @server.tool()
    def where(name: str) -> str:
        return name or text
    return server
""", [("get", {}, 4), ("where", {"name": "n"}, "n")])
case("class_after_guards", ["get", "other"], """import os
from fastmcp import FastMCP
class Server:
    def __init__(self):
        self.key = os.environ.get("NO_SUCH_KEY")
        if not self.key:
            raise ValueError("NO_SUCH_KEY is required")
        self.db = self._connect()
        self.mcp = FastMCP("x")
        self._setup()
    def _connect(self):
        raise OSError("no")
    def _setup(self):
        self.mcp.tool()(self.get)
        self.mcp.tool()(self.other)
    def get(self, x: int) -> str:
        return f"{x} {self.key}"
    def other(self, y: str) -> str:
        return y or self.db.get(y)
def main():
    Server().mcp.run()
""", [("get", {"x": 1}, "1 None"), ("other", {"y": "y"}, "y")])
# A loop is left out as a whole, since it may not end without a part of it.
case("built_after_loop", ["get"], "def register(mcp, node):\n    while True:\n        node = {}['x']\n    @mcp.tool()\n    def get(x: str) -> str:\n        return x\n", [("get", {"x": "a"}, "a")])
# Tools of a branch that is not taken, if there are no others
case("built_in_a_mode", ["load", "keep"], """from strands import Agent
def create(mode="run"):
    extra = []
    prefix = ">"
    if mode == "edit":
        from strands import tool
        @tool
        def load(path: str) -> str:
            return prefix + path
        extra = [load]
    elif mode == "copy":
        from strands import tool
        @tool
        def keep(path: str) -> str:
            return path
        extra = [keep]
    return Agent(tools=extra)
""", [("load", {"path": "a"}, ">a"), ("keep", {"path": "b"}, "b")])
case("built_in_another_mode", ["load"], """from strands import Agent, tool
def create(mode="run"):
    @tool
    def load(path: str) -> str:
        return path
    if mode == "edit":
        @tool
        def drop(path: str) -> str:
            return path
    return Agent(tools=[load])
""")
# A server that gets its tools in a loop, with names that the loop makes
case("added_in_a_loop", ["shop_find", "shop_order"], """from fastmcp import FastMCP
from .shelves import Shelves
class Shop:
    prefix = "shop"
    def __init__(self, shelves: Shelves, supplier=None):
        self.mcp = FastMCP(self.prefix)
        self.shelves, self.supplier = shelves, supplier
        chosen = tools = [self.find, self.order]
        if supplier is not None:
            tools.append(self.deliver)
        for one in chosen:
            self.mcp.add_tool(one, name=f"{self.prefix}_{one.__name__}")
    def find(self, item: str) -> str:
        return item
    def order(self, item: str, count: int = 1) -> str:
        return f"{count} {item}"
    def deliver(self, item: str) -> str:
        return item
""", [("shop_find", {"item": "saw"}, "saw"), ("shop_order", {"item": "saw"}, "1 saw")])
# The methods that a class lists remain its tools if its constructor gives none to the server.
case("listed_for_a_server", ["find"], """from fastmcp import FastMCP
from .shelves import Shelves
class Shop:
    def __init__(self, shelves: Shelves):
        self.tools = [self.find]
        raise RuntimeError(shelves)
    def start(self, one):
        self.mcp.add_tool(one)
    def find(self, item: str) -> str:
        return item
""")
# The functions may be returned with their names, and perhaps with descriptions.
case("built_inner_pairs", ["find", "keep_note"], """from agentscope.tool import ToolResponse
def build_store_tools(store):
    def find(text: str = "", **others) -> str:
        return text.upper()
    def keep(text: str) -> str:
        return store.keep(text)
    return [("find", find, "Find a text."), ("keep_note", keep)]
""", [("find", {"text": "a"}, "A")])
case("built_inner_dict", ["find", "keep_note"], """from langchain.agents import create_agent
def get_tools(store):
    def find(text: str) -> str:
        return text.upper()
    def keep(text: str) -> str:
        return store.keep(text)
    return {"find": find, "keep_note": keep}
""", [("find", {"text": "a"}, "A")])
case("built_inner_of_another_dict", ["find"], """from langchain.agents import create_agent
def make_agent(model):
    def find(text: str) -> str:
        return text.upper()
    def stop(text: str) -> str:
        return text
    return {"agent": create_agent(model, tools=[find]), "stop": stop}
""", [("find", {"text": "a"}, "A")])
# Methods in a dict of tools of a missing class; the context is the application's
case("missing_tools_of_methods", ["find", "count"], """from ..kit import Tool, Page
class StoreHandler:
    def get_tools(self):
        return {"find": Tool(self.look), "count": Tool(self.count)}
    def get_pages(self):
        return {"help": Page(self.help)}
    def look(self, ctx, item: str = "saw") -> str:
        return item.upper()
    def count(self, ctx, **others) -> int:
        return ctx.count
    def help(self, ctx) -> str:
        return "x"
""", [("find", {}, "SAW")])
