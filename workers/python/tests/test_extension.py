"""What an extension registers, how the page calls its functions, and what it may ask the page for."""

from __future__ import annotations

import json
from unittest import mock

from cloche import asking, helpers

from .host import Host, HostCase
from .test_asking import FakePage

GATE = """
from cloche import actions, string_arg, text_result

def ping(text, context):
    return f"pong {text} {context.session_id}"

def hello(args, app):
    app.notify("hi " + args)
    return actions.run_async(later)

async def later():
    return actions.notify("later")

def before(tool, arguments):
    if tool == "files:rm":
        return "no"
    if tool == "files:cut":
        return {"arguments": {**arguments, "dry": True}}
    return tool != "files:drop"

def register(app):
    app.register_ext_info(name="gate", version="1.0")
    app.register_tool(name="gate:ping", description="Answers.", execute=ping, prompt_hint="Use it.",
        parameters={"type": "object", "properties": {"text": {"type": "string"}}})
    app.register_command(name="hello", description="Greets.", handler=hello, complete=lambda prefix: [prefix + "!"])
    app.register_interceptor(name="deny", priority=2000, before=before, after=lambda tool, result: text_result("gone"))
    app.register_prompt_section(title="House rules", content="Be brief.", order=10, token_hint=40)
    app.register_message_hook(name="date", on_message=lambda text: "" if text == "no" else "context")
    app.register_event_handler(name="log", filter=lambda e: e["type"] == "call_ended", handle=lambda e: actions.notify("x"))
    app.register_status_section(key="clock", side="right", order=5)
    app.set_status("clock", "12:00")
"""


class Page(Host):
    """A host that calls an extension as the page does."""

    def register(self, file: str = "gate") -> dict:
        return self._of(file, "@register", {})

    def hook(self, number: int, *values: object, file: str = "gate") -> dict:
        return self._of(file, "@hook", {"id": number, "values": list(values)})

    def _of(self, file: str, what: str, arguments: dict) -> dict:
        self._next += 1
        text = json.dumps(arguments)
        payload = self.interpreter.call(self._next, what, f"{file}.py", text, "{}", "", False)
        if payload:
            self._take(f'{{"t": "result", "id": {self._next}}}', payload)
        return self.result(self._next)


def value(result: dict) -> object:
    [part] = result["content"]
    return json.loads(part["text"])


class ExtensionTests(HostCase):
    def open(self, text: str = GATE) -> Page:
        self.doCleanups()
        page = Page({"gate.py": text})
        self.addCleanup(page.close)
        return page

    def ids(self, page: Page) -> dict[str, dict]:
        return {one["kind"]: one for one in value(page.register())["registered"]}

    def test_inspecting_recognises_an_extension_and_does_not_register_it(self) -> None:
        page = self.open(GATE + "\nprint('imported')\n")
        report = page.inspect("gate.py")
        self.assertTrue(report["extension"])
        self.assertFalse(report["noSpecs"])
        self.assertEqual(report["tools"], [])

    def test_a_handler_named_register_is_no_extension(self) -> None:
        for text in ("def register(name, email): ...", "register = 1", "def register(): ...", "def register(app, key): ..."):
            report = self.open(text).inspect("gate.py")
            self.assertNotIn("extension", report)
            self.assertTrue(report["noSpecs"])

    def test_what_it_registers_is_plain_data_in_order(self) -> None:
        answer = value(self.open().register())
        kinds = [one["kind"] for one in answer["registered"]]
        self.assertEqual(
            kinds,
            [
                "ext_info",
                "tool",
                "command",
                "interceptor",
                "prompt_section",
                "message_hook",
                "event_handler",
                "status_section",
            ],
        )
        self.assertEqual(answer["registered"][0], {"kind": "ext_info", "name": "gate", "version": "1.0"})
        self.assertEqual(answer["actions"], [{"action": "set_status", "key": "clock", "text": "12:00"}])

    def test_its_tools_are_inspected_and_called_like_others(self) -> None:
        page = self.open()
        page.register()
        [tool] = page.inspect("gate.py")["tools"]
        self.assertEqual((tool["name"], tool["prompt_hint"]), ("gate:ping", "Use it."))
        self.assertEqual(page.call("gate:ping", {"text": "a"})["content"][0]["text"], "pong a s1")

    def test_the_options_of_a_tool_have_the_names_of_tool_specs_and_of_other_packages(self) -> None:
        for key in ("interrupt", "interrupt_behavior"):
            page = self.open(
                "def register(app):\n"
                "    app.register_tool(name='gate:x', description='x', parameters={'type': 'object'}, execute=lambda: 1,\n"
                f"        {key}='block', deferred=True, background_safe=True, concurrency_safe=False,\n"
                "        prompt_hint='hint', prompt_guides=['guide'])\n"
            )
            page.register()
            [tool] = page.inspect("gate.py")["tools"]
            expected = {"interrupt": "block", "deferred": True, "background_safe": True, "concurrency_safe": False,
                "prompt_hint": "hint", "prompt_guides": ["guide"]}  # fmt: skip
            self.assertEqual({name: tool[name] for name in expected}, expected)

    async def test_text_result_of_its_tools_reaches_the_model_as_text(self) -> None:
        text = (
            "from cloche import text_result\n"
            "def plain(): return text_result('all is well')\n"
            "async def later(): return text_result('all is well')\n"
            "def register(app):\n"
            "    for execute in (plain, later):\n"
            "        app.register_tool(name=f'gate:{execute.__name__}', description='x', parameters={'type': 'object'},\n"
            "            execute=execute)\n"
        )
        page = self.open(text)
        page.register()
        for name in ("plain", "later"):
            result = await page.run(f"gate:{name}")
            self.assertEqual((result["ok"], result["content"]), (True, [{"type": "text", "text": "all is well"}]))

    def test_a_tool_with_an_error_is_reported_and_cannot_be_called(self) -> None:
        page = self.open("def register(app):\n    app.register_tool(name='gate:x', execute=print)\n")
        page.register()
        report = page.inspect("gate.py")
        self.assertEqual(report["tools"], [])
        self.assertIn("missing-key", [problem["code"] for problem in report["problems"]])
        self.assertIn("has no tool 'gate:x'", page.call("gate:x")["error"])

    def test_before_allows_denies_and_changes_arguments(self) -> None:
        page = self.open()
        before = self.ids(page)["interceptor"]["before"]
        self.assertIsNone(value(page.hook(before, "files:ls", {})))
        self.assertEqual(value(page.hook(before, "files:rm", {})), {"refuse": "no"})
        self.assertEqual(value(page.hook(before, "files:drop", {})), {"refuse": ""})
        self.assertEqual(value(page.hook(before, "files:cut", {"a": 1})), {"arguments": '{"a": 1, "dry": true}'})

    def test_any_other_answer_of_a_guard_is_an_error(self) -> None:
        for answer in ("1", "[]", "{'allow': True}", "{'arguments': []}"):
            page = self.open(
                f"def register(app):\n    app.register_interceptor(name='g', before=lambda t, a: {answer})\n"
            )
            result = page.hook(self.ids(page)["interceptor"]["before"], "t", {})
            self.assertFalse(result["ok"], answer)
            self.assertIn("before must return", result["error"])

    def test_after_replaces_parts_of_the_result(self) -> None:
        page = self.open()
        changed = value(page.hook(self.ids(page)["interceptor"]["after"], "t", {"text_result_for_llm": "secret"}))
        self.assertEqual(changed["text_result_for_llm"], "gone")
        self.assertEqual(changed["stdout"], "")

    def test_completion_messages_and_events(self) -> None:
        page = self.open()
        ids = self.ids(page)
        self.assertEqual(value(page.hook(ids["command"]["complete"], "a")), ["a!"])
        self.assertEqual(value(page.hook(ids["message_hook"]["run"], "yes")), {"text": "context"})
        self.assertEqual(value(page.hook(ids["message_hook"]["run"], "no")), {"text": ""})
        event = ids["event_handler"]["run"]
        self.assertIsNone(value(page.hook(event, {"type": "call_started"})))
        self.assertEqual(value(page.hook(event, {"type": "call_ended"})), {"action": "notify", "text": "x"})

    def test_a_handler_acts_during_its_call_and_returns_an_action(self) -> None:
        page = self.open()
        run = self.ids(page)["command"]["run"]
        asked = FakePage({"answer": "done", "request": 1})
        with mock.patch.object(asking, "_ask", asked):
            returned = value(page.hook(run, "you", {"app": True}))
        [(_, question)] = asked.asked
        self.assertEqual(question["ask"], "app")
        self.assertEqual(json.loads(question["action"]), {"action": "notify", "text": "hi you"})
        self.assertEqual(returned["action"], "run_async")

    async def test_a_function_for_run_async_runs_once(self) -> None:
        page = self.open()
        run = self.ids(page)["command"]["run"]
        with mock.patch.object(asking, "_ask", FakePage({"answer": "done", "request": 1})):
            number = value(page.hook(run, "", {"app": True}))["run"]
        for expected in (True, False):
            page._next += 1
            payload = page.interpreter.call(
                page._next, "@hook", "gate.py", json.dumps({"id": number, "values": []}), "{}", "", False
            )
            if payload:
                page._take(f'{{"t": "result", "id": {page._next}}}', payload)
            result = await page.wait(page._next)
            self.assertEqual(result["ok"], expected)

    def test_acting_before_it_is_bound_says_so(self) -> None:
        page = self.open("def register(app):\n    app.notify('x')\n")
        self.assertIn("not bound yet", page.register()["error"])

    def test_acting_outside_any_call_says_so(self) -> None:
        page = self.open("def register(app):\n    global kept\n    kept = app\n")
        page.register()
        kept = page.interpreter._extensions["gate.py"]
        with self.assertRaisesRegex(RuntimeError, "run_async"):
            kept.notify("x")

    def test_registering_later_is_refused(self) -> None:
        text = "def register(app):\n    app.register_command(name='c', handler=lambda args, app: register(app))\n"
        page = self.open(text)
        result = page.hook(self.ids(page)["command"]["run"], "", {"app": True})
        self.assertIn("only in register(app)", result["error"])

    def test_a_misspelt_method_is_named(self) -> None:
        page = self.open("def register(app):\n    app.register_comand(name='c')\n")
        self.assertIn("did you mean register_command?", page.register()["error"])

    def test_a_hundred_thousand_registrations_are_refused_as_a_whole(self) -> None:
        text = "def register(app):\n    for n in range({}):\n        app.register_status_section(key=str(n))\n"
        self.assertIn("at most 1,000", self.open(text.format(100_000)).register()["error"])
        self.assertTrue(self.open(text.format(1_000)).register()["ok"])

    def test_long_texts_are_refused(self) -> None:
        text = "def register(app):\n    app.register_prompt_section(title='t', content='x' * {})\n"
        self.assertIn("more than the limit", self.open(text.format(100_001)).register()["error"])
        self.assertTrue(self.open(text.format(100_000)).register()["ok"])

    def test_helpers_read_json_numbers(self) -> None:
        arguments = {"n": 3.0, "on": True, "text": "a", "half": 0.5, "none": None}
        self.assertEqual(helpers.int_arg(arguments, "n"), 3)
        self.assertEqual(helpers.int_arg(arguments, "none", 7), 7)
        self.assertEqual(helpers.string_arg(arguments, "text"), "a")
        self.assertIs(helpers.bool_arg(arguments, "on"), True)
        for name in ("half", "on", "text"):
            with self.assertRaises(TypeError):
                helpers.int_arg(arguments, name)
