"""Reads what resolving needs from a wheel's METADATA: requirements, the Python version, extras."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.parser import HeaderParser
from functools import lru_cache

from cloche_vendor.packaging.requirements import Requirement
from cloche_vendor.packaging.specifiers import SpecifierSet
from cloche_vendor.packaging.utils import canonicalize_name
from cloche_vendor.packaging.version import Version

from .limits import DEPENDENCIES, HEADER_CHARACTERS, VERSION_CHARACTERS
from .requirement import parse_requirement, parse_specifier
from .wording import shown

_END = re.compile(r"\r?\n\r?\n")


@dataclass(frozen=True)
class Metadata:
    """The METADATA of a wheel."""

    name: str
    version: Version
    requires: tuple[Requirement, ...]
    requires_python: SpecifierSet | None
    extras: frozenset[str]


def read_metadata(text: str) -> Metadata:
    """Parses METADATA.

    Args:
        text: The whole file; its description may be long.

    Raises:
        ValueError: It cannot be used; the message says why.
    """
    end = _END.search(text, 0, HEADER_CHARACTERS)
    if end is None and len(text) > HEADER_CHARACTERS:
        raise ValueError("its METADATA is too long")
    headers = HeaderParser().parsestr(text if end is None else text[: end.start()])
    requires = headers.get_all("Requires-Dist", [])
    if len(requires) > DEPENDENCIES:
        raise ValueError(f"it asks for {len(requires):,} packages")
    # The name is not validated here: it is only compared with the name of the wanted package, which has been validated.
    name, version = headers.get("Name"), headers.get("Version")
    if name is None or version is None:
        raise ValueError("its METADATA has no name or no version")
    python = headers.get("Requires-Python")
    return Metadata(
        name=canonicalize_name(str(name).strip()),
        version=read_version(str(version).strip()),
        requires=tuple(_requirement(str(one)) for one in requires),
        requires_python=None if python is None else read_python(str(python)),
        extras=frozenset(canonicalize_name(str(one).strip()) for one in headers.get_all("Provides-Extra", [])),
    )


@lru_cache(maxsize=50_000)
def read_version(text: str) -> Version:
    """The version in a text.

    Raises:
        ValueError: It is not a version.
    """
    if len(text) > VERSION_CHARACTERS:
        raise ValueError(f"{shown(text)} is not a version")
    return Version(text)


@lru_cache(maxsize=1_000)
def read_python(text: str) -> SpecifierSet | None:
    """The versions of Python that a package asks for; None for any, or if the text is invalid, as in pip."""
    try:
        return parse_specifier(text)
    except ValueError:
        return None


def _requirement(text: str) -> Requirement:
    text = " ".join(text.split())
    try:
        return parse_requirement(text)
    except ValueError as fault:
        raise ValueError(f"its METADATA asks for {shown(text)}, which is not a valid requirement: {fault}") from None
