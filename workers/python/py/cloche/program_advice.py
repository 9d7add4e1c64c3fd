"""Says, beside an error of a program, what its author should write instead."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .program_tools import labels, the_tools, written_calls
from .wording import nearest

_AWAIT = "Write `await` in front of the call, in parentheses where its result is used."
_WORDS = {"true": "True", "false": "False", "null": "None", "undefined": "None"}
# The packages that a reason names, each in one of three ways. Of each match, one group is not empty.
_PACKAGES = re.compile(
    r"^The package ([\w.-]+)"
    r'|"(\w[\w.-]*)[^"]*"?'  # "requests>=2.28"
    r'|([\w.-]+) [\w.+!-]+ needs (?=it\b|")'  # requests 2.28.1 needs it
)
_CALLERS = ("functions", "call_tool", "use_tool", "invoke_tool", "mcp", "client")
# Advice by a part of the message. All texts of a group must be in it.
_BY_MESSAGE = (
    (("JSON object must be str",), "Results of tools are values already: leave out `json.loads`."),
    (("'await' expression",), "This value is no call: only calls are awaited, and each of them once."),
    (("can't be awaited",), "This value is no call: only calls are awaited, and each of them once."),
    (("async_generator",), "Write a list: `[await … for … in …]`, or `[one async for one in …]`."),
    (("coroutine",), _AWAIT),
    (("type ToolCall",), _AWAIT),
    (("'ToolModule' object",), "Call a tool of a module with a dot: `await module.tool(…)`."),
    (("'Tools' object",), "Call a tool by its name: `await tools['module:tool'](…)`."),
    (("Future' object",), _AWAIT),
    (("'Task' object",), _AWAIT),
    (("event loop", "running"), "An event loop runs already: write `await main()` outside of plain functions."),
    (("another loop is running",), "An event loop runs already: write `await main()` outside of plain functions."),
)


def advise(
    error: BaseException,
    globals_: Mapping[str, Any],
    given: Mapping[str, Any],
    earlier: Collection[str] = (),
    missing: Sequence[str] = (),
) -> None:
    """Adds a note to the error if it is clear what to write. `given` are the globals that the program was given,
    `earlier` the names of variables of earlier programs, and `missing` the reasons why packages of the folder are not
    installed, as the list of the folder's problems words them."""
    try:
        advice = _advise(error, globals_, given)
        if not advice and isinstance(error, ModuleNotFoundError) and error.name:
            advice = _explain_module(error.name, missing)
        if isinstance(error, NameError) and error.name in earlier:
            advice = f"`{error.name}` was a variable of an earlier program. Programs start without such variables, unless `reuse_variables` is true."
        if advice:
            error.add_note(advice)
    except BaseException:  # an exception class can fail in any operation
        return


def _advise(error: BaseException, globals_: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    tools = given["tools"]
    if isinstance(error, NameError) and error.name:
        return _advise_on_name(error.name, tools, given)
    if isinstance(error, UnboundLocalError):
        found = re.search(r"'(\w+)'", str(error))
        if found and found[1] in given:
            return f"`{found[1]}` is the name of a module of tools: use another name for the variable of this function."
    if isinstance(error, ImportError):
        return _list_tools(tools, error.name) if error.name in (*_CALLERS, *given) else ""
    if isinstance(error, AttributeError):
        hidden = [
            one
            for one in labels(tools, error.name)
            if globals_.get(one[0]) is error.obj and error.obj is not given.get(one[0])
        ]
        if hidden:
            module, name, tool = hidden[0]
            return (
                f"`{module}` is no longer the tools: the program has given it another value. Use another name for "
                f"that, or write `await tools[{tool!r}](…)` instead of `{module}.{name}`."
            )
    if isinstance(error, EOFError):
        return "A program cannot ask anything with `input()`: write the value, or end and ask the user."
    message = str(error)
    if isinstance(error, TypeError) and "unhashable" in message and "gather(" in _find_line(error):
        return "`asyncio.gather` takes calls, not a list of them: write `asyncio.gather(*calls)`."
    if isinstance(error, (TypeError, AttributeError, RuntimeError)):
        return next((advice for parts, advice in _BY_MESSAGE if all(part in message for part in parts)), "")
    return ""


def _advise_on_name(name: str, tools: Any, given: Mapping[str, Any]) -> str:
    if name in _WORDS:
        return f"Python writes `{_WORDS[name]}`."
    found = labels(tools, name)
    if found:
        calls = written_calls(found)
        return f"Call it as {calls}." if len(found) == 1 else f"Several tools have this name: {calls}."
    if name in _CALLERS:
        return _list_tools(tools)
    near = nearest(name, [one for one in given if not one.startswith("_")])
    return f"Did you mean `{near}`?" if near else ""


def _list_tools(tools: Any, module: str | None = None) -> str:
    """Some of the calls that there are, those of the module first."""
    every = sorted(labels(tools), key=lambda label: label[0] != module)
    return f"There is nothing to import. {the_tools(written_calls(every))}"


def _explain_module(name: str, missing: Sequence[str]) -> str:
    """Says why a module is missing: its package is not installed, or no file of the folder declares one."""
    from .foreign.package_names import package_of  # rarely needed

    top = name.partition(".")[0]
    packages = {_normalize_name(top), _normalize_name(package_of(name))}
    general = ""
    for reason in missing:
        named = {_normalize_name("".join(groups)) for groups in _PACKAGES.findall(reason)}
        if named & packages:
            return reason
        general = general or ("" if named else f" Not all of these packages are installed: {reason}")
    if top != name or top in sys.stdlib_module_names:
        return ""
    return f"A program can import Python's standard library and the packages that the folder's files declare, but not the files.{general}"


def _normalize_name(name: str) -> str:
    """The name of a package in the spelling of package indexes."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _find_line(error: BaseException) -> str:
    """The line of the program that raised the error, or called what did."""
    step, line = error.__traceback__, ""
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if file.endswith("/program.py"):
            line = linecache.getline(file, step.tb_lineno)
        step = step.tb_next
    return line
