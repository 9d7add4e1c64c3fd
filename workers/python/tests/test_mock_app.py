"""mock_app, as tests of extensions use it."""

from __future__ import annotations

import asyncio
import importlib.util
import re
import sys
import unittest
import unittest.mock
from pathlib import Path
from types import ModuleType

from cloche import actions, string_arg
from cloche.testing.mock_app import Refused, mock_app

SAMPLES = Path(__file__).parents[3] / "tools-samples" / "extensions"


def sample(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class MockAppTests(unittest.TestCase):
    def test_a_command_reads_the_session_and_acts(self) -> None:
        async def hello(args, app):
            title = await app.session_title()
            await app.send_message(f"{title}: {args}")
            app.set_status("last", args)
            return actions.notify("done")

        def register(app):
            app.register_command(name="hello", handler=hello, complete=lambda prefix: [prefix + "da"])
            app.register_status_section(key="last")
            app.set_status("last", "nobody")

        app = mock_app(register, session_title="Trip")
        self.assertEqual(app.status, {"last": "nobody"})
        app.run_command("hello", "Ada")
        self.assertEqual([one["action"] for one in app.performed], ["set_status", "send_message", "set_status", "notify"])
        self.assertEqual(app.performed[1]["text"], "Trip: Ada")
        self.assertEqual(app.status, {"last": "Ada"})
        self.assertEqual(app.requests, [{"action": "session_title"}])
        self.assertEqual(app.complete("hello", "A"), ["Ada"])
        with self.assertRaisesRegex(LookupError, "no command 'hallo'; it has: hello"):
            app.run_command("hallo")

    def test_interceptors_run_by_priority_and_may_refuse(self) -> None:
        def register(app):
            app.register_interceptor(name="last", priority=1, before=lambda tool, given: string_arg(given, "no") or None)
            app.register_interceptor(
                name="first", priority=2, before=lambda tool, given: {"arguments": {**given, "no": given.get("x", "")}},
                after=lambda tool, result: result["text_result_for_llm"] + "!",
            )

        app = mock_app(register)
        self.assertEqual(app.before("a:b", {"y": 1}), {"y": 1, "no": ""})
        with self.assertRaisesRegex(Refused, "not this"):
            app.before("a:b", {"x": "not this"})
        self.assertEqual(app.after("a:b", "well")["text_result_for_llm"], "well!")

    def test_an_answer_that_the_page_refuses_is_refused(self) -> None:
        app = mock_app(lambda app: app.register_interceptor(name="bad", before=lambda tool, given: 1))
        with self.assertRaisesRegex(TypeError, "before must return"):
            app.before("a:b", {})
        with self.assertRaisesRegex(RuntimeError, "not bound yet"):
            mock_app(lambda app: app.session_title())
        with self.assertRaisesRegex(TypeError, "does not read titel"):
            mock_app(lambda app: None, titel="x")

    def test_hooks_events_and_pickers(self) -> None:
        def pick(event):
            return actions.show_picker("Which?", ["a", "b"], lambda item: actions.notify(f"chose {item}"))

        def register(app):
            app.register_message_hook(name="b", priority=2, on_message=lambda text: text.upper())
            app.register_message_hook(name="a", priority=1, on_message=lambda text: "")
            app.register_event_handler(name="e", filter=lambda event: event["type"] == "call_ended", handle=pick)

        app = mock_app(register)
        self.assertEqual(app.message("hi"), "HI")
        app.event("call_started")
        self.assertEqual(app.performed, [])
        app.event("call_ended", tool="t:x")
        app.pick(1)
        self.assertEqual(app.performed[-1], {"action": "notify", "text": "chose b"})
        with self.assertRaisesRegex(LookupError, "no picker is open"):
            app.pick(0)
        app.event("call_ended", tool="t:x")
        app.pick(None)
        self.assertEqual([one["action"] for one in app.performed], ["show_picker", "notify", "show_picker"])

    def test_filters_and_handlers_may_be_plain_or_async(self) -> None:
        async def only_ended(event):
            await asyncio.sleep(0)
            return event["type"] == "call_ended"

        async def later(event):
            return actions.notify(f"{event['tool']}, later")

        def register(app):
            app.register_event_handler(name="plain", filter=only_ended, handle=lambda event: actions.notify(event["tool"]))
            app.register_event_handler(name="later", filter=only_ended, handle=later)

        app = mock_app(register)
        app.event("turn_began")
        self.assertEqual(app.performed, [])
        app.event("call_ended", tool="files:read")
        self.assertEqual([one["text"] for one in app.performed], ["files:read", "files:read, later"])

    def test_a_handler_that_returns_a_text_is_told_what_to_return(self) -> None:
        app = mock_app(lambda app: app.register_command(name="hello", handler=lambda args, app: "hello"))
        with self.assertRaisesRegex(TypeError, r"one action, such as actions\.notify\(text\), or None, not str"):
            app.run_command("hello")
        with self.assertRaisesRegex(LookupError, "the command hello was registered without complete"):
            app.complete("hello")

    def test_reads_may_be_functions_of_their_arguments(self) -> None:
        def register(app):
            app.register_shortcut(key="ctrl+shift+g", handler=lambda app: actions.notify(app.find_tool("a:b")["label"]))

        app = mock_app(register, find_tool=lambda name: {"label": name.upper()})
        app.press("ctrl+shift+g")
        self.assertEqual(app.performed, [{"action": "notify", "text": "A:B"}])

    def test_other_names_of_actions_do_the_same(self) -> None:
        def go(args, app):
            app.open_file("a.py", 3)
            app.exec("b.py")
            app.request_quit()
            app.load_session("s2")
            app.steer("now")

        app = mock_app(lambda app: app.register_command(name="go", handler=go))
        app.run_command("go")
        self.assertEqual(
            app.performed,
            [
                {"action": "open_file", "path": "a.py", "line": 3},
                {"action": "open_file", "path": "b.py", "line": None},
                {"action": "quit"},
                {"action": "swap_session", "session": "s2"},
                {"action": "send_message", "text": "now"},
            ],
        )

    def test_the_samples_work_in_it(self) -> None:
        gate = mock_app(sample("permission_gate"))
        with self.assertRaises(Refused):
            gate.before("files:delete_all", {})
        self.assertEqual(gate.before("files:read", {"a": 1}), {"a": 1})
        redactor = mock_app(sample("secret_redactor"))
        self.assertNotIn("sk-", redactor.after("t:x", "sk-" + "a" * 20)["text_result_for_llm"])
        echo = mock_app(sample("echo_model"))
        parts = echo.stream("echo", {"messages": [{"role": "user", "content": "well then"}]}, "echo")
        self.assertIn("well", "".join(one.get("text", "") for one in parts))

    def test_the_example_of_the_docs_passes(self) -> None:
        text = (Path(__file__).parents[3] / "docs" / "extensions.md").read_text("utf-8")
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        gate = ModuleType("gate")
        exec(blocks[0], vars(gate))
        (example,) = [block for block in blocks if "import Refused, mock_app" in block]
        known = {"gate": gate, "cloche_test": sys.modules[mock_app.__module__]}
        with unittest.mock.patch.dict(sys.modules, known):
            exec(example, {})

    def test_an_event_has_a_type_and_a_handler(self) -> None:
        seen: list[dict[str, object]] = []
        app = mock_app(lambda app: app.register_event_handler(name="log", handle=seen.append))
        app.event("turn_ended", turn_id="t")
        app.event({"type": "turn_began", "turn_id": "u"})
        self.assertEqual(seen, [{"type": "turn_ended", "turn_id": "t"}, {"type": "turn_began", "turn_id": "u"}])
        for event in ({}, {"turn_id": "t"}, "", {"type": 3}, None):
            with self.subTest(event=event), self.assertRaisesRegex(TypeError, "an event needs a type"):
                app.event(event)
        with self.assertRaisesRegex(LookupError, "no event handler"):
            mock_app(lambda app: None).event("turn_ended")

    def test_functions_for_run_async_run_and_asynchronous_ones_are_awaited(self) -> None:
        async def later():
            await asyncio.sleep(0)
            return actions.set_title("New")

        app = mock_app(lambda app: app.register_shortcut(key="ctrl+g", handler=lambda app: actions.run_async(later)))
        app.press("ctrl+g")
        self.assertEqual(app.performed[-1], {"action": "set_title", "text": "New"})


if sys.platform == "emscripten":
    # It is for tests outside the browser, and starts event loops.
    del MockAppTests
