"""What several tool files use."""

import json
from pathlib import Path


def load_rates() -> dict:
    return json.loads((Path(__file__).parent / "data" / "rates.json").read_text())


class Ledger:
    """Keeps amounts between calls."""

    def __init__(self):
        self.entries = {}

    def add(self, name: str, amount: int) -> dict:
        """Adds an amount to a name."""
        self.entries[name] = self.entries.get(name, 0) + amount
        return dict(self.entries)

    def total(self) -> int:
        """The sum of all."""
        return sum(self.entries.values())
