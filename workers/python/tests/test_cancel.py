"""A cancelled call ends by itself if it can, and always with one result."""

import asyncio
import gc
import time
import warnings

from .host import HostCase, text_of

CODE = """
import asyncio, contextvars, decimal
ended = []
async def sleeps(context):
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        ended.append(["sleeps", context.cancelled])
        raise
async def cleans_up(context):
    try: await asyncio.sleep(60)
    finally:
        await asyncio.sleep(0)
        ended.append("cleaned")
async def refuses(context):
    try: await asyncio.sleep(60)
    except asyncio.CancelledError: return "finished anyway"
def generator(context):
    try:
        while True: yield 1
    finally: ended.append(["generator", context.cancelled])
async def async_generator():
    try:
        while True: yield 1
    finally: ended.append("async generator")
def stubborn():
    while True:
        try: yield 1
        except GeneratorExit: ended.append("stubborn")
async def cancels_itself(): asyncio.current_task().cancel(); await asyncio.sleep(0)
async def waits_for_task(): await asyncio.create_task(asyncio.sleep(60))
def state(): return ended
def sync(context): return context.cancelled
variable = contextvars.ContextVar("variable", default="unset")
decimal.getcontext().prec = 5
def sets():
    variable.set("set")
    decimal.setcontext(decimal.Context(prec=9))
async def async_sets(): sets()
def gets(): return [variable.get(), decimal.getcontext().prec]
async def async_gets(): return [variable.get(), decimal.getcontext().prec]
"""
FUNCTIONS = (
    "sleeps cleans_up refuses generator async_generator stubborn cancels_itself waits_for_task state sync sets async_sets gets async_gets"
).split()


class CancelTest(HostCase):
    def setUp(self):
        self.host = self.open_tools(CODE, *FUNCTIONS)

    async def cancelled(self, tool, after=0.01):
        call = self.host.begin(tool)
        await asyncio.sleep(after)
        self.assertFalse(self.host.has_result(call))
        self.host.interpreter.cancel(call)
        return await self.host.wait(call)

    def ended(self):
        return text_of(self.host.call("t:state"))

    async def test_an_async_handler_is_cancelled_where_it_awaits(self):
        result = await self.cancelled("t:sleeps")
        self.assertEqual((result["ok"], result["error"]), (False, "CancelledError"))
        self.assertEqual(self.ended(), '[["sleeps", true]]')

    async def test_it_may_clean_up(self):
        await self.cancelled("t:cleans_up")
        self.assertEqual(self.ended(), '["cleaned"]')

    async def test_it_may_finish_all_the_same(self):
        self.assertEqual(text_of(await self.cancelled("t:refuses")), "finished anyway")

    async def test_what_it_waits_for_is_cancelled_too(self):
        self.assertEqual((await self.cancelled("t:waits_for_task"))["error"], "CancelledError")

    async def test_an_endless_generator_lets_the_cancellation_in_and_is_closed(self):
        result = await self.cancelled("t:generator")
        self.assertEqual(result["error"], "CancelledError")
        self.assertEqual(self.ended(), '[["generator", true]]')

    async def test_an_endless_async_generator_too(self):
        result = await self.cancelled("t:async_generator")
        self.assertEqual(result["error"], "CancelledError")
        self.assertEqual(self.ended(), '["async generator"]')

    async def test_a_generator_that_will_not_be_closed_is_a_failure(self):
        result = await self.cancelled("t:stubborn")
        self.assertEqual(result["error"], "RuntimeError: generator ignored GeneratorExit")

    async def test_before_its_first_step_it_never_begins(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for tool in ("t:sleeps", "t:generator", "t:async_generator"):
                self.assertEqual((await self.at_once(tool))["error"], "CancelledError")
            gc.collect()
        self.assertEqual([str(one.message) for one in caught], [])
        self.assertEqual(self.ended(), "[]")

    async def at_once(self, tool):
        call = self.host.begin(tool)
        self.host.interpreter.cancel(call)
        return await self.host.wait(call)

    async def test_other_calls_go_on(self):
        kept = self.host.begin("t:refuses")
        await self.cancelled("t:sleeps")
        self.assertFalse(self.host.has_result(kept))
        self.host.interpreter.cancel(kept)
        self.assertTrue((await self.host.wait(kept))["ok"])

    async def test_a_handler_may_cancel_itself(self):
        self.assertEqual((await self.host.run("t:cancels_itself"))["error"], "CancelledError")

    async def test_twice_or_after_the_end_or_for_nobody_does_nothing(self):
        call = self.host.begin("t:refuses")
        await asyncio.sleep(0.005)
        self.host.interpreter.cancel(call)
        self.host.interpreter.cancel(call)
        await self.host.wait(call)
        self.host.interpreter.cancel(call)
        self.host.interpreter.cancel(99)
        await asyncio.sleep(0.005)
        self.assertEqual([header["t"] for header, _ in self.host.messages].count("result"), 1)

    async def test_nothing_is_kept_of_calls_that_have_ended(self):
        await self.cancelled("t:sleeps")
        await self.at_once("t:sleeps")
        self.host.call("t:state")
        self.assertEqual(self.host.interpreter._calls, {})


class ScopeTest(HostCase):
    async def test_context_variables_hold_as_those_of_a_program_s_main_thread(self):
        host = self.open_tools(CODE, *FUNCTIONS)
        self.assertEqual(text_of(host.call("t:gets")), '["unset", 5]')
        self.assertTrue((await host.run("t:async_sets"))["ok"])  # a task has its own context
        self.assertEqual(text_of(host.call("t:gets")), '["unset", 5]')
        self.assertTrue(host.call("t:sets")["ok"])
        self.assertEqual(text_of(host.call("t:gets")), '["set", 9]')
        self.assertEqual(text_of(await host.run("t:async_gets")), '["set", 9]')


class OverlapTest(HostCase):
    async def test_async_calls_overlap(self):
        host = self.open_tools(
            """
import asyncio
here = []
async def meets(name):
    here.append(name)
    while len(here) < 2: await asyncio.sleep(0.001)
    return here
""",
            "meets",
        )
        first, second = host.begin("t:meets", {"name": "a"}), host.begin("t:meets", {"name": "b"})
        self.assertEqual(text_of(await host.wait(first)), '["a", "b"]')
        self.assertEqual(text_of(await host.wait(second)), '["a", "b"]')

    async def test_what_they_print_and_return_and_tell_stays_apart(self):
        host = self.open_tools(
            """
import asyncio, contextvars
mine = contextvars.ContextVar("mine", default="nobody")
async def tells(name, context):
    mine.set(name)
    context.metadata["name"] = name
    for number in range(3):
        print(name, number)
        context.update([name, number])
        await asyncio.sleep(0.002)
        await asyncio.create_task(helps(name))
    return [mine.get(), context.call_id, context.session_id]
async def helps(name):
    await asyncio.sleep(0.001)
    print("help", mine.get())
async def fails(name):
    await asyncio.sleep(0.003)
    raise ValueError(name)
""",
            "tells",
            "fails",
        )
        calls = [host.begin("t:tells", {"name": name}, call_id=name) for name in "abc"]
        failing = host.begin("t:fails", {"name": "d"})
        results = [await host.wait(call) for call in calls]
        self.assertEqual([text_of(one) for one in results], [f'["{name}", "{name}", "s1"]' for name in "abc"])
        self.assertEqual([one["metadata"] for one in results], [f'{{"name": "{name}"}}' for name in "abc"])
        for call, name in zip(calls, "abc"):
            lines = [line for number in range(3) for line in (f"{name} {number}", f"help {name}")]
            self.assertEqual(host.printed(call).splitlines(), lines)
            self.assertEqual(host.updates(call), [[name, number] for number in range(3)])
        self.assertEqual((await host.wait(failing))["error"], "ValueError: d")

    async def test_together_they_send_no_more_than_one_alone(self):
        host = self.open_tools(
            """
import asyncio
async def pours(seconds, context):
    for number in range(int(seconds * 1000)):
        context.update(number)
        await asyncio.sleep(0.001)
""",
            "pours",
        )
        began = time.monotonic()
        calls = [host.begin("t:pours", {"seconds": 0.3}) for _ in range(20)]
        for call in calls:
            await host.wait(call)
        seconds = time.monotonic() - began
        # A call sends one batch at once, one at its end, and 20 a second in between.
        batches = sum(len(host.streams(call)) for call in calls)
        self.assertLessEqual(batches, 20 * 2 + 20 * seconds + 1)
