"""Runs the tests of one file in a separate process, so that a tool that hangs or crashes affects nothing else."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from ..judge import judge
from .saved_tests import SavedTest

START_SECONDS = 60.0
# The file that the child process runs: cloche_test.py, which contains all of these modules.
CHILD: list[str] = []


class FileRun:
    """Runs tests of one file, in order, in one fresh interpreter. If that ends, the next test gets a new one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()

    def run(self, test: SavedTest) -> list[str]:
        """The reasons why the test fails; none if it passes."""
        request = {"tool": test.tool, "arguments": test.arguments, "expect": test.expect}
        # The process answers twice: after the import, with the time limit of the tool, and after the call.
        started = self._ask(request, START_SECONDS)
        if started is None:
            return judge(test.expect, self._end_badly("crashed", f"Python exited while importing {test.tool}"))
        if started == "late":
            return judge(test.expect, self._end_badly("timeout", f"the import took longer than {START_SECONDS:.0f} s"))
        limit = float(started["timeout"])
        answer = self._answer(limit)
        if answer is None:
            return judge(test.expect, self._end_badly("crashed", f"Python exited while running {test.tool}"))
        if answer == "late":
            return judge(test.expect, self._end_badly("timeout", f"{test.tool} took longer than {limit:.0f} s"))
        return list(answer["reasons"])

    def close(self) -> None:
        """Ends the process, if one runs."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()

    def _ask(self, request: dict[str, Any], seconds: float) -> Any:
        """Sends a request to the process, which is started if there is none. Returns its answer as `_answer` does."""
        if self._process is None:
            self._start()
        process = self._process
        assert process is not None and process.stdin is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
        except OSError:
            return None
        return self._answer(seconds)

    def _answer(self, seconds: float) -> Any:
        """The next answer; None if the process has ended, and "late" if it takes too long."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return "late"
        return None if line is None else json.loads(line)

    def _end_badly(self, error: str, message: str) -> dict[str, Any]:
        """Ends the process. Returns the outcome of the call that ran in it."""
        self.close()
        return {"resultType": "failure", "error": error, "textResultForLlm": message, "content": []}

    def _start(self) -> None:
        """Starts a process, and a thread that puts the lines of its output into a queue; at the end, None."""
        self._process = process = subprocess.Popen(
            [sys.executable, "-B", *CHILD, "--child", str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._lines = lines = queue.Queue()

        def read() -> None:
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    lines.put(line)
            except ValueError:  # closed meanwhile
                pass
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()
