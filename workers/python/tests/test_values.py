"""A handler's return value becomes content, or a failure that names the type and the place."""

import base64
import json
import math

from .host import HostCase, text_of

JSON_VALUES = """
import collections, enum, typing
class Colour(enum.IntEnum):
    RED = 1
class Word(str, enum.Enum):
    HI = "hi"
Point = collections.namedtuple("Point", "x y")
class Ours(dict): pass
class Doubled(list):
    def __iter__(self): return (2 * one for one in list.__iter__(self))
class Shown(dict):
    def items(self): return [("shown", 1)]
VALUES = [
    None, True, False, 0, -1, 10**30, 1.5, 1e300, float("nan"), float("inf"), float("-inf"),
    [], {}, (), (1, 2), [1, [2, [3]]], {"a": {"b": None}}, {1: 2, None: 3, True: 4, 2.5: 5},
    {"é": "ü", "emoji": "😀", "quote": '"\\\\', "control": "\\x00\\n"},
    Colour.RED, [Word.HI], Point(1, 2), Ours(a=1), collections.OrderedDict(b=1, a=2), collections.Counter("aab"),
    Doubled([1, 2]), {"a": [Doubled([3])]}, Shown(a=1), Shown(),
    "\\ud800 in a list".split(), typing.NamedTuple,
]
del VALUES[-1]
def value(n): return VALUES[n]
"""


class JsonTest(HostCase):
    def test_json_text_is_exactly_that_of_json_dumps(self):
        host = self.open_tools(JSON_VALUES, "value")
        host.call("t:value", {"n": 0})
        import t

        for number, value in enumerate(t.VALUES):
            with self.subTest(value=value):
                result = host.call("t:value", {"n": number})
                self.assertEqual(
                    result["content"], [{"type": "json", "text": json.dumps(value, ensure_ascii=False)}]
                )

    def test_none_is_null(self):
        host = self.open_tools("def f(): pass", "f")
        self.assertEqual(host.call("t:f")["content"], [{"type": "json", "text": "null"}])

    def test_a_str_is_passed_as_it_is(self):
        host = self.open_tools("def f(text): return text", "f")
        for text in (
            "",
            "plain",
            "null",
            '{"a": 1}',
            "line\nline",
            "é 😀",
            "\x00",
            "\ud800",
            '"',
            "a" * 2_000_000,
        ):
            self.assertEqual(host.call("t:f", {"text": text})["content"], [{"type": "text", "text": text}])

    def test_a_str_subclass_is_its_underlying_text(self):
        host = self.open_tools(
            """
import enum
class Loud(str):
    def __str__(self): return "shouted"
class Word(enum.StrEnum):
    HI = "hi"
def loud(): return Loud("quiet")
def word(): return Word.HI
""",
            "loud",
            "word",
        )
        self.assertEqual(host.call("t:loud")["content"], [{"type": "text", "text": "quiet"}])
        self.assertEqual(host.call("t:word")["content"], [{"type": "text", "text": "hi"}])


REFUSED = r"""
import collections, dataclasses, datetime, decimal, fractions, pathlib, re, uuid
@dataclasses.dataclass
class Person:
    name: str
class Plain: pass
cycle = [1]
cycle.append({"again": cycle})
deep = []
for _ in range(1_000): deep = [deep]
deep_dict = {}
for _ in range(1_000): deep_dict = {"k": deep_dict}
wide = [[0]] * 5 + [[set()]]
VALUES = [
    ({"when": datetime.date(2024, 1, 2)}, "TypeError: Object of type date is not JSON serializable (at $.when): return its isoformat()"),
    (datetime.datetime(2024, 1, 2), "TypeError: Object of type datetime is not JSON serializable (at $): return its isoformat()"),
    ([1, {2, 3}], "TypeError: Object of type set is not JSON serializable (at $[1]): return a list"),
    (frozenset(), "TypeError: Object of type frozenset is not JSON serializable (at $): return a list"),
    ({"who": {"one": Person("x")}}, "TypeError: Object of type Person is not JSON serializable (at $.who.one): return dataclasses.asdict(…) of it"),
    ({"a key": [Plain()]}, 'TypeError: Object of type Plain is not JSON serializable (at $["a key"][0])'),
    (wide, "TypeError: Object of type set is not JSON serializable (at $[5][0]): return a list"),
    ({"b": b"x"}, "TypeError: Object of type bytes is not JSON serializable (at $.b): return base64 text, or the bytes alone"),
    (decimal.Decimal("1.5"), "TypeError: Object of type Decimal is not JSON serializable (at $): return a float or a str"),
    (fractions.Fraction(1, 2), "TypeError: Object of type Fraction is not JSON serializable (at $): return a float or a str"),
    (1j, "TypeError: Object of type complex is not JSON serializable (at $): return a str"),
    (pathlib.PurePosixPath("x"), "TypeError: Object of type PurePosixPath is not JSON serializable (at $): return a str"),
    (uuid.UUID(int=1), "TypeError: Object of type UUID is not JSON serializable (at $): return a str"),
    (re.compile("x"), "TypeError: Object of type Pattern is not JSON serializable (at $)"),
    (Plain, "TypeError: Object of type type is not JSON serializable (at $)"),
    (len, "TypeError: Object of type builtin_function_or_method is not JSON serializable (at $): call it, and return its result"),
    (map(str, [1]), "TypeError: Object of type map is not JSON serializable (at $): return a list"),
    (range(3), "TypeError: Object of type range is not JSON serializable (at $): return a list"),
    (collections.deque(), "TypeError: Object of type deque is not JSON serializable (at $): return a list"),
    ({"x": {(1, 2): 3}}, "TypeError: keys must be str, int, float, bool or None, not tuple (at $.x): return str keys, or a list of pairs"),
    ({b"k": 1}, "TypeError: keys must be str, int, float, bool or None, not bytes (at $): return str keys, or a list of pairs"),
    ({"a": cycle}, "ValueError: Circular reference detected (at $.a[1].again)"),
    (NotImplemented, "TypeError: Object of type NotImplementedType is not JSON serializable (at $)"),
]
def value(n): return VALUES[n][0]
def too_deep(): return deep
def too_deep_dict(): return deep_dict
def huge_int(): return {"n": 10 ** 5_000}
def big_text(): return "x" * (64 * 1024 * 1024 + 1)
def big_json(): return ["x" * 34_000_000] * 2
def big_bytes(): return bytes(50_331_649)
def escaped(context): return context.result(["\x01" * 22_000_000] * 2)
"""


LONG = """
TEXT = "line\\n\\u2028 \\U0001f600 \\x00 \\"" * 5_000
def returned(kind):
    if kind == "text": return TEXT
    if kind == "json": return {"a": TEXT}
    return TEXT.encode()
def parts(context): return context.result([TEXT[:30_000], {"a": TEXT}, "short", TEXT.encode()])
"""


class LongTextTest(HostCase):
    def test_a_long_text_follows_the_json_and_says_the_same(self):
        host = self.open_tools(LONG, "returned", "parts")
        host.call("t:returned", {"kind": "text"})
        import t

        as_bytes = base64.b64encode(t.TEXT.encode()).decode()
        as_json = json.dumps({"a": t.TEXT}, ensure_ascii=False)
        for kind, wanted in {"text": t.TEXT, "json": as_json, "binary": as_bytes}.items():
            with self.subTest(kind):
                payload = host.interpreter.call(99, "t:returned", "t.py", json.dumps({"kind": kind}), "{}", "", False)
                head, _, text = payload.partition("\n")
                said = json.loads(head)
                self.assertEqual(said["longText"], 0)
                self.assertIn("", (said["content"][0].get("text"), said["content"][0].get("data")))
                self.assertEqual(text, wanted)

    def test_of_several_long_texts_the_longest_follows(self):
        host = self.open_tools(LONG, "returned", "parts")
        content = host.call("t:parts")["content"]
        import t

        self.assertEqual(content[0]["text"], t.TEXT[:30_000])
        self.assertEqual(json.loads(content[1]["text"]), {"a": t.TEXT})
        self.assertEqual(content[2]["text"], "short")
        self.assertEqual(base64.b64decode(content[3]["data"]).decode(), t.TEXT)

    def test_a_short_text_does_not(self):
        host = self.open_tools(LONG, "returned", "parts")
        host.call("t:returned", {"kind": "text"})
        host.interpreter._tools["t.py", "t:returned"].handler.__globals__["TEXT"] = "x" * 20_000
        payload = host.interpreter.call(99, "t:returned", "t.py", '{"kind": "text"}', "{}", "", False)
        self.assertEqual(json.loads(payload)["content"][0]["text"], "x" * 20_000)


class RefusedTest(HostCase):
    def setUp(self):
        names = "value too_deep too_deep_dict huge_int big_text big_json big_bytes escaped".split()
        self.host = self.open_tools(REFUSED, *names)

    def test_names_the_type_and_the_path(self):
        self.host.call("t:value", {"n": 0})
        import t

        for number, (_, expected) in enumerate(t.VALUES):
            with self.subTest(expected=expected):
                result = self.host.call("t:value", {"n": number})
                self.assertEqual((result["ok"], result["error"]), (False, expected))

    def test_too_deep_is_a_recursion_error(self):
        for tool in ("t:too_deep", "t:too_deep_dict"):
            error = self.host.call(tool)["error"]
            self.assertTrue(
                error.startswith("RecursionError: the value is nested more than 500 levels deep"), error
            )
            self.assertLess(len(error), 400)

    def test_an_int_with_more_digits_than_python_writes_is_named(self):
        error = self.host.call("t:huge_int")["error"]
        self.assertRegex(error, r"^ValueError: Exceeds the limit .* \(at \$\.n\)$")

    def test_a_value_beyond_the_limit_names_it(self):
        for tool, size in (("t:big_text", 64), ("t:big_json", 65), ("t:big_bytes", 64)):
            error = self.host.call(tool)["error"]
            self.assertEqual(
                error, f"ValueError: the result is {size} MB, more than the limit of 64 MB for one value"
            )
        error = self.host.call("t:escaped")["error"]
        self.assertEqual(
            error, "ValueError: the result takes 147 MB written as JSON, more than the limit of 128 MB"
        )

    def test_tells_the_model_that_the_tool_did_run(self):
        result = self.host.call("t:value", {"n": 0})
        self.assertIn("The tool ran, but its result cannot be sent", result["message"])
        self.assertEqual(result["frames"], [])


class DepthTest(HostCase):
    def test_500_levels_are_allowed_and_501_are_not(self):
        host = self.open_tools(
            """
def lists(n):
    value = []
    for _ in range(n - 1): value = [value]
    return value
def mixed(n):
    import collections
    value = {"end": [1] * 600}
    for _ in range(n - 2): value = collections.OrderedDict(a=value)
    return value
""",
            "lists",
            "mixed",
        )
        for tool in ("t:lists", "t:mixed"):
            self.assertTrue(host.call(tool, {"n": 500})["ok"], tool)
            self.assertTrue(host.call(tool, {"n": 501})["error"].startswith("RecursionError"), tool)

    def test_a_wide_value_is_not_deep(self):
        host = self.open_tools("def f(): return [{'a': [1, (2, 3)]} for _ in range(5000)]", "f")
        self.assertTrue(host.call("t:f")["ok"])


class NanTest(HostCase):
    def test_nan_arguments_come_back_as_python_spells_them(self):
        host = self.open_tools("def f(n): return [n]", "f")
        self.assertEqual(text_of(host.call("t:f", f'{{"n": {json.dumps(math.nan)}}}')), "[NaN]")
