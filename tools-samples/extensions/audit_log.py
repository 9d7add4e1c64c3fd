"""Keeps a log of what happened: calls, their outcome and duration, and messages. `/audit` shows it, `/audit files` only
lines with this word."""

from collections import deque
from datetime import datetime

from cloche import actions

COLUMNS = ["time", "event", "tool", "caller", "outcome", "ms", "text"]
lines = deque(maxlen=500)


def log(event):
    """Adds a line."""
    text = event.get("arguments") if event["type"] == "call_queued" else event.get("text", "")
    lines.append(
        [
            f"{datetime.now():%H:%M:%S}",
            event["type"],
            event.get("tool", ""),
            event.get("caller", ""),
            event.get("error") or event.get("result_type", ""),
            round(event["duration_ms"]) if "duration_ms" in event else "",
            " ".join((text or "").split())[:200],
        ]
    )


def render(data, expanded):
    """The log as a table: the last lines, or all of them."""
    rows = data["lines"] if expanded else data["lines"][-10:]
    title = f"**{len(data['lines'])}** lines, the last {len(rows)}:"
    return [{"type": "markdown", "text": title}, {"type": "table", "columns": COLUMNS, "rows": rows}]


def audit(args, app):
    """`/audit` shows the log in the session."""
    wanted = [line for line in lines if args.strip().lower() in " ".join(map(str, line)).lower()]
    return actions.show_message("audit", {"lines": wanted}, fallback=f"{len(wanted)} lines")


def register(app):
    app.register_ext_info(name="Audit log", version="1.0")
    app.register_event_handler(name="log", priority=1000, handle=log)
    app.register_renderer("audit", render)
    app.register_command(
        name="audit",
        description="Shows what happened",
        handler=audit,
        complete=lambda prefix: sorted({line[2] for line in lines if line[2].startswith(prefix)}),
        immediate=True,
    )
