# Expected: what is typed into a chosen alternative is sent as it was typed, -2, 0.5 and 1e3 included. An alternative can be
# chosen before anything is entered, also where both start alike and where two unions must hold.
def echo(**a): return a
def spec(n, p, **k): return {"name": "unions:" + n, "description": "Echo.", "parameters": {"type": "object", "properties": {"v": p}, "required": ["v"], **k}, "handler": echo}
S_ = lambda *t: {"description": "V", "oneOf": [{"type": x} for x in t]}
OBJ = {"type": "object", "properties": {"text": {"type": "string"}}}
U = [{"type": ["boolean", "null"]}, OBJ]
TOOL_SPECS = [
    spec("str_num", S_("string", "number")),
    spec("num_str", S_("number", "string")),
    spec("types_num_str", {"description": "V", "type": ["number", "string"]}),
    spec("int_str", S_("integer", "string")),
    spec("num_null", {"description": "V", "type": ["number", "null"]}),
    spec("num_bool", S_("boolean", "number")),
    spec("num_enum", {"anyOf": [{"type": "number"}, {"enum": ["fit"]}]}),
    spec("any_props", {"type": "object", "anyOf": [{"properties": {"lang": {"type": "string"}}}, {"properties": {"author": {"type": "array", "items": {"type": "string"}}, "name": {"type": "string"}}}]}),
    spec("types_first", {"oneOf": U}),
    spec("refs", {"oneOf": [{"$ref": "#/definitions/disable"}, {"$ref": "#/definitions/credits"}]}, definitions={"disable": {"type": ["boolean", "null"]}, "credits": OBJ}),
    spec("extra_open", {"type": "object", "additionalProperties": True, "anyOf": [{"type": "object", "additionalProperties": True, "properties": {"lang": {"type": "string"}}}, {"properties": {"name": {"type": "string"}}}]}),
    spec("two_unions", {"allOf": [{"oneOf": U}, {"oneOf": [*U]}]}),
]
