"""In a playground, typed functions are tools without any mark. In a folder, they never are."""

from .host import HostCase

PLAIN = """from datetime import date

def week(day: date, plus: int = 0) -> int:
    \"\"\"The week of a day.\"\"\"
    return day.isocalendar().week + plus

def untyped(x):
    return x

def _private(x: int) -> int:
    return x
"""


class UnmarkedFunctionsTest(HostCase):
    def names(self, text, is_playground=True):
        report = self.open(text, functions_are_tools=is_playground).inspect("t.py")
        return [one["name"] for one in report["tools"]]

    def test_typed_functions_are_tools_and_can_be_called(self):
        host = self.open(PLAIN, functions_are_tools=True)
        report = host.inspect("t.py")
        (tool,) = report["tools"]
        self.assertEqual((tool["name"], tool["description"], report["problems"]), ("t:week", "The week of a day.", []))
        self.assertEqual(host.call("t:week", {"day": "2024-01-10", "plus": 1})["content"][0]["text"], "3")
        # A call that comes before the inspection finds the tool too.
        host = self.open(PLAIN, functions_are_tools=True)
        self.assertTrue(host.call("t:week", {"day": "2024-01-10"})["ok"])

    def test_in_a_folder_they_are_not(self):
        host = self.open(PLAIN)
        self.assertEqual(host.inspect("t.py")["tools"], [])
        self.assertFalse(host.call("t:week", {"day": "2024-01-10"})["ok"])

    def test_what_a_file_marks_goes_before(self):
        self.assertEqual(self.names(f'__all__ = ["other"]\n{PLAIN}\ndef other(x: int) -> int:\n    return x\n'), ["t:other"])
        marked = "from smolagents import tool\n@tool\ndef marked(x: int) -> int:\n    return x\n"
        self.assertEqual(self.names(marked + PLAIN.partition("\n")[2].replace("date", "str")), ["t:marked"])
        self.assertEqual(self.names(f"TOOL_SPECS = []\n{PLAIN}"), [])

    def test_an_untyped_function_is_named_as_the_reason(self):
        text = "x = 1\n\ndef shout(text):\n    return text\n"
        for are_tools in (True, False):
            report = self.open(text, functions_are_tools=are_tools).inspect("t.py")
            self.assertEqual((report["tools"], report["reason"]["line"]), ([], 3))
            self.assertIn("shout() has neither types nor a docstring", report["reason"]["message"])

    def test_a_file_without_functions_has_none(self):
        host = self.open("x = 1\n", functions_are_tools=True)
        self.assertEqual(host.inspect("t.py")["tools"], [])
