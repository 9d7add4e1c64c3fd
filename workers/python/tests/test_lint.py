"""The warnings when schema and signature differ, and when there is none."""

from .host import HostCase

HEAD = """from __future__ import annotations
import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Dict, List, Literal, NewType, Optional, TypedDict, Union
if TYPE_CHECKING:
    from nowhere import Unknown
UserId = NewType("UserId", int)
class Point(TypedDict):
    x: float
    y: float
class Color(Enum):
    RED = "red"
@dataclass
class Box:
    x: int
"""


class LintCase(HostCase):
    def problems(self, code, properties, required=(), future=True, **more):
        """Code, tool and message of the warnings for the handler `f` with this schema."""
        schema = {"type": "object", "properties": described(properties), "required": list(required), **more}
        head = HEAD if future else HEAD.replace("from __future__ import annotations\n", "")
        host = self.open(
            f"{head}{code}\nTOOL_SPECS = [\n    {{'name': 't:f', 'description': 'd', 'parameters': {schema!r}, 'handler': f}},\n]\n"
        )
        report = host.inspect("t.py")
        self.assertEqual(len(report["tools"]), 1, report["problems"])
        for problem in report["problems"]:
            self.assertEqual((problem["severity"], problem["tool"], problem["file"]), ("warning", "t:f", "t.py"))
            self.assertTrue(problem["expected"] and problem["hint"] and problem["line"] and problem["column"])
        return report["problems"]

    def check(self, code, properties, *codes, required=(), **more):
        found = self.problems(code, properties, required, **more)
        self.assertEqual([one["code"] for one in found], list(codes), [one["message"] for one in found])
        return found[0] if found else None


def described(properties):
    return {
        name: {"description": "d", **schema} if isinstance(schema, dict) else schema
        for name, schema in properties.items()
    }


class NamesTest(LintCase):
    def test_what_agrees_is_silent(self):
        self.check(
            "def f(a: int, b: str = 'x', *, c: bool = False): ...",
            {"a": {"type": "integer"}, "b": {"type": "string"}, "c": {"type": "boolean"}},
            required=["a"],
        )
        self.check("def f(): ...", {})

    def test_a_property_that_the_handler_does_not_take(self):
        problem = self.check(
            "def f(location=''): ...", {"locaton": {"type": "string"}}, "parameter-not-taken"
        )
        self.assertEqual(problem["hint"], 'Did you mean "location"?')
        self.assertIn("f() has no such parameter", problem["message"])

    def test_one_misspelling_is_one_problem_with_one_remedy(self):
        problem = self.check(
            "def f(location, day): ...", {"locaton": {"type": "string"}, "day": {}}, "parameter-not-taken",
            required=["location", "day"],
        )  # fmt: skip
        self.assertEqual(problem["hint"], 'Did you mean "location"?')

    def test_a_type_that_json_schema_does_not_have_is_not_compared(self):
        self.check("def f(net: float): ...", {"net": {"type": "float"}}, required=["net"])

    def test_a_parameter_that_the_schema_does_not_have(self):
        problem = self.check("def f(a, b): ...", {"a": {}}, "parameter-not-in-schema", required=["a"])
        self.assertIn('f() needs "b"', problem["message"])
        problem = self.check("def f(a, limit=10): ...", {"a": {}}, "parameter-not-in-schema", required=["a"])
        self.assertIn("no model can set it", problem["message"])

    def test_what_is_not_meant_for_models_is_silent(self):
        for code in (
            "def f(a, _seen=0): ...",
            "def f(a, opener=print): ...",
            "def f(a, cache=None): ...",
            "def f(a, **more): ...",
            "def f(a, *rest): ...",
            "def f(a, context): ...",
            "def f(a, *, context=None): ...",
            "g = lambda a, b: a\nf = functools.partial(g, b=1)",
        ):
            with self.subTest(code=code):
                self.check(code, {"a": {}}, required=["a"])

    def test_further_keywords_take_everything(self):
        self.check("def f(**more): ...", {"a": {"type": "string"}, "b": {}})
        self.check("def f(a, /, **more): ...", {"a": {}}, "positional-only")
        self.check("def f(a=1, /, **more): ...", {"a": {}})

    def test_a_decorator_may_change_what_is_taken(self):
        wrap = "def wrap(g):\n    @functools.wraps(g)\n    def inner(*args, **more): return g(1, **more)\n    return inner\n"
        self.check(f"{wrap}@wrap\ndef f(connection, a): ...", {"a": {}})

    def test_methods_partials_and_objects_are_seen_through(self):
        method = "class C:\n    def g(self, a: int): ...\n    @classmethod\n    def h(cls, a: int): ...\n    @staticmethod\n    def s(a: int): ...\n    def __call__(self, a: int): ...\n"
        for handler in ("C().g", "C.h", "C.s", "C()", "functools.partial(C.s)"):
            with self.subTest(handler=handler):
                self.check(f"{method}f = {handler}", {"a": {"type": "integer"}}, required=["a"])
                self.check(f"{method}f = {handler}", {"a": {"type": "string"}}, "type-disagrees", required=["a"])
                self.check(f"{method}f = {handler}", {"b": {}}, "parameter-not-taken", "parameter-not-in-schema")
        self.check(f"{method}f = functools.partial(C.s, 1)", {})

    def test_what_has_no_signature_is_silent(self):
        self.check("f = print", {"anything": {"type": "string"}})
        self.check("f = dict", {"anything": {"type": "string"}})

    def test_a_parameter_by_position_only(self):
        problem = self.check("def f(a, /): ...", {"a": {}}, "positional-only", required=["a"])
        self.assertEqual(problem["hint"], "Remove the / from the signature.")

    def test_required_and_defaults(self):
        self.check("def f(a=1): ...", {"a": {}}, "required-has-default", required=["a"])
        self.check("def f(a): ...", {"a": {}}, "not-required")
        self.check("def f(*, a): ...", {"a": {"default": 1}}, "not-required")
        self.check("def f(*, a=None): ...", {"a": {}})

    def test_properties_may_be_said_elsewhere(self):
        self.check("def f(a, b): ...", {"a": {}}, required=["a"], allOf=[{"properties": {"b": {}}}])

    def test_a_missing_description(self):
        schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"description": " "}, "c": True, "d": {"const": 1}, "e": {"$ref": "#/x"}}}
        host = self.open(
            f"def f(**more): ...\nTOOL_SPECS = [{{'name': 't:f', 'description': 'd', 'parameters': {schema!r}, 'handler': f}}]"
        )
        (problem,) = host.inspect("t.py")["problems"]
        self.assertEqual((problem["code"], problem["message"]), ("no-description", '"a", "b" have no description'))

    def test_choices_say_what_a_parameter_means_or_do_not(self):
        bare = [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"oneOf": [True]}, {"allOf": 7}]
        said = [
            {"anyOf": [{"type": "string", "description": "s"}, {"type": "null"}]},
            {"oneOf": [{"$ref": "#/x"}]},
            {"allOf": [{"anyOf": []}]},
        ]
        schema = {"type": "object", "properties": {f"p{n}": each for n, each in enumerate([*bare, *said])}}
        host = self.open(
            f"def f(**more): ...\nTOOL_SPECS = [{{'name': 't:f', 'description': 'd', 'parameters': {schema!r}, 'handler': f}}]"
        )
        messages = [problem["message"] for problem in host.inspect("t.py")["problems"] if problem["code"] == "no-description"]
        self.assertEqual(messages, ['"p0", "p1", "p2" have no description'])

    def test_problems_stand_where_they_are_written(self):
        host = self.open(
            'def f(count: int): ...\n\nTOOL_SPECS = [\n    {\n        "name": "t:f",\n        "description": "d",\n        "parameters": {\n'
            '            "type": "object",\n            "properties": {\n                "count": {"type": "string", "description": "d"},\n            },\n'
            '            "required": ["count"],\n        },\n        "handler": f,\n    },\n]\n'
        )
        (problem,) = host.inspect("t.py")["problems"]
        self.assertEqual((problem["line"], problem["column"], problem["tool"]), (10, 26, "t:f"))
        self.assertEqual(
            problem["message"], 'the schema allows count to be a string, but it is annotated int'
        )


class TypesTest(LintCase):
    GOOD = (
        ("int", {"type": "integer"}),
        ("float", {"type": "integer"}),
        ("float", {"type": "number"}),
        ("int", {"type": "boolean"}),
        ("bool", {"type": "boolean"}),
        ("Optional[int]", {"type": "integer"}),
        ("int | None", {"type": ["integer", "null"]}),
        ("Union[int, str]", {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        ("list", {"type": "array"}),
        ("list[str]", {"type": "array", "items": {"type": "string"}}),
        ("List[float]", {"type": "array", "items": {"type": "integer"}}),
        ("Sequence[str]", {"type": "array", "items": {"type": "string"}}),
        ("Iterable[int] | None", {"type": "array", "items": {"type": "integer"}}),
        ("dict", {"type": "object"}),
        ("Dict[str, int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
        ("Mapping[str, Any]", {"type": "object", "additionalProperties": {"type": "integer"}}),
        ("Point", {"type": "object", "properties": {"x": {"type": "number"}, "z": {"type": "string"}}}),
        ("Literal['a', 'b']", {"enum": ["a", "b"]}),
        ("Literal['a', 'b']", {"type": "string", "enum": ["a"]}),
        ("Literal['a', 1]", {"enum": ["a", 1]}),
        ("Annotated[int, 'unit']", {"type": "integer"}),
        ("UserId", {"type": "integer"}),
        ("str", {"$ref": "#/$defs/word"}),
        ("str", {"enum": ["a", "b"]}),
        ("Any", {"type": "string"}),
        ("object", {"type": "string"}),
        # The handler decides what it creates from these values.
        ("Unknown", {"type": "string"}),
        ("date", {"type": "string"}),
        ("Color", {"type": "string"}),
        ("Box", {"type": "object"}),
        ("set[str]", {"type": "array"}),
        ("tuple[int, int]", {"type": "array"}),
        ("str", {}),
        ("str", True),
        ("str", {"$ref": "#/nowhere"}),
        # A name that is no type of JSON Schema has its own problem.
        ("float", {"type": "float"}),
        ("list[float]", {"type": "array", "items": {"type": "float"}}),
        ("Box", {"type": "object", "properties": {"x": {"type": "integer"}}}),
    )
    BAD = (
        ("int", {"type": "string"}, "a string"),
        ("str", {"type": "integer"}, "an integer"),
        ("int", {"type": "number"}, "a number"),
        ("bool", {"type": "integer"}, "an integer"),
        ("str", {"type": ["string", "null"]}, "null"),
        ("Optional[int]", {"type": "string"}, "a string"),
        ("int | None", {"anyOf": [{"type": "integer"}, {"type": "array"}]}, "an array"),
        ("list[str]", {"type": "string"}, "a string"),
        ("list[str]", {"type": "array", "items": {"type": "integer"}}, "an item of"),
        ("List[List[int]]", {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}, "a string"),
        ("dict[str, int]", {"type": "object", "additionalProperties": {"type": "string"}}, "a value of"),
        ("dict", {"type": "array"}, "an array"),
        ("Point", {"type": "object", "properties": {"x": {"type": "string"}}}, '"x" of'),
        ("Point", {"type": "string"}, "a string"),
        ("Literal['a', 'b']", {"enum": ["a", "c"]}, '"c"'),
        ("Literal['a', 'b'] | None", {"type": "string", "enum": ["c", None]}, '"c"'),
        ("Annotated[int, 'unit']", {"type": "string"}, "a string"),
        ("UserId", {"type": "string"}, "a string"),
        ("int", {"$ref": "#/$defs/word"}, "a string"),
        ("int", {"enum": ["a"]}, "a string"),
        ("date", {"type": "integer"}, "an integer"),
        ("int | list[str]", {"type": "array", "items": {"type": "integer"}}, "annotated str"),
    )
    DEFS = {"$defs": {"word": {"type": "string"}}}

    def test_types_that_agree_are_silent(self):
        for future in (True, False):
            for annotation, schema in self.GOOD:
                if annotation == "Unknown" and not future:
                    continue
                with self.subTest(annotation=annotation, schema=schema, future=future):
                    self.check(f"def f(a: {annotation}): ...", {"a": schema}, required=["a"], future=future, **self.DEFS)

    def test_types_that_disagree_are_told(self):
        for future in (True, False):
            for annotation, schema, words in self.BAD:
                with self.subTest(annotation=annotation, schema=schema, future=future):
                    code = f"def f(a: {annotation}): ..."
                    problem = self.check(code, {"a": schema}, "type-disagrees", required=["a"], future=future, **self.DEFS)
                    self.assertIn(words, problem["message"])

    def test_a_default_of_none_stands_for_optional(self):
        self.check("def f(a: int = None): ...", {"a": {"type": ["integer", "null"]}})

    def test_one_annotation_that_cannot_be_evaluated_spoils_no_plain_one(self):
        self.check(
            "def f(a: int, b: Unknown): ...",
            {"a": {"type": "string"}, "b": {}},
            "type-disagrees",
            required=["a", "b"],
        )

    def test_annotations_that_do_mischief_are_as_none(self):
        for annotation in ("1 / 0", "__import__('sys').exit(3)", "[][1]", "'('", "(lambda: 1)()"):
            with self.subTest(annotation=annotation):
                self.check(f"def f(a: {annotation}): ...", {"a": {"type": "string"}}, required=["a"])

    def test_a_name_that_means_something_else_in_the_file_is_looked_up(self):
        self.check("class str: ...\ndef f(a: str): ...", {"a": {"type": "integer"}}, required=["a"])

    def test_references_in_a_circle_end(self):
        circle = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
        self.check("def f(a: int): ...", {"a": {"$ref": "#/$defs/a"}}, required=["a"], **circle)
        tree = {"$defs": {"node": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}
        self.check("Tree = list['Tree']\ndef f(a: Tree): ...", {"a": {"$ref": "#/$defs/node"}}, required=["a"], **tree)
