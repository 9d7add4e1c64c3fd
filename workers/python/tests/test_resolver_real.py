"""METADATA of real packages, shortened: requests with its dependencies, and prettytable."""

import json
from pathlib import Path

from .packages import ENVIRONMENT, Index, ResolverCase, tool

REAL = json.loads((Path(__file__).parent / "real_metadata.json").read_text("utf-8"))
WHEELS = [{"from": "folder", "filename": name, "metadata": text, "depends": None} for name, text in REAL.items()]
REQUESTS = ["certifi", "charset-normalizer", "idna", "requests", "six", "urllib3"]


class RealTest(ResolverCase):
    def test_requests_from_the_folder(self):
        chosen = self.chosen({"weather.py": tool("requests>=2.28,<3", python=">=3.11")}, *WHEELS)
        self.assertEqual([one.split()[0] for one in chosen], REQUESTS)

    def test_requests_from_the_index(self):
        index = Index(*WHEELS)
        chosen = self.chosen({"weather.py": tool("requests"), "table.py": tool("prettytable")}, index=index)
        self.assertEqual([one.split()[0] for one in chosen], sorted([*REQUESTS, "prettytable", "wcwidth"]))
        self.assertEqual(len(index.rounds), 6)

    def test_one_that_is_missing(self):
        wheels = [one for one in WHEELS if not one["filename"].startswith("idna")]
        reported = self.reported({"weather.py": tool("requests"), "table.py": tool("prettytable")}, *wheels)
        self.assertEqual(reported[:3], ("package-not-allowed", "weather.py", 3))
        self.assertIn('"idna<4,>=2.5" (requests 2.28.1 needs it) is not in the folder wheels/', reported[3])

    def test_extras_and_their_markers(self):
        reported = self.reported({"a.py": tool("requests[socks]")}, *WHEELS)
        self.assertIn('"PySocks!=1.5.7,>=1.5.6" (requests 2.28.1 needs it)', reported[3])
        for implementation, needed in (("CPython", "brotli>=1.0.9"), ("PyPy", "brotlicffi>=0.8.0")):
            environment = {**ENVIRONMENT, "platform_python_implementation": implementation}
            reported = self.reported({"a.py": tool("urllib3[brotli]")}, *WHEELS, environment=environment)
            self.assertIn(f'"{needed}" (urllib3 1.26.12 needs it)', reported[3])

    def test_a_python_that_is_too_old(self):
        environment = {**ENVIRONMENT, "python_full_version": "3.6.1", "python_version": "3.6"}
        reported = self.reported({"a.py": tool("requests")}, *WHEELS, environment=environment, index=Index())
        self.assertEqual(
            reported[3], '"requests" does not run on Python 3.6.1: requests-2.28.1-py3-none-any.whl needs Python <4,>=3.7'
        )
