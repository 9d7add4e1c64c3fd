"""Says which requirement of a file cannot be met, and what it conflicts with."""

from __future__ import annotations

from collections.abc import Sequence

from .accepting import Failed
from .attempt import Attempts, Cause, Impossible, Solved, TooMuch
from .catalogue import Catalogue
from .lacking import explain_lack
from .problems import Problem, Refusal
from .provider import Demand
from .requirement import Asked
from .wording import shown

_CAUSES = 4  # causes listed in one message
_ALTOGETHER = "compatible packages"


class Explainer:
    """Describes why requirements that cannot be met fail."""

    def __init__(self, catalogue: Catalogue, attempts: Attempts) -> None:
        self._catalogue = catalogue
        self._attempts = attempts

    def problem(self, failed: Failed) -> Problem:
        """The problem of a unit that failed, at the line of the requirement that caused it.

        Raises:
            NeedsFirst: More information is needed first.
        """
        before, asked = self._at_fault(failed.before, failed.unit)
        return self._explain(asked, before).problem(asked.file, asked.line)

    def wanted(self, failed: Failed) -> list[tuple[str, str]]:
        """The requirements of a failed unit that could be met if fetching were allowed: file and requirement.

        Raises:
            NeedsFirst: More information is needed first.
        """
        found = []
        for asked in failed.unit:
            outcome = self._attempts.make([asked])
            causes = outcome.causes if isinstance(outcome, Impossible) else ()
            for demand, parent in causes:
                refusal = explain_lack(self._catalogue, demand, parent)
                if refusal is not None and refusal.code == "package-not-allowed":
                    found.append((asked.file, demand.text))
        return found

    def _at_fault(
        self, before: Sequence[Asked], unit: Sequence[Asked]
    ) -> tuple[tuple[Asked, ...], Asked]:
        """The first requirement that fails after those before it, and those."""
        low, high = 0, len(unit) - 1
        while low < high:
            middle = (low + high) // 2
            if isinstance(self._attempts.make([*before, *unit[: middle + 1]]), Solved):
                low = middle + 1
            else:
                high = middle
        return (*before, *unit[:low]), unit[low]

    def _explain(self, asked: Asked, before: tuple[Asked, ...]) -> Refusal:
        alone = self._attempts.make([asked])
        if isinstance(alone, Solved):
            return self._explain_conflict(asked, before)
        if isinstance(alone, TooMuch):
            return _refuse_as_too_much(asked)
        for demand, parent in alone.causes:
            refusal = explain_lack(self._catalogue, demand, parent)
            if refusal is not None:
                return refusal
        message = f"the packages that {shown(asked.text)} needs conflict: {_word_causes(alone.causes, asked.file)}"
        hint = f"Ask for another version of {asked.requirement.name}, or for one of what it needs."
        return Refusal("package-conflict", message, _ALTOGETHER, hint)

    def _explain_conflict(self, asked: Asked, before: tuple[Asked, ...]) -> Refusal:
        others, other = self._at_fault([asked], before)
        outcome = self._attempts.make([asked, other])
        if isinstance(outcome, Solved):
            outcome = self._attempts.make([*others, other])
        if not isinstance(outcome, Impossible):
            return _refuse_as_too_much(asked)
        where = f"line {other.line}" if other.file == asked.file else f"{other.file} (line {other.line})"
        message = f"{shown(asked.text)} conflicts with {shown(other.text)} of {where}"
        reported = _word_causes(outcome.causes, asked.file)
        if any(parent for _, parent in outcome.causes):
            message += f": {reported}"
        hint = "Ask for compatible versions: all tools of a folder share one set of packages."
        return Refusal("package-conflict", message, _ALTOGETHER, hint)


def _word_causes(causes: Sequence[Cause], file: str) -> str:
    lines: dict[str, None] = {}
    for demand, parent in causes:
        if parent is not None and parent.offer is not None:
            offer = parent.offer
            lines[f"{offer.name} {offer.shown_version} needs {shown(demand.text)}"] = None
        else:
            lines[f"{_word_asker(demand, file)} {shown(demand.text)}"] = None
    most = [*lines][:_CAUSES]
    return ", ".join(most) + (" …" if len(lines) > _CAUSES else "")


def _word_asker(demand: Demand, file: str) -> str:
    asked = demand.asked
    return "this file asks for" if asked is None or asked.file == file else f"{asked.file} asks for"


def _refuse_as_too_much(asked: Asked) -> Refusal:
    message = f"the packages that {shown(asked.text)} needs cannot be resolved: there are too many combinations"
    hint = "Ask for exact versions, such as requests==2.28.1, of this package and of those that it needs."
    return Refusal("package-limit", message, "packages that can be resolved", hint)
