"""The rules for the required keys of a tool spec."""

import json

from .spec_case import DEFAULTS, GOOD, SpecCase


class RequiredKeysTest(SpecCase):
    def test_four_keys_are_enough(self):
        report = self.spec()
        self.check(report)
        (tool,) = report["tools"]
        self.assertEqual(
            tool,
            {
                "name": "t:f",
                "label": "t:f",
                "description": "d",
                "parameters": {"type": "object"},
                "source": {"file": "t.py", "line": 4, "column": 5},
                "handler": {"kind": "function", "name": "f", "file": "t.py", "line": 1},
                "takesContext": False,
                "takesMore": True,
                **DEFAULTS,
            },
        )
        self.assertEqual(
            (report["file"], report["noSpecs"], report["imports"], report["output"]), ("t.py", False, [], "")
        )

    def test_each_is_required(self):
        for key in GOOD:
            report = self.spec(**{key: None})
            self.check(report, ("error", "missing-key", f"the spec has no {key!r}"))
            self.assertEqual(report["problems"][0]["hint"], f'Add "{key}": … to the spec.')

    def test_a_misspelt_one_is_recognised(self):
        report = self.spec(description=None, desciption='"d"')
        self.check(
            report,
            ("error", "missing-key", "the spec has no 'description'"),
            ("warning", "unknown-key", '"desciption" is not a key of a tool spec'),
        )
        self.assertEqual(
            [one["hint"] for one in report["problems"]],
            ["Did you mean 'description' instead of 'desciption'?", "Did you mean 'description'?"],
        )

    def test_a_name_of_another_file_is_told_for_the_page_to_look_up(self):
        for name, reported in (("u:f", "u:f"), ("t:f g", None), ("f", None), ("u:f\n", None)):
            with self.subTest(name=name):
                (problem,) = self.spec(name=json.dumps(name))["problems"]
                self.assertEqual(problem.get("tool"), reported)

    def test_every_problem_of_a_spec_that_names_another_module_belongs_to_that_name(self):
        for name, owner in (("u:f", "u:f"), ("f", None)):
            with self.subTest(name=name):
                report = self.spec(name=json.dumps(name), description='""', handler="None", extra="1")
                self.assertEqual(
                    {(problem["code"], problem.get("tool")) for problem in report["problems"]},
                    {(code, owner) for code in ("unknown-key", "bad-name", "bad-description", "bad-handler")},
                )

    def test_names(self):
        for name, message, hint in (
            ("3", "the name is an int", 'Write "name": "t:<function>".'),
            ("None", "the name is None", 'Write "name": "t:<function>".'),
            ('""', "the name is empty", 'Write "t:<function>".'),
            ('"f"', 'the name "f" has no module part', 'Write "t:f".'),
            ('"u:f"', 'the module part "u" is not the file\'s name', 'Write "t:f".'),
            ('"T:f"', 'the module part "T" is not the file\'s name', 'Write "t:f".'),
            ('":f"', 'the module part "" is not the file\'s name', 'Write "t:f".'),
            ('"t:"', 'the name "t:" has no function part', 'Write "t:<function>".'),
            ('"t:f:g"', 'the name "t:f:g" has two colons', 'Write "t:f_g".'),
            ('"t:f g"', 'the name "t:f g" has spaces or invisible characters', 'Write "t:f_g".'),
            ('"t:f\\n"', "the name 't:f\\n' has spaces or invisible characters", 'Write "t:f".'),
            ('"t:\\u202ef"', "the name 't:\\u202ef' has spaces or invisible characters", 'Write "t:f".'),
            (
                '"t:\\ud800"',
                "the name 't:\\ud800' has spaces or invisible characters",
                'Write "t:<function>".',
            ),
            ('"t:" + "x" * 255', "the name has 257 characters, more than 256", "Shorten it."),
        ):
            with self.subTest(name=name):
                report = self.spec(name=name)
                self.check(report, ("error", "bad-name", message))
                self.assertEqual(
                    (report["problems"][0]["hint"], report["problems"][0]["expected"]),
                    (hint, '"t:<function>"'),
                )

    def test_function_parts_may_be_any_visible_text(self):
        for name in ("t:get_x", "t:get-x.v2", "t:été", "t:😀", "t:1", "t:" + "x" * 254):
            report = self.spec(name=repr(name))
            self.check(report)
            self.assertEqual(report["tools"][0]["name"], name)

    def test_descriptions(self):
        for value, message in (
            ("3", "the description is an int"),
            ('""', "the description is empty"),
            ('" \\n"', "the description is empty"),
            ('"x" * 100_001', "the description has 100,001 characters"),
        ):
            self.check(self.spec(description=value), ("error", "bad-description", message))
        self.check(self.spec(description='"x" * 100_000'))

    def test_handlers(self):
        for value, found in (("None", "None"), ('"f"', "a str"), ("C()", "a C"), ("[f]", "a list")):
            report = self.spec(handler=value)
            self.check(report, ("error", "bad-handler", f"the handler is {found}, which cannot be called"))
            self.assertIn("without quotes or parentheses", report["problems"][0]["hint"])


class ParametersTest(SpecCase):
    def test_shapes_that_are_refused(self):
        for value, message in (
            ("None", "parameters is None"),
            ('"{}"', "parameters is a str"),
            ("[]", "parameters is a list"),
            ("{}", "parameters is empty"),
            ('{"properties": {}}', "parameters has no type"),
            ('{"location": {"type": "string"}}', "parameters has no type"),
            ('{"type": "string"}', 'the type of parameters is "string"'),
            ('{"type": ["object"]}', "the type of parameters is a list"),
            ('{"type": "object", "properties": []}', "properties is a list"),
            ('{"type": "object", "properties": None}', "properties is None"),
            ('{"type": "object", "properties": {"a": "string"}}', 'the schema of "a" is a str'),
            ('{"type": "object", "required": True}', "required is a bool"),
            ('{"type": "object", "required": "a"}', "required is a str"),
            ('{"type": "object", "properties": {"a": {}}, "required": ["a", 3]}', "required[1] is an int"),
            (
                '{"type": "object", "x": {1}}',
                "parameters is not JSON: Object of type set is not JSON serializable (at parameters.x)",
            ),
            (
                '{"type": "object", "default": float("nan")}',
                "parameters is not JSON: Out of range float values are not JSON compliant: nan (at parameters.default)",
            ),
            (
                '{"type": "object", "properties": {"a": {"type": str}}}',
                "parameters is not JSON: Object of type type is not JSON serializable (at parameters.properties.a.type)",
            ),
            (
                '{"type": "object", "properties": {(1, 2): {}}}',
                "parameters is not JSON: keys must be str, int, float, bool or None, not tuple (at parameters.properties)",
            ),
            ('{"type": "object", "d": "x" * 262_144}', "parameters is 256 KB of JSON"),
        ):
            with self.subTest(value=value):
                self.check(self.spec(parameters=value), ("error", "bad-parameters", message))

    def test_cycles_and_deep_nesting_are_refused(self):
        report = self.report(
            "s = {'type': 'object'}\ns['properties'] = {'again': s}\nTOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': s, 'handler': f}]"
        )
        self.check(
            report,
            (
                "error",
                "bad-parameters",
                "parameters is not JSON: Circular reference detected (at parameters.properties.again)",
            ),
        )
        for levels, fine in ((32, True), (33, False), (400, False), (1_000, False)):
            report = self.report(
                "s = {'type': 'object'}\n"
                f"for _ in range({levels} - 1): s = {{'type': 'object', 'properties': {{'a': s}}}}\n"
                "TOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': s, 'handler': f}]"
            )
            self.assertEqual(len(report["tools"]), int(fine), levels)
            self.assertEqual([one["code"] for one in report["problems"]], ["no-description"] if fine else ["bad-parameters"])

    def test_required_names_that_are_no_properties_are_a_warning(self):
        report = self.spec(
            parameters='{"type": "object", "properties": {"location": {"description": "d"}}, "required": ["locaton"]}'
        )
        self.check(
            report, ("warning", "required-unknown", '"locaton" is required but not in properties')
        )
        self.assertEqual(report["problems"][0]["hint"], 'Did you mean "location"?')

    def test_key_order_and_values_are_kept(self):
        schema = {
            "required": ["z"],
            "type": "object",
            "properties": {"z": {"default": 1.0}, "a": {"default": 10**20, "enum": ["é", None, True]}},
        }
        (tool,) = self.spec(parameters=repr(schema))["tools"]
        self.assertEqual(json.dumps(tool["parameters"]), json.dumps(schema))

    def test_schemas_of_openapi_and_gemini_are_read_as_they_are_meant(self):
        def read(schema):
            report = self.spec(parameters=repr({"type": "object", "properties": {"a": {**schema, "description": "d"}}}))
            said = [one["message"] for one in report["problems"] if one["code"] == "other-dialect"]
            (tool,) = report["tools"]
            read = tool["parameters"]["properties"]["a"]
            self.assertEqual(read.pop("description"), "d")
            return read, len(said)

        ref = {"$ref": "#/properties/b"}
        null = {"type": "null"}
        for given, wanted in (
            ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
            ({"type": ["string", "integer"], "nullable": True}, {"type": ["string", "integer", "null"]}),
            ({"enum": ["a"], "type": "string", "nullable": True}, {"enum": ["a", None], "type": ["string", "null"]}),
            ({"enum": [1], "nullable": True}, {"enum": [1, None]}),
            ({"allOf": [{"type": "string"}], "nullable": True}, {"anyOf": [{"allOf": [{"type": "string"}]}, null]}),
            ({"anyOf": [{"type": "string"}], "nullable": True}, {"anyOf": [{"type": "string"}, null]}),
            ({"const": 1, "nullable": True}, {"anyOf": [{"const": 1}, null]}),
            ({"items": {"type": "string", "nullable": True}}, {"items": {"type": ["string", "null"]}}),
            ({"type": "STRING"}, {"type": "string"}),
            ({"type": "ARRAY", "items": {"type": "NUMBER"}}, {"type": "array", "items": {"type": "number"}}),
        ):
            with self.subTest(given=given):
                self.assertEqual(read(given), (wanted, 1))
        # Values, names of properties and `false` are not such keywords.
        for exact in (
            {"default": {"nullable": True, "type": "STRING"}},
            {"enum": [{"nullable": True}], "examples": [{"type": "STRING"}]},
            {"properties": {"nullable": True, "type": {"const": {"type": "STRING"}}}},
            {"type": "string", "nullable": False},
        ):
            with self.subTest(exact=exact):
                self.assertEqual(read(exact), (exact, 0))
        named = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {"a": {"type": "string", "nullable": True, "description": "d"}}}
        report = self.spec(parameters=repr(named))
        self.check(report)
        self.assertEqual(report["tools"][0]["parameters"], named)
        report = self.spec(parameters=repr({"type": "OBJECT", "properties": {"a": ref, "b": {"nullable": True, "type": "INTEGER"}, "c": {**ref, "nullable": True}}}))
        self.assertEqual(
            [(one["severity"], one["code"], one["message"], one["hint"], one["line"]) for one in report["problems"] if one["code"] != "no-description"],
            [
                (
                    "warning",
                    "other-dialect",
                    '"nullable": True is not JSON Schema: it is read as in OpenAPI 3.0, so null is allowed, here and in one more place',
                    'Add "null" to the type: "type": ["string", "null"].',
                    4,
                ),
                (
                    "warning",
                    "other-dialect",
                    'the type "OBJECT" is written as in Gemini\'s API: it is read as "object", here and in one more place',
                    'Write "object".',
                    4,
                ),
            ],
        )
        properties = {"a": ref, "b": {"type": ["integer", "null"]}, "c": {"anyOf": [ref, null]}}
        self.assertEqual(report["tools"][0]["parameters"], {"type": "object", "properties": properties})

    def test_the_schema_of_the_result_may_be_nullable_itself(self):
        report = self.spec(returns='{"type": "object", "nullable": True}')
        self.assertEqual([one["code"] for one in report["problems"]], ["other-dialect"])
        self.assertEqual(report["tools"][0]["returns"], {"type": ["object", "null"]})

    def test_properties_may_be_booleans(self):
        self.check(self.spec(parameters='{"type": "object", "properties": {"a": True}}'))
