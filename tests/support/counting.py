import time

calls = 0


def count(to: int):
    global calls
    calls += 1
    for n in range(to):
        yield {"progress": n + 1, "total": to}
        print("step", n + 1)
        time.sleep(0.05)
    return {"to": to, "calls": calls}


def strict(value: int) -> int:
    return value


TOOL_SPECS = [
    {
        "name": "example:count",
        "description": "Counts, and streams each step.",
        "parameters": {
            "type": "object",
            "properties": {"to": {"type": "integer", "minimum": 1}},
            "required": ["to"],
        },
        "handler": count,
    },
    {
        "name": "example:strict",
        "description": "Asks before it runs.",
        "parameters": {
            "type": "object",
            "properties": {"value": {"type": "integer"}},
            "required": ["value"],
        },
        "requires_approval": True,
        "handler": strict,
    },
]
