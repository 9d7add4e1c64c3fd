"""The Python that packages must run on: its version, its environment markers, and the wheels it accepts."""

from __future__ import annotations

import sys
from functools import cached_property

from cloche_vendor.packaging.markers import Marker, UndefinedComparison, default_environment
from cloche_vendor.packaging.specifiers import SpecifierSet
from cloche_vendor.packaging.tags import Tag, compatible_tags, cpython_tags, sys_tags
from cloche_vendor.packaging.version import Version


class Python:
    """The running Python; tests may simulate another.

    Args:
        platforms: Platform tags of wheels that precede this Python's own tags, best first.
        environment: Overrides for environment markers.
    """

    def __init__(self, platforms: tuple[str, ...], environment: dict[str, str]) -> None:
        self._platforms = platforms
        self._is_pretended = bool(environment)
        self._environment = {**default_environment(), **environment}
        self.version = Version(self._environment["python_full_version"])

    def holds(self, marker: Marker | None, extra: str = "") -> bool:
        """Whether a marker is true here; an invalid marker is not."""
        if marker is None:
            return True
        try:
            return marker.evaluate({**self._environment, "extra": extra})
        # ValueError is for invalid versions, such as a kernel's.
        except (UndefinedComparison, ValueError):
            return False

    def suits(self, requires_python: SpecifierSet | None) -> bool:
        """Whether this Python is one of those that a package supports."""
        return requires_python is None or requires_python.contains(self.version, prereleases=True)

    def rank(self, tags: frozenset[Tag]) -> int | None:
        """The rank of a wheel with these tags, 0 is best; None if it does not run here."""
        ranks = [self._ranks[tag] for tag in tags if tag in self._ranks]
        return min(ranks, default=None)

    @cached_property
    def _ranks(self) -> dict[Tag, int]:
        """The tags of wheels that run here, with their ranks."""
        release = self.version.release[:2]
        short = f"cp{release[0]}{release[1]}"
        tags = [*cpython_tags(release, [short], self._platforms)] if self._platforms else []
        tags += compatible_tags(release, short, self._platforms)
        if not self._is_pretended:
            tags += sys_tags()
        ranks: dict[Tag, int] = {}
        for tag in tags:
            ranks.setdefault(tag, len(ranks))
        return ranks


