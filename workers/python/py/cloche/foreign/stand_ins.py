"""Makes stand-ins importable while a file of another framework is imported, and only then.

`loading` enters a `StandIns` around the import. It finds a stand-in for a framework, and for a package that is not
installed; `stand_in_module` makes the module.
"""

from __future__ import annotations

import builtins
import functools
import importlib.abc
import importlib.util
import os
import sys
from importlib.machinery import ModuleSpec
from string import digits
from types import FrameType, ModuleType
from typing import Any

from .frameworks import LIBRARIES, NAMESPACES, TOP_NAMES, framework_of
from .marks import current_collector
from .package_names import ABOVE, FOLDER, write_as_imported
from .source_reader import read_source
from .stand_in_module import StandInModule, make_stand_in


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds stand-ins for what files below `root` import: for frameworks before all other finders, since the tools of a
    real framework would not be recognised; for missing packages after them."""

    def __init__(self, root: str) -> None:
        self._root = root + "/"
        self._depth = 0
        self._own: set[str] | None = None  # names in the folder, while a file is imported
        self._listed: set[str] = set()  # the same names, and the time of the folder's last change when they were listed
        self._listed_at = -1
        self._made: dict[str, ModuleType] = {}
        self._needed: set[tuple[str, str]] = set()  # files, with the modules that they need although they catch the failed import
        self._first = _BeforeInstalled(self)
        self._installed: dict[str, ModuleType] = {}  # installed frameworks, hidden while a file is imported

    def __enter__(self) -> StandIns:
        self._depth += 1
        if self._depth == 1:
            self._own = None
            # Hundreds of modules are loaded, usually none of a framework.
            loaded = [name for name in sys.modules if name.partition(".")[0] in TOP_NAMES and framework_of(name)]
            installed = [name for name in loaded if name.partition(".")[0] not in self.list_own_modules()]
            self._installed = {name: sys.modules.pop(name) for name in installed}
            sys.meta_path.insert(0, self._first)
            sys.meta_path.append(self)
        return self

    def __exit__(self, *ended: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self and finder is not self._first]
            # Files with TOOL_SPECS must not find stand-ins: a missing module is an error there.
            for name, module in self._made.items():
                if sys.modules.get(name) is module:
                    del sys.modules[name]
            sys.modules.update(self._installed)
            self._needed.clear()

    def need(self, path: str, module: str) -> bool:
        """Lets a file get the stand-in of a module whose failed import it catches. Returns False if the file already gets it."""
        needed = (path, module.partition(".")[0])
        is_new = needed not in self._needed
        self._needed.add(needed)
        return is_new

    def importing(self, name: str, *rest: Any, **named: Any) -> Any:
        """`__import__` for functions of the file that import a module of the framework when they are called."""
        with self:
            return builtins.__import__(name, *rest, **named)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The spec of a stand-in; None for a module that must be real, or whose absence the file handles itself."""
        top = name.partition(".")[0]
        parent = name.rpartition(".")[0]
        is_relative = parent == FOLDER or parent in ABOVE
        if path is not None and not is_relative and not isinstance(sys.modules.get(parent), StandInModule):
            return None
        importer = _find_importer()
        if importer is None or not importer.f_code.co_filename.startswith(self._root):
            # Stand-ins import nothing, so only files of the folder can ask.
            return None
        is_known = framework_of(name) is not None or top in LIBRARIES or name in NAMESPACES
        if not is_known and (self._must_be_real(top, importer) or self._is_optional(top, importer)):
            return None
        collector = current_collector()
        if collector is not None and name not in NAMESPACES and (is_relative or not name.startswith(f"{ABOVE[0]}.")):
            names = collector.used if is_known else collector.missing
            names.setdefault(write_as_imported(name) if is_relative else top)
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Returns the stand-in. The same one is returned each time, so that its classes stay the same."""
        if spec.name not in self._made:
            self._made[spec.name] = make_stand_in(spec.name)
        return self._made[spec.name]

    def exec_module(self, module: ModuleType) -> None:
        """Does nothing, because stand-ins are complete when they are made."""

    def list_own_modules(self) -> set[str]:
        """The names of the modules in the folder."""
        if self._own is None:
            self._own = self._list_folder()
        return self._own

    def _list_folder(self) -> set[str]:
        """Lists the folder again only if it has changed, as Python's own finders do: any file may have added a module."""
        from ..import_problems import local_modules

        try:
            changed_at = os.stat(self._root).st_mtime_ns
        except OSError:
            return set()
        if changed_at != self._listed_at:
            self._listed, self._listed_at = local_modules(self._root.rstrip("/")), changed_at
        return self._listed

    def imports_itself(self, top: str, importer: FrameType | None) -> bool:
        """Whether a file imports its own name: agents.py of a package means another module with `import agents`."""
        return importer is not None and importer.f_code.co_filename == f"{self._root}{top}.py"

    def _is_optional(self, top: str, importer: FrameType) -> bool:
        """Whether the file catches a failure of the import that is running."""
        if (importer.f_code.co_filename, top) in self._needed:
            return False
        try:
            with open(importer.f_code.co_filename, "rb") as opened:
                return importer.f_lineno in _list_guarded_lines(opened.read())
        except OSError:
            return False

    def _must_be_real(self, top: str, importer: FrameType) -> bool:
        """Whether a module belongs to the standard library or to this folder, or its name resembles one of these."""
        from ..wording import nearest

        if self.imports_itself(top, importer):
            return False
        if top in sys.stdlib_module_names:
            return True
        # Slips change a letter or two. In a large folder, more than these would make every name resemble another one.
        alike = nearest(top, [name for name in self.list_own_modules() if abs(len(name) - len(top)) < 2], cutoff=0.85)
        return alike is not None and (alike == top or alike.rstrip(digits) != top.rstrip(digits))  # shop2 is not shop


class _BeforeInstalled(importlib.abc.MetaPathFinder):
    """Finds the stand-ins of frameworks even if the framework is installed, but not if the folder has such a module."""

    def __init__(self, stand_ins: StandIns) -> None:
        self._stand_ins = stand_ins

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The spec of a stand-in; None for anything but a framework, or the name of the importing file itself."""
        top = name.partition(".")[0]
        is_own = top in self._stand_ins.list_own_modules()
        if not (self._stand_ins.imports_itself(top, _find_importer()) if is_own else framework_of(name)):
            return None
        return self._stand_ins.find_spec(name, path, target)


def _find_importer() -> FrameType | None:
    """The frame whose import statement is running."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and (
        "importlib" in frame.f_code.co_filename or frame.f_code.co_name == "importing" or frame.f_globals is globals()
    ):
        frame = frame.f_back
    return frame


@functools.lru_cache(maxsize=8)
def _list_guarded_lines(source: bytes) -> frozenset[int]:
    reading = read_source(source.decode("utf-8", "replace"))
    return reading.guarded if reading else frozenset()
