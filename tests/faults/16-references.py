# References by an embedded $id and by a dynamic anchor. Expected: {"v": "x"} and {"v": {"kids": [{"x": 1}]}} are refused.
def echo(**values):
    return values
TOOL_SPECS = [
    {"name": "16-references:idref", "description": "d", "handler": echo, "parameters": {"type": "object", "$id": "https://example.com/root.json", "properties": {"v": {"$ref": "item.json"}}, "$defs": {"i": {"$id": "item.json", "type": "integer"}}}},
    {"name": "16-references:dynamic", "description": "d", "handler": echo, "parameters": {"type": "object", "properties": {"v": {"$ref": "#/$defs/t"}}, "$defs": {"t": {"$dynamicAnchor": "node", "type": "object", "properties": {"kids": {"type": "array", "items": {"$dynamicRef": "#node"}}}, "unevaluatedProperties": False}}}},
]
