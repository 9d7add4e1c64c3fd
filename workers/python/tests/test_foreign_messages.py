"""Messages about files of other frameworks: what cannot work in a browser, at which line, and which tools remain."""

import os
import sys
from textwrap import indent
from unittest import mock

from .host import HostCase, text_of

HEAD = "from smolagents import tool\n"
TOOL = '@tool\ndef {}(x: str) -> str:\n    """Does."""\n    {}\n'


class ForeignMessagesTest(HostCase):
    def problems(self, text, code, **files):
        report = self.open({"t.py": text, **files}).inspect("t.py")
        return [one for one in report["problems"] if one["code"] == code]

    def test_what_a_browser_cannot_do_is_named_with_its_line_and_the_tools_that_remain(self):
        works = TOOL.format("works", "return x")
        for imports, body, name in (
            ("import subprocess", "return subprocess.run(x)", "subprocess.run"),
            ("from subprocess import check_output as out", "return out(x)", "subprocess.check_output"),
            ("import os", "return os.system(x)", "os.system"),
            ("import threading", "threading.Thread(target=print).start()", "threading.Thread"),
            ("import smtplib as mail", "return mail.SMTP(x)", "smtplib.SMTP"),
            ("", "return input(x)", "input"),
        ):
            with self.subTest(name):
                text = f"{imports}\n{HEAD}{works}{TOOL.format('fails', body)}"
                (problem,) = self.problems(text, "cannot-run-here")
                self.assertEqual((problem["severity"], problem["line"]), ("warning", 10))
                self.assertIn("fails() ", problem["message"])
                self.assertIn(f"({name})", problem["message"])
                self.assertIn("These tools work: t:works.", problem["hint"])

    def test_tools_that_fail_through_a_helper_are_not_among_those_that_remain(self):
        helper = "def _run(x):\n    return subprocess.run(x)\n"
        text = f"import subprocess\n{HEAD}{helper}{TOOL.format('a', 'return _run(x)')}{TOOL.format('b', 'return x')}"
        (problem,) = self.problems(text, "cannot-run-here")
        self.assertEqual((problem["line"], "These tools work: t:b." in problem["hint"]), (4, True), problem)

    def test_a_tool_inside_a_registering_function_is_named(self):
        tools = "    @agent.tool\n    async def {}(ctx: RunContext, x: str) -> str:\n        '''Does.'''\n        {}\n"
        head = "import asyncio\nfrom pydantic_ai import RunContext\nasync def _run(x):\n    await asyncio.create_subprocess_exec(x)\n"
        direct = tools.format("bash", "await asyncio.create_subprocess_shell(x)")
        text = f"{head}def register(agent):\n{direct}{tools.format('git', 'await _run(x)')}{tools.format('works', 'return x')}"
        names = {one["message"].partition("()")[0]: one["hint"] for one in self.problems(text, "cannot-run-here")}
        self.assertEqual(sorted(names), ["_run", "bash"])
        self.assertIn("These tools work: t:git, t:works.", names["bash"])
        self.assertIn("These tools work: t:bash, t:works.", names["_run"])

    def test_functions_of_a_file_whose_modules_are_missing_are_named(self):
        text = "from pydantic_ai import RunContext\nfrom absent_menu import Deps\nasync def order(ctx: RunContext[Deps], dish: str) -> str:\n    '''Order.'''\n"
        reason = self.open({"t.py": text}).inspect("t.py")["reason"]
        self.assertIn("may come from modules that are missing: absent_menu", reason["message"])
        self.assertIn("If its own functions are tools, list them in __all__: order().", reason["hint"])

    def test_what_a_framework_would_return_cannot_be_read(self):
        head = "from langchain_core.tools import tool\nfrom langchain_openai import ChatOpenAI\nfrom langsmith import trace\nmodel = ChatOpenAI()\n"
        for name, body, message in (
            ("text", "return f'Answer: {model.invoke(x).content}'", "what ChatOpenAI of langchain_openai would return"),
            ("joined", "return 'Answer: ' + model.invoke(x).content", "what ChatOpenAI of langchain_openai would return"),
            ("listed", "return [part.text for part in model.stream(x)]", "what ChatOpenAI of langchain_openai would return"),
            ("str", "return str(model.invoke(x))", "what ChatOpenAI of langchain_openai would return"),
            ("measured", "return len(model.batch([x]))", "what ChatOpenAI of langchain_openai would return"),
            # Controls: a value that is only called, tested or passed on raises no error.
            ("traced", "with trace(x) as run:\n        run.end(x)\n    return x", ""),
            ("tested", "return x if model.profile else None", ""),
        ):
            with self.subTest(name):
                host = self.open({"t.py": head + TOOL.format("answer", body)})
                host.inspect("t.py")
                result = host.call("t:answer", {"x": "a"})
                self.assertEqual(result["ok"], not message, result)
                self.assertIn(message, result.get("error") or "")

    def test_a_tool_that_only_asks_its_framework_names_it(self):
        for imports, maker, parameter, words in (
            ("from llama_index.core import VectorStoreIndex\nfrom llama_index.core.tools import QueryEngineTool", "QueryEngineTool.from_defaults(VectorStoreIndex([]).as_query_engine()", "input", "of llama_index.core would"),
            ("from langchain_chroma import Chroma\nfrom langchain_core.tools import create_retriever_tool", "create_retriever_tool(Chroma().as_retriever()", "query", "of langchain_chroma would"),
        ):
            with self.subTest(maker):
                host = self.open(f"{imports}\ntool = {maker}, name='ask', description='Ask.')\n")
                (tool,) = host.inspect("t.py")["tools"]
                self.assertEqual(tool["parameters"], {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]})
                self.assertIn(words, host.call("t:ask", {parameter: "x"})["error"])

    def test_an_attribute_of_a_missing_class_is_missing_too(self):
        text = f"{HEAD}from absent_settings import Settings\nLIMIT = Settings.limit\n{TOOL.format('shorten', 'return f' + repr('{x} {LIMIT}'))}{TOOL.format('whole', 'return x')}"
        host = self.open({"t.py": text})
        host.inspect("t.py")
        self.assertIn("needs the module absent_settings", host.call("t:shorten", {"x": "a"})["error"])
        self.assertTrue(host.call("t:whole", {"x": "a"})["ok"])

    def test_what_can_be_done_is_not_reported(self):
        for text in (
            "import subprocess\n" + HEAD + TOOL.format("f", "return str(subprocess.CalledProcessError) + str(subprocess.PIPE)"),
            "import subprocess\n" + HEAD + "def unused():\n    subprocess.run('x')\n" + TOOL.format("f", "return x"),
            HEAD + "def input(x):\n    return x\n" + TOOL.format("f", "return input(x)"),
            "import threading\n" + HEAD + TOOL.format("f", "return str(threading.Lock())"),
        ):
            with self.subTest(text):
                self.assertEqual(self.problems(text, "cannot-run-here"), [])

    def test_a_missing_package_says_what_to_do_and_which_tools_remain(self):
        for line, words in (
            ("import absent_thing as thing", "look up the package's name"),
            ("import bs4 as thing", '["beautifulsoup4"]'),
            ("import tavily as thing", '["tavily-python"]'),
            ("import torch as thing", "cannot run in a browser"),
            ("import psycopg2 as thing", "without HTTP"),
        ):
            with self.subTest(line):
                text = f"{line}\n{HEAD}{TOOL.format('a', 'return thing.get(x)')}{TOOL.format('b', 'return x')}"
                (problem,) = self.problems(text, "needs-package")
                self.assertIn(words, problem["hint"])
                self.assertIn("These tools work: t:b.", problem["hint"])

    async def test_a_tool_that_uses_what_a_missing_package_has_made_fails(self):
        made = "from absent_shop import Client, LIMIT, get_logger\nclient = Client('key')\nshelf = client.open('x')[0]\nlog = get_logger('x')\n"
        bodies = (
            "return ' '.join(item['name'] for item in client.search(x)['items'])",
            "return f'Found: {shelf}'",
            "return str(shelf.items)",
            "return [client]",
            "return len(shelf)",
            "return round(float(shelf) * 2, 2)",
            "return list(range(shelf))",
            "return x * shelf",
            "return x + shelf",
            "return 'more' if len(x) > shelf else 'less'",
            "shelf[x] = 1; return 'kept'",
            "return round(float(LIMIT) * 2, 2)",
            "return x + LIMIT",
            "return 'more' if len(x) > LIMIT else 'less'",
        )
        tools = "".join(TOOL.format(f"f{number}", body) for number, body in enumerate(bodies))
        host = self.open(f"{HEAD}{made}{tools}{TOOL.format('logs', 'log.bind(x=x).info(x); return x')}")
        (problem,) = [one for one in host.inspect("t.py")["problems"] if one["code"] == "needs-package"]
        self.assertNotIn("No tool uses it", problem["hint"])
        for number, body in enumerate(bodies):
            with self.subTest(body):
                self.assertIn("this tool needs the module absent_shop", (await host.run(f"t:f{number}", {"x": "a"})).get("error", ""))
        self.assertTrue((await host.run("t:logs", {"x": "a"}))["ok"])

    async def test_only_what_a_tool_can_do_without_does_nothing_if_its_package_is_missing(self):
        without = ("get_logger", "LOG", "Console", "TracerProvider", "getMeter", "meter_provider", "Metrics", "telemetry", "Langfuse", "PostHog")
        needed = ("catalog", "BloggerClient", "ConsoleSession", "Tracert", "SmartMeter", "LogReader", "Diameter")
        uses = "made{0}.send(x); return x", "{1}.send(x); return x", "{1}(x).send(x); return x"
        tools = "".join(TOOL.format(f"f{number}_{use}", body.format(number, name)) for number, name in enumerate(without + needed) for use, body in enumerate(uses))
        made = "".join(f"from absent_shop import {name}\nmade{number} = {name}('x').open('x')\n" for number, name in enumerate(without + needed))
        host = self.open(f"{HEAD}{made}{tools}")
        host.inspect("t.py")
        for number, name in enumerate(without + needed):
            for use in range(3):
                with self.subTest(name, use=use):
                    self.assertEqual((await host.run(f"t:f{number}_{use}", {"x": "a"}))["ok"], name in without)

    def test_a_tool_with_the_name_of_an_attribute_that_a_missing_package_makes_works(self):
        kind = "class Desk(Tool):\n    name = 'desk'\n    description = 'D.'\n    inputs = {'x': {'type': 'string'}}\n    output_type = 'string'\n"
        made = "    def __init__(self):\n        self.a = Client()\n        self.step = helper\n"
        methods = "    def forward(self, x: str) -> str:\n        return self.look(x)\n    def look(self, x):\n        return self.step(x)\n"
        text = f"from absent_shop import Client\nfrom smolagents import Tool\n{HEAD}def helper(x):\n    return Client().find(x)\n"
        (problem,) = self.problems(f"{text}{TOOL.format('a', 'return x')}{kind}{made}{methods}", "needs-package")
        self.assertIn("These tools work: t:a.", problem["hint"])

    def test_tools_that_use_a_missing_package_through_a_value_of_the_file_are_not_among_those_that_remain(self):
        made = "from absent_shop import Client, Shelf\nif x:\n    client = Client('key').open()\nplain = 1\n"
        kind = "class Desk(Tool):\n    name = 'desk'\n    description = 'D.'\n    inputs = {'x': {'type': 'string'}}\n    output_type = 'string'\n"
        methods = "    def __init__(self):\n        self.shelf = Shelf()\n    def forward(self, x: str) -> str:\n        return self.shelf.find(x)\n"
        tools = TOOL.format("a", "return client.get(x)") + TOOL.format("b", "return x * plain")
        (problem,) = self.problems(f"from smolagents import Tool\nx = True\n{HEAD}{made}{tools}{kind}{methods}", "needs-package")
        self.assertIn("These tools work: t:b.", problem["hint"])

    def test_a_module_that_came_after_the_scan_is_no_missing_package(self):
        uses = f"import later_made\n{HEAD}{TOOL.format('f', 'return later_made.VALUE')}"
        host = self.open({"a.py": HEAD + TOOL.format("f", "return x"), "t.py": uses})
        host.inspect("a.py")
        host.write("later_made.py", "VALUE = 'here'\n")
        # Files on disk have coarser times than the browser's.
        os.utime(host.root, (2_000_000_000, 2_000_000_000))
        self.assertEqual(host.inspect("t.py")["problems"], [])
        self.assertEqual(host.call("t:f", {"x": "a"})["content"], [{"type": "text", "text": "here"}])

    def test_ordinary_files_get_no_name_of_a_stranger_s_package(self):
        for module, words in (
            ("agents", "openai-agents"),
            ("yaml_reader_of_mine", "may differ"),
            ("PIL", "pillow"),
            ("tensorflow", "cannot run in a browser"),
        ):
            with self.subTest(module):
                (problem,) = self.problems(f"import {module}\nTOOL_SPECS = []\n", "module-not-found")
                self.assertIn(words, problem["hint"])
                self.assertNotIn(f'dependencies = ["{module}"]', problem["hint"])

    def test_a_relative_import_says_how_to_write_it(self):
        (problem,) = self.problems("from .helper import x\nTOOL_SPECS = []\n", "import-raises")
        self.assertIn("without the dots", problem["hint"])

    def test_specs_in_the_format_of_a_provider_have_one_problem(self):
        inner = '"name": "f", "description": "d"'
        for entry, said in (
            (f'{{"type": "function", "function": {{{inner}, "parameters": {{}}}}}}', "OpenAI's"),
            (f'{{{inner}, "input_schema": {{}}}}', "Anthropic's"),
        ):
            with self.subTest(said):
                report = self.open(f"TOOL_SPECS = [\n    {entry}\n]\n").inspect("t.py")
                (problem,) = report["problems"]
                self.assertEqual((problem["code"], problem["line"]), ("other-format", 2))
                self.assertIn(said, problem["message"])
                self.assertIn('"handler"', problem["hint"])

    def test_a_missing_file_beside_is_named_as_it_is_imported(self):
        for line, name in (("from ._http import post", "._http"), ("from . import post", ".post"), ("from ..core.http import post", "..core")):
            with self.subTest(line):
                text = f"{line}\n{HEAD}{TOOL.format('a', 'return post.get(x)')}{TOOL.format('b', 'return x')}"
                host = self.open(text)
                report = host.inspect("t.py")
                self.assertEqual([one["name"] for one in report["tools"]], ["t:a", "t:b"])
                (problem,) = [one for one in report["problems"] if one["code"] == "needs-package"]
                self.assertEqual((problem["line"], f"the module {name} is not in this folder" in problem["message"]), (1, True), problem)
                self.assertIn("These tools work: t:b.", problem["hint"])
                result = host.call("t:a", {"x": "y"})
                self.assertIn(f"the module {name}", result["error"])
                self.assertTrue(host.call("t:b", {"x": "y"})["ok"])

    def test_a_file_without_tools_says_why(self):
        for text, words in (
            ("from fastmcp import FastMCP\n\ndef build(db):\n    mcp = FastMCP('x')\n    from os import absent\n    @mcp.tool()\n    def f(x: str) -> str:\n        return absent(x)\n    return mcp\n", "inside build(), which nothing calls"),
            ("def register(mcp, db):\n    from os import absent\n    @mcp.tool()\n    def f(x: str) -> str:\n        return absent(x)\n", "inside register(), which fails"),
            ("from mcp.server.fastmcp import FastMCP\nclass S:\n    def add(self):\n        @self.mcp.tool()\n        def f(x: str) -> str:\n            return x\n", "inside S.add()"),
            ("from crewai.tools import BaseTool\n\ndef to_tool(x):\n    from crewai.tools.base_tool import Tool\n    return Tool(name='n', func=x)\n", "inside to_tool()"),
            ('"""\ntitle: x\n"""\nclass Pipe:\n    async def pipe(self, body: dict):\n        yield 1\n', "a pipe of Open WebUI"),
            ("from llama_index.core.tools import FunctionTool\nfrom common.things import add\ntools = [FunctionTool.from_defaults(fn=add)]\n", "missing: common"),
            ("def get_tools():\n    return [{'name': 'x', \"input_schema\": {}, 'run': print}]\n", "get_tools() describes tools as data"),
            ("TOOLS = [{'name': 'look', \"input_schema\": {'type': 'object', 'properties': {}}}]\n", "describes tools as data (look), but nothing"),
            ("from .answers import send\nTOOLS = [{'name': 'look', \"input_schema\": {'type': 'object', 'properties': {}}}]\nassert send(TOOLS) == 1\n", "describes tools as data (look), but nothing"),
            ("from .sea import swim\nfrom . import air\nfrom .log import note\nTOOL_HANDLERS = {'swim': swim, 'fly': air.fly}\n", "missing: .sea, .air"),
            ("from crewai.tools import BaseTool\nclass Named(BaseTool):\n    key: str\n    def _run(self, **given):\n        return given\n", "only the application knows key"),
            ("from crewai.tools import BaseTool\ndef made():\n    class Look(BaseTool):\n        name: str = 'l'\n    return Look()\n", "inside made()"),
            (f"{HEAD}async def main():\n    key = input()\n    @tool\n    def inner(x: str) -> str:\n        return x + key\n", "inside main(), which waits for input"),
            (f"{HEAD}if __name__ == '__main__':\n    key = input()\n    @tool\n    def inner(x: str) -> str:\n        return x + key\n", "built below if __name__"),
            ("from smolagents import Tool\nfrom log.store import Log\nclass Logged(Tool):\n    def __init__(self, inner: Tool, log: Log):\n        self.name = inner.name\n        self.forward = inner.forward\n", "only the application knows inner, log"),
            ("from functools import wraps\nfrom agents import function_tool\ndef watched(function):\n    @wraps(function)\n    def run(*values, **named):\n        return function(*values, **named)\n    return function_tool(run)\n", "inside watched()"),
            ("class Tools:\n    def __init__(self, driver):\n        self.driver = driver\n    def press(self, key: str) -> str:\n        ':param key: K'\n", "its class Tools has no mark"),
            ("from dify_plugin import Tool\nclass Ask(Tool):\n    def _invoke(self, tool_parameters: dict):\n        yield 1\n", "part of a Dify plugin"),
            ("import argparse\n\ndef main():\n    argparse.ArgumentParser()\n", "command-line script"),
            (f"{HEAD}\ndef build():\n    key = input()\n    @tool\n    def inner(x: str) -> str:\n        return x + key\n    return inner\n", "inside build()"),
            ("def f(x: int) -> int:\n    return x\n", "does not say which are tools"),
            (f"{HEAD}x = 1\n", "uses smolagents, but defines no tool"),
            ("from pydantic import BaseModel\nclass Invoice(BaseModel):\n    total: int\n", "only classes (Invoice)"),
            ("class Store:\n    def get(self, key: str) -> str:\n        return key\n", "only classes (Store)"),
            ("from .base import Provider\nclass Notes(Provider):\n    def search(self, query):\n        return query\n", "only classes (Notes)"),
            ("from taskweaver.plugin import Plugin\nclass A(Plugin):\n    def __call__(self, x: str):\n        return x\n", "uses TaskWeaver, but defines no tool"),
            ("LIMIT = 3\n", "defines no functions"),
            ("def _get(key: str) -> str:\n    return key\n", "such as _get()"),
            ("def main():\n    print(1)\n", "only function is main()"),
            ("def get(key):\n    return key\n", "get() has neither types nor a docstring"),
        ):
            with self.subTest(words):
                report = self.open(text).inspect("t.py")
                self.assertEqual((report["tools"], words in report["reason"]["message"]), ([], True), report)
                self.assertNotEqual(report["reason"]["hint"], "")

    def test_a_file_that_lists_functions_of_other_files_says_where_they_become_tools(self):
        functions = "def a(x: int) -> int:\n    return x\n\ndef b(x: int) -> int:\n    return x\n"
        handlers = "To turn them into tools, add TOOL_SPECS to this file, with these functions as handlers."
        for text, file, listed, hint in (
            ("from other import a, b\ntools = [a, b]\n", "other.py", "a() from other.py, b() from other.py", 'To turn them into tools, write __all__ = ["a", "b"] in other.py, or add TOOL_SPECS there.'),
            ("from .other import a\nTOOLS = {'a': a}\n", "other.py", "a() from other.py", 'To turn them into tools, write __all__ = ["a"] in other.py, or add TOOL_SPECS there.'),
            ("from langchain_openai import ChatOpenAI\nfrom other import a\nagent = ChatOpenAI()\ntools = [a]\n", "other.py", "a() from other.py", 'To turn them into tools, write __all__ = ["a"] in other.py, or add TOOL_SPECS there.'),
            ("from _other import a\ndef ask(x: str) -> str:\n    return x\ntools = [a]\n", "_other.py", "a() from _other.py", handlers),
            ("from inner.other import a\ntools = [a]\n", "inner/other.py", "a() from inner/other.py", handlers),
        ):
            with self.subTest(text):
                reason = self.open({"t.py": text, file: functions}).inspect("t.py")["reason"]
                self.assertEqual(reason, {"line": 1, "message": f"it only lists functions that it imports ({listed})", "hint": hint, "listsOthers": True})
        # What a package defines is not a function of another file.
        reason = self.open("from os.path import join\ntools = [join]\n").inspect("t.py")["reason"]
        self.assertEqual((reason["message"], "listsOthers" in reason), ("it defines no functions", False))

    def test_modules_are_named_after_a_second_run_too(self):
        text = f"import os\n{HEAD}from absent_menu import Menu\nif not os.getenv('ABSENT_KEY'):\n    raise ValueError('no key')\n{TOOL.format('order', 'return Menu(x)')}"
        report = self.open(text).inspect("t.py")
        self.assertEqual([one["framework"]["standIns"] for one in report["tools"]], [["smolagents"]])
        self.assertEqual([one["line"] for one in report["problems"] if one["code"] == "needs-package"], [3])

    def test_a_file_that_stops_at_an_import_fails_although_it_describes_tools(self):
        text = "TOOLS = [{'name': 'look', \"input_schema\": {'type': 'object', 'properties': {}}}]\nfrom os import absent\ndef look():\n    return 1\n"
        report = self.open(text).inspect("t.py")
        self.assertEqual([one["severity"] for one in report["problems"]], ["error"], report)

    def test_values_of_a_builder_that_failed_are_named_with_their_line(self):
        text = "from fastmcp import FastMCP\ndef build():\n    db = connect()\n    mcp = FastMCP('x')\n    @mcp.tool()\n    def f(x: str) -> str:\n        return db.get(x)\n    return mcp\n"
        host = self.open(text)
        (problem,) = [one for one in host.inspect("t.py")["problems"] if one["code"] == "foreign-list-fails"]
        self.assertEqual((problem["line"], "this line of build() fails (NameError" in problem["message"]), (3, True), problem)
        self.assertIn("the tool uses db.get, which is missing because line 3 of the file failed (NameError", host.call("t:f", {"x": "y"})["error"])

    async def test_arguments_of_the_command_line_that_a_tool_needs_are_named(self):
        server = "from fastmcp import FastMCP\nmcp = FastMCP('x')\n"
        tool = "@mcp.tool\ndef where() -> str:\n    return {}\n"
        parser = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('root')\nparser.add_argument('--key', required=True)\nparser.add_argument('--size', type=int, default='3')\n"
        parsed = f"{server}{parser}args = parser.parse_args()\n"
        root = "the command line argument root"
        for text, warned, line, error in (
            (f"import sys\n{server}ROOT = sys.argv[1]\n{tool.format('ROOT + str(1)')}", "there is no sys.argv[1]", 4, "the tool uses ROOT, which is missing because line 4 of the file failed (IndexError: there is no sys.argv[1]"),
            (parsed + tool.format("args.root"), f"the file needs {root}", 8, f"the tool uses {root}, which is missing: a browser has no command line. Give it a default, or read it from an environment variable"),
            (parsed + tool.format("f'{args.root}'"), f"the file needs {root}", 8, f"the tool uses {root}, which is missing"),
            (parsed + tool.format("str(len(args.key))"), "the file needs the command line argument --key", 8, "the tool uses the command line argument --key"),
            (parsed + tool.format("{'in': [args.root]}"), f"the file needs {root}", 8, f"the tool uses {root}"),
            (f"{server}def main():\n{indent(parsed + tool.format('args.root'), '    ')}", f"the file needs {root}", 11, f"the tool uses {root}"),
            # A program that ends itself says why.
            (f"{parser}if True:\n    parser.error('no root')\n{server}{tool.format('parser')}", "error: no root", 7, ""),
        ):
            with self.subTest(text):
                host = self.open(text)
                problems = [one for one in host.inspect("t.py")["problems"] if warned in one["message"]]
                self.assertEqual([one["line"] for one in problems], [line], problems)
                if error:
                    self.assertIn("os.environ['NAME']", problems[0]["hint"])
                    given = await host.run("t:where")
                    self.assertIn(error, given.get("error", given))
        host = self.open(parsed + tool.format("str(args.size + 1)"))
        host.inspect("t.py")
        self.assertEqual(text_of(await host.run("t:where")), "4")
        with mock.patch.object(sys, "argv", ["page"]):
            host = self.open(f"import sys\n{server}{tool.format('sys.argv[1]')}")
            host.inspect("t.py")
            self.assertIn("there is no sys.argv[1]: a browser has no command line", (await host.run("t:where"))["error"])

    async def test_a_result_that_only_its_framework_has_is_refused(self):
        host = self.open(f"{HEAD}from smolagents import Page\n@tool\ndef page(x: str) -> str:\n    return [Page(x)]\n")
        host.inspect("t.py")
        self.assertIn("the result contains a value of its framework (Page)", (await host.run("t:page", {"x": "a"}))["error"])

    def test_the_remedy_for_tools_inside_a_function_can_be_followed(self):
        inner = "    @server.tool()\n    def f(x: str) -> str:\n        return x\n"
        head = "from fastmcp import FastMCP\n"
        for text, remedy, call in (
            (f"{head}class S:\n    def test_it(self):\n        server = FastMCP('x')\n{indent(inner, '    ')}", "server = S()", "server.test_it()"),
        ):
            with self.subTest(remedy):
                host = self.open(text)
                reason = host.inspect("t.py")["reason"]
                self.assertIn(f"for example {remedy}", reason["hint"])
                self.assertIn(call.removeprefix("server."), reason["hint"])
                host = self.open(f"{text}{remedy}\n{call}\n")
                self.assertEqual([one["name"] for one in host.inspect("t.py")["tools"]], ["t:f"])

    def test_a_server_that_unpacks_its_streams_is_not_a_fault(self):
        text = """from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import Tool
async def serve():
    server = Server("x")
    @server.list_tools()
    async def list_tools():
        return [Tool(name="a", description="A.", inputSchema={"type": "object", "properties": {}})]
    @server.call_tool()
    async def call_tool(name, arguments):
        return []
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer)
"""
        report = self.open(text).inspect("t.py")
        self.assertEqual(([one["name"] for one in report["tools"]], report["problems"]), (["t:a"], []))
