"""One requirement as written in a file, such as `requests[socks]>=2.28; python_version > "3.8"`."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass

from cloche_vendor.packaging.requirements import Requirement
from cloche_vendor.packaging.specifiers import SpecifierSet
from cloche_vendor.packaging.utils import canonicalize_name

from .limits import REQUIREMENT_BRACKETS, REQUIREMENT_CHARACTERS, SPECIFIER_CHARACTERS
from .problems import THE_WHEEL_IN_WHEELS, Refusal
from .wording import shown

_EXPECTED = 'a requirement such as "requests>=2.28"'
# A path, a URL or the name of an archive.
_PLACE = re.compile(r"^(\.|/|~|[a-zA-Z]:\\|[a-z+]+://|git\+)|[/\\]|\.(whl|tar\.gz|zip)$")


@dataclass(frozen=True, eq=False)
class Asked:
    """A requirement of a file."""

    file: str
    line: int
    text: str
    requirement: Requirement
    hashes: frozenset[str] = frozenset()  # SHA-256 hashes, one of which the wheel must have; empty: any

    @property
    def name(self) -> str:
        """The package's canonical name."""
        return canonicalize_name(self.requirement.name)


def read_requirement(text: str) -> Requirement:
    """The requirement in a text.

    Raises:
        Refusal: It is not a requirement, or one that names a place.
    """
    text = text.strip()
    if len(text) > REQUIREMENT_CHARACTERS:
        message = f"the requirement {shown(text)} has {len(text):,} characters"
        raise Refusal(
            "bad-requirement", message, f"at most {REQUIREMENT_CHARACTERS:,} characters", "Shorten the requirement."
        )
    name = re.split(r"[;\s]", text, maxsplit=1)[0]
    if _PLACE.search(name):
        raise _refuse_place(text, None)
    try:
        requirement = parse_requirement(text)
    except ValueError as fault:
        message = f"{shown(text)} is not a valid requirement: {fault}"
        hint = "Write the package's name, then the versions that you accept."
        raise Refusal("bad-requirement", message, _EXPECTED, hint) from None
    if requirement.url is not None:
        raise _refuse_place(text, requirement.name)
    return requirement


def parse_requirement(text: str) -> Requirement:
    """The requirement in a text, also one of a package.

    Raises:
        ValueError: It is not a requirement; the message says why in one line.
    """
    if len(text) > REQUIREMENT_CHARACTERS or text.count("(") > REQUIREMENT_BRACKETS:
        raise ValueError("it is too long or too deeply nested")
    try:
        with warnings.catch_warnings():
            # Quoted text in markers is read like Python's, and a backslash in it may cause a warning.
            warnings.simplefilter("ignore")
            return Requirement(text)
    except SyntaxError:
        raise ValueError("a text in quotes cannot be read") from None
    except ValueError as fault:
        raise ValueError(str(fault).partition("\n")[0].lower() or "it cannot be read") from None


def parse_specifier(text: str) -> SpecifierSet:
    """The versions that a text such as ">=3.8, <4" stands for.

    Raises:
        ValueError: The text is invalid.
    """
    if len(text) > SPECIFIER_CHARACTERS:
        raise ValueError("it is too long")
    return SpecifierSet(text)


def _refuse_place(text: str, name: str | None) -> Refusal:
    """The error for a requirement that names a place. `name`: the package's name, if the requirement has it."""
    message = f"{shown(text)} names a place to install from, but only package names are supported"
    replacement = f"{shown(name)} here, without a place" if name else "the package's name here"
    hint = f"{THE_WHEEL_IN_WHEELS}, and write {replacement}."
    return Refusal("bad-requirement", message, _EXPECTED, hint)
