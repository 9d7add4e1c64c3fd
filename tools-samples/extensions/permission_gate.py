"""Refuses calls to tools by patterns of their names, and says which pattern it was."""

from fnmatch import fnmatchcase

from cloche import actions

DENIED = ["files:delete*", "notebook_tools:*"]
counts = {"refused": 0}


def before(tool, arguments):
    """Allows a call, or gives the reason why not."""
    for pattern in DENIED:
        if fnmatchcase(tool, pattern):
            counts["refused"] += 1
            return f"{tool} is not allowed here: it matches {pattern}. Do without it."
    return True


def gate(args, app):
    """`/gate` shows the patterns."""
    return actions.show_message(f"Denied: {', '.join(DENIED)}\nRefused so far: {counts['refused']}")


def register(app):
    app.register_ext_info(name="Permission gate", version="1.0")
    app.register_interceptor(name="deny by name", priority=2000, before=before)
    app.register_command(name="gate", description="Shows which tools are denied", handler=gate)
