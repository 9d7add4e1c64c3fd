"""Describes an exception for the model: its notes, its causes, the errors of a group, and where each was raised."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

from .failures import describe
from .tracebacks import Frame

# Limits of the description, so that an error does not fill the model's context.
_ERRORS = 20
_ERROR_CHARACTERS = 400
_CHARACTERS = 10_000
_NOTES = 10
_DEPTH = 10

_Group: Any = getattr(builtins, "BaseExceptionGroup", ())  # since Python 3.11
_cause = BaseException.__cause__.__get__  # type: ignore[attr-defined]
_context = BaseException.__context__.__get__  # type: ignore[attr-defined]
_hides_context = BaseException.__suppress_context__.__get__  # type: ignore[attr-defined]
_traceback = BaseException.__traceback__.__get__  # type: ignore[attr-defined]


def describe_with_causes(error: BaseException, root: str, raised: Frame | None) -> str:
    """Returns the error as `Type: message`, with its details on further lines. `raised` is the place if the error was
    raised in no file below `root`."""
    try:
        lines: list[str] = []
        _write_error(error, describe(error), "", root, raised, lines, set())
        text = "\n".join(lines)
        room = _CHARACTERS + len(lines[0])
        return text if len(text) <= room else f"{text[:room]}… ({len(text) - room:,} more characters)"
    except BaseException:  # an exception class can fail in any operation
        return f"{describe(error)}\n{_word_place(raised)}" if raised else describe(error)


def _write_error(
    error: BaseException, heading: str, indent: str, root: str, raised: Frame | None, lines: list[str], seen: set[int]
) -> bool:
    """Writes an error, the errors in it, the place where it was raised, and its causes. Returns whether any place was
    written."""
    has_place = False
    while True:
        seen.add(id(error))
        lines.append(indent + heading)
        lines += [f"{indent}{line}" for note in _notes_of(error) for line in note.split("\n")]
        inner = _list_inner_errors(error)
        has_inner_place = False
        for index, one in enumerate(inner):
            if len(seen) >= _ERRORS or len(indent) >= 2 * _DEPTH:
                lines.append(f"{indent}- and {len(inner) - index:,} more")
                break
            if id(one) in seen:
                continue
            at = len(lines)
            has_inner_place |= _write_error(one, _describe_shortly(one), indent + "  ", root, None, lines, seen)
            lines[at] = f"{indent}- {lines[at].lstrip(' ')}"
        where = _find_frame(error, root) or raised
        # If the errors of a group have places, the place where they were collected does not matter.
        if where and not has_inner_place:
            lines.append(indent + _word_place(where))
        has_place |= has_inner_place or where is not None
        before = _cause(error)
        lead = "Caused by "
        if before is None and not _hides_context(error):
            before, lead = _context(error), "Raised while handling "
        if before is None or id(before) in seen:
            return has_place
        if len(seen) >= _ERRORS:
            lines.append(f"{indent}{lead}further errors")
            return has_place
        error, heading, raised = before, f"{lead}{_describe_shortly(before)}", None


def _list_inner_errors(error: BaseException) -> tuple[BaseException, ...]:
    """The errors of a group. The attribute is read through the type, because a class may replace it."""
    if not _Group or not issubclass(type(error), _Group):
        return ()
    found: tuple[BaseException, ...] = _Group.exceptions.__get__(error)
    return found


def _notes_of(error: BaseException) -> Iterator[str]:
    notes = BaseException.__getattribute__(error, "__dict__").get("__notes__")
    if not isinstance(notes, (list, tuple)):
        return
    for note in list(notes)[:_NOTES]:
        text = str.__str__(note) if isinstance(note, str) else str(note)
        yield text[:_ERROR_CHARACTERS]


def _describe_shortly(error: BaseException) -> str:
    text = describe(error)
    return text if len(text) <= _ERROR_CHARACTERS else f"{text[:_ERROR_CHARACTERS]}…"


def _find_frame(error: BaseException, root: str) -> Frame | None:
    """The innermost frame in a file below `root`."""
    found: Frame | None = None
    step = _traceback(error)
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename.startswith(root + "/"):
            found = (code.co_filename[len(root) + 1 :], step.tb_lineno, code.co_name)
        step = step.tb_next
    return found


def _word_place(frame: Frame) -> str:
    file, line, name = frame
    return f"Raised in {file}, line {line}, in {name}."
