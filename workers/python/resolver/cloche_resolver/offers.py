"""The wheels of one package: those that can be used here, best first, and why others cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from cloche_vendor.packaging.specifiers import SpecifierSet
from cloche_vendor.packaging.utils import BuildTag, InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from cloche_vendor.packaging.version import InvalidVersion, Version

from .limits import FILENAME_CHARACTERS, LISTED_FILES
from .metadata import Metadata, read_metadata, read_python, read_version
from .python import Python
from .request import ORIGINS, Listed, Wheel

_NO_VERSION = Version("0")


@dataclass(frozen=True, eq=False)
class Offer:
    """One wheel that can be used."""

    name: str
    origin: str
    filename: str
    shown_version: str
    version: Version | None  # None if it cannot be compared, as with shared libraries
    metadata: Metadata | None = None  # None if not known yet, and for wheels of the distribution
    depends: tuple[str, ...] = ()
    yanked: bool = False
    order: tuple[object, ...] = ()  # sorts the offers of one origin: the preferred one is the greatest


class Refused(NamedTuple):
    """One file that cannot be used."""

    origin: str
    filename: str
    version: Version | None
    why: str  # "system", "source", "python", "metadata" or "unreachable"
    detail: str


@dataclass
class Shelf:
    """Everything that is known about one package."""

    offers: list[Offer] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)

    def sort(self) -> Shelf:
        """Puts the preferred offers first."""
        self.offers.sort(key=lambda one: (-ORIGINS.index(one.origin), *one.order), reverse=True)
        return self


class Named(NamedTuple):
    """The parts of a wheel's file name."""

    name: str
    version: Version
    build: BuildTag
    rank: int | None  # None if the wheel does not run here


def read_wheel_name(filename: str, python: Python) -> Named:
    """Parses a wheel's file name.

    Raises:
        ValueError: It is not the name of a wheel.
    """
    if len(filename) > FILENAME_CHARACTERS:
        raise ValueError("the file name is too long")
    name, version, build, tags = _parse_wheel_name(filename)
    return Named(name, version, build, python.rank(tags))


@lru_cache(maxsize=50_000)
def _parse_wheel_name(filename: str):
    """The parts of a wheel's file name, as packaging parses them. Raises ValueError."""
    try:
        return parse_wheel_filename(filename)
    except (InvalidWheelFilename, InvalidVersion, ValueError) as fault:
        raise ValueError("its name is not that of a wheel") from fault


def put_wheel(shelf: Shelf, wheel: Wheel, named: Named, python: Python) -> None:
    """Adds a wheel of the folder or of the site, whose METADATA is available."""

    def refuse(why: str, detail: str) -> None:
        shelf.refused.append(Refused(wheel.origin, wheel.filename, named.version, why, detail))

    if named.rank is None:
        return refuse("system", "")
    try:
        if wheel.metadata is None:
            raise ValueError("it is not a wheel, or it is damaged: its METADATA cannot be read")
        metadata = read_metadata(wheel.metadata)
        _compare_names(metadata, named)
    except ValueError as fault:
        return refuse("metadata", str(fault))
    if not python.suits(metadata.requires_python):
        return refuse("python", str(metadata.requires_python))
    version = str(named.version)
    order = (named.version, -named.rank, named.build, wheel.filename)
    shelf.offers.append(
        Offer(named.name, wheel.origin, wheel.filename, version, named.version, metadata, order=order)
    )


def put_distributed(shelf: Shelf, wheel: Wheel, python: Python) -> None:
    """Adds a wheel of the Pyodide distribution, which gives names of packages instead of METADATA."""
    name, shown_version = canonicalize_name(wheel.name or ""), wheel.version or ""
    try:
        version: Version | None = read_version(shown_version)
    except ValueError:
        version = None
    rank: int | None = 0
    if not wheel.tagless:
        try:
            rank = read_wheel_name(wheel.filename, python).rank
        except ValueError:
            rank = None
    if rank is None:
        shelf.refused.append(Refused(wheel.origin, wheel.filename, version, "system", ""))
        return
    order = (version or _NO_VERSION, -rank, (), wheel.filename)
    shelf.offers.append(
        Offer(name, wheel.origin, wheel.filename, shown_version, version, depends=wheel.depends, order=order)
    )


def put_listed(
    shelf: Shelf, files: Iterable[Listed], name: str, python: Python, metadata: dict[str, str], failed: dict[str, str]
) -> None:
    """Adds the files that the index lists for a project."""
    for file in [*files][:LISTED_FILES]:
        try:
            named = read_wheel_name(file.filename, python)
        except ValueError:
            shelf.refused.append(Refused("index", file.filename, None, "source", ""))
            continue
        if named.name != name:
            continue
        fault = _find_fault(file, named, python, failed)
        read: Metadata | None = None
        if fault is None and file.filename in metadata:
            read, fault = _read_listed(file, named, python, metadata[file.filename])
        if fault is not None:
            shelf.refused.append(fault)
            continue
        version = str(named.version)
        order = (named.version, -(named.rank or 0), named.build, file.filename)
        shelf.offers.append(
            Offer(name, "index", file.filename, version, named.version, read, yanked=file.yanked, order=order)
        )


def matching(offers: Iterable[Offer], specifier: SpecifierSet) -> list[Offer]:
    """The offers that a requirement accepts, in order; pre-releases by packaging's rules, for each source."""
    exact = any(one.operator in ("==", "===") and not one.version.endswith(".*") for one in specifier)
    fitting = [one for one in offers if (exact or not one.yanked) and satisfies(one, specifier)]
    if specifier.prereleases:
        return fitting
    final = {one.origin for one in fitting if not _is_early(one)}
    return [one for one in fitting if not _is_early(one) or one.origin not in final]


def satisfies(offer: Offer, specifier: SpecifierSet) -> bool:
    """Whether an offer's version is one of these."""
    return not specifier if offer.version is None else specifier.contains(offer.version, prereleases=True)


def versions(offers: Iterable[Offer]) -> Iterator[str]:
    """The offered versions, newest first, each once."""
    known = sorted({one.version for one in offers if one.version is not None}, reverse=True)
    return map(str, known)


def _is_early(offer: Offer) -> bool:
    """Whether an offer is a pre-release."""
    return offer.version is not None and offer.version.is_prerelease


def _find_fault(file: Listed, named: Named, python: Python, failed: dict[str, str]) -> Refused | None:
    """Why a file of the index cannot be used, as far as its listing tells; None if nothing speaks against it."""
    if named.rank is None:
        return Refused("index", file.filename, named.version, "system", "")
    suited = None if file.requires_python is None else read_python(file.requires_python)
    if not python.suits(suited):
        return Refused("index", file.filename, named.version, "python", str(suited))
    if file.filename in failed:
        return Refused("index", file.filename, named.version, "unreachable", failed[file.filename])
    return None


def _read_listed(
    file: Listed, named: Named, python: Python, text: str
) -> tuple[Metadata | None, Refused | None]:
    """The METADATA of a file of the index, or why the file cannot be used."""
    try:
        metadata = read_metadata(text)
        _compare_names(metadata, named)
    except ValueError as fault:
        return None, Refused("index", file.filename, named.version, "metadata", str(fault))
    if not python.suits(metadata.requires_python):
        return None, Refused("index", file.filename, named.version, "python", str(metadata.requires_python))
    return metadata, None


def _compare_names(metadata: Metadata, named: Named) -> None:
    """Raises ValueError if the METADATA is of another package or version."""
    if (metadata.name, metadata.version) != (named.name, named.version):
        raise ValueError(f"its METADATA is of {metadata.name} {metadata.version}")
