"""Turns values of a framework, models and dataclasses into plain JSON values, as frameworks do with results.

`results` uses it for what a tool returns, and stand-ins of models for model_dump().
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import pathlib
import uuid
from typing import Any

from .fields import model_fields
from .inert import Inert

_SCALARS = frozenset((str, int, float, bool, type(None)))
_DEPTH = 100


def make_plain(value: Any, depth: int = 0) -> Any:
    """Returns the value with models, dataclasses, enums, dates and sets as JSON values. Other values are unchanged.

    Bytes and objects that can show themselves are unchanged at the top level, because they are complete results.
    """
    kind = type(value)
    if kind in _SCALARS or depth > _DEPTH:
        return value
    if kind in (list, tuple, set, frozenset) or isinstance(value, (set, frozenset)):
        return [make_plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_make_key(key): make_plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, enum.Enum):
        return make_plain(value.value, depth + 1)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, (decimal.Decimal, uuid.UUID, pathlib.PurePath)):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: make_plain(getattr(value, field.name), depth + 1) for field in dataclasses.fields(value)}
    if model_fields(kind) is not None:
        dump = getattr(value, "model_dump", None) or getattr(value, "dict", None)
        return make_plain(dump(), depth + 1) if callable(dump) else value
    if isinstance(value, tuple):
        fields = getattr(kind, "_fields", None)
        if fields:
            return {name: make_plain(item, depth + 1) for name, item in zip(fields, value)}
        return [make_plain(item, depth + 1) for item in value]
    if isinstance(value, list):
        return [make_plain(item, depth + 1) for item in value]
    if kind is Inert or kind.__bases__ == (Inert,):
        str(value)  # a value that is missing raises an error that says why
        raise RuntimeError(f"the result contains a value of its framework ({kind.__name__}), which does nothing here: return a text, a number, a list or a dict")
    return value


def _make_key(key: Any) -> Any:
    if isinstance(key, enum.Enum):
        return key.value
    return key if type(key) in _SCALARS else str(key)
