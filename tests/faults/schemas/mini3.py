# Unions that must both hold, and a number or a word. Expected: every tool loads, and its form sends what is typed.
def echo(**a): return a
def spec(n, p): return {"name": "mini3:" + n, "description": "Echo.", "parameters": {"type": "object", "properties": {"v": p}}, "handler": echo}
U = [{"type": ["boolean", "null"]}, {"type": "object", "properties": {"text": {"type": "string"}}}]
TOOL_SPECS = [spec("two_unions", {"allOf": [{"oneOf": U}, {"oneOf": [*U]}]}), spec("num_enum", {"anyOf": [{"type": "number"}, {"enum": ["fit"]}]})]
