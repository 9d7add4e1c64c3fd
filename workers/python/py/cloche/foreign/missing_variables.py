"""Gives missing environment variables a placeholder while a file is imported, and notes their names.

Many files read the key of a service when they are imported, although only one of their tools needs it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from types import FrameType

from .loaded_file import Note

_PLACEHOLDER = "not-set"
_MAPPING_FILE = Mapping.get.__code__.co_filename


class MissingVariables:
    """A context in which `os.environ["X"]` gives the placeholder. `os.getenv("X")` finds nothing, unless `are_given`.

    Only files of the folder get the placeholder: packages that they import read variables of their own.
    """

    def __init__(self, root: str) -> None:
        self._root = root + "/"
        self._subscripted: dict[str, int] = {}  # variables that got the placeholder, with the line that asked
        self.looked_for: dict[str, int] = {}  # variables that `get` has not found
        self.are_given = False

    def __enter__(self) -> MissingVariables:
        variables = self
        self._kind = type(os.environ)

        class Lenient(self._kind):  # type: ignore[name-defined, misc]
            def __getitem__(self, name: str) -> str:
                try:
                    return super().__getitem__(name)
                except KeyError:
                    if not isinstance(name, str) or not variables._gives(name, sys._getframe(1)):
                        raise
                    return _PLACEHOLDER

        os.environ.__class__ = Lenient  # type: ignore[assignment]
        return self

    def __exit__(self, *ended: object) -> None:
        os.environ.__class__ = self._kind  # type: ignore[assignment]

    def list_names(self) -> list[str]:
        """The variables that the file asked for, and that are not set."""
        return [*self._subscripted, *self.looked_for]

    def list_notes(self) -> list[Note]:
        """Notes about the variables that the file read as items of os.environ and that are not set."""
        hint = f"Tools that use it get the placeholder “{_PLACEHOLDER}”."
        return [
            Note("needs-variable", line, f"the file reads the environment variable {name}, which is not set here", "variables that are set", hint)
            for name, line in self._subscripted.items()
        ]

    def _gives(self, name: str, frame: FrameType) -> bool:
        """Whether a lookup of a missing variable finds the placeholder. Notes the variable, and the line that asks.

        `frame`: the code that looks the variable up, which is a method of Mapping for `get` and `in`.
        """
        if frame.f_code.co_filename != _MAPPING_FILE:
            if not self._is_in_folder(frame):
                return False
            self._subscripted.setdefault(name, frame.f_lineno)
            return True
        # Only `get` without a default may find a value.
        if frame.f_code.co_name != "get" or frame.f_locals.get("default") is not None:
            return False
        caller = frame.f_back
        if caller is not None and caller.f_code.co_name == "getenv":
            caller = caller.f_back
        if caller is None or not self._is_in_folder(caller):
            return False
        (self._subscripted if self.are_given else self.looked_for).setdefault(name, caller.f_lineno)
        return self.are_given

    def _is_in_folder(self, frame: FrameType) -> bool:
        return frame.f_code.co_filename.startswith(self._root)
