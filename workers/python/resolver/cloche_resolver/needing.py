"""Finds which files need which wheels, directly or through their dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cloche_vendor.packaging.requirements import Requirement
from cloche_vendor.packaging.utils import canonicalize_name

from .catalogue import Catalogue
from .offers import Offer
from .requirement import Asked


def needed_by(
    accepted: Sequence[Asked], offers: Iterable[Offer], catalogue: Catalogue
) -> dict[str, list[str]]:
    """The files that need each package, by the package's name.

    Args:
        accepted: What the files ask for.
        offers: The chosen wheels, one for each package.
        catalogue: What is known about them.
    """
    chosen = {offer.name: offer for offer in offers}
    files: dict[str, set[str]] = {name: set() for name in chosen}
    for asked in accepted:
        seen: set[tuple[str, str]] = set()
        waiting = _parts(asked.requirement)
        while waiting:
            part = waiting.pop()
            offer = chosen.get(part[0])
            if part in seen or offer is None:
                continue
            seen.add(part)
            files[offer.name].add(asked.file)
            for requirement in catalogue.requires(offer, part[1]) or ():
                waiting += _parts(requirement)
    return {name: sorted(found) for name, found in files.items()}


def _parts(requirement: Requirement) -> list[tuple[str, str]]:
    """A package, and each of its extras."""
    name = canonicalize_name(requirement.name)
    return [(name, extra) for extra in ("", *map(canonicalize_name, requirement.extras))]
