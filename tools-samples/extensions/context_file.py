"""Adds parts of context.md to messages: sections of it whose title has a word that the message has too. Text before the
first section is added to every message."""

import re
from pathlib import Path

FILE = Path(__file__).parent / "context.md"
MOST = 4_000


def sections():
    """The titles and texts of the file; the text before the first title has the title ""."""
    if not FILE.is_file():
        return []
    parts = re.split(r"^##\s+(.+)$", FILE.read_text("utf-8"), flags=re.MULTILINE)
    return [("", parts[0].strip()), *((t.strip(), b.strip()) for t, b in zip(parts[1::2], parts[2::2]))]


def words(text):
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 3}


def on_message(text):
    """The context for a message; "" if there is none."""
    asked = words(text)
    found = [
        f"## {title}\n{body}" if title else body
        for title, body in sections()
        if body and (not title or words(title) & asked)
    ]
    context = "\n\n".join(found)[:MOST]
    return f"From the file context.md:\n\n{context}" if context else ""


def register(app):
    app.register_ext_info(name="Context file", version="1.0")
    app.register_message_hook(name="add context", on_message=on_message)
