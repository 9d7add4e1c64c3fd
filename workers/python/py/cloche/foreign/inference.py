"""Infers a tool's parameters from a function, as its framework would."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from .annotations import Schema, described, hints_of, object_schema, schema_of, write_default
from .conversion import is_plain
from .docstrings import Docstring, read_docstring, schema_of_words
from .fields import constraints_of, is_field_info, is_required, made_default, model_fields, plain_default
from .frameworks import FRAMEWORKS, Framework
from .injection import Supply, supplier
from .marks import Mark
from .modules.common import without_missing

_ABSENT = inspect.Parameter.empty
_CHOICES = re.compile(r"\s*\(choices:\s*(\[.*?\])\)", re.IGNORECASE | re.DOTALL)
_TYPE_OF_DEFAULT = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object", tuple: "array"}


class Parameters(NamedTuple):
    """A tool's parameters: the schema for the model, and how a call passes the arguments on."""

    schema: Schema
    description: str
    # Annotations for converting arguments. Arguments that need no conversion are missing.
    conversions: Mapping[str, Any]
    # Values that the framework supplies, by parameter.
    supplied: Mapping[str, Supply]
    # Values for missing arguments, if the function's own default cannot be used.
    defaults: Mapping[str, Any]
    # Names that are passed by position: names before a slash, and the name of *args.
    positional: tuple[str, ...]
    star: str
    # The parameter that takes all arguments as one model.
    whole: str


def infer(mark: Mark, bound: bool) -> Parameters:
    """Infers the parameters of a marked tool. `bound`: the first parameter of its function is the instance.

    Raises TypeError or ValueError if the function has no signature.
    """
    framework = FRAMEWORKS[mark.framework]
    target = inspect.unwrap(mark.target)
    doc = read_docstring(getattr(target, "__doc__", None))
    taken = _signature(target)
    hints = hints_of(target)
    if bound:
        taken = taken[1:]
    reader = _Reader(mark, framework, doc, hints)
    reader.read(taken)
    schema = object_schema(reader.properties, reader.required)
    whole = ""
    if mark.schema is not None:
        schema = without_missing(mark.schema)
        reader.keep_only(schema.get("properties"))
        if mark.call is not None:
            # The function gets the arguments that the schema declares, and nothing else.
            reader = _Reader(mark, framework, doc, hints)
        else:
            reader.supply_undeclared(taken)
    elif mark.model is not None:
        schema = reader.use_model(mark.model, taken)
    elif framework.id in ("pydantic-ai", "browser-use"):
        whole = reader.single_model(taken)
        schema = schema_of(hints[whole]) if whole else schema
    return Parameters(
        schema,
        describe(mark, framework, doc),
        reader.conversions,
        reader.supplied,
        reader.defaults,
        tuple(reader.positional),
        reader.star,
        whole,
    )


def describe(mark: Mark, framework: Framework, doc: Docstring) -> str:
    if mark.description.strip():
        return mark.description.strip()
    if mark.flags.get("description_head") or framework.description == "head":
        return doc.head or doc.whole
    return doc.before_fields if framework.description == "fields" and doc.before_fields else doc.whole


def _signature(function: Any) -> list[inspect.Parameter]:
    if sys.version_info >= (3, 14):
        from annotationlib import Format

        return list(inspect.signature(function, annotation_format=Format.FORWARDREF).parameters.values())
    return list(inspect.signature(function).parameters.values())


class _Reader:
    def __init__(self, mark: Mark, framework: Framework, doc: Docstring, hints: Mapping[str, Any]) -> None:
        self._mark, self._framework, self._doc, self._hints = mark, framework, doc, hints
        told = mark.docstring_parameters
        self._documented = framework.documents_parameters if told is None else told
        self.properties: Schema = {}
        self.required: list[str] = []
        self.conversions: dict[str, Any] = {}
        self.supplied: dict[str, Supply] = {}
        self.defaults: dict[str, Any] = {}
        self.positional: list[str] = []
        self.star = ""

    def read(self, taken: list[inspect.Parameter]) -> None:
        for one in taken:
            if one.kind is inspect.Parameter.VAR_KEYWORD:
                continue
            supply = supplier(one.name, self._hints.get(one.name, Any), one.default, self._framework)
            if supply is None and one.name in self._mark.hidden:
                supply = self._mark.hidden[one.name] or _hidden(one)
            if supply is not None:
                self.supplied[one.name] = supply
            else:
                self._read_argument(one)
            if one.kind is inspect.Parameter.POSITIONAL_ONLY:
                self.positional.append(one.name)

    def _read_argument(self, one: inspect.Parameter) -> None:
        """Adds a parameter that the model fills in."""
        annotation = self._hints.get(one.name, _ABSENT)
        schema = self._schema(one, annotation)
        if one.kind is inspect.Parameter.VAR_POSITIONAL:
            self.star = one.name
            self.properties[one.name] = {"type": "array", **({"items": schema} if schema else {})}
            return
        default = one.default
        if is_field_info(default):
            constraints_of(default).write_into(schema, described_too=True)
            if is_required(default):
                default = _ABSENT
            else:
                self.defaults[one.name] = default
                default = plain_default(default)
        if default is _ABSENT:
            self.required.append(one.name)
        else:
            write_default(schema, default)
        self.properties[one.name] = schema
        if annotation is not _ABSENT and not is_plain(annotation):
            self.conversions[one.name] = annotation

    def _schema(self, one: inspect.Parameter, annotation: Any) -> Schema:
        """The schema of a parameter: from its annotation, else from the docstring, else from its default."""
        said = self._doc.parameters.get(one.name)
        if annotation is not _ABSENT:
            schema = schema_of(annotation)
        else:
            schema = dict(schema_of_words(said.type)) if said else {}
            kind = _TYPE_OF_DEFAULT.get(type(one.default))
            if self._framework.untyped:
                schema = {"type": self._framework.untyped}
            elif not schema and kind:
                schema = {"type": kind}
        text, _ = described(annotation)
        if self._documented and said and not text:
            self._describe(schema, said.description)
        return schema

    def _describe(self, schema: Schema, text: str) -> None:
        """Adds a description from the docstring, and the choices that it names if the framework reads these."""
        choices = _CHOICES.search(text) if self._mark.flags.get("choices") else None
        if choices:
            text = _CHOICES.sub("", text).strip()
            try:
                schema["enum"] = json.loads(choices[1].replace("'", '"'))
            except ValueError:
                pass
            else:
                if "null" in str(schema.get("type")) and None not in schema["enum"]:
                    schema["enum"] = [*schema["enum"], None]
        if text:
            schema["description"] = text

    def keep_only(self, properties: Any) -> None:
        """Uses the author's own schema. Other parameters of the function are supplied, or keep their defaults."""
        listed = properties if isinstance(properties, dict) else {}
        for name in list(self.properties):
            if name not in listed:
                del self.properties[name]
                self.conversions.pop(name, None)

    def supply_undeclared(self, taken: list[inspect.Parameter]) -> None:
        """Parameters without a default that the author's schema does not declare: only the application knows their values."""
        for one in taken:
            is_declared = one.name in self.properties or one.name in self.supplied
            if one.default is _ABSENT and not is_declared and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
                self.supplied[one.name] = _hidden(one)

    def use_model(self, model: Any, taken: list[inspect.Parameter]) -> Schema:
        """Returns the schema of the model that describes the arguments. Its fields are converted."""
        if isinstance(model, dict):
            self.keep_only(model.get("properties"))
            return model
        fields = model_fields(model) if isinstance(model, type) else None
        if fields is None:
            schema = schema_of(model)
            # A model of a missing module says nothing.
            return schema if schema.get("type") == "object" else object_schema(self.properties, self.required)
        known = {one.name: one for one in taken}
        takes_any = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in taken)
        schema = schema_of(model)
        for name, field in fields.items():
            if not is_plain(field.annotation):
                self.conversions[name] = field.annotation
            own = known.get(name)
            if not is_required(field) and (takes_any if own is None else own.default is _ABSENT or is_field_info(own.default)):
                self.defaults[name] = field
        for name in self.supplied:
            schema.get("properties", {}).pop(name, None)
            if name in schema.get("required", ()):
                schema["required"].remove(name)
        return schema

    def single_model(self, taken: list[inspect.Parameter]) -> str:
        """The only argument if its annotation is a model. The model's fields are then the tool's parameters."""
        arguments = [one.name for one in taken if one.name in self.properties]
        kind = self._hints.get(arguments[0]) if len(arguments) == 1 else None
        return arguments[0] if isinstance(kind, type) and (model_fields(kind) is not None) else ""


def _hidden(one: inspect.Parameter) -> Supply:
    if one.default is not _ABSENT:
        return lambda call: one.default

    def supply(call: Any) -> Any:
        raise RuntimeError(f"{one.name} is supplied by the application, which does not run here: give it a default to try the tool")

    return supply


def default_value(given: Any) -> Any:
    """The value of a default, which a field may contain."""
    return made_default(given) if hasattr(given, "default_factory") or is_field_info(given) else given
