"""Runs the saved tests of a Cloche tools folder under ordinary Python. Needs neither Cloche nor packages.

    python3 cloche_test.py FOLDER            runs tests/*.json of the folder; exits with 0, 1 or 2
    python3 -m pytest -p cloche_test FOLDER  the same in pytest, from the folder with this file
    from cloche_test import mock_app, mock_context, mock_tool   for your own tests

Needs Python 3.10 or later. Cloche's build generates this file from the modules that also run tools in the browser.
"""

from __future__ import annotations

from packed_head import _HERE, Any, os, sys  # the build puts that file here

from _cloche.testing import running  # noqa: E402
from _cloche.testing.mock_app import MockApp, Refused, mock_app  # noqa: E402
from _cloche.testing.mocks import MockContext, MockTool, mock_context, mock_tool  # noqa: E402

__all__ = ["MockApp", "MockContext", "MockTool", "Refused", "mock_app", "mock_context", "mock_tool"]
running.CHILD[:] = [_HERE]  # tests run in child processes, which start this file


def pytest_collect_file(file_path: Any, parent: Any) -> Any:
    """Collects tests/*.json for pytest."""
    from _cloche.testing.plugin import collect

    return collect(file_path, parent)


if __name__ == "__main__":
    from _cloche.testing.command import main

    # This file's folder must not come before the tools folder.
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != os.path.dirname(_HERE)]
    sys.exit(main(sys.argv[1:]))
