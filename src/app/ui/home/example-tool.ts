/** The smallest useful tool file. */

export const exampleFile = 'weather_tools.py';

export const exampleName = 'weather_tools:get_temperatures';

export const exampleTool = `def get_temperatures(location: str) -> dict:
    """Lowest and highest temperature of today."""
    return {"min_c": 9, "max_c": 15}

TOOL_SPECS = [
    {
        "name": "weather_tools:get_temperatures",
        "description": "Lowest and highest temperature "
                       "of today, in degrees Celsius.",
        "parameters": {
            "type": "object",
            "properties": {"location": {"type": "string",
                                        "description": "A city"}},
            "required": ["location"],
        },
        "examples": [{"location": "Oslo"}],
        "handler": get_temperatures,
    },
]
`;
