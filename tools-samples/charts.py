"""Charts as SVG: results with several parts and metadata, created with the call context.

A handler with a parameter named `context` receives the call context; the model never sees it. `context.result` takes
a list of parts: here an image for the user and a line of text for the model. `functools.partial` makes three tools
from one function, and `_svg` is a helper module beside this file.
"""

import math
from functools import partial
from typing import Any

import _svg

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 64, 40, 16, 40
COLORS = ("#2563eb", "#d97706", "#059669", "#c026d3", "#dc2626", "#0891b2", "#65a30d", "#7c3aed")
LARGEST = 1e300
Item = tuple[str, float]


def chart(kind: str, items: list[dict], title: str = "", *, context: Any) -> object:
    """Draws labelled values."""
    values = [(str(item["label"]), float(item["value"])) for item in items]
    if not values or not all(abs(value) <= LARGEST for _, value in values):
        raise ValueError(f"items needs at least one value, each between ±{LARGEST:g}")
    drawn = (_bars if kind == "bar" else _pie)(values)
    top, most = max(values, key=lambda item: item[1])
    said = f"A {kind} chart of {len(values)} values; the largest is {top} with {most:g}."
    return _shown(drawn, title, said, {"kind": kind, "values": len(values)}, context)


def line_chart(x: list[str | float], series: dict[str, list[float]], title: str = "", *, context: Any) -> object:
    """Draws one line for each series."""
    wrong = [name for name, ys in series.items() if len(ys) != len(x)]
    if wrong or not series or len(x) < 2:
        which = f" ({', '.join(wrong)})" if wrong else ""
        raise ValueError(f"x needs at least two entries, and every series as many as x has: {len(x)}{which}")
    every = [y for ys in series.values() for y in ys]
    if not all(abs(y) <= LARGEST for y in every):
        raise ValueError(f"every value must be between ±{LARGEST:g}")
    ticks = _ticks(min(every), max(every))
    drawn = _grid(ticks)
    step = (WIDTH - LEFT - RIGHT) / (len(x) - 1)
    for at in range(0, len(x), math.ceil(len(x) / 10)):
        drawn.append(_svg.text(LEFT + at * step, HEIGHT - BOTTOM + 20, str(x[at]), "middle"))
    for index, (name, ys) in enumerate(series.items()):
        color = COLORS[index % len(COLORS)]
        points = " ".join(f"{_svg.number(LEFT + at * step)},{_svg.number(_y(y, ticks))}" for at, y in enumerate(ys))
        drawn.append(f"<polyline points='{points}' fill='none' stroke='{color}' stroke-width='2.5'/>")
        drawn.append(_svg.text(WIDTH - RIGHT, TOP + 16 * index, name, "end", color))
    said = f"A line chart of {len(series)} series with {len(x)} points each, between {min(every):g} and {max(every):g}."
    return _shown(drawn, title, said, {"kind": "line", "values": len(every)}, context)


def _shown(drawn: list[str], title: str, said: str, metadata: dict, context: Any) -> object:
    heading = _svg.text(LEFT, 24, title, weight=600)
    svg = _svg.document(WIDTH, HEIGHT, heading, *drawn, title=title or said)
    picture = {"type": "image", "mediaType": "image/svg+xml", "data": svg.encode()}
    return context.result([picture, said], metadata=metadata)


def _bars(values: list[Item]) -> list[str]:
    ticks = _ticks(min(0, *(value for _, value in values)), max(0, *(value for _, value in values)))
    drawn = _grid(ticks)
    slot = (WIDTH - LEFT - RIGHT) / len(values)
    for index, (label, value) in enumerate(values):
        top, bottom = sorted((_y(value, ticks), _y(0, ticks)))
        drawn.append(_svg.rect(LEFT + (index + 0.15) * slot, top, 0.7 * slot, bottom - top, COLORS[0]))
        if index % math.ceil(len(values) / 12) == 0:
            drawn.append(_svg.text(LEFT + (index + 0.5) * slot, HEIGHT - BOTTOM + 20, label, "middle"))
    return drawn


def _pie(values: list[Item]) -> list[str]:
    total = math.fsum(value for _, value in values)
    if total <= 0 or any(value < 0 for _, value in values):
        raise ValueError("a pie needs values of at least 0, with at least one above 0: draw bars instead")
    drawn, angle, x, y, radius = [], 0.0, 200, 195, 140
    for index, (label, value) in enumerate(values):
        color, end = COLORS[index % len(COLORS)], angle + value / total * math.tau
        if value == total:
            drawn.append(f"<circle cx='{x}' cy='{y}' r='{radius}' fill='{color}'/>")
        elif value:
            (x1, y1), (x2, y2) = (_svg.around(x, y, radius, one) for one in (angle, end))
            large = int(end - angle > math.pi)
            drawn.append(f"<path d='M{x},{y}L{x1},{y1}A{radius},{radius} 0 {large} 1 {x2},{y2}Z' fill='{color}'/>")
        drawn.append(_svg.rect(400, 60 + 24 * index, 14, 14, color))
        drawn.append(_svg.text(422, 72 + 24 * index, f"{label}: {value / total:.1%}"))
        angle = end
    return drawn


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from at or below `low` to at or above `high`."""
    span = max((high - low) or abs(high) or 1, 1e-300)
    power = 10 ** math.floor(math.log10(span / 4))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= span / 4)
    return [at * step for at in range(math.floor(low / step), math.ceil(high / step) + 1)]


def _y(value: float, ticks: list[float]) -> float:
    share = (value - ticks[0]) / ((ticks[-1] - ticks[0]) or 1)
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)


def _grid(ticks: list[float]) -> list[str]:
    lines = [_svg.line(LEFT, _y(tick, ticks), WIDTH - RIGHT, _y(tick, ticks)) for tick in ticks]
    return lines + [_svg.text(LEFT - 8, _y(tick, ticks) + 4, f"{tick:g}", "end") for tick in ticks]


TITLE = {"type": "string", "default": "", "description": "Title of the chart"}
ITEMS = {
    "type": "array",
    "minItems": 1,
    "maxItems": 40,
    "description": "The values, in drawing order",
    "items": {
        "type": "object",
        "properties": {
            "label": {"type": "string", "description": "Label of the value"},
            "value": {"type": "number", "description": "The value; a pie needs values of at least 0"},
        },
        "required": ["label", "value"],
    },
}

TOOL_SPECS = [
    {
        "name": "charts:bar_chart",
        "description": "Draws a bar chart, which the user sees as an image. Use it to compare up to 40 values.",
        "parameters": {"type": "object", "properties": {"items": ITEMS, "title": TITLE}, "required": ["items"]},
        "handler": partial(chart, "bar"),
        "examples": [{"title": "Rain", "items": [{"label": "Mon", "value": 3}, {"label": "Tue", "value": 12.5}]}],
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "charts:pie_chart",
        "description": "Draws a pie chart, which the user sees as an image. Use it for up to eight shares of a whole.",
        "parameters": {
            "type": "object",
            "properties": {"items": {**ITEMS, "maxItems": len(COLORS)}, "title": TITLE},
            "required": ["items"],
        },
        "handler": partial(chart, "pie"),
        "examples": [
            {"items": [{"label": "Wind", "value": 55}, {"label": "Sun", "value": 30}, {"label": "Water", "value": 15}]},
        ],
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "charts:line_chart",
        "description": "Draws a line chart, which the user sees as an image. Use it for values that change along an "
        "axis, such as time; several series share the axes.",
        "parameters": {
            "type": "object",
            "properties": {
                "x": {
                    "type": "array",
                    "minItems": 2,
                    "items": {"type": ["string", "number"]},
                    "description": "Labels along the horizontal axis, evenly spaced",
                },
                "series": {
                    "type": "object",
                    "minProperties": 1,
                    "additionalProperties": {"type": "array", "items": {"type": "number"}},
                    "description": "Name of each line, and as many values as x has",
                },
                "title": TITLE,
            },
            "required": ["x", "series"],
        },
        "handler": line_chart,
        "examples": [{"x": ["Mon", "Tue", "Wed"], "series": {"Oslo": [3, 5, 4], "Rome": [12, 14, 17]}}],
        "annotations": {"readOnlyHint": True},
    },
]
