"""Infers a tool's parameters from a function, as its framework would.

A mark goes in. The schema for the model comes out, with how a call passes the arguments on to the function.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Mapping
from functools import partial
from types import MethodType
from typing import Any, NamedTuple

from .annotation_schemas import Schema, object_schema, schema_of, write_default
from .annotations import find_alias, hints_of, read_metadata
from .conversion import is_plain
from .docstrings import Docstring, read_docstring, schema_of_words
from .fields import constraints_of, is_field_info, is_required, make_field_default, model_fields, read_field_default
from .frameworks import FRAMEWORKS, Framework
from .inert import remove_missing
from .injected_arguments import Supply, find_supply
from .marks import Mark
from .unavailable import Unavailable

_ABSENT = inspect.Parameter.empty
_CHOICES = re.compile(r"\s*\(choices:\s*(\[.*?\])\)", re.IGNORECASE | re.DOTALL)
# Frameworks in which the fields of the only argument, a model, are the parameters of the tool.
_UNWRAPS_MODEL = ("pydantic-ai", "browser-use", "fastapi-mcp")
# Frameworks in which a parameter has the name that Field(alias="…") gives it.
_USES_ALIASES = ("mcp", "fastmcp")
_TYPE_OF_DEFAULT = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object", tuple: "array"}


class Parameters(NamedTuple):
    """A tool's parameters: the schema for the model, and how a call passes the arguments on."""

    schema: Schema
    description: str
    conversions: Mapping[str, Any]  # annotations of the arguments that have to be converted
    supplied: Mapping[str, Supply]  # values that the framework supplies, by parameter
    defaults: Mapping[str, Any]  # values for missing arguments, if the function's own default cannot be used
    positional: tuple[str, ...]  # parameters before a slash
    star: str  # the name of *args
    whole: str  # the parameter that takes all arguments as one model
    renamed: Mapping[str, str]  # parameters of the function by their aliases, under which the model knows them


def infer(mark: Mark, is_bound: bool) -> Parameters:
    """Infers the parameters of a marked tool. `is_bound`: the first parameter of its function is the instance.

    Raises TypeError or ValueError if the function has no signature.
    """
    framework = FRAMEWORKS[mark.framework]
    target = inspect.unwrap(mark.target)
    # Below its decorators, a bound method is the function that takes the instance.
    is_bound = is_bound or (isinstance(mark.target, MethodType) and not isinstance(target, MethodType))
    doc = read_docstring(getattr(target.func if isinstance(target, partial) else target, "__doc__", None))
    parameters = _list_parameters(target)[1 if is_bound else 0 :]
    reader = _ParameterReader(mark, framework, doc, hints_of(target, mark.names))
    # The function gets the arguments that the schema declares, and nothing else, if the mark says how it is called.
    if mark.schema is None or mark.call is None:
        reader.read(parameters)
    whole = ""
    if mark.schema is not None:
        schema = remove_missing(mark.schema)
        if mark.call is None:
            reader.keep_only(schema.get("properties"))
            reader.supply_undeclared(parameters)
    elif mark.model is not None:
        schema = reader.use_model(mark.model, parameters)
    else:
        whole = reader.find_only_model(parameters) if framework.id in _UNWRAPS_MODEL else ""
        schema = schema_of(reader.hints[whole]) if whole else object_schema(reader.properties, reader.required)
    return Parameters(
        schema,
        _describe(mark, framework, doc),
        reader.conversions,
        reader.supplied,
        reader.defaults,
        tuple(reader.positional),
        reader.star,
        whole,
        reader.renamed,
    )


def make_default(given: Any) -> Any:
    """The value of a default, which a field may contain."""
    return make_field_default(given) if hasattr(given, "default_factory") or is_field_info(given) else given


def _describe(mark: Mark, framework: Framework, doc: Docstring) -> str:
    """The description of a tool: the one of the mark, else the part of the docstring that the framework uses."""
    if mark.description.strip():
        return mark.description.strip()
    if mark.flags.get("description_head") or framework.docstring == "head":
        return doc.head or doc.whole
    return doc.before_fields if framework.docstring == "fields" and doc.before_fields else doc.whole


def _list_parameters(function: Any) -> list[inspect.Parameter]:
    if sys.version_info >= (3, 14):
        from annotationlib import Format

        return list(inspect.signature(function, annotation_format=Format.FORWARDREF).parameters.values())
    return list(inspect.signature(function).parameters.values())


class _ParameterReader:
    """Reads the parameters of one function, one by one. `hints`: the annotations."""

    def __init__(self, mark: Mark, framework: Framework, doc: Docstring, hints: Mapping[str, Any]) -> None:
        self._mark, self._framework, self._doc = mark, framework, doc
        self.hints = hints
        is_documented = mark.docstring_parameters
        self._is_documented = framework.docstring != "whole" if is_documented is None else is_documented
        # The reader fills these members of Parameters.
        self.properties: Schema = {}
        self.required: list[str] = []
        self.conversions: dict[str, Any] = {}
        self.supplied: dict[str, Supply] = {}
        self.defaults: dict[str, Any] = {}
        self.positional: list[str] = []
        self.star = ""
        self.renamed: dict[str, str] = {}

    def read(self, parameters: list[inspect.Parameter]) -> None:
        for parameter in parameters:
            name = parameter.name
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                continue
            supply = find_supply(name, self.hints.get(name, Any), parameter.default, self._framework)
            if name == "self" and parameter is parameters[0]:
                supply = _supply_self
            if supply is None and name in self._mark.hidden:
                supply = self._mark.hidden[name] or _make_hidden(parameter)
            if supply is not None:
                self.supplied[name] = supply
            else:
                self._read_argument(parameter)
            if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
                self.positional.append(name)

    def _read_argument(self, parameter: inspect.Parameter) -> None:
        """Adds a parameter that the model fills in."""
        name = parameter.name
        annotation = self.hints.get(name, _ABSENT)
        schema = self._make_schema(parameter, annotation)
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            self.star = name
            self.properties[name] = {"type": "array", **({"items": schema} if schema else {})}
            return
        default = parameter.default
        shown = find_alias(annotation, default) if self._framework.id in _USES_ALIASES else ""
        if shown:
            self.renamed[shown] = name
        if is_field_info(default):
            constraints_of(default).write_into(schema, described_too=True)
            if is_required(default):
                default = _ABSENT
            else:
                self.defaults[name] = default
                default = read_field_default(default)
        if default is _ABSENT:
            self.required.append(shown or name)
        else:
            write_default(schema, default)
        self.properties[shown or name] = schema
        if annotation is not _ABSENT and not is_plain(annotation):
            self.conversions[name] = annotation

    def _make_schema(self, parameter: inspect.Parameter, annotation: Any) -> Schema:
        """The schema of a parameter: from its annotation, else from the docstring, else from its default."""
        documented = self._doc.parameters.get(parameter.name)
        default_type = _TYPE_OF_DEFAULT.get(type(parameter.default))
        if annotation is not _ABSENT:
            schema = schema_of(annotation)
        elif self._framework.untyped:
            schema = {"type": self._framework.untyped}
        else:
            schema = dict(schema_of_words(documented.type)) if documented else {}
            if not schema and default_type:
                schema = {"type": default_type}
        text, _ = read_metadata(annotation)
        if self._is_documented and documented and not text:
            self._add_description(schema, documented.description)
        return schema

    def _add_description(self, schema: Schema, text: str) -> None:
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
        declared = properties if isinstance(properties, dict) else {}
        for name in list(self.properties):
            if name not in declared:
                del self.properties[name]
                self.conversions.pop(name, None)

    def supply_undeclared(self, parameters: list[inspect.Parameter]) -> None:
        """Supplies parameters without a default that the author's schema does not declare: only the application knows
        their values."""
        for parameter in parameters:
            is_declared = parameter.name in self.properties or parameter.name in self.supplied
            is_named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
            if parameter.default is _ABSENT and not is_declared and is_named:
                self.supplied[parameter.name] = _make_hidden(parameter)

    def use_model(self, model: Any, parameters: list[inspect.Parameter]) -> Schema:
        """Returns the schema of the model that describes the arguments. Its fields are converted."""
        if isinstance(model, dict):
            self.keep_only(model.get("properties"))
            return model
        schema = schema_of(model)
        fields = model_fields(model) if isinstance(model, type) else None
        if fields is None:
            # A model of a missing module says nothing.
            return schema if schema.get("type") == "object" else object_schema(self.properties, self.required)
        by_name = {parameter.name: parameter for parameter in parameters}
        takes_any = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters)
        for name, field in fields.items():
            if not is_plain(field.annotation):
                self.conversions[name] = field.annotation
            own = by_name.get(name)
            lacks_default = takes_any if own is None else own.default is _ABSENT or is_field_info(own.default)
            if lacks_default and not is_required(field):
                self.defaults[name] = field
        for name in self.supplied:
            schema.get("properties", {}).pop(name, None)
            if name in schema.get("required", ()):
                schema["required"].remove(name)
        return schema

    def find_only_model(self, parameters: list[inspect.Parameter]) -> str:
        """The only argument if its annotation is a model. The model's fields are then the tool's parameters."""
        arguments = [parameter.name for parameter in parameters if parameter.name in self.properties]
        kind = self.hints.get(arguments[0]) if len(arguments) == 1 else None
        return arguments[0] if isinstance(kind, type) and model_fields(kind) is not None else ""


def _supply_self(call: Any) -> Any:
    """Supplies the object of a method that was moved out of its class."""
    return Unavailable("self")


def _make_hidden(parameter: inspect.Parameter) -> Supply:
    """The supply of a parameter that the model never sees: its default, or an error."""
    name, default = parameter.name, parameter.default
    if default is not _ABSENT:
        return lambda call: default

    def supply(call: Any) -> Any:
        raise RuntimeError(f"{name} is supplied by the application, which does not run here: give it a default to try the tool")

    return supply
