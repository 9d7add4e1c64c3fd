"""Files written to break the loader: their own report says so, and nothing else is affected."""

import builtins
import json
import os
import sys
import unittest.mock

from .host import HostCase, tools
from .hostile_files import HOSTILE


class HostileFilesTest(HostCase):
    def test_each_gives_a_report_and_leaves_its_neighbour_alone(self):
        for name, text in HOSTILE.items():
            with self.subTest(name=name), kept_modules():
                host = self.open(
                    {"t.py": text, "good.py": tools("def f(): return 'good'", "f", module="good")}
                )
                self.assertLess(len(host.interpreter.inspect_file("t.py")), 8_500_000)
                report = host.inspect("t.py")
                self.assertEqual(report["file"], "t.py")
                for problem in report["problems"]:
                    self.assertLess(len(problem["message"]), 12_000)
                good = host.inspect("good.py")
                self.assertEqual(
                    ([tool["name"] for tool in good["tools"]], good["problems"]), (["good:f"], [])
                )
                self.assertEqual(host.call("good:f")["content"], [{"type": "text", "text": "good"}])
                self.assertEqual(os.getcwd(), host.root)
                self.assertIs(sys.stdout, host.interpreter._streams.out)
                self.assertIsNone(sys.gettrace())

    def test_what_is_odd_but_usable_gives_its_tool(self):
        for name in ("patches json", "circular wrappers", "evil str"):
            with self.subTest(name=name), kept_modules():
                host = self.open(HOSTILE[name])
                self.assertEqual([tool["name"] for tool in host.inspect("t.py")["tools"]], ["t:f"])

    def test_what_cannot_be_used_says_why(self):
        for name, codes in (
            ("evil class", ["spec-fails"]),
            ("deep value", ["bad-parameters", "not-json"]),
            ("replaces itself", []),
            ("huge name", ["unknown-key", "bad-name", "bad-description", "bad-parameters"]),
            ("100,000 properties", ["bad-parameters"]),
        ):
            with self.subTest(name=name), kept_modules():
                host = self.open(HOSTILE[name])
                report = host.inspect("t.py")
                self.assertEqual(([one["code"] for one in report["problems"]], report["tools"]), (codes, []))

    def test_patched_builtins_are_put_back(self):
        for name in (
            "isinstance",
            "len",
            "type",
            "vars",
            "list",
            "getattr",
            "dict",
            "str",
            "next",
            "BaseException",
            "setattr",
        ):
            before = getattr(builtins, name)
            host = self.open(f"import builtins\nbuiltins.{name} = None\nTOOL_SPECS = []\nbuiltins.added = 1")
            try:
                report = host.inspect("t.py")
            finally:
                builtins.__dict__[name], after = before, builtins.__dict__[name]
            self.assertEqual((report["problems"], after), ([], before), name)

    def test_a_loader_that_cannot_go_on_gives_a_report_of_that(self):
        import cloche.inspecting

        host = self.open(
            "import cloche.inspecting as i\n"
            "class E(Exception):\n    def __str__(self): raise RuntimeError\n"
            "def fails(*rest): raise E\n"
            "i.SpecPlaces = fails\nTOOL_SPECS = []\n"
        )
        with unittest.mock.patch.object(cloche.inspecting, "SpecPlaces"):
            report = host.inspect("t.py")
        (problem,) = report["problems"]
        self.assertEqual(problem["code"], "inspection-fails")
        self.assertEqual(problem["message"], "inspecting the file raised E: <its message cannot be shown>")
        self.assertEqual(report["tools"], [])


class kept_modules:
    """Restores what the files patch or remove, for the following tests."""

    def __enter__(self):
        patched = (
            (json, ("dumps", "loads")),
            (json.JSONEncoder, ("encode",)),
            (json.JSONDecoder, ("decode",)),
        )
        self.values = [(owner, name, getattr(owner, name)) for owner, names in patched for name in names]
        self.modules = dict(sys.modules)

    def __exit__(self, *failure):
        for owner, name, value in self.values:
            setattr(owner, name, value)
        for name in ("json", "traceback", "linecache", "re", "ast", "difflib"):
            if name in self.modules:
                sys.modules[name] = self.modules[name]
