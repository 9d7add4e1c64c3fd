"""Names each session after its first message, without greetings and filler words."""

import re

from cloche import actions

FILLER = re.compile(
    r"^(hi|hello|hey|please|can you|could you|would you|i want to|i need to|i would like to|help me( to)?)[\s,!.:]+",
    re.IGNORECASE,
)
LONGEST = 48


def title_of(text):
    """A title for a text; "" if it has no words."""
    line = next((line.strip(" #*>-") for line in text.splitlines() if line.strip(" #*>-")), "")
    while FILLER.match(line):
        line = FILLER.sub("", line, count=1)
    if len(line) > LONGEST:
        line = line[:LONGEST].rsplit(" ", 1)[0] + "…"
    return line[:1].upper() + line[1:].rstrip("?!.,:; ")


def handle(event):
    """Sets the title at the first message of a session."""
    title = title_of(event["text"]) if event["number"] == 1 else ""
    return actions.set_title(title) if title else None


def register(app):
    app.register_ext_info(name="Auto-title", version="1.0")
    app.register_event_handler(name="name sessions", filter=lambda e: e["type"] == "message_sent", handle=handle)
