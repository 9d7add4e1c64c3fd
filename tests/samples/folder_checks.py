"""Checks the samples as a whole: they load without a warning, cover every feature, and work in a workspace."""

from __future__ import annotations

import inspect
import sys
import tempfile
import types
from collections.abc import Callable
from functools import partial
from pathlib import Path

from play import SAMPLES, player, read_calls, recorded_files

OPTIONAL_KEYS = (
    "label timeout_s requires_approval concurrency_safe stateless background_safe interrupt deferred prompt_hint "
    "prompt_guides examples returns annotations"
).split()
# These arguments replace those of the tool's example, which makes the test wait.
QUICK = {"long_jobs:wait": {"seconds": 0.01}}


async def every_sample_loads_without_a_problem() -> None:
    for file, report in _reports().items():
        assert report["problems"] == [], f"{file}: {report['problems']}"
        assert report["tools"], f"{file} has no tools"
        assert report["output"] == "", f"{file} prints when it is imported"


async def every_tool_has_a_recorded_call() -> None:
    recorded = {call["tool"] for file in recorded_files() for call in read_calls(file)}
    tools = {tool["name"] for report in _reports().values() for tool in report["tools"]}
    assert recorded == tools, f"{sorted(tools - recorded)} have none, {sorted(recorded - tools)} do not exist"


async def every_recorded_call_has_a_name_of_its_own() -> None:
    for file in recorded_files():
        names = [(call["tool"], call["name"]) for call in read_calls(file)]
        assert len(names) == len(set(names)), f"{file.name} has a name twice"
        assert all(tool.startswith(f"{file.stem}:") for tool, _ in names), f"{file.name} has calls of other files"


async def every_parameter_is_described_and_fits_the_signature() -> None:
    for spec in _all_specs():
        name, properties = spec["name"], spec["parameters"]["properties"]
        undescribed = [key for key, schema in properties.items() if not schema.get("description")]
        assert not undescribed, f"{name}: {undescribed} have no description"
        declared = _signature(spec["handler"])
        assert set(declared) == set(properties), f"{name}: {sorted(declared)} and {sorted(properties)}"
        required = {key for key, parameter in declared.items() if parameter.default is parameter.empty}
        assert required == set(spec["parameters"].get("required", [])), f"{name}: required is {required}"
        for key in set(properties) - required:
            default = properties[key].get("default", "none")
            assert default == declared[key].default, f"{name}: the default of {key} is {default}"


async def every_example_runs() -> None:
    for spec in _all_specs():
        for example in spec.get("examples", []) if not spec["name"].startswith("files:") else []:
            with player() as one:
                outcome = await one.call(spec["name"], {**example, **QUICK.get(spec["name"], {})})
                assert outcome["resultType"] == "success", f"{spec['name']}: {outcome['error']}"


async def together_they_show_every_optional_key_and_kind_of_handler() -> None:
    specs = _all_specs()
    shown = {key for spec in specs for key in spec}
    assert shown >= set(OPTIONAL_KEYS), set(OPTIONAL_KEYS) - shown
    for key in ("requires_approval", "concurrency_safe"):
        kinds = {type(spec[key]) for spec in specs if key in spec}
        assert kinds == {bool, types.FunctionType}, f"{key}: {kinds}"
    kinds = {tool["handler"]["kind"] for report in _reports().values() for tool in report["tools"]}
    assert kinds == {"function", "async", "generator", "async-generator"}, kinds
    handlers = [spec["handler"] for spec in specs]
    assert any(isinstance(handler, partial) for handler in handlers)
    assert any(isinstance(handler, types.MethodType) for handler in handlers)
    assert any(not isinstance(handler, (partial, types.FunctionType, types.MethodType)) for handler in handlers)


async def approval_is_asked_for_where_something_may_be_lost() -> None:
    ask = {spec["name"]: spec.get("requires_approval", False) for spec in _all_specs()}
    write = ask["files:write_file"]
    answers = [write({"path": "a", "text": "b"}), write({"path": "a", "text": "b", "overwrite": True})]
    assert answers == [False, True], answers
    assert ask["files:delete_file"] is True


async def the_file_tools_work_in_a_workspace_and_stay_in_it() -> None:
    with tempfile.TemporaryDirectory() as folder, player() as one:
        given = {"workspace_path": folder}

        async def call(function: str, **arguments: object) -> dict:
            return await one.call(f"files:{function}", arguments, **given)

        Path(folder, "odd.bin").write_bytes(b"\xff\xfe\x00")
        assert (await call("write_file", path="a/é.md", text="Eins\nzwei Äpfel\n"))["resultType"] == "success"
        again = await call("write_file", path="a/é.md", text="")
        assert again["recoverable"] and "already exists" in again["error"], again
        listed = await call("list_files", pattern="**/*.md")
        assert listed["textResultForLlm"] == '[{"path": "a/é.md", "bytes": 17}]', listed
        found = await call("search_files", text="äpfel")
        assert found["textResultForLlm"] == '[{"path": "a/é.md", "line": 2, "text": "zwei Äpfel"}]', found
        assert found["metadata"] == {"files_skipped": 1}, found
        bad = await call("search_files", text="(", is_regex=True)
        assert bad["recoverable"] and "not a regular expression" in bad["error"], bad
        assert (await call("read_lines", path="a/é.md", first=2))["textResultForLlm"] == "zwei Äpfel"
        outside = await call("read_lines", path="../../etc/passwd")
        assert "is outside the workspace" in outside["error"], outside
        assert (await call("delete_file", path="a/é.md"))["textResultForLlm"] == "null"
        assert (await call("list_files", pattern="**/*.md"))["textResultForLlm"] == "[]"
        missing = await call("read_lines", path="a/é.md")
        assert missing["error"].startswith("FileNotFoundError"), missing


async def handlers_refuse_by_themselves_what_the_schema_would() -> None:
    # The schema is not checked here, nor when a tool file is used as a plain module.
    color = {"start": [0, 0, 256], "end": [0, 0, 0]}
    for tool, arguments in (
        ("basics:split_bill", {"total": 10, "people": 0}),
        ("calculator:loan_plan", {"amount": 100, "annual_rate_percent": 1, "months": 0}),
        ("charts:bar_chart", {"items": []}),
        ("charts:pie_chart", {"items": [{"label": "endless", "value": float("inf")}]}),
        ("images:gradient", color),
        ("long_jobs:count_primes", {"limit": 1_000_000_000}),
        ("stats:describe_numbers", {"numbers": [float("nan")]}),
    ):
        with player() as one:
            outcome = await one.call(tool, arguments)
            assert outcome.get("error", "").startswith("ValueError: "), f"{tool}: {outcome}"


async def long_jobs_can_be_cancelled() -> None:
    for tool, arguments in (
        ("long_jobs:count_primes", {"limit": 20_000_000}),
        ("long_jobs:wait", {"seconds": 50}),
        ("long_jobs:estimate_project", {"tasks": [{"name": "a", "best": 1, "likely": 2, "worst": 3}], "runs": 200_000}),
    ):
        with player() as one:
            outcome = await one.cancelled(tool, arguments)
            assert outcome.get("error") == "CancelledError", f"{tool}: {outcome}"


def _tool_files() -> list[str]:
    return sorted(file.name for file in SAMPLES.glob("[!_.]*.py"))


def _reports() -> dict[str, dict]:
    with player() as one:
        return {file: one.inspect(file) for file in _tool_files()}


def _all_specs() -> list[dict]:
    with player() as one:
        for file in _tool_files():
            one.inspect(file)
        return [spec for file in _tool_files() for spec in sys.modules[file.removesuffix(".py")].TOOL_SPECS]


def _signature(handler: Callable[..., object]) -> dict[str, inspect.Parameter]:
    """The parameters that a model may pass."""
    declared = inspect.signature(handler).parameters
    return {name: parameter for name, parameter in declared.items() if name != "context"}


CHECKS = (
    every_sample_loads_without_a_problem,
    every_tool_has_a_recorded_call,
    every_recorded_call_has_a_name_of_its_own,
    every_parameter_is_described_and_fits_the_signature,
    every_example_runs,
    together_they_show_every_optional_key_and_kind_of_handler,
    approval_is_asked_for_where_something_may_be_lost,
    the_file_tools_work_in_a_workspace_and_stay_in_it,
    handlers_refuse_by_themselves_what_the_schema_would,
    long_jobs_can_be_cancelled,
)
