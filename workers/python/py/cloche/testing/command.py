"""The command: python3 cloche_test.py FOLDER"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .child import main as child
from .running import FileRun
from .saved_tests import TestFile, one_line, read_folder

PASSED, FAILED, UNUSABLE = 0, 1, 2


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit code."""
    if arguments[:1] == ["--child"]:
        child(arguments[1])
        return PASSED
    options = _parser().parse_args(arguments)
    folder = Path(options.folder).resolve()
    if not folder.is_dir():
        return _reject(f"{options.folder} is not a folder.")
    files = read_folder(folder, options.tests)
    if not any(one.tests or one.problems for one in files):
        return _reject(f"No tests found in {options.folder}: there are none in {options.tests}/*.json.")
    passed = failed = 0
    for one in files:
        for problem in one.problems:
            failed += 1
            print(f"FAILED {one.file}: {one_line(problem)}", flush=True)
        did, did_not = _run(folder, one, options.match, options.verbose)
        passed, failed = passed + did, failed + did_not
    print(f"{passed} passed, {failed} failed", flush=True)
    return FAILED if failed else PASSED


def _run(folder: Path, file: TestFile, match: str, verbose: bool) -> tuple[int, int]:
    passed = failed = 0
    run = FileRun(folder)
    try:
        for test in file.tests:
            if match not in f"{test.file} {test.tool} {test.name}":
                continue
            title = one_line(f"{test.file}: {test.name} ({test.tool})")
            reasons = run.run(test)
            if reasons:
                failed += 1
                print(f"FAILED {title}: {one_line('; '.join(reasons))}", flush=True)
            else:
                passed += 1
                if verbose:
                    print(f"passed {title}", flush=True)
    finally:
        run.close()
    return passed, failed


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cloche_test.py",
        description="Runs the saved tests of a tools folder. Exits with 0 if all pass, 1 if any fails, 2 if there are none.",
    )
    parser.add_argument("folder", nargs="?", default=".", help="the tools folder; by default the current folder")
    parser.add_argument("--tests", default="tests", metavar="SUBFOLDER", help="where the tests are; by default tests")
    parser.add_argument("-k", dest="match", default="", metavar="TEXT", help="only tests whose file, tool or name contains this")
    parser.add_argument("-v", dest="verbose", action="store_true", help="also list tests that pass")
    return parser


def _reject(message: str) -> int:
    """Says why no test can run. Returns the exit code."""
    print(message, file=sys.stderr)
    return UNUSABLE
