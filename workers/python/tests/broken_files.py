"""Tool files that are broken in every way that we have met."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Broken:
    """A broken file and its only expected problem: code and place, and some words of message and hint."""

    name: str
    text: str | bytes
    code: str
    place: tuple[int, int | None]  # line and column; None: they differ between Pythons
    message: str
    hint: str


BROKEN = (
    Broken("unclosed bracket", "x = (1,\ny = 2\n",
           "syntax-error", (1, 5), "'(' was never closed", "Close the bracket"),
    Broken("missing colon", "def f()\n    pass\n",
           "syntax-error", (1, 8), "SyntaxError: expected ':'", "Fix this line"),
    Broken("bad indent", "def f():\npass\n",
           "syntax-error", (2, 1), "IndentationError: expected an indented block", "four spaces"),
    Broken("unexpected indent", "x = 1\n    y = 2\n",
           "syntax-error", (2, None), "IndentationError: unexpected indent", "four spaces"),
    Broken("tabs and spaces", "if 1:\n        x = 1\n\ty = 2\n",
           "syntax-error", (3, None), "TabError: ", "spaces only"),
    Broken("python 2", "print 'x'\n",
           "syntax-error", (1, 1), "Missing parentheses", "Fix this line"),
    Broken("open string", "x = 'abc\n",
           "syntax-error", (1, 5), "unterminated string literal", "Fix this line"),
    Broken("return outside", "x = 1\nreturn x\n",
           "syntax-error", (2, None), "'return' outside function", "Fix this line"),
    Broken("await outside", "import asyncio\nawait asyncio.sleep(0)\n",
           "syntax-error", (2, None), "'await' outside function", "Fix this line"),
    Broken("late future", "x = 1\nfrom __future__ import annotations\n",
           "syntax-error", (2, None), "__future__", "Fix this line"),
    Broken("null bytes", b"x = 1\ny = '\x00'\n",
           "bad-encoding", (2, None), "null bytes", "plain text in UTF-8"),
    Broken("not utf-8", b"x = 1\ny = 'gr\xfc\xdfe'\n",
           "bad-encoding", (2, None), "", "Save the file as UTF-8"),
    Broken("unknown coding", b'# coding: klingon\n',
           "bad-encoding", (1, None), "klingon", "coding comment"),
    Broken("utf-16", "x = 1".encode("utf-16"),
           "bad-encoding", (1, None), "", "UTF-8"),
    Broken("raises", "import os\nx = 1 / 0\n",
           "import-raises", (2, 5), "raises ZeroDivisionError: division by zero", "Fix this line"),
    Broken("raises in a function", "def f():\n    raise ValueError('no')\n\nf()\n",
           "import-raises", (2, 5), "ValueError: no", "Fix this line"),
    Broken("raises in the library", "import json\njson.loads('{')\n",
           "import-raises", (2, 1), "JSONDecodeError", "Fix this line"),
    Broken("name error", "def f(): pass\ng()\n",
           "import-raises", (2, 1), "NameError: name 'g' is not defined", "spelling"),
    Broken("recursion", "def f(): return f()\n\nf()\n",
           "import-raises", (1, None), "RecursionError", "calls itself endlessly"),
    Broken("memory", "raise MemoryError\n",
           "import-raises", (1, 1), "MemoryError", "when a tool is called"),
    Broken("exits", "import sys\nsys.exit(3)\n",
           "import-exits", (2, 1), "exits: SystemExit: 3", '__name__ == "__main__"'),
    Broken("interrupts", "raise KeyboardInterrupt\n",
           "import-raises", (1, 1), "KeyboardInterrupt", "Fix this line"),
    Broken("no such package", "import nowhere_to_be_found\n",
           "module-not-found", (1, 1), "no module named 'nowhere_to_be_found'", "declare it at the top of this file"),
    Broken("misspelt helper", "x = 1\nimport helpr\n",
           "module-not-found", (2, 1), "no module named 'helpr'", "Did you mean 'helper'"),
    Broken("a package unlike any helper", "import helpdesk\n",
           "module-not-found", (1, 1), "no module named 'helpdesk'", "declare it at the top of this file"),
    Broken("no such part", "import package.inner\n",
           "module-not-found", (1, 1), "no module named 'package.inner'", "has no 'inner'"),
    Broken("no such name", "from helper import nothing\n",
           "import-raises", (1, 1), "cannot import name 'nothing' from 'helper' (helper.py)", "spelling of the imported name"),
    Broken("broken helper", "x = 1\nimport broken_helper\n",
           "import-raises", (2, 1), "SyntaxError: invalid syntax (broken_helper.py, line 2)", "Fix that file first"),
    Broken("helper raises", "import raising_helper\n",
           "import-raises", (1, 1), "ValueError: inside (raised in raising_helper.py, line 3)", "Fix this line"),
    Broken("missing data", "open('data.json')\n",
           "import-raises", (1, 1), "FileNotFoundError", "Path(__file__).parent"),
    Broken("circular", "import circle\n",
           "import-raises", (1, 1), "from partially initialized module", "do not import each other"),
    Broken("prints for ever", "x = 1\nwhile True: print('x' * 1000)\n",
           "import-prints", (2, None), "more than 1 MB", "Remove the output"),
    Broken("one huge print", "print('x' * 100_000_000)\n",
           "import-prints", (1, None), "more than 1 MB", "Remove the output"),
    Broken("swallows", "try:\n    print('x' * 2_000_000)\nexcept BaseException: pass\nTOOL_SPECS = []\n",
           "import-prints", (2, None), "more than 1 MB", "Remove the output"),
    Broken("prints in a helper", "import printing_helper\n",
           "import-prints", (1, None), "more than 1 MB", "Remove the output"),
    Broken("stderr", "import sys\nsys.stderr.write('x' * 1_000_001)\n",
           "import-prints", (2, None), "more than 1 MB", "Remove the output"),
    Broken("specs not a list", "x = 1\nTOOL_SPECS = {'a': 1}\n",
           "specs-not-list", (2, 1), "TOOL_SPECS is a dict", "even for one tool"),
    Broken("unspeakable", "class E(Exception):\n    def __str__(self): raise RuntimeError\nraise E\n",
           "import-raises", (3, 1), "E: <its message cannot be shown>", "Fix this line"),
    Broken("odd columns", "é = '😀'; raise ValueError('é')\n",
           "import-raises", (1, 10), "ValueError: é", "Fix this line"),
)
