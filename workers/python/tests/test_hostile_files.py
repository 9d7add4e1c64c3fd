"""Files written to break the loader: their own report says so, and nothing else is hurt."""

import builtins
import json
import os
import sys
import unittest.mock

from .host import HostCase, tools

SPEC = "{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': f}"
HOSTILE = {
    "patches json": f"import json\ndef f(): pass\njson.dumps = json.loads = json.JSONEncoder.encode = json.JSONDecoder.decode = None\nTOOL_SPECS = [{SPEC}]",
    "evil class": "class E:\n    @property\n    def __class__(self): raise RuntimeError('no class')\nTOOL_SPECS = [E()]",
    "evil class for specs": "class E:\n    __class__ = list\nTOOL_SPECS = E()",
    "evil dict": "class D(dict):\n    def __getattribute__(self, name): raise RuntimeError(name)\n    def __iter__(self): raise RuntimeError\n    def __len__(self): raise RuntimeError\n    def items(self): raise RuntimeError\n    def __contains__(self, key): raise RuntimeError\n    def __getitem__(self, key): raise RuntimeError\nTOOL_SPECS = [D(name='t:f', parameters=D(type='object'))]",
    "endless items": "class D(dict):\n    def items(self):\n        return [(str(i), D(a=1)) for i in range(3)]\nTOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': D(type='object'), 'handler': print}]",
    "evil list": "class L(list):\n    def __iter__(self): raise RuntimeError\n    def __len__(self): raise RuntimeError\nTOOL_SPECS = L([1])",
    "evil str": "class S(str):\n    def __eq__(self, other): raise RuntimeError\n    def __hash__(self): raise RuntimeError\n    def strip(self): raise RuntimeError\n    def partition(self, x): raise RuntimeError\n    def __str__(self): raise RuntimeError\nTOOL_SPECS = [{'name': S('t:f'), 'description': S('d'), 'parameters': {'type': S('object')}, 'handler': print}]",
    "evil key": "class K:\n    def __hash__(self): return hash('name')\n    def __eq__(self, other): raise RuntimeError\nTOOL_SPECS = [{K(): 1}]",
    "evil handler": "class H:\n    def __getattribute__(self, name): raise RuntimeError(name)\n    def __call__(self): pass\nTOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': H()}]",
    "evil signature": "def f(): pass\nf.__signature__ = 3\nTOOL_SPECS = [" + SPEC + "]",
    "circular wrappers": "def f(): pass\nf.__wrapped__ = f\nTOOL_SPECS = [" + SPEC + "]",
    "evil exception": "class E(BaseException):\n    def __getattribute__(self, name): raise RuntimeError(name)\nraise E",
    "evil metaclass": "class M(type):\n    __name__ = property(lambda cls: 1 / 0)\nclass E(Exception, metaclass=M): pass\nraise E",
    "deep value": "x = []\nfor _ in range(100_000): x = [x]\nTOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object', 'x': x}, 'handler': print, 'examples': [{'x': x}]}]",
    "deep entry": "x = []\nfor _ in range(100_000): x = [x]\nTOOL_SPECS = [x]",
    "replaces itself": "import sys\nclass M:\n    __file__ = __file__\n    def __getattr__(self, name): raise RuntimeError(name)\nsys.modules[__name__] = M()",
    "module getattr": "def __getattr__(name): raise RuntimeError(name)",
    "deletes itself": "import sys\ndel sys.modules[__name__]",
    "removes modules": "import sys\nfor name in ('json', 'traceback', 'linecache', 're', 'ast', 'difflib'): sys.modules.pop(name, None)\nTOOL_SPECS = 3",
    "low recursion": "import sys\nsys.setrecursionlimit(60)\nTOOL_SPECS = 3",
    "traces": "import sys\ndef trace(*rest): raise RuntimeError\nsys.settrace(trace)\nTOOL_SPECS = 3",
    "moves away": "import os\nos.chdir('/')\nTOOL_SPECS = 3",
    "replaces streams": "import sys\nsys.stdout = sys.stderr = sys.stdin = None\nTOOL_SPECS = 3",
    "huge name": "TOOL_SPECS = [{'name': 't:' + 'x' * 10_000_000, 'description': 'x' * 10_000_000, 'parameters': {'type': 'object', 'x' * 1_000_000: 1}, 'handler': print, 'y' * 1_000_000: 1}]",
    "100,000 properties": "TOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object', 'properties': {str(n): {} for n in range(100_000)}}, 'handler': print}]",
    "huge list": "TOOL_SPECS = [None] * 300_000",
    "lone surrogates": "TOOL_SPECS = [{'name': '\\ud800', 'description': '\\udc00', 'parameters': {'type': 'object', '\\ud800': 1}, 'handler': print, '\\ud800': 1}]",
}


class HostileFilesTest(HostCase):
    def test_each_gives_a_report_and_leaves_its_neighbour_alone(self):
        for name, text in HOSTILE.items():
            with self.subTest(name=name), kept_modules():
                host = self.open({"t.py": text, "good.py": tools("def f(): return 'good'", "f", module="good")})
                self.assertLess(len(host.interpreter.inspect_file("t.py")), 8_500_000)
                report = host.inspect("t.py")
                self.assertEqual(report["file"], "t.py")
                for problem in report["problems"]:
                    self.assertLess(len(problem["message"]), 12_000)
                good = host.inspect("good.py")
                self.assertEqual(([tool["name"] for tool in good["tools"]], good["problems"]), (["good:f"], []))
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
        for name in ("isinstance", "len", "type", "vars", "list", "getattr", "dict", "str", "next", "BaseException", "setattr"):
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
    """Puts back what the files patch or remove, for the tests after this one."""

    def __enter__(self):
        patched = ((json, ("dumps", "loads")), (json.JSONEncoder, ("encode",)), (json.JSONDecoder, ("decode",)))
        self.values = [(owner, name, getattr(owner, name)) for owner, names in patched for name in names]
        self.modules = dict(sys.modules)

    def __exit__(self, *failure):
        for owner, name, value in self.values:
            setattr(owner, name, value)
        for name in ("json", "traceback", "linecache", "re", "ast", "difflib"):
            if name in self.modules:
                sys.modules[name] = self.modules[name]
