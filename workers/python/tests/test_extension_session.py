"""Reads and actions of an extension through `app` in a session: the requests to the page, and the answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from unittest import mock

from cloche import actions, asking, waiting
from cloche.extension_session import BoundApp

from .test_asking import AskingCase
from .test_extension import Page, value

DOCS = Path(__file__).parents[3] / "docs" / "extensions.md"
DONE = {"answer": "done", "request": 1}
PLAIN = """
from cloche import actions

def run(args, app):
    {}

def register(app):
    app.register_command(name="c", handler=run)
"""
ASYNC = PLAIN.replace("def run", "async def run")


def answering(answer: object) -> dict[str, object]:
    return {"answer": "value", "request": 1, "value": json.dumps(answer)}


class ExtensionSessionTests(AskingCase):
    def opened(self, text: str) -> tuple[Page, int]:
        page = Page({"gate.py": text})
        self.addCleanup(page.close)
        [command] = value(page.register())["registered"]
        return page, command["run"]

    def plain(self, body: str, *answers: object) -> tuple[dict, list[dict]]:
        """The result of a plain function, and what it has asked."""
        page, run = self.opened(PLAIN.format(body))
        asked = self.page(*(answers or (DONE,)))
        result = page.hook(run, "", {"app": True})
        return result, [json.loads(question["action"]) for _, question in asked.asked]

    async def awaited(self, body: str, *answers: object) -> tuple[dict, list[dict]]:
        """The same of an asynchronous function."""
        page, run = self.opened(ASYNC.format(body))
        asked = self.page(*(answers or (DONE,)))
        page._next += 1
        text = json.dumps({"id": run, "values": ["", {"app": True}]})
        payload = page.interpreter.call(page._next, "@hook", "gate.py", text, "{}", "", False)
        if payload:
            page._take(f'{{"t": "result", "id": {page._next}}}', payload)
        result = await page.wait(page._next)
        return result, [json.loads(question["action"]) for _, question in asked.asked]

    def test_a_plain_function_waits_for_the_value(self) -> None:
        body = "return actions.notify(app.session_title())"
        result, asked = self.plain(body, answering("Bills"))
        self.assertEqual(value(result), {"action": "notify", "text": "Bills"})
        self.assertEqual(asked, [{"action": "session_title"}])

    async def test_an_asynchronous_function_awaits_it(self) -> None:
        body = "return actions.notify(await app.session_title())"
        result, asked = await self.awaited(body, answering("Bills"))
        self.assertEqual(value(result), {"action": "notify", "text": "Bills"})
        self.assertEqual(asked, [{"action": "session_title"}])

    async def test_what_is_not_awaited_is_named_and_done(self) -> None:
        for body in ("return app.session_title() or 1", "return [*app.tools()]", "return str(app.cwd())"):
            result, _ = await self.awaited(body, answering("x"))
            self.assertIn("write `await app.", result["error"])
        result, asked = await self.awaited("app.send_message('x')")
        self.assertTrue(result["ok"])
        self.assertEqual(asked, [{"action": "send_message", "text": "x"}])

    def test_a_refusal_is_raised(self) -> None:
        for error in ("PermissionError", "RuntimeError"):
            refused = {"answer": "refused", "request": 1, "error": error, "message": "because"}
            for call in ("app.run_background('x')", "app.tools()", "app.switch_model('a/b')"):
                result, _ = self.plain(call, refused)
                self.assertEqual(result["error"], f"{error}: because")

    def test_where_plain_code_cannot_wait_that_is_said(self) -> None:
        page, run = self.opened(PLAIN.format("app.sessions()"))
        self.page(DONE)
        with mock.patch.object(asking, "require_waiting", waiting.require_waiting):
            error = page.hook(run, "", {"app": True})["error"]
        self.assertIn("make the function `async def` and write `await app.sessions(…)`", error)

    def test_every_method_says_so_before_the_app_is_bound(self) -> None:
        given = {
            "find_tool": "'x'", "stream_provider": "'x'", "resolve_model": "'x'", "switch_model": "'x'",
            "set_model": "'x'", "set_provider": "'x'", "load_session": "'x'", "send_message": "'x'", "steer": "'x'",
            "follow_up": "'x'", "set_title": "'x'", "set_session_title": "'x'", "set_conversation_messages": "[]",
            "run_background": "'x'", "attach_image": "b'x'", "show_picker": "'x', ['a'], print",
            "checkpoint_workspace": "'x'", "restore_workspace": "'x'",
            "run_plan": "'x'", "plan_run": "'x'", "run_message_hooks": "'x'", "dispatch_event": "{'type': 'x'}", "enqueue_action": "None",
        }  # fmt: skip
        names = [name for name in vars(BoundApp) if not name.startswith("_") and callable(getattr(BoundApp, name))]
        self.assertGreater(len(names), 45)
        for name in names:
            page = Page({"gate.py": f"def register(app):\n    app.{name}({given.get(name, '')})\n"})
            self.addCleanup(page.close)
            error = page.register()["error"]
            self.assertRegex(error, r"RuntimeError: app\.\w+ is not possible in register\(app\): the app is not bound")

    def test_every_method_can_be_mentioned_while_registering(self) -> None:
        names = [name for name in vars(BoundApp) if not name.startswith("_")]
        mentions = "".join(f"    keep.append(app.{name})\n" for name in names if name != "tools_folder")
        page = Page({"gate.py": f"keep = []\ndef register(app):\n{mentions}"})
        self.addCleanup(page.close)
        self.assertTrue(page.register()["ok"])

    def test_outside_a_call_it_says_so(self) -> None:
        page, _ = self.opened(PLAIN.format("pass"))
        app = page.interpreter._extensions["gate.py"]
        for call in (app.tools, lambda: app.follow_up("x"), app.pending_actions):
            with self.assertRaisesRegex(RuntimeError, "run_async"):
                call()

    def test_actions_carry_their_values(self) -> None:
        self.assertEqual(actions.follow_up("x").values, {"text": "x"})
        self.assertEqual(actions.swap_session().values, {"session": None})
        self.assertEqual(actions.detach_image().values, {"name": None})
        image = actions.attach_image(b"\x00\x01", "image/png", "dot")
        self.assertEqual(image.values, {"data": "AAE=", "media_type": "image/png", "name": "dot"})
        self.assertEqual(actions.attach_image("AAE=").values["data"], "AAE=")
        for wrong in (lambda: actions.attach_image(b"x" * 5_000_001), lambda: actions.attach_image(7),
                lambda: actions.show_picker("x", [], print), lambda: actions.show_picker("x", ["a"] * 501, print),
                lambda: actions.show_picker("x", [1], print), lambda: actions.show_picker("x", ["a"], None),
                lambda: actions.follow_up(None), lambda: actions.run_background("x" * 100_001)):  # fmt: skip
            with self.assertRaises((TypeError, ValueError)):
                wrong()

    def test_a_picker_calls_its_function_once_with_the_item(self) -> None:
        body = 'return actions.show_picker("Which?", ["a", {"label": "b", "detail": "d"}], lambda item: actions.notify(str(item)))'
        page, run = self.opened(PLAIN.format(body))
        shown = value(page.hook(run, "", {"app": True}))
        self.assertEqual(shown["items"], [{"label": "a", "detail": ""}, {"label": "b", "detail": "d"}])
        chosen = value(page.hook(shown["run"], 1))
        self.assertEqual(chosen, {"action": "notify", "text": "{'label': 'b', 'detail': 'd'}"})
        self.assertFalse(page.hook(shown["run"], 1)["ok"])
        closed = value(page.hook(run, "", {"app": True}))
        self.assertIsNone(value(page.hook(closed["run"], None)))

    def test_queued_actions_follow_the_function_unless_they_are_taken(self) -> None:
        _, asked = self.plain("app.enqueue_action(actions.notify('b')); app.notify('a')")
        self.assertEqual([one["text"] for one in asked], ["a", "b"])
        result, asked = self.plain(
            "app.enqueue_action(actions.notify('b')); return app.pending_actions()[0]"
        )
        self.assertEqual((value(result)["text"], asked), ("b", []))
        result, _ = self.plain("app.enqueue_action('b')")
        self.assertIn("an action is expected", result["error"])
        result, _ = self.plain("for n in range(101): app.enqueue_action(actions.quit())")
        self.assertIn("more than 100 actions", result["error"])

    def test_core_tools_run_by_their_definitions(self) -> None:
        found = [{"name": "files:read", "description": "Reads.", "parameters": {"type": "object"}}]
        body = "return actions.notify(app.core_tools()[0](path='a')['text_result_for_llm'])"
        result, asked = self.plain(body, answering(found), answering({"text_result_for_llm": "text"}))
        self.assertEqual(value(result)["text"], "text")
        self.assertEqual(
            asked[1], {"action": "call_tool", "name": "files:read", "arguments": '{"path": "a"}'}
        )

    def test_the_working_folder_is_that_of_the_files(self) -> None:
        page, run = self.opened(PLAIN.format("return actions.notify(app.cwd())"))
        self.page(answering("tools"))
        self.assertEqual(value(page.hook(run, "", {"app": True}))["text"], page.root)

    def test_what_is_too_long_is_not_sent(self) -> None:
        result, asked = self.plain("app.set_conversation_messages([{'role': 'user', 'content': 'x' * 10_000_000}])")
        self.assertIn("more than the limit of 8,000,000", result["error"])
        self.assertEqual(asked, [])

    def test_values_that_are_no_json_are_named(self) -> None:
        result, asked = self.plain("app.dispatch_event({'type': 'x', 'bad': {1}})")
        self.assertIn("dispatch_event", result["error"])
        self.assertEqual(asked, [])

    def test_every_method_has_an_example_in_the_docs_that_runs(self) -> None:
        section = DOCS.read_text("utf-8").split("## What `app` reads and does")[1].split("\n## ")[0]
        rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
        examples = [re.sub(r"^`|`$", "", row[-1].strip()) for row in rows]
        self.assertGreater(len(examples), 25)
        found = [{"name": "n", "title": "t", "content": "c", "id": "1", "context": 1, "registered": [], "selected": 1,
            "text_result_for_llm": "", "parameters": {}, "description": "", "state": "done", "files": 1, "changed": 1,
            "waiting": 1}] * 2  # fmt: skip
        for example in examples:
            body = example.replace("\\|", "|").replace("…", "pass")
            one = re.search(r"app\.(find_tool|provider|resolve_model|plan_run|checkpoint_workspace|restore_workspace)\(", body)
            answers = [answering(found[0] if one else found), answering(found[0])]
            if "open(app.cwd()" in body:
                body = "app.cwd()"
            result, _ = self.plain(body, *answers)
            self.assertTrue(result["ok"], f"{example}: {result.get('error')}")
        names = {name for name in vars(BoundApp) if not name.startswith("_") and callable(getattr(BoundApp, name))}
        missing = [name for name in names if f"`{name}(" not in DOCS.read_text("utf-8")]
        self.assertEqual(missing, [])
