"""The call context: identifies the caller, and lets a handler stream updates, log, ask and build results."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from .explicit import error, result


class CallContext(dict):
    """A dict whose keys are also attributes: `context["session_id"]`, `context.session_id`.

    Keys: session_id, session_key, turn_id, call_id, agent_id, tool (str, empty if there is none), workspace_path (str
    or None), sandbox (the current policy, read-only), cancelled (bool), metadata (a dict that is returned with the
    result), and the functions update(value), log(message, level="info"), approve(question, details=None),
    result(parts, metadata=None), error(message, recoverable=False).
    """

    __slots__ = ()

    @property
    def update(self) -> Callable[[object], None]:  # type: ignore[override]
        """Streams an update; hides dict.update."""
        return self["update"]

    def __getattr__(self, name: str) -> object:
        try:
            return self[name]
        except KeyError:
            known = ", ".join(self)
            raise AttributeError(f"the call context has no {name!r}; it has: {known}") from None


def make_context(
    given: dict[str, object],
    tool: str,
    update: Callable[[object], None],
    log: Callable[..., None],
    approve: Callable[..., object],
) -> CallContext:
    """The context of one call. `given` holds the caller's identity, `workspace_path` and `sandbox`; each has a
    default."""
    sandbox = given.get("sandbox")
    return CallContext(
        session_id=_text(given.get("session_id")),
        session_key=_text(given.get("session_key")),
        turn_id=_text(given.get("turn_id")),
        call_id=_text(given.get("call_id")),
        agent_id=_text(given.get("agent_id")),
        tool=tool,
        workspace_path=given.get("workspace_path"),
        sandbox=MappingProxyType(sandbox if isinstance(sandbox, dict) else {}),
        cancelled=False,
        update=update,
        log=log,
        approve=approve,
        metadata={},
        result=result,
        error=error,
    )


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if type(value) is str else str(value)
