"""Formats failures: an exception as `Type: message`, within a limit."""

from __future__ import annotations

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
