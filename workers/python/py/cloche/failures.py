"""Formats failures: an exception as `Type: message`, and the payload of a failed call."""

from __future__ import annotations

from collections.abc import Sequence

from .content import Part
from .json_text import quote
from .limits import ERROR_CHARACTERS

_type_name = type.__dict__["__name__"].__get__


class Refusal(Exception):
    """A call that was rejected before its handler ran.

    `error` is the failure's error; `advice` tells the model what to do next; `also` lists further errors, if there are
    any.
    """

    def __init__(self, error: str, advice: str, also: str = "") -> None:
        super().__init__(error)
        self.error = error
        self.advice = advice
        self.also = also


def describe(error: BaseException) -> str:
    """`Type: message`, or only the type if there is no message. Never raises, and limits the length."""
    name = _type_name(type(error))
    try:
        message = str.__str__(str(error))
    except BaseException:  # a __str__ that fails, or does not return a str
        message = "<its message cannot be shown>"
    return cut(f"{name}: {message}" if message else name)


def cut(text: str) -> str:
    """The text, shortened to the limit for errors."""
    if len(text) <= ERROR_CHARACTERS:
        return text
    return f"{text[:ERROR_CHARACTERS]}… ({len(text) - ERROR_CHARACTERS:,} more characters)"


def failure_payload(
    error: str,
    message: str,
    traceback: str,
    frames: Sequence[tuple[str, int, str]],
    metadata: str,
    recoverable: bool,
    duration_ms: float,
    dropped: int,
) -> str:
    """The result of a failed call as JSON text.

    `message` is for the model. `metadata` is JSON text, so that its numbers stay exact.
    """
    listed = ",".join(
        f'{{"file":{quote(file)},"line":{line},"name":{quote(name)}}}' for file, line, name in frames
    )
    return (
        f'{{"ok":false,"error":{quote(error)},"message":{quote(message)},"traceback":{quote(traceback)},'
        f'"frames":[{listed}],"content":[],"metadata":{quote(metadata)},'
        f'"recoverable":{"true" if recoverable else "false"},"durationMs":{duration_ms:.3f},"outputDropped":{dropped}}}'
    )


def success_payload(parts: Sequence[Part], metadata: str, duration_ms: float, dropped: int) -> str:
    """The result of a successful call as JSON text. `metadata` is JSON text.

    At most one of the parts may be a LongPart. In the JSON, its text is empty, and `longText` is its index. The text
    itself follows after a line feed.
    """
    beside = next((index for index, part in enumerate(parts) if type(part) is not str), None)
    if beside is None:
        return _success(parts, metadata, duration_ms, dropped) + "}"
    before, text, after = parts[beside]
    written = [*parts[:beside], f'{before}""{after}', *parts[beside + 1 :]]
    return f'{_success(written, metadata, duration_ms, dropped)},"longText":{beside}}}\n{text}'


def _success(parts: Sequence[Part], metadata: str, duration_ms: float, dropped: int) -> str:
    return (
        f'{{"ok":true,"content":[{",".join(parts)}],"metadata":{quote(metadata)},'
        f'"durationMs":{duration_ms:.3f},"outputDropped":{dropped}'
    )
