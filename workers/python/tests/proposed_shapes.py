"""Shapes of files with plain functions, for which specs are written: for each, its text, and calls by function and
arguments."""

SHAPES = {}


def shape(name, text, *calls):
    SHAPES[name] = (text.lstrip("\n") if isinstance(text, str) else text, calls)


shape("scalars", '''
def mix(text: str, count: int, ratio: float = 0.5, loud: bool = False) -> str:
    """Mixes values."""
    return f"{text} {count} {ratio} {loud}"
''', ("mix", {"text": "a", "count": 2}), ("mix", {"text": "a", "count": 2, "loud": True}))
shape("google", '''
def area(width: float, height: float) -> float:
    """Computes an area.

    Args:
        width: The width, in metres, which has a description that is long enough to be broken into several lines of text.
        height: The height.

    Returns:
        Square metres.
    """
    return width * height
''', ("area", {"width": 2, "height": 3}))
shape("numpy_style", '''
def scale(values: list[float], factor: float = 2.0) -> list[float]:
    """
    Scale numbers.

    Parameters
    ----------
    values : list of float
        The numbers.
    factor : float, optional
        By how much.
    """
    return [one * factor for one in values]
''', ("scale", {"values": [1, 2]}))
shape("dates", '''
import datetime
from datetime import date, datetime as moment
from typing import Optional

def span(start: date, end: Optional[date] = None, at: datetime.time | None = None) -> int:
    """Days between."""
    return ((end or date(2024, 1, 31)) - start).days + (at.hour if at else 0)

def noon(day: date) -> moment:
    """Noon of a day."""
    return moment(day.year, day.month, day.day, 12)
''', ("span", {"start": "2024-01-01"}), ("span", {"start": "2024-01-01", "end": None, "at": "05:00"}), ("noon", {"day": "2024-02-01"}))
shape("enums", '''
from enum import Enum

class Colour(Enum):
    RED = "red"
    BLUE = "blue"

def paint(colour: Colour, others: list[Colour] = [], fallback: Colour = Colour.RED) -> Colour:
    """Paints."""
    assert isinstance(colour, Colour) and all(isinstance(one, Colour) for one in (*others, fallback))
    return colour
''', ("paint", {"colour": "blue"}), ("paint", {"colour": "red", "others": ["blue"], "fallback": "blue"}))
shape("dataclass", '''
from dataclasses import dataclass, field
from datetime import date

@dataclass
class Guest:
    name: str
    born: date
    tags: list[str] = field(default_factory=list)
    until: date | None = None

def greet(guest: Guest) -> Guest:
    """Greets."""
    assert isinstance(guest.born, date)
    return guest

def greet_all(guests: list[Guest]) -> list[Guest]:
    """Greets all."""
    return guests
''', ("greet", {"guest": {"name": "A", "born": "2000-01-01"}}), ("greet", {"guest": {"name": "A", "born": "2000-01-01", "until": "2001-01-01"}}), ("greet_all", {"guests": [{"name": "B", "born": "2001-02-03", "tags": ["x"]}]}))
shape("durations", '''
import datetime as times
from typing import Optional

def wait(pause: times.timedelta, more: Optional[times.timedelta] = None, all: list[times.timedelta] = []) -> float:
    """Waits."""
    return sum((one for one in (more, *all) if one), pause).total_seconds()
''', ("wait", {"pause": "PT1H30M"}), ("wait", {"pause": "PT1.5S", "more": "-P1DT2.5S", "all": ["PT1M", "P2D"]}), ("wait", {"pause": "PT1M", "more": None}))
shape("typed_dict", '''
from typing import TypedDict

class Point(TypedDict):
    x: float
    y: float

def norm(point: Point) -> float:
    """Length."""
    return (point["x"] ** 2 + point["y"] ** 2) ** 0.5
''', ("norm", {"point": {"x": 3, "y": 4}}))
shape("named_tuple", '''
from typing import NamedTuple

class Pair(NamedTuple):
    left: int
    right: int = 2

def add(pair: Pair) -> int:
    """Adds."""
    return pair.left + pair.right

def swap(pair: Pair) -> Pair:
    """Swaps."""
    return Pair(pair.right, pair.left)
''', ("add", {"pair": {"left": 1}}), ("swap", {"pair": {"left": 1, "right": 5}}))
shape("sets", '''
def unique(words: set[str], kept: frozenset[int] = frozenset()) -> set[str]:
    """Unique words."""
    assert isinstance(words, set) and isinstance(kept, frozenset)
    return {one for one in words if len(one) > 1}
''', ("unique", {"words": ["aa", "b"]}), ("unique", {"words": ["cc"], "kept": [1]}))
shape("tuples", '''
def box(corners: tuple[int, int], names: tuple[str, ...] = ()) -> tuple[int, str]:
    """A box."""
    assert isinstance(corners, tuple) and isinstance(names, tuple)
    return sum(corners), "".join(names)
''', ("box", {"corners": [1, 2]}), ("box", {"corners": [1, 2], "names": ["a", "b"]}))
shape("paths", '''
import uuid
from decimal import Decimal
from pathlib import Path, PurePosixPath

def suffix(path: Path) -> str:
    """The suffix."""
    return path.suffix

def parent(path: PurePosixPath) -> PurePosixPath:
    """The parent."""
    return path.parent

def price(amount: Decimal, of: uuid.UUID) -> Decimal:
    """A price."""
    return amount * 2 + of.int * 0
''', ("suffix", {"path": "a/b.txt"}), ("parent", {"path": "a/b.txt"}), ("price", {"amount": "1.10", "of": "12345678-1234-5678-1234-567812345678"}))
shape("asynchronous", '''
import asyncio
from datetime import date

async def wait(seconds: float = 0) -> str:
    """Waits."""
    await asyncio.sleep(seconds)
    return "done"

async def year(day: date) -> int:
    """The year."""
    return day.year
''', ("wait", {}), ("year", {"day": "2020-05-05"}))
shape("generators", '''
from collections.abc import Iterator

def count(to: int) -> Iterator[dict]:
    """Counts."""
    for one in range(to):
        yield {"n": one}
    return "end"
''', ("count", {"to": 2}))
shape("by_position", '''
def power(base: int, exponent: int, /) -> int:
    """A power."""
    return base ** exponent
''', ("power", {"base": 2, "exponent": 5}))
shape("star", '''
def total(first: int, *more: int) -> int:
    """A total."""
    return first + sum(more)
''', ("total", {"first": 1}), ("total", {"first": 1, "more": [2, 3]}))
shape("keywords", '''
def join(*, left: str, right: str = "b", **rest: str) -> str:
    """Joins."""
    return left + right
''', ("join", {"left": "a"}))
shape("literals", '''
from typing import Annotated, Literal

def turn(way: Literal["left", "right"], steps: Annotated[int, "How many"] = 1) -> str:
    """Turns."""
    return f"{way} {steps}"
''', ("turn", {"way": "left"}))
shape("future", '''
from __future__ import annotations

import datetime as dt
from typing import Any

def week(day: dt.date, more: dict[str, Any] | None = None) -> int:
    """The week."""
    return day.isocalendar().week
''', ("week", {"day": "2024-01-10"}))
shape("decorated", '''
import functools

def logged(function):
    @functools.wraps(function)
    def inner(*values, **named):
        return [function(*values, **named)]
    return inner

@logged
def double(number: int) -> int:
    """Doubles."""
    return number * 2
''', ("double", {"number": 4}))
shape("clashing", '''
from datetime import date

def _call_day(x):
    return x

def set(value: date) -> str:
    """Named like a built-in."""
    return value.isoformat()

def day(of: date, names: frozenset[str] = frozenset()) -> int:
    """The day."""
    return of.day + len(names)
''', ("day", {"of": "2024-02-03"}), ("set", {"value": "2024-02-03"}))
shape("quotes", '''
def say(text: str = "a \\"b\\" 'c' \\\\ \\n d", mark: str = "\'", sign: str = "“é\\u200b”") -> str:
    """Says "this" and 'that': a back\\slash, and a very long line that has to be broken since it does not fit into one hundred columns."""
    return text + mark + sign
''', ("say", {}))
shape("guarded", '''
import sys

def half(number: int) -> float:
    """Half."""
    return number / 2

# Runs by hand.
if __name__ == "__main__":
    print(half(int(sys.argv[1])))
''', ("half", {"number": 3}))
shape("late", '''
if __name__ == "__main__":
    print("by hand")

def after(number: int) -> int:
    """Below the guard."""
    return number
''', ("after", {"number": 3}))
shape("crlf", 'def up(text: str) -> str:\r\n    """Upper."""\r\n    return text.upper()\r\n', ("up", {"text": "a"}))
shape("tabs", 'from datetime import date\n\ndef month(day: date) -> int:\n\t"""The month."""\n\treturn day.month', ("month", {"day": "2024-04-01"}))
shape("mark", '\ufeffdef up(text: str) -> str:\n    """Upper."""\n    return text.upper()', ("up", {"text": "a"}))
shape("helpers", '''
def _inner(x: int) -> int:
    return x + 1

def untyped(x):
    return x

def outer(x: int) -> int:
    """Outer."""
    return _inner(x)
''', ("outer", {"x": 1}))
shape("optional_list", '''
from typing import Dict, List, Optional
from datetime import date

def days(given: Optional[List[date]] = None, named: Dict[str, date] | None = None) -> List[date]:
    """Days."""
    return [*(given or []), *(named or {}).values()]
''', ("days", {}), ("days", {"given": ["2024-01-01"], "named": {"a": "2024-01-02"}}))
shape("integer_keys", '''
def pick(table: dict[int, str], key: int) -> str:
    """Picks."""
    return table[key]
''', ("pick", {"table": {"1": "a"}, "key": 1}))
shape("context", '''
def told(context: str, text: str = "x") -> str:
    """Its parameter is named context."""
    return context + text
''', ("told", {"context": "c"}))
shape("bytes_given", '''
def size(data: bytes, more: bytearray = bytearray()) -> int:
    """Size."""
    return len(data) + len(more)
''', ("size", {"data": "abc"}), ("size", {"data": "abc", "more": "d"}))
shape("nested", '''
from dataclasses import dataclass
from enum import Enum

class Kind(str, Enum):
    A = "a"

@dataclass
class Part:
    kind: Kind
    size: int = 1

@dataclass
class Whole:
    parts: list[Part]
    main: Part | None = None

def weigh(whole: Whole) -> int:
    """Weighs."""
    assert all(isinstance(one.kind, Kind) for one in whole.parts)
    return sum(one.size for one in whole.parts) + (whole.main.size if whole.main else 0)
''', ("weigh", {"whole": {"parts": [{"kind": "a"}, {"kind": "a", "size": 5}]}}), ("weigh", {"whole": {"parts": [], "main": {"kind": "a", "size": 3}}}))
shape("exported", '''
__all__ = ["shown"]

def shown(text: str) -> str:
    """Shown."""
    return text

def other(text: str) -> str:
    """Other."""
    return text
''', ("shown", {"text": "a"}))
shape("forms", 'def f(x: int) -> int:\n    """One.\x0c\n\n    Two."""\n    return x\n\x0c\ndef g(x: int) -> int:\n    """Three."""\n    return x; y = 1\n', ("f", {"x": 1}), ("g", {"x": 2}))
