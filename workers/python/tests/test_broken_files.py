"""Each way in which a tool file can be broken: one error at the right line, with a hint, and the next file is fine."""

from .host import HostCase, tools

# Text of the file, then code, line, column (None: not checked), words of the message, words of the hint.
BROKEN = {
    "unclosed bracket": ("x = (1,\ny = 2\n", "syntax-error", 1, 5, "'(' was never closed", "Close the bracket"),
    "missing colon": ("def f()\n    pass\n", "syntax-error", 1, 8, "SyntaxError: expected ':'", "Correct the line"),
    "bad indent": ("def f():\npass\n", "syntax-error", 2, 1, "IndentationError: expected an indented block", "four spaces"),
    "unexpected indent": ("x = 1\n    y = 2\n", "syntax-error", 2, None, "IndentationError: unexpected indent", "four spaces"),
    "tabs and spaces": ("if 1:\n        x = 1\n\ty = 2\n", "syntax-error", 3, None, "TabError: ", "spaces only"),
    "python 2": ("print 'x'\n", "syntax-error", 1, 1, "Missing parentheses", "Correct the line"),
    "open string": ("x = 'abc\n", "syntax-error", 1, 5, "unterminated string literal", "Correct the line"),
    "return outside": ("x = 1\nreturn x\n", "syntax-error", 2, None, "'return' outside function", "Correct the line"),
    "await outside": ("import asyncio\nawait asyncio.sleep(0)\n", "syntax-error", 2, None, "'await' outside function", "Correct the line"),
    "late future": ("x = 1\nfrom __future__ import annotations\n", "syntax-error", 2, None, "__future__", "Correct the line"),
    "null bytes": (b"x = 1\ny = '\0'\n", "bad-encoding", 2, None, "null bytes", "plain text in UTF-8"),
    "not utf-8": (b"x = 1\ny = 'gr\xfc\xdfe'\n", "bad-encoding", 2, None, "", "Save the file as UTF-8"),
    "unknown coding": (b"# coding: klingon\n", "bad-encoding", 1, None, "klingon", "coding comment"),
    "utf-16": ("x = 1".encode("utf-16"), "bad-encoding", 1, None, "", "UTF-8"),
    "raises": ("import os\nx = 1 / 0\n", "import-raises", 2, 5, "raises ZeroDivisionError: division by zero", "Mend this line"),
    "raises in a function": ("def f():\n    raise ValueError('no')\n\nf()\n", "import-raises", 2, 5, "ValueError: no", "Mend this line"),
    "raises in the library": ("import json\njson.loads('{')\n", "import-raises", 2, 1, "JSONDecodeError", "Mend this line"),
    "name error": ("def f(): pass\ng()\n", "import-raises", 2, 1, "NameError: name 'g' is not defined", "spelling"),
    "recursion": ("def f(): return f()\n\nf()\n", "import-raises", 1, None, "RecursionError", "calls itself without end"),
    "memory": ("raise MemoryError\n", "import-raises", 1, 1, "MemoryError", "when a tool is called"),
    "exits": ("import sys\nsys.exit(3)\n", "import-exits", 2, 1, "exits: SystemExit: 3", '__name__ == "__main__"'),
    "interrupts": ("raise KeyboardInterrupt\n", "import-raises", 1, 1, "KeyboardInterrupt", "Mend this line"),
    "no such package": ("import nowhere_to_be_found\n", "module-not-found", 1, 1, "no module named 'nowhere_to_be_found'", "packages are not available yet"),
    "misspelt helper": ("x = 1\nimport helpr\n", "module-not-found", 2, 1, "no module named 'helpr'", "Did you mean 'helper'"),
    "no such part": ("import package.inner\n", "module-not-found", 1, 1, "no module named 'package.inner'", "has no 'inner'"),
    "no such name": ("from helper import nothing\n", "import-raises", 1, 1, "cannot import name 'nothing' from 'helper' (helper.py)", "spelling of what is imported"),
    "broken helper": ("x = 1\nimport broken_helper\n", "import-raises", 2, 1, "SyntaxError: invalid syntax (broken_helper.py, line 2)", "Mend that file first"),
    "helper raises": ("import raising_helper\n", "import-raises", 1, 1, "ValueError: inside (raised in raising_helper.py, line 3)", "Mend this line"),
    "missing data": ("open('data.json')\n", "import-raises", 1, 1, "FileNotFoundError", "Path(__file__).parent"),
    "circular": ("import circle\n", "import-raises", 1, 1, "from partially initialized module", "do not import each other"),
    "prints for ever": ("x = 1\nwhile True: print('x' * 1000)\n", "import-prints", 2, None, "more than 1 MB", "Take the printing out"),
    "one huge print": ("print('x' * 100_000_000)\n", "import-prints", 1, None, "more than 1 MB", "Take the printing out"),
    "swallows": ("try:\n    print('x' * 2_000_000)\nexcept BaseException: pass\nTOOL_SPECS = []\n", "import-prints", 2, None, "more than 1 MB", "Take the printing out"),
    "prints in a helper": ("import printing_helper\n", "import-prints", 1, None, "more than 1 MB", "Take the printing out"),
    "stderr": ("import sys\nsys.stderr.write('x' * 1_000_001)\n", "import-prints", 2, None, "more than 1 MB", "Take the printing out"),
    "specs not a list": ("x = 1\nTOOL_SPECS = {'a': 1}\n", "specs-not-list", 2, 1, "TOOL_SPECS is a dict", "also for one tool"),
    "unspeakable": ("class E(Exception):\n    def __str__(self): raise RuntimeError\nraise E\n", "import-raises", 3, 1, "E: <its message cannot be shown>", "Mend this line"),
    "odd columns": ("é = '😀'; raise ValueError('é')\n", "import-raises", 1, 10, "ValueError: é", "Mend this line"),
}
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
        for name, (text, code, line, column, message, hint) in BROKEN.items():
            with self.subTest(name=name):
                host = self.open({"broken.py": text, **BESIDE})
                report = host.inspect("broken.py")
                self.assertEqual((report["tools"], report["noSpecs"], len(report["problems"])), ([], False, 1), report)
                (problem,) = report["problems"]
                self.assertEqual((problem["severity"], problem["code"], problem["file"]), ("error", code, "broken.py"), problem)
                self.assertEqual(problem["line"], line, problem)
                if column is not None:
                    self.assertEqual(problem["column"], column, problem)
                self.assertIn(message, problem["message"])
                self.assertIn(hint, problem["hint"])
                self.assertTrue(problem["expected"])
                self.assertNotIn(host.root, problem["message"])
                self.assertEqual([tool["name"] for tool in host.inspect("good.py")["tools"]], ["good:f"])
                self.assertEqual(host.call("good:f")["content"], [{"type": "text", "text": "good"}])

    def test_a_file_that_cannot_be_compiled_for_its_depth_is_an_error(self):
        host = self.open("x = " + "(" * 500 + ")" * 500)
        (problem,) = host.inspect("t.py")["problems"]
        self.assertIn("too many nested parentheses", problem["message"])

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
        self.assertIn("belongs to Python's standard library but is not available in the browser", problem["hint"])


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
