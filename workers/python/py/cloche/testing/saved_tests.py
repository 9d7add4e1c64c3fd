"""Reads the saved tests of a tools folder: tests/*.json."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from ..schema_check import schema_faults
from .file_schema import FILE_SCHEMA

FILE_BYTES = 2_000_000
TESTS = 2_000


class SavedTest(NamedTuple):
    """One test. `file` is relative to the tools folder; `index` is its place in the file."""

    file: str
    index: int
    name: str
    tool: str
    arguments: dict[str, Any]
    expect: dict[str, Any] | None


class TestFile(NamedTuple):
    """The usable tests of one file, and what is wrong with the rest."""

    file: str
    tests: list[SavedTest]
    problems: list[str]


def read_folder(folder: Path, tests: str = "tests") -> list[TestFile]:
    """The test files of a tools folder, in the order of their names. `tests` is the subfolder that has them."""
    left = TESTS
    files: list[TestFile] = []
    for path in sorted((folder / tests).glob("*.json")):
        if path.name.startswith(".") or not path.is_file():
            continue
        read = read_file(path, f"{tests}/{path.name}")
        if len(read.tests) > left:
            read.problems.append(f"a folder can have at most {TESTS:,} tests; {len(read.tests) - left:,} more are ignored")
            del read.tests[left:]
        left -= len(read.tests)
        files.append(read)
    return files


def read_file(path: Path, file: str) -> TestFile:
    """The tests of one file. Never raises because of what is in it."""
    try:
        if path.stat().st_size > FILE_BYTES:
            return TestFile(file, [], [f"the file is larger than {FILE_BYTES // 1_000_000} MB"])
        text = path.read_text(encoding="utf-8-sig")
        items = json.loads(text, parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        return TestFile(file, [], ["the file is not UTF-8"])
    except (OSError, ValueError) as error:
        return TestFile(file, [], [f"the file is not JSON: {error}"])
    except RecursionError:
        return TestFile(file, [], ["the file is nested too deeply"])
    if not isinstance(items, list):
        return TestFile(file, [], ["the file is not a JSON array of tests"])
    return _read_tests(file, items)


def _read_tests(file: str, items: list[Any]) -> TestFile:
    """The tests among the items of a file, and what is wrong with the others."""
    tests: list[SavedTest] = []
    problems: list[str] = []
    for index, item in enumerate(items):
        faults = schema_faults(FILE_SCHEMA["items"], item)
        if faults:
            # In a fault's path, `$` stands for the item, which is `$[index]` in the file.
            problems += [f"$[{index}]{path[1:]} {message}" for path, message in faults[:5]]
            continue
        name = item.get("name") or f"test {index + 1}"
        tests.append(SavedTest(file, index, name, item["tool"], item.get("arguments", {}), item.get("expect")))
    return TestFile(file, tests, problems)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def one_line(text: str) -> str:
    """The text with line breaks and other control characters as spaces."""
    return re.sub(r"[\x00-\x1f\x7f]+", " ", text)
