"""Questions of running code to the page: approvals, in plain and asynchronous handlers, on behalf of the right call."""

from __future__ import annotations

import json
from unittest import mock

from cloche import asking, waiting

from .host import HostCase, text_of, tools


class FakePage:
    """Answers questions at once with given answers; keeps what was asked."""

    def __init__(self, *answers: object) -> None:
        self.asked: list[tuple[int, dict]] = []
        self._answers = list(answers)

    def __call__(self, call: int, text: str) -> AtOnce:
        self.asked.append((call, json.loads(text)))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return AtOnce(answer if isinstance(answer, bytes) else json.dumps(answer))


class AtOnce:
    """An awaitable with an immediate answer, so that tests need no browser to wait."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def __await__(self):
        yield from ()
        return self._answer


YES = {"answer": "approval", "request": 1, "approved": True, "reason": ""}
NO = {"answer": "approval", "request": 1, "approved": False, "reason": "no"}


class AskingCase(HostCase):
    """A test with a fake page behind the host."""

    def page(self, *answers: object) -> FakePage:
        page = FakePage(*answers)
        asking.connect(page)
        self.addCleanup(asking.connect, None)
        for name, stand_in in (("require_waiting", lambda instead: None), ("wait", _take)):
            patched = mock.patch.object(asking, name, stand_in)
            patched.start()
            self.addCleanup(patched.stop)
        return page


def _take(answer: AtOnce) -> object:
    try:
        next(answer.__await__())
    except StopIteration as stop:
        return stop.value
    raise AssertionError("an answer that is not there yet")


class TestApprove(AskingCase):
    def test_a_plain_handler_waits(self):
        host = self.open_tools("def f(context): return context.approve('Sure?', {'a': [1]}) is True", "f")
        page = self.page(YES)
        self.assertEqual(text_of(host.call("t:f")), "true")
        asked = {"ask": "approve", "question": "Sure?", "details": '{"a": [1]}'}
        self.assertEqual(page.asked, [(1, asked)])
        self.page(NO)
        self.assertEqual(text_of(host.call("t:f")), "false")

    async def test_an_asynchronous_handler_awaits(self):
        host = self.open_tools("async def f(context): return await context.approve('Sure?')", "f")
        self.page(YES)
        self.assertEqual(text_of(await host.run("t:f")), "true")

    async def test_an_approval_that_is_not_awaited_is_no_yes(self):
        host = self.open_tools("async def f(context): return 1 if context.approve('Sure?') else 2", "f")
        page = self.page(YES)
        result = await host.run("t:f")
        self.assertIn("await context.approve", result["error"])
        self.assertEqual(page.asked, [])

    def test_questions_are_checked(self):
        host = self.open_tools("def f(question, details, context): return context.approve(question, details)", "f")
        page = self.page(YES)
        for question, details, error in [
            (1, None, "TypeError: question must be str"),
            (" ", None, "ValueError: question must not be empty"),
            ("x" * 2_001, None, "ValueError: question has 2,001 characters"),
            ("x", "y" * 20_000, "ValueError: details have 20,002 characters"),
        ]:
            result = host.call("t:f", {"question": question, "details": details})
            self.assertTrue(result["error"].startswith(error), result["error"])
        self.assertEqual(page.asked, [])

    def test_details_that_are_no_json_are_named(self):
        host = self.open_tools("def f(context): return context.approve('x', {'a': {1}})", "f")
        self.page(YES)
        self.assertIn("details.a", host.call("t:f")["error"])

    def test_where_plain_code_cannot_wait_that_is_said(self):
        host = self.open_tools("def f(context): return context.approve('x')", "f")
        page = self.page(YES)
        with mock.patch.object(asking, "require_waiting", waiting.require_waiting):
            error = host.call("t:f")["error"]
        self.assertIn("make the handler `async def`", error)
        self.assertEqual(page.asked, [])

    def test_without_a_page_it_is_refused(self):
        host = self.open_tools("def f(context): return context.approve('x')", "f")
        asking.connect(None)
        self.assertIn("PermissionError", host.call("t:f")["error"])


class TestWhose(AskingCase):
    def test_nothing_can_be_asked_while_a_file_is_imported(self):
        file = "from cloche.asking import ask_and_wait\nask_and_wait({'ask': 'read', 'request': 1}, '')\n"
        host = self.open(file + tools("def f(): pass", "f"))
        page = self.page(YES)
        problems = host.inspect("t.py")["problems"]
        self.assertIn("only during a call", problems[0]["message"])
        self.assertEqual(page.asked, [])

    def test_a_refusal_is_an_ordinary_exception(self):
        host = self.open_tools("def f(context): return context.approve('x')", "f")
        for error in ["PermissionError", "ConnectionError", "TimeoutError", "ValueError", "RuntimeError"]:
            self.page({"answer": "refused", "request": 1, "error": error, "message": "because"})
            self.assertEqual(host.call("t:f")["error"], f"{error}: because")
        self.page({"answer": "refused", "request": 1, "error": "SystemExit", "message": "because"})
        self.assertEqual(host.call("t:f")["error"], "RuntimeError: because")

    def test_outside_a_call_there_is_none(self):
        self.open_tools("def f(): pass", "f")
        self.assertEqual(asking.current_call(), 0)
