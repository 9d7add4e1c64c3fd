"""Values are streamed from a running call in batches, and a flood of them is merged."""

import json

from .host import HostCase, text_of

CODE = """
import datetime
def updates(context, values):
    for value in values: context.update(value)
    return "done"
def item(context): context["update"](1)
def many(context, n):
    for i in range(n): context.update(i)
    return n
def yields(values):
    for value in values: yield value
def returns(values):
    for value in values: yield value
    return "returned"
def nothing():
    return
    yield
def returns_none():
    yield "last"
    return None
async def async_yields(values):
    for value in values: yield value
def bad(context): context.update({"when": [datetime.date(2024, 1, 2)]})
def bad_caught(context):
    try: context.update({1})
    except TypeError as error: return str(error)
def big(context): context.update("x" * 1_000_001)
def large(context):
    for _ in range(20): context.update("x" * 900_000)
def bad_yield():
    yield 1
    try: yield {2}
    except TypeError as error: yield str(error)
async def bad_async_yield():
    yield 1
    try: yield {2}
    except TypeError as error: yield str(error)
def bad_yield_uncaught():
    yield 1
    yield {2}
def changing(context):
    value = []
    for i in range(3):
        value.append(i)
        context.update(value)
"""
FUNCTIONS = (
    "updates item many yields returns nothing returns_none async_yields bad bad_caught big large bad_yield "
    "bad_async_yield bad_yield_uncaught changing"
).split()


class UpdatesTest(HostCase):
    def setUp(self):
        self.time = 0.0
        self.host = self.open_tools(CODE, *FUNCTIONS)

    def numbers(self):
        return [one["n"] for batch in self.host.streams() for one in batch["updates"]]

    def test_each_is_exact_json_text(self):
        self.host.call("t:updates", '{"values": [1, 1.0, "é", null, {"a": [1e400]}]}')
        texts = [one["json"] for batch in self.host.streams() for one in batch["updates"]]
        self.assertEqual(texts, ["1", "1.0", '"é"', "null", '{"a": [Infinity]}'])
        self.assertEqual(self.numbers(), [0, 1, 2, 3, 4])

    def test_can_be_called_as_an_item_too(self):
        self.host.call("t:item")
        self.assertEqual(self.host.updates(), [1])

    def test_is_the_value_of_the_moment(self):
        self.host.call("t:changing")
        self.assertEqual(self.host.updates(), [[0], [0, 1], [0, 1, 2]])

    def test_what_is_not_json_is_raised_in_the_handler(self):
        result = self.host.call("t:bad")
        self.assertEqual(
            result["error"], "TypeError: Object of type date is not JSON serializable (at $.when[0]): return its isoformat()"
        )
        self.assertEqual(result["frames"][-1]["name"], "bad")
        expected = "Object of type set is not JSON serializable (at $): return a list"
        self.assertEqual(text_of(self.host.call("t:bad_caught")), expected)

    def test_beyond_its_limit_it_names_the_limit(self):
        error = self.host.call("t:big")["error"]
        self.assertEqual(
            error, "ValueError: the update is 1.0 MB, more than the limit of 1 MB for one update"
        )

    async def test_every_yielded_value_is_an_update(self):
        for tool in ("t:yields", "t:async_yields"):
            result = await self.host.run(tool, {"values": [1, "two", [3]]})
            self.assertEqual((text_of(result), self.host.updates()), ("[3]", [1, "two", [3]]))

    async def test_the_result_is_the_return_value_else_the_last_yielded(self):
        for tool, values, expected in (
            ("t:returns", [1, 2], {"type": "text", "text": "returned"}),
            ("t:returns", [], {"type": "text", "text": "returned"}),
            ("t:yields", [], {"type": "json", "text": "null"}),
            ("t:yields", ["a", None], {"type": "json", "text": "null"}),
            ("t:async_yields", [], {"type": "json", "text": "null"}),
        ):
            result = await self.host.run(tool, {"values": values})
            self.assertEqual(result["content"], [expected])
        self.assertEqual(text_of(await self.host.run("t:nothing")), "null")
        self.assertEqual(text_of(await self.host.run("t:returns_none")), "last")

    async def test_a_bad_value_is_raised_at_its_yield(self):
        for tool in ("t:bad_yield", "t:bad_async_yield"):
            result = await self.host.run(tool)
            self.assertEqual(text_of(result), "Object of type set is not JSON serializable (at $): return a list")
        result = await self.host.run("t:bad_yield_uncaught")
        self.assertEqual(result["error"], "TypeError: Object of type set is not JSON serializable (at $): return a list")
        self.assertEqual([frame["name"] for frame in result["frames"]], ["bad_yield_uncaught"])

    def test_the_first_1000_the_latest_and_a_count_survive_a_flood(self):
        result = self.host.call("t:many", {"n": 50_000})
        self.assertEqual(text_of(result), "50000")
        numbers = self.numbers()
        self.assertEqual(numbers[:1_000], list(range(1_000)))
        self.assertEqual(numbers[-1], 49_999)
        self.assertEqual(numbers, sorted(numbers))
        dropped = sum(batch["dropped"] for batch in self.host.streams())
        self.assertEqual(len(numbers) + dropped, 50_000)

    def test_large_updates_are_merged_before_they_pile_up(self):
        host = self.open_tools(CODE, *FUNCTIONS, now=lambda: 0.0)
        host.call("t:large")
        last = host.streams()[-1]
        self.assertLess(sum(len(one["json"]) for one in last["updates"]), 7_000_000)
        numbers = [one["n"] for batch in host.streams() for one in batch["updates"]]
        self.assertEqual((numbers, last["dropped"]), ([*range(5), 19], 14))

    def test_all_that_a_batch_can_hold_fits_into_its_message(self):
        code = """
import sys
def f(context):
    for n in range(30): context.update('"' * 499_998)
    print("\\x1b" * 200_000, end="")
    for n in range(100): context.log("\\x1b" * 10_000)
    print("\\x1b" * 900_000, file=sys.stderr)
"""
        host = self.open_tools(code, "f", now=lambda: 0.0)
        sent = []
        host.interpreter._emit = lambda header, payload: sent.append(len(header) + len(payload))
        host.call("t:f")
        self.assertGreater(max(sent), 8_000_000)
        self.assertLess(max(sent), 13_000_000)  # the broker's limit: streamRoom in tool-worker-link.ts


class ClockTest(HostCase):
    def test_there_is_one_message_in_50_ms_at_most(self):
        time = [0.0]

        def now():
            time[0] += 0.001
            return time[0]

        host = self.open_tools(CODE, *FUNCTIONS, now=now)
        sent = []
        take = host._take
        host.interpreter._emit = lambda header, payload: (
            sent.append((time[0], json.loads(header)["t"])),
            take(header, payload),
        )
        host.call("t:many", {"n": 1_000})
        times = [at for at, kind in sent if kind == "stream"]
        gaps = [
            later - earlier for earlier, later in zip(times, times[1:-1])
        ]  # the last one is sent with the result
        self.assertGreater(len(gaps), 10)
        self.assertGreaterEqual(min(gaps), 0.0499)
        self.assertLessEqual(max(gaps), 0.06)
        self.assertEqual(host.updates(), list(range(1_000)))
