"""The problems that the page's editor can fix: the loader reports them as recorded, and the fix removes them.

src/runtime/scan/fixes/fix-for.test.ts has the same cases, and checks that the editor writes what is recorded as fixed.
"""

import json
from pathlib import Path

from .host import HostCase

CASES = json.loads((Path(__file__).parent / "fixes.json").read_text("utf-8"))


class FixesTest(HostCase):
    def test_each_problem_is_reported_as_recorded_and_gone_when_fixed(self):
        for case in CASES:
            with self.subTest(name=case["name"]):
                host = self.open({"t.py": case["source"]})
                self.assertIn(case["problem"], host.inspect("t.py")["problems"])
                host = self.open({"t.py": case["fixed"]})
                said = [problem["message"] for problem in host.inspect("t.py")["problems"]]
                self.assertNotIn(case["problem"]["message"], said)
