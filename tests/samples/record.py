"""Records what the samples' calls give: python3 tests/samples/record.py [module …]

Writes `expect` anew into tools-samples/calls/<module>.json, for all modules where none is named. Read the diff before
you commit it: what stands there is what everybody's Python must give from then on.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from play import player, read_calls, recorded_files


def expectation(outcome: dict) -> dict:
    """What is worth comparing of an outcome: of a failure not the text, which names lines of the file."""
    if outcome["resultType"] == "failure":
        kept = {"resultType": "failure", "error": outcome["error"]}
        if outcome["recoverable"]:
            kept["recoverable"] = True
    else:
        kept = {"resultType": "success", "textResultForLlm": outcome["textResultForLlm"]}
        if any("mediaType" in part for part in outcome["content"]):
            kept["content"] = outcome["content"]
    return {**kept, **{key: outcome[key] for key in ("metadata", "updates", "stdout", "log") if outcome[key]}}


async def record(file: Path) -> None:
    calls = read_calls(file)
    with player() as one:
        for call in calls:
            call["expect"] = expectation(await one.call(call["tool"], call["arguments"]))
    file.write_text(json.dumps(calls, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{file.name}: {len(calls)} calls")


def main() -> None:
    wanted = sys.argv[1:]
    for file in recorded_files():
        if not wanted or file.stem in wanted:
            asyncio.run(record(file))


main()
