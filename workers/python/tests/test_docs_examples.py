"""The examples of the documentation that its pages run."""

from __future__ import annotations

import re
from pathlib import Path

from .host import HostCase

DOCS = Path(__file__).parents[3] / "docs"
# The first example of these tools is meant to fail.
FAILING = {"volumes:litres"}


def live_examples() -> list[tuple[str, str]]:
    """The file and the text of each block marked `python cloche`."""
    found: list[tuple[str, str]] = []
    for path in sorted(DOCS.glob("*.md")):
        blocks = re.findall(r"^```python cloche\n(.*?)^```", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        found += [(path.name, text) for text in blocks]
    return found


class DocsExamplesTests(HostCase):
    async def test_each_is_a_valid_tool_file_whose_first_example_runs(self) -> None:
        examples = live_examples()
        self.assertGreaterEqual(len(examples), 5)
        for where, text in examples:
            module = re.search(r'"name": "(\w+):', text)
            assert module is not None
            host = self.open({f"{module[1]}.py": text})
            report = host.inspect(f"{module[1]}.py")
            self.assertEqual(report["problems"], [], where)
            for tool in report["tools"]:
                arguments = tool["examples"][0] if tool["examples"] else {"location": "Oslo"}
                result = await host.run(tool["name"], arguments)
                self.assertEqual(result["ok"], tool["name"] not in FAILING, f"{where}: {result}")
            self.doCleanups()

    async def test_a_file_of_another_framework_gives_its_tool(self) -> None:
        page = (DOCS / "foreign-files.md").read_text("utf-8")
        text = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[0]
        host = self.open({"words.py": text})
        report = host.inspect("words.py")
        self.assertEqual(([one["name"] for one in report["tools"]], report["problems"]), (["words:word_count"], []))
        result = await host.run("words:word_count", {"text": "a b a", "unique": True})
        self.assertEqual(result["content"][0]["text"], "2")
