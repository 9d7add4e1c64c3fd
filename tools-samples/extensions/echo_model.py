"""A model that repeats what you write, for trying things out without a key. “call files:read {"path": "a"}” calls a tool."""

import asyncio
import json
import re

CALL = re.compile(r"call\s+(\S+)\s*(\{.*\})?\s*$", re.DOTALL)


def last_of(request):
    """The last message of the conversation."""
    return request["messages"][-1] if request["messages"] else {"role": "user", "content": ""}


def factory(model):
    """The function that answers requests to one of the models."""

    async def answer(request):
        message = last_of(request)
        text = message["content"]
        call = CALL.search(text) if message["role"] == "user" else None
        yield {"type": "reasoning", "text": f"The last message is from the {message['role']}."}
        if call:
            yield {"type": "tool_call", "name": call[1], "arguments": json.loads(call[2] or "{}")}
        else:
            if model == "loud":
                text = text.upper()
            for word in re.findall(r"\S+\s*|\s+", f"Echo: {text}"):
                yield {"type": "text", "text": word}
                await asyncio.sleep(0.01)
        characters = sum(len(one["content"]) for one in request["messages"])
        yield {"type": "usage", "input": characters // 4, "output": len(text) // 4}

    return answer


def register(app):
    app.register_ext_info(name="Echo model", version="1.0")
    app.register_stream_provider("echo", factory)
    app.register_provider(
        "Echo",
        api="echo",
        models=[{"id": "echo", "name": "Echo", "context": 100_000}, {"id": "loud", "name": "Echo, loud"}],
    )
