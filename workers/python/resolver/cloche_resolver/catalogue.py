"""Everything that is known about packages, by name, prepared on first use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from cloche_vendor.packaging.markers import Marker
from cloche_vendor.packaging.requirements import Requirement
from cloche_vendor.packaging.specifiers import SpecifierSet
from cloche_vendor.packaging.utils import canonicalize_name

from .limits import FAILED_METADATA, FILENAME_CHARACTERS, KNOWN
from .offers import Offer, Shelf, matching, put_distributed, put_listed, put_wheel, read_wheel_name
from .problems import Problem
from .python import Python
from .request import Request, Wheel


@dataclass
class Needs:
    """The facts that have to be known before the search can continue."""

    projects: dict[str, None] = field(default_factory=dict)  # in the order in which they came up
    metadata: dict[str, None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.projects or self.metadata)


class Catalogue:
    """The packages of a request: their versions, and what is known about each."""

    def __init__(self, request: Request, python: Python) -> None:
        self._request = request
        self.python = python
        self.problems: list[Problem] = []
        self._wheels: dict[str, list[Wheel]] = {}
        self._shelves: dict[str, Shelf] = {}
        self._matches: dict[tuple[str, frozenset[str]], list[Offer]] = {}
        self._requires: dict[tuple[Offer, str], list[Requirement]] = {}
        known = len(request.projects) + len(request.metadata) + len(request.bad_metadata)
        self.is_full = known >= KNOWN
        for wheel in request.wheels:
            self._sort_in(wheel)

    def shelf(self, name: str) -> Shelf:
        """The known versions of one package."""
        shelf = self._shelves.get(name)
        if shelf is None:
            shelf = self._shelves[name] = self._fill(name)
        return shelf

    def matching(self, name: str, specifiers: Iterable[str]) -> list[Offer]:
        """The offers of a package in versions that all of these accept, the preferred one first."""
        key = (name, frozenset(specifiers))  # as text, which is compared quickly
        found = self._matches.get(key)
        if found is None:
            joined = SpecifierSet(",".join(key[1]))
            found = self._matches[key] = matching(self.shelf(name).offers, joined)
        return found

    def state(self, name: str) -> str:
        """The state of a package in the index: "listed", "absent", "unreachable", "unasked", or "forbidden"."""
        if not self._request.may_fetch:
            return "forbidden"
        if name in self._request.projects:
            return "absent" if self._request.projects[name] is None else "listed"
        return "unreachable" if name in self._request.unreachable else "unasked"

    def why_unreachable(self, name: str) -> str:
        """Why the index could not be reached for a package."""
        return self._request.unreachable.get(name, "")

    def names(self) -> set[str]:
        """The known packages."""
        return set(self._wheels) | {name for name, files in self._request.projects.items() if files is not None}

    def requires(self, offer: Offer, extra: str) -> list[Requirement] | None:
        """The requirements of a wheel, by itself or for one of its extras; None if its METADATA is not known yet."""
        if offer.origin == "distribution":
            return [] if extra else [Requirement(name) for name in map(canonicalize_name, offer.depends) if name]
        if offer.metadata is None:
            return None
        key = (offer, extra)
        if key not in self._requires:
            self._requires[key] = [one for one in offer.metadata.requires if self._holds(one.marker, extra)]
        return self._requires[key]

    def _holds(self, marker: Marker | None, extra: str) -> bool:
        """Whether a requirement with this marker is one of the wheel itself, or of its extra, in this Python."""
        # Requirements that do not depend on the extra belong to the package itself.
        return self.python.holds(marker, extra) and not (extra and self.python.holds(marker))

    def _sort_in(self, wheel: Wheel) -> None:
        """Adds a wheel to those of its package. One whose name cannot be read is left out, with a problem."""
        if wheel.origin == "distribution":
            if self._request.may_fetch and wheel.name:
                self._wheels.setdefault(canonicalize_name(wheel.name), []).append(wheel)
            return
        try:
            name = read_wheel_name(wheel.filename, self.python).name
        except ValueError as fault:
            hint = "Rename it to its published name, such as requests-2.28.1-py3-none-any.whl."
            message = f"this wheel is left out: {fault}"
            file = f"wheels/{wheel.filename[:FILENAME_CHARACTERS]}"
            self.problems.append(Problem("warning", "bad-wheel", file, None, message, "a wheel", hint))
            return
        self._wheels.setdefault(name, []).append(wheel)

    def _fill(self, name: str) -> Shelf:
        """The shelf of a package, with all wheels that are known."""
        shelf = Shelf()
        for wheel in self._wheels.get(name, ()):
            if wheel.origin == "distribution":
                put_distributed(shelf, wheel, self.python)
            else:
                put_wheel(shelf, wheel, read_wheel_name(wheel.filename, self.python), self.python)
        files = self._request.projects.get(name) if self._request.may_fetch else None
        if files:
            failed = self._request.bad_metadata
            put_listed(shelf, files, name, self.python, self._request.metadata, failed)
            # The index fails too often to be asked for more: only wheels count whose METADATA is known.
            if sum(file.filename in failed for file in files) >= FAILED_METADATA:
                shelf.offers = [one for one in shelf.offers if one.origin != "index" or one.metadata is not None]
        return shelf.sort()
