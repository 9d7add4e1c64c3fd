"""The optional keys of a tool spec: their types, defaults and limits."""

from __future__ import annotations

from collections.abc import Callable

from .json_text import encode_strict
from .limits import LABEL_CHARACTERS, LIST_ITEMS, PROMPT_LINE_CHARACTERS, SCHEMA_CHARACTERS
from .problems import Fault, error, warning
from .wording import kind, nearest, shown

_SECONDS = 1e9  # more is no time to wait
ANNOTATIONS = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def check_options(spec: dict[str, object], faults: list[Fault]) -> dict[str, object]:
    """All optional keys but the label, checked; defaults where the spec has none. Adds what is wrong to `faults`."""
    return {
        key: check(spec[key], key, faults) if key in spec else (default() if callable(default) else default)
        for key, (check, default) in OPTIONS.items()
    }


def check_label(spec: dict[str, object], name: str, faults: list[Fault]) -> str:
    """The label; the tool's name where the spec has none."""
    if "label" not in spec:
        return name
    value = spec["label"]
    text = str.__str__(value) if isinstance(value, str) else ""
    if not text.strip():
        found = "empty" if isinstance(value, str) else kind(value)
        hint = "Write a short name for people, or leave the key out."
        faults.append(_wrong("label", f"the label is {found}", "a str with something in it", hint))
    elif len(text) > LABEL_CHARACTERS:
        faults.append(_too_long("label", len(text), LABEL_CHARACTERS))
    return text


def _flag(value: object, key: str, faults: list[Fault]) -> object:
    if type(value) is not bool:
        faults.append(_wrong(key, f"{key} is {kind(value)}", "True or False", f'Write "{key}": True or "{key}": False.'))
    return value is True


def _flag_or_callable(value: object, key: str, faults: list[Fault]) -> object:
    if type(value) is bool:
        return value
    if not callable(value):
        faults.append(
            _wrong(key, f"{key} is {kind(value)}", "True, False or a callable on the arguments", f'Write "{key}": True, or a function that takes the arguments and returns a bool.')
        )
    return "callable"


def _seconds(value: object, key: str, faults: list[Fault]) -> object:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not 0 < value < _SECONDS:
        found = kind(value) if not number else "too large a number" if value >= _SECONDS else repr(value)
        faults.append(_wrong(key, f"{key} is {found}", "a number of seconds above 0", f'Write "{key}": 60 for one minute.'))
        return 60
    return int(value) if isinstance(value, int) else float(value)


def _interrupt(value: object, key: str, faults: list[Fault]) -> object:
    if value == "cancel" or value == "block":
        return str(value)
    found = shown(value) if isinstance(value, str) else kind(value)
    faults.append(_wrong(key, f"{key} is {found}", '"cancel" or "block"', 'Write "block" where a running call must not be cut off, else leave the key out.'))
    return "cancel"


def _line(value: object, key: str, faults: list[Fault]) -> object:
    if not isinstance(value, str):
        faults.append(_wrong(key, f"{key} is {kind(value)}", "a str of one line", f'Write "{key}": "…", or leave the key out.'))
        return ""
    text = str.__str__(value)
    if len(text) > PROMPT_LINE_CHARACTERS:
        faults.append(_too_long(key, len(text), PROMPT_LINE_CHARACTERS))
    lines = text.splitlines()
    if len(lines) > 1:
        faults.append(warning("several-lines", (key,), f"{key} has {len(lines)} lines; they are joined", "one line", 'Put further lines into "prompt_guides".'))
    return " ".join(line.strip() for line in lines)


def _lines(value: object, key: str, faults: list[Fault]) -> object:
    if not isinstance(value, (list, tuple)):
        faults.append(_wrong(key, f"{key} is {kind(value)}", "a list of str", f'Write "{key}": ["first line", "second line"].'))
        return []
    if len(value) > LIST_ITEMS:
        faults.append(_too_many(key, len(value)))
        return []
    for index, line in enumerate(value):
        if not isinstance(line, str):
            faults.append(error("wrong-type", (key, index), f"{key}[{index}] is {kind(line)}", "a str", "Make every entry a str."))
        elif len(line) > PROMPT_LINE_CHARACTERS:
            faults.append(_too_long(key, len(line), PROMPT_LINE_CHARACTERS))
    return [str.__str__(line) for line in value if isinstance(line, str)]


def _examples(value: object, key: str, faults: list[Fault]) -> object:
    if not isinstance(value, (list, tuple)):
        faults.append(_wrong(key, f"{key} is {kind(value)}", "a list of argument objects", f'Write "{key}": [{{"argument": "value"}}].'))
        return []
    if len(value) > LIST_ITEMS:
        faults.append(_too_many(key, len(value)))
        return []
    for index, example in enumerate(value):
        if not isinstance(example, dict):
            faults.append(error("wrong-type", (key, index), f"{key}[{index}] is {kind(example)}", "a dict of arguments", "Make every example a dict of argument names and values."))
    return list(value) if _is_json(value, key, faults) else []


def _schema(value: object, key: str, faults: list[Fault]) -> object:
    if value is None:
        return None
    if not isinstance(value, dict):
        faults.append(_wrong(key, f"{key} is {kind(value)}", "a dict: the JSON Schema of the result", f'Write "{key}": {{"type": "object"}} or leave the key out.'))
        return None
    return value if _is_json(value, key, faults) else None


def _annotations(value: object, key: str, faults: list[Fault]) -> object:
    if not isinstance(value, dict):
        faults.append(_wrong(key, f"{key} is {kind(value)}", "a dict of MCP's hints", f'Write "{key}": {{"readOnlyHint": True}}.'))
        return {}
    for name, hint in dict.items(value):
        if not isinstance(name, str) or name not in ANNOTATIONS:
            said = shown(name) if isinstance(name, str) else kind(name)
            near = nearest(name, ANNOTATIONS) if isinstance(name, str) else None
            meant = f'Did you mean "{near}"?' if near else f"Known: {', '.join(ANNOTATIONS)}."
            faults.append(warning("unknown-annotation", (key, str(name)), f"{said} is no annotation that is known", f"one of {', '.join(ANNOTATIONS)}", meant))
        elif not isinstance(hint, str if name == "title" else bool):
            wanted = "a str" if name == "title" else "True or False"
            faults.append(error("wrong-type", (key, name), f"{key}.{name} is {kind(hint)}", wanted, f"Make {name} {wanted}."))
    return value if _is_json(value, key, faults) else {}


def _is_json(value: object, key: str, faults: list[Fault]) -> bool:
    try:
        text = encode_strict(value, key)
    except (TypeError, ValueError, RecursionError) as fault:
        faults.append(error("not-json", (key,), f"{key} is not JSON: {fault}", "JSON values only", "Use only dict, list, str, numbers, True, False and None in it."))
        return False
    if len(text) > SCHEMA_CHARACTERS:
        faults.append(_too_long(key, len(text), SCHEMA_CHARACTERS))
        return False
    return True


def _wrong(key: str, message: str, expected: str, hint: str) -> Fault:
    return error("wrong-type", (key,), message, expected, hint)


def _too_long(key: str, length: int, limit: int) -> Fault:
    return error("too-long", (key,), f"{key} has {length:,} characters", f"at most {limit:,} characters", f"Shorten {key}.")


def _too_many(key: str, length: int) -> Fault:
    message = f"{key} has {length:,} entries"
    return error("too-long", (key,), message, f"at most {LIST_ITEMS:,} entries", f"Shorten {key}.")


Check = Callable[[object, str, "list[Fault]"], object]

OPTIONS: dict[str, tuple[Check, object]] = {
    "timeout_s": (_seconds, 60),
    "requires_approval": (_flag_or_callable, False),
    "concurrency_safe": (_flag_or_callable, True),
    "stateless": (_flag, False),
    "background_safe": (_flag, False),
    "interrupt": (_interrupt, "cancel"),
    "deferred": (_flag, False),
    "prompt_hint": (_line, ""),
    "prompt_guides": (_lines, list),
    "examples": (_examples, list),
    "returns": (_schema, None),
    "annotations": (_annotations, dict),
}
