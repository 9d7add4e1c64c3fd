"""
title: Reading time
description: Tools for Open WebUI: public methods of a class, with settings that a user can change.
version: 1.0.0
"""

from typing import Any, Awaitable, Callable

from pydantic import BaseModel, Field


class Tools:
    class Valves(BaseModel):
        words_per_minute: int = Field(default=230, description="Reading speed in words per minute")

    def __init__(self):
        self.valves = self.Valves()

    async def reading_time(
        self,
        text: str,
        __event_emitter__: Callable[[dict], Awaitable[Any]] | None = None,
    ) -> str:
        """
        Estimate how long a text takes to read.
        :param text: The text, as plain text or Markdown.
        """
        words = len(text.split())
        if __event_emitter__:
            await __event_emitter__(
                {"type": "status", "data": {"description": f"Counted {words} words", "done": True}}
            )
        minutes, seconds = divmod(round(words / self.valves.words_per_minute * 60), 60)
        return f"{minutes} min {seconds} s for {words} words"
