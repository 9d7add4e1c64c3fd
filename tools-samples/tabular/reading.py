"""Reads CSV text, with numbers as numbers."""

import csv
import io
import re

Cell = str | int | float | None
Row = dict[str, Cell]

INTEGER = re.compile(r"[+-]?(0|[1-9][0-9]{0,999})")  # not 007, which is a code
FLOAT = re.compile(r"[+-]?([0-9]{1,100}\.[0-9]{0,100}|\.[0-9]{1,100})([eE][+-]?[0-9]{1,2})?")


def read_csv(text: str, delimiter: str = "auto") -> list[Row]:
    """The rows below the header line. Empty cells are None, and so are missing cells at the end of a row.

    Raises ValueError for a text without a header, and for a row with more cells than the header has.
    """
    text = text.removeprefix("\ufeff")
    chosen = _delimiter(text) if delimiter == "auto" else {"tab": "\t"}.get(delimiter, delimiter)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=chosen)
    header = _distinct(next(lines, []))
    if not header:
        raise ValueError("the CSV text is empty: its first line must name the columns")
    rows = []
    for cells in lines:
        if not cells:  # an empty line
            continue
        if len(cells) > len(header):
            raise ValueError(f"line {lines.line_num} has {len(cells)} cells, but the header has {len(header)}")
        cells += [""] * (len(header) - len(cells))
        rows.append({name: _cell(cell) for name, cell in zip(header, cells)})
    return rows


def _delimiter(text: str) -> str:
    header = text.split("\n", 1)[0]
    return max(",;\t|", key=header.count)


def _distinct(names: list[str]) -> list[str]:
    taken: list[str] = []
    for at, name in enumerate(names, 1):
        name = plain = name.strip() or f"column_{at}"
        number = 2
        while name in taken:
            name, number = f"{plain}_{number}", number + 1
        taken.append(name)
    return taken


def _cell(text: str) -> Cell:
    text = text.strip()
    if INTEGER.fullmatch(text):
        return int(text)
    return float(text) if FLOAT.fullmatch(text) else text or None
