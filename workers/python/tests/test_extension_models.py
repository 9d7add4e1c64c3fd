"""Compactors, providers, stream providers and renderers of extensions."""

from __future__ import annotations

import asyncio
import json

from cloche import asking, compact_with_circuit_breaker

from .host import HostCase
from .test_extension import Page, value

MODELS = """
from cloche import actions
import asyncio

def compact(messages):
    return messages[-1:]

def factory(model):
    async def answer(request):
        yield {"type": "reasoning", "text": "hm"}
        for word in request["messages"][-1]["content"].split():
            yield {"type": "text", "text": f"{model} {word} "}
        yield "plain"
        yield {"type": "tool_call", "name": "files:read", "arguments": {"path": "a"}}
        yield {"type": "usage", "input": 3, "output_tokens": 4.0}
    return answer

def render(data, expanded):
    return ["plain", {"type": "table", "columns": ["a", 1], "rows": [[1, "x"], [None, True]]},
        {"type": "image", "data": b"\\x89PNG\\r\\n\\x1a\\n"}, {"type": "json", "value": {"n": expanded}},
        {"type": "link", "url": "https://example.org", "text": "see"}, {"type": "code", "code": "x = 1", "language": "python"}]

def show(args, app):
    app.show_message("chart", {"n": 1}, fallback="one")
    return actions.show_message("text only")

def register(app):
    app.register_compactor(name="short", threshold=50_000, compact=compact)
    app.register_provider("local", base_url="http://localhost:9/v1", api="openai-chat", models=[{"id": "m"}], headers={"X-A": "1"})
    app.register_stream_provider("echo", factory)
    app.register_renderer("chart", render)
    app.register_command(name="show", description="", handler=show)
"""


class Asked:
    """The page: answers what is asked after a turn of the event loop, and keeps it."""

    def __init__(self, answer: object = None) -> None:
        self.actions: list[dict] = []
        self.most_open = 0
        self._open = 0
        self._answer = answer or {"answer": "done", "request": 1}

    def __call__(self, call: int, text: str):
        self.actions.append(json.loads(json.loads(text)["action"]))
        return self._reply()

    async def _reply(self) -> str:
        self._open += 1
        self.most_open = max(self.most_open, self._open)
        await asyncio.sleep(0.001)
        self._open -= 1
        return json.dumps(self._answer)

    @property
    def items(self) -> list[dict]:
        return [item for action in self.actions for item in action["items"]]


class ExtensionModelsTests(HostCase):
    def open(self, text: str = MODELS) -> Page:
        self.doCleanups()
        page = Page({"gate.py": text})
        self.addCleanup(page.close)
        return page

    def ids(self, page: Page) -> dict[str, dict]:
        registered = page.register()
        self.assertTrue(registered["ok"], registered.get("error"))
        return {one["kind"]: one for one in value(registered)["registered"]}

    def refusal(self, call: str) -> str:
        result = self.open(f"def register(app):\n    app.{call}\n").register()
        self.assertFalse(result["ok"], call)
        return result["error"]

    async def stream(self, page: Page, asked: Asked, request: dict, model: str = "m") -> dict:
        asking.connect(asked)
        self.addCleanup(asking.connect, None)
        run = self.ids(page)["stream_provider"]["run"]
        page._next += 1
        arguments = json.dumps({"id": run, "values": [model, request]})
        payload = page.interpreter.call(page._next, "@hook", "gate.py", arguments, "{}", "", False)
        if payload:
            page._take(f'{{"t": "result", "id": {page._next}}}', payload)
        return await page.wait(page._next)

    def test_what_it_registers_is_plain_data(self) -> None:
        known = self.ids(self.open())
        self.assertEqual(
            {key: one for key, one in known["provider"].items()},
            {
                "kind": "provider",
                "name": "local",
                "base_url": "http://localhost:9/v1",
                "api": "openai-chat",
                "models": [{"id": "m"}],
                "headers": [["X-A", "1"]],
            },
        )
        self.assertEqual(known["compactor"]["threshold"], 50_000)
        self.assertIsInstance(known["renderer"]["run"], int)

    def test_a_compactor_gets_messages_and_returns_some(self) -> None:
        page = self.open()
        run = self.ids(page)["compactor"]["run"]
        call = {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "name": "a", "arguments": {"b": 1}}]}
        self.assertEqual(
            value(page.hook(run, [{"role": "user", "content": "a"}, call])),
            [{**call, "tool_calls": [{"id": "1", "name": "a", "arguments": '{"b": 1}'}]}],
        )

    def test_any_other_answer_of_a_compactor_is_an_error(self) -> None:
        for answer in ("None", "'text'", "[1]", "[{'role': 'user'}]", "[{'role': 'user', 'content': 1}]"):
            page = self.open(
                f"def register(app):\n    app.register_compactor(name='c', compact=lambda messages: {answer})\n"
            )
            result = page.hook(self.ids(page)["compactor"]["run"], [])
            self.assertFalse(result["ok"], answer)

    async def test_a_stream_provider_sends_its_parts_in_order_and_one_batch_at_a_time(self) -> None:
        page, asked = self.open(), Asked()
        words = " ".join(str(n) for n in range(2_000))
        result = await self.stream(page, asked, {"messages": [{"role": "user", "content": words}]})
        self.assertTrue(result["ok"], result.get("error"))
        texts = [item["text"] for item in asked.items if item["type"] == "text"]
        self.assertEqual(texts, [f"m {n} " for n in range(2_000)] + ["plain"])
        self.assertEqual(asked.items[0], {"type": "reasoning", "text": "hm"})
        self.assertEqual(
            asked.items[-2:],
            [
                {"type": "tool_call", "id": "", "name": "files:read", "arguments": '{"path": "a"}'},
                {"type": "usage", "input": 3, "output": 4.0},
            ],
        )
        self.assertEqual(asked.most_open, 1)
        self.assertLess(len(asked.actions), 200)

    async def test_a_page_that_refuses_ends_the_stream(self) -> None:
        page = self.open()
        asked = Asked({"answer": "refused", "error": "PermissionError", "message": "nobody reads", "request": 1})
        result = await self.stream(page, asked, {"messages": [{"role": "user", "content": "a " * 2_000}]})
        self.assertIn("nobody reads", result["error"])

    async def test_a_cancelled_stream_runs_its_finally(self) -> None:
        text = """
import asyncio
seen = []
def factory(model):
    async def answer(request):
        try:
            yield "a"
            await asyncio.sleep(60)
        finally:
            seen.append("closed")
    return answer
def register(app):
    app.register_stream_provider("echo", factory)
    app.register_command(name="seen", handler=lambda args, app: None, complete=lambda prefix: seen)
"""
        page, asked = self.open(text), Asked()
        asking.connect(asked)
        self.addCleanup(asking.connect, None)
        known = self.ids(page)
        page._next += 1
        call = page._next
        arguments = json.dumps({"id": known["stream_provider"]["run"], "values": ["m", {}]})
        page.interpreter.call(call, "@hook", "gate.py", arguments, "{}", "", False)
        await page.until(lambda: bool(asked.actions))
        page.interpreter.cancel(call)
        await page.wait(call)
        self.assertEqual(value(page.hook(known["command"]["complete"], "")), ["closed"])

    async def test_a_part_that_is_none_is_an_error_at_its_yield(self) -> None:
        for part in ("1", "{'type': 'html', 'text': 'a'}", "{'type': 'text'}", "{'type': 'tool_call'}",
            "{'type': 'usage', 'input': 'many'}", "{'type': 'text', 'text': 'x' * 200_000}"):
            text = f"""
def factory(model):
    async def answer(request):
        yield {part}
    return answer
def register(app):
    app.register_stream_provider("echo", factory)
"""
            result = await self.stream(self.open(text), Asked(), {})
            self.assertFalse(result["ok"], part)

    async def test_a_factory_of_something_else_says_so(self) -> None:
        for factory in ("lambda model: 1", "lambda model: lambda request: [1]"):
            text = f"def register(app):\n    app.register_stream_provider('echo', {factory})\n"
            result = await self.stream(self.open(text), Asked(), {})
            self.assertIn("async generator function", result["error"])

    def test_a_renderer_returns_blocks(self) -> None:
        page = self.open()
        run = self.ids(page)["renderer"]["run"]
        self.assertEqual(
            value(page.hook(run, {}, True)),
            [
                {"type": "text", "text": "plain"},
                {"type": "table", "columns": ["a", "1"], "rows": [[1, "x"], [None, True]]},
                {"type": "image", "data": "iVBORw0KGgo=", "media_type": "image/png", "alt": ""},
                {"type": "json", "text": '{"n": true}'},
                {"type": "link", "url": "https://example.org", "text": "see"},
                {"type": "code", "text": "x = 1", "language": "python"},
            ],
        )

    def test_any_other_block_is_an_error(self) -> None:
        for block in ("1", "[1]", "[{'type': 'html', 'text': '<b>'}]", "[{'type': 'link', 'url': 'javascript:1'}]",
            "[{'type': 'table', 'rows': [1]}]", "[{'type': 'image', 'data': 'x'}]", "['a'] * 101", "['x' * 100_001]"):
            page = self.open(f"def register(app):\n    app.register_renderer('k', lambda data, expanded: {block})\n")
            result = page.hook(self.ids(page)["renderer"]["run"], {}, False)
            self.assertFalse(result["ok"], block)

    def test_a_message_of_a_kind_is_an_action_with_its_data(self) -> None:
        page, asked = self.open(), Asked()
        asking.connect(lambda call, text: asked.actions.append(json.loads(json.loads(text)["action"])))
        self.addCleanup(asking.connect, None)
        returned = value(page.hook(self.ids(page)["command"]["run"], "", {"app": True}))
        self.assertEqual(asked.actions, [{"action": "show_data", "kind": "chart", "data": '{"n": 1}', "text": "one"}])
        self.assertEqual(returned, {"action": "show_message", "text": "text only"})

    def test_what_is_registered_out_of_form_is_refused(self) -> None:
        self.assertIn("threshold", self.refusal("register_compactor(name='c', compact=print, threshold=-1)"))
        self.assertIn("function", self.refusal("register_compactor(name='c', compact=1)"))
        self.assertIn('"id"', self.refusal("register_provider('p', base_url='http://a', models=[{}])"))
        self.assertIn("'key'", self.refusal("register_provider('p', base_url='http://a', models=[{'id': 'a', 'key': 1}])"))
        self.assertIn("header", self.refusal("register_provider('p', headers={'a': 1})"))
        self.assertIn("function", self.refusal("register_stream_provider('p', 1)"))
        self.assertIn("function", self.refusal("register_renderer('p', 1)"))

    async def test_the_circuit_breaker_rests_after_failures_in_a_row(self) -> None:
        calls: list[int] = []

        def fails(messages: list) -> list:
            calls.append(1)
            if len(messages) == 1:
                raise ValueError("broken")
            return messages

        guarded = compact_with_circuit_breaker(fails, 2, 0.05)
        for messages in ([1], [1, 2], [1], [1]):
            try:
                await guarded(messages)
            except ValueError:
                pass
        with self.assertRaisesRegex(RuntimeError, "off for"):
            await guarded([1, 2])
        self.assertEqual(len(calls), 4)
        await asyncio.sleep(0.06)
        self.assertEqual(await guarded([1, 2]), [1, 2])
