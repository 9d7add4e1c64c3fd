"""The request: what is asked for, and what is known so far. Only Cloche sends it, so errors in it raise TypeError."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from cloche_vendor.packaging.utils import canonicalize_name

ORIGINS = ("folder", "site", "distribution", "index")  # the preferred ones first


@dataclass(frozen=True)
class Source:
    """A file that may ask for packages."""

    file: str
    text: str


@dataclass(frozen=True)
class Wheel:
    """A wheel that is available without the index. Wheels of the distribution give names of packages, not METADATA."""

    origin: str
    filename: str
    name: str | None
    version: str | None
    metadata: str | None
    depends: tuple[str, ...]
    tagless: bool


@dataclass(frozen=True)
class Listed:
    """One file of a project on the index."""

    filename: str
    requires_python: str | None
    yanked: bool


@dataclass(frozen=True)
class Request:
    """The whole request; see `read_request`."""

    platforms: tuple[str, ...]
    environment: dict[str, str]
    sources: tuple[Source, ...]
    wheels: tuple[Wheel, ...]
    projects: dict[str, tuple[Listed, ...] | None]
    unreachable: dict[str, str]
    metadata: dict[str, str]
    bad_metadata: dict[str, str]
    may_fetch: bool


def read_request(text: str) -> Request:
    """The request as records.

    Args:
        text: JSON; this folder's README describes it.

    Raises:
        TypeError: It has another shape.
    """
    try:
        given = json.loads(text)
    except ValueError as fault:
        raise TypeError(f"the request is not JSON: {fault}") from None
    _expect(dict, given, "the request")
    return Request(
        platforms=_read_texts(given.get("platforms", []), "platforms"),
        environment=_read_named_texts(given.get("environment", {}), "environment"),
        sources=tuple(Source(_read_text(one, "file"), _read_text(one, "text")) for one in _read_records(given, "sources")),
        wheels=tuple(_read_wheel(one) for one in _read_records(given, "wheels")),
        projects={
            canonicalize_name(name): None if files is None else tuple(_read_listed(one) for one in _expect(list, files, name))
            for name, files in _expect(dict, given.get("projects", {}), "projects").items()
        },
        unreachable={
            canonicalize_name(name): why
            for name, why in _read_named_texts(given.get("unreachable", {}), "unreachable").items()
        },
        metadata=_read_named_texts(given.get("metadata", {}), "metadata"),
        bad_metadata=_read_named_texts(given.get("badMetadata", {}), "badMetadata"),
        may_fetch=_expect(bool, given.get("mayFetch"), "mayFetch"),
    )


def _read_wheel(given: dict[str, Any]) -> Wheel:
    origin = _read_text(given, "from")
    if origin not in ORIGINS[:3]:
        raise TypeError(f"a wheel cannot be from {origin!r}")
    depends = given.get("depends")
    return Wheel(
        origin=origin,
        filename=_read_text(given, "filename"),
        name=_read_optional_text(given, "name"),
        version=_read_optional_text(given, "version"),
        metadata=_read_optional_text(given, "metadata"),
        depends=() if depends is None else _read_texts(depends, "depends"),
        tagless=given.get("tagless") is True,
    )


def _read_listed(given: object) -> Listed:
    record = _expect(dict, given, "a file of a project")
    return Listed(_read_text(record, "filename"), _read_optional_text(record, "requiresPython"), record.get("yanked") is True)


def _expect(kind: type, value: Any, what: str) -> Any:
    """The value, if it is of this type. Raises TypeError."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} must be a {kind.__name__}, not a {type(value).__name__}")
    return value


def _read_records(given: dict[str, Any], key: str) -> list[dict[str, Any]]:
    return [_expect(dict, one, f"an entry of {key}") for one in _expect(list, given.get(key, []), key)]


def _read_text(given: dict[str, Any], key: str) -> str:
    return _expect(str, given.get(key), key)


def _read_optional_text(given: dict[str, Any], key: str) -> str | None:
    return None if given.get(key) is None else _read_text(given, key)


def _read_texts(given: Any, key: str) -> tuple[str, ...]:
    return tuple(_expect(str, one, f"an entry of {key}") for one in _expect(list, given, key))


def _read_named_texts(given: Any, key: str) -> dict[str, str]:
    return {name: _expect(str, text, f"an entry of {key}") for name, text in _expect(dict, given, key).items()}
