"""Every kind of callable can be a handler, and what it returns is run to its end."""

import functools

from cloche.handlers import kind_of, takes_context, takes_more

from .host import HostCase, text_of

CODE = """
import asyncio, functools, types

def function(a): return ["function", a]
async def asynchronous(a):
    await asyncio.sleep(0)
    return ["async", a]
def generator(a):
    yield 1
    yield 2
    return ["generator", a]
async def async_generator(a):
    yield 1
    await asyncio.sleep(0)
    yield ["async generator", a]

class Box:
    def __init__(self, mark="box"): self.mark = mark
    def method(self, a): return [self.mark, "method", a]
    async def async_method(self, a): return [self.mark, "async method", a]
    @classmethod
    def of_class(cls, a): return [cls.__name__, "class method", a]
    @staticmethod
    def static(a): return ["static method", a]
    def __call__(self, a): return [self.mark, "call", a]

class AsyncBox:
    async def __call__(self, a): return ["async call", a]
class GeneratorBox:
    def __call__(self, a):
        yield ["generator call", a]

box, async_box, generator_box = Box(), AsyncBox(), GeneratorBox()
method, async_method, of_class, static = box.method, box.async_method, box.of_class, Box.static
static_object = staticmethod(function)
part = functools.partial(function)
async_part = functools.partial(asynchronous)
part_of_part = functools.partial(functools.partial(box.method))
cached = functools.lru_cache(function)
lam = lambda a: ["lambda", a]

@functools.wraps(asynchronous)
def returns_coroutine(*args, **more): return asynchronous(*args, **more)
def returns_generator(a): return (n for n in (a, ["last", a]))
async def returns_generator_async(a): return generator(a)
@types.coroutine
def old_coroutine(a):
    yield from asyncio.sleep(0).__await__()
    return ["old coroutine", a]
class Awaitable:
    def __init__(self, a): self.a = a
    def __await__(self):
        yield from asyncio.sleep(0).__await__()
        return ["awaitable", self.a]
class KnowsItsKeysOnly:  # raises KeyError, which is no AttributeError, for all that Python might ask
    def __init__(self, **keys): self.__dict__["keys"] = keys
    def __getattr__(self, name): return self.__dict__["keys"][name]
    def __call__(self, a): return ["knows its keys", a]
class KnowsAndTakesContext(KnowsItsKeysOnly):
    def __call__(self, a, context): return [context["tool"], a]
class CallsAPartial(KnowsItsKeysOnly):
    __call__ = staticmethod(functools.partial(lambda a: ["calls a partial", a]))
knows_its_keys, knows_and_takes_context, calls_a_partial = KnowsItsKeysOnly(), KnowsAndTakesContext(), CallsAPartial()
async def returns_future(a):
    future = asyncio.get_running_loop().create_future()
    future.set_result(["future", a])
    return future
def without_a_loop(a):
    try: asyncio.get_running_loop()
    except RuntimeError: return ["no loop", a]
def generator_without_a_loop(a):
    yield without_a_loop(a)
"""
RESULTS = {
    "function": ["function", 1],
    "asynchronous": ["async", 1],
    "generator": ["generator", 1],
    "async_generator": ["async generator", 1],
    "box": ["box", "call", 1],
    "async_box": ["async call", 1],
    "generator_box": ["generator call", 1],
    "method": ["box", "method", 1],
    "async_method": ["box", "async method", 1],
    "of_class": ["Box", "class method", 1],
    "static": ["static method", 1],
    "static_object": ["function", 1],
    "part": ["function", 1],
    "async_part": ["async", 1],
    "part_of_part": ["box", "method", 1],
    "cached": ["function", 1],
    "lam": ["lambda", 1],
    "returns_coroutine": ["async", 1],
    "returns_generator": ["last", 1],
    "returns_generator_async": ["generator", 1],
    "old_coroutine": ["old coroutine", 1],
    "Awaitable": ["awaitable", 1],
    "returns_future": ["future", 1],
    "knows_its_keys": ["knows its keys", 1],
    "knows_and_takes_context": ["t:knows_and_takes_context", 1],
    "calls_a_partial": ["calls a partial", 1],
    "without_a_loop": ["no loop", 1],
    "generator_without_a_loop": ["no loop", 1],
}


class HandlersTest(HostCase):
    def setUp(self):
        self.host = self.open_tools(CODE, *RESULTS)

    async def test_every_kind_gives_its_result(self):
        import json

        for name, expected in RESULTS.items():
            with self.subTest(name=name):
                result = await self.host.run(f"t:{name}", {"a": 1})
                self.assertTrue(result["ok"], result)
                self.assertEqual(json.loads(text_of(result)), expected)

    def test_the_kind_of_each_is_reported(self):
        kinds = {tool["name"].split(":")[1]: tool["handler"] for tool in self.host.inspect("t.py")["tools"]}
        expected = {
            **dict.fromkeys(RESULTS, "function"),
            **dict.fromkeys(
                (
                    "asynchronous",
                    "async_box",
                    "async_method",
                    "async_part",
                    "returns_generator_async",
                    "returns_future",
                ),
                "async",
            ),
            **dict.fromkeys(("generator", "generator_box", "generator_without_a_loop"), "generator"),
            "old_coroutine": "generator",
            "async_generator": "async-generator",
        }
        self.assertEqual({name: one["kind"] for name, one in kinds.items()}, expected)

    def test_the_function_behind_each_is_reported(self):
        handlers = {
            tool["name"].split(":")[1]: tool["handler"] for tool in self.host.inspect("t.py")["tools"]
        }
        self.assertEqual(
            handlers["function"], {"kind": "function", "name": "function", "file": "t.py", "line": 4}
        )
        self.assertEqual(handlers["part_of_part"]["name"], "Box.method")
        self.assertEqual(handlers["box"]["name"], "Box.__call__")
        self.assertEqual(handlers["returns_coroutine"]["line"], 5)

    def test_a_sync_handler_has_its_result_at_once(self):
        self.assertTrue(self.host.has_result(self.host.begin("t:function", {"a": 1})))


class BuiltinHandlersTest(HostCase):
    def test_builtins_can_be_handlers(self):
        host = self.open_tools(
            "import math, os\nget, isqrt, pick = {'a': 1}.get, math.isqrt, sorted", "get", "isqrt", "pick"
        )
        report = host.inspect("t.py")
        self.assertEqual([tool["handler"]["file"] for tool in report["tools"]], [None, None, None])
        self.assertEqual([tool["handler"]["line"] for tool in report["tools"]], [None, None, None])
        self.assertIn("TypeError", host.call("t:isqrt", {"x": 1})["error"])


AWAITED = """
import asyncio, concurrent.futures, functools
async def later(): return "done"
async def prints_later():
    await asyncio.sleep(0)
    print("printed")
    return "done"
async def fails_later():
    await asyncio.sleep(0)
    raise ValueError("late")
def coroutine(): return later()
def task(): return asyncio.get_event_loop_policy().get_event_loop().create_task(prints_later())
def failing_task(): return asyncio.get_event_loop_policy().get_event_loop().create_task(fails_later())
def future():
    found = asyncio.get_event_loop_policy().get_event_loop().create_future()
    found.set_result("done")
    return found
async def returns_task(): return asyncio.create_task(later())
async def returns_coroutine(): return later()
class Awaitable:
    def __await__(self):
        yield from asyncio.sleep(0).__await__()
        return "done"
def awaitable(): return Awaitable()
def thread():
    found = concurrent.futures.Future()
    found.set_result("done")
    return found
def nested(): return task()
part = functools.partial(later)
lam = lambda: later()
def task_of_generator():
    async def made():
        for n in range(2): yield n
    async def wrapped(): return made()
    return wrapped()
"""


class AwaitedTest(HostCase):
    async def test_what_can_be_awaited_is(self):
        names = (
            "coroutine task future returns_task returns_coroutine awaitable thread nested lam failing_task "
            "task_of_generator"
        ).split()
        host = self.open_tools(AWAITED, *names)
        for name in names[:-2]:
            with self.subTest(name=name):
                result = await host.run(f"t:{name}")
                self.assertEqual((result.get("error"), result["content"] and text_of(result)), (None, "done"))
        self.assertEqual((await host.run("t:failing_task"))["error"], "ValueError: late")
        self.assertEqual(text_of(await host.run("t:task_of_generator")), "1")


class KindTest(HostCase):
    def test_objects_without_code_are_functions(self):
        self.assertEqual(kind_of(print), "function")
        self.assertEqual(kind_of(dict), "function")

    def test_a_signature_that_cannot_be_told_takes_no_context(self):
        self.assertFalse(takes_context(dict))
        self.assertFalse(takes_context(print))

    def test_only_a_handler_with_keyword_arguments_takes_names_that_it_does_not_list(self):
        def typed(a: int) -> int:
            return a

        @functools.wraps(typed)
        def wrapped(*values: object, **named: object) -> object:
            return typed(*values, **named)

        def open_ended(a: int, **more: object) -> int:
            return a

        takes = [typed, wrapped, functools.partial(typed, a=1), open_ended, functools.partial(open_ended, 1), dict]
        self.assertEqual([takes_more(each) for each in takes], [False, False, False, True, True, True])
