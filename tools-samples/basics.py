"""Start here: two small tools with only the four required keys.

A tool file is plain Python. `TOOL_SPECS` describes its tools to a language model: each entry has a name (the file's
name, a colon, the function), a description, the parameters as JSON Schema, and the function itself.
"""

import random
import re
from decimal import ROUND_HALF_UP, Decimal


def split_bill(total: float, people: int, tip_percent: float = 0) -> dict:
    """What each person pays; the shares add up to the cent."""
    if total < 0 or tip_percent < 0 or people < 1:
        raise ValueError("total and tip_percent must not be negative, and people must be at least 1")
    with_tip = Decimal(str(total)) * (100 + Decimal(str(tip_percent)))
    cents = int(with_tip.to_integral_value(ROUND_HALF_UP))
    share, left_over = divmod(cents, people)
    return {"total": cents / 100, "each": share / 100, "pay_one_cent_more": left_over}


def roll_dice(dice: str = "1d6", seed: int | None = None) -> dict:
    """Rolls dice in the usual notation: 3d6+2."""
    match = re.fullmatch(r"(\d{0,3})d(\d{1,4})([+-]\d{1,6})?", dice.replace(" ", "").lower())
    if not match or int(match[2]) == 0:
        raise ValueError(f"{dice!r} is not dice notation: write 2d6, d20 or 3d8+1")
    count, sides, bonus = int(match[1] or 1), int(match[2]), int(match[3] or 0)
    chance = random.Random(seed)
    rolls = [chance.randint(1, sides) for _ in range(count)]
    return {"rolls": rolls, "total": sum(rolls) + bonus}


TOOL_SPECS = [
    {
        "name": "basics:split_bill",
        "description": "Splits a bill evenly, tip included. Returns what each person pays, and how many people pay "
        "one cent more so that the shares add up exactly.",
        "parameters": {
            "type": "object",
            "properties": {
                "total": {"type": "number", "minimum": 0, "examples": [86.4], "description": "The bill before the tip"},
                "people": {"type": "integer", "minimum": 1, "examples": [3], "description": "How many people pay"},
                "tip_percent": {"type": "number", "minimum": 0, "default": 0, "description": "Tip in percent"},
            },
            "required": ["total", "people"],
        },
        "handler": split_bill,
    },
    {
        "name": "basics:roll_dice",
        "description": "Rolls dice and returns each roll and the total. Use it for games, and whenever a choice "
        "should be random.",
        "parameters": {
            "type": "object",
            "properties": {
                "dice": {"type": "string", "default": "1d6", "description": "Dice notation: 2d6, d20, 3d8+1"},
                "seed": {
                    "type": ["integer", "null"],
                    "default": None,
                    "description": "The same seed gives the same rolls; leave it out for random rolls",
                },
            },
        },
        "handler": roll_dice,
    },
]
