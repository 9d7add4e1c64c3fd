"""Limits the search: in steps, so that the outcome is the same on every machine, and finally in seconds."""

from __future__ import annotations

import time

from .limits import SECONDS, STEPS


class Exhausted(Exception):
    """An attempt took more steps than allowed."""


class Budget:
    """The steps and seconds that all attempts together may use."""

    def __init__(self) -> None:
        self.steps = STEPS
        self.end = time.monotonic() + SECONDS

    def allow(self, share: int) -> Allowance:
        """The allowance of the next attempt: not everything, so that one hopeless file does not affect the others."""
        return Allowance(self, self.steps // share, (self.end - time.monotonic()) / share)


class Allowance:
    """The steps and seconds that one attempt may use."""

    def __init__(self, budget: Budget, steps: int, seconds: float) -> None:
        self._budget = budget
        self._steps = steps
        self._end = time.monotonic() + seconds
        self._look = 0

    def spend(self, steps: int) -> None:
        """Counts steps.

        Raises:
            Exhausted: No steps are left.
        """
        self._steps -= steps
        self._budget.steps -= steps
        self._look -= steps
        if self._look < 0:
            self._look = 500
            if time.monotonic() > self._end:
                raise Exhausted
        if self._steps < 0:
            raise Exhausted
