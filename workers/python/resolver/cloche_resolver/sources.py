"""Reads what all files ask for: first requirements.txt, line by line, then each tool file as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from cloche_vendor.packaging.utils import canonicalize_name

from .limits import REQUIREMENTS, REQUIREMENTS_OF_FILE
from .problems import Problem, Refusal
from .python import Python
from .request import Source, Wheel
from .requirement import Asked, read_requirement
from .requirements_file import read_requirements_file
from .script_block import Block, read_block

REQUIREMENTS_FILE = "requirements.txt"
# Frameworks that Cloche replaces with stand-ins. Most cannot be installed in a browser, and none has to be.
STAND_INS = frozenset(
    (
        "ag2", "agno", "autogen", "autogen-agentchat", "autogen-core", "autogen-ext", "camel-ai", "crewai", "crewai-tools",
        "fastmcp", "google-adk", "google-genai", "haystack-ai", "langchain", "langchain-anthropic", "langchain-community",
        "langchain-core", "langchain-openai", "langgraph", "langsmith", "llama-index", "llama-index-core", "llm", "mcp",
        "open-webui", "openai-agents", "phidata", "pyautogen", "pydantic-ai", "pydantic-ai-slim", "qwen-agent",
        "semantic-kernel", "smolagents", "strands-agents", "strands-agents-tools", "tau-bench",
    )
)


@dataclass
class Requested:
    """All requirements, in units: each unit is met completely or not at all."""

    units: list[tuple[Asked, ...]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_sources(sources: tuple[Source, ...], python: Python, wheels: tuple[Wheel, ...] = ()) -> Requested:
    """Returns the packages that the files declare for this Python.

    A file that cannot be read has a problem, and no unit. A framework that has a stand-in is requested only if one of
    `wheels` contains it.
    """
    present = {canonicalize_name(wheel.filename.partition("-")[0]) for wheel in wheels}
    replaced = STAND_INS - present
    requested = Requested()
    left = REQUIREMENTS
    for source in sorted(sources, key=lambda one: (one.file != REQUIREMENTS_FILE, one.file)):
        if source.file == REQUIREMENTS_FILE:
            asked, problems = read_requirements_file(source.file, source.text)
            requested.problems += problems
            units = [(one,) for one in asked if python.holds(one.requirement.marker)]
        else:
            try:
                units = [_read_tool_file(source, python, requested.problems)]
                if len(units[0]) > left:
                    raise _too_many()
            except Refusal as refusal:
                requested.problems.append(refusal.problem(source.file, refusal.line))
                continue
        units = [tuple(one for one in unit if one.name not in replaced) for unit in units]
        left -= sum(map(len, units))
        requested.units += [unit for unit in units if unit]
    return requested


def _read_tool_file(source: Source, python: Python, warnings: list[Problem]) -> tuple[Asked, ...]:
    block = read_block(source.file, source.text, warnings)
    if block is None:
        return ()
    _check_python(block, python)
    if len(block.dependencies) > REQUIREMENTS_OF_FILE:
        raise _too_many(block.dependencies[REQUIREMENTS_OF_FILE][1])
    asked = []
    for text, line in block.dependencies:
        try:
            requirement = read_requirement(text)
        except Refusal as refusal:
            refusal.line = line
            raise
        if python.holds(requirement.marker):
            asked.append(Asked(source.file, line, text.strip(), requirement))
    return tuple(asked)


def _check_python(block: Block, python: Python) -> None:
    if python.suits(block.requires_python):
        return
    short = ".".join(map(str, python.version.release[:2]))
    message = f"the file asks for Python {block.requires_python}, and this is {python.version}"
    hint = f"If the file runs on Python {short} too, say so in requires-python."
    raise Refusal("python-version", message, f"a file for Python {short}", hint, block.python_line)


def _too_many(line: int | None = None) -> Refusal:
    message = "the tool files ask for too many packages"
    expected = f"at most {REQUIREMENTS_OF_FILE} requirements in a file, and {REQUIREMENTS:,} in all"
    hint = "List only what the file imports: dependencies are installed automatically."
    return Refusal("package-limit", message, expected, hint, line)
