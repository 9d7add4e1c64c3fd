"""Converts a handler's return value into content parts, already written as JSON text."""

from __future__ import annotations

import base64

from .display import displayed
from .json_text import encode, quote
from .limits import MEBIBYTE, VALUE_CHARACTERS, WRITTEN_CHARACTERS
from .media import media_type

_JSON_TYPES = frozenset((dict, list, int, float, bool, type(None), tuple))
TEXT_TYPES = ("text/plain", "text/html", "text/markdown")
_BYTES = (bytes, bytearray, memoryview)


def write_part(value: object, root: str = "$") -> str:
    """The content part for one value, as JSON text.

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


def _shown_part(media: str, shown: str | bytes) -> str:
    if isinstance(shown, bytes):
        return data_part(shown, media)
    return json_part(shown) if media == "application/json" else text_part(shown, media)


def text_part(text: str, media: str = "text/plain") -> str:
    """A text part. `media` is one of TEXT_TYPES."""
    kind = "" if media == "text/plain" else f',"mediaType":{quote(media)}'
    return f'{{"type":"text","text":{quote(_within_limit(text))}{kind}}}'


def json_part(text: str) -> str:
    """A JSON part; `text` is JSON text."""
    return f'{{"type":"json","text":{quote(_within_limit(text))}}}'


def data_part(data: bytes, media: str | None = None) -> str:
    """An image part if the media type is an image's, otherwise a binary part."""
    check_size((len(data) + 2) // 3 * 4)
    return base64_part(base64.b64encode(data).decode("ascii"), media or media_type(data))


def base64_part(text: str, media: str, kind: str | None = None) -> str:
    """Like `data_part`, for base64 data. `kind` is "image" or "binary" if it is known."""
    kind = kind or ("image" if media.startswith("image/") else "binary")
    return f'{{"type":"{kind}","mediaType":{quote(media)},"data":{quote(_within_limit(text))}}}'


def check_size(characters: int) -> None:
    """Raises ValueError if a result of this many characters exceeds the limit."""
    if characters > VALUE_CHARACTERS:
        size = f"{characters / MEBIBYTE:,.0f}"
        limit = VALUE_CHARACTERS // MEBIBYTE
        raise ValueError(f"the result is {size} MB, more than the limit of {limit} MB for one value")


def check_written(parts: list[str]) -> None:
    """Raises ValueError if the JSON text of these parts is too long to send: a control character takes six
    characters."""
    characters = sum(map(len, parts))
    if characters > WRITTEN_CHARACTERS:
        size, limit = characters / MEBIBYTE, WRITTEN_CHARACTERS // MEBIBYTE
        raise ValueError(f"the result takes {size:,.0f} MB written as JSON, more than the limit of {limit} MB")


def _within_limit(text: str) -> str:
    check_size(len(text))
    return text
