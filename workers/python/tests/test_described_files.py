"""Tools that JSON files of the folder describe, and whose functions a file finds by their names."""

import json
from unittest.mock import patch

from .host import HostCase


def _describe(name, **properties):
    schema = {"type": "object", "properties": {key: {"type": kind} for key, kind in properties.items()}, "required": list(properties)}
    return {"name": name, "description": f"{name}.", "parameters": schema}


WEATHER, AREA = _describe("weather", town="string"), _describe("area", a="number", b="number")
GLOBALS = """import json
from pathlib import Path
def weather(town, days=1):
    return f"{town} {days}"
def area(a, b):
    return a * b
def answer(ask):
    tools = json.loads((Path(__file__).parent / "data" / "tools.json").read_text())
    call = ask(tools)
    return globals()[call.name](**call.arguments)
"""
MODULE = """import json
import forecasts
def answer(ask, names):
    call = ask([json.load(open(f"data/{name}.json")) for name in names])
    return getattr(forecasts, call.name)(**call.arguments)
"""
OBJECT = """import json
class Assistant:
    def __init__(self, path="tools.json"):
        self.functions = json.load(open(path))
    def weather(self, town):
        return town + "!"
    def answer(self, ask):
        call = ask(self.functions)
        return getattr(self, call.name)(**call.arguments)
"""


class DescribedFilesTest(HostCase):
    def test_functions_with_the_names_of_the_descriptions_are_tools(self):
        both = {"data/tools.json": json.dumps([{"type": "function", "function": one} for one in (WEATHER, AREA)])}
        one = {"data/weather.json": json.dumps(WEATHER), "forecasts.py": 'def weather(town):\n    return town + "?"\n'}
        inside = {"other.json": "[1", "tools.json": json.dumps({"functions": [WEATHER]})}
        for files, names, result in (
            ({"t.py": GLOBALS, **both}, ["t:weather", "t:area"], "Bern 1"),
            ({"t.py": MODULE, **one}, ["t:weather"], "Bern?"),
            ({"t.py": OBJECT, **inside}, ["t:weather"], "Bern!"),
        ):
            with self.subTest(files):
                host = self.open(files)
                report = host.inspect("t.py")
                self.assertEqual([tool["name"] for tool in report["tools"]], names, report)
                self.assertEqual(report["tools"][0]["parameters"], WEATHER["parameters"])
                self.assertEqual(host.call("t:weather", {"town": "Bern"})["content"][0]["text"], result)
                self.assertIn(next(path for path in files if path.endswith(("tools.json", "weather.json"))), report["imports"])

    def test_a_description_without_a_function_is_a_note_beside_others(self):
        report = self.open({"t.py": GLOBALS.replace("def area", "def other"), "data/tools.json": json.dumps([WEATHER, AREA])}).inspect("t.py")
        self.assertEqual([tool["name"] for tool in report["tools"]], ["t:weather"])
        self.assertEqual([one["message"] for one in report["problems"]], ["data/tools.json describes area, but no function in this file implements it"])

    def test_other_json_files_make_no_tools(self):
        for content in ("[]", "{", '{"name": "weather", "version": 1}', json.dumps([AREA]), " " * 1_000_001 + json.dumps([WEATHER])):
            report = self.open({"t.py": GLOBALS.replace("def area", "def other"), "data/tools.json": content}).inspect("t.py")
            with self.subTest(content[-50:]):
                self.assertEqual((report["tools"], report["problems"]), ([], []))
        # A file whose name the source does not have
        self.assertEqual(self.open({"t.py": GLOBALS, "data/more_tools.json": json.dumps([WEATHER])}).inspect("t.py")["tools"], [])

    def test_a_mended_file_describes_tools_and_is_noticed(self):
        mended = json.dumps([WEATHER])
        marked = "from langchain_core.tools import tool\n@tool\ndef other(a: int) -> int:\n    'Other.'\n    return a\n"
        for source, before in ((GLOBALS, []), (marked + GLOBALS, ["t:other"])):
            for broken in (mended[:-1], "[]", json.dumps([{**WEATHER, "name": "absent"}])):
                with self.subTest((before, broken)):
                    host = self.open({"t.py": source, "data/tools.json": mended})
                    names = sorted([*before, "t:weather"])
                    self.assertEqual(sorted(tool["name"] for tool in host.inspect("t.py")["tools"]), names)
                    for content, expected in ((broken, before), (mended, names)):
                        host.write("data/tools.json", content)
                        self.assertEqual(host.interpreter.forget_files(["data/tools.json"]), ["data/tools.json", "t.py"])
                        report = host.inspect("t.py")
                        self.assertEqual(sorted(tool["name"] for tool in report["tools"]), expected)
                        self.assertEqual(report["imports"], ["data/tools.json"])

    def test_a_file_that_comes_is_noticed(self):
        for source, path in ((GLOBALS, "data/tools.json"), (GLOBALS.replace('"data" / "tools.json"', 'f"{ask}.json"'), "data/weather.json")):
            with self.subTest(path):
                host = self.open({"t.py": source, "u.py": "import t\n"})
                self.assertEqual(host.inspect("t.py")["tools"], [])
                host.inspect("u.py")
                self.assertEqual(host.interpreter.forget_files(["data/tools.txt"], True), ["data/tools.txt"])
                host.write(path, json.dumps([WEATHER]))
                self.assertEqual(host.interpreter.forget_files([path], True), [path, "t.py", "u.py"])
                self.assertEqual([tool["name"] for tool in host.inspect("t.py")["tools"]], ["t:weather"])

    def test_files_of_data_are_read_up_to_a_limit_and_whole_names_first(self):
        data = {f"data/a{number}.json": json.dumps(["x" * 900_000]) for number in range(4)}
        source = GLOBALS.replace("    return a * b", '    return open(f"data/{a}.json")')
        host = self.open({"t.py": source, **data, "data/tools.json": json.dumps([WEATHER])})
        with patch("cloche.foreign.described_files.json.load", wraps=json.load) as load:
            self.assertEqual([tool["name"] for tool in host.inspect("t.py")["tools"]], ["t:weather"])
        self.assertEqual(load.call_count, 3)  # tools.json, and two files of data; each once

    def test_only_some_names_are_compared_with_the_files(self):
        names = "".join(f'"{number}.json", ' for number in range(300))
        host = self.open({"t.py": f"NAMES = [{names}]\n{GLOBALS}", "data/0.json": json.dumps([WEATHER]), "data/tools.json": json.dumps([AREA])})
        self.assertEqual([tool["name"] for tool in host.inspect("t.py")["tools"]], ["t:weather"])

    def test_files_of_data_import_nothing(self):
        host = self.open({"t.py": GLOBALS, "u.py": "x = 1\n", "data/tools.json": "import u\n"})
        self.assertEqual(host.inspect("t.py")["imports"], ["data/tools.json"])
