"""Saved tests: what an expectation accepts, and the reason that it gives otherwise."""

import json
import unittest
from pathlib import Path

from cloche.judge import judge, judge_texts
from cloche.schema_check import schema_faults


def success(value: object, **more: object) -> dict:
    text = json.dumps(value, ensure_ascii=False)
    part = {"type": "json", "text": text}
    return {"resultType": "success", "textResultForLlm": text, "content": [part], **more}


def said(text: str) -> dict:
    return {"resultType": "success", "textResultForLlm": text, "content": [{"type": "text", "text": text}]}


FAILED = {"resultType": "failure", "textResultForLlm": "ValueError: no\nRaised in t.py", "error": "ValueError: no", "content": []}


class JudgeTest(unittest.TestCase):
    def check(self, expect: object, outcome: dict, *reasons: str) -> None:
        self.assertEqual(judge(expect, outcome), list(reasons))

    def test_without_an_expectation_the_call_must_succeed(self):
        self.check(None, success(1))
        self.check({}, success(1))
        self.check(None, FAILED, "the call failed: ValueError: no")

    def test_equals_is_pythons_but_true_is_not_one(self):
        self.check({"equals": 3}, success(3.0))
        self.check({"equals": {"b": [1], "a": None}}, success({"a": None, "b": [1.0]}))
        self.check({"equals": 10**40}, success(10**40))
        self.check({"equals": 10**40}, success(10**40 + 1), f"the result: expected {10**40}, got {10**40 + 1}")
        self.check({"equals": 1}, success(True), "the result: expected 1, got true")
        self.check({"equals": {"a": [1, 2]}}, success({"a": [1, 3], "b": 0}), 'the result: has "b", which is not expected', "result.a[1]: expected 2, got 3")
        self.check({"equals": [1, 2]}, success([1]), "the result: expected 2 items, got 1")

    def test_a_text_is_compared_as_text_or_as_the_list_or_object_that_it_spells(self):
        self.check({"equals": "a"}, said("a"))
        self.check({"equals": 1}, said("1"), 'the result: expected 1, got "1"')
        self.check({"equals": '{"a": 1}'}, said('{"a": 1}'))
        self.check({"includes": {"a": 1}}, said('{"a": 1, "b": 2}'))
        self.check({"includes": "is a"}, said("this is a text"))
        self.check({"includes": "was"}, said("this"), 'the result: expected "was", got "this"')

    def test_includes_takes_members_and_items_in_order(self):
        value = {"a": [{"n": 1, "m": 0}, 5, {"n": 2}], "b": 1}
        self.check({"includes": {"a": [{"n": 1}, {"n": 2}]}}, success(value))
        self.check({"includes": {"a": [{"n": 2}, {"n": 1}]}}, success(value), 'result.a: no item includes {"n": 1} after the previous match')
        self.check({"includes": {"c": 1, "b": 2}}, success(value), 'the result: has no "c"', "result.b: expected 2, got 1")
        self.check({"includes": []}, success([1]))

    def test_an_error_is_named_by_its_type_or_in_full(self):
        for error in ("ValueError", "ValueError: no"):
            self.check({"error": error}, FAILED)
        self.check({"error": "KeyError"}, FAILED, "error: expected KeyError, got ValueError: no")
        self.check({"error": "Value"}, FAILED, "error: expected Value, got ValueError: no")
        self.check({"error": "KeyError"}, success(1), "expected the error KeyError, but the call succeeded with 1")
        self.check({"equals": 1}, FAILED, "the call failed: ValueError: no")
        self.check({"error": "timeout"}, {**FAILED, "error": "timeout"})

    def test_an_expression_sees_result_text_and_updates(self):
        outcome = success({"n": 3}, updates=[1, 2])
        for source in ("result['n'] == 3", "updates[-1] == 2", "'n' in text", "any(\n  one > 1 for one in updates)"):
            self.check({"expression": source}, outcome)
        self.check({"expression": "result['n'] > 3"}, outcome, "expression: result['n'] > 3 is false, where result is {\"n\": 3}")
        self.check({"expression": "result['m']"}, outcome, "expression: result['m'] raised KeyError: 'm', where result is {\"n\": 3}")
        (reason,) = judge({"expression": "1 +"}, outcome)
        self.assertTrue(reason.startswith("invalid expression: 1 + raised SyntaxError: "), reason)
        # A long expression leaves room for what is wrong with it.
        (reason,) = judge({"expression": f"{'1 + ' * 2_000}result['m']"}, outcome)
        self.assertRegex(reason, r"… raised KeyError: 'm', where result is ")
        (reason,) = judge({"expression": '__import__("re").compile("(")'}, outcome)
        self.assertRegex(reason, r" raised \S*(error|PatternError): missing \), .*, where result is ")
        (reason,) = judge({"expression": "exit()"}, outcome)
        self.assertIn("raised", reason)
        self.check({"error": "ValueError", "expression": "'Raised in' in text"}, FAILED)

    def test_all_keys_must_hold_and_recorded_ones_are_compared(self):
        outcome = success(1, metadata={"a": 1}, updates=[0, 0], updateCount=2, stdout="x", log=[], recoverable=False)
        self.check({"equals": 1, "metadata": {"a": 1}, "updates": 2, "stdout": "x", "resultType": "success", "textResultForLlm": "1"}, outcome)
        self.check({"equals": 1, "updates": 3}, outcome, "updates: expected 3, got 2")
        self.check({"equals": 2, "stdout": "y"}, outcome, 'stdout: expected "y", got "x"', "the result: expected 2, got 1")
        image = {"resultType": "success", "textResultForLlm": "", "content": [{"type": "image", "mediaType": "image/png", "data": "AAA="}]}
        digest = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
        self.check({"content": [{"type": "image", "mediaType": "image/png", "sha256": digest}]}, image)

    def test_what_violates_a_schema_is_named(self):
        self.check({"schema": {"type": "object"}}, success(1), "schema: the result must be an object, but is a number")
        schema = {"properties": {"a": {"items": {"type": "string"}}}}
        self.check({"schema": schema}, success({"a": [1]}), "schema: result.a[0] must be a string, but is a number")

    def test_a_broken_expectation_is_a_reason(self):
        (reason,) = judge({"equal": 1}, success(1))
        self.assertTrue(reason.startswith('expect has an unknown key "equal"; the allowed keys are '))
        self.assertEqual(json.loads(judge_texts("{", "{}"))[0][:28], "the result cannot be compare")
        (reason,) = json.loads(judge_texts('{"equals": 1}', json.dumps(success("x" * 10_000))))
        self.assertLess(len(reason), 500)


VALID = (
    ({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}, {"a": 1.0}),
    ({"type": ["string", "null"]}, None),
    ({"enum": [1, "a"]}, 1.0),
    ({"const": {"a": [1]}}, {"a": [1]}),
    ({"minimum": 1, "maximum": 2, "multipleOf": 0.1}, 1.1),
    ({"minLength": 2, "maxLength": 2, "pattern": "^a"}, "ab"),
    ({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}, ["a", 1]),
    ({"items": [{"type": "string"}], "additionalItems": False}, ["a"]),
    ({"contains": {"const": 1}, "minContains": 2, "uniqueItems": False}, [1, 1]),
    ({"patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False}, {"x1": 1}),
    ({"$ref": "#/$defs/a%20b", "$defs": {"a b": {"type": "integer"}}}, 1),
    ({"$defs": {"t": {"$anchor": "tree", "type": "array", "items": {"$ref": "#tree"}}}, "$ref": "#tree"}, [[], [[]]]),
    ({"anyOf": [{"type": "string"}, {"type": "integer"}], "not": {"const": 2}}, 1),
    ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"a": 1}),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": False}, {"a": 1, "b": 1}),
    ({"dependentRequired": {"a": ["b"]}, "propertyNames": {"maxLength": 1}}, {"a": 1, "b": 1}),
    (True, 1),
)
INVALID = (
    ({"type": "object", "required": ["a"]}, {}, ("$.a", "is required")),
    ({"properties": {"a": {"type": "integer"}}}, {"a": 1.5}, ("$.a", "must be an integer, but is a decimal number")),
    ({"type": "integer"}, True, ("$", "must be an integer, but is a boolean")),
    ({"enum": [1]}, True, ("$", "is not one of the allowed values")),
    ({"maximum": 10**30}, 10**30 + 1, ("$", f"is greater than {10**30}")),
    ({"pattern": "^a"}, "b", ("$", "does not match the pattern ^a")),
    ({"items": {"type": "integer"}}, [1, "a"], ("$[1]", "must be an integer, but is a string")),
    ({"uniqueItems": True}, [1, 1.0], ("$[1]", "duplicates an earlier item")),
    ({"additionalProperties": False}, {"a b": 1}, ('$["a b"]', "is not a declared property")),
    ({"oneOf": [{}, {}]}, 1, ("$", "matches 2 schemas in oneOf, but must match exactly one")),
    ({"not": {}}, 1, ("$", "must not match the schema in not")),
    ({"$ref": "#/none"}, 1, ("$", "cannot be checked: the reference #/none is not in the schema")),
    ({"$ref": "#"}, 1, ("$", "cannot be checked: # refers to itself")),
    ({"unevaluatedProperties": False}, {}, ("$", "cannot be checked: the keyword unevaluatedProperties is not supported")),
    (False, 1, ("$", "is not allowed here")),
)


class SchemaTest(unittest.TestCase):
    def test_valid_values_have_no_faults(self):
        for schema, value in VALID:
            self.assertEqual(schema_faults(schema, value), [], schema)

    def test_invalid_values_have_their_first_fault_at_its_path(self):
        for schema, value, fault in INVALID:
            self.assertEqual(schema_faults(schema, value)[:1], [fault], schema)

    def test_a_wrong_type_is_said_in_the_words_of_the_page(self):
        cases = json.loads((Path(__file__).parent / "type-words.json").read_text())
        for named, value, message in cases:
            self.assertEqual(schema_faults({"type": named}, json.loads(value)), [("$", message)])

    def test_many_faults_are_cut(self):
        self.assertEqual(len(schema_faults({"items": False}, [1] * 1_000)), 50)

    def test_what_cannot_be_checked_inside_another_keyword_is_a_fault_too(self):
        for schema in (
            {"patternProperties": {"[": {"type": "integer"}}},
            {"not": {"unevaluatedProperties": False}},
            {"if": {"unevaluatedProperties": False}},
        ):
            faults = schema_faults(schema, {"x": "a"})
            self.assertEqual(["cannot be checked" in message for _, message in faults], [True], schema)
