"""Colours: a data file read beside the tool file, and a result of two parts, an image and JSON.

`Path(__file__).parent` is this file's folder, so the tool works wherever the folder is opened.
"""

import colorsys
import json
import re
from pathlib import Path
from typing import Any, Literal

import _svg

NAMES: dict[str, str] = json.loads((Path(__file__).parent / "data" / "color-names.json").read_text(encoding="utf-8"))
RGB = tuple[int, int, int]
SCHEMES = {"shades": None, "complementary": (0, 180), "triadic": (0, 120, 240), "analogous": (-30, 0, 30)}


def contrast(foreground: str, background: str) -> dict:
    """The contrast ratio of two colours and which WCAG levels it meets."""
    ratio = _ratio(_parse(foreground), _parse(background))
    levels = {"AA": 4.5, "AA_large_text": 3.0, "AAA": 7.0, "AAA_large_text": 4.5}
    return {"ratio": int(ratio * 100) / 100, "passes": {level: ratio >= least for level, least in levels.items()}}


def describe_color(color: str) -> dict:
    """A colour in every notation, with the nearest known name."""
    rgb = _parse(color)
    hue, lightness, saturation = colorsys.rgb_to_hls(*(part / 255 for part in rgb))
    nearest = min(NAMES, key=lambda name: sum((a - b) ** 2 for a, b in zip(rgb, _parse(NAMES[name]))))
    return {
        "hex": _hex(rgb),
        "rgb": list(rgb),
        "hsl": [round(hue * 360) % 360, round(saturation * 100), round(lightness * 100)],
        "nearest_name": nearest,
        "best_text_color": max(("black", "white"), key=lambda name: _ratio(rgb, _parse(name))),
    }


def palette(
    base: str, scheme: Literal["shades", "complementary", "triadic", "analogous"] = "shades", *, context: Any
) -> object:
    """Matching colours, as an image and as JSON."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*(part / 255 for part in _parse(base)))
    turns = SCHEMES[scheme]
    if turns is None:
        wanted = [(hue, step / 10, saturation) for step in range(9, 0, -2)]
    else:
        wanted = [((hue + turn / 360) % 1, lightness, saturation) for turn in turns]
    colors = [_hex(tuple(round(part * 255) for part in colorsys.hls_to_rgb(*one))) for one in wanted]
    swatches = []
    for index, color in enumerate(colors):
        ink = max(("#000000", "#ffffff"), key=lambda name: _ratio(_parse(color), _parse(name)))
        swatches += [_svg.rect(index * 110, 0, 110, 90, color), _svg.text(index * 110 + 55, 50, color, "middle", ink)]
    svg = _svg.document(110 * len(colors), 90, *swatches, title=f"{scheme} of {base}")
    return context.result([{"type": "image", "mediaType": "image/svg+xml", "data": svg.encode()}, colors])


def _parse(color: str) -> RGB:
    plain = color.strip().lower()
    plain = NAMES.get(plain, plain)
    if match := re.fullmatch(r"#?([0-9a-f]{3}|[0-9a-f]{6})", plain):
        digits = match[1] if len(match[1]) == 6 else "".join(2 * one for one in match[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if match := re.fullmatch(r"rgb\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\)", plain):
        red, green, blue = map(int, match.groups())
        if max(red, green, blue) <= 255:
            return red, green, blue
    raise ValueError(f"{color!r} is not a known colour: write #1a2b3c, #abc, rgb(26, 43, 60) or a name such as teal")


def _hex(rgb: tuple[int, ...]) -> str:
    return "#" + "".join(f"{part:02x}" for part in rgb)


def _ratio(one: RGB, other: RGB) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(rgb: RGB) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (one / 255 for one in rgb)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _color(what: str) -> dict:
    return {"type": "string", "description": f"{what}: #1a2b3c, #abc, rgb(26, 43, 60) or a CSS name"}


TOOL_SPECS = [
    {
        "name": "colors:contrast",
        "label": "Contrast check",
        "description": "The contrast ratio of two colours (WCAG 2, 1 to 21), and whether it is sufficient for normal "
        "and large text at levels AA and AAA.",
        "parameters": {
            "type": "object",
            "properties": {"foreground": _color("Text colour"), "background": _color("Background colour")},
            "required": ["foreground", "background"],
        },
        "handler": contrast,
        "examples": [{"foreground": "#767676", "background": "white"}],
        "stateless": True,
    },
    {
        "name": "colors:describe_color",
        "label": "Describe a colour",
        "description": "One colour as hex, RGB and HSL, the nearest common name, and whether black or white text is "
        "more readable on it.",
        "parameters": {"type": "object", "properties": {"color": _color("The colour")}, "required": ["color"]},
        "handler": describe_color,
        "examples": [{"color": "#2563eb"}],
        "stateless": True,
    },
    {
        "name": "colors:palette",
        "label": "Palette",
        "description": "Creates a palette from one colour. The user sees swatches; you get the colours as hex.",
        "parameters": {
            "type": "object",
            "properties": {
                "base": _color("The base colour"),
                "scheme": {
                    "type": "string",
                    "enum": list(SCHEMES),
                    "default": "shades",
                    "description": "shades: the same hue, light to dark; the others: matching hues",
                },
            },
            "required": ["base"],
        },
        "handler": palette,
        "examples": [{"base": "teal"}, {"base": "#c2410c", "scheme": "triadic"}],
        "stateless": True,
    },
]
