"""Splits the text of a file into lines, and finds places in it."""

from __future__ import annotations

import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")
_INDENTED = re.compile(r"^(\t| +)\S", re.MULTILINE)


def split_lines(text: str) -> list[str]:
    """The lines as Python counts them, with their ends."""
    return _LINE.findall(text)


def find_line_end(text: str) -> str:
    """The characters that end the lines of a text."""
    lines = split_lines(text)
    return "\r\n" if lines and lines[0].endswith("\r\n") else "\n"


def find_indentation(text: str) -> str:
    """One level of indentation: a tab if the file uses tabs, otherwise four spaces."""
    found = _INDENTED.search(text)
    return "\t" if found and found[1] == "\t" else "    "


def split_at_column(line: str, column: int) -> tuple[str, str]:
    """The parts of a line before and behind a column of a syntax tree, which counts bytes of UTF-8."""
    data = line.encode()
    return data[:column].decode(errors="ignore"), data[column:].decode(errors="ignore")


def without_byte_order_mark(text: str) -> str:
    """The text without the byte order mark that some editors put before it, and that Python does not parse."""
    return text.removeprefix("\ufeff")
