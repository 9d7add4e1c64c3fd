"""A helper module, because its name starts with an underscore: it can be imported but is not scanned for tools."""

import math
from html import escape

FONT = "font-family='system-ui, sans-serif' font-size='13'"
INK, LINE = "#1f2933", "#d5dbe1"


def document(width: int, height: int, *elements: str, title: str = "") -> str:
    """A complete SVG with a white background."""
    inside = [f"<title>{clean(title)}</title>"] if title else []
    inside.append(f"<rect width='{width}' height='{height}' fill='white'/>")
    body = "\n".join([*inside, *elements])
    return f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' {FONT}>\n{body}\n</svg>\n"


def text(x: float, y: float, content: str, anchor: str = "start", fill: str = INK, weight: int = 400) -> str:
    """A line of text; `anchor` is start, middle or end."""
    style = f"text-anchor='{anchor}' fill='{fill}'" + (f" font-weight='{weight}'" if weight != 400 else "")
    return f"<text x='{number(x)}' y='{number(y)}' {style}>{clean(content)}</text>"


def rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    """A filled rectangle."""
    return (
        f"<rect x='{number(x)}' y='{number(y)}' width='{number(width)}' height='{number(height)}' fill='{fill}'/>"
    )


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = LINE) -> str:
    """A straight line."""
    return f"<line x1='{number(x1)}' y1='{number(y1)}' x2='{number(x2)}' y2='{number(y2)}' stroke='{stroke}'/>"


def around(x: float, y: float, radius: float, angle: float) -> tuple[str, str]:
    """A point on a circle; the angle is in radians, starts at the top and goes clockwise."""
    return number(x + radius * math.sin(angle)), number(y - radius * math.cos(angle))


def number(value: float) -> str:
    """A coordinate with at most two decimal places."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def clean(content: str) -> str:
    """Text prepared for XML: escaped, and without characters that XML does not allow."""
    return escape("".join(one if one.isprintable() else " " for one in content))
