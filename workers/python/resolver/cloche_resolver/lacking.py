"""Says why nothing meets one demand, and what would change that."""

from __future__ import annotations

from cloche_vendor.packaging.specifiers import SpecifierSet

from .catalogue import Catalogue
from .offers import Refused, versions
from .problems import IN_WHEELS, Refusal
from .provider import Candidate, Demand
from .wording import listed, nearest, shown

# Packages whose import name differs from their name in the index.
_IMPORTED_AS = {
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "pil": "pillow",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "yaml": "pyyaml",
}
_WEIGHT = ("unreachable", "python", "metadata", "system", "source")
_AVAILABLE = "an available package"
_PUT_IN_WHEELS = f"{IN_WHEELS[0].upper()}{IN_WHEELS[1:]}"


def explain_lack(catalogue: Catalogue, demand: Demand, parent: Candidate | None) -> Refusal | None:
    """Explains why nothing meets a demand; None if something does when no other demand counts."""
    if catalogue.matching(demand.name, [demand.versions]):
        return None
    return Lacking(catalogue, demand, parent).refusal()


class Lacking:
    """The text for one demand that nothing meets."""

    def __init__(self, catalogue: Catalogue, demand: Demand, parent: Candidate | None) -> None:
        self._catalogue = catalogue
        self._name = demand.name
        self._specifier = demand.specifier
        self._is_asked = demand.asked is not None
        offer = parent.offer if parent else None
        self._whose = f" ({offer.name} {offer.shown_version} needs it)" if offer else ""
        self._wanted = f"{shown(demand.text)}{self._whose}"
        self._available = [*versions(catalogue.shelf(demand.name).offers)]
        self._refused = _by_weight(catalogue.shelf(demand.name).refused, demand.specifier)

    def refusal(self) -> Refusal:
        """The problem, by the first reason that applies."""
        state = self._catalogue.state(self._name)
        if state == "forbidden":
            message = f"{self._word_available()}, and fetching packages is not allowed"
            hint = self._with_suggestion(f"{_PUT_IN_WHEELS}, or allow packages on the Policy page.")
            return Refusal("package-not-allowed", message, _AVAILABLE, hint)
        if state == "unreachable":
            why = self._catalogue.why_unreachable(self._name)
            message = f"{self._word_available()}, and the package index could not be reached: {why}"
            hint = self._with_suggestion(f"Go online and press Refresh, or {IN_WHEELS}.")
            return Refusal("package-unreachable", message, _AVAILABLE, hint)
        if self._refused:
            return self._refuse_unusable(self._refused[0])
        if self._available:
            return self._refuse_version()
        if state == "listed":
            return self._refuse_without_wheel("the index has no files for it")
        message = f"there is no package {shown(self._name)}{self._whose}"
        hint = self._suggest_name() or f"Check the spelling. If it is not on the package index, {IN_WHEELS}."
        return Refusal("package-not-found", message, "an existing package", hint)

    def _word_available(self) -> str:
        """Why the demand is not met without the index, in words."""
        if self._available:
            return f"{self._wanted} is not available, only {self._name} {listed(self._available)}"
        if self._refused:
            return f"{self._wanted} is not available: {_word_reason(self._refused[0])}"
        return f"{self._wanted} is not in the folder wheels/"

    def _refuse_unusable(self, refused: Refused) -> Refusal:
        """The problem if the package has only files that cannot be used."""
        if refused.why == "unreachable":
            message = f"{self._wanted} cannot be checked: {_word_reason(refused)}"
            hint = f"Go online and press Refresh, or {IN_WHEELS}."
            return Refusal("package-unreachable", message, "a package that can be fetched", hint)
        if refused.why == "python":
            here = self._catalogue.python.version
            message = f"{self._wanted} does not run on Python {here}: {_word_reason(refused)}"
            hint = f"Ask for a version of {self._name} that runs on Python {here}, if there is one."
            return Refusal("python-version", message, f"a package for Python {here}", hint)
        return self._refuse_without_wheel(_word_reason(refused))

    def _refuse_without_wheel(self, why: str) -> Refusal:
        message = f"{self._wanted} has no wheel that runs here: {why}"
        hint = f"Use another package that is pure Python, or {IN_WHEELS}, if one was built for Pyodide."
        return Refusal("package-no-wheel", message, "a wheel in pure Python or for Pyodide", hint)

    def _refuse_version(self) -> Refusal:
        message = f"no version of {self._name} is {self._wanted}; available: {listed(self._available)}"
        hint = f"Ask for an available version, or {IN_WHEELS}." if self._is_asked else f"{_PUT_IN_WHEELS}."
        return Refusal("package-not-found", message, "an available version", hint)

    def _with_suggestion(self, hint: str) -> str:
        return f"{self._suggest_name()} {hint}".strip()

    def _suggest_name(self) -> str:
        if self._available or self._refused or not self._is_asked:
            return ""
        known = self._catalogue.names()
        bare = self._name.removeprefix("python3-").removeprefix("python-").removeprefix("py")
        guess = _IMPORTED_AS.get(self._name) or (bare if bare in known else nearest(self._name, known))
        return f"Did you mean {shown(guess)}?" if guess and guess != self._name else ""


def _by_weight(refused: list[Refused], specifier: SpecifierSet) -> list[Refused]:
    """The files that would meet the demand if they ran here: the newest first, then those closest to running."""
    known = [
        one for one in refused if one.version is not None and specifier.contains(one.version, prereleases=True)
    ]
    known.sort(key=lambda one: (one.version, -_WEIGHT.index(one.why)), reverse=True)
    return known or ([one for one in refused if one.version is None] if not specifier else [])


def _word_reason(refused: Refused) -> str:
    """Why a file cannot be used, in words."""
    match refused.why:
        case "python":
            return f"{refused.filename} needs Python {refused.detail}"
        case "system":
            return f"{refused.filename} is for another system"
        case "source":
            return f"{refused.filename} must be built from source"
        case _:
            return f"{refused.filename}: {refused.detail}"
