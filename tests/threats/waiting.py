"""A tool that takes as long as it is told."""

import asyncio

async def wait(seconds):
    await asyncio.sleep(seconds)
    return "waited"

TOOL_SPECS = [{
    "name": "waiting:wait",
    "description": "Waits.",
    "parameters": {"type": "object", "properties": {"seconds": {"type": "number"}}},
    "handler": wait,
}]
