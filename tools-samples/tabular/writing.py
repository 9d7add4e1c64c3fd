"""Writes tables as text."""

import csv
import io


def to_csv(rows: list[dict]) -> str:
    """CSV text; the columns are those of all rows, in the order of their first appearance."""
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, _columns(rows), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()


def to_markdown(rows: list[dict]) -> str:
    """A Markdown table."""
    columns = _columns(rows)
    lines = [columns, ["---"] * len(columns), *([_shown(row.get(name)) for name in columns] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _columns(rows: list[dict]) -> list[str]:
    return list(dict.fromkeys(str(name) for row in rows for name in row))


def _shown(value: object) -> str:
    text = "" if value is None else str(value)
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>")
