"""Finds or creates the objects whose methods are tools, and notes why an object cannot be created.

Used while the tools are collected, and at the first call of a method.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from types import MethodType, ModuleType
from typing import Any

from .loaded_file import Note
from .marks import Collector, Mark
from .reading import Reading
from .settings import add_valves
from .unavailable import Unavailable


class Instances:
    """One object for each class of a file: the one that the file has made, or else a new one. Adds notes to `notes`."""

    def __init__(self, module: ModuleType, collector: Collector, reading: Reading, notes: list[Note]) -> None:
        self._module, self._collector, self._reading, self._notes = module, collector, reading, notes
        self._made: dict[type, Any] = {}

    def get(self, owner: type, needed: Iterable[str] = ()) -> Any:
        """The object of a class; creates it unless there is one. Raises what the constructor raises.

        `needed`: parameters of the constructor that get values which raise an error on use.
        """
        if owner not in self._made:
            instance = self.find_existing(owner)
            if instance is None:
                instance = owner(**{name: Unavailable(name) for name in needed})
            self._made[owner] = add_valves(owner, instance)
        return self._made[owner]

    def find_existing(self, owner: type) -> Any:
        """The object that the file has made; None if there is none."""
        return find_existing_object(self._module, self._collector, owner)

    def use(self, owner: type, instance: Any) -> None:
        """Uses this object for the class."""
        self._made[owner] = instance

    def find_maker(self, mark: Mark) -> Callable[[], Any] | None:
        """A function that returns the object whose method a tool is; None if it needs no object."""
        owner = mark.owner
        if owner is None or isinstance(mark.target, MethodType):
            return None
        if isinstance(inspect.getattr_static(owner, getattr(mark.target, "__name__", ""), None), staticmethod):
            return None
        # Read now: the stand-in for a class of a missing file answers only while the file is imported.
        needed = () if owner in self._made or self.find_existing(owner) is not None else list_constructor_parameters(owner)
        if needed:
            self.note_needed(owner)
        return lambda: self.get(owner, needed)

    def note_needed(self, owner: type) -> None:
        """Notes that only the application has the values which the constructor needs."""
        needed = ", ".join(list_constructor_parameters(owner))
        note = Note(
            "foreign-constructor",
            self._reading.defined.get(owner.__name__, 1),
            f"{owner.__name__} cannot be created: only the application knows {needed}",
            f"an object of {owner.__name__}, or defaults",
            f"Give {needed} a default, or create an object in the file: tools = {owner.__name__}(…).",
        )
        if note not in self._notes:
            self._notes.append(note)

    def note_failure(self, kind: type, fault: Exception) -> None:
        """Notes that the constructor raises an error."""
        self._notes.append(
            Note(
                "foreign-constructor",
                self._reading.defined.get(kind.__name__, 1),
                f"{kind.__name__} cannot be created: {type(fault).__name__}: {fault}",
                f"an object of {kind.__name__}",
                f"Give its parameters defaults, or create an object in the file: tools = {kind.__name__}(…).",
            )
        )


def find_existing_object(module: ModuleType, collector: Collector, owner: type) -> Any:
    """An object of exactly this class that the file has made, or given to an agent; None if there is none."""
    return next((value for value in [*vars(module).values(), *collector.listed] if type(value) is owner), None)


def list_constructor_parameters(owner: type) -> list[str]:
    """The parameters without which the class cannot be instantiated."""
    fields = getattr(owner, "model_fields", None)
    if isinstance(fields, dict) and fields and "__init__" not in vars(owner):
        return [name for name, field in fields.items() if field.is_required()]
    try:
        parameters = list(inspect.signature(owner.__init__).parameters.values())[1:]
    except (TypeError, ValueError):
        return []
    usual = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_ONLY)
    return [parameter.name for parameter in parameters if parameter.kind in usual and parameter.default is inspect.Parameter.empty]
