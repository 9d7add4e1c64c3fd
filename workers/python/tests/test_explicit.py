"""Handlers that create their result with `context.result` and `context.error`."""

import json

from .host import HostCase


class ResultTest(HostCase):
    def result(self, body, **arguments):
        host = self.open_tools(f"def f(context, **a):\n    {body}", "f")
        return host.call("t:f", arguments)

    def parts(self, expression):
        result = self.result(f"return context.result({expression})")
        self.assertTrue(result["ok"], result)
        return result["content"]

    def test_one_value_is_one_part(self):
        for expression, part in (
            ("'hi'", {"type": "text", "text": "hi"}),
            ("{'a': 1}", {"type": "json", "text": '{"a": 1}'}),
            ("None", {"type": "json", "text": "null"}),
            ("b'\\x00'", {"type": "binary", "mediaType": "application/octet-stream", "data": "AA=="}),
            ("{'type': 'text', 'text': 'x'}", {"type": "text", "text": "x"}),
            ("{'type': 'json', 'value': [1.0]}", {"type": "json", "text": "[1.0]"}),
            (
                "{'type': 'image', 'data': b'x', 'mediaType': 'image/png'}",
                {"type": "image", "mediaType": "image/png", "data": "eA=="},
            ),
            (
                "{'type': 'image', 'data': 'eA==', 'mediaType': 'image/png'}",
                {"type": "image", "mediaType": "image/png", "data": "eA=="},
            ),
            (
                "{'type': 'binary', 'data': 'eA==', 'mediaType': 'text/csv'}",
                {"type": "binary", "mediaType": "text/csv", "data": "eA=="},
            ),
        ):
            with self.subTest(expression=expression):
                self.assertEqual(self.parts(expression), [part])

    def test_a_list_is_several_parts(self):
        expected = [
            {"type": "text", "text": "a"},
            {"type": "json", "text": "1"},
            {"type": "json", "text": "[2]"},
        ]
        self.assertEqual(self.parts("['a', 1, [2]]"), expected)
        self.assertEqual(self.parts("[]"), [])

    def test_a_dict_that_only_resembles_a_part_is_json(self):
        for value in (
            "{'type': 'text'}",
            "{'type': 'Feature', 'text': 1}",
            "{'type': ['text'], 'text': 'x'}",
        ):
            (part,) = self.parts(value)
            self.assertEqual(part["type"], "json")

    def test_what_is_wrong_names_the_part_and_the_line(self):
        for expression, error in (
            ("[1, {2}]", "TypeError: Object of type set is not JSON serializable (at parts[1])"),
            (
                "[{'a': [object()]}]",
                "TypeError: Object of type object is not JSON serializable (at parts[0].a[0])",
            ),
            ("{'type': 'text', 'text': 1}", "TypeError: parts.text must be str, not int"),
            (
                "{'type': 'json', 'value': {1}}",
                "TypeError: Object of type set is not JSON serializable (at parts.value)",
            ),
            (
                "{'type': 'image', 'data': b'x'}",
                'TypeError: parts.mediaType must be a media type such as "image/png"',
            ),
            (
                "{'type': 'image', 'data': b'x', 'mediaType': 'a/b\\n'}",
                'TypeError: parts.mediaType must be a media type such as "image/png"',
            ),
            (
                "{'type': 'image', 'data': 3, 'mediaType': 'a/b'}",
                "TypeError: parts.data must be bytes or base64 text, not int",
            ),
            ("{'type': 'image', 'data': '*', 'mediaType': 'a/b'}", "ValueError: parts.data is not base64: "),
            ("[0] * 1001", "ValueError: a result has at most 1,000 parts, not 1,001"),
            (
                "['x' * 34_000_000, 'y' * 34_000_000]",
                "ValueError: the result is 65 MB, more than the limit of 64 MB for one value",
            ),
            ("1, metadata=3", "TypeError: metadata must be a dict, not int"),
            (
                "1, metadata={'d': {1}}",
                "TypeError: Object of type set is not JSON serializable (at metadata.d)",
            ),
        ):
            with self.subTest(expression=expression):
                result = self.result(f"return context.result({expression})")
                self.assertFalse(result["ok"])
                self.assertTrue(result["error"].startswith(error), result["error"])
                self.assertEqual(result["frames"], [{"file": "t.py", "line": 2, "name": "f"}])

    def test_metadata_comes_back_beside_the_contexts_own(self):
        result = self.result(
            "context.metadata['a'] = 1; context.metadata['b'] = 1; return context.result('x', {'b': 2, 'n': 1.0})"
        )
        self.assertEqual(result["metadata"], '{"a": 1, "b": 2, "n": 1.0}')

    def test_without_metadata_it_is_an_empty_object(self):
        self.assertEqual(self.result("return 1")["metadata"], "{}")

    def test_bad_metadata_is_a_failure_that_names_it(self):
        for body, error in (
            (
                "context.metadata['when'] = {1}",
                "TypeError: Object of type set is not JSON serializable (at metadata.when)",
            ),
            (
                "context.metadata['n'] = float('nan')",
                "ValueError: Out of range float values are not JSON compliant: nan (at metadata.n)",
            ),
            ("context['metadata'] = 3", "TypeError: context.metadata must stay a dict, not int"),
            (
                "context.metadata['x'] = 'x' * 1_000_001",
                "ValueError: the metadata is 1.0 MB, more than the limit of 1 MB",
            ),
        ):
            with self.subTest(body=body):
                result = self.result(f"{body}; return 'fine'")
                self.assertEqual((result["ok"], result["error"], result["metadata"]), (False, error, "{}"))

    async def test_a_bad_result_dict_fails_alike_however_its_handler_ends(self):
        image = {"type": "image", "data": "!", "mediaType": "image/png"}
        bad = (
            ({"text_result_for_llm": "x", "content": [image]}, "ValueError: parts[1].data is not base64"),
            ({"text_result_for_llm": "x", "content": [{**image, "data": 3}]}, "TypeError: parts[1].data must be"),
            ({"text_result_for_llm": "x", "metadata": {"n": float("nan")}}, "ValueError: Out of range"),
        )
        for value, error in bad:
            made = repr(value).replace("nan", "float('nan')")
            host = self.open_tools(
                f"def plain(): return {made}\nasync def later(): return {made}\ndef last():\n    yield 1\n    return {made}\n",
                "plain",
                "later",
                "last",
            )
            for name in ("plain", "later", "last"):
                with self.subTest(name=name, value=value):
                    result = await host.run(f"t:{name}")
                    self.assertFalse(result["ok"])
                    self.assertTrue(result["error"].startswith(error), result["error"])

    async def test_may_come_from_async_handlers_and_generators(self):
        host = self.open_tools(
            """
async def later(context): return context.result("later")
def last(context):
    yield 1
    yield context.result("last")
def returned(context):
    yield 1
    return context.result("returned")
async def async_last(context):
    yield context.result("async last")
""",
            "later",
            "last",
            "returned",
            "async_last",
        )
        for name in ("later", "last", "returned", "async_last"):
            result = await host.run(f"t:{name}")
            self.assertEqual(result["content"], [{"type": "text", "text": name.replace("_", " ")}])


class ErrorTest(HostCase):
    def setUp(self):
        self.host = self.open_tools(
            """
def returned(context): return context.error("city unknown", recoverable=True)
def raised(context):
    context.metadata["tried"] = 3
    raise context.error("city unknown")
def caught(context):
    try: raise context.error("x")
    except Exception as error: return str(error)
def wrong(context): return context.error(3)
def empty(context): return context.error("")
def huge(context): return context.error("x" * 1_000_000)
""",
            *"returned raised caught wrong empty huge".split(),
        )

    def test_may_be_returned(self):
        result = self.host.call("t:returned")
        expected = {
            "ok": False,
            "error": "ToolError: city unknown",
            "message": "city unknown",
            "traceback": "",
            "frames": [],
            "content": [],
            "metadata": "{}",
            "recoverable": True,
            "outputDropped": 0,
        }
        self.assertEqual({key: result[key] for key in expected}, expected)

    def test_may_be_raised(self):
        result = self.host.call("t:raised")
        self.assertEqual(
            (result["error"], result["message"], result["recoverable"]),
            ("ToolError: city unknown", "city unknown", False),
        )
        self.assertEqual(result["frames"], [{"file": "t.py", "line": 5, "name": "raised"}])
        self.assertEqual(json.loads(result["metadata"]), {"tried": 3})

    def test_is_an_exception_that_can_be_caught(self):
        self.assertEqual(self.host.call("t:caught")["content"], [{"type": "text", "text": "x"}])

    def test_its_message_must_be_text(self):
        self.assertEqual(self.host.call("t:wrong")["error"], "TypeError: message must be str, not int")

    def test_an_empty_or_huge_message_is_still_told(self):
        self.assertEqual(self.host.call("t:empty")["error"], "ToolError")
        self.assertLess(len(self.host.call("t:huge")["error"]), 11_000)


EXTENSION_RESULTS = """
from cloche import text_result
def plain(): return text_result("hello")
def core(): return {"result_type": "success", "text_result_for_llm": "found", "error": None, "content": [
    {"type": "text", "text": "found"}], "recoverable": False, "metadata": {"n": 1}, "duration_ms": 3}
def failed(): return {"result_type": "failure", "text_result_for_llm": "no such file", "error": "OSError: no such file"}
def picture(): return {"text_result_for_llm": "a chart", "content": [{"type": "image", "mediaType": "image/png", "data": "iVBORw0KGgo="}]}
def markdown(): return {"text_result_for_llm": "# Hi", "content": [{"type": "text", "text": "# Hi", "mediaType": "text/markdown"}]}
async def later(): return text_result("later")
def data(): return {"text_result_for_llm": "x", "rows": [1]}
def number(): return {"text_result_for_llm": 1}
"""


class ExtensionResultTest(HostCase):
    """A tool can return a result in the format that extensions see."""

    async def test_is_the_result_and_not_a_value(self):
        names = "plain core failed picture markdown later data number".split()
        host = self.open_tools(EXTENSION_RESULTS, *names)
        for name, text in (("plain", "hello"), ("core", "found"), ("markdown", "# Hi"), ("later", "later")):
            with self.subTest(name=name):
                (part,) = (await host.run(f"t:{name}"))["content"]
                self.assertEqual((part["type"], part["text"]), ("text", text))
        self.assertEqual(host.call("t:core")["metadata"], '{"n": 1}')
        failed = host.call("t:failed")
        self.assertEqual((failed["ok"], failed["message"]), (False, "no such file"))
        self.assertEqual([part["type"] for part in host.call("t:picture")["content"]], ["text", "image"])
        for name in ("data", "number"):
            self.assertEqual(host.call(f"t:{name}")["content"][0]["type"], "json")
