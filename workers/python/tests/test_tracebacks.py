"""The traceback of a failure and its frames are those of the folder's files, with the paths inside the folder."""

import re

from .host import HostCase


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
