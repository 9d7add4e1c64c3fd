"""One attempt: can these requirements be met together, and with which wheels?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cloche_vendor.resolvelib.resolvers import Resolution, ResolutionImpossible, ResolutionTooDeep

from .budget import Budget, Exhausted
from .catalogue import Catalogue, Needs
from .limits import PACKAGES, ROUNDS, SHARE
from .offers import Offer
from .provider import Candidate, Demand, NeedsFirst, Provider, Reporter, demands
from .requirement import Asked

Cause = tuple[Demand, Candidate | None]


@dataclass(frozen=True)
class Solved:
    """The wheels that meet the requirements, ordered by name."""

    offers: tuple[Offer, ...]


@dataclass(frozen=True)
class Impossible:
    """The demands that conflict, or the one that cannot be met at all."""

    causes: tuple[Cause, ...]


@dataclass(frozen=True)
class TooMuch:
    """Unknown: the search took too long, or would need too much information."""


Outcome = Solved | Impossible | TooMuch


class Attempts:
    """Makes attempts, and remembers their outcome."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._budget = Budget()
        self._known: dict[frozenset[Asked], Outcome] = {}

    def make(self, asked: Sequence[Asked], share: int = SHARE) -> Outcome:
        """The outcome of an attempt at these requirements.

        Args:
            asked: The requirements.
            share: The part of the remaining budget that it may use: 3 for a third.

        Raises:
            NeedsFirst: More information is needed first.
        """
        key = frozenset(asked)
        if key not in self._known:
            self._known[key] = self._attempt(asked, share)
        return self._known[key]

    def _attempt(self, asked: Sequence[Asked], share: int) -> Outcome:
        """The outcome, computed anew. Raises NeedsFirst if that needs information that Cloche can still get."""
        provider = Provider(self._catalogue, self._budget.allow(share))
        try:
            outcome = self._search(provider, asked)
        except NeedsFirst as first:
            outcome = self._ask_for(first.needs)
        except Exhausted:
            outcome = TooMuch()
        return outcome

    def _search(self, provider: Provider, asked: Sequence[Asked]) -> Outcome:
        """Lets resolvelib search. Raises NeedsFirst or Exhausted."""
        made = [demand for one in asked for demand in demands(one.requirement, one)]
        try:
            # resolvelib's own Resolver can recurse endlessly if packages need one another in a cycle.
            state = Resolution(provider, Reporter(provider)).resolve(made, max_rounds=ROUNDS)
        except ResolutionTooDeep:
            return TooMuch()
        except ResolutionImpossible as impossible:
            causes = tuple((demand, parent) for demand, parent in impossible.causes)
            self._look_further(provider, causes)
            return Impossible(causes)
        # The provider notes here what it had to know for the search, such as the METADATA of a wheel.
        if provider.needs:
            raise NeedsFirst(provider.needs)
        offers = _collect_offers(provider, made, state.mapping)
        if len(offers) > PACKAGES:
            return TooMuch()
        return Solved(tuple(sorted(offers, key=lambda one: one.name)))

    def _look_further(self, provider: Provider, causes: tuple[Cause, ...]) -> None:
        """Raises NeedsFirst if other versions of the conflicting packages may be on the index, which has not been asked for them."""
        if not provider.needs:
            involved = {demand.name for demand, _ in causes} | {parent.name for _, parent in causes if parent}
            provider.needs.projects.update(dict.fromkeys(sorted(involved & provider.unasked)))
        if provider.needs:
            raise NeedsFirst(provider.needs)

    def _ask_for(self, needs: Needs) -> Outcome:
        """Raises NeedsFirst, unless nothing more can be learnt."""
        if self._catalogue.is_full:
            return TooMuch()
        raise NeedsFirst(needs)


def _collect_offers(
    provider: Provider, made: list[Demand], pinned: Mapping[tuple[str, str], Candidate]
) -> set[Offer]:
    """The wheels that are needed; backtracking may have left others behind."""
    offers: set[Offer] = set()
    seen: set[tuple[str, str]] = set()
    left = [(one.name, one.extra) for one in made]
    while left:
        identifier = left.pop()
        if identifier in seen:
            continue
        seen.add(identifier)
        candidate = pinned[identifier]
        if candidate.offer is not None:
            offers.add(candidate.offer)
        left += [(one.name, one.extra) for one in provider.get_dependencies(candidate)]
    return offers
