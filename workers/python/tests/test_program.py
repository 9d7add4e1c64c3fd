"""Programs: Python with `await` at its top level, which calls tools through the page."""

from __future__ import annotations

import asyncio
import gc
import json
import os
from collections.abc import Callable

from cloche import asking

from .host import HostCase, text_of

WEATHER = {
    "name": "weather:today",
    "module": "weather",
    "function": "today",
    "parameters": ["city", "name"],
    "doc": "async def today(city: str, name: str = '') -> dict\n\nThe weather of a city.",
}
ODD = {"name": "my-file:get it", "module": "my_file", "function": "get_it", "parameters": [], "doc": "get_it()"}


def result(*parts: dict[str, object]) -> dict[str, object]:
    return {"ok": True, "parts": list(parts)}


def value(of: object) -> dict[str, object]:
    return result({"type": "json", "text": json.dumps(of)})


class FakePage:
    """Runs the calls of a program. `answer` takes the tool's name and its arguments, and returns a result."""

    def __init__(self, answer: Callable[[str, dict], dict]) -> None:
        self.calls: list[tuple[str, dict]] = []
        self.open = 0
        self.most_open = 0
        self._answer = answer

    async def ask(self, call: int, text: str) -> str:
        question = json.loads(text)
        assert question["ask"] == "call"
        arguments = json.loads(question["arguments"])
        self.calls.append((question["tool"], arguments))
        self.open += 1
        self.most_open = max(self.open, self.most_open)
        await asyncio.sleep(0)
        self.open -= 1
        answer = self._answer(question["tool"], arguments)
        if "answer" in answer:
            return json.dumps(answer)
        return json.dumps({"answer": "value", "value": json.dumps(answer)})


class ProgramCase(HostCase):
    def setUp(self) -> None:
        # Python 3.11 cannot parse a program while the collector reports a task that was left behind (gh-106905).
        gc.collect()

    def page(self, answer: Callable[[str, dict], dict] = lambda tool, given: value(given)) -> FakePage:
        page = FakePage(answer)
        self.host = self.open({})
        gc.disable()
        self.addCleanup(gc.enable)
        asking.connect(page.ask)
        self.addCleanup(asking.connect, None)
        return page

    async def program(
        self, code: str, keep: bool = False, tools: list[dict] | None = None, missing: list[str] | None = None
    ) -> dict:
        given = {"code": code, "keep": keep, "tools": [WEATHER, ODD] if tools is None else tools}
        return await self.host.wait(self.host.begin_program({**given, **({"missing": missing} if missing else {})}))


class TestCalls(ProgramCase):
    async def test_a_call_is_awaited_and_returns_its_value(self):
        page = self.page(lambda tool, given: value({"city": given["city"], "degrees": [1, 2.5, None]}))
        ended = await self.program("day = await weather.today(city='Oslo')\nday['degrees'][1]")
        self.assertEqual(text_of(ended), "2.5")
        self.assertEqual(page.calls, [("weather:today", {"city": "Oslo"})])

    async def test_a_parameter_may_be_called_name(self):
        page = self.page()
        await self.program("await weather.today('Oslo', name='x')")
        await self.program("await weather.today(name='y', city='Rome')")
        self.assertEqual([given for _, given in page.calls], [{"name": "x", "city": "Oslo"}, {"name": "y", "city": "Rome"}])

    async def test_a_name_that_is_no_identifier_is_reached_by_both_its_names(self):
        page = self.page()
        await self.program("await my_file.get_it(), await tools['my-file:get it'](a=1)")
        self.assertEqual(page.calls, [("my-file:get it", {}), ("my-file:get it", {"a": 1})])

    async def test_the_name_that_the_model_knows_is_its_tool_and_not_another_with_such_a_module(self):
        server = {**ODD, "name": "my-site:get", "function": "get", "wire": "my_site_get_h0123456789"}
        own = {**ODD, "name": "my_site:get", "function": "get", "wire": "my_site__get"}
        first, second = {"module": "my_site"}, {"module": "my_site_2"}
        for tools in ([{**server, **first}, {**own, **second}], [{**own, **first}, {**server, **second}]):
            page = self.page()
            code = "await tools.my_site__get()\nawait my_site__get()\nawait my_site_get_h0123456789()\nawait my_site.get()\nawait my_site_2.get()"
            await self.program(code, tools=tools)
            called = [name for name, _ in page.calls]
            own_name, server_name = own["name"], server["name"]
            self.assertEqual(called, [own_name, own_name, server_name, *(tool["name"] for tool in tools)])

    async def test_a_name_that_several_tools_could_have_calls_none_of_them(self):
        page = self.page()
        tools = [
            {**ODD, "name": "a:b__c", "module": "a", "function": "b__c"},
            {**ODD, "name": "a__b:c", "module": "a__b", "function": "c"},
        ]
        ended = await self.program("await a__b__c()", tools=tools)
        self.assertIn("NameError: name 'a__b__c' is not defined", ended["error"])
        self.assertEqual(page.calls, [])

    async def test_wrong_arguments_are_a_type_error_without_a_call(self):
        page = self.page()
        for code in ("await weather.today('a', 'b', 'c')", "await weather.today('a', city='b')"):
            ended = await self.program(code)
            self.assertIn("TypeError: weather.today()", ended["error"])
        self.assertEqual(page.calls, [])

    async def test_a_missing_tool_names_those_that_exist(self):
        self.page()
        ended = await self.program("await weather.tomorrow()")
        self.assertIn("weather has no tool 'tomorrow'. It has: today", ended["error"])

    async def test_gather_runs_all_calls_at_the_same_time(self):
        page = self.page()
        ended = await self.program("len(await asyncio.gather(*[weather.today(n) for n in range(40)]))")
        self.assertEqual((text_of(ended), page.most_open), ("40", 40))

    async def test_a_failed_call_raises_an_error_that_can_be_caught(self):
        self.page(lambda tool, given: {"ok": False, "message": "No such city.", "error": "ValueError: no"})
        code = "try:\n  await weather.today('x')\nexcept ToolError as e:\n  caught = [e.message, e.tool, e.error]\ncaught"
        ended = await self.program(code)
        self.assertEqual(json.loads(text_of(ended)), ["No such city.", "weather:today", "ValueError: no"])
        ended = await self.program("x = 1\nawait weather.today('x')")
        self.assertEqual(ended["error"], "ToolError: No such city.")
        self.assertIn("program.py, line 2", ended["message"])
        self.assertIn("await weather.today('x')", ended["traceback"])

    async def test_a_refusal_of_the_page_is_an_error(self):
        self.page(lambda tool, given: {"answer": "refused", "error": "RuntimeError", "message": "Too many calls."})
        ended = await self.program("await weather.today('x')")
        self.assertEqual(ended["error"], "RuntimeError: Too many calls.")

    async def test_a_call_that_the_last_line_does_not_await_is_made(self):
        page = self.page()
        self.assertEqual(text_of(await self.program("weather.today('Oslo')")), '{"city": "Oslo"}')
        self.assertEqual(len(page.calls), 1)

    async def test_text_json_and_files_are_values(self):
        png = {"type": "image", "mediaType": "image/png", "data": "aGk="}
        self.page(lambda tool, given: result({"type": "text", "text": "a"}, {"type": "json", "text": '{"b": 1}'}, png))
        ended = await self.program("a, b, c = await weather.today('x')\n[a, b, bytes(c), c.media_type] == ['a', {'b': 1}, b'hi', 'image/png']")
        self.assertEqual(text_of(ended), "true")
        ended = await self.program("parts = await weather.today('x')\nparts[2]")
        self.assertEqual(ended["content"], [png])
        ended = await self.program("['The picture:', parts[2]]", keep=True)
        self.assertEqual(ended["content"], [{"type": "text", "text": "The picture:"}, png])

    async def test_documentation_has_the_signature(self):
        self.page()
        ended = await self.program("weather.today.__doc__.split('\\n')[0], weather.__doc__ == weather.today.__doc__")
        self.assertEqual(json.loads(text_of(ended)), ["async def today(city: str, name: str = '') -> dict", True])


class TestResult(ProgramCase):
    async def test_the_result_is_the_last_line_or_what_is_returned(self):
        self.page()
        for code, expected in (
            ("1 + 1", "2"),
            ("x = 1", "null"),
            ("", "null"),
            ("if True:\n  return {'a': 1}\n2", '{"a": 1}'),
            ("for n in range(5):\n  if n == 3: return n", "3"),
            ("def f(): return 7\nf()", "7"),
            ("import asyncio\nasync def f():\n  await asyncio.sleep(0)\n  return 8\nawait f()", "8"),
        ):
            self.assertEqual(text_of(await self.program(code)), expected, code)

    async def test_a_program_with_a_fault_names_the_line(self):
        self.page()
        self.assertIn("program.py, line 2", (await self.program("x = 1\nx = = 2"))["error"])
        ended = await self.program("x = 1\n\n1 / 0")
        self.assertEqual(ended["error"], "ZeroDivisionError: division by zero")
        self.assertEqual(ended["frames"][0], {"file": "program.py", "line": 3, "name": "<module>"})

    async def test_variables_stay_only_on_request(self):
        self.page()
        await self.program("x = 41")
        self.assertEqual(text_of(await self.program("x + 1", keep=True)), "42")
        await self.program("", tools=[])  # the page runs it before a program without variables
        ended = await self.program("x")
        self.assertEqual(ended["error"], "NameError: name 'x' is not defined")
        self.assertIn("`x` was a variable of an earlier program.", ended["message"])
        self.assertNotIn("earlier program", (await self.program("y"))["message"])

    async def test_the_trial_leaves_the_variables_that_the_next_program_keeps(self):
        self.page()
        await self.program("page, x = 1, 41")
        trial = {"name": "cloche:trial", "module": "cloche_trial", "function": "call", "parameters": [], "doc": ""}
        await self.program("await cloche_trial.call()", keep=True, tools=[trial])
        self.assertEqual(text_of(await self.program("page + x", keep=True)), "42")

    async def test_a_program_that_replaces_a_tool_changes_only_itself(self):
        page = self.page()
        await self.program("async def fake(**given): return 'fake'\nweather.today = fake\nawait weather.today()")
        self.assertEqual(page.calls, [])
        await self.program("await weather.today('Oslo')", keep=True)
        self.assertEqual(len(page.calls), 1)

    async def test_what_a_program_replaces_is_there_for_the_next(self):
        self.page()
        for code in (
            "import builtins\nbuiltins.len = builtins.__import__ = None",
            "asyncio.gather = asyncio.get_running_loop = json.dumps = None",
            "import sys\nsys.meta_path.clear()",
            "import sys\nsys.settrace(lambda *_: None)",
            "import sys\nsys.modules.pop('colorsys', None)\nsys.modules.pop('inspect')\nsys.path.clear()\nsys.settrace = None",
            "import sys\nsys.modules['json'] = sys.modules['absent'] = None\nsys.modules['inspect'] = asyncio",
            "import builtins\nnames = vars(builtins)\nfor name in list(names): names[name] = None",
            "asyncio._set_running_loop(None)",
            "loop = asyncio.get_running_loop()\nloop.create_task = loop.call_soon = None",
            "asyncio.get_running_loop().set_task_factory(lambda loop, work, **_: 1 / 0)",
            "import os\nos.mkdir('gone')\nos.chdir('gone')\nos.rmdir(os.getcwd())",
            "import os, shutil\nshutil.rmtree(os.getcwd(), ignore_errors=True)",
        ):
            await self.program(code)
            after = (
                "import sys\nsys.modules.pop('colorsys', None)\nimport colorsys, inspect, json\ninspect.signature\n"
                "days = await asyncio.gather(weather.today('a'))\n"
                "[len(json.dumps(days)), sys.gettrace(), 'absent' in sys.modules]"
            )
            ended = await self.program(after)
            self.assertEqual((ended.get("error"), json.loads(text_of(ended))), (None, [15, None, False]), code)
        os.makedirs(self.host.root, exist_ok=True)

    async def test_an_object_of_an_earlier_program_makes_no_call_of_a_later_one(self):
        page = self.page()
        await self.program(
            "class Late:\n  def __del__(self, make=asyncio.ensure_future, call=weather.today):\n"
            "    make(call('late'))\nlate = Late()"
        )
        await self.program("await asyncio.sleep(0.01)\nawait weather.today('a')")
        self.assertEqual([given for _, given in page.calls], [{"city": "a"}])

    async def test_an_endless_generator_is_read_to_a_limit(self):
        self.page()
        ended = await self.program("import itertools\n(n for n in itertools.count())")
        self.assertEqual(len(json.loads(text_of(ended))), 100_000)
        ended = await self.program("async def every():\n  while True: yield 1\nevery()")
        self.assertEqual(len(json.loads(text_of(ended))), 100_000)


class TestEnd(ProgramCase):
    async def test_tasks_end_with_their_program(self):
        page = self.page()
        ended = await self.program(
            "async def later():\n  while True: await weather.today('x')\n"
            "task = asyncio.create_task(later())\nawait weather.today('y')"
        )
        self.assertTrue(ended["ok"])
        count = len(page.calls)
        await asyncio.sleep(0.01)
        self.assertEqual(len(page.calls), count)

    async def test_a_call_after_the_end_is_refused(self):
        page = self.page()
        await self.program("f = weather.today\nwaiting = f('x')")
        ended = await self.program("await waiting", keep=True)
        # The coroutine runs in the later program, for which its call counts.
        self.assertTrue(ended["ok"])
        self.assertEqual(len(page.calls), 1)
        await self.program(
            "import contextvars\nown = contextvars.copy_context()\nloop = asyncio.get_running_loop()\nlate = []\n"
            "async def after():\n  try: await weather.today('late')\n  except Exception as e: late.append(type(e).__name__)\n"
            "loop.call_later(0.005, lambda: own.run(loop.create_task, after()))"
        )
        await asyncio.sleep(0.05)
        self.assertEqual(text_of(await self.program("late", keep=True)), '["PermissionError"]')
        self.assertEqual(len(page.calls), 1)

    async def test_cancelling_ends_a_program_at_its_call(self):
        page = self.page()
        program = self.host.begin_program({"code": "while True: await weather.today('x')", "keep": False, "tools": [WEATHER]})
        await self.host.until(lambda: len(page.calls) > 3)
        self.host.interpreter.cancel(program)
        ended = await self.host.wait(program)
        self.assertEqual((ended["ok"], ended["error"]), (False, "CancelledError"))
