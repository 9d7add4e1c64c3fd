"""Validators of models in the stand-in for pydantic: decorators that mark them, and the calls that run them."""

from __future__ import annotations

from typing import Any

from .marking import Record


class _Validator:
    """A function that checks or changes a value of a model, as the class body defines it.

    `subject`: "field" or "model". `mode`: "before" or "after" the value is converted. `names`: fields, or "*".
    """

    def __init__(self, function: Any, subject: str, mode: str, names: tuple[str, ...]) -> None:
        self.function = function.__func__ if isinstance(function, (classmethod, staticmethod)) else function
        self.subject, self.mode, self.names = subject, mode, names

    def __get__(self, instance: Any, kind: type) -> Any:
        return self.function.__get__(kind if self.subject == "field" or instance is None else instance)


def field_validator(*names: str, mode: str = "after", **named: Any) -> Any:
    return lambda function: _Validator(function, "field", "before" if mode in ("before", "wrap") else "after", names)


def validator(*names: str, pre: bool = False, **named: Any) -> Any:
    """A validator of fields, as in version 1."""
    return lambda function: _Validator(function, "field", "before" if pre else "after", names)


def model_validator(*, mode: str = "after", **named: Any) -> Any:
    return lambda function: _Validator(function, "model", "before" if mode in ("before", "wrap") else "after", ())


def root_validator(*given: Any, pre: bool = False, **named: Any) -> Any:
    """A validator of all values, as in version 1; it runs before the fields are set."""

    def mark(function: Any) -> _Validator:
        return _Validator(function, "model", "before", ())

    return mark(given[0]) if given and callable(given[0]) else mark


def validate_field(kind: type, name: str, value: Any, mode: str) -> Any:
    """The value of a field, as its validators of this mode return it."""
    for one in _list_validators(kind, "field", mode):
        if name in one.names or "*" in one.names:
            called = one.function.__get__(kind)
            takes_info = one.function.__code__.co_argcount > 2
            value = called(value, Record(data={}, field_name=name)) if takes_info else called(value)
    return value


def validate_values(kind: type, values: dict[str, Any]) -> dict[str, Any]:
    """The values for a model, as its validators change them before the fields are set."""
    for one in _list_validators(kind, "model", "before"):
        changed = one.function.__get__(kind)(values)
        values = changed if isinstance(changed, dict) else values
    return values


def validate_model(model: Any) -> None:
    """Runs the validators of a model whose fields are set."""
    for one in _list_validators(type(model), "model", "after"):
        one.function.__get__(model, type(model))()


def _list_validators(kind: type, subject: str, mode: str) -> list[_Validator]:
    members = {name: value for base in reversed(kind.__mro__) for name, value in vars(base).items() if isinstance(value, _Validator)}
    return [one for one in members.values() if one.subject == subject and one.mode == mode]
