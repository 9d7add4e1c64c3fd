# Enumerations and tuples under older drafts, and unions. Expected: every tool loads, and its form sends what is typed.
def echo(**a): return a
D7 = "http://json-schema.org/draft-07/schema#"
def spec(n, p): return {"name": "mini:" + n, "description": "Echo.", "parameters": p, "handler": echo}
E_ = {"a": {"type": "string", "description": "A", "enum": ["x", "y"]}}
T_ = {"p": {"type": "array", "description": "P", "items": [{"type": "string"}, {"type": "number"}]}}
TOOL_SPECS = [
    spec("enum_plain", {"type": "object", "properties": E_}),
    spec("enum_d7", {"$schema": D7, "type": "object", "properties": E_}),
    spec("enum_d6", {"$schema": "http://json-schema.org/draft-06/schema#", "type": "object", "properties": E_}),
    spec("enum_2019", {"$schema": "https://json-schema.org/draft/2019-09/schema", "type": "object", "properties": E_}),
    spec("enum_2020", {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": E_}),
    spec("noenum_d7", {"$schema": D7, "type": "object", "properties": {"a": {"type": "string", "description": "A"}}}),
    spec("tuple_plain", {"type": "object", "properties": T_}),
    spec("tuple_enum", {"type": "object", "properties": {**T_, **E_}}),
    spec("excl_enum", {"type": "object", "properties": {"n": {"type": "number", "description": "N", "minimum": 0, "exclusiveMinimum": True}, **E_}}),
]
S_ = lambda *t: {"type": "object", "properties": {"v": {"description": "V", "oneOf": [{"type": x} for x in t]}}, "required": ["v"]}
TOOL_SPECS += [spec("str_num", S_("string", "number")), spec("num_str", S_("number", "string")), spec("types_num_str", {"type": "object", "properties": {"v": {"description": "V", "type": ["number", "string"]}}, "required": ["v"]}), spec("int_str", S_("integer", "string")), spec("num_null", {"type": "object", "properties": {"v": {"description": "V", "type": ["number", "null"]}}, "required": ["v"]}), spec("num_bool", S_("boolean", "number"))]
