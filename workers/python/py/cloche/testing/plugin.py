"""The pytest plugin: python3 -m pytest -p cloche_test"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from .running import FileRun
from .saved_tests import SavedTest, read_file


def collect(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The hook pytest_collect_file: the tests of a file; None for a file that has no saved tests."""
    if file_path.suffix != ".json" or file_path.parent.name != "tests":
        return None
    # Projects keep other JSON files there too.
    if '"tool"' not in file_path.read_text(encoding="utf-8", errors="replace"):
        return None
    return SavedTestFile.from_parent(parent, path=file_path)


class Failed(Exception):
    """The reasons why a test fails."""


class SavedTestFile(pytest.File):
    """A file of saved tests, which share one interpreter."""

    def collect(self) -> Iterable[pytest.Item]:
        self.running = FileRun(self.path.parents[1])
        read = read_file(self.path, f"tests/{self.path.name}")
        return list(self._items(read.tests, read.problems))

    def _items(self, tests: list[SavedTest], problems: list[str]) -> Iterator[pytest.Item]:
        for index, problem in enumerate(problems):
            yield ProblemItem.from_parent(self, name=f"problem {index + 1}", problem=problem)
        for test in tests:
            yield SavedTestItem.from_parent(self, name=test.name, test=test)

    def teardown(self) -> None:
        """Ends the interpreter."""
        self.running.close()


class SavedTestItem(pytest.Item):
    """One saved test."""

    def __init__(self, *, test: SavedTest, **given: object) -> None:
        super().__init__(**given)
        self.test = test

    def runtest(self) -> None:
        """Runs the call. Raises Failed with the reasons."""
        reasons = self.parent.running.run(self.test)
        if reasons:
            raise Failed("\n".join(reasons))

    def repr_failure(self, excinfo: pytest.ExceptionInfo, style: object = None) -> object:
        """The reasons alone: a traceback would show this plugin."""
        return str(excinfo.value) if isinstance(excinfo.value, Failed) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.test.tool}: {self.name}"


class ProblemItem(pytest.Item):
    """A problem of the file, which pytest reports as a failed test."""

    def __init__(self, *, problem: str, **given: object) -> None:
        super().__init__(**given)
        self.problem = problem

    def runtest(self) -> None:
        raise Failed(self.problem)

    def repr_failure(self, excinfo: pytest.ExceptionInfo, style: object = None) -> object:
        return str(excinfo.value)
