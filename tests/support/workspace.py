"""Tools that read and write their workspace, well-behaved and not."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from pathlib import Path


def where(context):
    """What the tool knows about its workspace."""
    return {"path": context.workspace_path, "sandbox": dict(context.sandbox)}


def edit(context, files: dict):
    """Writes texts by path; null removes a file."""
    root = Path(context.workspace_path)
    for path, text in files.items():
        target = root / path
        if text is None:
            target.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
    return "done"


def link(context, links: dict):
    """Makes symbolic links by path."""
    for path, target in links.items():
        os.symlink(target, Path(context.workspace_path) / path)


def edit_approved(context, files: dict):
    """Like edit, once the user has approved it."""
    if context.approve("Go on?"):
        edit(context, files)


def contents(context):
    """All files, by path."""
    root = Path(context.workspace_path)
    return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()}


def write_and_spin(context):
    """Writes, and never ends."""
    (Path(context.workspace_path) / "half.txt").write_text("half")
    print("written", flush=True)
    while True:
        time.sleep(0.01)


async def write_and_wait(context, seconds: float = 60):
    """Writes, and waits, so that it is notified of its end."""
    (Path(context.workspace_path) / "half.txt").write_text("half")
    print("written", flush=True)
    await asyncio.sleep(seconds)


def fail(context):
    """Writes, and raises."""
    (Path(context.workspace_path) / "before.txt").write_text("before")
    raise ValueError("after writing")


def misbehave(context):
    """Links, invalid names, other programs' folders, and paths outside."""
    root = Path(context.workspace_path)
    os.symlink("/tools", root / "out")
    os.symlink("/etc/passwd", root / "password")
    (root / ".git").mkdir(exist_ok=True)
    (root / ".git" / "config").write_text("evil")
    for name in ("CON.txt", "trailing. ", "a:b", "a\nb", "README.TXT", "x" * 300):
        try:
            (root / name).write_text("odd")
        except OSError:
            pass
    (root / "fine.txt").write_text("fine")
    (root.parent / "outside.txt").write_text("outside")
    return "done"


def clean(context):
    """Undoes the changes of misbehave."""
    root = Path(context.workspace_path)
    for path in list(root.iterdir()):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def large(context, megabytes: int, count: int = 1):
    """Writes large files."""
    for index in range(count):
        (Path(context.workspace_path) / f"large-{index}.bin").write_bytes(b"x" * (megabytes * 1024 * 1024))


async def add(context, name: str):
    """Appends a line; several calls run at once."""
    path = Path(context.workspace_path) / "shared.txt"
    before = path.read_text() if path.exists() else ""
    await asyncio.sleep(0.5)
    path.write_text(before + name + "\n")


def quiet_edit(context):
    """Changes a file and resets its times."""
    path = Path(context.workspace_path) / "a.txt"
    state = path.stat()
    text = path.read_text()
    path.write_text(text.upper())
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


OBJECT = {"type": "object"}


def spec(handler, **more):
    return {
        "name": f"workspace:{handler.__name__}",
        "description": handler.__doc__,
        "parameters": OBJECT,
        "handler": handler,
        **more,
    }


TOOL_SPECS = [
    *map(spec, (where, edit, link, edit_approved, contents, write_and_wait, fail, misbehave, clean, large, quiet_edit)),
    spec(write_and_spin, timeout_s=2),
    spec(add, stateless=True, concurrency_safe=False),
]
