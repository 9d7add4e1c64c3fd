"""The contexts that frameworks pass to a tool beside its arguments."""

from __future__ import annotations

from typing import Any

from ..inert import Inert
from ..unavailable import Unavailable
from .marking import Record


def run_context(call: Any) -> Any:
    """The context of frameworks that pass what the application depends on, such as Pydantic AI."""
    return Record(
        deps=Unavailable("ctx.deps"),
        context=Unavailable("ctx.context"),
        retry=0,
        messages=[],
        tool_name=call.tool,
        tool_call_id=call.id,
        usage=Inert(),
        model=Inert(),
        agent=Inert(),
    )


class State(dict):
    """The state of a session, which lives as long as the interpreter."""

    def to_dict(self) -> dict[str, Any]:
        return dict(self)


def tool_context(call: Any) -> Any:
    """The context of Google ADK, with the state of its session."""
    return Record(
        state=call.memory(State),
        actions=Inert(),
        invocation_id=call.id,
        function_call_id=call.id,
        agent_name="agent",
        session=Inert(),
    )


class _MessageEvent(Inert):
    """The message to which AstrBot answers."""

    message_str = ""

    def plain_result(self, text: Any = "") -> Any:
        return text

    def get_sender_id(self) -> str:
        return "user"

    def get_sender_name(self) -> str:
        return "User"

    async def send(self, *values: Any) -> None:
        """Does nothing: there is no chat."""


def message_event(call: Any) -> Any:
    """The message of AstrBot that a tool answers."""
    return _MessageEvent()


class _AgentState(State):
    """The state of a Strands agent, which is read and written by methods."""

    def get(self, key: Any = None, default: Any = None) -> Any:
        return self.to_dict() if key is None else super().get(key, default)

    def set(self, key: Any, value: Any) -> None:
        self[key] = value

    def delete(self, key: Any) -> None:
        self.pop(key, None)


def _strands_agent(call: Any) -> Any:
    """The agent that runs a tool of Strands, which tools use for its state."""
    return Record(state=call.memory(_AgentState), messages=[], name="agent", model=Inert(), tool_registry=Inert())


def strands_context(call: Any) -> Any:
    """The context of Strands, with its agent."""
    return Record(agent=_strands_agent(call), tool_use={"toolUseId": call.id, "name": call.tool, "input": {}}, invocation_state=call.memory(State))
