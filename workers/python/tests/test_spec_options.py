"""The rules for the optional keys of a tool spec."""

from .spec_case import SpecCase


class OptionalKeysTest(SpecCase):
    def test_good_values_are_kept(self):
        values = {
            "label": "Weather",
            "timeout_s": 1.5,
            "requires_approval": True,
            "concurrency_safe": False,
            "stateless": True,
            "background_safe": True,
            "interrupt": "block",
            "deferred": True,
            "prompt_hint": "Use it.",
            "prompt_guides": ["One.", "Two."],
            "examples": [{"a": 1}],
            "returns": {"type": "object"},
            "annotations": {"title": "T", "readOnlyHint": True, "openWorldHint": False},
        }
        report = self.spec(**{key: repr(value) for key, value in values.items()})
        self.check(report)
        self.assertEqual({key: report["tools"][0][key] for key in values}, values)

    def test_callables_are_reported_as_such(self):
        (tool,) = self.spec(requires_approval="lambda arguments: True", concurrency_safe="C")["tools"]
        self.assertEqual((tool["requires_approval"], tool["concurrency_safe"]), ("callable", "callable"))

    def test_an_app_is_a_file_with_the_origins_that_it_declares(self):
        none = {"connectDomains": [], "resourceDomains": []}
        (tool,) = self.spec(app='"views/chart.html"')["tools"]
        self.assertEqual(tool["app"], {"file": "views/chart.html", **none})
        (tool,) = self.spec(app='{"file": "a.html", "connectDomains": ("https://a.example",)}')["tools"]
        self.assertEqual(tool["app"], {"file": "a.html", **none, "connectDomains": ["https://a.example"]})
        (tool,) = self.spec()["tools"]
        self.assertNotIn("app", tool)

    def test_tuples_do_for_lists(self):
        (tool,) = self.spec(prompt_guides="('a', 'b')", examples="({'x': 1},)")["tools"]
        self.assertEqual((tool["prompt_guides"], tool["examples"]), (["a", "b"], [{"x": 1}]))

    def test_wrong_types_reject_the_tool(self):
        for key, value, code, message in (
            ("label", "3", "wrong-type", "label is an int"),
            ("label", '" "', "wrong-type", "label is empty"),
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
            ("app", "3", "wrong-type", "app is an int"),
            ("app", '"chart.py"', "wrong-type", "app is no path that ends in .html"),
            ("app", "{}", "wrong-type", "app is no path that ends in .html"),
            ("app", '{"file": "a.html", "x": 1}', "wrong-type", 'app is a dict with the key "x"'),
            ("app", '{"file": "a.html", "connectDomains": "x"}', "wrong-type", "app.connectDomains is a str"),
            ("app", '{"file": "a.html", "resourceDomains": [1]}', "wrong-type", "app.resourceDomains is no list of origins"),
            ("prompt_hint", "['x']", "wrong-type", "prompt_hint is a list"),
            ("prompt_hint", '"x" * 10_001', "too-long", "prompt_hint has 10,001 characters"),
            ("prompt_guides", '"one line"', "wrong-type", "prompt_guides is a str"),
            ("prompt_guides", '["a", 3]', "wrong-type", "prompt_guides[1] is an int"),
            ("prompt_guides", '["x" * 10_001]', "too-long", "prompt_guides has 10,001 characters"),
            ("prompt_guides", '["x"] * 1_001', "too-long", "prompt_guides has 1,001 entries"),
            ("examples", "{}", "wrong-type", "examples is a dict"),
            ("examples", "[{}, 1]", "wrong-type", "examples[1] is an int"),
            ("examples", "[{}] * 1_001", "too-long", "examples has 1,001 entries"),
            (
                "examples",
                '[{"a": {1}}]',
                "not-json",
                "examples is not JSON: Object of type set is not JSON serializable (at examples[0].a)",
            ),
            ("examples", '[{"a": "x" * 300_000}]', "too-long", "examples has 300,011 characters"),
            ("returns", "[]", "wrong-type", "returns is a list"),
            ("returns", "dict", "wrong-type", "returns is a type"),
            (
                "returns",
                '{"a": b"x"}',
                "not-json",
                "returns is not JSON: Object of type bytes is not JSON serializable (at returns.a)",
            ),
            ("annotations", "[]", "wrong-type", "annotations is a list"),
            ("annotations", '{"readOnlyHint": 1}', "wrong-type", "annotations.readOnlyHint is an int"),
            ("annotations", '{"title": True}', "wrong-type", "annotations.title is a bool"),
        ):
            with self.subTest(key=key, value=value):
                self.check(self.spec(**{key: value}), ("error", code, message))

    def test_examples_that_do_not_match_the_parameters_are_warnings_and_left_out(self):
        x = "{'type': 'integer', 'minimum': 1, 'description': 'A number'}"
        parameters = f"{{'type': 'object', 'properties': {{'x': {x}}}, 'required': ['x']}}"
        report = self.spec(parameters=parameters, examples="[{'x': 0}, {'x': 2}, {}, {'x': 'a'}]")
        self.assertEqual(report["tools"][0]["examples"], [{"x": 2}])
        self.assertEqual(
            [(one["severity"], one["code"], one["message"]) for one in report["problems"]],
            [
                ("warning", "bad-example", "example 1 does not match parameters: $.x is less than 1"),
                ("warning", "bad-example", "example 3 does not match parameters: $.x is required"),
                (
                    "warning",
                    "bad-example",
                    "example 4 does not match parameters: $.x must be an integer, but is a string",
                ),
            ],
        )

    def test_examples_that_cannot_be_checked_are_left_out(self):
        report = self.spec(parameters="{'type': 'object', 'unevaluatedProperties': False}", examples="[{}] * 9")
        self.assertEqual(report["tools"][0]["examples"], [])
        self.assertEqual([one["code"] for one in report["problems"]], ["bad-example"] * 5)

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
            self.check(report, ("warning", "unknown-key", f'"{key}" is not a key of a tool spec'))
            self.assertEqual(report["problems"][0]["hint"], hint)
        report = self.spec(zzz="1")
        self.assertTrue(
            report["problems"][0]["hint"].startswith("Remove it. Known keys: name, description")
        )

    def test_a_key_that_is_no_text_is_a_warning(self):
        report = self.report(
            'TOOL_SPECS = [\n    {"name": "t:f", "description": "d", "parameters": {"type": "object"}, "handler": f, 3: 4},\n]'
        )
        self.check(report, ("warning", "unknown-key", "an int is not a key of a tool spec"))

    def test_unknown_annotations_are_warnings(self):
        report = self.spec(annotations='{"readOnly": True, "other": 1}')
        self.check(
            report,
            ("warning", "unknown-annotation", '"readOnly" is not a known annotation'),
            ("warning", "unknown-annotation", '"other" is not a known annotation'),
        )
        self.assertEqual(report["problems"][0]["hint"], 'Did you mean "readOnlyHint"?')
