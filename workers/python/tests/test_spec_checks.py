"""What a tool spec must be, key by key; a bad one never hurts its neighbours."""

import json

from .host import HostCase

GOOD = {"name": "t:f", "description": "d", "parameters": {"type": "object"}, "handler": "f"}
DEFAULTS = {
    "timeout_s": 60, "requires_approval": False, "concurrency_safe": True, "stateless": False, "background_safe": False,
    "interrupt": "cancel", "deferred": False, "prompt_hint": "", "prompt_guides": [], "examples": [], "returns": None,
    "annotations": {},
}


class SpecCase(HostCase):
    def report(self, code):
        host = self.open(f"def f(**more): return 1\n{code}")
        return host.inspect("t.py")

    def spec(self, **changes):
        """The report on a good spec with these keys changed; values are Python source, None takes a key away."""
        keys = {key: json.dumps(value) if key != "handler" else value for key, value in GOOD.items()} | changes
        text = ", ".join(f'"{key}": {value}' for key, value in keys.items() if value is not None)
        return self.report(f"class C: pass\nTOOL_SPECS = [\n    {{{text}}},\n]\n")

    def check(self, report, *expected):
        """Compares severity, code and message; errors reject the tool and warnings do not."""
        found = [(one["severity"], one["code"], one["message"]) for one in report["problems"]]
        self.assertEqual(found, list(expected))
        rejected = any(severity == "error" for severity, *_ in expected)
        self.assertEqual(len(report["tools"]), 0 if rejected else 1)
        for problem in report["problems"]:
            self.assertTrue(problem["expected"] and problem["hint"], problem)
            self.assertEqual(problem["file"], "t.py")
            self.assertGreaterEqual(problem["line"], 2)


class RequiredKeysTest(SpecCase):
    def test_four_keys_are_enough(self):
        report = self.spec()
        self.check(report)
        (tool,) = report["tools"]
        self.assertEqual(
            tool,
            {
                "name": "t:f", "label": "t:f", "description": "d", "parameters": {"type": "object"},
                "source": {"file": "t.py", "line": 4, "column": 5},
                "handler": {"kind": "function", "name": "f", "file": "t.py", "line": 1},
                "takesContext": False, **DEFAULTS,
            },
        )
        self.assertEqual((report["file"], report["noSpecs"], report["imports"], report["output"]), ("t.py", False, [], ""))

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
            ("warning", "unknown-key", '"desciption" is no key of a tool spec'),
        )
        self.assertEqual(
            [one["hint"] for one in report["problems"]],
            ["Did you mean 'description' where it says 'desciption'?", "Did you mean 'description'?"],
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
            ('"t:\\ud800"', "the name 't:\\ud800' has spaces or invisible characters", 'Write "t:<function>".'),
            ('"t:" + "x" * 255', "the name has 257 characters, more than 256", "Shorten it."),
        ):
            with self.subTest(name=name):
                report = self.spec(name=name)
                self.check(report, ("error", "bad-name", message))
                self.assertEqual((report["problems"][0]["hint"], report["problems"][0]["expected"]), (hint, '"t:<function>"'))

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
            ('{"properties": {}}', "parameters says no type"),
            ('{"location": {"type": "string"}}', "parameters says no type"),
            ('{"type": "string"}', 'the type of parameters is "string"'),
            ('{"type": ["object"]}', "the type of parameters is a list"),
            ('{"type": "object", "properties": []}', "properties is a list"),
            ('{"type": "object", "properties": None}', "properties is None"),
            ('{"type": "object", "properties": {"a": "string"}}', 'the schema of "a" is a str'),
            ('{"type": "object", "required": True}', "required is a bool"),
            ('{"type": "object", "required": "a"}', "required is a str"),
            ('{"type": "object", "properties": {"a": {}}, "required": ["a", 3]}', "required[1] is an int"),
            ('{"type": "object", "x": {1}}', "parameters is not JSON: Object of type set is not JSON serializable (at parameters.x)"),
            ('{"type": "object", "default": float("nan")}', "parameters is not JSON: Out of range float values are not JSON compliant: nan (at parameters.default)"),
            ('{"type": "object", "properties": {"a": {"type": str}}}', "parameters is not JSON: Object of type type is not JSON serializable (at parameters.properties.a.type)"),
            ('{"type": "object", "properties": {(1, 2): {}}}', "parameters is not JSON: keys must be str, int, float, bool or None, not tuple (at parameters.properties)"),
            ('{"type": "object", "d": "x" * 262_144}', "parameters is 256 KB of JSON"),
        ):
            with self.subTest(value=value):
                self.check(self.spec(parameters=value), ("error", "bad-parameters", message))

    def test_cycles_and_deep_nesting_are_refused(self):
        report = self.report("s = {'type': 'object'}\ns['properties'] = {'again': s}\nTOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': s, 'handler': f}]")
        self.check(report, ("error", "bad-parameters", "parameters is not JSON: Circular reference detected (at parameters.properties.again)"))
        for levels, fine in ((32, True), (33, False), (400, False), (10_000, False)):
            report = self.report(
                "s = {'type': 'object'}\n"
                f"for _ in range({levels} - 1): s = {{'type': 'object', 'properties': {{'a': s}}}}\n"
                "TOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': s, 'handler': f}]"
            )
            self.assertEqual(len(report["tools"]), int(fine), levels)
            self.assertEqual([one["code"] for one in report["problems"]], [] if fine else ["bad-parameters"])

    def test_required_names_that_are_no_properties_are_a_warning(self):
        report = self.spec(parameters='{"type": "object", "properties": {"location": {}}, "required": ["locaton"]}')
        self.check(report, ("warning", "required-unknown", '"locaton" is required but not among the properties'))
        self.assertEqual(report["problems"][0]["hint"], 'Did you mean "location"?')

    def test_key_order_and_values_are_kept(self):
        schema = {"required": ["z"], "type": "object", "properties": {"z": {"default": 1.0}, "a": {"default": 10**20, "enum": ["é", None, True]}}}
        (tool,) = self.spec(parameters=repr(schema))["tools"]
        self.assertEqual(json.dumps(tool["parameters"]), json.dumps(schema))

    def test_properties_may_be_booleans(self):
        self.check(self.spec(parameters='{"type": "object", "properties": {"a": True}}'))


class OptionalKeysTest(SpecCase):
    def test_good_values_are_kept(self):
        values = {
            "label": "Weather", "timeout_s": 1.5, "requires_approval": True, "concurrency_safe": False, "stateless": True,
            "background_safe": True, "interrupt": "block", "deferred": True, "prompt_hint": "Use it.",
            "prompt_guides": ["One.", "Two."], "examples": [{"a": 1}], "returns": {"type": "object"},
            "annotations": {"title": "T", "readOnlyHint": True, "openWorldHint": False},
        }
        report = self.spec(**{key: repr(value) for key, value in values.items()})
        self.check(report)
        self.assertEqual({key: report["tools"][0][key] for key in values}, values)

    def test_callables_are_reported_as_such(self):
        (tool,) = self.spec(requires_approval="lambda arguments: True", concurrency_safe="C")["tools"]
        self.assertEqual((tool["requires_approval"], tool["concurrency_safe"]), ("callable", "callable"))

    def test_tuples_do_for_lists(self):
        (tool,) = self.spec(prompt_guides="('a', 'b')", examples="({'x': 1},)")["tools"]
        self.assertEqual((tool["prompt_guides"], tool["examples"]), (["a", "b"], [{"x": 1}]))

    def test_wrong_types_reject_the_tool(self):
        for key, value, code, message in (
            ("label", "3", "wrong-type", "the label is an int"),
            ("label", '" "', "wrong-type", "the label is empty"),
            ("label", '"x" * 1_001', "too-long", "label has 1,001 characters"),
            ("timeout_s", '"60"', "wrong-type", "timeout_s is a str"),
            ("timeout_s", "True", "wrong-type", "timeout_s is a bool"),
            ("timeout_s", "0", "wrong-type", "timeout_s is 0"),
            ("timeout_s", "-1.5", "wrong-type", "timeout_s is -1.5"),
            ("timeout_s", 'float("inf")', "wrong-type", "timeout_s is too large a number"),
            ("timeout_s", 'float("nan")', "wrong-type", "timeout_s is nan"),
            ("timeout_s", "10 ** 5000", "wrong-type", "timeout_s is too large a number"),
            ("timeout_s", "None", "wrong-type", "timeout_s is None"),
            ("requires_approval", '"yes"', "wrong-type", "requires_approval is a str"),
            ("requires_approval", "1", "wrong-type", "requires_approval is an int"),
            ("concurrency_safe", "None", "wrong-type", "concurrency_safe is None"),
            ("stateless", "1", "wrong-type", "stateless is an int"),
            ("background_safe", "lambda: 1", "wrong-type", "background_safe is a function"),
            ("deferred", '"no"', "wrong-type", "deferred is a str"),
            ("interrupt", '"stop"', "wrong-type", 'interrupt is "stop"'),
            ("interrupt", "True", "wrong-type", "interrupt is a bool"),
            ("prompt_hint", "['x']", "wrong-type", "prompt_hint is a list"),
            ("prompt_hint", '"x" * 10_001', "too-long", "prompt_hint has 10,001 characters"),
            ("prompt_guides", '"one line"', "wrong-type", "prompt_guides is a str"),
            ("prompt_guides", '["a", 3]', "wrong-type", "prompt_guides[1] is an int"),
            ("prompt_guides", '["x" * 10_001]', "too-long", "prompt_guides has 10,001 characters"),
            ("prompt_guides", '["x"] * 1_001', "too-long", "prompt_guides has 1,001 entries"),
            ("examples", "{}", "wrong-type", "examples is a dict"),
            ("examples", "[{}, 1]", "wrong-type", "examples[1] is an int"),
            ("examples", "[{}] * 1_001", "too-long", "examples has 1,001 entries"),
            ("examples", '[{"a": {1}}]', "not-json", "examples is not JSON: Object of type set is not JSON serializable (at examples[0].a)"),
            ("examples", '[{"a": "x" * 300_000}]', "too-long", "examples has 300,011 characters"),
            ("returns", "[]", "wrong-type", "returns is a list"),
            ("returns", "dict", "wrong-type", "returns is a type"),
            ("returns", '{"a": b"x"}', "not-json", "returns is not JSON: Object of type bytes is not JSON serializable (at returns.a)"),
            ("annotations", "[]", "wrong-type", "annotations is a list"),
            ("annotations", '{"readOnlyHint": 1}', "wrong-type", "annotations.readOnlyHint is an int"),
            ("annotations", '{"title": True}', "wrong-type", "annotations.title is a bool"),
        ):
            with self.subTest(key=key, value=value):
                self.check(self.spec(**{key: value}), ("error", code, message))

    def test_returns_may_be_none(self):
        self.check(self.spec(returns="None"))

    def test_a_hint_of_several_lines_is_joined(self):
        report = self.spec(prompt_hint='"one\\n  two"')
        self.check(report, ("warning", "several-lines", "prompt_hint has 2 lines; they are joined"))
        self.assertEqual(report["tools"][0]["prompt_hint"], "one two")

    def test_unknown_keys_are_warnings_that_name_the_nearest(self):
        for key, hint in (
            ("timeout", "Did you mean 'timeout_s'?"),
            ("require_approval", "Did you mean 'requires_approval'?"),
            ("prompt_guide", "Did you mean 'prompt_guides'?"),
            ("Label", "Did you mean 'label'?"),
        ):
            report = self.spec(**{key: "1"})
            self.check(report, ("warning", "unknown-key", f'"{key}" is no key of a tool spec'))
            self.assertEqual(report["problems"][0]["hint"], hint)
        report = self.spec(zzz="1")
        self.assertTrue(report["problems"][0]["hint"].startswith("Take it out. Known keys: name, description"))

    def test_a_key_that_is_no_text_is_a_warning(self):
        report = self.report('TOOL_SPECS = [\n    {"name": "t:f", "description": "d", "parameters": {"type": "object"}, "handler": f, 3: 4},\n]')
        self.check(report, ("warning", "unknown-key", "an int is no key of a tool spec"))

    def test_unknown_annotations_are_warnings(self):
        report = self.spec(annotations='{"readOnly": True, "other": 1}')
        self.check(
            report,
            ("warning", "unknown-annotation", '"readOnly" is no annotation that is known'),
            ("warning", "unknown-annotation", '"other" is no annotation that is known'),
        )
        self.assertEqual(report["problems"][0]["hint"], 'Did you mean "readOnlyHint"?')


class ListTest(SpecCase):
    def test_a_file_without_specs_is_no_problem(self):
        report = self.report("")
        self.assertEqual((report["noSpecs"], report["tools"], report["problems"]), (True, [], []))

    def test_an_empty_list_is_fine(self):
        report = self.report("TOOL_SPECS = []")
        self.assertEqual((report["noSpecs"], report["tools"], report["problems"]), (False, [], []))

    def test_anything_but_a_list_is_an_error(self):
        for value, found in (("None", "None"), ("{}", "a dict"), ("'x'", "a str"), ("(x for x in [])", "a generator")):
            report = self.report(f"TOOL_SPECS = {value}")
            (problem,) = report["problems"]
            self.assertEqual((problem["code"], problem["message"], problem["line"]), ("specs-not-list", f"TOOL_SPECS is {found}", 2))

    def test_a_tuple_is_a_list(self):
        self.check(self.report("\nTOOL_SPECS = ({'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': f},)"))

    def test_an_entry_that_is_no_dict_is_an_error_and_its_neighbours_stay(self):
        report = self.report(
            "GOOD = {'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': f}\n"
            "TOOL_SPECS = [\n    3,\n    GOOD,\n    f,\n    {},\n]"
        )
        self.assertEqual([tool["name"] for tool in report["tools"]], ["t:f"])
        found = [(one["line"], one["message"]) for one in report["problems"]]
        self.assertEqual(found[0], (4, "the entry is an int, not a dict"))
        self.assertEqual(found[1], (6, "the entry is a function, not a dict"))
        self.assertEqual(found[2:], [(7, f"the spec has no {key!r}") for key in GOOD])

    def test_the_second_holder_of_a_name_is_rejected_naming_both_lines(self):
        entry = "    {'name': 't:f', 'description': '%s', 'parameters': {'type': 'object'}, 'handler': f},\n"
        report = self.report("TOOL_SPECS = [\n" + entry % "first" + entry % "second" + entry % "third" + "]")
        self.assertEqual([tool["description"] for tool in report["tools"]], ["first"])
        found = [(one["code"], one["line"], one["message"]) for one in report["problems"]]
        self.assertEqual(
            found,
            [
                ("duplicate-name", 4, "'t:f' at line 4 is the name of the spec at line 3 already"),
                ("duplicate-name", 5, "'t:f' at line 5 is the name of the spec at line 3 already"),
            ],
        )

    def test_a_rejected_spec_holds_no_name(self):
        report = self.report(
            "TOOL_SPECS = [\n    {'name': 't:f', 'description': '', 'parameters': {'type': 'object'}, 'handler': f},\n"
            "    {'name': 't:f', 'description': 'second', 'parameters': {'type': 'object'}, 'handler': f},\n]"
        )
        self.assertEqual([tool["description"] for tool in report["tools"]], ["second"])
        self.assertEqual([one["code"] for one in report["problems"]], ["bad-description"])

    def test_the_call_takes_the_spec_that_was_reported(self):
        host = self.open(
            "TOOL_SPECS = [\n    {'name': 't:f', 'description': '', 'parameters': {'type': 'object'}, 'handler': lambda: 1},\n"
            "    {'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': lambda: 2},\n"
            "    {'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': lambda: 3},\n]"
        )
        self.assertEqual(host.call("t:f")["content"], [{"type": "json", "text": "2"}])

    def test_too_many_problems_are_counted(self):
        report = self.report("TOOL_SPECS = [3] * 1_000")
        self.assertEqual(len(report["problems"]), 201)
        self.assertEqual(report["problems"][-1]["message"], "800 more problems are not listed")

    def test_a_report_beyond_8_mb_drops_the_tools(self):
        report = self.report(
            "TOOL_SPECS = [{'name': f't:f{n}', 'description': 'x' * 99_000, 'parameters': {'type': 'object'}, 'handler': f} for n in range(100)]"
        )
        self.assertEqual(report["tools"], [])
        self.assertEqual([one["code"] for one in report["problems"]], ["too-large"])
