"""Git-style checkpoints of the workspace: one before each message, and `/checkpoint NAME` for more. `/restore` goes back to
one of them: the files become what they were, as changes that you review."""

from datetime import datetime

from cloche import actions

LAST = "before the last /restore"
state = {"number": 0}


def counted(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def one_line(text, most=60):
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


async def before_message(app, text):
    """Makes a checkpoint before the model gets a message; none where the folder has no workspace."""
    state["number"] += 1
    try:
        await app.checkpoint_workspace(f"{state['number']}: {one_line(text)}")
    except (RuntimeError, PermissionError):
        # There is no workspace, or you have not allowed it: the message is sent all the same.
        pass
    return ""


async def checkpoint(args, app):
    """`/checkpoint NAME` makes one now."""
    made = await app.checkpoint_workspace(args.strip() or f"{datetime.now():%H:%M:%S}")
    return actions.notify(f"Checkpoint “{made['name']}”: {counted(made['files'], 'file')}")


async def restore(args, app):
    """`/restore` asks which one, `/restore NAME` restores it."""
    if args.strip():
        return await go_back(app, args.strip())
    known = [one for one in await app.workspace_checkpoints() if one["changed"]]
    if not known:
        return actions.notify("No file has changed since the last checkpoint.")
    items = [{"label": one["name"], "detail": detail(one)} for one in known]
    return actions.show_picker("Restore which checkpoint?", items, lambda item: go_back(app, item["label"]))


def detail(one):
    have = "has" if one["changed"] == 1 else "have"
    return f"{datetime.fromtimestamp(one['created_at']):%H:%M:%S}, {counted(one['changed'], 'file')} {have} changed since"


async def go_back(app, name):
    if name != LAST:
        await app.checkpoint_workspace(LAST)
    done = await app.restore_workspace(name)
    refused = f" {counted(done['refused'], 'file')} could not be restored." if done["refused"] else ""
    if not done["waiting"]:
        return actions.notify(refused.strip() or "Nothing has changed since.")
    wait = "waits" if done["waiting"] == 1 else "wait"
    waiting = f"{counted(done['waiting'], 'change')} {wait} for your review on the Workspace page."
    return actions.notify(waiting + refused)


def register(app):
    app.register_ext_info(name="Checkpoints", version="1.0")
    app.register_message_hook(name="checkpoint", on_message=lambda text: before_message(app, text))
    app.register_command(name="checkpoint", description="Makes a checkpoint of the workspace", handler=checkpoint)
    app.register_command(name="restore", description="Restores a checkpoint of the workspace", handler=restore)
