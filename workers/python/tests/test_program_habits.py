"""Programs as models write them: what can only mean one thing runs, and errors say what to write instead."""

from __future__ import annotations

import json
from collections.abc import Callable

from .host import text_of
from .packages import Index, ResolverCase, distributed, tool, wheel
from .test_program import ODD, WEATHER, FakePage, ProgramCase, value

HASHED = {**ODD, "wire": "my_file_get_it_h0123456789"}
ADD = {"name": "math:add", "module": "math", "function": "add", "parameters": ["a", "b"], "doc": "add(a, b)"}
MAIL = {"name": "mail:send", "module": "mail", "function": "send", "parameters": ["from", "start-date"], "doc": "send()"}
MAIN = "import asyncio\nasync def main():\n  return await weather.today('a')\n"


def answer(tool: str, given: dict) -> dict:
    if given.get("city") == "bad":
        return {"ok": False, "message": "No such city.", "error": "ValueError: no"}
    return value(given)


def reasons_of(file: str, *wheels: dict, **more) -> list[str]:
    """Why packages of a tool file are not installed, as the page words the resolver's problems for programs."""
    answer = ResolverCase().ask({"a.py": file}, *wheels, **more)
    return [f"{one['message']}. {one['hint']}" for one in answer["problems"]]


class TestHabits(ProgramCase):
    def page(self, answer: Callable[[str, dict], dict] = answer) -> FakePage:
        return super().page(answer)

    async def ended(self, code: str) -> dict:
        return await self.program(code, tools=[WEATHER, ODD, ADD, MAIL])

    async def test_what_can_only_mean_one_thing_runs(self):
        for code in (
            "```python\nawait weather.today('a')\n```",
            "The program:\n\n```\nawait weather.today('a')\n```\nIt asks once.",
            "~~~py\nawait weather.today('a')\n~~~",
            "    await weather.today('a')",
            "\ufeffawait weather.today('a')",
            "x\u00a0= 'a'\nawait weather.today(x)\u200b",
            f"{MAIN}asyncio.run(main())",
            f"{MAIN}if __name__ == '__main__':\n  day = asyncio.run(main())\nday",
            f"{MAIN}asyncio.get_event_loop().run_until_complete(main())",
            "await weather__today('a')",
            "await tools['weather__today']('a')",
            "await tools['weather.today']('a')",
            "await tools.weather.today('a')",
            "await tools.today('a')",
            "import tools\nawait tools['weather:today']('a')",
            "from tools import weather, ToolError\nawait weather.today('a')",
            "from tools.weather import today\nawait today('a')",
            "import weather as w\nawait w.today('a')",
            "from weather import *\nawait today('a')",
            "try:\n  return await weather.today('a')\nexcept:\n  print('caught')",
            "try:\n  day = weather.today('a')\nexcept BaseException:\n  pass\nelse:\n  return day",
            f"import nest_asyncio\nnest_asyncio.apply()\n{MAIN}asyncio.run(main())",
            f"import asyncio as aio\n{MAIN}aio.run(main())",
            f"from asyncio import run\n{MAIN}run(main())",
            f"{MAIN}async def outer():\n  return asyncio.run(main())\nawait outer()",
            f"{MAIN}if __name__ == '__main__':\n  asyncio.run(main())",
            f"{MAIN}loop = asyncio.get_event_loop()\nif loop.is_running():\n  loop.create_task(main())\nelse:\n  asyncio.run(main())",
            "try:\n  await weather.today('a')\nexcept ToolError as error:\n  print(error.message)",
            "async with asyncio.timeout(5):\n  await weather.today('a')",
            "async with asyncio.TaskGroup() as group:\n  task = group.create_task(weather.today('a'))\ntask.result()",
            "async def days():\n  yield await weather.today('a')\n[one async for one in days()][0]",
            "async def days():\n  yield await weather.today('a')\nasync for one in days():\n  return one",
            "list(await weather.today(c) for c in 'a')[0]",
            "async def main():\n  return max((await weather.today(c) for c in 'a'), key=str)\nawait main()",
            "dict([(c, await weather.today(c)) for c in 'a'])['a']",
            "dict((c, await weather.today(c)) for c in 'a')['a']",
            "class Client:\n  async def get(self, city):\n    return await weather.today(city)\nawait Client().get('a')",
            "match await weather.today('a'):\n  case {'city': str()} as day:\n    pass\nday",
            "while (day := await weather.today('a')) is None:\n  pass\nday",
            "import inspect\nf = weather.today\nday = f('a')\nif inspect.isawaitable(day):\n  day = await day\nday",
            "import functools\nawait functools.partial(weather.today, city='a')()",
            "from __future__ import annotations\nfrom dataclasses import asdict, dataclass\n@dataclass\nclass Day:\n  city: str\n"
            "asdict(Day(**await weather.today('a')))",
            "from tools import weather__today as today\nawait today(**{'city': 'a'})",
        ):
            page = self.page()
            ended = await self.ended(code)
            self.assertEqual((ended.get("error"), page.calls), (None, [("weather:today", {"city": "a"})]), code)
            self.assertEqual(json.loads(text_of(ended)), {"city": "a"}, code)

    async def test_the_name_that_the_model_knows_a_tool_by_is_a_function(self):
        page = self.page()
        await self.program("await my_file_get_it_h0123456789()\nawait my_file__get_it()", tools=[HASHED])
        self.assertEqual(page.calls, [("my-file:get it", {}), ("my-file:get it", {})])

    async def test_a_statement_that_calls_a_tool_or_an_asynchronous_function_is_awaited(self):
        page = self.page()
        await self.ended(f"{MAIN}weather.today('b')\nif __name__ == '__main__':\n  main()\nprint('done')")
        within = "class Day:\n  async def get(self):\n    weather.today('c')\n    print('done')\nawait Day().get()"
        await self.ended(within)
        self.assertEqual([given["city"] for _, given in page.calls], ["b", "a", "c"])

    async def test_a_name_that_several_tools_have_lists_them_and_calls_none(self):
        def named(module: str) -> dict:
            return {**ODD, "name": f"{module}:find", "module": module, "function": "find"}

        for modules, listed in (
            ("ab", "`await a.find(…)`, `await b.find(…)`."),
            ("abcdefg", "`await a.find(…)`, `await b.find(…)`, `await c.find(…)`, `await d.find(…)`, `await e.find(…)` and 2 more."),
        ):
            for code in ("await find()", "await tools.find()"):
                page = self.page()
                ended = await self.program(code, tools=[named(module) for module in modules])
                self.assertIn(f"Several tools have this name: {listed}", ended["message"], code)
                self.assertEqual(page.calls, [], code)
        page = self.page()
        ended = await self.program("await tools['find']()", tools=[named("a"), named("b")])
        self.assertIn("Several tools have this name: tools['a:find'], tools['b:find'].", ended["message"])
        await self.program("await tools['find']()", tools=[named("a"), WEATHER])
        self.assertEqual(page.calls, [("a:find", {})])

    async def test_the_error_of_a_missing_module_says_why_its_package_is_not_there(self):
        none = "the packages that the folder's files declare, but not the files."
        one, two, older = wheel("one", "1.0"), wheel("two", "1.0", "not-either<4"), wheel("one", "0.5")
        three = (wheel("three", "1.0", "fifth", "sixth"), wheel("fifth", "1.0", "one<1"), wheel("sixth", "1.0", "one>=1"))
        system, index = wheel("four", "1.0", tag="cp314-cp314-win_amd64"), Index(one, two)
        for reasons, explained in (
            (reasons_of(tool("Not.There>=2.28")), ["not_there", "not_there.adapters"]),
            (reasons_of(tool("tavily-python; sys_platform != 'linux'")), ["tavily"]),
            (reasons_of(tool("two"), two), ["two", "not_either"]),
            (reasons_of(tool("fourr"), distributed("four", "1"), index=index), ["fourr", "four"]),
            (reasons_of(tool("one>=3"), index=index), ["one"]),
            (reasons_of(tool("two"), index=index), ["two", "not_either"]),
            (reasons_of(tool("three"), *three, one, older), ["three", "fifth", "sixth", "one"]),
            (reasons_of(tool("one>=1", "one<1"), one, older), ["one"]),
            (reasons_of(tool("four"), system, index=index), ["four"]),
            (["The package Not.There 1.0 is missing: it cannot be reached. Press Refresh."], ["not_there"]),
            (["Could not resolve packages: too many packages. Press Refresh."], []),
        ):
            self.assertEqual(len(reasons), 1)
            others = ("folder", "package", "wheels", "version", "report", "that", "available")
            for module in (*explained, *others):
                self.page()
                ended = await self.program(f"import {module}", missing=reasons)
                self.assertEqual(ended.get("error"), f"ModuleNotFoundError: No module named '{module.partition('.')[0]}'")
                said, unsaid = (reasons[0], none) if module in explained else (none, f"\n{reasons[0]}")
                self.assertIn(said, ended["message"], (module, reasons))
                self.assertNotIn(unsaid, ended["message"], (module, reasons))
        self.page()
        # A reason that names no package may be why any of them is missing.
        ended = await self.program("import not_there", missing=reasons)
        self.assertIn(f"{none} Not all of these packages are installed: {reasons[0]}", ended["message"])
        # The program can catch the error, and goes on.
        ended = await self.program("try:\n  import not_there\nexcept ImportError:\n  pass\n1", missing=reasons)
        self.assertEqual(text_of(ended), "1")
        ended = await self.program("import json.nothing")
        self.assertNotIn(none, ended["message"])

    async def test_a_parameter_that_python_has_no_name_for_has_a_spelling(self):
        page = self.page()
        await self.ended("await mail.send(from_='x', start_date='y')")
        await self.ended("await mail.send(**{'from': 'x', 'start-date': 'y', 'from_': 'z'})")
        given = {"from": "x", "start-date": "y"}
        self.assertEqual([one for _, one in page.calls], [given, {**given, "from_": "z"}])

    async def test_a_task_that_nothing_awaits_is_named(self):
        self.page()
        await self.ended("async def later():\n  await asyncio.sleep(9)\ntask = asyncio.create_task(later())\nprint('done')")
        said = "done\n[Tasks that nothing awaits were cancelled: 1. Write `await` in front of each.]\n"
        self.assertEqual(self.host.printed(), said)
        await self.ended("async def days():\n  yield 1\n  yield 2\nasync for day in days():\n  break\nprint(day)")
        self.assertEqual(self.host.printed(), "1\n")

    async def test_calls_in_the_last_value_are_awaited(self):
        self.page()
        for code, expected in (
            ("[weather.today(c) for c in 'ab']", [{"city": "a"}, {"city": "b"}]),
            ("{c: weather.today(c) for c in 'a'}", {"a": {"city": "a"}}),
            ("map(weather.today, 'a')\n(weather.today(c) for c in 'a')", [{"city": "a"}]),
            ("(await weather.today(c) for c in 'ab')", [{"city": "a"}, {"city": "b"}]),
            (
                "await asyncio.gather(weather.today('a'), weather.today('bad'), return_exceptions=True)",
                [{"city": "a"}, "ToolError: No such city."],
            ),
        ):
            self.assertEqual(json.loads(text_of(await self.ended(code))), expected, code)

    async def test_a_value_that_json_does_not_have_is_shown_as_python_shows_it(self):
        self.page()
        self.assertEqual(text_of(await self.ended("import datetime\n[datetime.date(2026, 1, 2)]")), "[datetime.date(2026, 1, 2)]")
        self.assertEqual(text_of(await self.ended("days = {}\ndays['a'] = days\ndays")), "{'a': {...}}")
        self.assertIn("call it", (await self.ended("weather.today"))["error"])

    async def test_a_call_that_nothing_awaits_is_named(self):
        page = self.page()
        await self.ended("day = weather.today('a')\nprint('done')")
        self.assertEqual(page.calls, [])
        said = "done\n[Calls that nothing awaits were not made. Write `await weather.today(…)`.]\n"
        self.assertEqual(self.host.printed(), said)

    async def test_a_program_may_exit(self):
        self.page()
        for code in ("print('a')\nexit()", "import sys\nprint('a')\nsys.exit(0)"):
            self.assertEqual(text_of(await self.ended(code)), "null", code)
        self.assertEqual((await self.ended("import sys\nsys.exit('no data')"))["error"], "SystemExit: no data")

    async def test_imported_tools_are_gone_with_their_program(self):
        self.page()
        await self.ended("import weather")
        gone = await self.program("import weather", tools=[ADD])
        self.assertEqual(gone["error"], "ModuleNotFoundError: No module named 'weather'")

    async def test_a_folder_without_tools_has_none(self):
        for code in ("tools['x']", "tools.x", "import client"):
            self.page()
            ended = await self.program(code, tools=[])
            self.assertIn("There are no tools.", ended["message"], code)
            self.assertNotIn("The tools are", ended["message"], code)

    async def test_an_error_says_what_to_write(self):
        awaited = "Write `await weather.today(…)`"
        for code, advice in (
            ("day = weather.today('a')\nday['city']", awaited),
            ("weather.today('a').get('city')", awaited),
            ("print(weather.today('a'))", awaited),
            ("f'{weather.today(1)}'", awaited),
            ("for x in weather.today('a'): pass", awaited),
            ("if weather.today('a'): print('yes')", awaited),
            ("weather.today('a') + 1", awaited),
            ("json.dumps(weather.today('a'))", "Write `await` in front"),
            (f"{MAIN}main()['city']", "Write `await` in front"),
            ("asyncio.gather(weather.today('a'))[0]", "Write `await` in front"),
            ("await asyncio.gather([weather.today('a')])", "asyncio.gather(*calls)"),
            ("await (await weather.today('a'))", "only calls are awaited"),
            ("def f():\n  return await weather.today('a')", "Write `async def`"),
            ("async def days():\n  yield 1\nfor day in days(): pass", "Write a list"),
            ("any(await weather.today(c) for c in 'ab')", "Write a list"),
            ("async def main():\n  weather = await weather.today('a')\nawait main()", "`weather` is the name of a module of tools"),
            ("await weather['today']('a')", "with a dot"),
            ("await mail.send(\n  from='a',\n)", "Write `from_=` for the parameter `from`"),
            ("await mail.send(start-date='a')", "Write `start_date=`"),
            ("await today('a')", "Call it as `await weather.today(…)`"),
            ("await call_tool('weather:today', {})", "The tools are `await weather.today(…)`"),
            ("from functions import today", "The tools are `await weather.today(…)`"),
            ("from weather import tomorrow", "The tools are `await weather.today(…)`"),
            ("await tools('weather:today')", "await tools['module:tool']"),
            ("await tools.call('weather:today')", awaited[6:]),
            ("await tools['wether:today']()", "Did you mean tools['weather:today']?"),
            ("await wether.today('a')", "Did you mean `weather`?"),
            ("await weather:today('a')", "Write a dot"),
            ("weather:today('a')", "Write a dot"),
            ("weather = await weather.today('a')\nawait weather.today('b')", "`await tools['weather:today'](…)`"),
            ("import math\nawait math.add(1, 2)", "`await tools['math:add'](…)`"),
            ("json.loads(await weather.today('a'))", "leave out `json.loads`"),
            ("await weather.today({1, 2})", "weather.today() takes values that JSON has"),
            ("await weather.today(float('nan'))", "weather.today() takes values that JSON has"),
            ("input('city? ')", "cannot ask"),
            ("x = true", "Python writes `True`"),
            ("print(“hi”)", "Write straight quotes"),
            ("x = 1\\nprint(x)", "Write line breaks"),
            (">>> 1", "without Markdown, prompts"),
            ("%pip install x", "Commands of shells"),
            ("x = 1\nx = = 2", "Line 2: x = = 2"),
        ):
            self.page()
            ended = await self.ended(code)
            self.assertIn(advice, ended.get("message", "no error"), code)
            self.assertNotIn("ast.py", ended["message"], code)
