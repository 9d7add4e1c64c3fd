/** A minimal tool file, for tests about something else. */

/** Content of a file `greet.py`, with the tool `greet:hello`. */
export const hello = `
def hello() -> dict:
    return {"hello": "world"}

TOOL_SPECS = [
    {
        "name": "greet:hello",
        "description": "Says hello.",
        "parameters": {"type": "object", "properties": {}},
        "handler": hello,
    },
]
`;
