"""Prompts as commands: each file prompts/<name>.md becomes `/<name>`. What follows the command replaces $ARGUMENTS."""

import re
from pathlib import Path

from cloche import actions

FOLDER = Path(__file__).parent / "prompts"
BUILT_IN = {
    "explain": "Explain this step by step, for somebody who is new to it: $ARGUMENTS",
    "review": "Review this. List what is wrong first, then what could be simpler: $ARGUMENTS",
}


def prompts():
    """The texts of the prompts by their names."""
    found = dict(BUILT_IN)
    for file in sorted(FOLDER.glob("*.md")) if FOLDER.is_dir() else ():
        if re.fullmatch(r"[\w-]+", file.stem):
            found[file.stem] = file.read_text("utf-8").strip()
    return found


def filled(prompt, args):
    """The prompt with the arguments in their place, or at its end."""
    if "$ARGUMENTS" in prompt:
        return prompt.replace("$ARGUMENTS", args)
    return f"{prompt}\n\n{args}".strip()


def register(app):
    app.register_ext_info(name="Prompt library", version="1.0")
    for name, prompt in prompts().items():
        app.register_command(
            name=name,
            description=prompt.splitlines()[0][:100] if prompt else "",
            handler=lambda args, app, prompt=prompt: actions.send_message(filled(prompt, args)),
        )
