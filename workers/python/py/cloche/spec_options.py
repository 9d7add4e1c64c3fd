"""The optional keys of a tool spec, with their defaults."""

from __future__ import annotations

from . import option_checks as checks
from .option_checks import Check, Given
from .problems import Fault

# Key, check and default, in the order of the report. A list or dict used as default is never changed.
_OPTIONS: dict[str, tuple[Check, object]] = {
    "timeout_s": (checks.seconds, 60),
    "requires_approval": (checks.flag_or_callable, False),
    "concurrency_safe": (checks.flag_or_callable, True),
    "stateless": (checks.flag, False),
    "background_safe": (checks.flag, False),
    "interrupt": (checks.interrupt, "cancel"),
    "deferred": (checks.flag, False),
    "prompt_hint": (checks.line, ""),
    "prompt_guides": (checks.lines, []),
    "examples": (checks.examples, []),
    "returns": (checks.schema, None),
    "annotations": (checks.hints, {}),
    "app": (checks.app, None),
}
OPTIONAL = ("label", *_OPTIONS)
# The report of a tool without an app does not mention it.
DEFAULTS = {key: default for key, (_, default) in _OPTIONS.items() if key != "app"}


def check_options(spec: dict[str, object], faults: list[Fault]) -> dict[str, object]:
    """The optional keys of a spec except its label. Missing keys have their defaults; a missing app stays missing. Adds
    problems to `faults`."""
    if _OPTIONS.keys().isdisjoint(spec):
        return DEFAULTS
    given = {
        key: _OPTIONS[key][0](Given(key, value, faults)) for key, value in spec.items() if key in _OPTIONS
    }
    return {**DEFAULTS, **given}


def check_label(spec: dict[str, object], name: str, faults: list[Fault]) -> str:
    """The label, or the tool's name if the spec has none."""
    return checks.label(Given("label", spec["label"], faults)) if "label" in spec else name
