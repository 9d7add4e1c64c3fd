"""Which files of the folder import which: told by their import statements, so that it is known of broken files too."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from importlib.util import resolve_name

from .source_text import source_text

# Begins with a literal, which Python's re finds fast; what stands before it on its line is looked at afterwards.
_IMPORT = re.compile(r"import\b[^\S\n]*(\([^)]*\)|(?:\\\n|[^\n#;])*)")
_BEFORE = re.compile(r"(?:^|[:;])\s*(?:from\s+(\.*[\w.]*)\s+)?$")
_NAME = re.compile(r"[\w.]+")


class Dependencies:
    """The imports among the files below `root`, read from their sources as they are asked for."""

    def __init__(self, root: str) -> None:
        self._root = root + "/"
        self._direct: dict[str, set[str]] = {}
        self._found: dict[str, str] = {}
        self._tops: frozenset[str] | None = None

    def imports_of(self, file: str, text: str | None = None) -> list[str]:
        """The files that `file` imports, directly or through other files of the folder.

        `text` is its source, where it is at hand.
        """
        if text is not None:
            self._direct[file] = self._read(file, text)
        seen = {file}
        waiting = [file]
        while waiting:
            for imported in self._imported(waiting.pop()) - seen:
                seen.add(imported)
                waiting.append(imported)
        return sorted(seen - {file})

    def dependents(self, files: Iterable[str]) -> dict[str, str]:
        """The loaded modules, name and file, that are these files or import one of them, directly or not."""
        changed = set(files)
        found: dict[str, str] = {}
        for name, module in list(sys.modules.items()):
            path = getattr(module, "__file__", None)
            if isinstance(path, str) and path.startswith(self._root):
                file = path[len(self._root) :]
                if file in changed or not changed.isdisjoint(self.imports_of(file)):
                    found[name] = file
        return found

    def forget(self, files: Iterable[str]) -> None:
        """Lets the sources of these files be read anew, and new files be found."""
        for file in files:
            self._direct.pop(file, None)
        self._found.clear()
        self._tops = None

    def _imported(self, file: str) -> set[str]:
        known = self._direct.get(file)
        if known is None:
            try:
                with open(self._root + file, "rb") as opened:
                    known = self._read(file, source_text(opened.read()))
            except OSError:
                known = set()
            self._direct[file] = known
        return known

    def _read(self, file: str, text: str) -> set[str]:
        package = file.rpartition("/")[0].replace("/", ".")
        named: set[str] = set()
        for one in _IMPORT.finditer(text):
            before = _BEFORE.search(text[text.rfind("\n", 0, one.start()) + 1 : one.start()])
            if before is None:
                continue
            base = before[1]
            if base is None:
                named.update(part.split(" as ")[0].strip() for part in one[1].split(","))
                continue
            if base.startswith("."):
                try:
                    base = resolve_name(base, package)
                except ImportError:  # outside a package
                    continue
            named.add(base)
            named.update(f"{base}.{part}" for part in _NAME.findall(one[1]))
        return {found for name in named for found in self._files_of(name)}

    def _files_of(self, name: str) -> list[str]:
        """The files that importing `name` runs: its own, and those of the packages around it."""
        top, *inner = name.split(".")
        if top not in self._top_names() or top in sys.stdlib_module_names:
            return []
        names = [top]
        for part in inner:
            names.append(f"{names[-1]}/{part}")
        return [file for one in names if (file := self._find(one))]

    def _find(self, name: str) -> str:
        known = self._found.get(name)
        if known is None:
            choices = (f"{name}/__init__.py", f"{name}.py")
            known = next((file for file in choices if os.path.isfile(self._root + file)), "")
            self._found[name] = known
        return known

    def _top_names(self) -> frozenset[str]:
        if self._tops is None:
            self._tops = frozenset(entry.removesuffix(".py") for entry in os.listdir(self._root))
        return self._tops
