"""Shapes of files whose tools are made where they run as programs: in main(), or below `if __name__ == "__main__":`."""

from .foreign_shapes import ADD, case

MAIN = """from fastmcp import FastMCP
DONE = []
def main(name="desk"):
    DONE.append("begun")
    ending = "!"
    table = {}
    table["a"] = 1
    table.update(b=2)
    server = FastMCP(name)
    @server.tool()
    def shout(text: str) -> str:
        return text.upper() + ending
    @server.tool
    def done(key: str) -> str:
        return f"{DONE} {table[key]}"
    server.run()
    DONE.append("ended")
    raise SystemExit(1)
"""
CALLS = [("shout", {"text": "a"}, "A!"), ("done", {"key": "b"}, "[] 2")]

# Only what the tools need runs.
case("program_main", ["shout", "done"], MAIN, CALLS)
case("program_command", ["shout", "done"], MAIN.replace("def main(", "import click\n@click.command()\n@click.option('--name')\nasync def main("), CALLS)
case("program_guard", ["shout", "done"], MAIN.replace('def main(name="desk")', 'name = "desk"\nif __name__ == "__main__"'), CALLS)
case("program_blocks", ["double"], """import asyncio
from agents import Agent, Runner, function_tool
factor = 0
async def run_desk(quick=True):
    try:
        if quick:
            async with opened() as desk:
                await desk.check()
                factor = 2
                @function_tool
                def double(x: int) -> int:
                    return x * factor
        while True:
            await Runner.run(Agent(name="a", tools=[double]), input="x")
    finally:
        await asyncio.sleep(9)
class opened:
    async def __aenter__(self):
        return self
    async def __aexit__(self, *given):
        pass
if __name__ == "__main__":
    asyncio.run(run_desk())
""", [("double", {"x": 2}, 4)])
# What the block of the guard hands to an agent
case("program_listed", ["add"], f"""from pydantic_ai import Agent
{ADD}
if __name__ == "__main__":
    agent = Agent("m", tools=[add])
    agent.run_sync("x")
""", [("add", {"a": 1, "b": 2}, 3)])
# Controls: a test makes none, nor does what asks, or a file that has others.
case("program_test", [], "from fastmcp import FastMCP\ndef test_server():\n    server = FastMCP('x')\n    @server.tool\n    def f(x: str) -> str:\n        return x\n")
case("program_asks", [], MAIN.replace('ending = "!"', "ending = input()"))
case("program_beside_others", ["look"], "from smolagents import tool\n@tool\ndef look(path: str) -> str:\n    return path\n" + MAIN)
case("program_autogen", ["shout", "add"], f"""from autogen import AssistantAgent, UserProxyAgent, register_function
{ADD}
def main():
    writer, user = AssistantAgent("writer"), UserProxyAgent("user")
    @user.register_for_execution()
    @writer.register_for_llm(description="Shout.")
    def shout(text: str) -> str:
        return text.upper()
    register_function(add, caller=writer, executor=user, description="Add.")
    user.initiate_chat(writer)
""", [("shout", {"text": "a"}, "A"), ("add", {"a": 1}, 2)])
case("program_made", ["add"], f"""from smolagents import CodeAgent, tool
{ADD}
if __name__ == "__main__":
    made = tool(add)
    CodeAgent(tools=[made]).run("x")
""", [("add", {"a": 1}, 2)])

# Methods that run an application: only the statements run that its tools need, with attributes that these set.
APP = """from fastmcp import FastMCP
DONE = []
class App:
    mark = "!"
    def __init__(self, name="desk"):
        self.name = name
    async def run(self, port=80):
        DONE.append("begun")
        self.words = {"a": "b"}
        self.server = FastMCP(self.name)
        @self.server.tool()
        async def find(word: str) -> str:
            return f"{self.words[word]}{self.mark} {self.name} {DONE}"
        await self.server.run_async(port)
        while True:
            DONE.append("ended")
"""
case("program_app_run", ["find"], APP, [("find", {"word": "a"}, "b! desk []")])
case("program_app_asks", ["find"], APP.replace("        while True:", "        name = input()\n        while True:"), [("find", {"word": "a"}, "b! desk []")])
# The values that main() or the guard pass, also through another function
case("program_app_in_guard", ["find"], APP + "if __name__ == '__main__':\n    name = DONE or 'front'\n    App(name.upper()).run()\n", [("find", {"word": "a"}, "b! FRONT []")])
case("program_app_in_main", ["find"], APP + """import argparse
def serve_app(args, suffix):
    app = App(args.name + suffix)
    app.run()
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", default="front")
    serve_app(parser.parse_args(), suffix="?")
""", [("find", {"word": "a"}, "b! front? []")])
case("program_setup", ["folder"], """from mcp.server.fastmcp import FastMCP
class Files:
    def __init__(self, root):
        self.root = root
    def setup(self):
        mcp = FastMCP("files")
        @mcp.tool()
        def folder() -> str:
            return self.root
def main():
    files = Files(find_root())
    files.setup()
def find_root():
    return "/data"
""", [("folder", {}, "/data")])
case("program_register", ["folder"], """from mcp.server.fastmcp import FastMCP
def register_tools(mcp, root, limit=1):
    @mcp.tool()
    def folder() -> str:
        return f"{root} {limit}"
def main():
    mcp = FastMCP("files")
    register_tools(mcp, root="/da" + "ta", limit=int("2"))
    mcp.run()
""", [("folder", {}, "/data 2")])
# What several functions get is made once.
case("program_register_two", ["first", "second"], """from fastmcp import FastMCP
MADE = []
def connect(name):
    MADE.append(name)
    return MADE
def register_first(mcp, db):
    @mcp.tool
    def first() -> int:
        return len(db)
def register_second(mcp, db, limit):
    @mcp.tool
    def second() -> str:
        return f"{db} {limit}"
def main():
    mcp = FastMCP("x")
    db = connect("a" + "b")
    register_first(mcp, db)
    register_second(mcp, db, 1 + 1)
""", [("first", {}, 1), ("second", {}, "['ab'] 2")])
# Two functions that pass values to each other: none of them can be computed.
case("program_circle", ["ask"], """from fastmcp import FastMCP
def build(name):
    mcp = FastMCP("x")
    @mcp.tool()
    def ask(question: str) -> str:
        return question
    again(name + "!")
def again(name):
    build(name + "?")
""", [("ask", {"question": "a"}, "a")])
# server.tool(function) without a second call
case("program_tool_called", ["add", "shout"], f"""from fastmcp import FastMCP
{ADD}
class Words:
    def __init__(self):
        self.mcp = FastMCP("x")
        self.mcp.tool(self.shout)
        self.mcp.tool(add)
    def shout(self, text: str) -> str:
        return text.upper()
    def quiet(self, text: str) -> str:
        return text
""", [("shout", {"text": "a"}, "A"), ("add", {"a": 1}, 2)])
case("program_tool_in_main", ["add"], f"from fastmcp import FastMCP\n{ADD}\ndef main():\n    mcp = FastMCP('x')\n    mcp.tool(add)\n    mcp.run()\n", [("add", {"a": 1}, 2)])
# Control: tools of a test's method
case("program_test_method", [], "from fastmcp import FastMCP\nclass TestServer:\n    def test_add(self):\n        mcp = FastMCP('x')\n        @mcp.tool\n        def add(a: int) -> int:\n            return a\n")
