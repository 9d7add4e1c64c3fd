"""A CrewAI tool: a class with a model of its arguments."""

import json
from typing import Type

from crewai.tools import BaseTool
from pydantic import BaseModel, Field


class DifferenceInput(BaseModel):
    before: str = Field(description="JSON text")
    after: str = Field(description="JSON text")
    max_paths: int = Field(default=20, ge=1, le=200, description="Limit of the list")


class JsonDifference(BaseTool):
    name: str = "JSON difference"
    description: str = "Lists the paths at which two JSON texts differ."
    args_schema: Type[BaseModel] = DifferenceInput

    def _run(self, before: str, after: str, max_paths: int = 20) -> list[str]:
        found: list[str] = []
        compare("$", json.loads(before), json.loads(after), found)
        return found[:max_paths]


def compare(path: str, before: object, after: object, found: list[str]) -> None:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            if key not in before or key not in after:
                found.append(f"{path}.{key}: {'added' if key in after else 'removed'}")
            else:
                compare(f"{path}.{key}", before[key], after[key], found)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, pair in enumerate(zip(before, after)):
            compare(f"{path}[{index}]", *pair, found)
    elif before != after or type(before) is not type(after):
        found.append(f"{path}: {json.dumps(before)} → {json.dumps(after)}")


json_difference = JsonDifference()
