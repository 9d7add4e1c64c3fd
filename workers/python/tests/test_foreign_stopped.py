"""Files of other frameworks that stop while they are imported: what is missing, at which line, and what still works."""

from .host import HostCase

TOOL = "from smolagents import tool\n@tool\ndef {}(x: str) -> str:\n    '''Does.'''\n    return {}\n"


class ForeignStoppedTest(HostCase):
    def test_each_statement_that_failed_is_named_and_what_it_defines_raises_an_error_that_names_it(self):
        text = TOOL.format("a", "x") + "client = missing_name.Client()\nvalues = {}['key']\n" + TOOL.format("b", "client.get(x)")
        host = self.open({"t.py": text})
        report = host.inspect("t.py")
        self.assertEqual([one["name"] for one in report["tools"]], ["t:a", "t:b"])
        stopped = [(one["line"], one["severity"], one["message"]) for one in report["problems"] if one["code"] == "import-stopped"]
        self.assertEqual([(line, severity) for line, severity, _ in stopped], [(6, "warning"), (7, "warning")])
        self.assertIn("NameError", stopped[0][2])
        self.assertTrue(host.call("t:a", {"x": "y"})["ok"])
        self.assertIn("client.get, which is missing because line 6 of the file failed (NameError", host.call("t:b", {"x": "y"})["error"])

    def test_a_missing_import_ends_the_file_and_the_tools_above_it_work(self):
        host = self.open({"t.py": TOOL.format("a", "x") + "import tt\n" + TOOL.format("b", "x"), "tt.py": "1 / 0\n"})
        report = host.inspect("t.py")
        self.assertEqual([one["name"] for one in report["tools"]], ["t:a"])
        (problem,) = [one for one in report["problems"] if one["code"] == "import-stopped"]
        self.assertEqual((problem["line"], "only the tools above this line" in problem["message"]), (6, True), problem)

    def test_a_file_without_tools_keeps_its_error(self):
        for text in ("from smolagents import tool\n1 / 0\n", "1 / 0\ndef f(x: int) -> int:\n    return x\n"):
            report = self.open({"t.py": text}).inspect("t.py")
            self.assertEqual([(one["severity"], one["code"]) for one in report["problems"]], [("error", "import-raises")])

    def test_a_file_that_only_fails_without_a_key_says_why_it_has_no_tools(self):
        text = "import os\nfrom swarm import Agent\nos.environ['SHOP_COPY'] = os.getenv('SHOP_KEY_THAT_IS_MISSING')\nagent = Agent(functions=[])\n"
        report = self.open({"t.py": text}).inspect("t.py")
        self.assertNotIn("error", [one["severity"] for one in report["problems"]])
        self.assertIn("uses Swarm, but defines no tool", report["reason"]["message"])

    def test_no_more_than_twenty_statements_are_left_out(self):
        text = TOOL.format("a", "x") + "1 / 0\n" * 40 + TOOL.format("b", "x")
        report = self.open({"t.py": text}).inspect("t.py")
        self.assertEqual([one["name"] for one in report["tools"]], ["t:a"])
        self.assertEqual(len([one for one in report["problems"] if one["code"] == "import-stopped"]), 21)

    def test_a_loop_that_waits_for_something_missing_ends_and_what_follows_works(self):
        for waits in ("sdk.receive()", "sdk.receive(show)", "client.receive()", "client.receive(show)"):
            with self.subTest(waits):
                loop = f"import sdk\nclient = sdk.Client()\ndef show(event):\n    pass\nwhile True:\n    event = {waits}\n"
                text = TOOL.format("a", "x") + loop + "other = sdk.Client()\nother.send()\n" + TOOL.format("b", "x")
                report = self.open({"t.py": text}).inspect("t.py")
                self.assertEqual([one["name"] for one in report["tools"]], ["t:a", "t:b"])
                stopped = [(one["line"], one["message"]) for one in report["problems"] if one["code"] == "import-stopped"]
                self.assertEqual([line for line, _ in stopped], [11], stopped)
                self.assertIn("a loop waits for the application", stopped[0][1])

    def test_a_file_with_the_name_of_its_framework_gets_the_stand_in(self):
        tool = "@function_tool\ndef f(x: str) -> str:\n    '''Does.'''\n    return {}\n"
        own = "from agents import Agent, function_tool\nfrom agents.run import Runner\n" + tool.format("x")
        host = self.open({"agents.py": own, "shop.py": "from shop.client import get\nfrom agents import function_tool\n" + tool.format("get(x)")})
        # A module of the folder goes before a stand-in, except in that module itself.
        self.assertEqual([one["name"] for one in host.inspect("agents.py")["tools"]], ["agents:f"])
        self.assertTrue(host.call("agents:f", {"x": "y"})["ok"])
        self.assertEqual(host.inspect("shop.py")["tools"], [])
        alone = self.open({"shop.py": "from shop.client import get\nfrom smolagents import tool as function_tool\n" + tool.format("get(x)")})
        report = alone.inspect("shop.py")
        self.assertEqual([one["name"] for one in report["tools"]], ["shop:f"], report["problems"])
        self.assertIn("needs the module shop", alone.call("shop:f", {"x": "y"})["error"])

    def test_a_tool_of_one_text_whose_function_is_elsewhere_says_so_when_it_is_called(self):
        head = "from langchain.agents import Tool\nfrom langchain.utilities import Web\nfrom shop.search import find\n"
        host = self.open(f"{head}tools = [Tool('Web', Web().run, 'Web.'), Tool('Find', find, 'Find.')]\n")
        for tool in host.inspect("t.py")["tools"]:
            self.assertEqual(tool["parameters"]["required"], ["tool_input"])
        self.assertIn("Web only calls a module that is not installed here", host.call("t:Web", {"tool_input": "x"})["error"])
        self.assertIn("needs the module shop", host.call("t:Find", {"tool_input": "x"})["error"])
