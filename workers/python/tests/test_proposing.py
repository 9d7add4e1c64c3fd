"""Specs that are proposed for the functions of a file, and the file's text with them."""

import importlib.util
import json
import os
import re
import sys

from cloche.testing.child import Calls

from . import foreign_shapes_built, foreign_shapes_classes, foreign_shapes_described, foreign_shapes_frameworks, foreign_shapes_own_classes, foreign_shapes_platforms, foreign_shapes_served, foreign_shapes_voice  # noqa: F401
from .host import HostCase
from .exported_dependencies import EXPORTED_DEPENDENCIES
from .exported_shapes import EXPORTED_SHAPES
from .foreign_shapes import CASES
from .proposed_shapes import SHAPES
from .test_foreign_files import EXPECTED, FOLDER

# An exported model needs the package itself: a file with TOOL_SPECS gets no stand-in.
HAS_PYDANTIC = importlib.util.find_spec("pydantic") is not None
NEED_PYDANTIC = ("model_that_runs", "action")
DECLARE_PYDANTIC = 'Declare it at the top of this file: # /// script, # dependencies = ["pydantic"], # ///'
KEYS = ("name", "label", "description", "parameters", "requires_approval", "annotations", "timeout_s")
ADD = '''def add(a: int, b: int = 1) -> int:
    """Add two numbers.

    Args:
        a: The first number.
    """
    return a + b
'''
SPECS = '''

TOOL_SPECS = [
    {
        "name": "t:add",
        "description": "Add two numbers.",
        "parameters": {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "description": "The first number."},
                "b": {"type": "integer", "default": 1},
            },
            "required": ["a"],
        },
        "handler": add,
    },
]
'''
GUARD = '\n\n# Try it.\nif __name__ == "__main__":\n    print(add(1))\n'


class ProposingTest(HostCase):
    def propose(self, files, names=None, file="t.py"):
        self.host = self.open(files if isinstance(files, dict) else {file: files})
        return json.loads(self.host.interpreter.propose_specs(file, names))

    def test_a_typed_function_gets_a_spec(self):
        made = self.propose(ADD)
        parameters = {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "description": "The first number."},
                "b": {"type": "integer", "default": 1},
            },
            "required": ["a"],
        }
        tool = {"name": "t:add", "line": 1, "description": "Add two numbers.", "parameters": parameters}
        self.assertEqual(made["tools"], [{**tool, "included": True, "notes": []}])
        self.assertEqual((made["text"], made["notes"]), (ADD + SPECS, []))
        self.host.write("t.py", made["text"])
        (written,) = self.host.inspect("t.py")["tools"]
        self.assertEqual(written["parameters"], parameters)
        self.assertEqual(self.host.call("t:add", {"a": 2})["content"], [{"type": "json", "text": "3"}])

    def test_other_lines_stay_as_they_are(self):
        for name, before, after in (
            ("guard", ADD, GUARD),
            ("CRLF", ADD.replace("\n", "\r\n"), GUARD.replace("\n", "\r\n")),
            ("mark", f"\ufeff{ADD}", ""),
            ("future", f"from __future__ import annotations\n{ADD}", ""),
        ):
            with self.subTest(name):
                specs = SPECS.replace("\n", "\r\n") if name == "CRLF" else SPECS
                self.assertEqual(self.propose(before + after)["text"], before + specs + after)

    def test_blank_lines_at_the_end_are_used(self):
        self.assertEqual(self.propose(f"{ADD}\n\n")["text"], ADD + SPECS)

    def test_a_missing_line_end_is_added(self):
        self.assertEqual(self.propose(ADD.rstrip("\n"))["text"], ADD + SPECS)

    def test_only_named_functions_are_written(self):
        text = f"{ADD}\n\ndef sub(a: int) -> int:\n    return -a\n"
        made = self.propose(text, ["t:sub"])
        self.assertEqual([(one["name"], one["included"]) for one in made["tools"]], [("t:add", False), ("t:sub", True)])
        self.assertNotIn('"t:add"', made["text"])

    def test_an_entry_is_added_to_specs_that_exist(self):
        known = '{"name": "t:old", "description": "d", "parameters": {"type": "object"}, "handler": old}'
        entry = SPECS.partition("[\n")[2].rpartition("]")[0].replace("t:add", "t:add")
        head = f"def old():\n    return 1\n\n\n{ADD}\n\n"
        for name, before, after in (
            ("one line", f"TOOL_SPECS = [{known}]\n", f"TOOL_SPECS = [{known},\n{entry}]\n"),
            ("lines", f"TOOL_SPECS = [\n    {known},\n]\n", f"TOOL_SPECS = [\n    {known},\n{entry}]\n"),
            ("no comma", f"TOOL_SPECS: list = [\n    {known}  # old\n]\nx = 1\n", f"TOOL_SPECS: list = [\n    {known},  # old\n{entry}]\nx = 1\n"),
            ("empty", "TOOL_SPECS = []\n", f"TOOL_SPECS = [\n{entry}]\n"),
            ("CRLF", f"TOOL_SPECS = [\r\n    {known},\r\n]\r\n", f"TOOL_SPECS = [\r\n    {known},\r\n" + entry.replace("\n", "\r\n") + "]\r\n"),
        ):
            with self.subTest(name):
                start = head.replace("\n", "\r\n") if name == "CRLF" else head
                made = self.propose(f"\ufeff{start}{before}", ["t:add"])
                listed = [(one["name"], one["included"]) for one in made["tools"]]
                self.assertEqual(listed, [("t:add", True)] if name != "empty" else [("t:add", True)], made)
                self.assertEqual(made["text"], f"\ufeff{start}{after}")
                self.host.write("t.py", made["text"])
                self.assertIn("t:add", [one["name"] for one in self.host.inspect("t.py")["tools"]])
        # Nothing is chosen for the author of a list.
        made = self.propose(f"{head}TOOL_SPECS = [{known}]\n")
        self.assertEqual(([one["included"] for one in made["tools"]], made["text"]), ([False], None))

    def test_handlers_of_added_entries_stand_before_the_specs(self):
        text = "from datetime import date\n\n\ndef week(day: date) -> int:\n    return day.isocalendar().week\n\n\nTOOL_SPECS = []\n"
        made = self.propose(text, ["t:week"])
        self.assertIn("    return week(**arguments)\n\n\nTOOL_SPECS = [\n", made["text"])
        self.host.write("t.py", made["text"])
        self.assertEqual(self.host.call("t:week", {"day": "2024-01-10"})["content"][0]["text"], "2")

    def test_annotations_of_the_framework_are_removed_from_one_line(self):
        text = (
            "from typing import Annotated\nfrom langchain_core.tools import InjectedToolCallId, tool\n"
            "from langchain_core.runnables import RunnableConfig\n@tool\n"
            "def look(é: str, call: Annotated[str, InjectedToolCallId] = '', config: RunnableConfig = None) -> str:\n    return f'{é}{call}{config}'\n"
        )
        made = self.propose(text)
        self.assertIn("def look(é: str, call='', config=None) -> str:\n", made["text"])
        self.assertNotIn("langchain", made["text"])

    def test_imports_of_missing_modules_move_into_functions(self):
        text = "from absent_menu import Item\nfrom agents import function_tool\n@function_tool\ndef menu(n: int) -> list[Item]:\n    return [Item[n]]\n"
        made = self.propose(text)
        self.assertEqual([one["name"] for one in made["tools"]], ["t:menu"])
        self.assertTrue(made["text"].startswith('def menu(n: int) -> "list[Item]":\n    from absent_menu import Item\n    return [Item[n]]\n'))
        self.assertEqual([one["message"] for one in made["notes"]], ["absent_menu is imported where it is used, since it is not installed"])

    def test_what_needs_a_missing_module_at_its_import_is_refused_with_a_reason(self):
        head = "from absent_shop import Base, connect, limit\nfrom agents import function_tool\n"
        tool = "@function_tool\ndef ask(text: str) -> str:\n    return text + str({})\n"
        for text, why in (
            (f"class Own(Base):\n    pass\n{tool.format('Own()')}", "the class Own inherits from Base, which is not installed"),
            (f"class Own:\n    size = limit(3)\n{tool.format('Own()')}", "the class Own uses limit when it is defined"),
            (f"def most(n=limit(3)):\n    return n\n{tool.format('most()')}", "a default of most() uses limit"),
            (f"for n in limit(3):\n    pass\n{tool.format('n')}", "“for n in limit(3):” uses limit when the file is imported"),
            (f"db = connect()\ndef again():\n    global db\n    db = None\n{tool.format('db')}", "db is made with a package that is not installed, and changed later"),
            (f"{tool.format('0')}def one(): return connect()\n", "the body of “def one(): return connect()” is on one line"),
        ):
            with self.subTest(why):
                made = self.propose(head + text)
                self.assertIsNone(made["text"])
                self.assertIn(why, made["notes"][0]["message"])

    def test_tools_that_cannot_be_exported_say_what_to_change(self):
        chain = 'from langchain_core.tools import BaseTool\nclass A(BaseTool):\n    name: str = "a"\n    description: str = "d"\n{}    def _run(self, x: str) -> str:\n        {}\n'
        server = 'from mcp.server.fastmcp import Context, FastMCP\nmcp = FastMCP("x")\n@mcp.tool()\nasync def a(x: str, ctx: Context{}) -> str:\n    if ctx:\n        await ctx.sample(x)\n    return x\n'
        pipecat = "from pipecat.services.llm_service import FunctionCallParams\nfrom pipecat.adapters.schemas.tools_schema import ToolsSchema\nasync def a(params: FunctionCallParams, x: str):\n    await params.result_callback({})\ntools = ToolsSchema(standard_tools=[a])\n"
        langroid = "from langroid import ToolMessage\nclass A(ToolMessage):\n    request: str = 'a'\n    purpose: str = 'd'\n    x: str\n    def handle(self) -> str:\n        return {}\n"
        vocode = "from pydantic import BaseModel\nfrom vocode.streaming.action.base_action import BaseAction\nclass P(BaseModel):\n    x: str\nclass A(BaseAction):\n    description = 'd'\n    parameters_type = P\n    async def run(self, action_input):\n        {}\n        return action_input.params.x\n"
        move = "Move the code of _run() into a function"
        for text, words in (
            (chain.format("", "return self.get_name()"), f"it uses self.get_name, which its base class has. {move}"),
            (chain.format("    key: str\n", "return self.key"), f"it uses self.key, which its base class has. {move}"),
            (chain.format("", "return super()._run(x)"), f"it uses super(). {move}"),
            (chain.format("    def model_post_init(self, x):\n        pass\n", "return x"), f"its framework calls model_post_init(). {move}"),
            (chain.format("    n: list = Field(default_factory=list)\n", "return self.n"), f"n has no plain default. {move}"),
            (chain.format("    key: str = ''\n", "return self.key") + "tool = A(key='k')\n", f"takes the arguments of its constructor. {move}"),
            (chain.format("    def __init__(self):\n        self.n = 1\n", "return x") + "class B(A):\n    name: str = 'b'\n    def __init__(self):\n        super().__init__()\n", "it uses super()"),
            (server.format(""), "Give it the default None"),
            (pipecat.format("params.llm.name"), "it uses params.llm, which only its framework has. Write it without params.llm"),
            (pipecat.format("str(params)"), "it passes params on, which only its framework can make. Pass only the values that are needed"),
            (langroid.format("str(self.dict())"), "it uses self.dict, which its base class has"),
            (langroid.format("self.to_json()"), "it uses self.to_json, which its base class has. Write a function with the fields of A as its parameters"),
            (vocode.format("await self.end_call()"), f"it uses self.end_call, which its base class has. {move.replace('_run', 'run')}"),
            (vocode.format("print(action_input.conversation_id)"), "it uses action_input.conversation_id, which only its framework has"),
            ("TOOLS = {'a': lambda args: args['x']}\n", "<lambda> has no name in this file. Define it with def"),
            ("def register(mcp, db):\n    @mcp.tool()\n    def a(x: str) -> str:\n        return db.get(x)\n", "it is defined inside register(). Move it to the top level"),
        ):
            with self.subTest(words):
                made = self.propose(text.replace("import BaseTool", "import BaseTool\nfrom pydantic import Field", 1))
                tool = next(one for one in reversed(made["tools"]) if one["notes"])
                self.assertEqual((tool["included"], words in " ".join(tool["notes"])), (False, True), made)
        # The remedy works.
        made = self.propose(server.format(" = None"))
        self.assertEqual(([one["included"] for one in made["tools"]], "TOOL_SPECS" in made["text"]), ([True], True), made)

    def test_classes_and_contexts_of_frameworks_become_plain_code(self):
        for name, (before, after) in {**EXPORTED_SHAPES, **EXPORTED_DEPENDENCIES}.items():
            with self.subTest(name):
                made = self.propose(before.lstrip("\n"))
                if name in NEED_PYDANTIC and not HAS_PYDANTIC:
                    self.assertEqual(made["notes"][0]["hint"], DECLARE_PYDANTIC)
                    continue
                self.assertEqual([one["notes"] for one in made["tools"] if not one["included"]], [])
                self.assertEqual((made["text"] or "").partition("TOOL_SPECS = [")[0].rstrip(), after.strip("\n"), made)

    def test_specs_that_are_not_a_list_are_left_alone(self):
        made = self.propose(f"{ADD}\nTOOL_SPECS = list(())\n", ["t:add"])
        self.assertEqual((made["text"], len(made["notes"])), (None, 1))

    def test_a_hostile_file_spoils_only_its_own_proposal(self):
        for text in (
            "raise SystemExit(3)\n",
            "import sys\nsys.modules[__name__] = 3\ndef f(x: int) -> int:\n    return x\n",
            "class M(type):\n    def __getattribute__(cls, name):\n        raise SystemExit\nclass A(metaclass=M):\n    pass\ndef f(x: A) -> A:\n    return x\n",
            "import builtins\nbuiltins.len = None\ndef f(x: int) -> int:\n    return x\n",
            "def f(x: int) -> int:\n    return x\nimport os\nif 'seen' in os.environ:\n    raise ValueError\nos.environ['seen'] = '1'\n",
            "\n".join(f"def f{n}(x: int) -> int:\n    return x" for n in range(1_000)),
        ):
            with self.subTest(text[:60]):
                made = self.propose(text)
                self.assertLessEqual(len(made["tools"]), 500)
                self.assertIsInstance(made["notes"], list)
                sys.modules.pop("t", None)
        os.environ.pop("seen", None)

    def test_without_functions_the_reason_is_given(self):
        for text in ("x = 1\n", "def f(:\n", "TOOL_SPECS = 3\n"):
            with self.subTest(text):
                made = self.propose(text)
                self.assertEqual((made["tools"], made["text"], len(made["notes"])), ([], None, 1), made)

    def test_a_proposal_leaves_nothing_imported(self):
        self.propose(ADD)
        self.assertEqual(self.host.inspect("t.py")["tools"], [])

    async def test_written_files_have_the_same_tools_and_results(self):
        for name, (text, calls) in SHAPES.items():
            with self.subTest(name):
                await self.check_round_trip(f"{name}.py", text, calls, True)

    async def test_exported_files_have_the_same_tools_and_results(self):
        written = 0
        for file, expected in EXPECTED.items():
            with self.subTest(file):
                text = (FOLDER / file).read_text(encoding="utf-8")
                calls = [(one["tool"], one["arguments"]) for one in expected["calls"]]
                written += await self.check_round_trip(file, text, calls, False)
        self.assertGreaterEqual(written, 34)

    async def test_exported_tools_that_took_objects_of_their_framework_have_the_same_results(self):
        written = 0
        for name, (_, text, calls) in CASES.items():
            if re.match("pipecat|vocode|mirascope|langroid|agency", name):
                with self.subTest(name):
                    written += await self.check_round_trip(f"{name}.py", text, [call[:2] for call in calls], False)
        for name in ("model_that_runs", "handler_with_callback", "action"):
            with self.subTest(name):
                calls = {"model_that_runs": [("near", {"point": {"x": 2}})], "handler_with_callback": [("fetch", {"place": "Bern"}), ("wait", {"n": 3})]}
                written += await self.check_round_trip("t.py", EXPORTED_SHAPES[name][0], calls.get(name, [("note_down", {"text": "Milk"})]), False)
        self.assertGreaterEqual(written, 17 if HAS_PYDANTIC else 11)

    async def test_exported_tools_keep_the_aliases_of_parameters(self):
        _, text, calls = CASES["parameter_aliases"]
        written = await self.check_round_trip("parameter_aliases.py", text, [call[:2] for call in calls], False)
        # Arguments are converted, a name may be the alias of another parameter, and long names are broken into lines.
        head = "from datetime import date\nfrom typing import Annotated\nfrom mcp.server.fastmcp import FastMCP\nfrom pydantic import Field\nmcp = FastMCP('x')\n@mcp.tool()\n"
        names = [f"the_parameter_number_{number}" for number in range(6)]
        parameters = ", ".join(f"{name}: Annotated[str, Field(alias='{name.replace('_', '-')}')] = 'z'" for name in names)
        more = ["day: Annotated[date, Field(alias='on')]", "first: Annotated[str, Field(alias='second')]", "second: Annotated[str, Field(alias='first')]"]
        text = f"{head}def meet({', '.join(more)}, {parameters}) -> str:\n    return f'{{day:%d.%m.}} {{first}} {{second}} {{{names[5]}}}'\n"
        given = {"on": "2024-05-01", "first": "a", "second": "b", names[5].replace("_", "-"): "c"}
        written += await self.check_round_trip("meet.py", text, [("meet", given)], False)
        self.assertEqual(written, 2 if HAS_PYDANTIC else 0)

    async def test_exported_tools_get_their_arguments_as_the_file_passes_them(self):
        # As a model, although a list or a method describes the tool, or as the keys that the file reads where it compares the name.
        written = 0
        for name in ("described_models_with_functions", "own_base_with_schema_method", "compared_name"):
            with self.subTest(name):
                _, text, calls = CASES[name]
                written += await self.check_round_trip(f"{name}.py", text, [call[:2] for call in calls], False)
        self.assertEqual(written, 5 if HAS_PYDANTIC else 2)

    async def check_round_trip(self, file, text, calls, is_complete):
        host = self.open({file: text}, functions_are_tools=True)
        before = {one["name"]: one for one in host.inspect(file)["tools"]}
        labels = {one["label"]: one["name"] for one in before.values()}
        named = [(labels.get(tool, f"{file[:-3]}:{tool}"), arguments) for tool, arguments in calls]
        results = [(await host.run(tool, arguments))["content"] for tool, arguments in named]
        made = json.loads(host.interpreter.propose_specs(file, None))
        included = [one["name"] for one in made["tools"] if one["included"]]
        if is_complete:
            self.assertEqual(made["notes"], [])
            self.assertEqual(included, list(before))
        if made["text"] is None:
            self.assertEqual(included, [])
            self.assertTrue(made["notes"] or all(one["notes"] for one in made["tools"]), made)
            return 0
        if is_complete:
            whole = text.rstrip().partition("# Runs by hand")[0].rstrip()
            kept = re.sub(r"^import (dataclasses|re)\n", "", made["text"], count=1, flags=re.MULTILINE)
            self.assertTrue(kept.startswith(whole), made["text"])
        long = [line for line in made["text"].splitlines() if len(line) > 100 and line not in text]
        self.assertEqual(long, [])
        # The exported text loads like any other file.
        host = self.open({file: made["text"]})
        report = host.inspect(file)
        self.assertEqual([one for one in report["problems"] if one["severity"] == "error"], [], made["text"])
        after = {one["name"]: one for one in report["tools"]}
        self.assertEqual(list(after), included)
        for name in included:
            self.assertEqual({key: after[name][key] for key in KEYS}, {key: before[name][key] for key in KEYS})
        tests = Calls(host.root)
        for (tool, arguments), expected in zip(named, results):
            if tool in after:
                result = await host.run(tool, arguments)
                self.assertEqual(result["content"], expected, (tool, arguments, result.get("error"), made["text"]))
                if file in ("llm_plugin.py", "smol_class.py"):
                    continue  # objects that remember the call above
                outcome = await tests.call(tool, arguments)
                self.assertEqual(outcome["content"], expected, (tool, arguments))
        return len(included)
