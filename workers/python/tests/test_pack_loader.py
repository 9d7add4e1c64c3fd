"""The loader as packed by the build: compiled, without sources, and recognised by its frames."""

import importlib
import io
import json
import os
import sys
import tempfile
import unittest
import zipfile

from pack_loader import pack

SOURCES = json.dumps({"packed_loader/__init__.py": "", "packed_loader/one.py": "def f(): return {'a', 'b'}\n"})


class PackLoaderTest(unittest.TestCase):
    def test_is_imported_from_the_archive_and_its_frames_say_so(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = os.path.join(folder, "loader.zip")
            with open(archive, "wb") as opened:
                opened.write(pack(SOURCES, archive))
            sys.path.insert(0, archive)
            try:
                one = importlib.import_module("packed_loader.one")
            finally:
                sys.path.remove(archive)
                for name in ("packed_loader", "packed_loader.one"):
                    sys.modules.pop(name, None)
            self.assertEqual(one.f(), {"a", "b"})
            inside = os.path.join(archive, "packed_loader")
            self.assertEqual(os.path.dirname(one.__file__), inside)
            self.assertEqual(one.f.__code__.co_filename, f"{inside}/one.py")

    def test_docstrings_of_internal_modules_are_left_out(self):
        text = 'def f():\n    """Says what f does."""\n'
        for path, is_kept in (("cloche/foreign/one.py", False), ("cloche/foreign/framework_names/one.py", False), ("cloche/one.py", True)):
            with self.subTest(path), zipfile.ZipFile(io.BytesIO(pack(json.dumps({path: text}), "/loader.zip"))) as archive:
                self.assertEqual(b"Says what f does." in archive.read(f"{path}c"), is_kept)

    def test_is_the_same_each_time(self):
        self.assertEqual(pack(SOURCES, "/loader.zip"), pack(SOURCES, "/loader.zip"))
