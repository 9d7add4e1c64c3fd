# Expected: state is shown for US only and org for Alabama only; a value that no longer applies is not sent, which the form says.
# The second tool refuses the fields whose condition does not hold, so they must not be offered.
def echo(**values):
    return values
TOOL_SPECS = [
    {"name": "conditional-fields:country", "description": "d", "handler": echo, "parameters": {"type": "object", "properties": {"country": {"enum": ["CA", "US", "UK"]}}, "required": ["country"], "allOf": [
        {"if": {"properties": {"country": {"const": "US"}}, "required": ["country"]}, "then": {"properties": {"state": {"enum": ["Alabama", "Utah"]}}, "required": ["state"]}},
        {"if": {"properties": {"state": {"const": "Alabama"}}, "required": ["state"]}, "then": {"properties": {"org": {"type": "string"}}, "required": ["org"]}}]}},
    {"name": "conditional-fields:multi", "description": "d", "handler": echo, "parameters": {"type": "object", "properties": {"multi": {"type": "boolean", "default": False}}, "if": {"properties": {"multi": {"const": True}}, "required": ["multi"]},
        "then": {"properties": {"low": {"type": "integer"}}, "required": ["low"]}, "else": {"properties": {"single": {"type": "string"}}}, "unevaluatedProperties": False}},
]
