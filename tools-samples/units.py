"""Units: data from a JSON file, exact fractions, and a failure that tells the model what to do next.

`context.error(…, recoverable=True)` is raised for an unknown unit: the message suggests the nearest ones. The result
of `convert_unit` is a number; `context.metadata` has additional values for programs.
"""

import json
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any

# Quantity, unit, and its factor to the first unit of the quantity, with an offset if there is one.
DATA = Path(__file__).parent / "data"
UNITS: dict[str, dict[str, Any]] = json.loads((DATA / "units.json").read_text(encoding="utf-8"))
QUANTITY_OF = {unit: quantity for quantity, units in UNITS.items() for unit in units}


def convert_unit(value: float, from_unit: str, to_unit: str, *, context: Any) -> float:
    """A value in another unit of the same quantity."""
    quantity, other = _quantity(from_unit, context), _quantity(to_unit, context)
    if quantity != other:
        raise context.error(f"{from_unit} is a unit of {quantity}, but {to_unit} is one of {other}")
    factor, offset = _factor(quantity, from_unit)
    to_factor, to_offset = _factor(quantity, to_unit)
    base = Fraction(str(value)) * factor + offset
    if quantity == "temperature" and base < 0:
        raise ValueError(f"{value} {from_unit} is below absolute zero")
    context.metadata["quantity"] = quantity
    return float((base - to_offset) / to_factor)


def list_units(quantity: str | None = None) -> dict[str, list[str]]:
    """The known units, by quantity."""
    return {name: list(units) for name, units in UNITS.items() if quantity in (None, name)}


def _quantity(unit: str, context: Any) -> str:
    if unit in QUANTITY_OF:
        return QUANTITY_OF[unit]
    folded = {one.casefold(): one for one in QUANTITY_OF}
    near = [folded[one] for one in get_close_matches(unit.casefold(), folded, n=3, cutoff=0.5)]
    hint = f"Did you mean {' or '.join(near)}?" if near else "Call units:list_units to see them."
    raise context.error(f"There is no unit {unit!r} here. {hint}", recoverable=True)


def _factor(quantity: str, unit: str) -> tuple[Fraction, Fraction]:
    said = UNITS[quantity][unit]
    factor, offset = said if isinstance(said, list) else (said, "0")
    return Fraction(factor), Fraction(offset)


UNIT = {"type": "string", "description": "Symbol: m, ft, kg, lb, C, F, MB, MiB, km/h; case-sensitive"}

TOOL_SPECS = [
    {
        "name": "units:convert_unit",
        "label": "Convert a unit",
        "description": "Converts a value between units of length, mass, temperature, data, time, area, volume, speed, "
        "energy or pressure. Gallons, pints and cups are US ones.",
        "parameters": {
            "type": "object",
            "properties": {
                "value": {"type": "number", "description": "The value in from_unit"},
                "from_unit": UNIT,
                "to_unit": UNIT,
            },
            "required": ["value", "from_unit", "to_unit"],
        },
        "handler": convert_unit,
        "returns": {"type": "number"},
        "examples": [{"value": 72, "from_unit": "F", "to_unit": "C"}],
        "stateless": True,
    },
    {
        "name": "units:list_units",
        "label": "List units",
        "description": "The symbols of all supported units, by quantity.",
        "parameters": {
            "type": "object",
            "properties": {
                "quantity": {
                    "type": ["string", "null"],
                    "enum": [*UNITS, None],
                    "default": None,
                    "description": "Only this quantity",
                }
            },
        },
        "handler": list_units,
        "stateless": True,
        "deferred": True,
    },
]
