"""Shapes of files that were written for other frameworks: which functions become tools, and the results of calls."""

import json
import sys
import tempfile
from pathlib import Path

from . import (  # noqa: F401
    foreign_shapes_agents,
    foreign_shapes_built,
    foreign_shapes_classes,
    foreign_shapes_described,
    foreign_shapes_dispatch,
    foreign_shapes_framework_classes,
    foreign_shapes_frameworks,
    foreign_shapes_langchain,
    foreign_shapes_mcp,
    foreign_shapes_missing,
    foreign_shapes_missing_objects,
    foreign_shapes_own,
    foreign_shapes_own_classes,
    foreign_shapes_plain,
    foreign_shapes_platforms,
    foreign_shapes_programs,
    foreign_shapes_providers,
    foreign_shapes_registered,
    foreign_shapes_served,
    foreign_shapes_voice,
)
from .foreign_shapes import CASES
from .host import HostCase

BESIDE = {"prompt.py": 'TEXT = "x"\n', "helpers.py": 'def zone(c):\n    return c + "Z"\n',
    "parts/__init__.py": "",
    "parts/numbers.py": 'def register_tools(mcp):\n    @mcp.tool()\n    def add(a: int, b: int = 1) -> int:\n        """Add."""\n        return a + b\n',
    "server_of_folder.py": 'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("x")\n',
}


class ForeignShapesTest(HostCase):
    async def test_each_gives_its_tools_and_results(self):
        for name, (expected, text, calls) in CASES.items():
            with self.subTest(name):
                host = self.open({f"{name}.py": text, **BESIDE})
                report = host.inspect(f"{name}.py")
                found = {_given_name(one): one["name"] for one in report["tools"]}
                self.assertEqual(sorted(found), sorted(expected), report["problems"])
                for tool, arguments, result in calls:
                    given = await host.run(found[tool], arguments)
                    self.assertTrue(given["ok"], given)
                    (part,) = given["content"]
                    self.assertEqual(json.loads(part["text"]) if part["type"] == "json" else part["text"], result)

    def test_descriptions_of_functions_in_another_dict_are_used(self):
        report = self.open({"t.py": CASES["described_in_another_dict"][1]}).inspect("t.py")
        described = {tool["name"]: tool["description"] for tool in report["tools"]}
        self.assertEqual(described, {"t:add": "Add two numbers.", "t:double": "Double a number."})

    def test_tools_that_a_file_may_only_export_are_named(self):
        function = "def connect(url: str) -> str:\n    return url\n"
        tools = "class Tools:\n    def connect(self, url: str, __user__: dict = {}) -> str:\n        return url\n"
        marked = "from smolagents import tool\n@tool\n"
        for name, text, implied in (
            ("all", f'__all__ = ["connect"]\n{function}', ["all:connect"]),
            ("bare", tools, ["bare:connect"]),
            ("mixed", f"{marked}{function}{tools.replace('connect', 'drop')}", ["mixed:drop"]),
            # Controls: these say that they are for models.
            ("front", f'"""\ntitle: Connections\n"""\n{tools}', None),
            ("imported", f"import open_webui\n{tools}", None),
            ("marked", f'{marked}{function}__all__ = ["connect"]\n', None),
        ):
            with self.subTest(name):
                report = self.open({f"{name}.py": text}).inspect(f"{name}.py")
                self.assertTrue(report["tools"], report)
                self.assertEqual(report.get("implied"), implied)

    def test_a_class_named_tools_is_one_of_open_web_ui_only_with_a_mark_of_it(self):
        method = "    def clone(self, url: str) -> str:\n        {}\n        return url\n"
        documented = method.replace("{}", "':param url: Where'")
        for name, text, is_tool in (
            ("settings", f"class Tools:\n    class Valves: pass\n{method}", True),
            ("attribute", f"class Tools:\n    def __init__(self):\n        self.citation = True\n{method}", True),
            ("injected", f"class Tools:\n{method}".replace("url: str", "url: str, *, __id__=''"), True),
            ("documented", f"class Tools:\n{documented}", True),
            ("title", f"'''\ntitle: A\n'''\nclass Tools:\n{method}", True),
            # Controls: a class of this name can be anything.
            ("plain", f"class Tools:\n{method}", False),
            ("half", f"class Tools:\n{documented}    def more(self, x: int) -> int:\n        return x\n", False),
            ("derived", f"class Base: pass\nclass Tools(Base):\n{documented}", False),
            ("beside", f"from fastmcp import FastMCP\nclass Tools:\n{documented}", False),
        ):
            with self.subTest(name):
                report = self.open({f"{name}.py": text}).inspect(f"{name}.py")
                self.assertEqual([_given_name(one) for one in report["tools"]], ["clone"] if is_tool else [], report)
                if not is_tool:
                    self.assertIn("its class Tools has no mark of Open WebUI", report["reason"]["message"])
                    self.assertEqual(report["reason"]["line"], text[: text.index("class Tools")].count("\n") + 1)

    def test_a_class_named_tools_that_is_left_out_beside_other_tools_is_named(self):
        server = "from fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool\ndef own(x: str) -> str:\n    return x\n"
        for name, text, is_told in (
            ("beside", "class Tools:\n    def clone(self, url: str) -> str:\n        return url\n", True),
            ("others", "class Tools:\n    def clone(self, url: str) -> str:\n        return url\nclass MyTools:\n    def copy(self, url: str) -> str:\n        return url\nmcp.add_tool(MyTools().copy)\n", True),
            # Controls: these have nothing that could be a tool, or are tools.
            ("private", "class Tools:\n    def _clone(self, url: str) -> str:\n        return url\n", False),
            ("used", "class Tools:\n    def clone(self, url: str) -> str:\n        return url\nmcp.add_tool(Tools().clone)\n", False),
        ):
            with self.subTest(name):
                problems = self.open({f"{name}.py": server + text}).inspect(f"{name}.py")["problems"]
                told = [(one["severity"], one["line"]) for one in problems if "its class Tools has no mark of Open WebUI" in one["message"]]
                self.assertEqual(told, [("warning", 6)] if is_told else [], problems)

    def test_short_schemas_say_the_types_and_what_is_required(self):
        member = '{"town": {"type": "string", "required": True}, "days": {"type": "integer", "required": False}}'
        whole = '{"type": "object", "properties": {"town": {"type": "string"}, "days": {"type": "integer"}}, "required": ["town"]}'
        tool = "from absent_kit import BaseTool\nclass RainTool(BaseTool):\n    name = 'rain'\n    description = 'Rain.'\n"
        for name, text in (
            ("method", f"{tool}    def schema(self):\n        return {member}\n    def execute(self, town: str = '', **more):\n        return town\n"),
            ("alone", f"{tool}    def get_schema(self):\n        return {whole}\n    def execute(self, parameters: dict, context: dict = None):\n        return parameters['town']\n"),
            ("dict", f"tools = {{'rain': {{'description': 'Rain.', 'parameters': {member}}}}}\ndef rain(args):\n    return args['town']\n"),
        ):
            with self.subTest(name):
                host = self.open({"t.py": text})
                (found,) = host.inspect("t.py")["tools"]
                self.assertEqual((found["name"], found["description"]), ("t:rain", "Rain."))
                properties = {"town": {"type": "string"}, "days": {"type": "integer"}}
                self.assertEqual(found["parameters"], {"type": "object", "properties": properties, "required": ["town"]})
                (part,) = host.call("t:rain", {"town": "Bern"})["content"]
                self.assertEqual(part["text"], "Bern")

    def test_parameters_that_do_not_say_whether_they_are_required(self):
        town, days = '"town": {"type": "string", "required": True}', '"days": {"type": "integer"}'
        listed = '[{"name": "town", "type": "string", "required": True}, {"name": "days", "type": "integer"}]'
        tool = "from absent_kit import BaseTool\nclass RainTool(BaseTool):\n    name = 'rain'\n    description = 'Rain.'\n    parameters = {}\n{}\n"
        plain = "    def execute(self, town, days=2):\n        return town\n"
        needs = plain.replace("=2", "")
        anything = "    def execute(self, **given):\n        return given['town']\n"
        dicts = "TOOLS = {{'rain': {{'description': 'Rain.', 'parameters': {{{}}}}}}}\ndef rain(town, days=2):\n    return town\n"
        records = f"from absent_kit import BaseTool, Parameter as P, Tool\nTOOLS = [Tool(name='rain', description='Rain.', handler=lambda town, days=2: town, parameters=[P('town', 'string', required=True), P('days', 'integer')])]\n"
        for text, required in (
            (tool.replace("{}\n{}", f"{{{town}, {days}}}\n{plain}"), ["town"]),
            (tool.replace("{}\n{}", f"{{{town}, {days}}}\n{needs}"), ["town", "days"]),
            (tool.replace("{}\n{}", f"{{{town}, {days}}}\n{anything}"), ["town"]),
            (tool.replace("{}\n{}", f"{listed}\n{plain}"), ["town"]),
            (tool.replace("{}\n{}", f"{listed}\n{anything}"), ["town"]),
            (dicts.format(f"{town}, {days}"), ["town"]),
            (records, ["town"]),
            # Controls: nothing says what is required, or only what is not.
            (dicts.format(f"{town}, {days}".replace(', "required": True', "")), ["town", "days"]),
            (tool.replace("{}\n{}", f"{{{town}, {days}}}\n{plain}".replace("True", "False")), []),
            (tool.replace("{}\n{}", f"{{{town}, {days}}}\n{anything}".replace("True", "False")), ["days"]),
        ):
            with self.subTest(text):
                (found,) = self.open({"t.py": text}).inspect("t.py")["tools"]
                properties = {"town": {"type": "string"}, "days": {"type": "integer"}}
                self.assertEqual(found["parameters"], {"type": "object", "properties": properties, **({"required": required} if required else {})})

    def test_a_list_of_what_an_object_requires_stays_in_its_schema(self):
        trip = {"type": "object", "properties": {"from": {"type": "string"}}, "required": ["from"]}
        for more in ({}, {"days": {"type": "integer", "required": False}}):
            text = f"TOOLS = {{'plan': {{'description': 'Plan.', 'parameters': {{'trip': {trip}, **{more}}}}}}}\ndef plan(args):\n    return args\n"
            with self.subTest(text):
                (found,) = self.open({"t.py": text}).inspect("t.py")["tools"]
                self.assertEqual(found["parameters"]["properties"]["trip"], trip)
                self.assertEqual(found["parameters"]["required"], ["trip"])

    def test_models_in_a_registry_of_pairs_are_the_parameters(self):
        text = (
            "from pydantic import BaseModel\nclass Trip(BaseModel):\n    '''Plan a trip.'''\n    town: str\n    days: int = 2\n"
            "def plan(args: Trip):\n    return args.town * args.days\nREGISTRY = {'trip': (Trip, plan)}\nEVENT_REGISTRY = {'start': print}\n"
        )
        host = self.open({"t.py": text})
        (found,) = host.inspect("t.py")["tools"]
        self.assertEqual((found["name"], found["description"]), ("t:trip", "Plan a trip."))
        self.assertEqual(found["parameters"]["properties"], {"town": {"type": "string"}, "days": {"type": "integer", "default": 2}})
        (part,) = host.call("t:trip", {"town": "a"})["content"]
        self.assertEqual(part["text"], "aa")

    def test_types_that_a_tool_is_made_with_are_its_schema(self):
        text = 'import dspy\nplan = dspy.Tool(lambda city, nights=2: city, name="plan", desc="Plan.", arg_types={"city": str, "nights": int})\n'
        (tool,) = self.open({"t.py": text}).inspect("t.py")["tools"]
        self.assertEqual(tool["description"], "Plan.")
        self.assertEqual(tool["parameters"], {"type": "object", "properties": {"city": {"type": "string"}, "nights": {"type": "integer"}}, "required": ["city"]})

    def test_parameters_with_types_of_missing_files_stay_unless_they_are_contexts(self):
        text = (
            "from typing import Annotated\nfrom absent_shop.models import Context, Item, Kind\nfrom agents import function_tool\nfrom pydantic import Field\n"
            "@function_tool\ndef buy(ctx: Context, item: Item, kind: Annotated[Kind, Field(description='Which')], items: list[Item] = []) -> str:\n    'Buy.'\n"
        )
        (tool,) = self.open({"t.py": text}).inspect("t.py")["tools"]
        self.assertEqual(tool["parameters"]["properties"], {"item": {}, "kind": {"description": "Which"}, "items": {"type": "array", "default": []}})
        self.assertEqual(tool["parameters"]["required"], ["item", "kind"])

    def test_a_model_with_a_missing_base_class_has_its_annotated_fields(self):
        text = (
            "from absent_shop.tools import Inputs, ShopTool\n"
            "class FindInputs(Inputs):\n    query: str\n    limit: int = 5\n"
            "class FindTool(ShopTool):\n    name = 'find'\n    description = 'Find.'\n    inputs = FindInputs\n"
            "    async def __call__(self, arguments: dict):\n        return arguments['query']\n"
            "class OpenTool(ShopTool):\n    name = 'open'\n    description = 'Open.'\n    inputs = FindInputs\n"
            "    def run(self, given: FindInputs):\n        return given.query * given.limit\n"
        )
        host = self.open({"t.py": text})
        find, opened = host.inspect("t.py")["tools"]
        properties = {"query": {"type": "string"}, "limit": {"type": "integer", "default": 5}}
        self.assertEqual(find["parameters"], {"type": "object", "properties": properties, "required": ["query"]})
        self.assertEqual(opened["parameters"], find["parameters"])
        (part,) = host.call("t:open", {"query": "a", "limit": 2})["content"]
        self.assertEqual(part["text"], "aa")

    def test_an_edit_changes_which_imports_a_file_does_without(self):
        made = "__all__ = ['f']\ndef f() -> bool:\n    return HAS\n"
        guarded = f"try:\n    import absent_thing\n    HAS = True\nexcept ImportError:\n    HAS = False\n{made}"
        plain = f"if True:\n    import absent_thing\nHAS = True\n{made}"
        for first, second, needs in ((guarded, plain, True), (plain, guarded, False)):
            host = self.open({"t.py": first})
            host.inspect("t.py")
            host.write("t.py", second)
            host.interpreter.forget_files(["t.py"])
            codes = [one["code"] for one in host.inspect("t.py")["problems"]]
            self.assertEqual("needs-package" in codes, needs, codes)

    def test_a_stand_in_goes_before_an_installed_framework_but_not_before_a_module_of_the_folder(self):
        file = "from smolagents import tool\n@tool\ndef f(x: str) -> str:\n    return x\n"
        plain = "import smolagents\nTOOL_SPECS = [{'name': 'u:g', 'description': smolagents.NAME, 'parameters': {'type': 'object'}, 'handler': print}]\n"
        with tempfile.TemporaryDirectory() as site:
            Path(site, "smolagents.py").write_text("NAME = 'real'\ntool = lambda one: one\n")
            host = self.open({"t.py": file, "u.py": plain})
            sys.path.insert(0, site)
            self.addCleanup(sys.modules.pop, "smolagents", None)
            for _ in range(2):
                self.assertEqual([one["name"] for one in host.inspect("t.py")["tools"]], ["t:f"])
                # A file with specs gets what is installed, also between the others.
                self.assertEqual([one["description"] for one in host.inspect("u.py")["tools"]], ["real"])
                host.interpreter.forget_files(["t.py", "u.py"])
        own = self.open({"t.py": file, "smolagents.py": "def tool(one):\n    return one\n"})
        self.assertEqual(own.inspect("t.py")["tools"], [])

    def test_options_that_ask_for_confirmation_require_approval(self):
        function = "def f(path: str) -> str:\n    \"\"\"Delete.\"\"\"\n    return path\n"
        agents = "from agents import function_tool\n@function_tool({})\n" + function
        chain = "from langchain_core.tools import tool\n@tool\n" + function
        for text, asks in (
            (agents.format('approval_mode="always_require"'), True),
            (agents.format('needs_approval=False, approval_mode="always_require"'), True),
            (agents.format("needs_approval=True"), True),
            (chain + "M(interrupt_on={'f': True})\n", True),
            (chain + "def build():\n    return M(interrupt_on={'f': {'allowed_decisions': ['approve']}})\n", True),
            (chain + "ASK = {'f': True}\nM(interrupt_on=ASK)\n", True),
            # Controls: these do not ask.
            (agents.format('approval_mode="never_require"'), False),
            (agents.format(""), False),
            (chain + "M(interrupt_on={'f': False, 'g': True})\n", False),
        ):
            with self.subTest(text):
                made = f"from langchain.agents import M\n{text}"
                (tool,) = self.open({"t.py": made}).inspect("t.py")["tools"]
                self.assertEqual(tool["requires_approval"], asks)


def _given_name(tool):
    return tool["label"] if tool["label"] != tool["name"] else tool["name"].partition(":")[2]
