"""Finds out which files can have what they ask for, so that a file that cannot does not spoil the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .attempt import Attempts, Outcome, Solved, TooMuch
from .limits import SHARE_ALONE
from .offers import Offer
from .requirement import Asked

Unit = tuple[Asked, ...]


class Failed(NamedTuple):
    """A unit that cannot be had together with what had been accepted before it."""

    unit: Unit
    before: tuple[Asked, ...]
    outcome: Outcome


class Acceptance:
    """Takes units in their order, each if it goes together with those before."""

    def __init__(self, attempts: Attempts) -> None:
        self._attempts = attempts
        self.accepted: tuple[Asked, ...] = ()
        self.offers: tuple[Offer, ...] = ()
        self.failed: list[Failed] = []

    def take(self, units: Sequence[Unit]) -> None:
        """Takes these units: all at once if that goes, else by halves, which ends as one by one would.

        Raises:
            NeedsFirst: More must be known before anyone can tell.
        """
        if not units:
            return
        together = (*self.accepted, *(asked for unit in units for asked in unit))
        outcome = self._attempts.make(together)
        if isinstance(outcome, Solved):
            self.accepted, self.offers = together, outcome.offers
        elif len(units) == 1:
            self.failed.append(Failed(units[0], self.accepted, outcome))
        elif isinstance(outcome, TooMuch) and (hopeless := [one for one in units if self._is_hopeless(one)]):
            self.failed += [Failed(one, self.accepted, TooMuch()) for one in hopeless]
            self.take([one for one in units if one not in hopeless])
        else:
            middle = len(units) // 2
            self.take(units[:middle])
            self.take(units[middle:])

    def _is_hopeless(self, unit: Unit) -> bool:
        return isinstance(self._attempts.make(unit, SHARE_ALONE), TooMuch)
