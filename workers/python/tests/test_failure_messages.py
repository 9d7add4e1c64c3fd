"""The message about a failure that the model reads: the errors of groups and causes, with their places."""

from .host import HostCase


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
