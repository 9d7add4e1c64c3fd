"""Shows CSV as a table in the session: `/csv` and then the lines. The first line has the names of the columns."""

import csv
import io

from cloche import actions

SHOWN = 5


def render(data, expanded):
    """The blocks for a message of the kind “csv”."""
    rows = data["rows"] if expanded else data["rows"][:SHOWN]
    blocks = [{"type": "table", "columns": data["columns"], "rows": rows}]
    left = len(data["rows"]) - len(rows)
    if left > 0:
        blocks.append({"type": "text", "text": f"{left} more rows"})
    return blocks


def show(args, app):
    """`/csv` shows its text as a table."""
    lines = list(csv.reader(io.StringIO(args.strip())))
    if not lines:
        return actions.notify("Write CSV after /csv: names of columns in the first line, then rows.")
    columns, *rows = lines
    return actions.show_message("csv", {"columns": columns, "rows": rows[:1_000]}, fallback=args)


def register(app):
    app.register_ext_info(name="Table renderer", version="1.0")
    app.register_renderer("csv", render)
    app.register_command(name="csv", description="Shows CSV as a table", handler=show, immediate=True)
