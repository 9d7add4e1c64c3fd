"""An exception becomes a failure with type, message and the user's own frames, and affects nothing else."""

import re
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


class TracebackTest(HostCase):
    def setUp(self):
        self.host = self.open(
            {
                "t.py": """
import helper, asyncio, functools
from package import inner

def own(): return helper.fails(1)
def deep(): return inner.run(lambda: helper.fails(2))
def library():
    import json
    return json.loads("{")
def chained():
    try:
        helper.fails(3)
    except ValueError as error:
        raise RuntimeError("outer") from error
def context():
    try:
        helper.fails(4)
    except ValueError:
        return {}["missing"]
def hidden():
    try:
        helper.fails(5)
    except ValueError:
        raise KeyError("shown") from None
def callback(): return sorted([2, 1], key=helper.fails)
def update(context): context.update({1})
def yields():
    yield 1
    yield object()
def syntax(): compile("a b", __file__, "exec")
async def task():
    async def inner_task(): helper.fails(6)
    await asyncio.create_task(inner_task())
def decorated():
    @functools.cache
    def cached(n): return helper.fails(n)
    return cached(7)
def fails_again(error):
    try:
        raise RuntimeError("again") from error
    except RuntimeError as again:
        return again
def many_causes():
    error = ValueError("first")
    for _ in range(1500): error = fails_again(error)
    raise error
class Uncuttable(str):
    def __getitem__(self, index): raise RuntimeError
def oddly_named(): raise ValueError("said")
oddly_named.__code__ = oddly_named.__code__.replace(co_name=Uncuttable("odd"))
builtin = functools.partial(int, "x")
TOOL_SPECS = [
    {"name": f"t:{one.__name__}", "description": "d", "parameters": {"type": "object"}, "handler": one}
    for one in (own, deep, library, chained, context, hidden, callback, update, yields, syntax, task, decorated,
        many_causes, oddly_named)
] + [{"name": "t:builtin", "description": "d", "parameters": {"type": "object"}, "handler": builtin}]
""",
                "helper.py": 'def fails(n):\n    raise ValueError(f"number {n}")\n',
                "package/__init__.py": "",
                "package/inner.py": "def run(work):\n    return work()\n",
            }
        )

    def frames(self, result):
        return [(frame["file"], frame["line"], frame["name"]) for frame in result["frames"]]

    def test_is_what_python_prints_with_paths_inside_the_folder(self):
        # From Python 3.13 on, ~ marks what is called.
        text = self.host.call("t:own")["traceback"].replace("~~~~~~~~~~~~^^^", "^^^^^^^^^^^^^^^")
        self.assertEqual(
            text,
            "Traceback (most recent call last):\n"
            '  File "t.py", line 5, in own\n'
            "    def own(): return helper.fails(1)\n"
            "                      ^^^^^^^^^^^^^^^\n"
            '  File "helper.py", line 2, in fails\n'
            '    raise ValueError(f"number {n}")\n'
            "ValueError: number 1\n",
        )

    def test_has_the_frames_of_helpers_and_packages(self):
        self.assertEqual(
            self.frames(self.host.call("t:deep")),
            [
                ("t.py", 6, "deep"),
                ("package/inner.py", 2, "run"),
                ("t.py", 6, "<lambda>"),
                ("helper.py", 2, "fails"),
            ],
        )

    def test_keeps_the_library_frames_below_the_users(self):
        result = self.host.call("t:library")
        self.assertEqual(self.frames(result)[0], ("t.py", 9, "library"))
        self.assertTrue(self.frames(result)[-1][0].endswith("json/decoder.py"), result["frames"])

    def test_keeps_the_chain(self):
        text = self.host.call("t:chained")["traceback"]
        self.assertIn("ValueError: number 3\n\nThe above exception was the direct cause", text)
        self.assertTrue(text.endswith("RuntimeError: outer\n"), text)
        text = self.host.call("t:context")["traceback"]
        self.assertIn("ValueError: number 4\n\nDuring handling of the above exception", text)
        self.assertNotIn("number 5", self.host.call("t:hidden")["traceback"])

    def test_has_the_frames_of_causes_and_names_the_error_s_own(self):
        for name in ("chained", "context"):
            with self.subTest(name=name):
                result = self.host.call(f"t:{name}")
                shown = re.findall(r'^  File "(.*)", line (\d+), in (.*)$', result["traceback"], re.MULTILINE)
                self.assertGreater(len(shown), 2)
                self.assertEqual(self.frames(result), [(file, int(line), name) for file, line, name in shown])
                self.assertIn(f"Raised in {shown[-1][0]}, line {shown[-1][1]}, in {name}.", result["message"])
        hidden = self.host.call("t:hidden")
        self.assertEqual({name for _, _, name in self.frames(hidden)}, {"hidden"})

    def test_of_many_causes_has_the_frames_of_the_error_itself(self):
        result = self.host.call("t:many_causes")
        text = result["traceback"]
        self.assertTrue(text.startswith("ValueError: first\n\nThe above exception"), text)
        self.assertTrue(text.endswith("RuntimeError: again\n"), text)
        self.assertNotIn(self.host.root, text)
        self.assertEqual({name for _, _, name in self.frames(result)}, {"many_causes", "fails_again"})
        self.assertEqual(len(result["frames"]), 2)
        self.assertIn("in fails_again.", result["message"])

    def test_stays_if_its_frames_cannot_be_listed(self):
        result = self.host.call("t:oddly_named")
        self.assertIn(", in odd\n", result["traceback"])
        self.assertTrue(result["traceback"].endswith("ValueError: said\n"), result["traceback"])
        self.assertEqual(result["frames"], [])

    async def test_shows_nothing_of_the_loader(self):
        for name in "own deep library chained context hidden callback update yields syntax task decorated builtin".split():
            result = await self.host.run(f"t:{name}")
            with self.subTest(name=name):
                self.assertFalse(result["ok"])
                self.assertNotIn("cloche", result["traceback"])
                self.assertNotIn(self.host.root, result["traceback"])
                self.assertNotIn("base_events", result["traceback"])
                self.assertNotIn("webloop", result["traceback"])

    async def test_ends_at_the_line_that_is_at_fault(self):
        for name, frame in (("update", ("t.py", 26, "update")), ("yields", ("t.py", 29, "yields"))):
            self.assertEqual(self.frames(await self.host.run(f"t:{name}")), [frame])

    def test_of_a_builtin_handler_has_no_frames(self):
        result = self.host.call("t:builtin", {"base": 10})
        self.assertEqual(result["frames"], [])
        self.assertIn("ValueError: invalid literal for int()", result["traceback"])


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


CAUSES = """
import asyncio
async def fails(city):
    raise ValueError(f"no such city: {city}")
async def group():
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(fails("Oslo"))
async def two():
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(fails("Oslo"))
        tasks.create_task(fails("Bern"))
async def nested():
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(group())
def plain_group(): raise ExceptionGroup("two", [ValueError("a"), TypeError("b")])
def notes():
    try: int("x")
    except ValueError as error:
        error.add_note("while reading row 7")
        error.add_note("of prices.csv")
        raise
def chain():
    try: {}["api_key"]
    except KeyError as error: raise RuntimeError("no configuration") from error
def context():
    try: {}["api_key"]
    except KeyError: raise RuntimeError("no configuration")
def hidden():
    try: {}["api_key"]
    except KeyError: raise RuntimeError("no configuration") from None
def noted_cause():
    try: notes()
    except ValueError as error: raise ExceptionGroup("all", [KeyError("a")]) from error
def library():
    import json
    return json.loads("{")
def circle():
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    raise first
def many(): raise ExceptionGroup("many", [ValueError("x" * 5_000) for _ in range(1_000)])
def deep():
    error = ValueError("innermost")
    for _ in range(100): error = ExceptionGroup("deep", [error])
    raise error
def long_chain():
    error = ValueError("first")
    for n in range(500):
        try: raise ValueError(str(n)) from error
        except ValueError as again: error = again
    raise error
def long_note():
    error = ValueError("x")
    for _ in range(1_000): error.add_note("y" * 100_000)
    raise error
def odd_notes():
    error = ValueError("x")
    error.__notes__ = 3
    raise error
def inside():
    try: notes()
    except ValueError as error:
        try: raise KeyError("price") from error
        except KeyError as later:
            later.add_note("first line\\nsecond line")
            raise ExceptionGroup("rows", [later, OSError("disk")])
def counted_notes():
    error = ValueError("x")
    error.__notes__ = [7, *"abcdefghijk"]
    raise error
def shared():
    one = ValueError("a")
    raise ExceptionGroup("twice", [one, one, TypeError("b")]) from one
def no_message(): raise ExceptionGroup("empty", [ValueError(), TypeError("")])
class Hostile(ExceptionGroup):
    exceptions = property(lambda self: 1 / 0)
    __cause__ = property(lambda self: 1 / 0)
def hostile(): raise Hostile("odd", [ValueError("inside")])
"""


class ToldTest(HostCase):
    """The text about an error that the model reads."""

    def setUp(self):
        names = (
            "group two nested plain_group notes chain context hidden noted_cause library circle many deep long_chain "
            "long_note odd_notes hostile inside counted_notes shared no_message"
        ).split()
        self.host = self.open_tools(CAUSES, *names)

    async def told(self, name):
        return (await self.host.run(f"t:{name}"))["message"]

    async def test_has_the_errors_of_a_group_and_their_places(self):
        self.assertEqual(
            await self.told("group"),
            "ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n"
            "- ValueError: no such city: Oslo\n"
            "  Raised in t.py, line 4, in fails.",
        )
        self.assertEqual(
            await self.told("two"),
            "ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)\n"
            "- ValueError: no such city: Oslo\n"
            "  Raised in t.py, line 4, in fails.\n"
            "- ValueError: no such city: Bern\n"
            "  Raised in t.py, line 4, in fails.",
        )
        self.assertEqual(
            await self.told("nested"),
            "ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n"
            "- ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n"
            "  - ValueError: no such city: Oslo\n"
            "    Raised in t.py, line 4, in fails.",
        )
        self.assertEqual(
            await self.told("plain_group"),
            "ExceptionGroup: two (2 sub-exceptions)\n- ValueError: a\n- TypeError: b\n"
            "Raised in t.py, line 15, in plain_group.",
        )

    async def test_has_notes_and_causes(self):
        self.assertEqual(
            await self.told("notes"),
            "ValueError: invalid literal for int() with base 10: 'x'\nwhile reading row 7\nof prices.csv\n"
            "Raised in t.py, line 17, in notes.",
        )
        for name, line, lead, before in (("chain", 24, "Caused by", 23), ("context", 27, "Raised while handling", 26)):
            self.assertEqual(
                await self.told(name),
                f"RuntimeError: no configuration\nRaised in t.py, line {line}, in {name}.\n"
                f"{lead} KeyError: 'api_key'\nRaised in t.py, line {before}, in {name}.",
            )
        self.assertEqual(
            await self.told("hidden"), "RuntimeError: no configuration\nRaised in t.py, line 30, in hidden."
        )
        self.assertEqual(
            await self.told("noted_cause"),
            "ExceptionGroup: all (1 sub-exception)\n- KeyError: 'a'\nRaised in t.py, line 33, in noted_cause.\n"
            "Caused by ValueError: invalid literal for int() with base 10: 'x'\nwhile reading row 7\nof prices.csv\n"
            "Raised in t.py, line 17, in notes.",
        )

    async def test_indents_notes_and_causes_of_the_errors_in_a_group(self):
        self.assertEqual(
            await self.told("inside"),
            "ExceptionGroup: rows (2 sub-exceptions)\n"
            "- KeyError: 'price'\n  first line\n  second line\n  Raised in t.py, line 63, in inside.\n"
            "  Caused by ValueError: invalid literal for int() with base 10: 'x'\n  while reading row 7\n  of prices.csv\n"
            "  Raised in t.py, line 17, in notes.\n"
            "- OSError: disk",
        )

    async def test_has_ten_notes_of_any_type_and_each_error_once(self):
        self.assertEqual(
            await self.told("counted_notes"),
            "ValueError: x\n7\na\nb\nc\nd\ne\nf\ng\nh\ni\nRaised in t.py, line 70, in counted_notes.",
        )
        self.assertEqual(
            await self.told("shared"),
            "ExceptionGroup: twice (3 sub-exceptions)\n- ValueError: a\n- TypeError: b\nRaised in t.py, line 73, in shared.",
        )
        self.assertEqual(
            await self.told("no_message"),
            "ExceptionGroup: empty (2 sub-exceptions)\n- ValueError\n- TypeError\nRaised in t.py, line 74, in no_message.",
        )

    async def test_names_the_tool_s_own_line_where_a_library_raises(self):
        self.assertTrue((await self.told("library")).endswith("\nRaised in t.py, line 36, in library."))

    async def test_is_bounded_and_survives_any_error(self):
        for name in ("circle", "many", "deep", "long_chain", "long_note", "odd_notes", "hostile"):
            told = await self.told(name)
            with self.subTest(name=name):
                self.assertLess(len(told), 22_000)
                self.assertLess(told.count("\n"), 60)
        self.assertIn("- ValueError: inside", await self.told("hostile"))
        self.assertIn("- and 981 more", await self.told("many"))
        self.assertIn("Caused by further errors", await self.told("long_chain"))
