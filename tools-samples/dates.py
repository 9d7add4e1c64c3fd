"""Dates and time zones: results as plain JSON, because JSON has no dates.

A date is returned as ISO 8601 text. If a tool needs the current time, "now" is an optional argument, so that its
calls can be recorded and repeated.
"""

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from zoneinfo import ZoneInfo, available_timezones

DAY = timedelta(days=1)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def current_time(time_zone: str = "UTC", now: str | None = None) -> dict:
    """The date, time and weekday in a time zone."""
    at = datetime.fromisoformat(now) if now else datetime.now(UTC)
    return _told((at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(_zone(time_zone)))


def convert_time(time: str, from_zone: str, to_zones: list[str]) -> list[dict]:
    """A local time in one zone as local times in others."""
    local = datetime.fromisoformat(time)
    if local.tzinfo is None:
        local = local.replace(tzinfo=_zone(from_zone))
        if local.astimezone(UTC).astimezone(local.tzinfo).replace(tzinfo=None) != local.replace(tzinfo=None):
            raise ValueError(f"{time} does not exist in {from_zone}: the clocks skip it")
    return [{"time_zone": zone, **_told(local.astimezone(_zone(zone)))} for zone in to_zones]


def date_difference(start: str, end: str) -> dict:
    """The time between two dates, in days and in years, months and days."""
    first, last = sorted((_date(start), _date(end)))
    months = 12 * (last.year - first.year) + last.month - first.month
    if _add_months(first, months) > last:
        months -= 1
    days = (last - first).days
    weeks, rest = divmod(days, 7)
    return {
        "days": days if _date(start) <= _date(end) else -days,
        "years": months // 12,
        "months": months % 12,
        "rest_days": (last - _add_months(first, months)).days,
        "workdays": 5 * weeks + sum((first.weekday() + one) % 7 < 5 for one in range(rest)),
    }


def shift_date(
    start: str, years: int = 0, months: int = 0, weeks: int = 0, days: int = 0, workdays: int = 0
) -> dict:
    """A date moved forward, or back if the numbers are negative."""
    moved = _add_months(_date(start), 12 * years + months) + timedelta(weeks=weeks, days=days)
    step = DAY if workdays > 0 else -DAY
    for _ in range(abs(workdays)):
        moved += step
        while moved.weekday() > 4:
            moved += step
    return {"date": moved.isoformat(), "weekday": WEEKDAYS[moved.weekday()], "week": moved.isocalendar().week}


def meeting_times(
    day: str, time_zones: list[str], first_hour: int = 9, last_hour: int = 17, minutes: int = 60
) -> list[dict]:
    """The times when a meeting is within working hours everywhere."""
    zones = {name: _zone(name) for name in time_zones}
    first = zones[time_zones[0]]
    begin = datetime.combine(_date(day), datetime.min.time(), first).astimezone(UTC)
    found = []
    for half_hour in range(50):  # when the clocks go back, a day has 25 hours
        start = begin + half_hour * timedelta(minutes=30)
        local = {name: start.astimezone(zone) for name, zone in zones.items()}
        is_today = start.astimezone(first).date() == _date(day)
        if is_today and all(_within(time, first_hour, last_hour, minutes) for time in local.values()):
            found.append({name: time.isoformat(timespec="minutes") for name, time in local.items()})
    return found


def _within(start: datetime, first_hour: int, last_hour: int, minutes: int) -> bool:
    began = 60 * start.hour + start.minute
    return start.weekday() < 5 and 60 * first_hour <= began and began + minutes <= 60 * last_hour


def _told(at: datetime) -> dict:
    offset = at.strftime("%z")
    return {
        "time": at.isoformat(timespec="seconds"),
        "weekday": WEEKDAYS[at.weekday()],
        "utc_offset": f"{offset[:3]}:{offset[3:5]}",
        "daylight_saving": bool(at.dst()),
    }


def _add_months(day: date, months: int) -> date:
    # The 31st of January and one month: the last day of February.
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise ValueError("the date is outside the years 1 to 9999")
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a date: write it as 2024-02-29") from None


def _zone(name: str) -> ZoneInfo:
    known = available_timezones()
    if name in known:
        return ZoneInfo(name)
    near = get_close_matches(name.replace(" ", "_"), known, n=3, cutoff=0.5)
    near += sorted(one for one in known if one.lower().endswith(f"/{name.lower().replace(' ', '_')}"))
    hint = f"; did you mean {' or '.join(dict.fromkeys(near))}?" if near else ""
    raise ValueError(f"there is no time zone {name!r}{hint}")


ZONE = {"type": "string", "description": "IANA name, such as Europe/Oslo or America/New_York"}
DATE = {"type": "string", "format": "date", "description": "YYYY-MM-DD"}
COUNT = {"type": "integer", "minimum": -100_000, "maximum": 100_000, "default": 0}

TOOL_SPECS = [
    {
        "name": "dates:current_time",
        "label": "Current time",
        "description": "The current date, time and weekday in a time zone. Call it if an answer depends on today's date.",
        "parameters": {
            "type": "object",
            "properties": {
                "time_zone": {**ZONE, "default": "UTC"},
                "now": {
                    "type": ["string", "null"],
                    "default": None,
                    "description": "For tests: an ISO 8601 time to use instead of the current time; UTC without an offset",
                },
            },
        },
        "handler": current_time,
        "prompt_hint": "You do not know what day it is: ask dates:current_time.",
        "annotations": {"readOnlyHint": True, "idempotentHint": False},
        "stateless": True,
    },
    {
        "name": "dates:convert_time",
        "label": "Convert a time",
        "description": "Converts a local time from one time zone to others, including daylight saving time. A time "
        "that the clocks skip is rejected; for a time that occurs twice, the first is used.",
        "parameters": {
            "type": "object",
            "properties": {
                "time": {"type": "string", "description": "ISO 8601: 2024-07-01T09:30; an offset in it overrides from_zone"},
                "from_zone": {**ZONE, "description": "IANA name of the time's zone"},
                "to_zones": {"type": "array", "items": ZONE, "minItems": 1, "description": "Target time zones"},
            },
            "required": ["time", "from_zone", "to_zones"],
        },
        "handler": convert_time,
        "examples": [{"time": "2024-07-01T09:30", "from_zone": "Europe/Oslo", "to_zones": ["Asia/Tokyo"]}],
        "stateless": True,
    },
    {
        "name": "dates:date_difference",
        "label": "Time between dates",
        "description": "The time between two dates: in days (negative where end is earlier), in years, months and "
        "remaining days, and in workdays (Monday to Friday, start included, end not; no holidays).",
        "parameters": {"type": "object", "properties": {"start": DATE, "end": DATE}, "required": ["start", "end"]},
        "handler": date_difference,
        "examples": [{"start": "2024-02-29", "end": "2025-03-01"}],
        "stateless": True,
    },
    {
        "name": "dates:shift_date",
        "label": "Shift a date",
        "description": "Adds years, months, weeks, days and workdays (Monday to Friday) to a date, in this order; "
        "negative numbers go back. A day that a month does not have becomes the month's last day.",
        "parameters": {
            "type": "object",
            "properties": {
                "start": DATE,
                "years": {**COUNT, "description": "Years to add"},
                "months": {**COUNT, "description": "Months to add"},
                "weeks": {**COUNT, "description": "Weeks to add"},
                "days": {**COUNT, "description": "Days to add"},
                "workdays": {**COUNT, "description": "Workdays to add, after everything else"},
            },
            "required": ["start"],
        },
        "handler": shift_date,
        "examples": [{"start": "2024-01-31", "months": 1}, {"start": "2024-05-31", "workdays": 10}],
        "stateless": True,
    },
    {
        "name": "dates:meeting_times",
        "label": "Find a meeting time",
        "description": "The start times of a meeting, every half hour of a day, that are within working hours, "
        "Monday to Friday, in all given time zones. The list is empty if there are none.",
        "parameters": {
            "type": "object",
            "properties": {
                "day": {**DATE, "description": "The day in the first time zone, YYYY-MM-DD"},
                "time_zones": {"type": "array", "items": ZONE, "minItems": 1, "description": "Time zones of the participants"},
                "first_hour": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 23,
                    "default": 9,
                    "description": "Start of working hours, local time",
                },
                "last_hour": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 24,
                    "default": 17,
                    "description": "End of working hours, local time",
                },
                "minutes": {"type": "integer", "minimum": 1, "default": 60, "description": "Length of the meeting"},
            },
            "required": ["day", "time_zones"],
        },
        "handler": meeting_times,
        "examples": [{"day": "2024-03-12", "time_zones": ["Europe/Oslo", "America/New_York"]}],
        "stateless": True,
    },
]
