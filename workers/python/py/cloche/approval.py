"""`context.approve`: asks the user, in plain and in asynchronous handlers."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from .asking import ask, ask_and_wait
from .json_text import encode_strict

QUESTION_CHARACTERS = 2_000
DETAILS_CHARACTERS = 20_000
_INSTEAD = "make the handler `async def` and write `await context.approve(…)`"


def approve_and_wait(question: str, details: object = None) -> bool:
    """Asks the user and waits for the answer: True if approved.

    `question` is text of at most 2,000 characters, `details` any JSON value of at most 20,000. Raises TypeError or
    ValueError for other values, and RuntimeError if a plain function cannot wait here.
    """
    return _is_yes(ask_and_wait(approval_question(question, details), _INSTEAD))


class Approval:
    """The return value of `context.approve` in an asynchronous handler: await it to get True or False."""

    __slots__ = ("_asked",)

    def __init__(self, question: str, details: object = None) -> None:
        self._asked = approval_question(question, details)

    def __await__(self) -> Generator[Any, None, bool]:
        return _is_yes((yield from ask(self._asked).__await__()))

    def __bool__(self) -> bool:
        raise RuntimeError("the user has not been asked yet: write `await context.approve(…)`")


def approval_question(question: str, details: object) -> dict[str, object]:
    """The message that asks the page. Raises TypeError or ValueError for an invalid question."""
    if not isinstance(question, str):
        raise TypeError(f"question must be str, not {type(question).__name__}")
    if not question.strip():
        raise ValueError("question must not be empty")
    if len(question) > QUESTION_CHARACTERS:
        raise ValueError(f"question has {len(question):,} characters, more than {QUESTION_CHARACTERS:,}")
    text = None if details is None else encode_strict(details, "details")
    if text is not None and len(text) > DETAILS_CHARACTERS:
        raise ValueError(f"details have {len(text):,} characters, more than {DETAILS_CHARACTERS:,}")
    return {"ask": "approve", "question": str.__str__(question), "details": text}


def _is_yes(answer: Any) -> bool:
    return answer["approved"] is True
