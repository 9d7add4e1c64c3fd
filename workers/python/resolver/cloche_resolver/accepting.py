"""Finds out which files can get the packages that they ask for, so that one that cannot does not affect the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .attempt import Attempts, Outcome, Solved, TooMuch
from .limits import SHARE_ALONE
from .offers import Offer
from .requirement import Asked

# Requirements that are met completely or not at all: those of a tool file, or a line of requirements.txt.
Unit = tuple[Asked, ...]


class Failed(NamedTuple):
    """A unit that conflicts with those accepted before it, or that cannot be met at all."""

    unit: Unit
    before: tuple[Asked, ...]
    outcome: Outcome


class Acceptance:
    """Accepts units in order, each if it is compatible with those before."""

    def __init__(self, attempts: Attempts) -> None:
        self._attempts = attempts
        self.accepted: tuple[Asked, ...] = ()
        self.offers: tuple[Offer, ...] = ()
        self.failed: list[Failed] = []

    def take(self, units: Sequence[Unit]) -> None:
        """Accepts these units: all at once if possible, otherwise by halves, with the same outcome as one by one.

        Raises:
            NeedsFirst: More information is needed first.
        """
        if not units:
            return
        together = (*self.accepted, *(asked for unit in units for asked in unit))
        outcome = self._attempts.make(together)
        if isinstance(outcome, Solved):
            self.accepted, self.offers = together, outcome.offers
        elif len(units) == 1:
            self.failed.append(Failed(units[0], self.accepted, outcome))
        # If all together took too long, one of them may take too long alone.
        elif isinstance(outcome, TooMuch) and (hopeless := [one for one in units if self._is_hopeless(one)]):
            self.failed += [Failed(one, self.accepted, TooMuch()) for one in hopeless]
            self.take([one for one in units if one not in hopeless])
        else:
            middle = len(units) // 2
            self.take(units[:middle])
            self.take(units[middle:])

    def _is_hopeless(self, unit: Unit) -> bool:
        """Whether the search takes too long even without the other units."""
        return isinstance(self._attempts.make(unit, SHARE_ALONE), TooMuch)
