"""An exception becomes a failure with type, message and the user's own frames, and affects nothing else."""

import sys

from .host import HostCase, text_of

CODE = """
import asyncio

def value_error(): raise ValueError("bad city")
def key_error(): return {}["town"]
def no_message(): raise ValueError
def exits(): raise SystemExit(3)
def exits_quietly(): exit_code = None; raise SystemExit(exit_code)
def interrupted(): raise KeyboardInterrupt
def endless(): return endless()
def memory(): raise MemoryError
def generator_exit(): raise GeneratorExit("gone")
def cancelled(): raise asyncio.CancelledError
def stop(): raise StopIteration(3)
class Custom(Exception):
    def __init__(self): pass
def custom(): raise Custom
class Unspeakable(Exception):
    def __str__(self): raise RuntimeError("no words")
def unspeakable(): raise Unspeakable
class NotText(Exception):
    def __str__(self): return 3
def not_text(): raise NotText
class Odd(type):
    @property
    def __name__(cls): raise RuntimeError
class OddlyNamed(Exception, metaclass=Odd): pass
def oddly_named(): raise OddlyNamed("x")
class Unshowable(Exception):
    def __getattribute__(self, name): raise RuntimeError("hands off")
def unshowable(): raise Unshowable("x")
def huge(): raise ValueError("x" * 10_000_000)
def many_lines(): raise ValueError("a\\nb")
def group(): raise ExceptionGroup("two", [ValueError("a"), TypeError("b")])
def noted():
    error = ValueError("x")
    error.add_note("look here")
    raise error
def surrogate(): raise ValueError("\\ud800")
async def async_error():
    await asyncio.sleep(0)
    raise ValueError("late")
async def async_exit(): raise SystemExit("bye")
async def async_interrupt(): raise KeyboardInterrupt
def generator_error():
    yield 1
    raise ValueError("in generator")
def generator_exits():
    yield 1
    raise SystemExit
async def async_generator_error():
    yield 1
    raise ValueError("in async generator")
def fine(): return "fine"
"""
ERRORS = {
    "value_error": "ValueError: bad city",
    "key_error": "KeyError: 'town'",
    "no_message": "ValueError",
    "exits": "SystemExit: 3",
    "exits_quietly": "SystemExit: None",
    "interrupted": "KeyboardInterrupt",
    "memory": "MemoryError",
    "generator_exit": "GeneratorExit: gone",
    "cancelled": "CancelledError",
    "stop": "StopIteration: 3",
    "custom": "Custom",
    "unspeakable": "Unspeakable: <its message cannot be shown>",
    "not_text": "NotText: <its message cannot be shown>",
    "oddly_named": "OddlyNamed: x",
    "unshowable": "Unshowable: x",
    "many_lines": "ValueError: a\nb",
    "group": "ExceptionGroup: two (2 sub-exceptions)",
    "noted": "ValueError: x",
    "surrogate": "ValueError: \ud800",
    "async_error": "ValueError: late",
    "async_exit": "SystemExit: bye",
    "async_interrupt": "KeyboardInterrupt",
    "generator_error": "ValueError: in generator",
    "generator_exits": "SystemExit",
    "async_generator_error": "ValueError: in async generator",
}


class ErrorsTest(HostCase):
    def setUp(self):
        self.host = self.open_tools(CODE, *ERRORS, "endless", "huge", "fine")

    async def test_error_is_type_and_message(self):
        for name, error in ERRORS.items():
            with self.subTest(name=name):
                result = await self.host.run(f"t:{name}")
                self.assertEqual((result["ok"], result["error"]), (False, error))
                self.assertEqual((result["content"], result["recoverable"]), ([], False))

    async def test_the_next_call_works(self):
        for name in (*ERRORS, "endless", "huge"):
            await self.host.run(f"t:{name}")
            self.assertEqual(text_of(self.host.call("t:fine")), "fine")

    def test_endless_recursion_is_a_recursion_error_with_a_short_traceback(self):
        result = self.host.call("t:endless")
        self.assertTrue(
            result["error"].startswith("RecursionError: maximum recursion depth exceeded"), result["error"]
        )
        self.assertIn("Previous line repeated", result["traceback"])
        self.assertLess(len(result["frames"]), 101)

    def test_a_huge_message_is_cut(self):
        result = self.host.call("t:huge")
        self.assertIn("… (9,990,012 more characters)", result["error"])
        self.assertLess(len(result["error"]), 10_100)
        self.assertLess(len(result["traceback"]), 51_000)

    def test_the_model_is_told_where(self):
        message = self.host.call("t:value_error")["message"]
        self.assertEqual(message, "ValueError: bad city\nRaised in t.py, line 4, in value_error.")


class ImportTest(HostCase):
    def test_a_file_that_cannot_be_imported_fails_its_calls(self):
        host = self.open({"t.py": "import helper", "helper.py": "1 / 0"})
        result = host.call("t:f")
        self.assertEqual(result["error"], "ZeroDivisionError: division by zero")
        self.assertEqual([frame["file"] for frame in result["frames"]], ["t.py", "helper.py"])
        # The page recognises by it that the tool has not run.
        self.assertEqual(result["frames"][0]["name"], "<module>")

    def test_a_missing_tool_or_file_says_what_to_do(self):
        host = self.open_tools("def f(): pass", "f")
        result = host.call("t:g")
        self.assertEqual(result["error"], "LookupError: t.py has no tool 't:g'")
        self.assertIn("refresh the tools folder", result["message"])
        self.assertTrue(host.call("gone:f")["error"].startswith("FileNotFoundError"))

    def test_a_module_that_floods_is_cut_off(self):
        host = self.open("while True: print('x' * 1000)")
        self.assertTrue(host.call("t:f")["error"].startswith("PrintedTooMuch"))

    def test_what_an_import_prints_is_not_the_calls_output(self):
        host = self.open_tools("print('at import')\ndef f(): print('in call')", "f")
        host.call("t:f")
        self.assertEqual(host.printed(), "in call\n")

    def test_the_recursion_limit_and_trace_of_the_interpreter_stay(self):
        before = sys.getrecursionlimit()
        host = self.open_tools("import sys\nsys.setrecursionlimit(120)\ndef f(): return 1", "f")
        host.inspect("t.py")
        self.assertEqual(sys.getrecursionlimit(), before)
