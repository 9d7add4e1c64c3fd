"""Shapes of files that were written for other frameworks: which functions become tools, and the results of calls."""

import json

from .foreign_shapes import CASES
from .host import HostCase

BESIDE = {"prompt.py": 'TEXT = "x"\n', "helpers.py": 'def zone(c):\n    return c + "Z"\n'}


class ForeignShapesTest(HostCase):
    async def test_each_gives_its_tools_and_results(self):
        for name, (expected, text, calls) in CASES.items():
            with self.subTest(name):
                host = self.open({f"{name}.py": text, **BESIDE})
                report = host.inspect(f"{name}.py")
                found = {_given_name(one): one["name"] for one in report["tools"]}
                self.assertEqual(sorted(found), sorted(expected), report["problems"])
                for tool, arguments, result in calls:
                    given = await host.run(found[tool], arguments)
                    self.assertTrue(given["ok"], given)
                    (part,) = given["content"]
                    self.assertEqual(json.loads(part["text"]) if part["type"] == "json" else part["text"], result)


def _given_name(tool):
    return tool["label"] if tool["label"] != tool["name"] else tool["name"].partition(":")[2]
