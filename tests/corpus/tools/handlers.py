"""Handlers of every kind, and state that stays between calls."""

import asyncio
import functools
import time
from _shared import Ledger, load_rates

ledger = Ledger()
calls = 0


def count() -> int:
    """How often this was called."""
    global calls
    calls += 1
    return calls


async def later(seconds: float, value=None):
    """Returns a value after some time."""
    await asyncio.sleep(seconds)
    return value


def steps(n: int):
    """Counts in steps, and says so at the end."""
    for number in range(n):
        yield {"step": number}
    return f"{n} steps"


def last(n: int):
    """Yields without returning."""
    yield from range(n)


async def async_steps(n: int):
    """Counts in steps, asynchronously."""
    for number in range(n):
        await asyncio.sleep(0)
        yield number * 10


class Multiplier:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, number: float) -> float:
        """Multiplies."""
        return self.factor * number

    async def gather(self, numbers: list) -> list:
        """Multiplies many at once."""
        return list(await asyncio.gather(*(later(0, self.factor * number) for number in numbers)))


def power(base: int, exponent: int) -> int:
    """Raises to a power."""
    return base**exponent


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print("called", function.__name__)
        return function(*args, **kwargs)

    return wrapper


@logged
def wrapped(a: int, *, b: int = 2) -> int:
    """A decorated function."""
    return a + b


def convert(amount: float, currency: str) -> dict:
    """Converts with rates from a data file."""
    return {"amount": round(amount * load_rates()[currency], 2), "currency": currency}


def inside() -> str:
    """Runs a loop of its own, and sleeps."""
    time.sleep(0.01)
    return asyncio.run(later(0.01, "from inside"))


def fail(kind: str):
    """Raises."""
    if kind == "value":
        raise ValueError("that is no value: ü")
    if kind == "key":
        return {}["missing"]
    if kind == "exit":
        raise SystemExit(3)
    if kind == "interrupt":
        raise KeyboardInterrupt
    if kind == "recursion":
        return fail(kind)
    if kind == "chained":
        try:
            1 / 0
        except ZeroDivisionError as error:
            raise RuntimeError("while dividing") from error
    if kind == "empty":
        raise Exception
    if kind == "assert":
        assert kind == "never", "no"
    if kind == "group":
        raise ExceptionGroup("several", [ValueError("a"), TypeError("b")])
    if kind == "attribute":
        return None.nothing
    if kind == "syntax":
        return compile("a b", "x", "exec")
    return "no failure"


multiplier = Multiplier(3)


def _spec(handler, name, properties=None, required=None):
    properties = properties or {}
    return {
        "name": f"handlers:{name}",
        "description": f"The tool {name}.",
        "parameters": {"type": "object", "properties": properties, "required": required or list(properties)},
        "handler": handler,
    }


NUMBER, INTEGER, TEXT = {"type": "number"}, {"type": "integer"}, {"type": "string"}
TOOL_SPECS = (
    _spec(count, "count"),
    _spec(later, "later", {"seconds": NUMBER, "value": {}}, ["seconds"]),
    _spec(steps, "steps", {"n": INTEGER}),
    _spec(last, "last", {"n": INTEGER}),
    _spec(async_steps, "async_steps", {"n": INTEGER}),
    _spec(multiplier, "multiply", {"number": NUMBER}),
    _spec(multiplier.gather, "gather", {"numbers": {"type": "array", "items": NUMBER}}),
    _spec(functools.partial(power, exponent=3), "cube", {"base": INTEGER}),
    _spec(lambda text: text[::-1], "reverse", {"text": TEXT}),
    _spec(wrapped, "wrapped", {"a": INTEGER, "b": INTEGER}, ["a"]),
    _spec(convert, "convert", {"amount": NUMBER, "currency": TEXT}),
    _spec(inside, "inside"),
    _spec(fail, "fail", {"kind": TEXT}),
    _spec(ledger.add, "add", {"name": TEXT, "amount": INTEGER}),
    _spec(ledger.total, "total"),
    _spec(str.upper, "upper", {"self": TEXT}),
    _spec(sorted, "sorted", {"iterable": {"type": "array"}, "reverse": {"type": "boolean"}}, ["iterable"]),
)
