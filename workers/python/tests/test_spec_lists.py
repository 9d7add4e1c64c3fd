"""TOOL_SPECS as a whole: a bad entry does not affect the others."""

from .spec_case import GOOD, SpecCase


class ListTest(SpecCase):
    def test_a_file_without_specs_is_no_problem(self):
        report = self.report("")
        self.assertEqual((report["noSpecs"], report["tools"], report["problems"]), (True, [], []))

    def test_an_empty_list_is_fine(self):
        report = self.report("TOOL_SPECS = []")
        self.assertEqual((report["noSpecs"], report["tools"], report["problems"]), (False, [], []))

    def test_anything_but_a_list_is_an_error(self):
        for value, found in (
            ("None", "None"),
            ("{}", "a dict"),
            ("'x'", "a str"),
            ("(x for x in [])", "a generator"),
        ):
            report = self.report(f"TOOL_SPECS = {value}")
            (problem,) = report["problems"]
            self.assertEqual(
                (problem["code"], problem["message"], problem["line"]),
                ("specs-not-list", f"TOOL_SPECS is {found}", 2),
            )

    def test_a_tuple_is_a_list(self):
        self.check(
            self.report(
                "\nTOOL_SPECS = ({'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': f},)"
            )
        )

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
                ("duplicate-name", 4, "'t:f' at line 4 is already the name of the spec at line 3"),
                ("duplicate-name", 5, "'t:f' at line 5 is already the name of the spec at line 3"),
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

    def test_a_spec_with_more_than_50_000_values_is_refused_alone(self):
        report = self.report(
            "TOOL_SPECS = [{'name': f't:f{n}', 'description': 'd', 'handler': f,\n"
            "               'parameters': {'type': 'object', 'properties': {'a': {'enum': [0] * 20_000 * n}}, 'default': {}},\n"
            "               'examples': [{'b': [0] * 20_000 * n}]} for n in range(1, 3)]"
        )
        self.assertEqual([tool["name"] for tool in report["tools"]], ["t:f1"])
        [problem] = [one for one in report["problems"] if one["severity"] == "error"]
        self.assertEqual((problem["code"], problem["expected"]), ("too-large", "at most 50,000"))

    def test_a_report_beyond_8_mb_drops_the_tools(self):
        report = self.report(
            "TOOL_SPECS = [{'name': f't:f{n}', 'description': 'x' * 99_000, 'parameters': {'type': 'object'}, 'handler': f} for n in range(100)]"
        )
        self.assertEqual(report["tools"], [])
        self.assertEqual([one["code"] for one in report["problems"]], ["too-large"])
