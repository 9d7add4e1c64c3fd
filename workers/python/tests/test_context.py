"""The call context: what it holds, and who gets it."""

import json
from unittest import mock

import cloche.mock
from cloche.mock import MockContext, ToolError

from .host import ANY, HostCase, text_of, tools

CODE = """
import functools
def takes(context): return sorted(context)
def identity(context): return [context[key] for key in ("session_id", "session_key", "turn_id", "call_id", "agent_id", "tool")]
def attributes(context): return [context.session_id, context.tool, context.cancelled, context.workspace_path]
def sandbox(context):
    try: context.sandbox["network"] = 1
    except TypeError: return dict(context.sandbox)
def missing(context): return context.nothing
def keyword(*, context=None): return context is not None
def optional(a=1, context=None): return [a, context is not None]
def not_taken(a=1): return a
def positional(context, /): return 1
def rest(**more): return sorted(more)
def variable(*context): return len(context)
class Box:
    def method(self, context): return context.tool
    def __call__(self, context): return context.tool
method, box = Box().method, Box()
part = functools.partial(takes)
filled = functools.partial(takes, context={"mine": 1})
def decorate(function):
    @functools.wraps(function)
    def wrapper(*args, **more): return function(*args, **more)
    return wrapper
@decorate
def wrapped(a, context): return [a, context.tool]
def narrow(function):
    @functools.wraps(function)
    def wrapper(a): return function(a, {"tool": "own"})
    return wrapper
@narrow
def narrowed(a, context): return [a, context["tool"]]
def logs(context, level="info"): context.log({"a": 1}, level)
def many_logs(context):
    for i in range(3_000): context.log("x")
def is_dict(context): return [isinstance(context, dict), context.get("tool"), "update" in context, len(context)]
async def later(context): return context.tool
"""
FUNCTIONS = (
    "takes identity attributes sandbox missing keyword optional not_taken positional rest variable method box part filled "
    "wrapped narrowed logs many_logs is_dict later"
).split()
KEYS = (
    "agent_id approve call_id cancelled error log metadata result sandbox session_id session_key tool turn_id update "
    "workspace_path"
).split()


class ContextTest(HostCase):
    def setUp(self):
        self.host = self.open_tools(CODE, *FUNCTIONS)

    def value(self, tool, arguments=None, **identity):
        result = self.host.call(f"t:{tool}", arguments, **identity)
        self.assertTrue(result["ok"], result)
        return json.loads(text_of(result)) if result["content"][0]["type"] == "json" else text_of(result)

    def test_holds_these_keys(self):
        self.assertEqual(self.value("takes"), KEYS)

    def test_tells_who_calls(self):
        self.assertEqual(self.value("identity"), ["s1", "k1", "t1", "c1", "", "t:identity"])
        self.assertEqual(
            self.value("identity", session_id=None, turn_id=""), ["", "k1", "", "c1", "", "t:identity"]
        )

    def test_keys_are_attributes_too(self):
        self.assertEqual(self.value("attributes"), ["s1", "t:attributes", False, None])
        self.assertEqual(self.value("attributes", workspace_path="/w")[3], "/w")
        self.assertEqual(self.value("is_dict"), [True, "t:is_dict", True, len(KEYS)])
        error = self.host.call("t:missing")["error"]
        self.assertTrue(
            error.startswith("AttributeError: the call context has no 'nothing'; it has: session_id"), error
        )

    def test_the_policy_cannot_be_changed(self):
        self.assertEqual(self.value("sandbox"), {"network": []})

    def test_goes_to_handlers_with_such_a_parameter_only(self):
        self.assertEqual(self.value("keyword"), True)
        self.assertEqual(self.value("optional", {"a": 2}), [2, True])
        self.assertEqual(self.value("not_taken"), 1)
        self.assertEqual(self.value("rest", {"a": 1}), ["a"])
        self.assertEqual(self.value("variable"), 0)
        self.assertEqual(self.value("method"), "t:method")
        self.assertEqual(self.value("box"), "t:box")
        self.assertEqual(self.value("part"), KEYS)
        self.assertEqual(self.value("wrapped", {"a": 1}), [1, "t:wrapped"])
        self.assertEqual(self.value("narrowed", {"a": 1}), [1, "own"])
        error = self.host.call("t:positional")["error"]
        self.assertIn("positional", error)

    async def test_goes_to_async_handlers(self):
        self.assertEqual(text_of(await self.host.run("t:later")), "t:later")

    def test_is_reported(self):
        taking = {tool["name"][2:] for tool in self.host.inspect("t.py")["tools"] if tool["takesContext"]}
        self.assertEqual(set(FUNCTIONS) - taking, {"not_taken", "positional", "rest", "variable", "narrowed"})

    def test_a_model_can_never_pass_it(self):
        for tool, name in (
            ("optional", "optional"),
            ("keyword", "keyword"),
            ("method", "Box.method"),
            ("part", "takes"),
        ):
            result = self.host.call(f"t:{tool}", {"context": {"session_id": "forged"}})
            self.assertEqual(
                result["error"], f"TypeError: {name}() got an unexpected keyword argument 'context'"
            )


class DeclaredTest(HostCase):
    def test_where_parameters_declare_it_it_is_an_ordinary_argument(self):
        schema = {**ANY, "properties": {"context": {"type": "string", "description": "d"}}}
        host = self.open(tools("def f(context='none'): return context", "f", parameters=schema))
        self.assertEqual(text_of(host.call("t:f", {"context": "mine"})), "mine")
        self.assertEqual(text_of(host.call("t:f")), "none")
        report = host.inspect("t.py")
        self.assertEqual(
            [(one["severity"], one["code"]) for one in report["problems"]], [("warning", "context-declared")]
        )
        self.assertFalse(report["tools"][0]["takesContext"])


class LogTest(HostCase):
    def setUp(self):
        self.host = self.open_tools(CODE, *FUNCTIONS)

    def lines(self):
        return [line for batch in self.host.streams() for line in batch["log"]]

    def test_writes_lines_with_a_level(self):
        self.host.call("t:logs")
        self.host.call("t:logs", {"level": "warning"})
        self.assertEqual(self.lines(), [{"level": "warning", "message": "{'a': 1}"}])

    def test_refuses_a_level_that_is_none(self):
        error = self.host.call("t:logs", {"level": "loud"})["error"]
        self.assertEqual(error, "ValueError: level must be one of debug, info, warning, error, not 'loud'")

    def test_is_bounded(self):
        result = self.host.call("t:many_logs")
        self.assertEqual((len(self.lines()), result["outputDropped"]), (1_000, 2_000))


class MockContextTest(HostCase):
    def test_has_the_keys_of_the_real_one(self):
        self.assertEqual(sorted(MockContext()), KEYS)

    def test_records_updates_and_logs_as_a_real_call_would(self):
        context = MockContext(session_id="s9", workspace_path="/w")
        context.update({"a": 1})
        context["update"](2)
        context.log("hello")
        context.log("careful", level="warning")
        self.assertEqual(context.updates, [{"a": 1}, 2])
        self.assertEqual(context.logs, [("info", "hello"), ("warning", "careful")])
        self.assertEqual((context.session_id, context["workspace_path"]), ("s9", "/w"))

    def test_refuses_what_a_real_call_refuses(self):
        with self.assertRaisesRegex(TypeError, r"Object of type set is not JSON serializable \(at \$.a\)"):
            MockContext().update({"a": {1}})
        with self.assertRaisesRegex(ValueError, "level must be one of"):
            MockContext().log("x", "loud")
        with self.assertRaisesRegex(TypeError, "the call context has no sesion_id; it has: "):
            MockContext(sesion_id="x")

    def test_builds_results_and_errors(self):
        self.assertEqual(
            MockContext().result(["a", 1]).parts, ['{"type":"text","text":"a"}', '{"type":"json","text":"1"}']
        )
        with self.assertRaises(ToolError):
            raise MockContext().error("x")

    async def test_answers_approvals_in_order_awaited_or_not(self):
        context = MockContext(approvals=[False, True])
        self.assertFalse(context.approve("one?"))
        self.assertIs(await context.approve("two?", {"n": 2}), True)
        self.assertTrue(context.approve("three?"))
        self.assertEqual(context.questions, [("one?", None), ("two?", {"n": 2}), ("three?", None)])

    def test_gives_plain_code_true_or_false(self):
        with mock.patch.object(cloche.mock, "_in_event_loop", lambda: False):
            context = MockContext(approvals=[False])
            self.assertEqual([context.approve("one?"), context.approve("two?")], [False, True])
            self.assertIs(context.approve("three?"), True)

    def test_refuses_questions_that_a_real_call_refuses(self):
        context = MockContext()
        with self.assertRaisesRegex(TypeError, "question must be str, not int"):
            context.approve(1)
        with self.assertRaisesRegex(ValueError, "question must not be empty"):
            context.approve(" ")
        with self.assertRaisesRegex(TypeError, "set is not JSON serializable"):
            context.approve("sure?", {1})
        self.assertEqual(context.questions, [])

    def test_its_example_is_true(self):
        import doctest

        self.assertEqual(doctest.testmod(cloche.mock), doctest.TestResults(failed=0, attempted=5))
