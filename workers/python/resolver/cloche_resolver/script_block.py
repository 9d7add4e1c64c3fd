"""Reads the inline metadata of a tool file: the block `# /// script` of PEP 723."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from cloche_vendor.packaging.specifiers import SpecifierSet

from .limits import BLOCK_CHARACTERS, BLOCK_DOTS, BLOCK_OPENINGS
from .problems import Problem, Refusal
from .requirement import parse_specifier
from .wording import shown

# Copied from the PEP.
_BLOCK = re.compile(r"(?m)^# /// (?P<type>[a-zA-Z0-9-]+)$\s(?P<content>(^#(| .*)$\s)+)^# ///$")
_OPENING = re.compile(r"(?m)^# /// (?P<type>[a-zA-Z0-9-]+)$")
# The place at the end of an error message of tomllib.
_PLACE = re.compile(r" ?\(at (?:line (\d+), column \d+|end of document)\)$")
_CODE = "bad-metadata-block"
_EXPECTED = "a script block as in PEP 723, in TOML"


@dataclass(frozen=True)
class Block:
    """The requirements of a script block, unparsed, each with its line, and the Python version."""

    dependencies: tuple[tuple[str, int], ...]
    requires_python: SpecifierSet | None
    python_line: int


def read_block(file: str, text: str, warnings: list[Problem]) -> Block | None:
    """The script block of a tool file; None if it has none.

    Args:
        file: The file's name.
        text: The whole file.
        warnings: Receives problems that do not reject the file.

    Raises:
        Refusal: The block cannot be read. It has the line.
    """
    if "# /// script" not in text:
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    openings = list(_OPENING.finditer(text))
    first = next((one.start() for one in openings if one["type"] == "script"), None)
    if first is None:
        return None
    if len(openings) > BLOCK_OPENINGS:
        message = f"the file has {len(openings):,} metadata blocks"
        raise Refusal(_CODE, message, "one script block", "Keep one of them.", _line_at(text, first))
    blocks = [one for one in _BLOCK.finditer(text) if one["type"] == "script"]
    if not blocks:
        message = "the script block has no end, so it is ignored"
        hint = "Start each of its lines with #, and end it with the line # ///."
        warnings.append(Problem("warning", _CODE, file, _line_at(text, first), message, _EXPECTED, hint))
        return None
    if len(blocks) > 1:
        line = _line_at(text, blocks[1].start())
        message = f"the file has {len(blocks)} script blocks"
        raise Refusal(_CODE, message, "one script block", "Join them into one.", line)
    return _read_content(blocks[0]["content"], _line_at(text, blocks[0].start()))


def _read_content(content: str, line: int) -> Block:
    """Reads the lines between the first and the last line of a block. `line`: the first line of the block."""
    lines = content.splitlines(keepends=True)
    toml = "".join(one[2:] if one.startswith("# ") else one[1:] for one in lines)
    if len(toml) > BLOCK_CHARACTERS or any(one.count(".") > BLOCK_DOTS for one in lines):
        message = "the script block is too long, or has a line with too many dots"
        raise Refusal(_CODE, message, f"at most {BLOCK_CHARACTERS:,} characters", "Shorten the block.", line)
    try:
        table = tomllib.loads(toml)
    except (ValueError, RecursionError) as fault:
        raise _refuse_toml(fault, line, len(lines)) from None

    def find_line(key: str) -> int:
        found = re.search(rf"^[ \t]*['\"]?{key}['\"]?\s*=", toml, re.MULTILINE)
        return line if found is None else line + _line_at(toml, found.start())

    dependencies_line = find_line("dependencies")
    python_line = find_line("requires-python")
    dependencies = table.get("dependencies", [])
    if not isinstance(dependencies, list) or not all(isinstance(one, str) for one in dependencies):
        hint = 'Write dependencies = ["requests>=2.28"].'
        message = "dependencies is not a list of strings"
        raise Refusal(_CODE, message, "a list of requirements", hint, dependencies_line)
    lines_in_toml = _find_lines(dependencies, toml)
    asked = tuple(
        (text, dependencies_line if found is None else line + found) for text, found in zip(dependencies, lines_in_toml)
    )
    return Block(asked, _read_python(table.get("requires-python"), python_line), python_line)


def _refuse_toml(fault: Exception, line: int, count: int) -> Refusal:
    """The error for a block of `count` lines, whose first line is `line`."""
    place = _PLACE.search(str(fault))
    said = _PLACE.sub("", str(fault)) if not isinstance(fault, RecursionError) else "it is too deeply nested"
    at = line + (int(place[1]) if place and place[1] else count)
    hint = 'Write it as in # dependencies = ["requests>=2.28"].'
    return Refusal(_CODE, f"the script block is not TOML: {said}", _EXPECTED, hint, min(at, line + count))


def _read_python(given: object, line: int) -> SpecifierSet | None:
    if given is None:
        return None
    try:
        if isinstance(given, str):
            return parse_specifier(given)
    except ValueError:
        pass
    said = shown(given) if isinstance(given, str) else f"a {type(given).__name__}"
    message = f"requires-python is {said}, which names no versions"
    raise Refusal(_CODE, message, 'versions such as ">=3.11"', 'Write requires-python = ">=3.11".', line)


def _find_lines(texts: list[str], toml: str) -> Iterator[int | None]:
    """The line of each text of a list in TOML. None for a text that is written with escapes."""
    line, counted, searched = 1, 0, 0  # the line at the position `counted`; the texts before `searched` have been found
    for text in texts:
        quoted = (f'"{text}"', f"'{text}'")
        starts = [start for each in quoted if (start := toml.find(each, searched)) >= 0]
        if not starts:
            yield None
            continue
        start = min(starts)
        line += toml.count("\n", counted, start)
        counted, searched = start, start + len(quoted[0])
        yield line


def _line_at(text: str, position: int) -> int:
    """The number of the line at a position, from 1."""
    return text.count("\n", 0, position) + 1
