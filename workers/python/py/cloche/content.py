"""Writes the result of a call as JSON text: what its handler returned, as content parts, or how it failed."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import NamedTuple

from .display import displayed
from .json_text import encode, quote
from .limits import LONG_TEXT, MEBIBYTE, VALUE_CHARACTERS, WRITTEN_CHARACTERS
from .media import media_type

_JSON_TYPES = frozenset((dict, list, int, float, bool, type(None), tuple))
TEXT_TYPES = ("text/plain", "text/html", "text/markdown")
_BYTES = (bytes, bytearray, memoryview)


class LongPart(NamedTuple):
    """A part whose text is not yet written as JSON: that takes long, so one text of a result is sent beside its JSON."""

    before: str
    text: str
    after: str

    def whole(self) -> str:
        """The part as JSON text."""
        return f"{self.before}{quote(self.text)}{self.after}"


Part = str | LongPart  # a str is JSON text


def write_part(value: object, root: str = "$") -> Part:
    """The content part for one value.

    A str becomes a text part. Bytes, images and figures become image or binary parts, and other objects that can show
    themselves what they show (see `display`). Any other value becomes a JSON part with the text that json.dumps writes. Raises the errors of `json_text.encode`, and ValueError for a value
    beyond the limit.
    """
    if type(value) not in _JSON_TYPES:
        if isinstance(value, str):
            return text_part(value if type(value) is str else str.__str__(value))
        if isinstance(value, _BYTES):
            return data_part(bytes(value))
        if not isinstance(value, (dict, list, tuple, int, float, type)):
            shown = displayed(value)
            if shown:
                return _shown_part(*shown)
    return json_part(encode(value, root))


def _shown_part(media: str, shown: str | bytes) -> Part:
    if isinstance(shown, bytes):
        return data_part(shown, media)
    return json_part(shown) if media == "application/json" else text_part(shown, media)


def text_part(text: str, media: str = "text/plain") -> Part:
    """A text part. `media` is one of TEXT_TYPES."""
    kind = "" if media == "text/plain" else f',"mediaType":{quote(media)}'
    return _make_part('{"type":"text","text":', text, f"{kind}}}")


def json_part(text: str) -> Part:
    """A JSON part; `text` is JSON text."""
    return _make_part('{"type":"json","text":', text, "}")


def data_part(data: bytes, media: str | None = None) -> Part:
    """An image part if the media type is an image's, otherwise a binary part."""
    check_size((len(data) + 2) // 3 * 4)
    return base64_part(base64.b64encode(data).decode("ascii"), media or media_type(data))


def base64_part(text: str, media: str, kind: str | None = None) -> Part:
    """Like `data_part`, for base64 data. `kind` is "image" or "binary" if it is known."""
    kind = kind or ("image" if media.startswith("image/") else "binary")
    return _make_part(f'{{"type":"{kind}","mediaType":{quote(media)},"data":', text, "}")


def check_size(characters: int) -> None:
    """Raises ValueError if a result of this many characters exceeds the limit."""
    if characters > VALUE_CHARACTERS:
        size = f"{characters / MEBIBYTE:,.0f}"
        limit = VALUE_CHARACTERS // MEBIBYTE
        raise ValueError(f"the result is {size} MB, more than the limit of {limit} MB for one value")


def characters_of(parts: list[Part]) -> int:
    """The length of these parts, as far as they are written."""
    return sum(len(part) if type(part) is str else sum(map(len, part)) for part in parts)


def check_written(parts: list[Part]) -> list[Part]:
    """The parts as they are sent: as JSON text, except for the longest LongPart. Raises ValueError if they are too long
    to send: in JSON, a control character takes six characters."""
    long = [part for part in parts if type(part) is not str]
    if len(long) > 1:
        longest = max(long, key=lambda part: len(part.text))
        parts = [part if type(part) is str or part is longest else part.whole() for part in parts]
    characters = characters_of(parts)
    if characters > WRITTEN_CHARACTERS:
        size, limit = characters / MEBIBYTE, WRITTEN_CHARACTERS // MEBIBYTE
        raise ValueError(f"the result takes {size:,.0f} MB written as JSON, more than the limit of {limit} MB")
    return parts


def _make_part(before: str, text: str, after: str) -> Part:
    part = LongPart(before, _check_length(text), after)
    return part if len(text) > LONG_TEXT else part.whole()


def _check_length(text: str) -> str:
    check_size(len(text))
    return text


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
        return _begin_success(parts, metadata, duration_ms, dropped) + "}"
    before, text, after = parts[beside]
    written = [*parts[:beside], f'{before}""{after}', *parts[beside + 1 :]]
    return f'{_begin_success(written, metadata, duration_ms, dropped)},"longText":{beside}}}\n{text}'


def _begin_success(parts: Sequence[Part], metadata: str, duration_ms: float, dropped: int) -> str:
    """The JSON object without its closing brace, since `longText` may follow."""
    return (
        f'{{"ok":true,"content":[{",".join(parts)}],"metadata":{quote(metadata)},'
        f'"durationMs":{duration_ms:.3f},"outputDropped":{dropped}'
    )
