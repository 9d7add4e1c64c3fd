"""Results, updates and logs of calls in the form of MCP."""

from __future__ import annotations

import json
from typing import Any

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
MESSAGE_CHARACTERS = 2_000


def call_result(outcome: dict[str, Any], is_structured: bool, any_value: bool) -> dict[str, Any]:
    """The result of `tools/call`, as in src/app/api/mcp/results.ts.

    `is_structured`: the client knows a schema of the result; `any_value`: the result need not be an object.
    """
    if not outcome["ok"]:
        return failed(outcome["message"])
    parts = outcome["content"]
    result: dict[str, Any] = {"content": [_content(part, index) for index, part in enumerate(parts)]}
    if not is_structured:
        return result
    kind = parts[0]["type"] if len(parts) == 1 else ""
    value: object = parts[0].get("text") if kind == "text" else None
    if kind == "json":
        # Python writes NaN and infinities, which JSON does not have.
        value = json.loads(parts[0]["text"], parse_constant=lambda _: None)
    if kind not in ("json", "text") or not (any_value or isinstance(value, dict)):
        wanted = "one JSON value" if any_value else "an object"
        return failed(f"The tool's result is not {wanted}, as its \"returns\" declares. Correct the tool or its \"returns\".")
    return {**result, "structuredContent": value}


def failed(message: str) -> dict[str, Any]:
    """The result of a call that failed; `message` is for the model."""
    return {"content": [{"type": "text", "text": message}], "isError": True}


def _content(part: dict[str, Any], index: int) -> dict[str, Any]:
    if "text" in part:
        return {"type": "text", "text": part["text"]}
    media, data = part["mediaType"], part["data"]
    for kind in ("image", "audio"):
        if media.startswith(f"{kind}/"):
            return {"type": kind, "data": data, "mimeType": media}
    return {"type": "resource", "resource": {"uri": f"cloche:result/{index}", "mimeType": media, "blob": data}}


class Progress:
    """The progress of one call, as in src/app/api/mcp/progress.ts: each value is larger than the one before.

    If the first update reports no progress, the updates are counted. Otherwise, updates without progress are left out.
    """

    def __init__(self) -> None:
        self._last: float = -1  # the last progress; -1 before the first
        self._total: float = 0  # 0 if it is unknown
        self._counts = False  # whether updates are counted

    def of(self, number: int, text: str) -> dict[str, Any] | None:
        """The progress to report for an update; None if there is none. `number` counts from 0, `text` is JSON."""
        value = json.loads(text)
        reported = None if self._counts else _progress_in(value)
        if reported is None:
            if self._last >= 0 and not self._counts:
                return None  # earlier updates reported progress
            self._counts, self._last = True, number + 1
            return {"progress": number + 1, "message": (value if isinstance(value, str) else text)[:MESSAGE_CHARACTERS]}
        progress, total, message = reported
        if progress <= self._last:
            return None
        self._last = progress
        # A progress of 1 may be a count, or the end of shares such as 0.5: the earlier progress decides.
        self._total = self._total if total == 0 and progress <= 1 else total
        return {"progress": progress, **({"total": self._total} if self._total else {}), "message": message}


def _progress_in(value: object) -> tuple[float, float, str] | None:
    """Progress, total (0 if it is unknown) and message of an update; None if it is another value."""
    if not isinstance(value, dict):
        return None
    progress, total, message = value.get("progress"), value.get("total"), value.get("message", "")
    if not _is_amount(progress) or not isinstance(message, str):
        return None
    if total is None:
        # Without a total, an object with other members is more likely a row of data.
        is_row = bool(value.keys() - {"progress", "total", "message"})
        return None if is_row else (progress, 1 if 0 < progress < 1 else 0, message[:MESSAGE_CHARACTERS])
    return (min(progress, total), total, message[:MESSAGE_CHARACTERS]) if _is_amount(total) and total > 0 else None


def _is_amount(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value < float("inf")


def log_messages(batch: dict[str, Any], tool: str, least: str) -> list[dict[str, Any]]:
    """The parameters of `notifications/message` for what a call has printed and logged. `least` is a level."""
    printed = [("debug", batch[stream]) for stream in ("out", "err") if batch[stream]]
    logged = [(line["level"], line["message"]) for line in batch["log"]]
    wanted = LEVELS[LEVELS.index(least) :]
    return [{"level": level, "logger": tool, "data": text} for level, text in printed + logged if level in wanted]
