# Unions of objects. Expected: every tool loads, and an alternative that is chosen first stays chosen.
def echo(**a): return a
def spec(n, p, **k): return {"name": "mini2:" + n, "description": "Echo.", "parameters": {"type": "object", "properties": {"feed": p}, "required": ["feed"], **k}, "handler": echo}
OBJ = {"type": "object", "properties": {"text": {"type": "string"}}}
TOOL_SPECS = [
    spec("any_props", {"type": "object", "anyOf": [{"properties": {"lang": {"type": "string"}}}, {"properties": {"author": {"type": "array", "items": {"type": "string"}}, "name": {"type": "string"}}}]}),
    spec("types_first", {"oneOf": [{"type": ["boolean", "null"]}, OBJ]}),
    spec("refs", {"oneOf": [{"$ref": "#/definitions/disable"}, {"$ref": "#/definitions/credits"}]}, definitions={"disable": {"type": ["boolean", "null"]}, "credits": OBJ}),
    spec("extra_open", {"type": "object", "additionalProperties": True, "anyOf": [{"type": "object", "additionalProperties": True, "properties": {"lang": {"type": "string"}}}, {"properties": {"name": {"type": "string"}}}]}),
]
