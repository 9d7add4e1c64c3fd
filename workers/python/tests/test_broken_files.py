"""A broken tool file has one error, at the right line and with a hint, and the next file is not affected."""

from .broken_files import BROKEN
from .host import HostCase, tools

BESIDE = {
    "helper.py": "value = 1\n",
    "package/__init__.py": "",
    "broken_helper.py": "x = 1\ndef def\n",
    "raising_helper.py": "def f():\n    x = 1\n    raise ValueError('inside')\nf()\n",
    "printing_helper.py": "print('x' * 2_000_000)\n",
    "circle.py": "from broken import thing\n",
    "good.py": tools("def f(): return 'good'", "f", module="good"),
}


class BrokenFilesTest(HostCase):
    def test_each_has_one_error_where_it_is_and_hurts_no_other(self):
        for broken in BROKEN:
            with self.subTest(name=broken.name):
                host = self.open({"broken.py": broken.text, **BESIDE})
                report = host.inspect("broken.py")
                self.assertEqual((report["tools"], report["noSpecs"]), ([], False))
                (problem,) = report["problems"]
                self.assertEqual(
                    (problem["severity"], problem["code"], problem["file"]),
                    ("error", broken.code, "broken.py"),
                )
                line, column = broken.place
                place = (problem["line"], column and problem["column"])
                self.assertEqual(place, (line, column), problem)
                self.assertIn(broken.message, problem["message"])
                self.assertIn(broken.hint, problem["hint"])
                self.assertTrue(problem["expected"])
                self.assertNotIn(host.root, problem["message"])
                self.assertEqual([tool["name"] for tool in host.inspect("good.py")["tools"]], ["good:f"])
                self.assertEqual(host.call("good:f")["content"], [{"type": "text", "text": "good"}])

    def test_a_file_that_cannot_be_compiled_for_its_depth_is_an_error(self):
        host = self.open("x = " + "(" * 500 + ")" * 500)
        (problem,) = host.inspect("t.py")["problems"]
        self.assertIn("too many nested parentheses", problem["message"])

    def test_what_the_browser_lacks_is_told_apart_from_a_wrong_spelling(self):
        for text, hint in (
            ("raise RuntimeError(\"can't start new thread\")\n", "tools cannot start processes, servers or threads"),
            ("import signal\nsignal.alram(1)\n", "not available in the browser"),
            ("class A: pass\nA.x\n", "defined or imported above this line"),
        ):
            with self.subTest(text=text):
                (problem,) = self.open(text).inspect("t.py")["problems"]
                self.assertIn(hint, problem["hint"])

    def test_a_file_that_is_gone_is_an_error(self):
        host = self.open("")
        (problem,) = host.inspect("gone.py")["problems"]
        self.assertEqual((problem["code"], problem["line"]), ("unreadable", 1))
        self.assertIn("FileNotFoundError", problem["message"])

    def test_a_mended_file_is_imported_anew(self):
        host = self.open("raise ValueError\n")
        self.assertEqual(len(host.inspect("t.py")["problems"]), 1)
        host.write("t.py", tools("def f(): return 1", "f"))
        self.assertEqual([tool["name"] for tool in host.inspect("t.py")["tools"]], ["t:f"])

    def test_a_missing_standard_module_is_told_apart(self):
        host = self.open("raise ModuleNotFoundError(\"No module named 'tkinter'\", name='tkinter')\n")
        (problem,) = host.inspect("t.py")["problems"]
        self.assertIn(
            "is part of Python's standard library but is not available in the browser", problem["hint"]
        )


class OutputTest(HostCase):
    def test_the_beginning_of_what_an_import_prints_is_reported(self):
        host = self.open("import sys\nprint('hello')\nprint('oops', file=sys.stderr)\nprint('x' * 20_000)\n")
        output = host.inspect("t.py")["output"]
        self.assertTrue(output.startswith("hello\noops\nxxx"))
        self.assertEqual(len(output), 10_000)

    def test_what_a_broken_file_printed_is_reported_too(self):
        self.assertEqual(self.open("print('before')\n1 / 0\n").inspect("t.py")["output"], "before\n")

    def test_input_ends_the_import_with_eof(self):
        (problem,) = self.open("x = input('name? ')\n").inspect("t.py")["problems"]
        self.assertIn("EOFError", problem["message"])
