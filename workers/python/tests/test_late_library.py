"""An import from an archive that is still arriving waits for it."""

import asyncio
import importlib
import os
import sys
import tempfile
import unittest
import zipfile
import zipimport
from unittest import mock

from cloche import browser, late_library


class LateLibraryTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.archive = os.path.join(folder.name, "library.zip")
        with zipfile.ZipFile(self.archive, "w") as archive:
            archive.writestr("arrived_early.py", "here = True")
            self.place = archive.fp.tell()
            archive.writestr("arrived_late.py", "here = True")
            self.end = archive.fp.tell()
        with open(self.archive, "r+b") as archive:
            archive.seek(self.place)
            self.rest = archive.read(self.end - self.place)
            archive.seek(self.place)
            archive.write(bytes(len(self.rest)))
        sys.path.insert(0, self.archive)
        self.addCleanup(sys.path.remove, self.archive)
        for name in ("arrived_early", "arrived_late"):
            self.addCleanup(sys.modules.pop, name, None)
        self.addCleanup(late_library.arrived)
        late_library.expect(self.archive, lambda: "arrival")

    def arrive(self, work: object) -> None:
        self.assertEqual(work, "arrival")
        with open(self.archive, "r+b") as archive:
            archive.seek(self.place)
            archive.write(self.rest)

    def test_an_import_of_what_is_missing_waits_and_other_imports_do_not(self) -> None:
        with mock.patch.object(browser, "can_wait", return_value=True), mock.patch.object(
            browser, "wait", side_effect=self.arrive
        ) as wait:
            self.assertTrue(importlib.import_module("arrived_early").here)
            with self.assertRaises(ModuleNotFoundError):
                importlib.import_module("not_in_the_archive")
            wait.assert_not_called()
            self.assertTrue(importlib.import_module("arrived_late").here)
            wait.assert_called_once()

    def test_code_that_cannot_wait_gets_an_error_that_says_why(self) -> None:
        with self.assertRaisesRegex(ImportError, "still being downloaded"):
            importlib.import_module("arrived_late")

    def test_nothing_waits_for_another_archive_that_is_damaged(self) -> None:
        late_library.expect("/another.zip", lambda: asyncio.sleep(0))
        with self.assertRaises(zipimport.ZipImportError):
            importlib.import_module("arrived_late")

    def test_afterwards_python_reads_as_before(self) -> None:
        expecting = zipimport._get_data
        late_library.arrived()
        self.assertIsNot(zipimport._get_data, expecting)
        self.assertEqual(zipimport._get_data.__module__, "zipimport")
