"""CSV: results that are tables (lists of dicts), and a helper package, `tabular`, in a subfolder.

Every row has the same keys, and an empty cell is None. The schemas of objects and lists describe every key: what a
model does not find in the schema, it guesses.
"""

import json
import operator
import statistics
from collections.abc import Callable
from typing import Any, Literal

from tabular import read_csv, to_csv, to_markdown

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "contains": lambda cell, wanted: str(wanted).casefold() in str(cell).casefold(),
}
AGGREGATES: dict[str, Callable[[list], float]] = {
    "count": len,
    "sum": sum,
    "mean": statistics.fmean,
    "median": statistics.median,
    "min": min,
    "max": max,
}


def query_csv(
    csv_text: str,
    where: list[dict] | None = None,
    columns: list[str] | None = None,
    order_by: str | None = None,
    descending: bool = False,
    limit: int = 100,
) -> list[dict]:
    """The rows that meet every condition, sorted and limited."""
    rows = read_csv(csv_text)
    for condition in where or []:
        _check_columns(rows, condition["column"])
        rows = [row for row in rows if _meets(row[condition["column"]], condition["op"], condition["value"])]
    if order_by is not None:
        _check_columns(rows, order_by)
        filled = [row for row in rows if row[order_by] is not None]
        filled.sort(key=lambda row: _rank(row[order_by]), reverse=descending)
        rows = filled + [row for row in rows if row[order_by] is None]
    if columns:
        _check_columns(rows, *columns)
        rows = [{name: row[name] for name in columns} for row in rows]
    return rows[:limit]


def group_csv(
    csv_text: str,
    group_by: str,
    value: str | None = None,
    aggregate: Literal["count", "sum", "mean", "median", "min", "max"] = "count",
) -> list[dict]:
    """One row for each value of a column, with the aggregate of another."""
    rows = read_csv(csv_text)
    if value is None and aggregate != "count":
        raise ValueError(f"set value to the column for the {aggregate}")
    _check_columns(rows, group_by, *([value] if value is not None else []))
    groups: dict[Any, list] = {}
    for row in rows:
        cell = 1 if value is None else row[value]
        if cell is not None:
            groups.setdefault(row[group_by], []).append(cell)
    if aggregate != "count" and any(isinstance(cell, str) for cells in groups.values() for cell in cells):
        raise TypeError(f"column {value!r} has cells that are not numbers: text can only be counted")
    heading = aggregate if value is None else f"{aggregate}_{value}"
    return [
        {group_by: group, heading: AGGREGATES[aggregate](cells)}
        for group, cells in sorted(groups.items(), key=lambda item: _rank(item[0]))
    ]


def summarise_csv(csv_text: str) -> list[dict]:
    """One row for each column, with a summary of its cells."""
    rows = read_csv(csv_text)
    summary = []
    for name in rows[0] if rows else []:
        cells = [row[name] for row in rows if row[name] is not None]
        numbers = [cell for cell in cells if not isinstance(cell, str)]
        kind = "empty" if not cells else "number" if len(numbers) == len(cells) else "text" if not numbers else "mixed"
        ordered = sorted(cells, key=_rank)
        summary.append(
            {
                "column": name,
                "kind": kind,
                "filled": len(cells),
                "empty": len(rows) - len(cells),
                "different": len(set(cells)),
                "least": ordered[0] if ordered else None,
                "greatest": ordered[-1] if ordered else None,
                "mean": statistics.fmean(cells) if kind == "number" else None,
            }
        )
    return summary


def convert_table(text: str, to: Literal["csv", "json", "markdown"], source: Literal["csv", "json"] = "csv") -> str:
    """A table in another format."""
    rows = read_csv(text) if source == "csv" else json.loads(text)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise TypeError("the JSON text must be a list of objects, one for each row")
    if to == "json":
        return json.dumps(rows, ensure_ascii=False, indent=1)
    return to_csv(rows) if to == "csv" else to_markdown(rows)


def _check_columns(rows: list[dict], *names: str) -> None:
    unknown = [name for name in names if rows and name not in rows[0]]
    if unknown:
        raise KeyError(f"there is no column {unknown[0]!r}; there are: {', '.join(rows[0])}")


def _meets(cell: Any, op: str, wanted: Any) -> bool:
    if cell is None or wanted is None:
        return op in ("=", "!=") and COMPARE[op](cell, wanted)
    try:
        return COMPARE[op](cell, wanted)
    except TypeError:  # a number beside a text: they have no order
        return False


def _rank(cell: Any) -> tuple:
    return (cell is None, isinstance(cell, str), cell if cell is not None else 0)


CSV_TEXT = {
    "type": "string",
    "description": "The CSV text with a header line. The separator (comma, semicolon, tab or |) is detected from the header",
}
CONDITION = {
    "type": "object",
    "properties": {
        "column": {"type": "string", "description": "Name of the column"},
        "op": {"type": "string", "enum": list(COMPARE), "description": "contains ignores case"},
        "value": {"type": ["string", "number", "null"], "description": "null for an empty cell"},
    },
    "required": ["column", "op", "value"],
}

TOOL_SPECS = [
    {
        "name": "csv_tools:query_csv",
        "label": "Query a CSV",
        "description": "Filters, sorts and limits the rows of a CSV text. Cells that look like numbers are numbers. "
        "Use it instead of reading long tables yourself.",
        "parameters": {
            "type": "object",
            "properties": {
                "csv_text": CSV_TEXT,
                "where": {
                    "type": ["array", "null"],
                    "items": CONDITION,
                    "default": None,
                    "description": "Conditions; a row must meet them all",
                },
                "columns": {
                    "type": ["array", "null"],
                    "items": {"type": "string"},
                    "default": None,
                    "description": "Columns to return, in this order; all if left out",
                },
                "order_by": {"type": ["string", "null"], "default": None, "description": "Column to sort by"},
                "descending": {"type": "boolean", "default": False, "description": "Largest first"},
                "limit": {"type": "integer", "minimum": 1, "default": 100, "description": "Maximum number of rows"},
            },
            "required": ["csv_text"],
        },
        "handler": query_csv,
        "examples": [
            {"csv_text": "name,age\nAda,36\nAlan,41", "where": [{"column": "age", "op": ">", "value": 40}]},
        ],
        "prompt_hint": "Use csv_tools for tables instead of computing in your head.",
        "stateless": True,
    },
    {
        "name": "csv_tools:group_csv",
        "label": "Group a CSV",
        "description": "Groups the rows of a CSV text by one column and computes the count, sum, mean, median, min "
        "or max of another column for each group.",
        "parameters": {
            "type": "object",
            "properties": {
                "csv_text": CSV_TEXT,
                "group_by": {"type": "string", "description": "Column to group by"},
                "value": {
                    "type": ["string", "null"],
                    "default": None,
                    "description": "Column to aggregate; optional only for count",
                },
                "aggregate": {
                    "type": "string",
                    "enum": list(AGGREGATES),
                    "default": "count",
                    "description": "Value to compute per group; empty cells are ignored",
                },
            },
            "required": ["csv_text", "group_by"],
        },
        "handler": group_csv,
        "examples": [
            {"csv_text": "city,sum\nOslo,3\nRome,5\nOslo,4", "group_by": "city", "value": "sum", "aggregate": "mean"},
        ],
        "stateless": True,
    },
    {
        "name": "csv_tools:summarise_csv",
        "label": "Summarise a CSV",
        "description": "An overview of a CSV text: for each column the kind of its cells, the number of filled, "
        "empty and distinct cells, the minimum, maximum and mean. Call it first for an unknown table.",
        "parameters": {"type": "object", "properties": {"csv_text": CSV_TEXT}, "required": ["csv_text"]},
        "handler": summarise_csv,
        "examples": [{"csv_text": "name,age\nAda,36\nAlan,41\nEmmy,"}],
        "stateless": True,
    },
    {
        "name": "csv_tools:convert_table",
        "label": "Convert a table",
        "description": "Converts a table from CSV or JSON (a list of objects) to CSV, JSON or Markdown.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "The table"},
                "to": {"type": "string", "enum": ["csv", "json", "markdown"], "description": "Target format"},
                "source": {
                    "type": "string",
                    "enum": ["csv", "json"],
                    "default": "csv",
                    "description": "Format of text",
                },
            },
            "required": ["text", "to"],
        },
        "handler": convert_table,
        "examples": [{"text": "name,age\nAda,36\nAlan,41", "to": "markdown"}],
        "stateless": True,
    },
]
