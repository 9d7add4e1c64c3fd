"""Finds the settings that a file declares, and passes their values to it: the valves of Open WebUI, and environment
variables. The user enters the values in the page."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .annotation_schemas import Schema, schema_of
from .fields import is_required, model_fields

Values = Mapping[str, Mapping[str, Any]]  # values by group and name

ENVIRONMENT = "environment"
_GROUPS = ("Valves", "UserValves")
_ATTRIBUTE = "__cloche_settings__"
_SETTINGS = 500
_VARIABLES = 100
_SECRET = frozenset(("key", "apikey", "token", "secret", "password", "passwd", "pwd", "credential", "credentials"))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Setting(NamedTuple):
    """One declared setting. The schema has its type, default and description; a secret has no default."""

    group: str  # "Valves", "UserValves" or "environment"
    name: str
    schema: Schema
    required: bool
    secret: bool


def is_secret(name: str, schema: Mapping[str, Any]) -> bool:
    """Whether a setting of this name holds a key or a password."""
    kinds = schema.get("type", "string")
    is_text = kinds == "string" or (isinstance(kinds, list) and "string" in kinds)
    return is_text and not _SECRET.isdisjoint(word.lower() for word in _WORD.findall(name))


def find_settings(owner: type) -> Iterator[Setting]:
    """The settings that a class declares in its classes Valves and UserValves; of each, at most the first 500."""
    for group in _GROUPS:
        kind = getattr(owner, group, None)
        fields = model_fields(kind) if isinstance(kind, type) else None
        if not fields:
            continue
        properties = schema_of(kind).get("properties", {})
        for name, field in list(fields.items())[:_SETTINGS]:
            schema = dict(properties.get(getattr(field, "alias", None) or name, {}))
            secret = is_secret(name, schema) or hasattr(field.annotation, "get_secret_value")
            if secret:
                schema.pop("default", None)
            yield Setting(group, name, schema, is_required(field), secret)


def describe_variable(name: str, default: str) -> Setting:
    """The setting of an environment variable. `default`: the default value in the file; "" if there is none."""
    schema: Schema = {"type": "string"}
    secret = is_secret(name, schema)
    return Setting(ENVIRONMENT, name, {**schema, "default": default} if default and not secret else schema, False, secret)


def describe_variables(defaults: Mapping[str, str], given: Mapping[str, Any]) -> list[Setting]:
    """The environment variables that the user may set. `defaults`: their defaults in the file, by name; `given`: the values
    that are set now."""
    names = [name for name in defaults if name in given or name not in os.environ]
    return [describe_variable(name, defaults[name]) for name in names[:_VARIABLES]]


def find_variables(text: str, given: Mapping[str, Any]) -> list[Setting]:
    """The environment variables that a file with TOOL_SPECS reads anywhere, by literal names."""
    from .source_reader import read_source

    reading = read_source(text)
    return describe_variables(reading.variables, given) if reading else []


def store_settings(owner: type, values: Values) -> None:
    """Stores the values on the class that declares the settings, for `add_valves` and `make_user_valves`."""
    setattr(owner, _ATTRIBUTE, values)


def add_valves(owner: type, instance: Any) -> Any:
    """The instance, with the valves that the user has set. Raises ValueError if they do not fit the declared types."""
    if _values_of(owner, "Valves"):
        instance.valves = _make_group(owner, "Valves")
    return instance


def make_user_valves(owner: Any) -> Any:
    """The UserValves with the values that are set; None if the class declares none. Raises ValueError as `add_valves` does."""
    return _make_group(owner, "UserValves") if isinstance(getattr(owner, "UserValves", None), type) else None


def _values_of(owner: Any, group: str) -> Mapping[str, Any]:
    values: Mapping[str, Any] = getattr(owner, _ATTRIBUTE, {}).get(group, {})
    return values


def _make_group(owner: Any, group: str) -> Any:
    values = _values_of(owner, group)
    try:
        return getattr(owner, group)(**values)
    except Exception:
        # The error of a model may have a secret in it.
        named = ", ".join(values)
        raise ValueError(f"the settings of {owner.__name__} do not fit: check {named or group}") from None


class Environment:
    """Sets the environment variables that are among the settings of all files."""

    def __init__(self) -> None:
        self._before: dict[str, str | None] = {}

    def set(self, files: Mapping[str, Values]) -> None:
        """Sets the variables of all files. A variable that is no longer among them gets its earlier value."""
        wanted = {name: str(value) for values in files.values() for name, value in values.get(ENVIRONMENT, {}).items()}
        for name, value in self._before.items():
            if name not in wanted and value is None:
                os.environ.pop(name, None)
            elif name not in wanted:
                os.environ[name] = str(value)
        self._before = {name: self._before.get(name, os.environ.get(name)) for name in wanted}
        os.environ.update(wanted)
