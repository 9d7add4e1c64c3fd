"""The export of tools that a function such as register_tools(mcp) adds to a server, and of tools that a dispatcher runs."""

import json
from textwrap import indent

from .host import HostCase

HEAD = "from mcp.server.fastmcp import Context, FastMCP\n\n\n"
MOVED = [
    (
        "a function and what it uses",
        HEAD + '''def register_tools(mcp: FastMCP) -> None:
    """Register."""
    prefix = ">"

    # Shouts.
    @mcp.tool()
    def shout(text: str) -> str:
        """Shout."""
        mark = """
    !
"""
        return prefix + text.upper() + mark.strip()
''',
        '''prefix = ">"


# Shouts.
def shout(text: str) -> str:
    """Shout."""
    mark = """
    !
"""
    return prefix + text.upper() + mark.strip()
''',
        [("shout", {"text": "a"}, ">A!")],
    ),
    (
        "a server without a type, and a context",
        '''def register(mcp):
\t@mcp.tool()
\tasync def add(a: int, b: int = 1) -> int:
\t\t"""Add."""
\t\treturn a + b
''',
        '''async def add(a: int, b: int = 1) -> int:
\t"""Add."""
\treturn a + b
''',
        [("add", {"a": 1}, 2)],
    ),
    (
        "the MCP context",
        HEAD + '''def register_tools(server: FastMCP):
    @server.tool(name="count")
    async def count_it(text: str, ctx: Context) -> int:
        """Count."""
        await ctx.info("counting")
        return len(text)
''',
        '''async def count_it(text: str, context) -> int:
    """Count."""
    context.log("counting")
    return len(text)
''',
        [("count", {"text": "abc"}, 3)],
    ),
    (
        "an agent",
        '''from pydantic_ai import Agent, RunContext


def add_tools(agent: Agent) -> None:
    @agent.tool
    def low(ctx: RunContext, text: str) -> str:
        """Low."""
        return text.lower()
''',
        '''def low(text: str) -> str:
    """Low."""
    return text.lower()
''',
        [("low", {"text": "A"}, "a")],
    ),
    (
        "functions that call each other",
        '''def register_a_tools(app):
    @app.tool()
    def one() -> int:
        """One."""
        return 1


def register_b_tools(app):
    @app.tool()
    def two() -> int:
        """Two."""
        return 2


def register_all_tools(app):
    register_a_tools(app)
    register_b_tools(app)
''',
        None,
        [("one", {}, 1), ("two", {}, 2)],
    ),
    (
        "what main() makes, with defaults of its parameters",
        HEAD + '''def main(name="desk", port=80):
    """Serve."""
    mcp = FastMCP(name)
    marks = ["!"]
    marks.append(name)
    log = open("log.txt")

    # Shouts.
    @mcp.tool()
    def shout(text: str) -> str:
        """Shout."""
        return text.upper() + "".join(marks)

    mcp.run(port)


if __name__ == "__main__":
    main()
''',
        '''name = 'desk'
marks = ["!"]
marks.append(name)


# Shouts.
def shout(text: str) -> str:
    """Shout."""
    return text.upper() + "".join(marks)
''',
        [("shout", {"text": "a"}, "A!desk")],
    ),
    (
        "what the block of the guard makes",
        HEAD + '''if __name__ == "__main__":
    mcp = FastMCP("x")
    ending = "!"
    @mcp.tool()
    def shout(text: str) -> str:
        """Shout."""
        return text.upper() + ending
    mcp.run()
''',
        '''ending = "!"


def shout(text: str) -> str:
    """Shout."""
    return text.upper() + ending
''',
        [("shout", {"text": "a"}, "A!")],
    ),
    (
        "what a method makes with its own server",
        HEAD + '''class App:
    def run(self):
        """Run."""
        mcp = FastMCP("x")
        ending = "!"

        # Shouts.
        @mcp.tool()
        def shout(text: str) -> str:
            """Shout."""
            return text.upper() + ending

        mcp.run()


if __name__ == "__main__":
    App().run()
''',
        '''ending = "!"


# Shouts.
def shout(text: str) -> str:
    """Shout."""
    return text.upper() + ending
''',
        [("shout", {"text": "a"}, "A!")],
    ),
    (
        "what methods make with the server of their object",
        HEAD + '''class App:
    def __init__(self, name="x"):
        self.mcp = FastMCP(name)
        self._first()
        self._second()

    def _first(self):
        @self.mcp.tool()
        def shout(text: str) -> str:
            """Shout."""
            return text.upper()

    def _second(self):
        @self.mcp.tool(name="lower")
        async def low(text: str, ctx: Context) -> str:
            """Low."""
            await ctx.info("low")
            return text.lower()
''',
        '''def shout(text: str) -> str:
    """Shout."""
    return text.upper()


async def low(text: str, context) -> str:
    """Low."""
    context.log("low")
    return text.lower()
''',
        [("shout", {"text": "a"}, "A"), ("lower", {"text": "A"}, "a")],
    ),
    (
        "a low-level server of a function",
        '''import mcp.types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server


async def serve(root: str = "/") -> None:
    server = Server("x")

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name="join", description="Join.", inputSchema={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})]

    @server.call_tool()
    async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
        return [types.TextContent(type="text", text=root + arguments["path"])]

    async with stdio_server() as (read, write):
        await server.run(read, write)
''',
        None,
        [("join", {"path": "a"}, "/a")],
    ),
]


class HoistingTest(HostCase):
    def propose(self, text):
        self.host = self.open(text)
        return json.loads(self.host.interpreter.propose_specs("t.py", None))

    def exported(self, text):
        made = self.propose(text)
        self.assertIsNotNone(made["text"], made)
        self.host.write("t.py", made["text"])
        return made

    async def test_tools_move_to_the_top_level_and_work_there(self):
        for name, before, after, calls in MOVED:
            with self.subTest(name):
                made = self.exported(before)
                if after is not None:
                    self.assertEqual(made["text"].partition("\n\n\nTOOL_SPECS")[0] + "\n", after)
                self.assertEqual([one["message"] for one in self.host.inspect("t.py")["problems"] if one["severity"] == "error"], [])
                for tool, arguments, result in calls:
                    given = await self.host.run(f"t:{tool}", arguments)
                    self.assertTrue(given["ok"], given)
                    (part,) = given["content"]
                    self.assertEqual(json.loads(part["text"]) if part["type"] == "json" else part["text"], result)

    def test_tools_that_use_values_of_the_application_stay_and_say_so(self):
        inner = "    @mcp.tool()\n    def {}(key: str) -> str:\n        '''Does.'''\n        return {}\n"
        for head, kept in (
            ("def register(mcp, db):\n", "db.get(key)"),
            ("def register(mcp, db):\n    table = db.table\n", "table[key]"),
            ("def register(mcp, db):\n    with db.open() as table:\n        pass\n", "table[key]"),
            ("def find():\n    return {}\n\n\ndef register(mcp):\n    from json import loads as find\n", "find(key)"),
        ):
            with self.subTest(head + kept):
                made = self.exported(head + inner.format("load", kept) + inner.format("low", "key.lower()"))
                said = {one["name"]: (one["included"], "".join(one["notes"])) for one in made["tools"]}
                self.assertEqual(said["t:low"], (True, ""))
                self.assertEqual(said["t:load"][0], False)
                self.assertIn("defined inside register(). Move it", said["t:load"][1])
                self.assertTrue(self.host.call("t:low", {"key": "A"})["ok"])
                self.assertIn("    @mcp.tool()\n    def load(", made["text"])

    def test_tools_of_main_that_only_work_inside_it_stay_and_say_so(self):
        tool = "@mcp.tool()\ndef load(key: str) -> str:\n    '''Does.'''\n    return {}\n"
        for name, head, kept in (
            ("a value of the application", "def main(db):\n    mcp = FastMCP('x')\n", "db[key]"),
            ("further values", "def main(*dbs):\n    mcp = FastMCP('x')\n", "dbs[0][key]"),
            ("the command line", "import argparse\n\n\ndef main():\n    mcp = FastMCP('x')\n    args = argparse.ArgumentParser().parse_args()\n", "f'{args}{key}'"),
            ("a block", "def main():\n    mcp = FastMCP('x')\n    with open(key) as table:\n        ends = table\n", "str(ends)"),
            ("a name that the file has", "ends = 1\n\n\ndef main():\n    mcp = FastMCP('x')\n    ends = 2\n", "str(ends)"),
            ("one line", "def main():\n    mcp = FastMCP('x'); ends = 2\n", "str(ends)"),
            ("an object", "class Main:\n  def run(self):\n    mcp = FastMCP('x')\n", "str(self)"),
            ("a parameter of a method", "class Main:\n  def run(self, size=2):\n    mcp = FastMCP('x')\n", "str(size)"),
        ):
            with self.subTest(name):
                made = self.propose(f"from fastmcp import FastMCP\n{head}{indent(tool.format(kept), '    ')}")
                (said,) = made["tools"]
                self.assertEqual((said["included"], made["text"]), (False, None))
                self.assertRegex(said["notes"][0], r"it is defined inside (main|Main\.run)\(\)\. Move it to the top level of the file, with the values that it uses$")

    def test_a_parameter_with_the_name_of_a_value_of_the_framework_is_not_that_value(self):
        listed = "import gradio as gr\ndef low(text: str) -> str:\n    return text.lower()\ntext = gr.Textbox()\ngr.Interface(low, text, text).launch(mcp_server=True)\n"
        self.exported(listed)
        self.assertEqual(self.host.call("t:low", {"text": "A"})["content"][0]["text"], "a")
        # Control: the default of a parameter is outside of the function.
        self.assertIsNone(self.propose(listed.replace("text: str)", "text: str = text)"))["text"])

    def test_an_object_that_the_file_makes_stays_with_its_class(self):
        made = self.exported("from strands import Agent, tool\nclass Desk:\n    def __init__(self, mark):\n        self.mark = mark\n    @tool\n    def low(self, text: str) -> str:\n        'Lower case.'\n        return text.lower() + self.mark\ndesk = Desk('!')\nagent = Agent(tools=[desk.low])\n")
        self.assertNotIn("strands", made["text"])
        self.assertEqual(self.host.call("t:low", {"text": "A"})["content"][0]["text"], "a!")

    def test_an_exported_file_that_needs_a_command_line_is_refused(self):
        made = self.propose("import sys\nfrom fastmcp import FastMCP\nROOT = sys.argv[1]\nmcp = FastMCP('x')\n@mcp.tool\ndef where() -> str:\n    'Where.'\n    return ROOT\n")
        self.assertIn("there is no sys.argv[1]: a browser has no command line", made["notes"][0]["message"])
        self.assertIsNone(made["text"])

    def test_a_module_that_only_a_decorator_needs_is_not_named(self):
        head = 'from .registry import register_tool\nfrom .shop import price\n\n\n@register_tool(name="low", description="Low.")\n'
        made = self.exported(f"{head}def low(text: str) -> str:\n    return text.lower() + price()\n")
        self.assertEqual([one["message"] for one in made["notes"]], [".shop is imported where it is used, since it is not installed"])

    def test_a_function_that_is_called_elsewhere_stays_without_its_tools(self):
        text = "def register(mcp):\n    @mcp.tool()\n    def one() -> int:\n        '''One.'''\n        return 1\n\n\ndef start(mcp):\n    register(mcp)\n"
        for unit, end in (("    ", "\n"), ("\t", "\n"), ("    ", "\r\n")):
            with self.subTest(repr(unit + end)):
                made = self.exported(text.replace("    ", unit).replace("\n", end))
                self.assertIn(f"def register(mcp):{end}{unit}pass{end}", made["text"])
                self.assertTrue(self.host.call("t:one", {})["ok"])

    def test_statements_on_one_line_stay_where_they_are(self):
        add = "def add(a: int) -> int:\n    return a\n\n\n"
        for text in (f"{add}def register(mcp): mcp.add_tool(add)\n", f"{add}def register(mcp):\n    name = 'x'; mcp.add_tool(add)\n"):
            with self.subTest(text):
                self.assertIn(text, self.exported(text)["text"])
                self.assertTrue(self.host.call("t:add", {"a": 1})["ok"])

    async def test_tools_that_a_dispatcher_runs_are_called_as_it_expects(self):
        entry = '{{"name": "{}", "description": "Does.", "input_schema": {{"type": "object", "properties": {{"q": {{"type": "string"}}}}}}}}'
        whole = f"FIND = {entry.format('find')}\n\n\nasync def find(given: dict) -> str:\n    return given['q']\n"
        self.exported(whole)
        self.assertEqual((await self.host.run("t:find", {"q": "x"}))["content"][0]["text"], "x")
        for runner, why in (
            ("def execute_tool(name, arguments, user):\n    return user.id\n", "needs user"),
            ("class Runner:\n    def execute_tool(self, name, arguments):\n        return name\n", "is a method of Runner"),
        ):
            made = self.propose(f"TOOLS = [{entry.format('find')}]\n\n\n{runner}")
            self.assertIn(why, made["tools"][0]["notes"][0])
            self.assertEqual(made["tools"][0]["included"], False)
