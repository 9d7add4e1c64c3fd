"""A spec's own callable decides for each call; if it fails, the safe answer is used."""

from .host import HostCase

CODE = """
import asyncio, contextvars, sys
clock = None
seen = contextvars.ContextVar("seen", default=False)
def on_city(arguments): return arguments["city"] == "Oslo"
def raises(arguments): raise SystemExit
def truthy(arguments): return 1
async def later(arguments): return True
def slow(arguments):
    clock(1.5)
    return arguments["city"] == "Oslo"
def prints(arguments):
    print("deciding")
    seen.set(True)
    return True
def leaks(arguments): return seen.get()
def f(**more): return 1
TOOL_SPECS = [
    {
        "name": f"t:{name}", "description": "d", "handler": f,
        "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}},
        "requires_approval": said, "concurrency_safe": said,
    }
    for name, said in dict(
        yes=True, no=False, on_city=on_city, raises=raises, truthy=truthy, later=later, slow=slow, prints=prints,
        leaks=leaks, integer=lambda arguments: type(arguments["n"]) is int,
    ).items()
] + [{"name": "t:silent", "description": "d", "handler": f, "parameters": {"type": "object"}}]
"""


class DecidingTest(HostCase):
    def setUp(self):
        self.time = 0.0
        self.host = self.open(CODE, now=lambda: self.time)

    def decide(self, name, arguments='{"city": "Oslo"}'):
        decide = self.host.interpreter.decide
        return tuple(
            decide(f"t:{name}", "t.py", key, arguments) for key in ("requires_approval", "concurrency_safe")
        )

    def test_what_is_not_callable_is_the_answer(self):
        self.assertEqual([self.decide(name) for name in ("yes", "no")], [(True, True), (False, False)])
        self.assertEqual(self.decide("silent"), (False, True))

    def test_a_callable_is_asked_about_the_arguments(self):
        self.assertEqual(self.decide("on_city"), (True, True))
        self.assertEqual(self.decide("on_city", '{"city": "Rome"}'), (False, False))
        self.assertEqual(self.decide("integer", '{"n": 3.0}'), (True, True))

    def test_the_careful_answer_holds_where_it_cannot_decide(self):
        for name in ("raises", "truthy", "later"):
            self.assertEqual(self.decide(name), (True, False), name)
        self.assertEqual(self.decide("on_city", "{}"), (True, False))
        self.assertEqual(self.decide("on_city", "no json"), (True, False))
        self.assertEqual(self.decide("nothing"), (True, False))

    def test_an_answer_after_more_than_a_second_does_not_count(self):
        self.decide("silent")
        import t

        t.clock = self.advance
        self.assertEqual(self.decide("slow"), (True, False))
        self.assertEqual(self.decide("slow", '{"city": "Rome"}'), (True, False))

    def advance(self, seconds):
        self.time += seconds

    def test_nothing_of_it_is_seen_elsewhere(self):
        self.assertEqual(self.decide("prints"), (True, True))
        self.assertEqual(self.decide("leaks"), (False, False))
        self.assertEqual(self.host.messages, [])
