"""Reads the blocks that a renderer returns: the only things that it can show."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from .json_text import encode_strict
from .limits import BLOCK_CHARACTERS, BLOCK_ROWS, BLOCKS, IMAGE_BLOCK_CHARACTERS
from .media import media_type

_CELL = (str, int, float, bool, type(None))


def read_blocks(returned: object) -> object:
    """The blocks as plain data. Raises TypeError or ValueError if they are none."""
    if isinstance(returned, (str, dict)):
        returned = [returned]
    if not isinstance(returned, (list, tuple)):
        raise TypeError(f"render must return a list of blocks, not {type(returned).__name__}")
    if len(returned) > BLOCKS:
        raise ValueError(f"render returned {len(returned):,} blocks, more than the limit of {BLOCKS}")
    return [_read_block(one) for one in returned]


def _read_block(one: object) -> dict[str, object]:
    if isinstance(one, str):
        one = {"type": "text", "text": one}
    if not isinstance(one, dict):
        raise TypeError(f"a block must be a dict, not {type(one).__name__}")
    kind = one.get("type")
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        raise ValueError(f'the "type" of a block is one of {", ".join(_READERS)}, not {kind!r}'[:200])
    return {"type": kind, **read(one)}


def _read_words(block: dict[str, Any], key: str, default: str | None = None) -> str:
    text = block.get(key, default)
    if not isinstance(text, str):
        raise TypeError(f'the "{key}" of a block must be str, not {type(text).__name__}')
    if len(text) > BLOCK_CHARACTERS:
        raise ValueError(f'the "{key}" of a block has more than {BLOCK_CHARACTERS:,} characters')
    return str.__str__(text)


def _read_text(block: dict[str, Any]) -> dict[str, object]:
    return {"text": _read_words(block, "text")}


def _read_code(block: dict[str, Any]) -> dict[str, object]:
    return {"text": _read_words(block, "text", block.get("code")), "language": _read_words(block, "language", "")}


def _read_table(block: dict[str, Any]) -> dict[str, object]:
    columns, rows = block.get("columns", []), block.get("rows", [])
    if not isinstance(columns, (list, tuple)) or not isinstance(rows, (list, tuple)):
        raise TypeError('a table has "columns" and "rows", which are lists')
    if len(rows) > BLOCK_ROWS or len(columns) > 100:
        raise ValueError(f"a table has at most {BLOCK_ROWS:,} rows and 100 columns")
    return {"columns": [str(one)[:1_000] for one in columns], "rows": [_read_row(row) for row in rows]}


def _read_row(row: object) -> list[object]:
    if not isinstance(row, (list, tuple)) or len(row) > 100:
        raise TypeError("each row of a table must be a list of at most 100 values")
    cells: list[object] = []
    for cell in row:
        if isinstance(cell, str):
            cells.append(str.__str__(cell)[:1_000])
        else:
            cells.append(cell if isinstance(cell, _CELL) else str(cell))
    return cells


def _read_image(block: dict[str, Any]) -> dict[str, object]:
    data = block.get("data")
    if isinstance(data, (bytes, bytearray, memoryview)):
        raw = bytes(data)
        media = block.get("media_type") or media_type(raw)
        data = base64.b64encode(raw).decode("ascii")
    else:
        media = block.get("media_type")
    if not isinstance(data, str) or not isinstance(media, str) or not media.startswith("image/"):
        raise TypeError('an image has "data", which is bytes or base64, and the "media_type" of an image')
    if len(data) > IMAGE_BLOCK_CHARACTERS:
        raise ValueError("an image is larger than the limit of 3 MB")
    return {"data": data, "media_type": media, "alt": _read_words(block, "alt", "")}


def _read_json(block: dict[str, Any]) -> dict[str, object]:
    text = encode_strict(block.get("value", block.get("data")), "value")
    if len(text) > BLOCK_CHARACTERS:
        raise ValueError(f"a json block has more than {BLOCK_CHARACTERS:,} characters")
    return {"text": text}


def _read_link(block: dict[str, Any]) -> dict[str, object]:
    url = _read_words(block, "url", block.get("href"))
    if not url.startswith(("https://", "http://")):
        raise ValueError("a link goes to an address that begins with https:// or http://")
    return {"url": url[:2_000], "text": _read_words(block, "text", url)}


_READERS: dict[str, Callable[[dict[str, Any]], dict[str, object]]] = {
    "text": _read_text,
    "markdown": _read_text,
    "code": _read_code,
    "table": _read_table,
    "image": _read_image,
    "json": _read_json,
    "link": _read_link,
}
