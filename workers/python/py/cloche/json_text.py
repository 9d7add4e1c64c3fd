"""Writes a value as JSON text exactly as `json.dumps(value, ensure_ascii=False)`, and names the place of an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from json import encoder as _json_encoder

from .json_depth import is_plain_and_shallow
from .json_plain import plain_copy

# The function is read once: a tool file that patches the json module affects only its own use of
# it.
quote = _json_encoder.encode_basestring
_make = _json_encoder.c_make_encoder

_Encoder = Callable[[object, int], Iterable[str]]

# The encoder's record of open containers, reused so that it need not be created each time.
_open: dict[int, object] = {}


def encode(value: object, root: str = "$") -> str:
    """The JSON text of `value`.

    Raises TypeError, ValueError or RecursionError with Python's own message and the path of the invalid part: `Object
    of type date is not JSON serializable (at $.when)`. `root` is the start of the path.
    """
    return _write(_lenient, value, root, allow_nan=True)


def encode_strict(value: object, root: str = "$") -> str:
    """Like `encode`, but also rejects NaN and Infinity, which are not JSON."""
    return _write(_strict, value, root, allow_nan=False)


def encode_plain(value: object) -> str:
    """The JSON text of a value that is known to be valid: one made here of checked parts."""
    return "".join(_strict(value, 0))


def _write(encoder: _Encoder, value: object, root: str, allow_nan: bool) -> str:
    """The JSON text, or an error with the path of the invalid part."""
    if type(value) is str:
        return quote(value)
    if not is_plain_and_shallow(value):
        return "".join(encoder(plain_copy(value, root, allow_nan), 0))
    try:
        return "".join(encoder(value, 0))
    except BaseException as error:
        _open.clear()
        if isinstance(error, (TypeError, ValueError)):
            plain_copy(value, root, allow_nan)  # raises the same error, with its place
        raise


def _refuse(value: object) -> object:
    """Raises the error of json.dumps for a value that is not JSON."""
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _encoder(allow_nan: bool) -> _Encoder:
    """A function that yields the JSON text of a value in pieces. The second argument is the indentation at the beginning."""
    if _make is None:
        slow = json.JSONEncoder(ensure_ascii=False, allow_nan=allow_nan, default=_refuse)
        return lambda value, indent: slow.encode(value)
    indent, sort_keys, skip_keys = None, False, False
    return _make(_open, _refuse, quote, indent, ": ", ", ", sort_keys, skip_keys, allow_nan)


_lenient = _encoder(allow_nan=True)
_strict = _encoder(allow_nan=False)
