"""From a request to its answer: the wheels, the problems, or what has to be known first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from cloche_vendor.packaging.requirements import Requirement
from cloche_vendor.packaging.utils import canonicalize_name

from .accepting import Acceptance
from .attempt import Attempts
from .catalogue import Catalogue, Needs
from .explainer import Explainer
from .limits import ASKED_AT_ONCE
from .offers import Offer
from .problems import Problem
from .provider import NeedsFirst
from .python import Python
from .request import Request, read_request
from .requirement import Asked
from .sources import read_sources
from .wording import nearest, shown


def resolve(request: str) -> str:
    """Finds the wheels that the files of a folder need. It fetches nothing, and stores nothing between calls.

    Args:
        request: JSON: what is asked for, and what is known so far; this folder's README describes it.

    Returns:
        JSON: what has to be known before the next call, or the wheels and the problems.

    Raises:
        TypeError: The request does not have the required shape.
    """
    given = read_request(request)
    try:
        answer = _make_answer(given)
    except NeedsFirst as first:
        answer = _ask_for(first.needs)
    return json.dumps(answer, ensure_ascii=False)


def _make_answer(given: Request) -> dict[str, object]:
    python = Python(given.platforms, given.environment)
    catalogue = Catalogue(given, python)
    requested = read_sources(given.sources, python, given.wheels)
    attempts = Attempts(catalogue)
    acceptance = Acceptance(attempts)
    acceptance.take(requested.units)
    explainer = Explainer(catalogue, attempts)
    problems = [*catalogue.problems, *requested.problems]
    problems += [explainer.problem(failed) for failed in acceptance.failed]
    problems += _warn_of_extras(acceptance)
    wanted = [] if given.may_fetch else [one for failed in acceptance.failed for one in explainer.wanted(failed)]
    files = needed_by(acceptance.accepted, acceptance.offers, catalogue)
    return {
        "wheels": [
            {**_describe_wheel(offer, acceptance.accepted), "neededBy": files[offer.name]} for offer in acceptance.offers
        ],
        "problems": [one.plain() for one in sorted(problems, key=_sorting_key)],
        "wanted": [{"file": file, "requirement": text} for file, text in dict.fromkeys(wanted)],
    }


def _ask_for(needs: Needs) -> dict[str, object]:
    projects, metadata = [*needs.projects][:ASKED_AT_ONCE], [*needs.metadata][:ASKED_AT_ONCE]
    return {"need": {"projects": projects, "metadata": metadata}}


def _describe_wheel(offer: Offer, accepted: Sequence[Asked]) -> dict[str, object]:
    hashes: frozenset[str] | None = None
    for asked in accepted:
        if asked.name == offer.name and asked.hashes:
            hashes = asked.hashes if hashes is None else hashes & asked.hashes
    return {
        "name": offer.name,
        "version": offer.shown_version,
        "filename": offer.filename,
        "from": offer.origin,
        "hashes": sorted(hashes or ()),
    }


def _warn_of_extras(acceptance: Acceptance) -> list[Problem]:
    offers = {offer.name: offer for offer in acceptance.offers}
    problems = []
    for asked in acceptance.accepted:
        offer = offers.get(asked.name)
        if offer is None or offer.metadata is None:
            continue
        for extra in sorted(asked.requirement.extras):
            known = offer.metadata.extras
            if extra.lower().replace("_", "-").replace(".", "-") not in known:
                near = nearest(extra, known)
                hint = f"Did you mean {shown(near)}?" if near else f"It has {', '.join(sorted(known)) or 'none'}."
                message = f"{offer.name} {offer.shown_version} has no extra {shown(extra)}"
                at = (asked.file, asked.line)
                problems.append(Problem("warning", "unknown-extra", *at, message, "an available extra", hint))
    return problems


def _sorting_key(problem: Problem) -> tuple[object, ...]:
    return (problem.file, problem.line or 0, problem.code, problem.message)


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
        waiting = _list_parts(asked.requirement)
        while waiting:
            part = waiting.pop()
            offer = chosen.get(part[0])
            if part in seen or offer is None:
                continue
            seen.add(part)
            files[offer.name].add(asked.file)
            for requirement in catalogue.requires(offer, part[1]) or ():
                waiting += _list_parts(requirement)
    return {name: sorted(found) for name, found in files.items()}


def _list_parts(requirement: Requirement) -> list[tuple[str, str]]:
    name = canonicalize_name(requirement.name)
    return [(name, extra) for extra in ("", *map(canonicalize_name, requirement.extras))]
