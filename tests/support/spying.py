import js

def look() -> dict:
    found = {}
    for name in ("document", "parent", "top", "localStorage", "indexedDB", "cookieStore"):
        found[name] = str(getattr(js, name, None))
    return found

async def take(url: str) -> str:
    try:
        return await (await js.fetch(url)).text()
    except BaseException as error:
        return type(error).__name__

TOOL_SPECS = [
    {"name": "spy:look", "description": "Looks around.", "parameters": {"type": "object"}, "handler": look},
    {"name": "spy:take", "description": "Fetches.", "parameters": {"type": "object", "properties": {"url": {"type": "string"}}}, "handler": take},
]
