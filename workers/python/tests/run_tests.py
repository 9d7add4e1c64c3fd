"""Runs all tests, also in Pyodide's event loop; its last line is `python (CPython 3.11): N passed, N failed`."""

from __future__ import annotations

import inspect
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """Runs the tests as `python -m unittest` does; the number that failed."""
    result = unittest.TextTestRunner(stream=sys.stderr, verbosity=1).run(_suite())
    return _summarise(result)


async def run_in_loop() -> int:
    """Runs the tests inside a running event loop, where asynchronous ones can only be awaited."""
    runner = unittest.TextTestRunner(stream=sys.stderr, verbosity=1)
    result = runner._makeResult()
    for case in _cases(_suite()):
        method = getattr(case, case._testMethodName)
        if inspect.iscoroutinefunction(method):
            await _run_asynchronous(case, method, result)
        else:
            case.run(result)
    result.printErrors()
    return _summarise(result)


async def _run_asynchronous(case: unittest.TestCase, method, result: unittest.TestResult) -> None:
    result.startTest(case)
    try:
        case.setUp()
        await method()
        case.tearDown()
    except case.failureException:
        result.addFailure(case, sys.exc_info())
    except BaseException:
        result.addError(case, sys.exc_info())
    else:
        result.addSuccess(case)
    finally:
        case.doCleanups()
        result.stopTest(case)


def _suite() -> unittest.TestSuite:
    sys.path.insert(0, str(HERE.parent))
    return unittest.defaultTestLoader.discover(str(HERE), top_level_dir=str(HERE.parent))


def _cases(suite: unittest.TestSuite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from _cases(one)
        else:
            yield one


def _summarise(result: unittest.TestResult) -> int:
    # A skipped test has not run.
    failed = len(result.failures) + len(result.errors) + len(result.skipped) + len(result.unexpectedSuccesses)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    name = "Pyodide" if sys.platform == "emscripten" else "CPython"
    print(f"python ({name} {version}): {result.testsRun - failed} passed, {failed} failed", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(min(main(), 100))
