"""Fake packages, a fake index, and a host that calls the resolver until it answers."""

from __future__ import annotations

import json
import unittest

from cloche_resolver import resolve

PLATFORM = "pyemscripten_2026_0_wasm32"
ENVIRONMENT = {
    "python_full_version": "3.14.2",
    "python_version": "3.14",
    "sys_platform": "emscripten",
    "platform_system": "Emscripten",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
    "os_name": "posix",
}


def metadata(name: str, version: str, *requires: str, python: str = "", extras: tuple[str, ...] = ()) -> str:
    """METADATA as build tools write it."""
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Python: {python}"] if python else []
    lines += [f"Provides-Extra: {extra}" for extra in extras]
    lines += [f"Requires-Dist: {one}" for one in requires]
    return "\n".join([*lines, "", "# A title", "", "Requires-Dist: is only talked about here", ""])


def wheel(name: str, version: str, *requires: str, origin: str = "folder", tag: str = "py3-none-any", **more) -> dict:
    """A wheel of the folder, or of the site."""
    filename = f"{name.replace('-', '_')}-{version}-{tag}.whl"
    return {"from": origin, "filename": filename, "metadata": metadata(name, version, *requires, **more), "depends": None}


def distributed(name: str, version: str, *depends: str, tagless: bool = False) -> dict:
    """A wheel of the Pyodide distribution."""
    filename = f"{name}-{version}.zip" if tagless else f"{name.replace('-', '_')}-{version}-cp314-cp314-{PLATFORM}.whl"
    found = {"from": "distribution", "name": name, "version": version, "filename": filename}
    return {**found, "metadata": None, "depends": [*depends], "tagless": tagless}


def listed(filename: str, python: str | None = None, yanked: bool = False) -> dict:
    """One file on the index."""
    return {"filename": filename, "requiresPython": python, "yanked": yanked}


def tool(*requirements: str, python: str = "") -> str:
    """A tool file that asks for packages; the first one is on line 3, or 4 if it also asks for a Python version."""
    asked = [f"#   {json.dumps(one)}," for one in requirements]
    wants = [f'# requires-python = "{python}"'] if python else []
    return "\n".join(["# /// script", *wants, "# dependencies = [", *asked, "# ]", "# ///", "import this", ""])


class Index:
    """An index with these wheels; it logs what was requested, round by round."""

    def __init__(self, *wheels: dict, others: dict[str, list[dict] | None] | None = None) -> None:
        self.rounds: list[dict] = []
        self.projects: dict[str, list[dict]] = {}
        self._metadata = {one["filename"]: one["metadata"] for one in wheels}
        for one in wheels:
            name = one["filename"].split("-")[0].replace("_", "-").lower()
            self.projects.setdefault(name, []).append(listed(one["filename"]))
        self.projects |= others or {}

    def answer(self, need: dict, request: dict) -> None:
        """Adds what is needed to the request."""
        self.rounds.append(need)
        for name in need["projects"]:
            request["projects"][name] = self.projects.get(name)
        for filename in need["metadata"]:
            request["metadata"][filename] = self._metadata[filename]


class ResolverCase(unittest.TestCase):
    """Calls the resolver, and compares complete answers."""

    maxDiff = None

    def ask(self, sources: dict[str, str], *wheels: dict, index: Index | None = None, **more) -> dict:
        """The answer, after as many rounds as needed; fetching is allowed if there is an index."""
        request = {
            "platforms": [PLATFORM],
            "environment": ENVIRONMENT,
            "sources": [{"file": file, "text": text} for file, text in sources.items()],
            "wheels": [*wheels],
            "projects": {},
            "unreachable": {},
            "metadata": {},
            "badMetadata": {},
            "mayFetch": index is not None,
            **more,
        }
        for _ in range(100):
            answer = json.loads(resolve(json.dumps(request)))
            if index is None or "need" not in answer:
                return answer
            index.answer(answer["need"], request)
        raise AssertionError("it never has enough")

    def chosen(self, sources: dict[str, str], *wheels: dict, **more) -> list[str]:
        """The chosen wheels, each as "name version origin", if there is no problem."""
        answer = self.ask(sources, *wheels, **more)
        self.assertEqual(answer.get("problems"), [])
        return [f"{one['name']} {one['version']} {one['from']}" for one in answer["wheels"]]

    def problem(self, sources: dict[str, str], *wheels: dict, **more) -> dict:
        """The only problem."""
        answer = self.ask(sources, *wheels, **more)
        self.assertEqual(len(answer.get("problems", ())), 1, answer)
        return answer["problems"][0]

    def reported(self, sources: dict[str, str], *wheels: dict, **more) -> tuple[str, str, int | None, str]:
        """Code, file, line and message of the only problem."""
        problem = self.problem(sources, *wheels, **more)
        return (problem["code"], problem["file"], problem["line"], problem["message"])
