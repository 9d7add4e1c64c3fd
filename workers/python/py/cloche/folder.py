"""The open tools folder: imports each file once, and forgets changed files."""

from __future__ import annotations

import importlib.abc
import linecache
import os
import re
import sys
from collections.abc import Mapping
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from .dependencies import Dependencies
from .module_names import ModuleName, invalidate_caches, module_name, private_name
from .source_text import source_text
from .streams import Scope, Sink

if TYPE_CHECKING:
    from .foreign.loaded_file import Unmarked
    from .foreign.loading import ForeignFile
    from .foreign.settings import Environment, Setting, Values
    from .foreign.stand_ins import StandIns


NO_SPECS = object()  # stands for a missing TOOL_SPECS
_REGISTER = re.compile(r"^(?:async )?def register\(\s*app\b", re.MULTILINE)  # makes a file an extension
# Names of files that other programs run at once, as in src/runtime/folder/tool-files.ts: importing them would run tests or
# install packages, and they are never tool files because of a framework.
_TEST_FILE = re.compile(r"(?:tests?|test_.*|.*_tests?|run_?tests|conftest|setup|(?:site|user)customize)\.py\Z")


class ToolFile(NamedTuple):
    """A tool file that has been imported."""

    stem: str
    module: ModuleType
    shadowed: str
    foreign: ForeignFile | None = None

    @property
    def entries(self) -> object:
        """Returns the file's TOOL_SPECS, or inferred specs if it has none; NO_SPECS if nothing can be inferred."""
        found = vars(self.module).get("TOOL_SPECS", NO_SPECS) if isinstance(self.module, ModuleType) else NO_SPECS
        return self.foreign.specs if found is NO_SPECS and self.foreign and self.foreign.specs else found


class Folder:
    """A tools folder below `root`, an absolute path. It is the last entry of sys.path and the working directory.

    `functions_are_tools`: typed functions of a file without specs become tools, if nothing in the file marks tools.
    """

    def __init__(self, root: str, functions_are_tools: bool = False) -> None:
        self.root = os.path.abspath(root)
        self._unmarked: Unmarked = "if-none" if functions_are_tools else "never"
        self.dependencies = Dependencies(self.root)
        self._loaded: dict[str, ToolFile] = {}
        self._loading: set[str] = set()  # files whose imported files are being loaded
        self._stand_ins: StandIns | None = None
        self._settings: Mapping[str, Values] = {}
        self._environment: Environment | None = None
        self.scope = Scope()
        # An empty entry means the working directory, and would put the folder before the standard library.
        sys.path[:] = [entry for entry in sys.path if entry not in ("", ".", self.root)] + [self.root]
        sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _OwnPackage)] + [_OwnPackage(self.root)]
        self.refresh()

    def refresh(self) -> None:
        """Makes Python find files that were added later."""
        os.chdir(self.root)
        invalidate_caches()
        self.dependencies.invalidate_caches()

    def path_of(self, file: str) -> str:
        """The absolute path of a file given relative to the folder."""
        return os.path.join(self.root, file)

    def read(self, file: str) -> bytes:
        """The file's bytes. Raises OSError."""
        with open(self.path_of(file), "rb", buffering=0) as opened:
            return opened.read()

    def load(self, file: str, output: Sink, source: bytes | None = None, unmarked: Unmarked | None = None) -> ToolFile:
        """Imports `file`, unless this interpreter already has it. Printed text goes to `output`.

        `unmarked`: when typed functions become tools that nothing marks; by default, as the folder has it.

        Raises whatever the file raises.
        """
        known = self._loaded.get(file)
        if known:
            return known
        path = self.path_of(file)
        stem = file.removesuffix(".py")
        chosen = module_name(stem, path, self.root)
        module = sys.modules.get(chosen.name)
        if module is None or getattr(module, "__file__", None) != path:
            data = self.read(file) if source is None else source
            foreign, module = None, None
            if is_candidate(data):
                self._load_imported(file, data, output)
                module, foreign = self.scope.run(output, self._import_foreign, chosen, path, stem, data, unmarked or self._unmarked)
            else:
                module = self.scope.run(output, _import, chosen, path, data)
            loaded = ToolFile(stem, module, chosen.shadowed, foreign)
        else:
            loaded = ToolFile(stem, module, chosen.shadowed)
        self._loaded[file] = loaded
        return loaded

    def _load_imported(self, file: str, source: bytes, output: Sink) -> None:
        """Loads the tool files that a file imports, before the file itself: an import statement alone would run them without
        stand-ins, and would not find their tools."""
        self._loading.add(file)
        try:
            for needed in self.dependencies.imports_run_by(file, source_text(source)):
                if "/" in needed or needed.startswith(("_", ".")) or _TEST_FILE.match(needed) or needed in self._loading:
                    continue
                try:
                    self.load(needed, output)
                except (Exception, SystemExit):
                    continue  # the import statement raises the error again, if it runs
        finally:
            self._loading.discard(file)

    def _import_foreign(
        self, chosen: ModuleName, path: str, stem: str, source: bytes, unmarked: Unmarked
    ) -> tuple[ModuleType, ForeignFile | None]:
        from .foreign.loaded_file import Options
        from .foreign.loading import load_foreign
        from .foreign.stand_ins import StandIns

        if self._stand_ins is None:
            self._stand_ins = StandIns(self.root)

        options = Options(unmarked, self._settings.get(f"{stem}.py", {}))

        def run(
            *, names: dict[str, object] | None = None, begun: list[ModuleType] | None = None, is_private: bool = False
        ) -> ModuleType:
            return _import(private_name(stem) if is_private else chosen, path, source, names, begun)

        return load_foreign(source_text(source), stem, path, self.root, self._stand_ins, run, options)

    def find_variables(self, file: str, text: str) -> list[Setting]:
        """Finds the environment variables that a file with TOOL_SPECS reads and that the user may set.

        A file that defines `register(app)` has none, since extensions run in their own interpreters, which get no settings.
        """
        if ("environ" not in text and "getenv" not in text) or _REGISTER.search(text):
            return []
        from .foreign.settings import ENVIRONMENT, find_variables

        return find_variables(text, self._settings.get(file, {}).get(ENVIRONMENT, {}))

    def set_settings(self, files: Mapping[str, Values]) -> list[str]:
        """Sets the values of the settings that files declare, and drops files whose values have changed, as `forget`."""
        from .foreign.settings import Environment

        self._environment = self._environment or Environment()
        self._environment.set(files)
        changed = [file for file in {*files, *self._settings} if files.get(file) != self._settings.get(file)]
        self._settings = files
        return self.forget(changed)

    def has(self, file: str) -> bool:
        """Whether this interpreter has imported the file."""
        return file in self._loaded

    def unload(self, file: str) -> None:
        """Drops one file's module, as Python does if an import fails."""
        known = self._loaded.pop(file, None)
        if known:
            sys.modules.pop(known.module.__name__, None)

    def forget(self, files: list[str]) -> list[str]:
        """Drops the modules of these files and of all files that import them, so that they are imported again.

        Returns the files dropped. A running call keeps the code that it started with.
        """
        dropped = self.dependencies.dependents(files)
        for name in dropped:
            module = sys.modules.pop(name, None)
            package, _, last = name.rpartition(".")
            parent = sys.modules.get(package)
            # The package must not keep the old module, which `from package import module` would find.
            if parent is not None and module is not None and vars(parent).get(last) is module:
                delattr(parent, last)
        gone = {*files, *dropped.values()}
        for file in gone:
            self._loaded.pop(file, None)
            linecache.cache.pop(self.path_of(file), None)
        self.dependencies.forget(gone)
        invalidate_caches()
        return sorted(gone)

    def files_came_or_went(self) -> None:
        """Files have been added or removed."""
        self.dependencies.reread()


class _OwnPackage(importlib.abc.MetaPathFinder):
    """Finds the folder itself as a package, if it is one, so that the files of a folder `shop` may say `from shop.prices import …`."""

    def __init__(self, root: str) -> None:
        self._root, self._name = root, os.path.basename(root)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        start = f"{self._root}/__init__.py"
        if name != self._name or not os.path.isfile(start) or os.path.exists(f"{self._root}/{name}.py"):
            return None
        return spec_from_file_location(name, start, submodule_search_locations=[self._root])


def is_candidate(source: bytes) -> bool:
    """Whether the file has no specs, so that tools may have to be inferred."""
    return b"TOOL_SPECS" not in source


def _import(
    chosen: ModuleName,
    path: str,
    source: bytes,
    names: Mapping[str, object] | None = None,
    begun: list[ModuleType] | None = None,
) -> ModuleType:
    code = compile(source, path, "exec", dont_inherit=True)
    spec = spec_from_file_location(chosen.name, path)
    if spec is None:
        raise ImportError(f"{path} is not a Python file")
    module = module_from_spec(spec)
    vars(module).update(names or {})
    if begun is not None:
        begun.append(module)
    sys.modules[chosen.name] = module
    spec._initializing = True  # so that Python can say "most likely due to a circular import"
    try:
        exec(code, vars(module))
    except BaseException:
        sys.modules.pop(chosen.name, None)
        raise
    finally:
        spec._initializing = False
    # A module may replace itself with another one.
    return sys.modules.get(chosen.name, module)
