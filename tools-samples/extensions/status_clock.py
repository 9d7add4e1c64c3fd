"""Shows the time and the number of calls in the status line."""

import asyncio
from datetime import datetime

from cloche import actions

state = {"calls": 0, "runs": False}


def text():
    return f"{datetime.now():%H:%M} · {state['calls']} calls"


def register(app):
    async def tick():
        while True:
            app.set_status("clock", text())
            await asyncio.sleep(10)

    def count(event):
        state["calls"] += 1
        if state["runs"]:
            return actions.set_status("clock", text())
        state["runs"] = True
        return actions.run_async(tick)

    app.register_ext_info(name="Status clock", version="1.0")
    app.register_status_section(key="clock", side="right", order=5)
    app.register_event_handler(name="count calls", filter=lambda e: e["type"] == "call_ended", handle=count)
    app.set_status("clock", text())
