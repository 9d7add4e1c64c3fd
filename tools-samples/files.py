"""Files of a workspace: approval that depends on the arguments, and explicit errors.

`context["workspace_path"]` is the folder that tools may read and write, or None if there is none. `context.error`
creates a failure whose message the model reads. It can be raised or returned, and `recoverable=True` says that
another attempt, with other arguments, may succeed. `requires_approval` may be a function of the arguments.
"""

import re
from pathlib import Path
from typing import Any

LARGEST = 2_000_000  # maximum size in bytes of a file that is searched


def list_files(pattern: str = "**/*", *, context: Any) -> list[dict]:
    """The files of the workspace whose path matches a pattern."""
    root = _workspace(context)
    return [{"path": path, "bytes": file.stat().st_size} for path, file in _files(root, pattern, context)]


def search_files(
    text: str, pattern: str = "**/*", is_regex: bool = False, limit: int = 50, *, context: Any
) -> list[dict]:
    """The lines of the workspace's text files that contain a text."""
    root = _workspace(context)
    try:
        wanted = re.compile(text if is_regex else re.escape(text), re.IGNORECASE)
    except re.error as fault:
        raise context.error(f"{text!r} is not a regular expression: {fault}", recoverable=True) from None
    found, skipped = [], 0
    for path, file in _files(root, pattern, context):
        try:
            lines = file.read_text(encoding="utf-8").splitlines() if file.stat().st_size <= LARGEST else None
        except (OSError, UnicodeDecodeError):
            lines = None
        if lines is None:
            skipped += 1
            continue
        for at, line in enumerate(lines, 1):
            if wanted.search(line):
                found.append({"path": path, "line": at, "text": line.strip()})
        if len(found) >= limit:
            break
    context.metadata["files_skipped"] = skipped
    return found[:limit]


def read_lines(path: str, first: int = 1, last: int = 200, *, context: Any) -> str:
    """Some lines of a text file."""
    lines = _inside(path, context).read_text(encoding="utf-8").splitlines()
    if first > max(1, len(lines)):
        raise context.error(f"{path} has only {len(lines)} lines", recoverable=True)
    return "\n".join(lines[first - 1 : last])


def write_file(path: str, text: str, overwrite: bool = False, *, context: Any) -> dict:
    """Writes a text file."""
    file = _inside(path, context)
    if file.exists() and not overwrite:
        return context.error(f"{path} already exists: choose another path or set overwrite", recoverable=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="")
    context.log(f"wrote {path}")
    return {"path": path, "bytes": file.stat().st_size}


def delete_file(path: str, *, context: Any) -> None:
    """Deletes a file."""
    _inside(path, context).unlink()


def _workspace(context: Any) -> Path:
    if context["workspace_path"] is None:
        raise context.error("No workspace is open, so there are no files to work with. Ask the user to open one.")
    return Path(context["workspace_path"]).resolve()


def _inside(path: str, context: Any) -> Path:
    root = _workspace(context)
    file = (root / path).resolve()
    if not file.is_relative_to(root):
        raise context.error(f"{path} is outside the workspace: give a path relative to it", recoverable=True)
    return file


def _files(root: Path, pattern: str, context: Any) -> list[tuple[str, Path]]:
    try:
        matching = [file for file in root.glob(pattern) if file.resolve().is_relative_to(root) and file.is_file()]
    except (ValueError, NotImplementedError) as fault:
        raise context.error(f"{pattern!r} is not a pattern such as **/*.md: {fault}", recoverable=True) from None
    return sorted((file.relative_to(root).as_posix(), file) for file in matching)


PATH = {"type": "string", "minLength": 1, "description": "Path relative to the workspace, such as notes/today.md"}
PATTERN = {"type": "string", "default": "**/*", "description": "Which files: *.md at the top, **/*.md everywhere"}

TOOL_SPECS = [
    {
        "name": "files:list_files",
        "label": "List files",
        "description": "Lists the files of the workspace with their sizes.",
        "parameters": {"type": "object", "properties": {"pattern": PATTERN}},
        "handler": list_files,
        "annotations": {"readOnlyHint": True},
        "background_safe": True,
    },
    {
        "name": "files:search_files",
        "label": "Search files",
        "description": "Finds the lines in the workspace's text files that contain a text, ignoring case. Files that "
        "are not UTF-8 text, or larger than 2 MB, are skipped.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "minLength": 1, "description": "What to search for"},
                "pattern": PATTERN,
                "is_regex": {"type": "boolean", "default": False, "description": "Treat text as a regular expression"},
                "limit": {"type": "integer", "minimum": 1, "default": 50, "description": "Maximum number of lines"},
            },
            "required": ["text"],
        },
        "handler": search_files,
        "examples": [{"text": "todo", "pattern": "**/*.md"}],
        "annotations": {"readOnlyHint": True},
        "background_safe": True,
    },
    {
        "name": "files:read_lines",
        "label": "Read a file",
        "description": "Reads lines of a text file (UTF-8) of the workspace.",
        "parameters": {
            "type": "object",
            "properties": {
                "path": PATH,
                "first": {"type": "integer", "minimum": 1, "default": 1, "description": "First line, from 1"},
                "last": {"type": "integer", "minimum": 1, "default": 200, "description": "Last line, included"},
            },
            "required": ["path"],
        },
        "handler": read_lines,
        "examples": [{"path": "README.md", "last": 20}],
        "annotations": {"readOnlyHint": True},
        "background_safe": True,
    },
    {
        "name": "files:write_file",
        "label": "Write a file",
        "description": "Writes a text file (UTF-8) in the workspace, and creates missing folders. Replaces an "
        "existing file only if overwrite is true, and asks the user first.",
        "parameters": {
            "type": "object",
            "properties": {
                "path": PATH,
                "text": {"type": "string", "description": "The whole content"},
                "overwrite": {"type": "boolean", "default": False, "description": "Replace an existing file"},
            },
            "required": ["path", "text"],
        },
        "handler": write_file,
        "examples": [{"path": "notes/today.md", "text": "# Today\n"}],
        "requires_approval": lambda arguments: arguments.get("overwrite", False),
        "concurrency_safe": False,
        "interrupt": "block",
        "annotations": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True},
    },
    {
        "name": "files:delete_file",
        "label": "Delete a file",
        "description": "Deletes a file of the workspace. The user is always asked.",
        "parameters": {"type": "object", "properties": {"path": PATH}, "required": ["path"]},
        "handler": delete_file,
        "requires_approval": True,
        "concurrency_safe": False,
        "annotations": {"readOnlyHint": False, "destructiveHint": True},
    },
]
