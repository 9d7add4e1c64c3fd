"""Malicious or excessive requests: the resolver ends soon, with a clear problem."""

import time
from unittest.mock import patch

from .packages import ResolverCase, listed, metadata, tool, wheel

TIMES = 2_000  # times the piece of work below; the slowest of these takes about a tenth of it


def pace() -> float:
    """Number of seconds that this machine needs for a fixed piece of work at its current load."""
    start = time.process_time()
    sum(number * number for number in range(100_000))
    return time.process_time() - start


# The limit in steps decides, so that a busy machine finds the same problems.
@patch("cloche_resolver.budget.SECONDS", 600.0)
class LimitsTest(ResolverCase):
    def setUp(self):
        self._pace = pace()
        self._start = time.process_time()  # other processes are not counted, except in Pyodide

    def tearDown(self):
        took = time.process_time() - self._start
        self.assertLess(took, TIMES * max(self._pace, pace()))

    def codes(self, sources, *wheels, **more) -> list[tuple[str, str]]:
        answer = self.ask(sources, *wheels, **more)
        return [(one["file"], one["code"]) for one in answer["problems"]]

    def test_ten_thousand_requirements(self):
        names = [f"p{n}" for n in range(10_000)]
        problems = self.codes({"requirements.txt": "\n".join(names)})
        self.assertEqual(len(problems), 301)
        self.assertEqual(problems.count(("requirements.txt", "package-limit")), 1)
        self.assertEqual(self.codes({"a.py": tool(*names)}), [("a.py", "bad-metadata-block")])
        self.assertEqual(self.codes({"a.py": tool(*names[:301])}), [("a.py", "package-limit")])
        self.assertEqual(len(self.codes({"requirements.txt": "\n".join(f"{one} >> 1" for one in names)})), 50)

    def test_many_files_with_many_requirements(self):
        wheels = [wheel(f"p{n}", "1") for n in range(300)]
        sources = {f"f{n:02}.py": tool(*(f"p{m}" for m in range(100))) for n in range(20)}
        problems = self.codes(sources, *wheels)
        self.assertEqual(problems, [(f"f{n}.py", "package-limit") for n in range(10, 20)])

    def test_texts_without_end(self):
        million = 1_000_000
        sources = {
            "a.py": '# /// script\n# dependencies = ["' + "x" * million + '"]\n# ///\n',
            "b.py": "# /// script\n" * 80_000,
            "c.py": "# /// script\n# a = " + "[" * 40_000 + "\n# ///\n",
            "d.py": "# /// script\n" + "# x\n" * 200_000,
            "e.py": tool("x; " + "(" * 900 + 'python_version > "3"' + ")" * 900),
            "requirements.txt": "\n".join(
                ["y" * million, "y " + " " * million + "x", "y" + " -" * million, "y\\\n" * 100_000, "z==" + "9" * 1_500]
            ),
        }
        self.assertEqual(
            sorted(set(self.codes(sources))),
            [
                ("a.py", "bad-metadata-block"),
                ("b.py", "bad-metadata-block"),
                ("c.py", "bad-metadata-block"),
                ("d.py", "bad-metadata-block"),
                ("e.py", "bad-requirement"),
                ("requirements.txt", "bad-requirement"),
                ("requirements.txt", "package-not-allowed"),
            ],
        )

    def test_metadata_without_end(self):
        good = wheel("one", "1.0")
        long = {**good, "metadata": good["metadata"] + "about it\n" * 1_200_000}
        self.assertEqual(self.chosen({"a.py": tool("one")}, long), ["one 1.0 folder"])
        for more in ("A: b\n" * 2_000_000, "Requires-Dist: x\n" * 20_000, "Requires-Dist: x" + "\n x" * 200_000):
            bad = {**good, "metadata": "Name: one\nVersion: 1.0\n" + more}
            self.assertEqual(self.codes({"a.py": tool("one")}, bad), [("a.py", "package-not-allowed")])

    def test_versions_that_are_absurd(self):
        wheels = [wheel("one", "1"), wheel("one", "9" * 100), {**wheel("one", "1"), "filename": f"one-{'9' * 5_000}-py3-none-any.whl"}]
        wheels.append({**wheel("two", "1"), "metadata": metadata("two", "9" * 5_000)})
        sources = {"a.py": tool("one<2", "one>=" + "0" * 1_900), "b.py": tool("one>" + "8" * 1_900), "c.py": tool("two")}
        self.assertEqual(
            [code for _, code in self.codes(sources, *wheels)], ["package-not-allowed", "package-not-allowed", "bad-wheel"]
        )

    def test_a_long_chain(self):
        chain = [wheel(f"p{n}", "1", f"p{n + 1}") for n in range(250)] + [wheel("p250", "1")]
        self.assertEqual(len(self.chosen({"a.py": tool("p0")}, *chain)), 251)
        chain = [wheel(f"p{n}", "1", f"p{n + 1}") for n in range(2_000)] + [wheel("p2000", "1")]
        self.assertEqual(self.codes({"a.py": tool("p0"), "b.py": tool("p2000")}, *chain), [("a.py", "package-limit")])

    def test_versions_that_never_go_together(self):
        wheels = []
        for level in range(30):
            for n in range(1, 16):
                below = [f"p{level + 1}"] if level < 29 else []
                wheels.append(wheel(f"p{level}", f"{n}.0", *below, f"z{level}=={n}.0"))
                wheels.append(wheel(f"z{level}", f"{n}.0", f"y=={n}.{level}"))
                wheels.append(wheel("y", f"{n}.{level}"))
        good = {f"good{n}.py": tool("ok", f"ok{n}") for n in range(30)}
        wheels += [wheel("ok", "1"), *(wheel(f"ok{n}", "1") for n in range(30))]
        answer = self.ask({"bad.py": tool("p0"), **good}, *wheels)
        self.assertEqual([(one["file"], one["line"]) for one in answer["problems"]], [("bad.py", 3)])
        self.assertIn(answer["problems"][0]["code"], ("package-limit", "package-conflict"))
        self.assertEqual(len(answer["wheels"]), 31)

    def test_an_index_that_never_has_enough(self):
        files = [listed(f"one-{n}.0-py3-none-any.whl") for n in range(2_000)]
        known = {file["filename"]: metadata("one", file["filename"].split("-")[1], "two>1") for file in files[500:]}
        more = {"mayFetch": True, "projects": {"one": files, "two": [listed("two-1.0-py3-none-any.whl")]}}
        answer = self.ask({"a.py": tool("one")}, **more, metadata={})
        self.assertEqual(answer["need"]["metadata"], ["one-1999.0-py3-none-any.whl"])
        self.assertEqual(self.codes({"a.py": tool("one")}, **more, metadata=known), [("a.py", "package-limit")])

    def test_a_project_with_very_many_files(self):
        files = [listed(f"np-{n}.{m}-cp3{p}-cp3{p}-win_amd64.whl") for n in range(60) for m in range(60) for p in range(9)]
        self.assertEqual(self.codes({"a.py": tool("np>=2")}, mayFetch=True, projects={"np": files}), [("a.py", "package-no-wheel")])
