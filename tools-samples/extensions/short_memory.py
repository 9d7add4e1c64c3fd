"""Compacts without a model: keeps the first message and the latest ones, and an outline of what was between them."""

KEPT = 6
OUTLINE_CHARACTERS = 160


def outline(message):
    """One line for a message that is left out."""
    text = " ".join(message["content"].split())[:OUTLINE_CHARACTERS]
    calls = ", ".join(call["name"] for call in message.get("tool_calls", ()))
    return f"- {message['role']}: {text}" + (f" (called {calls})" if calls else "")


def compact(messages):
    """The messages that replace the older ones."""
    if len(messages) <= KEPT + 1:
        return messages
    first, middle, last = messages[0], messages[1:-KEPT], messages[-KEPT:]
    lines = "\n".join(outline(message) for message in middle if message["role"] != "tool")
    between = {"role": "user", "content": f"[{len(middle)} messages were left out. Their outline:\n{lines}\n]"}
    return [first, between, *last]


def register(app):
    app.register_ext_info(name="Short memory", version="1.0")
    app.register_compactor(name="outline", threshold=50_000, compact=compact)
