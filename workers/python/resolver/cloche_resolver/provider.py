"""Tells resolvelib what is available, and records what would have to be known to tell more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cloche_vendor.packaging.requirements import Requirement
from cloche_vendor.packaging.specifiers import SpecifierSet
from cloche_vendor.packaging.utils import canonicalize_name
from cloche_vendor.resolvelib import AbstractProvider, BaseReporter

from .budget import Allowance
from .catalogue import Catalogue, Needs
from .offers import Offer, satisfies
from .requirement import Asked

Identifier = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Demand:
    """A package, or one extra of it, in certain versions."""

    name: str
    extra: str
    specifier: SpecifierSet
    versions: str  # the same as text
    text: str
    asked: Asked | None = None  # set if a file asks for it
    only: Offer | None = None  # an extra belongs to this very wheel


@dataclass(frozen=True)
class Candidate:
    """A possible wheel, by itself or for one of its extras; without an offer: not known yet."""

    name: str
    extra: str
    offer: Offer | None


class NeedsFirst(Exception):
    """The search cannot continue before more is known."""

    def __init__(self, needs: Needs) -> None:
        super().__init__(needs)
        self.needs = needs


def demands(requirement: Requirement, asked: Asked | None = None) -> list[Demand]:
    """A requirement as demands: the package, and each of its extras."""
    name = canonicalize_name(requirement.name)
    text = asked.text if asked else written(requirement)
    extras = sorted({canonicalize_name(extra) for extra in requirement.extras})
    specifier = requirement.specifier
    versions = str(specifier)
    return [Demand(name, extra, specifier, versions, text, asked) for extra in ("", *extras)]


def written(requirement: Requirement) -> str:
    """A requirement without its marker, which no longer matters."""
    return str(requirement).partition(";")[0].strip()


class Provider(AbstractProvider):
    """The interface that resolvelib uses, for one attempt."""

    def __init__(self, catalogue: Catalogue, allowance: Allowance) -> None:
        self._catalogue = catalogue
        self._allowance = allowance
        self._satisfied: dict[tuple[Demand, Offer], bool] = {}
        self._dependencies: dict[Candidate, list[Demand]] = {}
        self.needs = Needs()
        self.unasked: set[str] = set()  # packages that are available, so that the index was not used

    def identify(self, requirement_or_candidate: Demand | Candidate) -> Identifier:
        """What resolvelib chooses one candidate for: a package, or one of its extras."""
        return (requirement_or_candidate.name, requirement_or_candidate.extra)

    def get_preference(
        self,
        identifier: Identifier,
        resolutions: Mapping[Identifier, Candidate],
        candidates: Mapping[Identifier, Iterator[Candidate]],
        information: Mapping[Identifier, Iterator[tuple[Demand, Candidate | None]]],
        backtrack_causes: Sequence[tuple[Demand, Candidate | None]],
    ) -> tuple[object, ...]:
        """The order of decisions: what caused trouble, what is pinned, what a file itself asks for."""
        self._allowance.spend(2)
        name = identifier[0]
        known = [*information[identifier]]
        troubled = any(
            name == demand.name or (parent is not None and parent.name == name) for demand, parent in backtrack_causes
        )
        pinned = any(one.operator in ("==", "===") for demand, _ in known for one in demand.specifier)
        asked = any(demand.asked is not None for demand, _ in known)
        return (not troubled, not pinned, not asked, identifier)

    def find_matches(
        self,
        identifier: Identifier,
        requirements: Mapping[Identifier, Iterator[Demand]],
        incompatibilities: Mapping[Identifier, Iterator[Candidate]],
    ) -> list[Candidate]:
        """The candidates that meet all demands on a package, the preferred one first."""
        self._allowance.spend(20)
        name, extra = identifier
        made = [*requirements[identifier]]
        if extra:
            made += requirements.get((name, ""), ())
        offers = self._offers(name, made)
        if offers is None:
            return [Candidate(name, extra, None)]
        for only in {demand.only for demand in made if demand.only is not None}:
            offers = [one for one in offers if one is only]
        refused = {candidate.offer for candidate in incompatibilities[identifier]}
        self._allowance.spend(len(offers) // 4)
        return [Candidate(name, extra, one) for one in offers if one not in refused]

    def is_satisfied_by(self, requirement: Demand, candidate: Candidate) -> bool:
        """Whether a candidate meets a demand."""
        self._allowance.spend(1)
        offer = candidate.offer
        if offer is None:
            return True
        key = (requirement, offer)
        found = self._satisfied.get(key)
        if found is None:
            only = requirement.only
            found = satisfies(offer, requirement.specifier) and (only is None or only is offer)
            self._satisfied[key] = found
        return found

    def get_dependencies(self, candidate: Candidate) -> list[Demand]:
        """The demands of a candidate. None are known before its METADATA is, which is noted."""
        self._allowance.spend(5)
        offer, extra = candidate.offer, candidate.extra
        if offer is None:
            return []
        requires = self._catalogue.requires(offer, extra)
        if requires is None:
            self.needs.metadata[offer.filename] = None
            return []
        if candidate not in self._dependencies:
            self._allowance.spend(10 * len(requires))
            own = [Demand(offer.name, "", SpecifierSet(), "", offer.name, only=offer)] if extra else []
            self._dependencies[candidate] = own + [demand for one in requires for demand in demands(one)]
        return self._dependencies[candidate]

    def _offers(self, name: str, made: list[Demand]) -> list[Offer] | None:
        """The offers that meet all demands. None if there are none, and the index has not been asked, which is noted."""
        offers = self._catalogue.matching(name, [demand.versions for demand in made])
        if self._catalogue.state(name) == "unasked":
            if not offers:
                self.needs.projects[name] = None
                return None
            self.unasked.add(name)
        return offers


class Reporter(BaseReporter):
    """Stops the search before it backtracks because of missing information."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    def resolving_conflicts(self, causes: object) -> None:
        """The information that could resolve conflicts."""
        if self._provider.needs:
            raise NeedsFirst(self._provider.needs)
