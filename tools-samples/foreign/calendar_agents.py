"""Tools for an agent of the OpenAI Agents SDK. Descriptions of parameters come from the docstring."""

from datetime import date, timedelta
from enum import Enum

from agents import Agent, function_tool


class Weekday(Enum):
    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


@function_tool
def working_days(start: date, end: date, holidays: list[date] | None = None) -> int:
    """Count the days from Monday to Friday between two dates, both included.

    Args:
        start: The first day.
        end: The last day.
        holidays: Days that do not count.
    """
    free = set(holidays or [])
    days = (start + timedelta(n) for n in range((end - start).days + 1))
    return sum(day.weekday() < 5 and day not in free for day in days)


@function_tool
def next_weekday(after: date, day: Weekday) -> date:
    """Find the next date that falls on a day of the week.

    Args:
        after: The result is later than this date.
        day: The day of the week.
    """
    ahead = (list(Weekday).index(day) - after.weekday() - 1) % 7 + 1
    return after + timedelta(ahead)


planner = Agent(name="Planner", instructions="Plan with dates.", tools=[working_days, next_weekday])
