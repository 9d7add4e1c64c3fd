"""A call context for testing tools under any Python."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

from .approval import approval_question
from .call_output import check_level
from .context import CallContext, make_context
from .explicit import ToolError, ToolResult
from .json_text import encode

__all__ = ["MockContext", "ToolError", "ToolResult"]


class MockContext(CallContext):
    """A call context without a caller: it records what the tool does, and answers with given values.

    Keyword arguments set other values for its keys. `approvals` are the answers to `approve`, in order, and True after
    that. If no event loop runs, `approve` returns True or False, as in a plain handler; otherwise it returns an
    awaitable.

    >>> def greet(name, context):
    ...     context.update({"step": 1})
    ...     context.log(f"greeting {name}")
    ...     return f"Hello from {context['session_id']}, {name}"
    >>> context = MockContext(session_id="s1")
    >>> greet("Ada", context)
    'Hello from s1, Ada'
    >>> context.updates
    [{'step': 1}]
    >>> context.logs
    [('info', 'greeting Ada')]
    """

    __slots__ = ("updates", "logs", "questions", "_approvals")

    def __init__(self, *, approvals: tuple[bool, ...] | list[bool] = (), **values: object) -> None:
        self.updates: list[object] = []
        self.logs: list[tuple[str, str]] = []
        self.questions: list[tuple[str, object]] = []
        self._approvals = list(approvals)
        super().__init__(make_context({}, "", self._update, self._log, self._approve))
        unknown = values.keys() - self.keys()
        if unknown:
            raise TypeError(
                f"the call context has no {', '.join(sorted(unknown))}; it has: {', '.join(self)}"
            )
        dict.update(self, values)

    def _update(self, value: object) -> None:
        encode(value)  # raises as a real call does
        self.updates.append(value)

    def _log(self, message: object, level: str = "info") -> None:
        check_level(level)
        self.logs.append((level, str(message)))

    def _approve(self, question: str, details: object = None) -> bool | Answer:
        approval_question(question, details)  # raises as a real call does
        self.questions.append((question, details))
        allowed = bool(self._approvals.pop(0)) if self._approvals else True
        return Answer(allowed) if _in_event_loop() else allowed


class Answer:
    """An answer that is available at once, for `if await context.approve(…)`.

    It works without `await` too, because an asynchronous test may call a plain handler.
    """

    def __init__(self, allowed: bool) -> None:
        self._allowed = allowed

    def __bool__(self) -> bool:
        return self._allowed

    def __await__(self) -> Generator[None, None, bool]:
        yield from ()
        return self._allowed


def _in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
