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
