"""What people use the standard library for."""

import base64
import calendar
import csv
import difflib
import hashlib
import html
import io
import itertools
import json
import random
import sqlite3
import statistics
import string
import uuid
import zlib
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from zoneinfo import ZoneInfo


def csv_to_json(text: str, delimiter: str = ",") -> list:
    """Rows of a CSV text."""
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def query(sql: str) -> list:
    """Asks a small database."""
    with sqlite3.connect(":memory:") as database:
        database.execute("create table numbers (n integer, word text)")
        database.executemany("insert into numbers values (?, ?)", [(1, "one"), (2, "two"), (3, "three")])
        return database.execute(sql).fetchall()


def digest(text: str, algorithm: str = "sha256") -> str:
    """A digest of a text."""
    return hashlib.new(algorithm, text.encode()).hexdigest()


def pack(text: str) -> dict:
    """A text in several encodings."""
    data = text.encode()
    return {"base64": base64.b64encode(data).decode(), "crc": zlib.crc32(data), "html": html.escape(text)}


def local_time(moment: str, zone: str) -> str:
    """A moment in a time zone."""
    return datetime.fromisoformat(moment).replace(tzinfo=timezone.utc).astimezone(ZoneInfo(zone)).isoformat()


def add_days(day: str, days: int) -> dict:
    """A later day."""
    later = datetime.strptime(day, "%Y-%m-%d") + timedelta(days=days)
    return {"day": later.strftime("%A, %d %B %Y"), "leap": calendar.isleap(later.year)}


def summary(numbers: list) -> dict:
    """Mean, median and deviation."""
    return {"mean": statistics.mean(numbers), "median": statistics.median(numbers), "stdev": statistics.pstdev(numbers)}


def draw(seed: int, count: int) -> list:
    """Numbers by chance that are the same each time."""
    source = random.Random(seed)
    return [source.randint(1, 100) for _ in range(count)]


def permutations(letters: str) -> list:
    """All orders of some letters."""
    return ["".join(order) for order in itertools.permutations(letters)]


def diff(before: str, after: str) -> str:
    """What changed between two texts."""
    return "\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm=""))


def fraction(text: str) -> str:
    """A fraction in lowest terms."""
    return str(Fraction(text))


def template(text: str, values: dict) -> str:
    """Fills in a template."""
    return string.Template(text).substitute(values)


def name_uuid(name: str) -> str:
    """The UUID of a name."""
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, name))


def reformat(text: str) -> str:
    """JSON text with its keys in order."""
    return json.dumps(json.loads(text), sort_keys=True, indent=1)


def read(path: str) -> str:
    """A text file."""
    with open(path) as file:
        return file.read()


def read_or_say(path: str) -> str:
    """A text file, or why it cannot be read."""
    try:
        return read(path)
    except OSError as error:
        return f"{error} ({error!r})"


def power(base: float, exponent: int) -> float:
    """A power."""
    return base**exponent


_types = {str: "string", int: "integer", list: "array", dict: "object", float: "number"}


def _spec(handler):
    annotations = {key: value for key, value in handler.__annotations__.items() if key != "return"}
    optional = len(handler.__defaults__ or ())
    names = list(annotations)
    return dict(
        name="wrangle:" + handler.__name__,
        description=handler.__doc__,
        parameters=dict(
            type="object",
            properties={key: dict(type=_types[value]) for key, value in annotations.items()},
            required=names[: len(names) - optional],
            additionalProperties=False,
        ),
        handler=handler,
    )


TOOL_SPECS = []
for _handler in (
    csv_to_json, query, digest, pack, local_time, add_days, summary, draw, permutations, diff, fraction, template,
    name_uuid, reformat, read, read_or_say, power,
):
    TOOL_SPECS.append(_spec(_handler))
