"""The sample extensions: what they register, and what their functions do."""

from __future__ import annotations

from pathlib import Path

from .host import HostCase
from .test_extension import Page, value

SAMPLES = Path(__file__).parents[3] / "tools-samples" / "extensions"
KEY = "sk-" + "a" * 20


class SampleExtensionTests(HostCase):
    def load(self, name: str, **files: str) -> tuple[Page, dict[str, dict]]:
        self.doCleanups()
        text = (SAMPLES / f"{name}.py").read_text("utf-8")
        self.assertLess(len(text.splitlines()), 80)
        page = Page({f"{name}.py": text, **{path.replace("__", "/") + ".md": t for path, t in files.items()}})
        self.addCleanup(page.close)
        self.file = name
        registered = value(page.register(name))["registered"]
        return page, {f"{one['kind']} {one['name']}": one for one in registered}

    def hook(self, page: Page, number: int, *values: object) -> object:
        return value(page.hook(number, *values, file=self.file))

    def test_the_gate_refuses_by_pattern_and_counts(self) -> None:
        page, known = self.load("permission_gate")
        before = known["interceptor deny by name"]["before"]
        self.assertIsNone(self.hook(page, before, "files:read", {}))
        self.assertIn("files:delete*", self.hook(page, before, "files:delete_all", {})["refuse"])
        shown = self.hook(page, known["command gate"]["run"], "", {"app": True})
        self.assertIn("Refused so far: 1", shown["text"])

    def test_the_redactor_removes_secrets_from_every_part_and_leaves_others(self) -> None:
        page, known = self.load("secret_redactor")
        after = known["interceptor remove secrets"]["after"]
        result = {
            "text_result_for_llm": f"key {KEY}!",
            "content": [{"type": "json", "text": f'{{"k": "{KEY}"}}'}],
            "stdout": KEY,
            "metadata": {"deep": [KEY]},
        }
        clean = self.hook(page, after, "t", result)
        self.assertEqual(clean["text_result_for_llm"], "key [secret removed]!")
        self.assertNotIn(KEY, str(clean))
        self.assertIsNone(self.hook(page, after, "t", {**result, "text_result_for_llm": "sk-short", "content": [],
            "stdout": "", "metadata": {}}))

    def test_the_clock_counts_calls_and_ticks_once(self) -> None:
        page, known = self.load("status_clock")
        run = known["event_handler count calls"]["run"]
        self.assertEqual(self.hook(page, run, {"type": "call_ended"})["action"], "run_async")
        second = self.hook(page, run, {"type": "call_ended"})
        self.assertEqual((second["action"], second["key"]), ("set_status", "clock"))
        self.assertTrue(second["text"].endswith("2 calls"))
        self.assertIsNone(self.hook(page, run, {"type": "call_started"}))

    def test_the_library_makes_commands_of_files(self) -> None:
        page, known = self.load("prompt_library", prompts__short="Answer in one line.")
        self.assertEqual(
            self.hook(page, known["command short"]["run"], "why?", {"app": True}),
            {"action": "send_message", "text": "Answer in one line.\n\nwhy?"},
        )
        explained = self.hook(page, known["command explain"]["run"], "JSON", {"app": True})
        self.assertTrue(explained["text"].endswith(": JSON"))
