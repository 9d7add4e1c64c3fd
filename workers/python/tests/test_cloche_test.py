"""cloche_test.py as people get it: one file, run by CPython."""

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TOOLS = """
import os, sys
def add(a: int, b: int = 1): return {"n": a + b}
def die(): os._exit(3)
def hang():
    while True: pass
def loud():
    print("printed"); os.write(1, b"not an answer\\n")
def steps(context):
    for n in range(3): yield n
    return {"done": True}
async def asks(context): return await context.approve("May I?")
def count():
    global calls
    calls = globals().get("calls", 0) + 1
    return calls
def spec(handler, **more):
    number = {"type": "integer", "minimum": 0}
    parameters = {"type": "object", "properties": {"a": number, "b": number}} if handler is add else {"type": "object"}
    return {"name": f"t:{handler.__name__}", "description": "d", "parameters": parameters, "handler": handler, **more}
TOOL_SPECS = [spec(add), spec(die), spec(hang, timeout_s=0.5), spec(loud), spec(steps), spec(asks), spec(count)]
"""
TESTS = [
    {"name": "counts", "tool": "t:count", "expect": {"equals": 1}},
    {"name": "keeps its state", "tool": "t:count", "expect": {"equals": 2}},
    {"name": "adds", "tool": "t:add", "arguments": {"a": 10**40}, "expect": {"equals": {"n": 10**40 + 1}}},
    {"name": "refuses", "tool": "t:add", "arguments": {"a": -1}, "expect": {"error": "ValidationError"}},
    {"name": "signature first", "tool": "t:add", "arguments": {"c": -1}, "expect": {"error": "TypeError"}},
    {"name": "prints", "tool": "t:loud", "expect": {"equals": None, "stdout": "printed\nnot an answer\n"}},
    {"name": "streams", "tool": "t:steps", "expect": {"equals": {"done": True}, "updates": 3}},
    {"name": "is allowed", "tool": "t:asks", "expect": {"equals": True}},
    {"name": "dies", "tool": "t:die", "expect": {"error": "crashed"}},
    {"name": "hangs", "tool": "t:hang", "expect": {"error": "timeout"}},
    {"name": "starts again", "tool": "t:count", "expect": {"equals": 1}},
]
EXAMPLE = """
from cloche_test import mock_app, mock_context, mock_tool
from cloche import actions, text_result
import cloche.actions
def register(app):
    app.register_command(name="hi", handler=lambda args, app: actions.notify(args + app.session_title()))
app = mock_app(register, session_title="!")
app.run_command("hi", "Ada")
assert app.performed == [{"action": "notify", "text": "Ada!"}]
context = mock_context(approvals=[False], session_id="s")
context.update({"a": 1})
assert (context.updates, context.session_id, context.approve("?")) == ([{"a": 1}], "s", False)
tool = mock_tool(returns=lambda a: a + 1)
assert (tool["handler"](a=1), tool.calls) == (2, [{"a": 1}])
failing = mock_tool("m:f", raises=ValueError("no"), timeout_s=1)
assert failing["timeout_s"] == 1
try: failing["handler"]()
except ValueError: print("fine")
"""


def _oldest() -> str | None:
    """Python 3.10, where this machine has it."""
    found = shutil.which("python3.10")
    starts = found is not None and subprocess.run([found, "-c", ""], capture_output=True).returncode == 0
    return found if starts else None


OLDEST = None if sys.platform == "emscripten" else _oldest()


class ClocheTestTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.parent = Path(tempfile.mkdtemp())
        cls.file = cls.parent / "cloche_test.py"
        subprocess.run(["node", ROOT / "scripts/python-programs.mjs", "cloche_test", cls.file], check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.parent)

    def folder(self, **files: str) -> Path:
        folder = Path(tempfile.mkdtemp(dir=self.parent))
        (folder / "tests").mkdir()
        (folder / "t.py").write_text(TOOLS)
        for name, text in files.items():
            (folder / "tests" / f"{name}.json").write_text(text)
        return folder

    def run_tests(self, *words: object, python: str = sys.executable) -> tuple[list[str], int]:
        done = subprocess.run([python, self.file, *map(str, words)], capture_output=True, text=True)
        return done.stdout.splitlines(), done.returncode

    def test_tests_pass_and_whatever_a_tool_does_the_next_one_runs(self):
        self.assertEqual(self.run_tests(self.folder(t=json.dumps(TESTS))), ([f"{len(TESTS)} passed, 0 failed"], 0))

    def test_the_oldest_python_runs_them_too(self):
        ast.parse(self.file.read_text(), feature_version=(3, 10))
        if OLDEST is not None:
            folder = self.folder(t=json.dumps(TESTS))
            self.assertEqual(self.run_tests(folder, python=OLDEST), ([f"{len(TESTS)} passed, 0 failed"], 0))

    def test_each_failing_test_is_one_line_with_its_reason(self):
        failing = [
            {"name": "two\nlines", "tool": "t:add", "arguments": {"a": 1}, "expect": {"equals": {"n": 3}}},
            {"tool": "t:add", "arguments": {"a": 1}, "expect": {"expression": "result['n'] > 3"}},
            {"name": "gone", "tool": "t:gone"},
            {"name": "outside", "tool": "../t:add"},
            {"name": "key", "tool": "t:add", "expct": 1},
        ]
        lines, code = self.run_tests(self.folder(a=json.dumps(failing), b="{", c='[{"tool": "t:add", "arguments": {"a": NaN}}]'))
        self.assertEqual(code, 1)
        self.assertEqual(
            lines,
            [
                "FAILED tests/a.json: $[4].expct is not a declared property",
                "FAILED tests/a.json: two lines (t:add): result.n: expected 3, got 2",
                "FAILED tests/a.json: test 2 (t:add): expression: result['n'] > 3 is false, where result is {\"n\": 2}",
                "FAILED tests/a.json: gone (t:gone): the call failed: LookupError: there is no tool t:gone",
                "FAILED tests/a.json: outside (../t:add): the call failed: LookupError: there is no tool ../t:add",
                "FAILED tests/b.json: the file is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
                "FAILED tests/c.json: the file is not JSON: NaN is not JSON",
                "0 passed, 7 failed",
            ],
        )

    def test_input_without_tests_is_unusable(self):
        self.assertEqual(self.run_tests(self.folder()), ([], 2))
        self.assertEqual(self.run_tests(self.parent / "nowhere"), ([], 2))

    def test_files_of_other_frameworks_run_with_stand_ins(self):
        folder = self.folder(a=json.dumps([{"tool": "lc:double", "arguments": {"a": 2}, "expect": {"equals": 4}}]))
        text = "from crewai.tools import tool\n@tool('double')\ndef double(a: int) -> int:\n    \"Doubles.\"\n    return 2 * a\n"
        (folder / "lc.py").write_text(text)
        self.assertEqual(self.run_tests(folder), (["1 passed, 0 failed"], 0))

    def test_the_samples_pass(self):
        lines, code = self.run_tests(ROOT / "tools-samples", "--tests", "calls")
        self.assertEqual((len(lines), code), (1, 0), lines)

    def test_the_samples_of_other_frameworks_pass(self):
        lines, code = self.run_tests(ROOT / "tools-samples" / "foreign")
        self.assertEqual((lines, code), (["15 passed, 0 failed"], 0))

    def test_pytest_runs_them_where_it_is_installed(self):
        folder = self.folder(t=json.dumps([*TESTS[:3], {"name": "fails", "tool": "t:add", "arguments": {"a": 1}, "expect": {"equals": 1}}]), other='{"a": 1}')
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "cloche_test", "-p", "no:cacheprovider", str(folder)],
            capture_output=True,
            text=True,
            cwd=self.parent,
            env={**os.environ, "PYTHONPATH": str(self.parent)},
        )
        self.assertIn("1 failed, 3 passed", done.stdout)
        self.assertIn("the result: expected 1, got {\"n\": 2}", done.stdout)

    def test_mocks_help_to_test_a_tool(self):
        done = subprocess.run([sys.executable, "-c", EXAMPLE], capture_output=True, text=True, cwd=self.parent)
        self.assertEqual((done.stdout, done.stderr), ("fine\n", ""))

    def test_the_file_does_not_look_like_a_tool_file(self):
        self.assertNotRegex(self.file.read_text(), r"(?m)^TOOL_SPECS\b")


if not importlib.util.find_spec("pytest"):
    del ClocheTestTest.test_pytest_runs_them_where_it_is_installed
# Pyodide has no processes, and the command is for ordinary Python.
if sys.platform == "emscripten":
    del ClocheTestTest
