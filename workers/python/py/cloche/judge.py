"""Judges a saved test: compares how its call ended with what the test expects."""

from __future__ import annotations

import base64
import builtins
import hashlib
import json
from typing import Any

from .failures import describe
from .schema_check import schema_faults

RECORDED = ("resultType", "textResultForLlm", "recoverable", "content", "metadata", "updates", "stdout", "log")
KEYS = (*RECORDED, "error", "equals", "includes", "schema", "expression")
_REASONS = 20
_SHOWN = 300
_REASON = 2_000


def judge(expect: dict[str, Any] | None, outcome: dict[str, Any]) -> list[str]:
    """Returns the reasons why a test fails; none if it passes. Never raises.

    `outcome` has `resultType`, `textResultForLlm` and `content`, and may have `error`, `recoverable`, `metadata`, `stdout`,
    `log` and `updates` (a list of values). The data of an image or binary part is base64.
    """
    try:
        return _list_reasons(expect or {}, outcome)[:_REASONS]
    except RecursionError:
        return ["the result or the expectation is nested too deeply to compare"]
    except Exception as error:  # a broken expectation fails only its own test
        return [f"the expectation cannot be checked: {describe(error)}"]


def judge_texts(expect: str, outcome: str) -> str:
    """As `judge`, with JSON texts. Never raises."""
    try:
        reasons = judge(json.loads(expect), json.loads(outcome))
    except (ValueError, RecursionError) as error:
        reasons = [f"the result cannot be compared: {describe(error)}"]
    return json.dumps([reason if len(reason) <= _REASON else f"{reason[:_REASON]}…" for reason in reasons])


def result_value(outcome: dict[str, Any]) -> object:
    """The value of a result: its JSON part, otherwise its text, or the object or list if the text is the JSON of one."""
    parts = outcome.get("content") or []
    text = outcome["textResultForLlm"]
    if len(parts) != 1:
        return text
    if parts[0]["type"] == "json":
        return json.loads(parts[0]["text"])
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _list_reasons(expect: dict[str, Any], outcome: dict[str, Any]) -> list[str]:
    unknown = [key for key in expect if key not in KEYS]
    if unknown:
        return [f"expect has an unknown key {shown(unknown[0])}; the allowed keys are {', '.join(KEYS)}"]
    failed = outcome["resultType"] != "success"
    if failed and expect.get("resultType") != "failure" and "error" not in expect:
        return [f"the call failed: {outcome.get('error') or outcome['textResultForLlm']}"]
    if not failed and "error" in expect:
        return [f"expected the error {expect['error']}, but the call succeeded with {_show_result(outcome)}"]
    found = [reason for key in RECORDED if key in expect for reason in _compare_recorded(key, expect[key], outcome)]
    if "error" in expect:
        error = outcome.get("error", "")
        if expect["error"] not in (error, error.partition(":")[0]):
            found.append(f"error: expected {expect['error']}, got {error}")
    return found + _judge_value(expect, outcome)


def _judge_value(expect: dict[str, Any], outcome: dict[str, Any]) -> list[str]:
    if not any(key in expect for key in ("equals", "includes", "schema", "expression")):
        return []
    value, text = result_value(outcome), outcome["textResultForLlm"]
    found: list[str] = []
    if "equals" in expect and not (isinstance(expect["equals"], str) and expect["equals"] == text):
        found += _list_differences(expect["equals"], value, "result")
    if "includes" in expect and not (isinstance(expect["includes"], str) and expect["includes"] in text):
        found += _list_missing(expect["includes"], value, "result")
    if "schema" in expect:
        found += [f"schema: {_name(f'result{path[1:]}')} {message}" for path, message in schema_faults(expect["schema"], value)]
    if "expression" in expect:
        found += _judge_expression(expect["expression"], value, text, outcome.get("updates") or [])
    return found


def _compare_recorded(key: str, expected: Any, outcome: dict[str, Any]) -> list[str]:
    got = outcome.get(key)
    if key == "updates" and isinstance(expected, int):
        got = outcome.get("updateCount", len(got or []))
    elif key == "content":
        got = [_describe_part(part) for part in got or []]
    if same(expected, got):
        return []
    return [f"{key}: expected {shown(expected)}, got {shown(got)}"]


def _describe_part(part: dict[str, Any]) -> dict[str, Any]:
    if "data" not in part:
        return {"type": part["type"]}
    digest = hashlib.sha256(base64.b64decode(part["data"])).hexdigest()
    return {"type": part["type"], "mediaType": part["mediaType"], "sha256": digest}


def same(expected: object, got: object) -> bool:
    """Compares like Python's ==, where 3 equals 3.0 and integers are exact, except that True does not equal 1."""
    return not _list_differences(expected, got, "result")


def _list_differences(expected: Any, got: Any, at: str) -> list[str]:
    if isinstance(expected, dict) and isinstance(got, dict):
        found = [f"{_name(at)}: has no {shown(key)}" for key in expected if key not in got]
        found += [f"{_name(at)}: has {shown(key)}, which is not expected" for key in got if key not in expected]
        for key in expected:
            if key in got and len(found) < _REASONS:
                found += _list_differences(expected[key], got[key], step(at, key))
        return found
    if isinstance(expected, list) and isinstance(got, list):
        found = []
        for index, (one, other) in enumerate(zip(expected, got)):
            if len(found) < _REASONS:
                found += _list_differences(one, other, step(at, index))
        if len(expected) != len(got):
            items = "item" if len(expected) == 1 else "items"
            found.append(f"{_name(at)}: expected {len(expected)} {items}, got {len(got)}")
        return found
    # @mutant true is not 1 => without isinstance(expected, bool) == isinstance(got, bool) and [python test_judge]
    if isinstance(expected, bool) == isinstance(got, bool) and expected == got:
        return []
    return [f"{_name(at)}: expected {shown(expected)}, got {shown(got)}"]


def _list_missing(expected: Any, got: Any, at: str) -> list[str]:
    """Objects must have each expected member; lists each expected item, in this order, with others allowed between."""
    if isinstance(expected, dict) and isinstance(got, dict):
        found = []
        for key, one in expected.items():
            if len(found) < _REASONS:
                found += _list_missing(one, got[key], step(at, key)) if key in got else [f"{_name(at)}: has no {shown(key)}"]
        return found
    if isinstance(expected, list) and isinstance(got, list):
        rest = iter(got)
        for index, one in enumerate(expected):
            if not any(not _list_missing(one, other, at) for other in rest):
                after = " after the previous match" if index else ""
                return [f"{_name(at)}: no item includes {shown(one)}{after}"]
        return []
    return _list_differences(expected, got, at)


def _name(at: str) -> str:
    """A value in words: `the result`, or the path of a part of it, such as `result.items[0]`."""
    return "the result" if at == "result" else at


def _judge_expression(source: str, value: object, text: str, updates: list[object]) -> list[str]:
    shortened = source if len(source) <= _SHOWN else f"{source[:_SHOWN]}…"
    names = {"__builtins__": builtins, "result": value, "text": text, "updates": updates}
    try:
        # Parentheses let an expression span several lines.
        code = compile(f"({source}\n)", "<expression>", "eval", dont_inherit=True)
    except Exception as error:
        return [f"invalid expression: {shortened} raised {describe(error)}"]
    try:
        if eval(code, names):
            return []
    except BaseException as error:
        return [f"expression: {shortened} raised {describe(error)}, where result is {shown(value)}"]
    return [f"expression: {shortened} is false, where result is {shown(value)}"]


def _show_result(outcome: dict[str, Any]) -> str:
    return shown(result_value(outcome))


def shown(value: object) -> str:
    """JSON text of at most 300 characters."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text):,} characters)"


def step(at: str, key: str | int) -> str:
    """The path of a member or an item."""
    if isinstance(key, int):
        return f"{at}[{key}]"
    return f"{at}.{key}" if key.isidentifier() else f"{at}[{shown(key)}]"
