"""A stand-in for typing_extensions: the names of Python's typing, and the few that it does not have yet."""

from __future__ import annotations

import typing
import warnings
from collections.abc import Mapping
from typing import Any

from .marking import make_record


def list_names(module: str) -> Mapping[str, Any]:
    deprecated = getattr(warnings, "deprecated", lambda *given, **named: lambda function: function)
    found = {name: getattr(typing, name) for name in typing.__all__}
    missing = {
        "Doc": make_record("Doc", "documentation"),
        "deprecated": deprecated,
        "override": lambda function: function,
        "Self": Any,
        "TypeAliasType": getattr(typing, "TypeAliasType", Any),
        "NoDefault": object(),
    }
    return {**missing, **found}
