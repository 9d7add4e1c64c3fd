"""The closer check accepts everything that the quick check accepts."""

import unittest
from typing import Any

from cloche.agreement import takes_all_of
from cloche.lint_types import closer_look

ANNOTATIONS = (
    Any, object, str, int, float, bool, list, dict, type(None), tuple, bytes, list[str], list[int], list[list[int]],
    list[Any], list[str, int], dict[str, int], dict[str, list[int]], str | None, list[str] | None, dict[str, int] | None,
    int | str, int | list[str], list[int] | dict[str, int] | None, int | bytes, Any | None, "str", 3,
)  # fmt: skip
SCHEMAS = (
    True, None, {}, {"$ref": "#/nowhere", "type": "string"}, {"enum": ["a"]}, {"type": ["string", "null"]}, {"type": 3},
    *({"type": said} for said in ("string", "integer", "number", "boolean", "array", "object", "null", "odd")),
    *({"type": "array", "items": {"type": said}} for said in ("string", "integer", "number", "null", "array")),
    {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}, {"type": "array", "items": True},
    {"type": "object", "additionalProperties": {"type": "string"}}, {"type": "object", "additionalProperties": False},
)  # fmt: skip


class AgreementTest(unittest.TestCase):
    def test_never_says_yes_where_a_closer_look_finds_a_fault(self):
        reported = 0
        for annotation in ANNOTATIONS:
            for schema in SCHEMAS:
                if takes_all_of(annotation, schema):
                    reported += 1
                    fault = closer_look("p", schema, {}, annotation, False)
                    self.assertIsNone(fault, (annotation, schema))
        self.assertGreater(reported, 50)
