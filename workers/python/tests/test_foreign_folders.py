"""Files of other frameworks that import each other: in one folder, in subfolders, and as parts of a package."""

import os
import tempfile
from unittest import mock

from .host import HostCase

LANGCHAIN = "from langchain_core.tools import BaseTool, tool\n"
FASTMCP = "from fastmcp import FastMCP\nmcp = FastMCP('x')\n"


def tool(name, decorator="@tool", body="x"):
    return f'{decorator}\ndef {name}(x: int) -> int:\n    """Runs."""\n    return {body}\n'


class ForeignFoldersTest(HostCase):
    def inspect(self, files, name=""):
        """Opens a folder with this name, and inspects its tool files in the order of the page. Returns the host and the tools by file."""
        parent = os.path.realpath(tempfile.mkdtemp())
        root = os.path.join(parent, name or "folder")
        os.mkdir(root)
        with mock.patch.object(tempfile, "mkdtemp", lambda: root):
            host = self.open(files)
        reports = {file: host.inspect(file) for file in sorted(files) if "/" not in file and not file.startswith("_")}
        found = {file: [one["name"] for one in report["tools"]] for file, report in reports.items()}
        errors = [one["message"] for report in reports.values() for one in report["problems"] if one["severity"] == "error"]
        self.assertEqual(errors, [])
        return host, {file: names for file, names in found.items() if names}

    async def test_a_tool_file_that_an_earlier_one_imports_keeps_its_tools(self):
        agent = f"{LANGCHAIN}from zebra import COUNT, count\n" + tool("look", body="len(COUNT)")
        zebra = f"{LANGCHAIN}COUNT = []\n" + tool("count", body="COUNT.append(x) or len(COUNT)")
        host, found = self.inspect({"agent.py": agent, "zebra.py": zebra})
        self.assertEqual(found, {"agent.py": ["agent:look"], "zebra.py": ["zebra:count"]})
        await host.run("zebra:count", {"x": 1})
        # Both files have the same module.
        self.assertEqual((await host.run("agent:look", {"x": 1}))["content"][0]["text"], "1")

    def test_files_that_import_each_other_keep_their_tools(self):
        one = f"{LANGCHAIN}import two_b\n{tool('a')}"
        two = f"{LANGCHAIN}import two_a\n{tool('b')}"
        _, found = self.inspect({"two_a.py": one, "two_b.py": two})
        self.assertEqual(found, {"two_a.py": ["two_a:a"], "two_b.py": ["two_b:b"]})

    def test_imports_that_may_run_load_other_files(self):
        guards = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import typed_x\nelse:\n    import plain_x\nif __name__ == '__main__':\n    import main_x\n"
        uses = 'def selftest():\n    import inner_x\n"""\nimport quoted_x\n"""\ntry:\n    import tried_x\nexcept ImportError:\n    pass\n'
        names = ["typed_x", "plain_x", "main_x", "inner_x", "quoted_x", "tried_x", "deep_x", "late_x"]
        note = "import os\nos.environ['LOADED_X'] = os.environ.get('LOADED_X', '') + ' ' + __name__\n"
        files = {f"{name}.py": LANGCHAIN + note + tool(f"in_{name}") for name in names}
        files["_helper_x.py"] = "import deep_x\ndef later():\n    import late_x\n"
        files["agent.py"] = f"{LANGCHAIN}import _helper_x\n{guards}{uses}{tool('look')}"
        with mock.patch.dict(os.environ, {"LOADED_X": ""}):
            host = self.open(files)
            host.inspect("agent.py")
            self.assertEqual(sorted(os.environ["LOADED_X"].split()), ["deep_x", "inner_x", "late_x", "main_x", "plain_x", "tried_x"])
            # Each loaded file keeps its own tools.
            for name in names:
                self.assertEqual([one["name"] for one in host.inspect(f"{name}.py")["tools"]], [f"{name}:in_{name}"])

    async def test_imports_in_functions_find_the_tools_of_both_files(self):
        agent = f"{LANGCHAIN}def build():\n    from zebra import count\n    return [count]\nTOOLS = build()\n{tool('look')}"
        _, found = self.inspect({"agent.py": agent, "zebra.py": LANGCHAIN + tool("count")})
        self.assertEqual(found["zebra.py"], ["zebra:count"])
        # A call imports a file that has not been inspected.
        lazy = LANGCHAIN + '@tool\ndef look(x: int) -> int:\n    """Looks."""\n    from shop import RATE\n    return RATE * x\n'
        host = self.open({"agent.py": lazy, "shop.py": f"{LANGCHAIN}RATE = 2\n{tool('price')}"})
        self.assertEqual((await host.run("agent:look", {"x": 3}))["content"][0]["text"], "6")
        self.assertEqual((await host.run("shop:price", {"x": 3}))["content"][0]["text"], "3")

    def test_files_that_other_programs_run_are_not_loaded_for_an_import(self):
        agent = f"{LANGCHAIN}if 'absent' in globals():\n    import conftest, test_agent, setup\n{tool('look')}"
        marker = "import os\nos.environ['LOADED_X'] = __name__\nraise SystemExit\n"
        with mock.patch.dict(os.environ, {"LOADED_X": ""}):
            host = self.open({"agent.py": agent, "test_agent.py": marker, "conftest.py": marker, "setup.py": marker})
            self.assertEqual([one["name"] for one in host.inspect("agent.py")["tools"]], ["agent:look"])
            self.assertEqual(os.environ["LOADED_X"], "")
        # Files with some names of other programs are tool files if they use a framework.
        _, found = self.inspect({"agent.py": f"{LANGCHAIN}import tasks\n{tool('look')}", "tasks.py": LANGCHAIN + tool("count")})
        self.assertEqual(found, {"agent.py": ["agent:look"], "tasks.py": ["tasks:count"]})

    def test_a_program_that_starts_a_server_of_another_file_is_not_an_error(self):
        main = "from {} import mcp\nif __name__ == '__main__':\n    mcp.run()\n"
        server = FASTMCP + tool("a", "@mcp.tool")
        _, found = self.inspect({"begin.py": main.format("server_x"), "server_x.py": server})
        self.assertEqual(found, {"server_x.py": ["server_x:a"]})
        # The same holds for a server in a subfolder that first imports a missing package.
        inner = f"import some_missing_package\n{server}"
        self.inspect({"begin.py": main.format("app_x.server"), "app_x/server.py": inner})

    def test_a_missing_package_of_the_program_itself_is_an_error(self):
        host = self.open({"begin.py": "import fastmcp_x\nimport helper_x\n", "helper_x.py": FASTMCP})
        self.assertEqual([one["severity"] for one in host.inspect("begin.py")["problems"]], ["error"])

    async def test_tools_of_helper_files_belong_to_the_file_that_imports_them(self):
        price = f'{LANGCHAIN}class Price(BaseTool):\n    name: str = "price"\n    description: str = "d"\n    def _run(self, item: str) -> str:\n        return item\n'
        files = {
            "parts_x/__init__.py": "from .words import count, unused\nALL = [count]\n",
            "parts_x/words.py": LANGCHAIN + tool("count") + tool("unused"),
            "parts_x/prices.py": price,
            "_private_x.py": LANGCHAIN + tool("hidden"),
            "agent.py": "from langchain.agents import create_agent\nfrom parts_x import ALL\nfrom parts_x.prices import Price\nfrom _private_x import hidden\n"
            "agent = create_agent('m', tools=[*ALL, Price()])\n",
        }
        host, found = self.inspect(files)
        self.assertEqual({file: sorted(names) for file, names in found.items()}, {"agent.py": ["agent:count", "agent:hidden", "agent:price"]})
        self.assertTrue((await host.run("agent:price", {"item": "a"}))["ok"])
        # The tools are still found when only the importing file has changed.
        host.interpreter.forget_files(["agent.py"], False)
        self.assertEqual(len(host.inspect("agent.py")["tools"]), 3)

    def test_values_that_exist_only_later_do_no_harm(self):
        lookup = "    def __getattribute__(self, name):\n        if name == '__class__':\n            return Proxy\n        raise RuntimeError('no request')\n"
        values = f"class Proxy:\n{lookup}    def __call__(self):\n        pass\nrequest = Proxy()\n"
        _, found = self.inspect({"agent.py": f"{LANGCHAIN}{values}{tool('count')}"})
        self.assertEqual(found, {"agent.py": ["agent:count"]})

    def test_tools_that_imported_modules_add_to_a_server_are_its_tools(self):
        files = {
            "app_s.py": FASTMCP,
            "parts_s/words.py": "from app_s import mcp\n" + tool("count", "@mcp.tool()"),
            "server_s.py": "from app_s import mcp\nimport parts_s.words\n" + tool("ping", "@mcp.tool()"),
        }
        _, found = self.inspect(files)
        self.assertEqual(found, {"server_s.py": ["server_s:ping", "server_s:count"]})

    def test_the_files_of_a_package_may_import_it_by_its_name(self):
        files = {
            "__init__.py": "from .server import main\n",
            "app.py": FASTMCP,
            "server.py": "from shop_x.app import mcp\nfrom shop_x import goods\ndef main():\n    mcp.run()\n",
            "goods.py": "from shop_x.app import mcp\nfrom shop_x.prices import FACTOR\n" + tool("price", "@mcp.tool()", "x * FACTOR"),
            "prices.py": "FACTOR = 2\n",
        }
        host, found = self.inspect(files, "shop_x")
        self.assertEqual(found, {"goods.py": ["goods:price"]})
        self.assertIn("prices.py", host.inspect("goods.py")["imports"])
