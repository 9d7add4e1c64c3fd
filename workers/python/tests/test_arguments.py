"""Arguments reach the handler as the caller wrote them."""

from cloche.arguments import integer_parameters, parse_arguments

from .host import HostCase, text_of, tools


class ParsingTest(HostCase):
    def test_keeps_integers_of_any_size(self):
        self.assertEqual(
            parse_arguments('{"n": 123456789012345678901234567890}'), {"n": 123456789012345678901234567890}
        )

    def test_keeps_a_float_a_float(self):
        value = parse_arguments('{"n": 3.0}')["n"]
        self.assertIs(type(value), float)

    def test_turns_an_integral_float_into_int_for_an_integer_parameter(self):
        for text in ("3.0", "3e0", "0.3e1", "30E-1"):
            value = parse_arguments(f'{{"n": {text}}}', frozenset(("n",)))["n"]
            self.assertEqual((type(value), value), (int, 3), text)

    def test_leaves_other_values_of_an_integer_parameter_alone(self):
        for text in ("3.5", '"3"', "true", "null", "[3.0]", "1e999"):
            value = parse_arguments(f'{{"n": {text}}}', frozenset(("n",)))["n"]
            self.assertIsNot(type(value), int, text)

    def test_refuses_what_is_no_object(self):
        for text, name in (
            ("[]", "an array"),
            ('"x"', "a string"),
            ("1", "a number"),
            ("null", "null"),
            ("true", "a boolean"),
        ):
            with self.assertRaisesRegex(TypeError, f"must be a JSON object, not {name}"):
                parse_arguments(text)

    def test_refuses_what_is_no_json(self):
        for text in ("", "{", "{'a': 1}", "{} x"):
            with self.assertRaises(ValueError):
                parse_arguments(text)

    def test_refuses_deep_nesting_before_json_meets_it(self):
        for text in ("[" * 100_000, '{"a":' * 100_000, '{"a":' + "[" * 90_000 + "]" * 90_000 + "}"):
            with self.assertRaisesRegex(RecursionError, "500 levels"):
                parse_arguments(text)

    def test_brackets_inside_strings_are_not_nesting(self):
        text = "[{" * 5_000
        self.assertEqual(parse_arguments(f'{{"s": "{text}"}}'), {"s": text})

    def test_many_containers_side_by_side_are_not_nesting(self):
        self.assertEqual(len(parse_arguments('{"a": [' + ",".join(["{}"] * 10_000) + "]}")["a"]), 10_000)


class IntegerParametersTest(HostCase):
    def test_finds_the_parameters_that_admit_integers_and_no_other_number(self):
        integer, number, text = {"type": "integer"}, {"type": "number"}, {"type": "string"}
        schemas = {
            "plain": integer,
            "nullable": {"type": ["integer", "null"]},
            "any": {"anyOf": [integer, {"type": "null"}]},
            "one": {"oneOf": [integer, text]},
            "listed": {"anyOf": [{"type": ["integer", "string"]}, {"type": "null"}]},
            "number": number,
            "both": {"type": ["integer", "number"]},
            "any-number": {"anyOf": [integer, number]},
            "unknown-branch": {"anyOf": [integer, {"$ref": "#/x"}]},
            "untyped": {"enum": [1, 2]},
            "text": text,
            "boolean": True,
        }
        found = integer_parameters({"type": "object", "properties": schemas})
        self.assertEqual(found, {"plain", "nullable", "any", "one", "listed"})

    def test_survives_schemas_of_no_shape(self):
        for schema in (
            {},
            {"properties": None},
            {"properties": {"a": {"type": 3}}},
            {"properties": {"a": {"anyOf": {}}}},
        ):
            self.assertEqual(integer_parameters(schema), frozenset())


class CallingTest(HostCase):
    schema = {
        "type": "object",
        "properties": {
            "n": {"type": "integer"},
            "nested": {"type": "object", "properties": {"n": {"type": "integer"}}},
        },
    }

    def test_converts_top_level_integers_only(self):
        code = "def f(n, nested): return [type(n).__name__, type(nested['n']).__name__]"
        host = self.open(tools(code, "f", parameters=self.schema))
        result = host.call("t:f", '{"n": 2.0, "nested": {"n": 2.0}}')
        self.assertEqual(text_of(result), '["int", "float"]')

    def test_numbers_keep_their_spelling_there_and_back(self):
        host = self.open_tools("def f(n): return n", "f")
        for text in (
            "3.0",
            "3",
            "-0.0",
            "9007199254740993",
            "123456789012345678901234567890",
            "1e+300",
            "0.1",
        ):
            self.assertEqual(text_of(host.call("t:f", f'{{"n": {text}}}')), text)

    def test_says_what_is_wrong_with_the_arguments(self):
        host = self.open_tools("def f(): return 1", "f")
        for text, error in (
            ("[1]", "TypeError: the arguments must be a JSON object, not an array"),
            (
                "{",
                "JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
            ),
        ):
            result = host.call("t:f", text)
            self.assertEqual((result["ok"], result["error"]), (False, error))
            self.assertIn("Pass the arguments as one JSON object.", result["message"])
