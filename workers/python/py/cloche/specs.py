"""Checks one entry of TOOL_SPECS by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

from .handlers import takes_context
from .limits import DESCRIPTION_CHARACTERS, NAME_CHARACTERS
from .parameters import check_parameters
from .problems import Fault, error, warning
from .spec_options import OPTIONAL, check_label, check_options
from .wording import composed, kind, nearest, shown

REQUIRED = ("name", "description", "parameters", "handler")
KNOWN = (*REQUIRED, *OPTIONAL)
_REQUIRED = frozenset(REQUIRED)
_KNOWN = frozenset(KNOWN)
_WRONG_EXAMPLES = 5  # reported for each tool


class ToolSpec(NamedTuple):
    """A valid tool spec in plain values; `given` is the author's own dict, for its callables."""

    name: str
    label: str
    description: str
    parameters: dict[str, object]
    parameters_text: str
    handler: Callable[..., object]
    takes_context: bool
    options: dict[str, object]
    given: dict[str, object]


def check_spec(entry: object, stem: str, faults: list[Fault]) -> ToolSpec | None:
    """The spec in `entry` of the file `<stem>.py`; None if an error rejects it. Adds problems to `faults`."""
    if not isinstance(entry, dict):
        expected = f"a dict with the keys {', '.join(REQUIRED)}"
        hint = "Make every entry of TOOL_SPECS a dict."
        faults.append(error("spec-not-dict", (), f"the entry is {kind(entry)}, not a dict", expected, hint))
        return None
    # A plain copy of what the dict really contains: a subclass may return something else.
    spec = {key: value for key, value in dict.items(entry) if type(key) is str}
    if ("name" not in spec or "parameters" not in spec) and _is_of_other_format(spec, faults):
        return None
    _check_keys(entry, spec, faults)
    name = _read_name(spec, stem, faults)
    description = _read_description(spec, faults)
    parameters = check_parameters(spec["parameters"], faults) if "parameters" in spec else None
    handler = _read_handler(spec, faults)
    label = check_label(spec, name, faults)
    options = check_options(spec, faults)
    if parameters is None or handler is None or (faults and any(fault.severity == "error" for fault in faults)):
        return None
    schema, text = parameters
    if options["examples"]:
        options = {**options, "examples": _keep_matching(cast(list, options["examples"]), schema, faults)}
    properties = cast(dict, schema.get("properties", {}))
    takes = takes_context(handler)
    if takes and "context" in properties:
        message = "context is declared in parameters, so the handler gets the model's argument, not the call context"
        hint = "Rename the parameter, or remove it from parameters to receive the call context."
        at = ("parameters", "properties", "context")
        faults.append(warning("context-declared", at, message, "context only in the signature", hint))
        takes = False
    return ToolSpec(name, label, description, schema, text, handler, takes, options, spec)


def _keep_matching(examples: list[object], schema: dict[str, object], faults: list[Fault]) -> list[object]:
    """The examples that match the schema. Adds a warning for each of the others, which no model gets."""
    from .schema_check import schema_faults  # loaded only for files with examples

    kept: list[object] = []
    wrong = 0
    for index, example in enumerate(examples):
        try:
            found = schema_faults(schema, example)
        except Exception:  # a schema that is not valid itself, or nested too deeply
            found = [("it", "cannot be checked")]
        # @mutant examples that do not match are kept => not found -> True [python test_spec_options]
        if not found:
            kept.append(example)
            continue
        wrong += 1
        if wrong <= _WRONG_EXAMPLES:
            at, reason = found[0]
            message = f"example {index + 1} does not match parameters: {at} {reason}"
            hint = "Correct the example. Until then, no model gets it."
            faults.append(warning("bad-example", ("examples", index), message, "arguments that match", hint))
    return kept


def _is_of_other_format(spec: dict[str, object], faults: list[Fault]) -> bool:
    """Whether the spec is written for the API of a model's provider. One problem then says how to change it."""
    if isinstance(spec.get("function"), dict) and "name" not in spec:
        owner, hint = "OpenAI's", 'Move name, description and parameters out of "function"'
    elif isinstance(spec.get("input_schema"), dict) and "parameters" not in spec:
        owner, hint = "Anthropic's", 'Rename "input_schema" to "parameters"'
    else:
        return False
    expected = f"the keys {', '.join(REQUIRED)}"
    more = "" if "handler" in spec else ', and add "handler": the function that runs'
    message = f"the spec is in {owner} format, which does not say what runs the tool"
    faults.append(error("other-format", (), message, expected, f'{hint}{more}. The name is "<module>:<function>".'))
    return True


def _check_keys(entry: dict[object, object], spec: dict[str, object], faults: list[Fault]) -> None:
    """Adds problems about missing and unknown keys."""
    if len(spec) == dict.__len__(entry) and _REQUIRED <= spec.keys() <= _KNOWN:
        return
    for key in REQUIRED:
        if key not in spec:
            near = nearest(key, [one for one in spec if one not in KNOWN])
            hint = f"Did you mean {key!r} instead of {near!r}?" if near else f'Add "{key}": … to the spec.'
            faults.append(error("missing-key", (), f"the spec has no {key!r}", f"the key {key!r}", hint))
    for key in dict.keys(entry):
        if type(key) is str and key in KNOWN:
            continue
        near = nearest(key, KNOWN) if type(key) is str else None
        name_text = shown(key) if type(key) is str else kind(key)
        hint = f"Did you mean {near!r}?" if near else f"Remove it. Known keys: {', '.join(KNOWN)}."
        at = (key,) if type(key) is str else ()
        faults.append(warning("unknown-key", at, f"{name_text} is not a key of a tool spec", "a known key", hint))


def _read_name(spec: dict[str, object], stem: str, faults: list[Fault]) -> str:
    """The name of the tool, even a bad one; empty if it is not a text. Adds problems."""
    if "name" not in spec:
        return ""
    value = spec["name"]
    if type(value) is str and _is_usual_name(value, stem):
        return value
    expected = f'"{stem}:<function>"'
    if not isinstance(value, str):
        hint = f'Write "name": "{stem}:<function>".'
        faults.append(error("bad-name", ("name",), f"the name is {kind(value)}", expected, hint))
        return ""
    name = _with_stem(str.__str__(value), stem)
    message, hint = _name_fault(name, stem)
    if message:
        elsewhere = ":" in name and not name.startswith(f"{stem}:") and name.isprintable()
        claimed = name[:NAME_CHARACTERS] if elsewhere else ""
        faults.append(Fault("error", "bad-name", ("name",), message, expected, hint, claimed))
    return name


def _with_stem(name: str, stem: str) -> str:
    """The name with the file's own spelling of its module part, if the two differ only in Unicode form."""
    module, colon, function = name[:NAME_CHARACTERS].partition(":")
    same = colon and module != stem and composed(module) == composed(stem)
    return f"{stem}:{composed(function)}" if same and len(name) <= NAME_CHARACTERS else name


def _is_usual_name(name: str, stem: str) -> bool:
    if len(name) > NAME_CHARACTERS or ":" in stem:
        return False
    module, _, function = name.partition(":")
    return module == stem and function.isascii() and function.isidentifier()


def _name_fault(name: str, stem: str) -> tuple[str, str]:
    """What is wrong with a name, and a hint; both empty for a good name."""
    if ":" in stem:
        return f"the file's name {shown(stem)} has a colon in it", "Rename the file."
    module, colon, function = name.partition(":")
    if len(name) > NAME_CHARACTERS:
        return f"the name has {len(name):,} characters, more than {NAME_CHARACTERS}", "Shorten it."
    if not colon:
        message = f"the name {shown(name)} has no module part" if name else "the name is empty"
        return message, f'Write "{stem}:{name or "<function>"}".'
    if module != stem:
        return (f"the module part {shown(module)} is not the file's name", f'Write "{stem}:{function}".')
    if not function:
        return f"the name {shown(name)} has no function part", f'Write "{stem}:<function>".'
    if ":" in function:
        return (f"the name {shown(name)} has two colons", f'Write "{stem}:{function.replace(":", "_")}".')
    if not function.isprintable() or any(map(str.isspace, function)):
        plain = "".join(one if one.isalnum() else "_" for one in function).strip("_") or "<function>"
        return (f"the name {shown(name)} has spaces or invisible characters", f'Write "{stem}:{plain}".')
    return "", ""


def _read_description(spec: dict[str, object], faults: list[Fault]) -> str:
    """The description; empty if it is not a text. Adds problems."""
    value = spec.get("description", "-")
    expected = "a non-empty str"
    hint = "Say in a sentence what the tool does: the model uses it to choose a tool."
    if not isinstance(value, str):
        message = f"the description is {kind(value)}"
        faults.append(error("bad-description", ("description",), message, expected, hint))
        return ""
    text = str.__str__(value)
    if not text.strip():
        faults.append(error("bad-description", ("description",), "the description is empty", expected, hint))
    elif len(text) > DESCRIPTION_CHARACTERS:
        message = f"the description has {len(text):,} characters"
        expected = f"at most {DESCRIPTION_CHARACTERS:,} characters"
        faults.append(error("bad-description", ("description",), message, expected, "Shorten it."))
    return text


def _read_handler(spec: dict[str, object], faults: list[Fault]) -> Callable[..., object] | None:
    """The handler; None if there is none that can be called. Adds problems."""
    if "handler" not in spec:
        return None
    value = spec["handler"]
    if callable(value):
        return value
    hint = 'Give the function itself: "handler": my_function, without quotes or parentheses.'
    message = f"the handler is {kind(value)}, which cannot be called"
    faults.append(error("bad-handler", ("handler",), message, "a callable", hint))
    return None
