"""Each spec and each problem is shown at its place in the source."""

from cloche.source_text import source_text
from cloche.spec_places import SpecPlaces

from .host import HostCase

SOURCE = """\
# {"name": "t:commented", "x": 1}
SHARED = {"type": "object", "properties": {"a": {"type": "string"}}}

def spec(name):
    return {"name": f"t:{name}"}

TOOL_SPECS = [
    {
        "name": "t:usual",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
            },
            "required": ["city", "town"],
        },
    },
    {"description": "é", "name": "t:later", "parameters": SHARED},
    {'name': 't:quotes'}, {  "name"  :  "t:spaces"  },
    dict(name="t:call"),
    spec("made"),
    {"name": "t:twice"},
    {"name": "t:twice", "label": "second"},
    {"name": "t:" "joined"},
]
OTHER = {"name": "t:elsewhere"}
"""


class PlacesTest(HostCase):
    def setUp(self):
        self.places = SpecPlaces(SOURCE)

    def test_a_spec_is_where_its_dict_begins(self):
        for name, index, place in (
            ("t:usual", 0, (8, 5)),
            ("t:later", 1, (18, 5)),
            ("t:quotes", 2, (19, 5)),
            ("t:spaces", 3, (19, 27)),
            ("t:joined", 8, (24, 5)),
            ("t:elsewhere", 99, (26, 9)),
        ):
            self.assertEqual(self.places.of_spec(name, index), place, name)

    def test_else_it_is_where_its_entry_stands(self):
        self.assertEqual(self.places.of_spec("t:call", 4), (20, 5))
        self.assertEqual(self.places.of_spec("t:made", 5), (21, 5))
        self.assertEqual(self.places.of_spec(None, 5), (21, 5))

    def test_else_it_is_where_the_list_is_assigned(self):
        self.assertEqual(self.places.of_spec("t:nowhere", 50), (7, 1))

    def test_of_two_with_one_name_each_has_its_own(self):
        self.assertEqual(self.places.of_spec("t:twice", 6), (22, 5))
        self.assertEqual(self.places.of_spec("t:twice", 7), (23, 5))

    def test_a_part_is_where_its_value_stands(self):
        for path, place in (
            (("name",), (9, 17)),
            (("parameters",), (10, 23)),
            (("parameters", "properties", "city"), (13, 25)),
            (("parameters", "required"), (15, 25)),
            (("parameters", "required", 1), (15, 34)),
            (("parameters", "properties", "unheard", "of"), (12, 27)),
            (("nothing",), (8, 5)),
        ):
            self.assertEqual(self.places.of_part("t:usual", 0, path), place, path)

    def test_a_part_in_a_variable_is_where_that_is_written(self):
        self.assertEqual(self.places.of_part("t:later", 1, ("parameters", "properties", "a")), (2, 49))

    def test_columns_count_characters(self):
        self.assertEqual(self.places.of_part("t:later", 1, ("name",)), (18, 34))

    def test_a_list_put_together_is_searched_for_the_name(self):
        source = 'A = [{"description": "", "name": "t:a"}]\nTOOL_SPECS = [*A, {"label": "", "name": "t:b"}]\n'
        places = SpecPlaces(source)
        self.assertEqual(places.of_spec("t:a", 0), (1, 6))
        self.assertEqual(places.of_spec("t:b", 1), (2, 19))
        self.assertEqual(places.of_spec(None, 1), (2, 1))

    def test_an_annotated_list_is_found(self):
        self.assertEqual(SpecPlaces("x = 1\nTOOL_SPECS: list = [\n  3]\n").of_spec(None, 0), (3, 3))

    def test_a_file_without_any_of_it_has_no_places(self):
        for source in ("", "x = 1", "def broken(", "\ud800"):
            places = SpecPlaces(source)
            self.assertIsNone(places.of_spec("t:a", 0))
            self.assertIsNone(places.of_part("t:a", 0, ("name",)))
            self.assertIsNone(places.of_variable("TOOL_SPECS"))

    def test_windows_line_ends_count_as_one(self):
        source = source_text(b'x = 1\r\nTOOL_SPECS = [\r\n    {"name": "t:a", "label": 3},\r\n]\r\n')
        self.assertEqual(SpecPlaces(source).of_spec("t:a", 0), (3, 5))
        self.assertEqual(SpecPlaces(source).of_part("t:a", 0, ("label",)), (3, 30))


class ReportedPlacesTest(HostCase):
    def test_a_spec_that_no_source_spells_is_at_its_handler(self):
        host = self.open(
            {
                "t.py": "from made import TOOL_SPECS as made\n\n\ndef f(): pass\nglobals()['TOOL_SPECS'] = made(f)\n",
                "made.py": "def TOOL_SPECS(f): return [{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': f}]\n",
            }
        )
        (tool,) = host.inspect("t.py")["tools"]
        self.assertEqual(tool["source"], {"file": "t.py", "line": 4, "column": None})

    def test_a_handler_from_a_helper_is_reported_there(self):
        host = self.open(
            {
                "t.py": "import made\nTOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': made.f}]\n",
                "made.py": "\ndef f(): pass\n",
            }
        )
        (tool,) = host.inspect("t.py")["tools"]
        self.assertEqual(tool["source"], {"file": "t.py", "line": 2, "column": 15})
        self.assertEqual(tool["handler"], {"kind": "function", "name": "f", "file": "made.py", "line": 2})

    def test_problems_are_at_the_value_at_fault(self):
        host = self.open(
            "def f(): pass\n"
            "TOOL_SPECS = [\n"
            "    {\n"
            '        "name": "t:f",\n'
            '        "description": "",\n'
            '        "parameters": {\n'
            '            "type": "object",\n'
            '            "properties": {"a": "string"},\n'
            "        },\n"
            '        "handler": f,\n'
            '        "timeout": 3,\n'
            "    },\n"
            "]\n"
        )
        found = [(one["code"], one["line"], one["column"]) for one in host.inspect("t.py")["problems"]]
        self.assertEqual(
            found, [("unknown-key", 11, 20), ("bad-description", 5, 24), ("bad-parameters", 8, 33)]
        )
