"""Statistics: a callable object as a handler, and `concurrency_safe` as a function of the arguments.

`running_average` is an instance of a class with `__call__`. It keeps its numbers between calls, so it is not
`stateless`, and only a call that adds nothing may overlap with others.
"""

import math
import statistics
from fractions import Fraction


def describe_numbers(numbers: list[float]) -> dict:
    """Count, sum, mean, spread and quartiles."""
    _check(numbers, 1)
    quartiles = statistics.quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else [numbers[0]] * 3
    return {
        "count": len(numbers),
        "sum": math.fsum(numbers),
        "mean": statistics.fmean(numbers),
        "standard_deviation": statistics.stdev(numbers) if len(numbers) > 1 else None,
        "minimum": min(numbers),
        "lower_quartile": quartiles[0],
        "median": quartiles[1],
        "upper_quartile": quartiles[2],
        "maximum": max(numbers),
    }


def fit_line(x: list[float], y: list[float], predict: list[float] | None = None) -> dict:
    """The straight line that fits pairs of numbers best, and how well it fits."""
    _check(x, 2)
    _check(y, 2)
    if len(x) != len(y):
        raise ValueError(f"x and y must have the same length: {len(x)} and {len(y)}")
    if len(set(x)) == 1:
        raise ValueError(f"every x is {x[0]}: a line needs at least two different ones")
    # As fractions, so that exact values stay exact.
    xs, ys = list(map(Fraction, x)), list(map(Fraction, y))
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread_x, spread_y = sum((one - mean_x) ** 2 for one in xs), sum((one - mean_y) ** 2 for one in ys)
    together = sum((a - mean_x) * (b - mean_y) for a, b in zip(xs, ys))
    slope = together / spread_x
    start = mean_y - slope * mean_x
    return {
        "slope": float(slope),
        "intercept": float(start),
        "r_squared": float(together**2 / (spread_x * spread_y)) if spread_y else 1.0,
        "predicted": [float(start + slope * Fraction(one)) for one in predict or []],
    }


def histogram(numbers: list[float], bins: int = 10) -> list[dict]:
    """How many numbers lie in each of several equal ranges."""
    _check(numbers, 1)
    low, high = min(numbers), max(numbers)
    width = (high - low) / bins or 1.0
    counts = [0] * bins
    for number in numbers:
        counts[min(bins - 1, int((number - low) / width))] += 1
    return [{"from": low + at * width, "to": low + (at + 1) * width, "count": n} for at, n in enumerate(counts)]


class RunningAverage:
    """Keeps count and sum of all numbers that it was given."""

    def __init__(self) -> None:
        self.count = 0
        self.total = Fraction(0)

    def __call__(self, numbers: list[float] | None = None) -> dict:
        """Adds numbers, and returns the average of all so far."""
        if numbers:
            _check(numbers, 1)
            self.count += len(numbers)
            self.total += sum(map(Fraction, numbers))
        return {"count": self.count, "average": float(self.total / self.count) if self.count else None}


def _check(numbers: list[float], least: int) -> None:
    if len(numbers) < least:
        raise ValueError(f"too few numbers: {len(numbers)}, at least {least} needed")
    if not all(abs(number) <= 1e300 for number in numbers):
        raise ValueError("every number must be finite, and between -1e300 and 1e300")


def _numbers(words: str) -> dict:
    return {"type": "array", "items": {"type": "number"}, "description": words}


TOOL_SPECS = [
    {
        "name": "stats:describe_numbers",
        "label": "Describe numbers",
        "description": "Count, sum, mean, standard deviation (of a sample), minimum, quartiles and maximum of numbers.",
        "parameters": {
            "type": "object",
            "properties": {"numbers": _numbers("At least one number")},
            "required": ["numbers"],
        },
        "handler": describe_numbers,
        "examples": [{"numbers": [2, 4, 4, 5, 7, 9]}],
        "stateless": True,
    },
    {
        "name": "stats:fit_line",
        "label": "Fit a line",
        "description": "Least squares: the straight line through pairs of numbers, how well it fits (r squared, 0 to "
        "1), and its predictions for other x.",
        "parameters": {
            "type": "object",
            "properties": {
                "x": _numbers("First number of each pair"),
                "y": _numbers("Second number of each pair, as many as x has"),
                "predict": {
                    "type": ["array", "null"],
                    "items": {"type": "number"},
                    "default": None,
                    "description": "Other x to predict y for",
                },
            },
            "required": ["x", "y"],
        },
        "handler": fit_line,
        "app": "line.html",
        "examples": [{"x": [1, 2, 3, 4], "y": [2.1, 3.9, 6.2, 7.8], "predict": [5]}],
        "stateless": True,
    },
    {
        "name": "stats:histogram",
        "label": "Histogram",
        "description": "Counts how many numbers fall into each of several ranges of equal width, from the minimum to the maximum.",
        "parameters": {
            "type": "object",
            "properties": {
                "numbers": _numbers("At least one number"),
                "bins": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 10, "description": "Number of ranges"},
            },
            "required": ["numbers"],
        },
        "handler": histogram,
        "examples": [{"numbers": [1, 2, 2, 3, 3, 3, 4, 9], "bins": 4}],
        "stateless": True,
    },
    {
        "name": "stats:running_average",
        "label": "Running average",
        "description": "Adds numbers to those of earlier calls in this session, and returns the average of all.",
        "parameters": {
            "type": "object",
            "properties": {
                "numbers": {
                    "type": ["array", "null"],
                    "items": {"type": "number"},
                    "default": None,
                    "description": "Numbers to add; leave empty to read the average",
                }
            },
        },
        "handler": RunningAverage(),
        "examples": [{"numbers": [3, 4, 8]}],
        "concurrency_safe": lambda arguments: not arguments.get("numbers"),
    },
]
