"""No framework: a list of tools in the format of OpenAI's API, and a dictionary of functions."""

from math import asin, cos, radians, sin, sqrt

EARTH_KM = 6371.0088

tools = [
    {
        "type": "function",
        "function": {
            "name": "distance_km",
            "description": "The shortest distance between two places on the earth, in kilometres.",
            "parameters": {
                "type": "object",
                "properties": {
                    "start": {"$ref": "#/$defs/place"},
                    "end": {"$ref": "#/$defs/place"},
                },
                "required": ["start", "end"],
                "$defs": {
                    "place": {
                        "type": "object",
                        "properties": {
                            "latitude": {"type": "number", "minimum": -90, "maximum": 90},
                            "longitude": {"type": "number", "minimum": -180, "maximum": 180},
                        },
                        "required": ["latitude", "longitude"],
                    }
                },
            },
        },
    }
]


def distance_km(start: dict, end: dict) -> float:
    one, other = radians(start["latitude"]), radians(end["latitude"])
    across = radians(end["longitude"] - start["longitude"])
    half = sin((other - one) / 2) ** 2 + cos(one) * cos(other) * sin(across / 2) ** 2
    return round(2 * EARTH_KM * asin(sqrt(min(1.0, half))), 1)


functions = {"distance_km": distance_km}
