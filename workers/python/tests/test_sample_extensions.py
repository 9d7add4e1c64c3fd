"""The sample extensions: what they register, and what their functions do."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cloche import asking

from .host import HostCase
from .test_extension import Page, value
from .test_extension_models import Asked

SAMPLES = Path(__file__).parents[3] / "tools-samples" / "extensions"
KEY = "sk-" + "a" * 20


DOCS = Path(__file__).parents[3] / "docs" / "extensions.md"


class SampleExtensionTests(HostCase):
    def test_every_example_of_the_docs_registers(self) -> None:
        examples = re.findall(r"^```python\n(.*?)^```", DOCS.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        whole = [text for text in examples if "def register(app)" in text]
        self.assertGreater(len(whole), 7)
        for text in whole:
            self.doCleanups()
            page = Page({"gate.py": text})
            self.addCleanup(page.close)
            registered = page.register()
            self.assertTrue(registered["ok"], f"{registered.get('error')}\n{text}")

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

    def test_the_short_memory_keeps_the_first_and_the_latest_messages(self) -> None:
        page, known = self.load("short_memory")
        run = known["compactor outline"]["run"]
        messages = [{"role": "user", "content": f"message {n}"} for n in range(20)]
        kept = self.hook(page, run, messages)
        self.assertEqual([kept[0], *kept[2:]], [messages[0], *messages[-6:]])
        self.assertIn("- user: message 13", kept[1]["content"])
        self.assertEqual(self.hook(page, run, messages[:5]), messages[:5])

    async def test_the_echo_model_repeats_and_calls_tools(self) -> None:
        page, known = self.load("echo_model")
        run = known["stream_provider echo"]["run"]
        self.assertEqual(known["provider Echo"]["api"], "echo")

        async def answer(model: str, text: str) -> list[dict]:
            asked = Asked()
            asking.connect(asked)
            self.addCleanup(asking.connect, None)
            page._next += 1
            values = [model, {"messages": [{"role": "user", "content": text}]}]
            arguments = json.dumps({"id": run, "values": values})
            page.interpreter.call(page._next, "@hook", "echo_model.py", arguments, "{}", "", False)
            self.assertTrue((await page.wait(page._next))["ok"])
            return asked.items

        said = await answer("loud", "hello you")
        self.assertEqual("".join(part["text"] for part in said if part["type"] == "text"), "Echo: HELLO YOU")
        self.assertEqual(said[-1]["type"], "usage")
        [call] = [part for part in await answer("echo", 'call a:b {"c": 1}') if part["type"] == "tool_call"]
        self.assertEqual((call["name"], call["arguments"]), ("a:b", '{"c": 1}'))

    def test_the_table_renderer_shows_more_when_expanded(self) -> None:
        page, known = self.load("table_renderer")
        shown = self.hook(page, known["command csv"]["run"], "a,b\n" + "1,2\n" * 7, {"app": True})
        data = json.loads(shown["data"])
        few = self.hook(page, known["renderer csv"]["run"], data, False)
        self.assertEqual((few[0]["columns"], len(few[0]["rows"]), few[1]["text"]), (["a", "b"], 5, "2 more rows"))
        [all_of_it] = self.hook(page, known["renderer csv"]["run"], data, True)
        self.assertEqual(len(all_of_it["rows"]), 7)

    def test_the_guard_stops_messages_and_calls_at_the_budget(self) -> None:
        page, known = self.load("cost_guard")
        count = known["event_handler count cost"]["run"]
        message, before = known["message_hook stop at the budget"]["run"], known["interceptor stop at the budget"]["before"]
        step = {"type": "step_ended", "session_id": "s", "input_tokens": 100_000, "output_tokens": 100_000}
        self.assertEqual(self.hook(page, count, {**step, "cost": None})["text"], "$0.60 of $1.00")
        self.assertIsNone(self.hook(page, before, "t", {}))
        self.assertEqual(self.hook(page, count, {**step, "cost": 0.5})["text"], "$1.10 of $1.00")
        self.assertIn("used up", self.hook(page, before, "t", {})["refuse"])
        self.assertIn("used up", page.hook(message, "hi", file="cost_guard")["error"])
        asking.connect(lambda call, text: None)
        self.addCleanup(asking.connect, None)
        self.hook(page, known["command budget"]["run"], "$2", {"app": True})
        self.assertEqual(self.hook(page, message, "hi"), {"text": ""})

    def test_the_audit_log_keeps_calls_and_finds_words(self) -> None:
        page, known = self.load("audit_log")
        log = known["event_handler log"]["run"]
        self.hook(page, log, {"type": "call_queued", "tool": "files:read", "caller": "model", "arguments": '{"a": 1}'})
        self.hook(page, log, {"type": "call_ended", "tool": "files:read", "caller": "model", "error": None,
            "result_type": "success", "duration_ms": 12.3, "text": "done"})
        self.hook(page, log, {"type": "turn_began"})
        shown = self.hook(page, known["command audit"]["run"], "success", {"app": True})
        [line] = json.loads(shown["data"])["lines"]
        self.assertEqual(line[1:], ["call_ended", "files:read", "model", "success", 12, "done"])
        self.assertEqual(self.hook(page, known["command audit"]["complete"], "fi"), ["files:read"])
        blocks = self.hook(page, known["renderer audit"]["run"], {"lines": [line] * 30}, False)
        self.assertEqual(len(blocks[1]["rows"]), 10)

    def test_the_title_comes_from_the_first_message_only(self) -> None:
        page, known = self.load("auto_title")
        run = known["event_handler name sessions"]["run"]
        first = {"type": "message_sent", "session_id": "s", "number": 1, "text": "Hi, can you sort my photos?"}
        self.assertEqual(self.hook(page, run, first), {"action": "set_title", "text": "Sort my photos"})
        self.assertIsNone(self.hook(page, run, {**first, "number": 2}))

    async def test_checkpoints_come_before_messages_and_are_restored_by_name_or_picker(self) -> None:
        page, known = self.load("checkpoints")
        asked: list[dict] = []
        old = {"name": "1: Sort my photos", "created_at": 0.0, "files": 3, "changed": 2}
        answers: dict[str, object] = {
            "checkpoint_workspace": old,
            "workspace_checkpoints": [{**old, "name": "2: same", "changed": 0}, old],
            "restore_workspace": {"waiting": 2, "refused": 0},
        }

        async def answer(call: int, text: str) -> str:
            asked.append(json.loads(json.loads(text)["action"]))
            value_of = json.dumps(answers[asked[-1]["action"]])
            return json.dumps({"answer": "value", "request": 1, "value": value_of})

        async def run(number: int, *values: object) -> object:
            page._next += 1
            arguments = json.dumps({"id": number, "values": [*values]})
            page.interpreter.call(page._next, "@hook", "checkpoints.py", arguments, "{}", "", False)
            return value(await page.wait(page._next))

        asking.connect(answer)
        self.addCleanup(asking.connect, None)
        hook = known["message_hook checkpoint"]["run"]
        self.assertEqual(await run(hook, "Sort  my\nphotos"), {"text": ""})
        self.assertEqual(asked, [{"action": "checkpoint_workspace", "name": "1: Sort my photos"}])
        named = await run(known["command restore"]["run"], "1: Sort my photos", {"app": True})
        self.assertEqual(named["text"], "2 changes wait for your review on the Workspace page.")
        self.assertEqual([one["name"] for one in asked[1:]], ["before the last /restore", "1: Sort my photos"])
        picker = await run(known["command restore"]["run"], "", {"app": True})
        self.assertEqual([one["label"] for one in picker["items"]], ["1: Sort my photos"])
        self.assertIn("2 files have changed", picker["items"][0]["detail"])
        chosen = await run(picker["run"], 0)
        self.assertIn("2 changes wait", chosen["text"])
        made = await run(known["command checkpoint"]["run"], "now", {"app": True})
        self.assertEqual((asked[-1]["name"], "3 files" in made["text"]), ("now", True))
        old.update(files=1, changed=1)
        answers["restore_workspace"] = {"waiting": 1, "refused": 1}
        made = await run(known["command checkpoint"]["run"], "now", {"app": True})
        self.assertEqual(made["text"], "Checkpoint “1: Sort my photos”: 1 file")
        picker = await run(known["command restore"]["run"], "", {"app": True})
        self.assertIn("1 file has changed since", picker["items"][0]["detail"])
        chosen = await run(picker["run"], 0)
        self.assertEqual(
            chosen["text"], "1 change waits for your review on the Workspace page. 1 file could not be restored."
        )
        answers["restore_workspace"] = {"waiting": 0, "refused": 2}
        chosen = await run(known["command restore"]["run"], "2: same", {"app": True})
        self.assertEqual(chosen["text"], "2 files could not be restored.")
        asking.connect(lambda call, text: (_ for _ in ()).throw(RuntimeError("This folder has no workspace.")))
        self.assertEqual(await run(hook, "Without a workspace"), {"text": ""})

    def test_the_context_has_the_sections_that_fit_the_message(self) -> None:
        page, known = self.load("context_file")
        run = known["message_hook add context"]["run"]
        self.assertEqual(self.hook(page, run, "anything"), {"text": ""})
        text = "Always metric.\n\n## Kitchen garden\nThe beds are 2 m wide.\n\n## Taxes\nNothing.\n"
        page, known = self.load("context_file", context=text)
        context = self.hook(page, known["message_hook add context"]["run"], "How big is the garden?")["text"]
        self.assertIn("Always metric.", context)
        self.assertIn("2 m wide", context)
        self.assertNotIn("Taxes", context)
