"""A tool for smolagents as a class, which declares its inputs itself."""

import math
import string

from smolagents import Tool


class PasswordStrength(Tool):
    name = "password_strength"
    description = "Estimates how long it takes to guess a password, and says what would make it stronger."
    inputs = {
        "password": {"type": "string", "description": "The password. It is not stored."},
        "guesses_per_second": {
            "type": "number",
            "description": "Speed of the attacker; 1e10 is a fast machine with the stolen file of hashes.",
            "nullable": True,
        },
    }
    output_type = "object"

    def forward(self, password: str, guesses_per_second: float | None = None) -> dict:
        kinds = [string.ascii_lowercase, string.ascii_uppercase, string.digits, string.punctuation]
        used = [kind for kind in kinds if set(kind) & set(password)]
        alphabet = sum(map(len, used)) + (100 if set(password) - set("".join(kinds)) else 0)
        bits = len(set(password)) * math.log2(max(alphabet, 2))
        seconds = 2 ** (bits - 1) / (guesses_per_second or 1e10)
        advice = [] if len(password) >= 14 else ["Use 14 characters or more."]
        if len(set(password)) < len(password) / 2:
            advice.append("Repeat fewer characters.")
        return {"bits": round(bits), "years": float(f"{seconds / 31_557_600:.2g}"), "advice": advice}


strength = PasswordStrength()
