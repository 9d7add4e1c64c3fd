"""Writes TOOL_SPECS into the text of a file, as its author would: literals, the whole list, or entries of a list that is
there already.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any

from ..syntax import assigned_names
from .source_lines import find_line_end, split_at_column, split_lines, without_byte_order_mark

_WIDTH = 100


def write_specs(specs: Iterable[tuple[dict[str, Any], str]], unit: str) -> str:
    """The assignment of TOOL_SPECS. Each spec comes with the source of its handler; `unit` is one level of indentation."""
    return "\n".join(["TOOL_SPECS = [", write_entries(specs, unit), "]"]) + "\n"


def write_entries(specs: Iterable[tuple[dict[str, Any], str]], unit: str) -> str:
    """The entries of TOOL_SPECS, without a line end behind the last one."""
    lines = []
    for spec, handler in specs:
        lines.append(f"{unit}{{")
        for key, value in spec.items():
            lines.append(f"{unit * 2}{_quote(key)}: {write_literal(value, 2, unit, len(key) + 4)},")
        lines.append(f'{unit * 2}"handler": {handler},')
        lines.append(f"{unit}}},")
    return "\n".join(lines)


def write_literal(value: Any, level: int, unit: str, used: int) -> str:
    """A JSON value as Python source, broken into lines that end before column 100.

    `level`: of indentation; `used`: the number of characters before the value in its line.
    """
    flat = _write_flat(value)
    if level * _count_columns(unit) + used + len(flat) + 1 <= _WIDTH and not (isinstance(value, str) and "\n" in value):
        return flat
    inner, outer = unit * (level + 1), unit * level
    if isinstance(value, dict) and value:
        items = [f"{_quote(key)}: {write_literal(item, level + 1, unit, len(_quote(key)) + 2)}" for key, item in value.items()]
    elif isinstance(value, list) and value:
        items = [write_literal(item, level + 1, unit, 0) for item in value]
    elif isinstance(value, str):
        pieces = _split_text(value, _WIDTH - (level + 1) * _count_columns(unit))
        return flat if len(pieces) == 1 else "\n".join(["(", *(f"{inner}{piece}" for piece in pieces), f"{outer})"])
    else:
        return flat
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return "\n".join([opening, *(f"{inner}{item}," for item in items), f"{outer}{closing}"])


def insert_blocks(text: str, *blocks: str) -> str:
    """The text with blocks at its end, or before its `if __name__ == "__main__":`. Other lines stay as they are."""
    lines = split_lines(text)
    end = next((mark for mark in ("\r\n", "\r") if lines and lines[0].endswith(mark)), "\n")
    at = _find_guard(text, lines)
    before, after = lines[:at], lines[at:]
    if before and not before[-1].endswith(("\n", "\r")):
        before[-1] += end
    blank = 0
    while blank < min(2, len(before)) and not before[-1 - blank].strip():
        blank += 1
    missing = 2 - blank if before else 0
    added = [""] * missing + "\n\n\n".join(block.rstrip("\n") for block in blocks if block).split("\n")
    if after:
        added += ["", ""]
    return "".join([*before, *(f"{line}{end}" for line in added), *after])


def insert_entries(text: str, definitions: str, entries: str) -> str | None:
    """The text with further entries at the end of its TOOL_SPECS, and definitions before it; None if TOOL_SPECS is not
    written as a list."""
    plain = without_byte_order_mark(text)
    assignments = [node for node in ast.parse(plain).body if isinstance(node, (ast.Assign, ast.AnnAssign)) and "TOOL_SPECS" in assigned_names(node)]
    if len(assignments) != 1 or not isinstance(assignments[0].value, ast.List):
        return None
    lines, end = split_lines(plain), find_line_end(plain)
    value = assignments[0].value
    closing = _find_index(lines, value.end_lineno, value.end_col_offset) - 1
    last = _find_index(lines, value.elts[-1].end_lineno, value.elts[-1].end_col_offset) if value.elts else closing
    between = plain[last:closing]
    if value.elts and "," not in re.sub(r"#[^\r\n]*", "", between):
        between = f",{between}"
    start = _find_index(lines, assignments[0].lineno, 0)
    before = f"{definitions.rstrip()}\n\n\n" if definitions else ""
    added = f"\n{entries}\n]".replace("\n", end)
    kept = plain[start:last] + between.rstrip() + added + plain[closing + 1 :]
    return text[: len(text) - len(plain)] + plain[:start] + before.replace("\n", end) + kept


def _find_guard(text: str, lines: list[str]) -> int:
    """The index of the line that the blocks come before: the guard, or the comments right above it."""
    tree = ast.parse(without_byte_order_mark(text))
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.If) or "__name__" not in ast.unparse(last.test) or last.orelse:
        return len(lines)
    at = last.lineno - 1
    while at > 0 and lines[at - 1].startswith("#"):
        at -= 1
    return at


def _find_index(lines: list[str], line: int | None, column: int | None) -> int:
    """The index in the text of a place in the syntax tree."""
    number = line or 1
    return sum(map(len, lines[: number - 1])) + len(split_at_column(lines[number - 1], column or 0)[0])


def _write_flat(value: Any) -> str:
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quote(key)}: {_write_flat(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_write_flat, value))}]"
    return repr(value)


def _quote(text: str) -> str:
    """The text in double quotes, unless single quotes need fewer backslashes."""
    mark = "'" if '"' in text and "'" not in text else '"'
    plain = "".join(one if one.isprintable() and one not in "\\\"'" else _escape(one, mark) for one in text)
    return f"{mark}{plain}{mark}"


def _escape(character: str, mark: str) -> str:
    if character in "\"'":
        return f"\\{character}" if character == mark else character
    return repr(character)[1:-1]


def _split_text(text: str, room: int) -> list[str]:
    """The literals that Python joins to the text: split after line ends, and at spaces where a line is full."""
    pieces = []
    for line in text.splitlines(keepends=True) if "\n" in text else [text]:
        piece = ""
        for word in re.findall(r"\S*\s*", line):
            if piece and len(_quote(piece + word)) > room:
                pieces.append(piece)
                piece = ""
            piece += word
        pieces.append(piece)
    return [_quote(piece) for piece in pieces if piece]


def _count_columns(unit: str) -> int:
    return 4 * unit.count("\t") + unit.count(" ")
