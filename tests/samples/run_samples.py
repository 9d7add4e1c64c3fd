"""Checks the samples and their recorded calls, also in Pyodide's event loop.

Its last line is `samples (CPython 3.11): N passed, N failed`, as in workers/python/tests/run_tests.py.
"""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import AsyncIterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from folder_checks import CHECKS  # noqa: E402
from play import differences, player, read_calls, recorded_files  # noqa: E402


async def run_in_loop() -> int:
    """Runs every check and every recorded call inside a running event loop; the number that failed."""
    passed = failed = 0
    async for name, fault in _outcomes():
        passed, failed = (passed, failed + 1) if fault else (passed + 1, failed)
        if fault:
            print(f"FAILED {name}\n  {fault}", flush=True)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    python = "Pyodide" if sys.platform == "emscripten" else "CPython"
    print(f"samples ({python} {version}): {passed} passed, {failed} failed", flush=True)
    return failed


async def _outcomes() -> AsyncIterator[tuple[str, str]]:
    for check in CHECKS:
        try:
            await check()
            yield check.__name__, ""
        except TimeoutError:  # the next check would wait as long
            yield check.__name__, traceback.format_exc()
            return
        except Exception:
            yield check.__name__, traceback.format_exc()
    for file in recorded_files():
        with player() as one:
            for call in read_calls(file):
                name = f"{call['tool']} {call['name']}"
                try:
                    outcome = await one.call(call["tool"], call["arguments"])
                    yield name, "\n  ".join(differences(call["expect"], outcome))
                except TimeoutError:
                    yield name, traceback.format_exc()
                    return
                except Exception:
                    yield name, traceback.format_exc()


if __name__ == "__main__":
    sys.exit(min(asyncio.run(run_in_loop()), 100))
