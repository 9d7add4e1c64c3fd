"""Hostile files against the recogniser, the inference and the stand-ins: each costs itself alone, and none does I/O."""

import re
import sys
import time
from pathlib import Path
from unittest.mock import patch

from .host import HostCase

HEAD = "from langchain_core.tools import tool\n"
GOOD = HEAD + '@tool\ndef good(text: str) -> str:\n    """Good."""\n    return text\n'
MODULES = Path(__file__).parents[1] / "py" / "cloche" / "foreign"


class ForeignHostileTest(HostCase):
    def report(self, text, tools):
        """The report on a hostile file; another file beside it keeps its tool."""
        host = self.open({"t.py": text, "good.py": GOOD})
        began = time.monotonic()
        report = host.inspect("t.py")
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual([one["name"] for one in report["tools"]], tools, report["problems"])
        self.assertEqual([one["name"] for one in host.inspect("good.py")["tools"]], ["good:good"])
        return report

    def test_recursive_models_end(self):
        text = (
            HEAD + "from __future__ import annotations\n"
            "from pydantic import BaseModel\n"
            "class A(BaseModel):\n    b: 'B'\n    all: list['A']\n"
            "class B(BaseModel):\n    a: A | None = None\n"
            "@tool\ndef f(a: A) -> str:\n    '''d'''\n    return 'x'\n"
        )
        lines = text.split("\n")
        report = self.report("\n".join([lines[1], lines[0], *lines[2:]]), ["t:f"])
        self.assertIn("b", report["tools"][0]["parameters"]["properties"]["a"]["properties"])

    def test_a_model_of_many_fields_is_cut(self):
        nested = "list[" * 60 + "int" + "]" * 60
        fields = "".join(f"    f{index}: dict[str, list[tuple[int, str]]]\n" for index in range(5_000))
        text = (
            HEAD + f"from pydantic import BaseModel\nclass A(BaseModel):\n{fields}"
            f"@tool\ndef f(a: A, b: {nested}) -> str:\n    '''d'''\n    return 'x'\n"
        )
        self.report(text, ["t:f"])

    def test_metaclasses_and_descriptors_that_raise_spoil_only_their_file(self):
        text = (
            HEAD + "class M(type):\n    def __getattr__(cls, name):\n        raise SystemExit(name)\n"
            "class A(metaclass=M):\n    pass\n"
            "class D:\n    def __get__(self, *given):\n        raise KeyboardInterrupt\n"
            "class B:\n    __cloche_tools__ = D()\n    model_fields = D()\n"
            "@tool\ndef f(a: A = None, b: B = None) -> str:\n    '''d'''\n    return 'x'\n"
        )
        host = self.open({"t.py": text, "good.py": GOOD})
        host.inspect("t.py")
        self.assertEqual([one["name"] for one in host.inspect("good.py")["tools"]], ["good:good"])

    def test_huge_and_deep_annotations_end(self):
        # Python 3.11 itself refuses more than about 90 nested brackets.
        deep = "list[" * 60 + "int" + "]" * 60
        wide = f"Literal[{', '.join(map(str, range(20_000)))}]"
        text = (
            "from __future__ import annotations\n" + HEAD + "from typing import Literal, Union\n"
            "Json = Union[str, int, 'list[Json]', 'dict[str, Json]']\n"
            f"@tool\ndef f(a: {deep}, b: {wide}, c: Json, d: 'f(f)', e: '1/0') -> str:\n    '''d'''\n    return 'x'\n"
        )
        self.report(text, ["t:f"])

    def test_a_function_that_registers_tools_goes_on_after_statements_that_fail(self):
        made = "    @mcp.tool()\n    def f(x: str) -> str:\n        '''d'''\n        return x\n"
        for first in ("raise SystemExit(1)", "register(mcp)", "1 / 0"):
            with self.subTest(first):
                report = self.report(f"def register(mcp):\n    {first}\n{made}", ["t:f"])
                self.assertEqual([one["line"] for one in report["problems"] if one["code"] == "foreign-list-fails"], [2])
        # The calls end after a number of failures. What the last one has made is kept, or only the tools are made.
        self.report(f"def register(mcp):\n{made}" + "    1 / 0\n" * 100, ["t:f"])
        self.report("def register(mcp):\n" + "    1 / 0\n" * 100 + made, ["t:f"])
        # Functions that cannot go on spoil only their file.
        for first, after in (
            ("global node\n    for node in [1 / 0]:\n        pass", ""),
            ("class Odd(Exception):\n        def __str__(self):\n            raise ValueError\n    raise Odd", ""),
            ("pass", "register.__signature__ = 3\n"),
        ):
            with self.subTest(first + after):
                host = self.open({"t.py": f"from fastmcp import FastMCP\ndef register(mcp, other):\n    {first}\n{made}{after}", "good.py": GOOD})
                problems = host.inspect("t.py")["problems"]
                self.assertIn("foreign-list-fails", [one["code"] for one in problems], problems)
                self.assertTrue(host.inspect("good.py")["tools"])

    def test_statements_that_are_hard_to_leave_out_spoil_nothing_else(self):
        made = "    @mcp.tool()\n    def f(x: str) -> str:\n        '''d'''\n        return x\n"
        inner = made.replace("\n    ", "\n        ").replace("    @", "        @", 1).rstrip(" ")
        once = "def once():\n    if hasattr(once, 'is_done'):\n        raise SystemExit\n    once.is_done = True\n"
        for name, text, lines in (
            ("a match", f"def register(mcp):\n    match 1:\n        case 1:\n            1 / 0\n{made}", [5]),
            ("a target", f"def register(mcp):\n    none = None\n    none.port = 1\n{made}", [4]),
            ("one line", f"def register(mcp):\n    1 / 0; 1 / 0\n{made}", [3]),
            ("a name", f"def register(mcp):\n    1 / 0\n{made}register.__name__ = 'other'\n", [3]),
            ("defaults", f"{once}def register(mcp, value=once(), *, other=len('x')):\n    1 / 0\n{made}", [7]),
            ("a method", f"class A:\n    __n = 1\n    def __init__(self, n=__n):\n        super().__init__()\n        1 / 0\n        self.__add(FastMCP('y'))\n    def __add(self, mcp):\n{inner}", [6]),
            # The function is called without an object of this class.
            ("a class", f"class Own:\n    def __init__(self):\n        pass\n    def tool(self, given):\n        return given\ndef register(mcp, own: Own):\n{made}", []),
        ):
            with self.subTest(name):
                report = self.report(f"from fastmcp import FastMCP\n{text}", ["t:f"])
                self.assertEqual([one["line"] for one in report["problems"]], lines, report["problems"])

    def test_a_function_that_takes_long_is_not_called_again(self):
        text = "def register(mcp):\n    @mcp.tool()\n    def f(x: str) -> str:\n        '''d'''\n        return x\n    1 / 0\n    2 / 0\n"
        for seconds, lines in ((3, [6, 7]), (0, [6])):
            with patch("cloche.foreign.resuming_functions._SECONDS", seconds):
                self.assertEqual([one["line"] for one in self.report(text, ["t:f"])["problems"]], lines)

    def test_an_import_hook_does_not_outlive_its_file(self):
        text = HEAD + "import sys\nclass Hook:\n    def find_spec(self, *given):\n        return None\nsys.meta_path.append(Hook())\n"
        before = len(sys.meta_path)
        self.report(text, [])
        sys.meta_path[:] = [one for one in sys.meta_path if type(one).__name__ != "Hook"]
        self.assertEqual(len(sys.meta_path), before)

    def test_a_file_with_specs_finds_no_stand_in(self):
        specs = 'TOOL_SPECS = []\nimport langchain_core.tools\n'
        host = self.open({"good.py": GOOD, "t.py": specs})
        host.inspect("good.py")
        report = host.inspect("t.py")
        self.assertEqual([one["code"] for one in report["problems"]], ["module-not-found"])
        self.assertFalse([name for name in sys.modules if name.startswith("langchain")])

    def test_ten_thousand_tools_are_cut(self):
        text = HEAD + "for n in range(10_000):\n    exec(f'@tool\\ndef f{n}(a: int):\\n    \"d\"')\n"
        host = self.open({"t.py": text})
        began = time.monotonic()
        host.inspect("t.py")
        self.assertLess(time.monotonic() - began, 30)

    def test_a_file_of_a_thousand_lambdas_is_parsed_once(self):
        names = [f"f{index}" for index in range(1_000)]
        items = "".join(f"    '{name}': lambda args: [args['a'] + 1, args['b'] * 2, args.get('c', 'd')],\n" for name in names)
        report = self.report(f"{HEAD}TOOLS = {{\n{items}}}\n", [f"t:{name}" for name in names])
        self.assertEqual({"".join(sorted(one["parameters"]["properties"])) for one in report["tools"]}, {"abc"})

    def test_exceptions_that_cannot_be_shown_end_nothing_but_their_statement(self):
        text = (
            HEAD + "class Odd(Exception):\n    def __str__(self):\n        raise ValueError\n    __repr__ = __str__\n"
            "raise Odd\n@tool\ndef f(a: str) -> str:\n    '''d'''\n    return a\n"
        )
        report = self.report(text, ["t:f"])
        self.assertEqual([one["line"] for one in report["problems"] if one["code"] == "import-stopped"], [6])

    def test_a_star_import_of_very_many_names_ends(self):
        names = "".join(f"    name_{index}\n" for index in range(50_000))
        self.report(f"from absent_shop import *\n{HEAD}@tool\ndef f(a: str) -> str:\n    '''d'''\n    return a\ndef g():\n{names}", ["t:f"])

    def test_dicts_and_application_values_without_an_end_are_cut(self):
        endless = "class D(dict):\n    def items(self):\n        while True:\n            yield 'x', print\n"
        self.report(f"{HEAD}{endless}TOOLS = D()\n@tool\ndef f(a: str) -> str:\n    '''d'''\n    return a\n", ["t:f"])
        made = "    @mcp.tool()\n    def f(x: str) -> str:\n        '''d'''\n        return x\n"
        for loop in ("while node:\n        node = node.parent", "while node.next():\n        pass", "while True:\n        node = node['x']"):
            with self.subTest(loop):
                self.report(f"def register(mcp, node):\n{made}    {loop}\n", ["t:f"])

    def test_classes_that_only_look_like_tools_spoil_only_their_file(self):
        run = "    def run(self, a: str) -> str:\n        return a\n"
        for kind in (
            "class Tool:\n    @property\n    def name(self):\n        raise SystemExit\n    description = 'd'\n",
            "class M(type):\n    def __getattribute__(cls, name):\n        raise KeyboardInterrupt\nclass Tool(metaclass=M):\n    name = description = 'd'\n",
            "class Tool:\n    name = 'n'\n    description = 'd'\n    parameters = {'type': 'object', 'properties': {f'p{i}': {} for i in range(200_000)}}\n",
            "class Tool:\n    name = description = type('S', (str,), {'strip': lambda self: 1 / 0})('n')\n",
        ):
            with self.subTest(kind):
                host = self.open({"t.py": kind + run, "good.py": GOOD})
                began = time.monotonic()
                host.inspect("t.py")
                self.assertLess(time.monotonic() - began, 30)
                self.assertEqual([one["name"] for one in host.inspect("good.py")["tools"]], ["good:good"])

    def test_a_schema_whose_parts_are_in_many_places_is_read_once(self):
        text = """import anthropic
part = {"type": "KIND", "properties": {}}
for n in range(COUNT):
    part = {"type": "KIND", "properties": {"a": part, "b": part}}
TOOLS = [{"name": "f", "description": "d", "input_schema": part}]
def f(a, b):
    return "x"
"""
        for kind in ("OBJECT", "object"):
            with self.subTest(kind):
                given = text.replace("KIND", kind)
                self.report(given.replace("COUNT", "8"), ["t:f"])
                problems = self.report(given.replace("COUNT", "22"), [])["problems"]
                message = "the parameters of f cannot be read: its schema has more than 1,000,000 values"
                self.assertIn(message, [one["message"] for one in problems])

    def test_no_stand_in_does_io(self):
        for path in MODULES.glob("modules/*.py"):
            text = path.read_text("utf-8")
            found = re.findall(r"\b(subprocess|socket|urllib|os\.system|import js\b|pyodide)", text)
            self.assertEqual((path.name, found), (path.name, []))
