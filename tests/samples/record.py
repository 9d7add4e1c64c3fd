"""Records the results of the samples' calls: python3 tests/samples/record.py [module …]

Writes `expect` in tools-samples/calls/<module>.json again, for all modules by default. Read the diff before you
commit it: from then on, every Python must return these results.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from play import player, read_calls, recorded_files


def expectation(outcome: dict) -> dict:
    """The parts of an outcome to compare: for a failure not the text, which contains line numbers."""
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
