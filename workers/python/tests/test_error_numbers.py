"""System errors have Linux's text, whatever their numbers in this Python."""

import errno
import sys
import unittest

from cloche import error_numbers

from .host import HostCase, text_of

CODE = """
import errno, os
def missing(): return open("nope.txt").read()
def folder(): return open(os.getcwd())
def exists(): os.mkdir("made"); os.mkdir("made")
def renamed(): os.rename("nope", "there")
def power(): return 10.0 ** 400
def told():
    try: open("nope.txt")
    except OSError as error: return [f"{error}", repr(error), error.errno == errno.ENOENT]
def raised(): raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "x.txt")
def own_number(): raise FileNotFoundError(2, "No such file or directory", "x.txt")
def own_words(): raise OSError("disk on fire")
class Mine(PermissionError): pass
def own_class(): raise Mine(errno.EACCES, os.strerror(errno.EACCES))
def own_overflow(): raise OverflowError("too much")
"""
ERRORS = {
    "missing": "FileNotFoundError: [Errno 2] No such file or directory: 'nope.txt'",
    "exists": "FileExistsError: [Errno 17] File exists: 'made'",
    "renamed": "FileNotFoundError: [Errno 2] No such file or directory: 'nope' -> 'there'",
    "power": "OverflowError: (34, 'Numerical result out of range')",
    "raised": "FileNotFoundError: [Errno 2] No such file or directory: 'x.txt'",
    "own_number": "FileNotFoundError: [Errno 2] No such file or directory: 'x.txt'",
    "own_words": "OSError: disk on fire",
    "own_class": "Mine: [Errno 13] Permission denied",
    "own_overflow": "OverflowError: too much",
}


@unittest.skipUnless(sys.platform in ("linux", "emscripten"), "other systems have words of their own")
class ErrorNumbersTest(HostCase):
    def setUp(self):
        error_numbers.install()
        self.host = self.open_tools(CODE, *ERRORS, "folder", "told")

    def test_each_is_worded_as_on_linux(self):
        for name, error in ERRORS.items():
            with self.subTest(name=name):
                result = self.host.call(f"t:{name}")
                self.assertEqual(result["error"], error)
                self.assertEqual(result["traceback"].splitlines()[-1].removeprefix("t."), error)
        error = self.host.call("t:folder")["error"]
        self.assertTrue(error.startswith("IsADirectoryError: [Errno 21] Is a directory: "), error)

    def test_a_tool_that_catches_one_reads_the_same(self):
        self.assertEqual(
            text_of(self.host.call("t:told")),
            """["[Errno 2] No such file or directory: 'nope.txt'", """
            """"FileNotFoundError(2, 'No such file or directory')", true]""",
        )

    def test_what_the_system_did_not_say_stays(self):
        self.assertIsNone(error_numbers.words_on_linux(errno.ENOENT, "in other words"))
        self.assertIsNone(error_numbers.words_on_linux("44", "No such file or directory"))
        self.assertIsNone(error_numbers.words_on_linux(99_999, "Unknown error"))

    def test_installing_twice_changes_nothing(self):
        error_numbers.install()
        self.assertEqual(self.host.call("t:missing")["error"], ERRORS["missing"])
