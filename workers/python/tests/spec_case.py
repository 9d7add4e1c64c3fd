"""Helpers for tests of spec checks: a file with one spec, and its report."""

import json

from .host import HostCase

GOOD = {"name": "t:f", "description": "d", "parameters": {"type": "object"}, "handler": "f"}
DEFAULTS = {
    "timeout_s": 60,
    "requires_approval": False,
    "concurrency_safe": True,
    "stateless": False,
    "background_safe": False,
    "interrupt": "cancel",
    "deferred": False,
    "prompt_hint": "",
    "prompt_guides": [],
    "examples": [],
    "returns": None,
    "annotations": {},
}


class SpecCase(HostCase):
    def report(self, code):
        host = self.open(f"def f(**more): return 1\n{code}")
        return host.inspect("t.py")

    def spec(self, **changes):
        """The report on a good spec with these keys changed; values are Python source, None removes a key."""
        keys = {
            key: json.dumps(value) if key != "handler" else value for key, value in GOOD.items()
        } | changes
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
