"""Files written for other frameworks: each gives the tools that its framework infers, and its calls give their results.

`foreign/expected.json` has, for each file, the tools and calls; white space in descriptions does not count.
"""

import json
from pathlib import Path

from .host import HostCase

FOLDER = Path(__file__).parent / "foreign"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))


class ForeignFilesTest(HostCase):
    async def test_each_file_gives_its_tools_and_results(self):
        for file, expected in EXPECTED.items():
            with self.subTest(file):
                host = self.open({file: (FOLDER / file).read_text(encoding="utf-8")})
                report = host.inspect(file)
                self.assertEqual([one for one in report["problems"] if one["severity"] == "error"], [])
                found = {_given_name(one): one for one in report["tools"]}
                self.assertEqual(sorted(found), sorted(one["name"] for one in expected["tools"]))
                for one in expected["tools"]:
                    tool = found[one["name"]]
                    self.assertEqual(_plain(tool["description"]), _plain(one["description"]), one["name"])
                    self.check_members(one["name"], one["parameters"], tool["parameters"])
                for call in expected["calls"]:
                    result = await host.run(found[call["tool"]]["name"], call["arguments"])
                    self.assertTrue(result["ok"], result)
                    self.assertEqual(_value(result), call["result"], call)

    def check_members(self, where, expected, schema):
        self.assertEqual(sorted(schema.get("properties", {})), sorted(expected), where)
        for name, one in expected.items():
            self.assertEqual(name in schema.get("required", []), one.get("required", False), f"{where}.{name}")
            self.check_schema(f"{where}.{name}", one, schema["properties"][name])

    def check_schema(self, where, expected, schema):
        # Frameworks differ in the schema of parameters without annotation.
        if not expected.get("unannotated") or "items" in expected or "enum" in expected:
            self.assertEqual(sorted(_types(schema) - {"null"}), sorted(expected.get("types", [])), where)
        if "enum" in expected:
            self.assertEqual([one for one in schema["enum"] if one is not None], expected["enum"], where)
        self.assertEqual(_plain(schema.get("description", "")), _plain(expected.get("description", "")), where)
        if "items" in expected:
            self.check_schema(f"{where}.items", expected["items"], schema["items"])
        if "values" in expected:
            self.check_schema(f"{where}.values", expected["values"], schema["additionalProperties"])
        if "properties" in expected:
            self.check_members(where, expected["properties"], schema)


def _given_name(tool):
    return tool["label"] if tool["label"] != tool["name"] else tool["name"].partition(":")[2]


def _plain(text):
    return " ".join(text.split())


def _types(schema):
    named = schema.get("type", [])
    found = {named} if isinstance(named, str) else set(named)
    return found.union(*(_types(one) for key in ("anyOf", "oneOf") for one in schema.get(key, [])))


def _value(result):
    (part,) = result["content"]
    return json.loads(part["text"]) if part["type"] == "json" else part.get("text")
