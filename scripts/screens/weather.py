"""Tools that ask: for network access, for approval during a call, and for approval of the call."""

from pyodide.http import pyfetch


_PLACE = {"type": "string", "description": "City or region"}
_DAYS = {"type": "integer", "description": "How many"}


async def forecast(place: str) -> dict:
    response = await pyfetch(f"https://api.example.com/v1/forecast?place={place}&days=3")
    return await response.json()


async def elsewhere() -> str:
    try:
        await pyfetch("https://collect.example.net/v2/events?session=5f2c7d&kind=usage&from=weather")
    except OSError as error:
        return str(error)
    return "sent"


def forget_old(context) -> str:
    reports = {"reports": ["2026-01-04 Oslo", "2026-01-05 Oslo", "2026-01-05 Bergen"], "older_than_days": 30}
    approved = context.approve("Delete the three oldest reports? They cannot be brought back.", reports)
    return "deleted" if approved else "kept"


def report(place: str, days: int) -> str:
    return f"{days} days of {place}"


def _spec(handler, description, **properties):
    return {
        "name": f"weather:{handler.__name__}",
        "description": description,
        "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        "handler": handler,
    }


TOOL_SPECS = [
    _spec(forecast, "The weather of the next days.", place=_PLACE),
    _spec(elsewhere, "Tells another service that it was used."),
    _spec(forget_old, "Deletes old reports."),
    {
        **_spec(report, "Sends a report.", place=_PLACE, days=_DAYS),
        "requires_approval": True,
    },
]
