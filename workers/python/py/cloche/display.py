"""Converts objects that can show themselves: data frames, audio, and IPython's HTML, Markdown and JSON."""

from __future__ import annotations

from typing import Any

from .json_text import encode
from .limits import FRAME_CELLS
from .media import picture, shown_bytes

_MISSING = frozenset(("NAType", "NaTType"))
# IPython's media types other than images in the order of preference, with the methods that give them.
_METHODS = (
    ("text/markdown", "_repr_markdown_"),
    ("text/html", "_repr_html_"),
    ("application/json", "_repr_json_"),
)
# The media types that are taken from a bundle, in the order of preference.
_BUNDLED = ("image/png", "image/jpeg", "image/svg+xml", *(media for media, _ in _METHODS))


def displayed(value: Any) -> tuple[str, str | bytes] | None:
    """The media type of an object that can show itself, and its bytes, its text, or its JSON text; None for any other.

    In this order: images (see `media.picture`), data frames as rows (JSON), audio, `_repr_markdown_`, `_repr_html_`,
    `_repr_json_`, `_repr_mimebundle_`. Exceptions of such a method are passed on. Raises ValueError for a data frame
    beyond the limit.
    """
    # Looked up on the type, as Python does for special methods: a Mock, for example, has every attribute.
    kind: Any = type(value)
    shown = picture(value)
    if shown is not None:
        return shown
    rows = _read_rows(value, kind)
    if rows is not None:
        return "application/json", encode(rows)
    if _is_audio(value, kind):
        return str(value.mimetype), bytes(value.data)
    for media, method in _METHODS:
        show = getattr(kind, method, None)
        found = show(value) if callable(show) else None
        if found is not None:
            return _check_shown(media, found)
    bundle = getattr(kind, "_repr_mimebundle_", None)
    found = bundle(value) if callable(bundle) else None
    if isinstance(found, tuple) and found:  # IPython allows (data, metadata)
        found = found[0]
    if isinstance(found, dict):
        for media in _BUNDLED:
            if found.get(media) is not None:
                return _check_shown(media, found[media])
    return None


def _check_shown(media: str, shown: Any) -> tuple[str, str | bytes]:
    """What a `_repr_…_` method has returned, with its media type: bytes of an image, else text. IPython allows a tuple with
    metadata."""
    if media.startswith("image/"):
        return media, shown_bytes(shown, media)
    if isinstance(shown, tuple) and shown:
        shown = shown[0]
    if media == "application/json":
        return media, encode(shown)
    if not isinstance(shown, str):
        raise TypeError(f"{media} must be str, not {type(shown).__name__}")
    return media, str.__str__(shown)


def _is_audio(value: Any, kind: Any) -> bool:
    """Whether it is like IPython's Audio: its bytes are its data, and it shows itself as HTML."""
    if not callable(getattr(kind, "_repr_html_", None)):
        return False
    media, data = getattr(value, "mimetype", None), getattr(value, "data", None)
    return isinstance(media, str) and media.startswith("audio/") and isinstance(data, (bytes, bytearray))


def _read_rows(value: Any, kind: Any) -> list[dict[str, Any]] | None:
    """The rows of a data frame such as that of pandas or polars, which is recognised by its methods."""
    if not hasattr(kind, "columns") or not callable(getattr(kind, "_repr_html_", None)):
        return None
    to_dicts, to_dict = getattr(kind, "to_dicts", None), getattr(kind, "to_dict", None)
    if not callable(to_dicts) and not callable(to_dict):
        return None
    count, width = len(value), len(value.columns)
    if count * width > FRAME_CELLS:
        raise ValueError(
            f"the data frame has {count * width:,} cells, more than the limit of {FRAME_CELLS:,}; return a part of it"
        )
    if callable(to_dicts):
        rows = to_dicts(value)
    else:
        # An index that is more than row numbers is data.
        named = type(getattr(value, "index", None)).__name__ not in ("RangeIndex", "NoneType")
        frame = value.reset_index() if named and callable(getattr(kind, "reset_index", None)) else value
        rows = to_dict(frame, "records")
    return [{str(column): _read_cell(cell) for column, cell in row.items()} for row in rows]


def _read_cell(cell: Any) -> Any:
    """A cell as a JSON value: NaN and the like are missing, dates are ISO text, what JSON lacks is Python's text."""
    if cell is None or isinstance(cell, (str, bool, int, dict, list, tuple)):
        return cell
    if type(cell).__name__ in _MISSING:
        return None
    if isinstance(cell, float):
        is_finite = cell - cell == 0
        return float(cell) if is_finite else None
    if callable(getattr(type(cell), "isoformat", None)):
        return str(cell.isoformat())
    if callable(getattr(type(cell), "item", None)) and not hasattr(type(cell), "__iter__"):
        return _read_cell(cell.item())  # a number of NumPy
    return str(cell)
